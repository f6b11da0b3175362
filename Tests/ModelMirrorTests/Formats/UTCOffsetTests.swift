import Testing

@testable import ModelMirror

@Suite struct UTCOffsetTests {
    /// The offset at the beginning of a text, and the text after it.
    private func read(_ text: String, named: Bool) -> (offset: Int?, rest: String) {
        var cursor = ASCIICursor(slice(text))
        let offset = named ? UTCOffset.readNamed(&cursor) : UTCOffset.read(&cursor)
        var rest: [UInt8] = []
        while let byte = cursor.next, cursor.skip(byte) { rest.append(byte) }
        return (offset, String(decoding: rest, as: UTF8.self))
    }

    @Test(arguments: [
        ("Z", 0, ""), ("z", 0, ""), ("+00:00", 0, ""), ("-00:00", 0, ""), ("+01", 3600, ""), ("-0130", -5400, ""),
        ("+23:59", 86_340, ""), ("-23:59", -86_340, ""), ("Z+01", 0, "+01"), ("+01 30", 3600, " 30"),
        ("+01300", 5400, "0"), ("+013", 3600, "3"),
    ])
    func `A UTC offset is read up to its end, and the rest is left`(text: String, offset: Int, rest: String) {
        #expect(read(text, named: false) == (offset, rest))
        #expect(read(text, named: true) == (offset, rest))
    }

    @Test(arguments: [
        ("GMT", 0, ""), ("utc", 0, ""), ("Gmt+1", 3600, ""), ("UTC-1:30", -5400, ""), ("GMT+0130", 5400, ""),
        ("GMTx", 0, "x"),
    ])
    func `GMT and UTC are read only if named offsets are requested`(text: String, offset: Int, rest: String) {
        #expect(read(text, named: true) == (offset, rest))
        #expect(read(text, named: false).offset == nil)
    }

    @Test(arguments: [
        "", "+", "-", "+1", "+24", "+24:00", "+00:60", "+0160", "+01:", "+01:3", "01:00", "GM", "GMT+", "GMT+24", "PST",
    ])
    func `Other texts are not read as UTC offsets`(text: String) {
        #expect(read(text, named: false).offset == nil)
        #expect(read(text, named: true).offset == nil)
    }
}

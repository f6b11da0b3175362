/// Small documents with one to three random changes of their bytes, many of which are no longer JSON.
struct MutatedDocuments {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let originals: [[UInt8]] = [
        "0", "-1.5e+10", "true", "null", "\"text\"", "[]", "{}", "[1,2,3]", #"{"a":1}"#, #"{"a":{"b":[{}]}}"#,
        "[[[[]]],{}]", #"["\u00e9\ud83d\ude00\n\\\""]"#, "\"é€😀\u{7F}\"", " [ 1 , \"a\" ] ", "{ \"k\" : null }\r\n",
        "[0.1,1E5,-0,1e-5,10.25,123456789012345678901]", "[true,false,null,\"\",0]", "\u{FEFF}[7]",
        #"{"id":7,"name":"x","tags":["a","b"],"on":true,"none":null,"at":"2016-01-23T18:30:00Z"}"#,
        #"["a long string of plain text, more than eight bytes", "another one"]"#,
        #"{"key":"\"quoted\" \/ \b\f\r\t","\u006bey":"\\u0041"}"#, "\t[\n\t{\"é\":\"é\"},\r\n\t[\"€\",\"\u{10FFFF}\"]]",
    ].map { Array($0.utf8) }

    /// Bytes that mean something to JSON or UTF-8.
    private static let telling: [UInt8] =
        Array("{}[]:,\"\\/-+.eE0123456789 tfnulbrsxA\t\n\r".utf8)
        + [0, 0x0B, 0x1F, 0x7F, 0x80, 0x9F, 0xA0, 0xBB, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF]

    mutating func next() -> [UInt8] {
        var bytes = generator.pick(MutatedDocuments.originals)
        for _ in 0..<generator.pick([1, 1, 2, 3]) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let byte = generator.pick(MutatedDocuments.telling)
        guard !bytes.isEmpty else { return bytes.append(byte) }
        let place = generator.below(bytes.count)
        let end = min(place + 1 + generator.below(6), bytes.count)
        switch generator.below(9) {
        case 0: bytes[place] ^= 1 << UInt8(generator.below(8))
        case 1, 2: bytes[place] = byte
        case 3: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 4, 5: bytes.insert(byte, at: place + generator.below(2))
        case 6: bytes.removeSubrange(place..<end)
        case 7: bytes.insert(contentsOf: bytes[place..<end], at: generator.below(bytes.count + 1))
        default: bytes.remove(at: place)
        }
    }
}

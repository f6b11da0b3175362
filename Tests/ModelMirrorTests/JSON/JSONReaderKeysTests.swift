import ModelMirror
import Testing

/// Has keys that are shorter, as long and longer than one, two and three words of eight bytes.
private final class Keys: AbstractModel {
    var a = 0
    var bb = 0
    var ccc = 0
    var dddd = 0
    var sixSix = 0
    var sevenSe = 0
    var eightEig = 0
    var nineNineN = 0
    var fifteenFifteenF = 0
    var sixteenSixteenSi = 0
    var twentyFourTwentyFourTwen = 0
    var größe = 0
    var special = 0
    var pair = 0

    override class var propertyKeys: [String: PropertyKey] {
        ["special": "\"\\/\u{8}\u{C}\n\r\t\0\u{1F}", "pair": "😀"]
    }

    var all: [String: Int] {
        [
            "a": a, "bb": bb, "ccc": ccc, "dddd": dddd, "sixSix": sixSix, "sevenSe": sevenSe, "eightEig": eightEig,
            "nineNineN": nineNineN, "fifteenFifteenF": fifteenFifteenF, "sixteenSixteenSi": sixteenSixteenSi,
            "twentyFourTwentyFourTwen": twentyFourTwentyFourTwen, "größe": größe,
            "\"\\/\u{8}\u{C}\n\r\t\0\u{1F}": special, "😀": pair,
        ]
    }
}

/// Has keys that look like escapes of one another.
private final class Lookalikes: AbstractModel {
    var plain = 0
    var escape = 0
    override class var propertyKeys: [String: PropertyKey] { ["plain": "ab", "escape": #"a\u0062"#] }
}

@Suite("Reading keys")
struct JSONReaderKeysTests {
    @Test("A key is found literally and with any of its characters escaped")
    func escapedKeys() throws {
        for key in Keys().all.keys {
            let scalars = Array(key.unicodeScalars)
            var spellings: [String] = []
            for index in scalars.indices {
                spellings.append(
                    scalars.enumerated().map {
                        $0 == index || $1 < " " || $1 == "\"" || $1 == "\\" ? $1.escape : String($1)
                    }
                    .joined())
            }
            spellings.append(scalars.map(\.escape).joined())
            if !scalars.contains(where: { $0 < " " || $0 == "\"" || $0 == "\\" }) { spellings.append(key) }
            for spelling in spellings {
                // Where the key is expected and where it is not.
                for start in ["{", #"{"unknown": 0, "#] {
                    let object = try Keys(json: ExactBytes("\(start)\"\(spelling)\":7}"))
                    #expect(object.all.filter { $0.value != 0 } == [key: 7], "\(spelling)")
                }
            }
        }
    }

    @Test("Short escapes in a key are resolved")
    func shortEscapesInKey() throws {
        #expect(try Keys(json: ExactBytes(#"{"\"\\\/\b\f\n\r\t\u0000\u001F": 7}"#)).special == 7)
        #expect(try Keys(json: ExactBytes(#"{"\"\\/\b\f\n\r\t\u0000\u001F": 7}"#)).special == 7)
    }

    @Test("A key is not mistaken for a similar one")
    func lookalikes() throws {
        for (json, values) in [
            (#"{"ab": 1}"#, [1, 0]), (#"{"a\u0062": 1}"#, [1, 0]), (#"{"a\\u0062": 1}"#, [0, 1]),
            (#"{"a\u005cu0062": 1}"#, [0, 1]),
            (#"{"a": 1, "abc": 2, "aB": 3, "ab\u0000": 4, "\u0000ab": 5, "": 6}"#, [0, 0]),
        ] {
            let object = try Lookalikes(json: ExactBytes(json))
            #expect([object.plain, object.escape] == values, "\(json)")
        }
    }

    @Test("A document cut off at any byte, keys included, is rejected at its end")
    func cutOffKeys() {
        let document = Array(#"{"a":1,"eightEig":2,"twentyFourTwentyFourTwen":3,"unknownUnknown":4,"größe":5}"#.utf8)
        for count in 1..<document.count where document[count] & 0xC0 != 0x80 {
            let error = syntaxError { () throws(ModelError) in try Keys(json: ExactBytes(document.prefix(count))) }
            #expect(error?.offset == count)
            #expect(error?.found == "the end of the document")
        }
    }

    @Test(
        "A syntax error in a key is reported whether or not the key is known",
        arguments: StringFault.encoding + StringFault.escapes)
    func faultyKeys(fault wrong: StringFault) {
        let missed = [#"{""#, #"{"a": 1, "b"#, #"{"a": 1, "bb": 2, "ccc"#, #"{"unknown"#].filter { start in
            let bytes = Array(start.utf8) + wrong.written + Array(#"": 1}"#.utf8)
            let error = syntaxError { () throws(ModelError) in try Keys(json: ExactBytes(bytes)) }
            return error?.expected != wrong.expected || error?.offset != start.utf8.count + wrong.place
        }
        #expect(missed == [])
    }
}

extension Unicode.Scalar {
    /// The character as `\uXXXX`, or two of these.
    fileprivate var escape: String {
        String(self).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }.joined()
    }
}

import Foundation
import ModelMirror
import Testing

@Suite("The tape of a document")
struct JSONTapeTests {
    /// Texts that are hostile or wrong; most of them are refused.
    private static let strings: [String] = [
        "", " ", "{", "[", "}", "]", ",", ":", "\"", "\"a", "{\"", "{\"a", "{\"a\"", "{\"a\":", "{\"a\":1",
        "{\"a\":1,", "{\"a\":1,}",
        "{,}", "[,]", "[1,]", "[1 2]", "{1:2}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[}", "{]", "[1}", "{\"a\":1]",
        "01", "-", "-01", "+1",
        ".5", "1.", "1.e1", "1e", "1e+", "0x10", "1_0", "--1", "-a", "NaN", "Infinity", "tru", "trues", "nul",
        "nulll", "fals",
        "True", "'a'", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\\ud83d\"", "\"a\u{1}\"", "\"a\nb\"", "\"\t\"", "/* */1", "1//", "#", "\u{0}", "1\u{0}", "[1]]",
        "{}}", "[\u{A0}1]",
        "\u{2028}1", "é", "1e400", "-0", "0.0e-0", "\"\u{FFFF}\u{10FFFF}\"", "{\"\":{\"\":[]}}", "[[[[]]],[{}]]",
        "\"\\\\\"", "\"\\\"",
        "\"12345678\u{1F}\"", "\"1234567\\\"", "[\"\\\\\\\\\\\\\\\\\"]", "{\"a\":1}x", "[1]\u{1E}",
    ]
    private static let bytes: [[UInt8]] = [
        [0x22, 0x80, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xE0, 0x80, 0x80, 0x22],
        [0x22, 0xED, 0xA0, 0x80, 0x22],
        [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0xC3, 0x22],
        [0x22, 0xE2, 0x82],
        [0x22, 0xF0, 0x9F, 0x98, 0x80, 0x22], [0x22, 0xFF, 0x22], [0xFF], [0xC3, 0xA9], [0x22, 0xC3],
        [0x5B, 0x22, 0xF0, 0x9F],
    ]

    private static let long: [String] = [
        String(repeating: "[", count: 600), String(repeating: "[", count: 512) + String(repeating: "]", count: 512),
        String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
        String(repeating: "{\"a\":", count: 400),
        "1" + String(repeating: "0", count: 10_000), "\"" + String(repeating: "\\", count: 9_999),
        "\"" + String(repeating: "a", count: 9_999) + "\"",
    ]
    private static let texts = (strings + long).map { Array($0.utf8) } + bytes

    @Test(
        "A tape accepts what the library's reader accepts, and finds a fault at the same token or before",
        arguments: texts)
    func grammar(bytes: [UInt8]) {
        var tape = JSONTape()
        let outcome = tape.read(bytes, from: 0, isEnd: true)
        var isDocument = false
        if case .value(let end) = outcome {
            isDocument = bytes[end...].allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
            // A value that is cut is incomplete until it ends.
            for cut in Set([0, 1, 2, end / 2, end - 1]) where cut < end && cut > 0 {
                #expect(tape.read(Array(bytes[..<cut]), from: 0, isEnd: false) == .incomplete)
            }
        }
        let error = syntaxError(in: bytes)
        #expect(isDocument == (error == nil))
        if case .fault(let offset) = outcome, let error {
            #expect(offset <= error.offset || bytes[error.offset..<offset].allSatisfy { $0 != 0x0A })
        }
    }

    @Test("A fault may be a cut token as long as at most twelve bytes follow its beginning")
    func cut() {
        var tape = JSONTape()
        #expect(tape.read(Array("[x           ".utf8), from: 0, isEnd: false) == .incomplete)
        #expect(tape.read(Array("[x            ".utf8), from: 0, isEnd: false) == .fault(at: 1))
    }

    @Test("The token of a container has the number of the one that ends it")
    func containers() throws {
        let (tape, bytes) = try JSONTape.read(#" {"a": [1, {}], "b": []} "#, options: MappingOptions())
        #expect(bytes.count == 25)
        #expect(
            tape.tokens.map(\.kind) == [
                .object, .key, .array, .integer, .object, .objectEnd, .arrayEnd, .key, .array, .arrayEnd, .objectEnd,
            ])
        #expect([0, 2, 4, 8].map { tape.tokens[$0].end } == [10, 6, 5, 9])
        let key = tape.tokens[7]
        #expect(String(decoding: bytes[Int(key.start)..<Int(key.end)], as: UTF8.self) == "b")
    }

    @Test("A document that is read whole keeps to the limits")
    func limits() {
        let (bytes, depth) = (MappingOptions(bytes: 3), MappingOptions(depth: 1))
        for (json, options) in [("[1, 2]", bytes), ("[[]]", depth), ("[1] 2", MappingOptions())] {
            #expect(throws: ModelError.self) { try JSONTape.read(json, options: options) }
        }
    }
}

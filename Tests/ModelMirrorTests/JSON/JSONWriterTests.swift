import Foundation
import Testing

@testable import ModelMirror

/// The text of a writer that has to grow from the first byte on.
private func written(_ options: WritingOptions = [], _ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(options, capacity: 1)
    body(&writer)
    return writer.withBytes { String(decoding: $0, as: UTF8.self) }
}

/// A string escaped as RFC 8259 section 7 requires, scalar by scalar.
private func escaped(_ text: String, slashes: Bool = false) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += #"\""#
        case "\\": result += #"\\"#
        case "/" where slashes: result += #"\/"#
        case "\u{8}": result += #"\b"#
        case "\u{C}": result += #"\f"#
        case "\n": result += #"\n"#
        case "\r": result += #"\r"#
        case "\t": result += #"\t"#
        case _ where scalar.value < 0x20:
            result += #"\u00"# + (scalar.value < 0x10 ? "0" : "1") + String(scalar.value & 15, radix: 16)
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}

@Suite("JSONWriter")
struct JSONWriterTests {
    // MARK: Strings

    @Test(
        "Control characters, quotes and backslashes are escaped",
        arguments: [
            ("\u{0}", #""\u0000""#), ("\u{1}", #""\u0001""#), ("\u{2}", #""\u0002""#), ("\u{3}", #""\u0003""#),
            ("\u{4}", #""\u0004""#), ("\u{5}", #""\u0005""#), ("\u{6}", #""\u0006""#), ("\u{7}", #""\u0007""#),
            ("\u{8}", #""\b""#), ("\t", #""\t""#), ("\n", #""\n""#), ("\u{B}", #""\u000b""#),
            ("\u{C}", #""\f""#), ("\r", #""\r""#), ("\u{E}", #""\u000e""#), ("\u{F}", #""\u000f""#),
            ("\u{10}", #""\u0010""#), ("\u{11}", #""\u0011""#), ("\u{12}", #""\u0012""#), ("\u{13}", #""\u0013""#),
            ("\u{14}", #""\u0014""#), ("\u{15}", #""\u0015""#), ("\u{16}", #""\u0016""#), ("\u{17}", #""\u0017""#),
            ("\u{18}", #""\u0018""#), ("\u{19}", #""\u0019""#), ("\u{1A}", #""\u001a""#), ("\u{1B}", #""\u001b""#),
            ("\u{1C}", #""\u001c""#), ("\u{1D}", #""\u001d""#), ("\u{1E}", #""\u001e""#), ("\u{1F}", #""\u001f""#),
            ("\"", #""\"""#), ("\\", #""\\""#), ("\r\n", #""\r\n""#),
        ])
    func escapes(text: String, expected: String) {
        #expect(written { $0.write(text) } == expected)
    }

    @Test(
        "All other characters are written unescaped in UTF-8",
        arguments: [
            "", " ", "a", "/", "</script>", "'", "\u{7F}", "\u{80}", "\u{A0}", "ä", "e\u{301}", "€", "\u{2028}",
            "\u{2029}",
            "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "𝄞", "👩‍👩‍👧", "日本語", "\u{10FFFF}",
        ])
    func plain(text: String) {
        #expect(Array(written { $0.write(text) }.utf8) == Array("\"\(text)\"".utf8))
    }

    @Test(
        "Special characters are escaped at every position in a block of eight bytes",
        arguments: ["x", "é", "😀", "\u{7F}", "\u{1F}"])
    func places(padding: String) {
        let specials =
            (0..<0x20).map { String(UnicodeScalar($0)) } + ["\"", "\\", "/", "\u{20}", "!", "#", "[", "]", ".", "0"]
        for special in specials {
            for before in 0..<17 {
                for after in [0, 1, 7, 8, 9] {
                    let text =
                        String(repeating: padding, count: before) + special + String(repeating: padding, count: after)
                    #expect(written { $0.write(text) } == escaped(text))
                    #expect(written(.escapedSlashes) { $0.write(text) } == escaped(text, slashes: true))
                }
            }
        }
    }

    @Test("Random strings are escaped as by a scalar-by-scalar reference")
    func randomStrings() throws {
        var generator = SeededGenerator(seed: 20)
        let scalars = ["\"", "\\", "/", "\u{0}", "\u{1F}", "\u{7F}", "\u{80}", "\u{FF}", "a", "Z", "€", "😀", "\n"]
        for length in 0..<300 {
            let text = (0..<length).map { _ in scalars.randomElement(using: &generator) ?? "" }.joined()
            #expect(written { $0.write(text) } == escaped(text))
            #expect(written(.escapedSlashes) { $0.write(text) } == escaped(text, slashes: true))
            #expect(try JSONValue(json: written { $0.write(text) }) == .string(text))
        }
    }

    @Test("Bridged and sliced strings are written like native ones")
    func otherStorage() {
        let long = String(repeating: "a\"é", count: 50)
        #expect(
            written { $0.write(String(long.dropFirst(3).dropLast(2))) }
                == escaped(String(long.dropFirst(3).dropLast(2))))
        #expect(written { $0.write(NSString(string: long) as String) } == escaped(long))
    }

    // MARK: Integers

    @Test(
        "Integers are written with all their digits",
        arguments: [
            0, 1, -1, 9, -9, 10, -10, 11, 99, 100, 101, 999, 1000, 12345, -12345, 999_999_999, 1_000_000_000,
            9_007_199_254_740_991, 9_007_199_254_740_993, -9_007_199_254_740_993, 999_999_999_999_999_999,
            1_000_000_000_000_000_000, .max, .max - 1, .min, .min + 1,
        ])
    func integers(value: Int) {
        #expect(written { $0.write(value) } == String(value))
    }

    @Test("Unsigned integers above Int.max are written with all their digits")
    func unsigned() {
        let largest: UInt = .max
        #expect(written { $0.write(largest) } == "18446744073709551615")
        #expect(written { $0.write(largest / 2 + 1) } == "9223372036854775808")
        #expect(written { $0.write(10_000_000_000_000_000_000 as UInt) } == "10000000000000000000")
    }

    // MARK: Structure

    /// `{"a":[1,{},[]],"b":{"c":true},"d":null}`.
    private static func structure(_ writer: inout JSONWriter) {
        writer.open("{")
        writer.member("a")
        writer.open("[")
        writer.element()
        writer.write(1)
        writer.element()
        writer.open("{")
        writer.close("}")
        writer.element()
        writer.open("[")
        writer.close("]")
        writer.close("]")
        writer.member(EncodedKey("b"))
        writer.open("{")
        writer.member("c")
        writer.write(true)
        writer.close("}")
        writer.member("d")
        writer.writeNull()
        writer.close("}")
    }

    @Test("Compact output has no white space; pretty output indents by two spaces and closes empty containers at once")
    func compactAndPretty() {
        #expect(written { Self.structure(&$0) } == #"{"a":[1,{},[]],"b":{"c":true},"d":null}"#)
        let expected = """
            {
              "a": [
                1,
                {},
                []
              ],
              "b": {
                "c": true
              },
              "d": null
            }
            """
        #expect(written(.pretty) { Self.structure(&$0) } == expected)
    }

    @Test("The level is the number of open containers")
    func level() {
        var writer = JSONWriter()
        #expect(writer.level == 0)
        writer.open("[")
        writer.element()
        writer.open("{")
        #expect(writer.level == 2)
        writer.close("}")
        writer.close("]")
        #expect(writer.level == 0)
    }

    @Test(
        "Rewinding removes everything written since the saved place, also at the beginning of a container",
        arguments: [[], WritingOptions.pretty])
    func goingBack(options: WritingOptions) {
        func text(withNothing: Bool) -> String {
            written(options) { writer in
                writer.open("{")
                for key in ["a", "b", "c"] {
                    if withNothing {
                        let place = writer.place
                        writer.member("nothing")
                        writer.open("[")
                        writer.element()
                        writer.write("long enough to make the writer grow")
                        writer.close("]")
                        writer.rewind(to: place)
                    }
                    writer.member(key)
                    writer.write(1)
                }
                if withNothing {
                    let place = writer.place
                    writer.member("nothing")
                    writer.rewind(to: place)
                }
                writer.close("}")
            }
        }
        #expect(text(withNothing: true) == text(withNothing: false))
        let nothing = written(options) { writer in
            writer.open("{")
            let place = writer.place
            writer.member("nothing")
            writer.rewind(to: place)
            writer.close("}")
        }
        #expect(nothing == "{}")
    }

    @Test(
        "A key encoded in advance is written like any other key",
        arguments: ["a", "", "a\"b", "é\n", "a/b", "\\"])
    func encodedKeys(key: String) {
        for options in [[], WritingOptions.pretty, .escapedSlashes] {
            let inAdvance = written(options) { writer in
                writer.open("{")
                writer.member(EncodedKey(key))
                writer.writeNull()
                writer.close("}")
            }
            let now = written(options) { writer in
                writer.open("{")
                writer.member(key)
                writer.writeNull()
                writer.close("}")
            }
            #expect(inAdvance == now)
        }
        #expect(EncodedKey(key).text == key)
    }

    @Test("A nested writer starts with the level and the options of the outer writer")
    func insideOfAnother() {
        var outer = JSONWriter([.pretty, .escapedSlashes])
        outer.open("[")
        outer.element()
        var inner = JSONWriter(insideOf: outer)
        inner.open("[")
        inner.element()
        inner.write("/")
        inner.close("]")
        inner.withBytes { outer.append($0) }
        outer.close("]")
        let expected = """
            [
              [
                "\\/"
              ]
            ]
            """
        #expect(outer.withBytes { String(decoding: $0, as: UTF8.self) } == expected)
    }

    @Test("The data has exactly the bytes written", arguments: [0, 1, 5, 1023, 1024, 1025, 100_000])
    func data(count: Int) {
        var writer = JSONWriter(capacity: 1)
        for _ in 0..<count { writer.append("x") }
        #expect(writer.count == count)
        #expect(writer.data() == Data(repeating: UInt8(ascii: "x"), count: count))
    }
}

import Testing

/// A character or an escape in a string, and what it is decoded to.
struct StringPiece: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let written: [UInt8]
    let decoded: [UInt8]

    /// An unescaped character.
    init(_ character: Unicode.Scalar) {
        testDescription = "U+" + String(character.value, radix: 16, uppercase: true)
        written = Array(String(character).utf8)
        decoded = written
    }

    /// An escape.
    init(_ escape: String, _ decoded: String) {
        testDescription = escape
        written = Array(escape.utf8)
        self.decoded = Array(decoded.utf8)
    }

    static let escapes = [
        (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"), (#"\f"#, "\u{C}"), (#"\n"#, "\n"),
        (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\u0000"#, "\0"), (#"\u0041"#, "A"), (#"\u007f"#, "\u{7F}"),
        (#"\u0080"#, "\u{80}"), (#"\u07FF"#, "\u{7FF}"), (#"\u0800"#, "\u{800}"), (#"\uD7FF"#, "\u{D7FF}"),
        (#"\ue000"#, "\u{E000}"), (#"\uFFFF"#, "\u{FFFF}"), (#"\ud800\udc00"#, "\u{10000}"),
        (#"\uD83D\uDE00"#, "\u{1F600}"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
    ].map(StringPiece.init(_:_:))

    /// The first and last characters of each length in UTF-8, and those next to the surrogates.
    static let characters: [StringPiece] = [
        " ", "~", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFF}", "\u{1000}", "\u{CFFF}", "\u{D000}", "\u{D7FF}",
        "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{3FFFF}", "\u{40000}", "\u{FFFFF}", "\u{100000}", "\u{10FFFF}",
    ].map(StringPiece.init)
}

/// A sequence that is invalid in a string, which of its bytes is reported, and what is expected there.
struct StringFault: Sendable, CustomTestStringConvertible {
    let written: [UInt8]
    let place: Int
    let expected: String

    var testDescription: String { written.map { String($0, radix: 16) }.joined(separator: " ") }

    /// Expectation, line, column and offset of the error if the sequence is at a byte of a line of ASCII.
    func report(atByte offset: Int) -> [String] { [expected, "1", "\(1 + offset + place)", "\(offset + place)"] }

    private init(written: [UInt8], place: Int, expected: String) {
        self.written = written
        self.place = place
        self.expected = expected
    }

    private init(notUTF8 bytes: [UInt8]) { self.init(written: bytes, place: 0, expected: "valid UTF-8") }

    static let escape = #"an escape: one of \" \\ \/ \b \f \n \r \t \u"#
    static let digits = #"four hexadecimal digits after \u"#
    static let low = #"a low surrogate (\uDC00 to \uDFFF) after the high one"#
    static let high = #"a high surrogate (\uD800 to \uDBFF) before the low one"#

    static let encoding: [StringFault] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2, 0x7F], [0xC2, 0xC0], [0xDF, 0x41], [0xE0, 0x80, 0x80],
        [0xE0, 0x9F, 0xBF], [0xE1, 0x80, 0x41], [0xE1, 0x41, 0x80], [0xEC, 0xBF, 0xC0], [0xED, 0xA0, 0x80],
        [0xED, 0xBF, 0xBF], [0xEF, 0xBF, 0x41], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
        [0xF0, 0x90, 0x80, 0x41], [0xF1, 0x80, 0x41, 0x80], [0xF1, 0x41, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80], [0xFE], [0xFF],
    ].map(StringFault.init(notUTF8:))

    static let escapes: [StringFault] = [
        faults(escape, #"\a"#, #"\'"#, #"\0"#, #"\x41"#, #"\N"#, #"\U0041"#, "\\\n", #"\é"#),
        faults(
            digits, #"\u004G"#, #"\uG041"#, #"\u+041"#, #"\u 041"#, #"\u00:1"#, #"\u00/1"#, #"\u00@1"#, #"\u00`1"#,
            #"\u00é"#),
        faults(high, #"\uDC00"#, #"\udfff"#),
        faults(
            low, #"\uD800a"#, #"\uD800\n"#, #"\uD800\\udc00"#, #"\uDBFF\u0041"#, #"\uD800\uD800"#, #"\uD800\uE000"#),
        faults(at: 6, digits, #"\uD83D\uDE0G"#),
    ].flatMap { $0 }

    /// The beginnings of valid sequences, which are invalid at the end of the document.
    static let cut: [StringFault] = [
        ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"].flatMap { character in
            (1..<character.utf8.count).map { StringFault(notUTF8: Array(character.utf8.prefix($0))) }
        },
        faults(escape, #"\"#),
        faults(digits, #"\u"#, #"\u0"#, #"\u00"#, #"\u004"#),
        faults(low, #"\uD83D"#, #"\uD83D\"#),
        faults(at: 6, digits, #"\uD83D\u"#, #"\uD83D\uD"#, #"\uD83D\uDE"#, #"\uD83D\uDE0"#),
    ].flatMap { $0 }

    private static func faults(at place: Int = 0, _ expected: String, _ texts: String...) -> [StringFault] {
        texts.map { StringFault(written: Array($0.utf8), place: place, expected: expected) }
    }
}

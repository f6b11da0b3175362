import ModelMirror
import Testing

private final class Word: AbstractModel {
    var word = ""
}

/// A place in a string: how many letters are before it and after it.
private struct Place: Hashable, Sendable {
    let before: Int
    let after: Int

    /// All that differ for blocks of eight bytes and for the rest of the document after them.
    static let all = (0...7).flatMap { before in (0...24).map { Place(before: before, after: $0) } }

    func text(_ middle: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0x61, count: before) + middle + [UInt8](repeating: 0x62, count: after)
    }

    func document(_ middle: [UInt8]) -> ExactBytes { ExactBytes([0x22] + text(middle) + [0x22]) }

    /// The string without its closing quote.
    func openDocument(_ middle: [UInt8]) -> ExactBytes { ExactBytes([0x22] + text(middle)) }
}

/// Expectation, line, column and offset of the error in a document; nil if there is none.
private func fault(in document: ExactBytes) -> [String]? {
    syntaxError(in: document).map { error in
        [error.expected, "\(error.line)", "\(error.column)", "\(error.offset)"]
    }
}

@Suite("Reading strings")
struct JSONReaderStringsTests {
    // MARK: Accepted

    @Test(
        "Escapes and characters are read at every position in a block of eight bytes, and in a property",
        arguments: StringPiece.escapes + StringPiece.characters)
    func everyPlace(piece: StringPiece) throws {
        let unread = Place.all.filter { place in
            let text = String(decoding: place.text(piece.decoded), as: UTF8.self)
            return (try? JSONValue(json: place.document(piece.written))) != .string(text)
        }
        #expect(unread == [])
        let bytes = Array(#"{"word":"<"#.utf8) + piece.written + Array(#">"}"#.utf8)
        #expect(Array(try Word(json: ExactBytes(bytes)).word.utf8) == [0x3C] + piece.decoded + [0x3E])
    }

    @Test(
        "Adjacent escapes and characters are read", arguments: StringPiece.escapes + StringPiece.characters
    )
    func neighbors(piece: StringPiece) throws {
        let place = Place(before: 3, after: 2)
        for other in StringPiece.escapes + StringPiece.characters {
            let string = try JSONValue(json: place.document(piece.written + other.written)).string
            #expect(string == String(decoding: place.text(piece.decoded + other.decoded), as: UTF8.self))
        }
    }

    @Test("Every four-digit Unicode escape outside the surrogates is decoded", arguments: [false, true])
    func everyCodeUnit(isUpperCase: Bool) throws {
        var document = "\""
        var text = ""
        for unit in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(unit) else { continue }
            let digits = String(unit, radix: 16, uppercase: isUpperCase)
            document += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            text.unicodeScalars.append(scalar)
        }
        let string = try #require(try JSONValue(json: document + "\"").string)
        #expect(Array(string.utf8) == Array(text.utf8))
        #expect(string.unicodeScalars.count == 65536 - 2048)
    }

    @Test("Every high surrogate is combined with a low surrogate")
    func everySurrogatePair() throws {
        var document = "\""
        var text = ""
        for high in UInt32(0xD800)...0xDBFF {
            for low in [UInt32(0xDC00), 0xDC01, 0xDDFF, 0xDE00, 0xDFFE, 0xDFFF] {
                document += "\\u" + String(high, radix: 16) + "\\u" + String(low, radix: 16)
                text.unicodeScalars.append(
                    try #require(Unicode.Scalar(0x10000 + (high - 0xD800) * 1024 + low - 0xDC00)))
            }
        }
        let string = try #require(try JSONValue(json: document + "\"").string)
        #expect(Array(string.utf8) == Array(text.utf8))
        #expect(string.unicodeScalars.count == 1024 * 6)
    }

    @Test("Every character that needs no escape is read unchanged")
    func everyCharacter() throws {
        var text = ""
        for scalar in (UInt32(0x20)...0xFFFF).compactMap(Unicode.Scalar.init) where scalar != "\"" && scalar != "\\" {
            text.unicodeScalars.append(scalar)
        }
        // All last bytes with some of the others.
        for scalar in stride(from: UInt32(0x10000), through: 0x10FFFF, by: 63).compactMap(Unicode.Scalar.init) {
            text.unicodeScalars.append(scalar)
        }
        let string = try #require(try JSONValue(json: "\"" + text + "\"").string)
        #expect(Array(string.utf8) == Array(text.utf8))
        #expect(string.unicodeScalars.count == 0x10000 - 2048 - 32 - 2 + 0x100000 / 63 + 1)
    }

    @Test(
        "A string of one megabyte is read in full",
        arguments: ["a", "é", "€", "😀", #"\n"#, #"\u20ac"#, #"\ud83d\ude00"#])
    func longString(unit: String) throws {
        let count = 1_000_000 / unit.utf8.count
        let decoded = try #require(try JSONValue(json: "\"\(unit)\"").string)
        let value = try JSONValue(json: "\"" + String(repeating: unit, count: count) + "\"")
        #expect(value.string == String(repeating: decoded, count: count))
    }

    @Test(
        "A string with escapes equals the text that the standard library makes, at any length",
        arguments: [0..<40, 1000..<1060])
    func escapedLengths(counts: Range<Int>) throws {
        for count in counts {
            for piece in StringPiece.escapes {
                for letter in ["a", "é"] {
                    let text = Array(String(repeating: letter, count: count).utf8)
                    let written = [0x22] + text + piece.written + text + [0x22]
                    let string = try #require(try JSONValue(json: ExactBytes(written)).string)
                    let expected = try #require(String(validating: text + piece.decoded + text, as: UTF8.self))
                    #expect(Array(string.utf8) == Array(expected.utf8))
                    // By UTF-16, which a string that is wrongly known as ASCII would give byte by byte.
                    #expect(Array(string.utf16) == Array(expected.utf16))
                }
            }
        }
    }

    @Test("Strings of 0 to 48 characters are read in full")
    func everyLength() throws {
        for count in 0...48 {
            for letter in ["a", "é"] {
                let text = String(repeating: letter, count: count)
                #expect(try JSONValue(json: ExactBytes("\"\(text)\"")) == .string(text))
            }
        }
    }

    // MARK: Rejected

    @Test(
        "Invalid UTF-8 and escapes are reported at every position in a block of eight bytes",
        arguments: StringFault.encoding + StringFault.escapes)
    func everyFault(fault wrong: StringFault) {
        let missed = Place.all.filter { place in
            fault(in: place.document(wrong.written)) != wrong.report(atByte: 1 + place.before)
        }
        #expect(missed == [])
    }

    @Test(
        "A sequence cut off by the end of the document or by the closing quote is reported",
        arguments: StringFault.encoding + StringFault.escapes + StringFault.cut)
    func cutOff(fault wrong: StringFault) {
        let missed = (0...24).filter { before in
            let place = Place(before: before, after: 0)
            var documents = [place.openDocument(wrong.written)]
            // A backslash alone would escape the quote.
            if wrong.written != [0x5C] { documents.append(place.document(wrong.written)) }
            return documents.contains { fault(in: $0) != wrong.report(atByte: 1 + before) }
        }
        #expect(missed == [])
    }

    @Test(
        "An unterminated string is reported at the end of the document",
        arguments: StringPiece.escapes + StringPiece.characters)
    func open(piece: StringPiece) {
        let missed = Place.all.filter { place in
            let document = place.openDocument(piece.written)
            let count = document.bytes.count
            let columns = String(decoding: document.bytes, as: UTF8.self).unicodeScalars.count
            return fault(in: document) != ["the closing quote of the string", "1", "\(columns + 1)", "\(count)"]
        }
        #expect(missed == [])
    }

    @Test("Every lone surrogate is rejected", arguments: [0xD800...0xDBFF, 0xDC00...0xDFFF])
    func everyLoneSurrogate(range: ClosedRange<Int>) {
        let missed = range.filter { unit in
            let document = ExactBytes(#"["", "\u"# + String(unit, radix: 16) + #""]"#)
            return fault(in: document) != [unit < 0xDC00 ? StringFault.low : StringFault.high, "1", "7", "6"]
        }
        #expect(missed == [])
    }

    @Test(
        "A lone surrogate among other escapes is rejected in read and skipped members",
        arguments: [
            #"\ud83d"#, #"\ude00"#, #"\ud83d\n"#, #"\ud83d\u0041"#, #"\ud83d\ud83d\ude00"#, #"\ud83d\ude00\ude00"#,
            #"\ude00\ud83d"#, #"\ud83dx\ude00"#,
        ], ["word", "skipped"])
    func surrogatesAmongEscapes(escapes: String, key: String) {
        for document in [#"{"\#(key)":"\t\#(escapes)"}"#, #"{"\#(key)":"é\u00e9\#(escapes)\t"}"#] {
            #expect(syntaxError { () throws(ModelError) in try Word(json: ExactBytes(document)) } != nil)
        }
    }

    @Test(
        "Two characters of three bytes are read if and only if the standard library accepts them",
        arguments: 0xD0...0xF7)
    func pairs(lead: Int) {
        let continuations: [UInt8] = [0x22, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
        for second in continuations {
            for third in continuations {
                let character = [UInt8(lead), second, third]
                for pair in [character + [0xE3, 0x81, 0x82], [0xE3, 0x81, 0x82] + character] {
                    let bytes = pair + Array("12345678".utf8)
                    // A quote ends the string too early.
                    let isText = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0x22)
                    let document = ExactBytes([0x22] + bytes + [0x22])
                    #expect((fault(in: document) == nil) == isText, "\(pair)")
                }
            }
        }
    }

    @Test("Bytes are read as UTF-8 if and only if the standard library accepts them", arguments: UInt8(0x80)...0xFF)
    func everyLead(lead: UInt8) {
        let tails: [[UInt8]] = [
            [], [0x41], [0x80], [0xBF], [0xC0], [0x80, 0x80], [0xBF, 0xBF], [0x80, 0x41], [0xBF, 0xC2],
            [0x80, 0x80, 0x80],
        ]
        // Second bytes between the limits of the ranges in RFC 3629 add nothing but time.
        let seconds = (UInt8(0x20)...0xFF).filter { $0 & 0xF < 2 || $0 & 0xF == 0xF }
        let sequences = seconds.flatMap { second in tails.map { [lead, second] + $0 } }
        let wrong = sequences.filter { bytes in
            let expected = String(validating: bytes, as: UTF8.self)
            let string = try? JSONValue(json: ExactBytes([0x22] + bytes + [0x22])).string
            // Between escapes, and in a member that no property takes.
            let escaped = Array(#"\n"#.utf8) + bytes + Array(#"\ud83d\ude00"#.utf8)
            let document = ExactBytes(
                Array(#"{"x":""#.utf8) + escaped + Array(#"","word":""#.utf8) + escaped + Array(#""}"#.utf8))
            let skipped = ExactBytes(Array(#"{"x":""#.utf8) + escaped + Array(#""}"#.utf8))
            return string != expected || (try? Word(json: document))?.word != expected.map { "\n\($0)\u{1F600}" }
                || ((try? Word(json: skipped)) == nil) != (expected == nil)
        }
        #expect(wrong == [])
    }

    @Test("An unescaped control character is reported at its position", arguments: UInt8(0)...0x1F)
    func controlCharacter(byte: UInt8) {
        let found =
            switch byte {
            case 0x09: "a tab"
            case 0x0A, 0x0D: "a line break"
            default: "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        // In a key and in a value, on the third line, after a character of two bytes.
        let missed = ["{\n\r\n \"é", "[\r\n\n \"é"].flatMap { start in
            Place.all.filter { place in
                let document = ExactBytes(Array(start.utf8) + place.text([byte]) + [0x22])
                let error = syntaxError(in: document)
                return error?.description
                    != "Invalid JSON at line 3, column \(4 + place.before) (byte \(8 + place.before)): "
                    + "expected no unescaped control character in a string, found \(found)."
            }
        }
        #expect(missed == [])
    }
}

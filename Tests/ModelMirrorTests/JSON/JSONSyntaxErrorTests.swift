#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import Testing

@testable import ModelMirror

/// Two pages of white space, of which the second one cannot be read.
private struct GuardedSpaces: JSONInput {
    func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        let page = Int(getpagesize())
        let pages = mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let pages, pages != MAP_FAILED, mprotect(pages + page, page, PROT_NONE) == 0 else { return }
        defer { munmap(pages, 2 * page) }
        memset(pages, 0x20, page)
        body(pages.assumingMemoryBound(to: UInt8.self), 2 * page)
    }
}

/// A document that is not JSON, and its error message.
private struct Fault: Sendable, CustomTestStringConvertible {
    let document: String
    let fault: SyntaxFault
    let line: Int
    let column: Int
    let offset: Int
    let sentence: String
    var testDescription: String { document.count <= 60 ? document : "\(document.prefix(60))…" }

    init(
        _ fault: SyntaxFault, _ document: String, _ line: Int, _ column: Int, _ offset: Int, _ sentence: String
    ) {
        (self.fault, self.document, self.line, self.column, self.offset) = (fault, document, line, column, offset)
        self.sentence = "Invalid JSON at line \(line), column \(column) (byte \(offset)): expected \(sentence)."
    }
}

private final class Gist: AbstractModel {
    var id = ""
    var comments = 0
}

@Suite("Syntax errors")
struct JSONSyntaxErrorTests {
    private static let value = "a value (an object, array, string, number, true, false or null)"
    private static let escape = #"an escape: one of \" \\ \/ \b \f \n \r \t \u"#
    private static let digits = #"four hexadecimal digits after \u"#
    private static let low = #"a low surrogate (\uDC00 to \uDFFF) after the high one"#

    private static let faults: [Fault] = [
        Fault(.value, "", 1, 1, 0, "\(value), found the end of the document"),
        Fault(.value, " \n ", 2, 2, 3, "\(value), found the end of the document"),
        Fault(.value, "\u{FEFF}", 1, 1, 3, "\(value), found the end of the document"),
        Fault(.value, "[1,\n  ]", 2, 3, 6, "\(value), found ']'"),
        Fault(.value, "[,1]", 1, 2, 1, "\(value), found ','"),
        Fault(.value, #"{"a": }"#, 1, 7, 6, "\(value), found '}'"),
        Fault(.value, "[tru]", 1, 2, 1, "\(value), found 't'"),
        Fault(.value, "[\"é\", nul", 1, 7, 7, "\(value), found 'n'"),
        // Ends with the largest byte that continues a scalar.
        Fault(.value, "[\"¿\", nul", 1, 7, 7, "\(value), found 'n'"),
        Fault(.value, "[falsy]", 1, 2, 1, "\(value), found 'f'"),
        Fault(.value, "True", 1, 1, 0, "\(value), found 'T'"), Fault(.value, "[+1]", 1, 2, 1, "\(value), found '+'"),
        Fault(.value, "'a'", 1, 1, 0, "\(value), found '''"),
        Fault(.value, "[\u{C}1]", 1, 2, 1, "\(value), found the byte 0x0C"),
        Fault(.value, "[\0]", 1, 2, 1, "\(value), found the byte 0x00"),
        Fault(.value, "[\u{7F}]", 1, 2, 1, "\(value), found the byte 0x7F"),
        Fault(.value, "// no", 1, 1, 0, "\(value), found '/'"),
        Fault(.memberOrObjectEnd, "{\r\n  id: 1}", 2, 3, 5, "a key in double quotes or '}', found 'i'"),
        Fault(.memberOrObjectEnd, "{", 1, 2, 1, "a key in double quotes or '}', found the end of the document"),
        Fault(.memberOrObjectEnd, "{,}", 1, 2, 1, "a key in double quotes or '}', found ','"),
        Fault(.memberOrObjectEnd, "{1: 2}", 1, 2, 1, "a key in double quotes or '}', found '1'"),
        Fault(.memberKey, #"{"a": 1, }"#, 1, 10, 9, "a key in double quotes after the comma, found '}'"),
        Fault(.memberKey, #"{"a": 1,, "b": 2}"#, 1, 9, 8, "a key in double quotes after the comma, found ','"),
        Fault(
            .memberKey, "{\"a\": 1,\r", 2, 1, 9, "a key in double quotes after the comma, found the end of the document"
        ),
        Fault(.colon, #"{"id" 1}"#, 1, 7, 6, "':' after the key, found '1'"),
        Fault(.colon, #"{"other"}"#, 1, 9, 8, "':' after the key, found '}'"),
        Fault(.colon, #"{"id", "b": 1}"#, 1, 6, 5, "':' after the key, found ','"),
        Fault(.colon, #"{"id""#, 1, 6, 5, "':' after the key, found the end of the document"),
        Fault(.commaOrObjectEnd, "{\"id\": \"€\"\n\n \"b\": 1}", 3, 2, 15, "',' or '}', found '\"'"),
        Fault(.commaOrObjectEnd, #"{"a": 1]"#, 1, 8, 7, "',' or '}', found ']'"),
        Fault(.commaOrObjectEnd, #"{"a": nullx}"#, 1, 11, 10, "',' or '}', found 'x'"),
        Fault(.commaOrObjectEnd, #"{"a": {}"#, 1, 9, 8, "',' or '}', found the end of the document"),
        Fault(.commaOrArrayEnd, "[1\n2]", 2, 1, 3, "',' or ']', found '2'"),
        Fault(.commaOrArrayEnd, "[[1}]", 1, 4, 3, "',' or ']', found '}'"),
        Fault(.commaOrArrayEnd, "[\"😀\"", 1, 5, 7, "',' or ']', found the end of the document"),
        Fault(.commaOrArrayEnd, "[1 2]", 1, 4, 3, "',' or ']', found '2'"),
        Fault(.endOfDocument, "{}\n}", 2, 1, 3, "the end of the document, found '}'"),
        Fault(.endOfDocument, "1 2", 1, 3, 2, "the end of the document, found '2'"),
        Fault(.endOfDocument, "[]\r\n\t,", 2, 2, 5, "the end of the document, found ','"),
        Fault(.endOfDocument, "1\0", 1, 2, 1, "the end of the document, found the byte 0x00"),
        Fault(.endOfDocument, "truefalse", 1, 5, 4, "the end of the document, found 'f'"),
        Fault(.digit, "[-]", 1, 3, 2, "a digit, found ']'"),
        Fault(.digit, "-\n1", 1, 2, 1, "a digit, found a line break"),
        Fault(.digit, "- 1", 1, 2, 1, "a digit, found a space"), Fault(.digit, "-\t1", 1, 2, 1, "a digit, found a tab"),
        Fault(.digit, "-", 1, 2, 1, "a digit, found the end of the document"),
        Fault(.noLeadingZero, "[01]", 1, 3, 2, "no digit after a leading zero, found '1'"),
        Fault(.noLeadingZero, "-00", 1, 3, 2, "no digit after a leading zero, found '0'"),
        Fault(.fractionDigit, "[1.]", 1, 4, 3, "a digit after the decimal point, found ']'"),
        Fault(.fractionDigit, "0.e1", 1, 3, 2, "a digit after the decimal point, found 'e'"),
        Fault(.exponentDigit, "[1e]", 1, 4, 3, "a digit in the exponent, found ']'"),
        Fault(.exponentDigit, "1E+\r", 1, 4, 3, "a digit in the exponent, found a line break"),
        Fault(.stringEnd, "[\"abc", 1, 6, 5, "the closing quote of the string, found the end of the document"),
        Fault(.stringEnd, "{\"é", 1, 4, 4, "the closing quote of the string, found the end of the document"),
        Fault(.noControlCharacter, "[\"a\tb\"]", 1, 4, 3, "no unescaped control character in a string, found a tab"),
        Fault(
            .noControlCharacter, "\"a\nb\"", 1, 3, 2, "no unescaped control character in a string, found a line break"),
        Fault(
            .noControlCharacter, "\"\r\n\"", 1, 2, 1, "no unescaped control character in a string, found a line break"),
        Fault(
            .noControlCharacter, "\"\u{1F}\"", 1, 2, 1,
            "no unescaped control character in a string, found the byte 0x1F"),
        Fault(.escape, #"["é\x"]"#, 1, 4, 4, #"\#(escape), found '\x'"#),
        Fault(.escape, #""\'""#, 1, 2, 1, #"\#(escape), found '\''"#),
        Fault(.escape, #""\é""#, 1, 2, 1, #"\#(escape), found '\' before the byte 0xC3"#),
        Fault(.escape, "\"\\\n\"", 1, 2, 1, #"\#(escape), found '\' before a line break"#),
        Fault(.escape, #""\"#, 1, 2, 1, #"\#(escape), found '\' before the end of the document"#),
        Fault(.hexDigits, #""\u12G4""#, 1, 2, 1, #"\#(digits), found '\u12' before 'G'"#),
        Fault(.hexDigits, #""\u é""#, 1, 2, 1, #"\#(digits), found '\u' before a space"#),
        Fault(.hexDigits, #""\u12"#, 1, 2, 1, #"\#(digits), found '\u12' before the end of the document"#),
        Fault(.hexDigits, #""\uD83D\uDE0""#, 1, 8, 7, #"\#(digits), found '\uDE0' before '"'"#),
        Fault(.lowSurrogate, #""\ud83d""#, 1, 2, 1, #"\#(low), found the high surrogate \ud83d alone"#),
        Fault(.lowSurrogate, #""\ud83d\u0041""#, 1, 2, 1, #"\#(low), found the high surrogate \ud83d alone"#),
        Fault(
            .highSurrogateFirst, #""a\udE00""#, 1, 3, 2,
            #"a high surrogate (\uD800 to \uDBFF) before the low one, found the low surrogate \udE00 alone"#),
        Fault(
            .lessDepth, "[\n" + String(repeating: "[", count: 512), 2, 512, 513,
            "no deeper nesting (the limit of MappingOptions.depth is reached), found '['"),
        Fault(
            .lessDepth, String(repeating: #"{"k":"#, count: 513), 1, 2561, 2560,
            "no deeper nesting (the limit of MappingOptions.depth is reached), found '{'"),
    ]

    @Test(
        "A syntax error says in one sentence what was expected and found, and where; models give the same error",
        arguments: faults)
    private func sentence(fault: Fault) throws {
        let error = try #require(syntaxError(in: ExactBytes(fault.document)))
        #expect(error.description == fault.sentence)
        #expect(error.line == fault.line)
        #expect(error.column == fault.column)
        #expect(error.offset == fault.offset)
        #expect(error.expected == fault.fault.rawValue)
        #expect("\(ModelError.invalidJSON(error))" == fault.sentence)
        // As text, and by models that read or skip it.
        let others = [
            syntaxError(in: fault.document),
            syntaxError { () throws(ModelError) in try Gist(json: fault.document) },
            syntaxError { () throws(ModelError) in try [Gist](json: fault.document) },
            syntaxError { () throws(ModelError) in try [String: Gist](json: fault.document) },
            syntaxError { () throws(ModelError) in try Gist(json: fault.document, at: ["id", 0]) },
        ]
        #expect(others == Array(repeating: error, count: others.count))
    }

    @Test("Invalid UTF-8 is reported with the offending byte")
    func encoding() {
        let documents: [([UInt8], String)] = [
            ([0x22, 0xC3, 0xA9, 0xFF, 0x22], "line 1, column 3 (byte 3): expected valid UTF-8, found the byte 0xFF"),
            ([0x0A, 0x22, 0xE2, 0x82, 0x22], "line 2, column 2 (byte 2): expected valid UTF-8, found the byte 0xE2"),
            ([0x5B, 0xC3, 0xA9], "line 1, column 2 (byte 1): expected \(Self.value), found the byte 0xC3"),
        ]
        for (bytes, sentence) in documents {
            let error = syntaxError(in: bytes)
            #expect(error?.description == "Invalid JSON at \(sentence).")
        }
    }

    @Test("These tests cover every SyntaxFault of the grammar")
    func isComplete() {
        // These five have no case above: four have tests of their own, and the fault of a class is not a syntax error.
        let grammar = SyntaxFault.allCases
        let tested = Set(Self.faults.map(\.fault)).union([
            .validUTF8, .lessStack, .fewerReadings, .fewerBytes, .modelFault,
        ])
        #expect(Set(grammar) == tested)
        #expect(grammar.count == 23)
        #expect(Set(grammar.map(\.rawValue)).count == 23)
    }

    @Test("The first syntax error takes precedence over invalid values and later errors")
    func beatsBadValues() {
        let document = #"{"id": 7, "comments": "many", "x": 01, "y": tru"#
        let error = syntaxError { () throws(ModelError) in try Gist(json: document, options: .strict) }
        #expect(
            error?.description
                == "Invalid JSON at line 1, column 37 (byte 36): expected no digit after a leading zero, found '1'.")
    }

    // MARK: The limit of bytes

    @Test("A document at the byte limit is read, and one byte more is rejected at that byte")
    func byteLimit() throws {
        let document = "[\"é\",\n1]"
        for text in [document, "\u{FEFF}[1, 2]"] {
            #expect(try JSONValue(json: text, options: MappingOptions(bytes: 9)).array?.count == 2)
        }
        let error = syntaxError(in: document, MappingOptions(bytes: 8))
        #expect(
            error?.description
                == "Invalid JSON at line 2, column 2 (byte 8): expected a shorter document (the limit of MappingOptions.bytes "
                + "is passed), found ']'.")
        #expect(
            syntaxError { () throws(ModelError) in try [Gist](json: document, options: MappingOptions(bytes: 8)) }
                == error)
    }

    @Test(
        "The byte limit takes precedence over other syntax errors, and counts white space and a byte order mark",
        arguments: [
            ("[x]", 2, "line 1, column 3 (byte 2)", "']'"), ("1  \n ", 4, "line 2, column 1 (byte 4)", "a space"),
            ("\u{FEFF}[1, 2]", 5, "line 1, column 3 (byte 5)", "','"),
            ("[1]", 0, "line 1, column 1 (byte 0)", "'['"), ("[1]", -1, "line 1, column 1 (byte 0)", "'['"),
            ("[1]", Int.min, "line 1, column 1 (byte 0)", "'['"),
        ])
    func byteLimitFirst(document: String, limit: Int, place: String, found: String) {
        let error = syntaxError(in: ExactBytes(document), MappingOptions(bytes: limit))
        #expect(
            error?.description
                == "Invalid JSON at \(place): expected a shorter document (the limit of MappingOptions.bytes is passed), "
                + "found \(found).")
    }

    @Test("A document that is too long is not read beyond the limit")
    func byteLimitAlone() async {
        await #expect(processExitsWith: .success) {
            let error = syntaxError(in: GuardedSpaces(), MappingOptions(bytes: 8))
            #expect(
                error?.description
                    == "Invalid JSON at line 1, column 9 (byte 8): expected a shorter document (the limit of "
                    + "MappingOptions.bytes is passed), found a space.")
        }
    }
}

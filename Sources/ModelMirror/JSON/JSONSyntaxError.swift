public import ModelMirrorFoundation

/// The error for text that is not JSON (RFC 8259), or that exceeds a limit of ``MappingOptions`` or of the stack.
///
/// ```text
/// Invalid JSON at line 3, column 17 (byte 41): expected ',' or '}', found '"'.
/// ```
public struct JSONSyntaxError: LocalizedError, SentenceError, Hashable, Sendable, CustomStringConvertible {
    /// What the grammar or a limit requires there, such as `',' or '}'`.
    public var expected: String { fault.rawValue }
    /// What was found there: a character, an escape, a byte, or "the end of the document".
    public let found: String
    /// The line, from 1. Lines end with LF, CR LF or CR.
    public var line: Int { place.line }
    /// The column, from 1, counted in Unicode scalars.
    public var column: Int { place.column }
    /// The offset in the input in bytes, from 0.
    public var offset: Int { place.offset }
    /// The path of the value that could not be read, as a JSON Pointer (RFC 6901); nil outside of all objects and arrays, and for a
    /// document that is too long.
    public let pointer: String?
    package internal(set) var place: ErrorPlace
    /// What the grammar or the limit requires.
    let fault: SyntaxFault
    /// The limit that was reached.
    let limit: Int?
    /// Where the document came from, for the description of a ``ModelError``.
    var source: String?

    /// `syntax`, or the limit that was reached: `depth`, `size`, `stack`.
    public var code: FailureCode { FailureCode(fault.code) }

    /// For `syntax` the name of what was expected, such as `commaOrObjectEnd`; for `size` and `depth` the `limit`: of bytes, and of levels
    /// or, where values are read again, of readings.
    public var parameters: [String: JSONValue] {
        if code == .syntax { return ["expected": .string("\(fault)")] }
        return limit.map { ["limit": .number(JSONNumber($0))] } ?? [:]
    }

    /// One sentence.
    public var description: String {
        "Invalid JSON at line \(line), column \(column) (byte \(offset)): expected \(expected), found \(found)."
    }
}

extension JSONSyntaxError {
    /// Determines line, column and found character of an interruption.
    init(_ interruption: Interruption, in reader: JSONReader) {
        let (fault, offset) = (interruption.fault, interruption.offset)
        // A document that is too long is not read again.
        let (values, stopped) = reader.locate([offset], findsPaths: fault != .fewerBytes)
        let (found, place) = values[0]
        let path = stopped ?? found.map { JSONPath($0.steps) }
        let limit: Int? =
            switch fault {
            case .fewerBytes: place.offset
            case .lessDepth: path?.steps.count ?? 0
            case .fewerReadings: JSONReader.mostReadings
            default: nil
            }
        self.init(
            found: reader.describe(fault, at: offset), pointer: path?.pointer, place: place, fault: fault, limit: limit)
    }
}

/// Ends reading at once: the text is not JSON or exceeds a limit, or a class cannot be mapped.
///
/// Two machine words without references, so that throwing it through hot functions costs one register. It becomes a
/// ``ModelError`` at the end of the call.
struct Interruption: Error {
    let fault: SyntaxFault
    /// Bytes from the start of the reader's document.
    let offset: Int
}

/// What the grammar or a limit requires; the raw value is the end of "expected …".
enum SyntaxFault: String, CaseIterable {
    case value = "a value (an object, array, string, number, true, false or null)"
    case memberKey = "a key in double quotes after the comma"
    case memberOrObjectEnd = "a key in double quotes or '}'"
    case colon = "':' after the key"
    case commaOrObjectEnd = "',' or '}'"
    case commaOrArrayEnd = "',' or ']'"
    case endOfDocument = "the end of the document"
    case digit = "a digit"
    case noLeadingZero = "no digit after a leading zero"
    case fractionDigit = "a digit after the decimal point"
    case exponentDigit = "a digit in the exponent"
    case stringEnd = "the closing quote of the string"
    case noControlCharacter = "no unescaped control character in a string"
    case validUTF8 = "valid UTF-8"
    case escape = "an escape: one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
    case hexDigits = "four hexadecimal digits after \\u"
    case lowSurrogate = "a low surrogate (\\uDC00 to \\uDFFF) after the high one"
    case highSurrogateFirst = "a high surrogate (\\uD800 to \\uDBFF) before the low one"
    case lessDepth = "no deeper nesting (the limit of MappingOptions.depth is reached)"
    case lessStack = "no deeper nesting (the thread's stack is too small for it)"
    case fewerReadings = "less nesting of values that are read again (the document takes more than a hundred readings)"
    case fewerBytes = "a shorter document (the limit of MappingOptions.bytes is passed)"
    /// Not part of the grammar: `MappingSession.fault` holds the error.
    case modelFault = "a mappable class"

    /// The code of its error.
    var code: FailureCode.Known {
        switch self {
        case .lessDepth, .fewerReadings: .depth
        case .lessStack: .stack
        case .fewerBytes: .size
        default: .syntax
        }
    }
}

/// An error whose description is also its text as a `LocalizedError`.
package protocol SentenceError: LocalizedError, CustomStringConvertible {}

extension SentenceError {
    /// The description.
    public var errorDescription: String? { description }
}

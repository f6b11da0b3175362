/// Where and why a text is not JSON in the sense of RFC 8259.
///
/// ```text
/// Invalid JSON at line 3, column 17 (byte 41): expected ',' or '}', found '"'.
/// ```
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the grammar demands at that place.
    public let expected: String
    /// What stands there, shortened: one character, or "the end of the document".
    public let found: String
    /// The line, from 1. Lines end with LF, CR LF or CR.
    public let line: Int
    /// The column, from 1, counted in Unicode scalars.
    public let column: Int
    /// Bytes from the start of the input, from 0.
    public let offset: Int

    /// One sentence.
    public var description: String {
        "Invalid JSON at line \(line), column \(column) (byte \(offset)): expected \(expected), found \(found)."
    }
}

extension JSONSyntaxError {
    /// Looks up what an interruption only hints at.
    init(_ interruption: Interruption, in reader: JSONReader) {
        let place = reader.location(at: interruption.offset)
        self.init(
            expected: interruption.fault.text, found: reader.describeByte(at: interruption.offset), line: place.line,
            column: place.column, offset: reader.origin + interruption.offset)
    }
}

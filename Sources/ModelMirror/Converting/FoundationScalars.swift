#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Foundation's value types in their usual JSON forms.
///
/// `read` is not inlined: each reader of rows and arrays would have copies of it, those of arrays several.

/// `Date`: ISO 8601 or `y-MM-dd HH:mm:ssZ`; other forms with a converter or the class's date formats.
extension Date: JSONScalar {
    static var expected: Expectation { DateConverter.standard.expected }
    static var schema: JSONValue { ["type": "string", "format": "date-time"] }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Date? {
        guard reader.byte == UInt8(ascii: "\"") else { return try session.refuse(&reader, expected) }
        let offset = reader.offset
        let token = try reader.scanString()
        // By far the most frequent form, without escapes.
        if !token.hasEscapes, let date = ISO8601Date.parse(token.raw) { return date }
        let (dates, text) = (DateConverter.standard, token.string)
        if let date = dates.date(text: text) { return date }
        return session.refused(at: offset, session.showsNext ? dates.expected(insteadOf: Array(text.utf8)) : expected)
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) {
        DateConverter.standard.write(self, &writer, session)
    }
}

/// `URL`: absolute or relative; spaces and non-ASCII characters are percent-encoded.
extension URL: JSONScalar {
    static var expected: Expectation { .format(.uri) }
    static var schema: JSONValue { ["type": "string", "format": "uri"] }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> URL? {
        let offset = reader.offset
        return try session.readBytes(&reader, expected) { bytes in
            let url = URLText.url(fromUTF8: bytes)
            if session.isReporting, let url, !url.absoluteString.utf8.elementsEqual(bytes) {
                session.coerced(at: offset, .format(.escapedURI))
            }
            return url
        }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(absoluteString) }
}

/// `UUID`: its string form in any case.
extension UUID: JSONScalar {
    static var expected: Expectation { .format(.uuid) }
    static var schema: JSONValue { ["type": "string", "format": "uuid"] }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> UUID? {
        try session.readText(&reader, expected) { UUID(uuidString: $0) }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(uuidString) }
}

/// `Data`: base64, also with the URL alphabet; hexadecimal digits with the converter `.hex`.
extension Data: JSONScalar {
    static var expected: Expectation { .format(.byte) }
    static var schema: JSONValue { ["type": "string", "format": "byte", "contentEncoding": "base64"] }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Data? {
        try session.readBytes(&reader, expected) { Base64.decode($0) }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(Base64.encode(self)) }
}

/// `TimeZone`: an identifier of the time zone database (`Europe/Paris`) or an abbreviation.
extension TimeZone: JSONScalar {
    static var expected: Expectation { .format(.zone) }
    static var schema: JSONValue { ["type": "string"] }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> TimeZone? {
        try session.readText(&reader, expected) { TimeZone(identifier: $0) ?? TimeZone(abbreviation: $0) }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(identifier) }
}

/// `Locale`: an identifier (`de_DE`); every nonempty text is one.
extension Locale: JSONScalar {
    static var expected: Expectation { .format(.locale) }
    static var schema: JSONValue { ["type": "string", "minLength": 1] }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Locale? {
        try session.readText(&reader, expected) { $0.isEmpty ? nil : Locale(identifier: $0) }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(identifier) }
}

/// `RGBAColor`: `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`; alpha first with the converter `.argbHex`.
extension RGBAColor: JSONScalar {
    static var expected: Expectation { .format(.color) }
    static var schema: JSONValue { ["type": "string"] }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> RGBAColor? {
        try session.readBytes(&reader, expected) { RGBAColor(hexBytes: $0) }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(hex) }
}

/// A media type (RFC 6838), as in `Content-Type`.
///
/// ```swift
/// FormPart(type: .png, name: "image", filename: "cat.png", data: data)
/// let type: MIMEType = "application/zip"
/// ```
public struct MIMEType: Hashable, Sendable, ExpressibleByStringLiteral, NamedByLiteral, CustomStringConvertible {
    /// The type as sent.
    public let description: String

    /// A type with a name.
    public init(_ name: String) { description = name }

    /// The type in a `Content-Type` value, without parameters and surrounding white space.
    package static func essence(of contentType: String) -> ArraySlice<UInt8> {
        Array(contentType.utf8.prefix { $0 != UInt8(ascii: ";") }).trimming(\.isBlank)
    }

    /// Whether a `Content-Type` value names one of some types, in any case; one that begins with `+` is a suffix, such as `+json`.
    static func matches(_ contentType: String, _ names: [String]) -> Bool {
        let type = essence(of: contentType)
        return names.contains { name in
            let tail = name.utf8.first == UInt8(ascii: "+") ? type.suffix(name.utf8.count) : type
            return tail.elementsEqual(name.utf8) { $0.asciiLowercased == $1.asciiLowercased }
        }
    }

    /// `text/csv`
    public static let csv: MIMEType = "text/csv"
    /// `application/json`
    public static let json: MIMEType = "application/json"
    /// `image/jpeg`
    public static let jpeg: MIMEType = "image/jpeg"
    /// `application/octet-stream`: arbitrary bytes
    public static let octets: MIMEType = "application/octet-stream"
    /// `image/png`
    public static let png: MIMEType = "image/png"
    /// `text/plain`
    public static let text: MIMEType = "text/plain"
}

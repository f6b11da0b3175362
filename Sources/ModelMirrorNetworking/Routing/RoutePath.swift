public import Foundation

/// The path of a route. What is interpolated is one segment, escaped, so that no value can lead elsewhere.
///
/// ```swift
/// let path: RoutePath = "users/\(name)/gists"      // name "a/b c": users/a%2Fb%20c/gists
/// ```
///
/// In the text itself slashes separate segments; spaces and what else cannot stand in a path is percent-encoded, and escapes
/// that are there stay. A query belongs into ``Route/query``: `?` and `#` are escaped.
public struct RoutePath: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// The path as it is sent.
    public let text: String

    /// A path whose slashes separate segments.
    public init(_ text: String) { self.text = PercentEscaping.escaped(text, keeping: RoutePath.isKept) }

    /// A path whose slashes separate segments.
    public init(stringLiteral text: String) { self.init(text) }

    /// A path with segments put in.
    public init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// The path as it is sent.
    public var description: String { text }

    /// Gathers the path.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// A piece of the path, slashes and all.
        public mutating func appendLiteral(_ literal: String) {
            text += PercentEscaping.escaped(literal, keeping: RoutePath.isKept)
        }

        /// A segment, or a part of one: everything but unreserved characters is escaped. `.` and `..` too, which would mean
        /// another path.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let plain = value.description
            if plain == "." || plain == ".." {
                text += plain.replacing(".", with: "%2E")
            } else {
                text += PercentEscaping.escaped(plain, keeping: RoutePath.isUnreserved)
            }
        }
    }

    /// RFC 3986 section 2.3.
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// What may stand in a path as it is: RFC 3986 section 3.3, slashes, and the signs of escapes.
    private static func isKept(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "/%!$&'()*+,;=:@".utf8.contains(byte)
    }
}

extension RoutePath: URLConvertible {
    /// The path appended to a base; the base itself, if the path is empty.
    public func url(relativeTo base: URL?) throws(RequestError) -> URL {
        // A colon in the first segment must not look like a scheme.
        try (text.isEmpty || text.hasPrefix("/") ? text : "/" + text).url(relativeTo: base)
    }
}

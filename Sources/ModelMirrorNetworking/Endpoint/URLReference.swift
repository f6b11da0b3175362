import ModelMirror
public import ModelMirrorFoundation

/// The address of an endpoint: a path below the client's base URL, or a whole URL. Interpolated values are escaped.
///
/// ```swift
/// // base URL https://api.example.com/v3
/// "users/\(name)/gists"           // …/v3/users/a%2Fb%20c/gists for "a/b c": an interpolation is one segment
/// "/users"                        // …/v3/users: a leading slash makes no difference
/// "gists?page=2&q=\(text)"        // a query is kept, an interpolation in it is one item
/// "repos/\(path: "owner/name")"   // slashes kept
/// .root("oauth/token")            // https://api.example.com/oauth/token
/// "https://other.example/x"       // unchanged
/// .url(link)                      // a URL from the server
/// URLReference(verbatim: text)       // text that is already an address
/// ```
///
/// Spaces and non-ASCII characters of literals are percent-encoded; existing escapes stay. The base URL's query is dropped.
///
/// An address that would lead elsewhere fails with ``RequestError/invalidRequest(_:)`` before anything is sent: a segment `.`
/// or `..`, plain or escaped (except in `.url`); an interpolation that would make the address absolute (`"\(server)/api"`); an
/// empty interpolation as a whole segment; an interpolation in the host of a literal (`"https://\(host)/x"`) that is not a
/// valid host; two leading slashes.
public struct URLReference: Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    private enum Start: Hashable, Sendable {
        /// Below the base URL, unless the text is absolute.
        case base
        /// At the base URL's scheme, host and port.
        case origin
        /// A URL; its segments are not checked.
        case url
    }

    /// The address, with its interpolations escaped.
    package let text: String
    private var start = Start.base
    /// Why the address is refused, as a clause of a sentence.
    private var problem: String?

    /// An address from elsewhere, such as a configuration file. Only characters that a URL may not contain, such as spaces,
    /// are escaped.
    public init(verbatim text: String) { self.text = text }

    /// A path below the base URL, or a whole URL.
    public init(stringLiteral text: String) { self.text = text }

    /// An address with interpolated values.
    public init(stringInterpolation: StringInterpolation) {
        var gathered = stringInterpolation
        gathered.refuseEmptySegment()
        text = gathered.text
        problem = gathered.problem
        let end = gathered.firstValue ?? text.utf8.count
        if problem == nil, let scheme = URLReference.schemeLength(of: text), end <= scheme {
            problem = URLReference.absoluteProblem(text)
        }
    }

    /// A path at the origin (scheme, host and port) of the client's base URL, without the base URL's path.
    public static func root(_ path: URLReference) -> URLReference {
        var path = path
        path.start = .origin
        return path
    }

    /// A URL from a server or elsewhere; a relative one is appended to the base URL.
    public static func url(_ url: URL) -> URLReference {
        var path = URLReference(verbatim: url.absoluteString)
        path.start = .url
        return path
    }

    /// The address, with its interpolations escaped.
    public var description: String { text }

    /// The URL of the address.
    ///
    /// - Parameter base: The URL that a relative address is appended to.
    /// - Throws: ``RequestError/invalidRequest(_:)`` for the addresses listed above; ``RequestError/invalidURL(_:)`` if base and
    ///   text do not form an `http` or `https` URL with a host.
    public func url(relativeTo base: URL?) throws(RequestError) -> URL {
        if let problem { throw .invalidRequest(problem) }
        let isAbsolute = URLReference.schemeLength(of: text) != nil
        if !isAbsolute, text.utf8.starts(with: "//".utf8) {
            throw .invalidRequest(
                "the address \(text.debugDescription) begins with two slashes, which mean another host; write one, or the "
                    + "whole URL")
        }
        if start != .url, let segment = dotSegment {
            throw .invalidRequest(
                "the address \(text.debugDescription) contains the segment \(segment.debugDescription), which would "
                    + "change the path; write the path without it, from the origin as .root(\"…\"), or as .url(link)")
        }
        if isAbsolute, start == .origin {
            throw .invalidRequest("the address \(text.debugDescription) is absolute; .root takes a path")
        }
        // The leading slash keeps a colon in the first segment from reading as a scheme.
        let isPath = !isAbsolute && text.utf8.first.map { !"/?#".utf8.contains($0) } ?? true
        let written = URLText.url(from: isPath ? "/" + text : text.isEmpty ? "/" : text)
        let whole = isAbsolute ? written : written.flatMap { appended(to: base, $0.relativeString) }
        guard let url = whole else { throw .invalidURL(text) }
        guard url.isRequestable else { throw .invalidURL(url.withoutUserInfo.absoluteString) }
        return url
    }

    /// Appends a path and query to the base, whose query is dropped.
    private func appended(to base: URL?, _ path: String) -> URL? {
        guard var whole = base?.partsAroundQuery.start.description else { return nil }
        if start == .origin, let scheme = URLReference.schemeLength(of: whole) {
            let authority = whole.utf8.dropFirst(scheme + 3)
            whole = String(whole[..<(authority.firstIndex(of: UInt8(ascii: "/")) ?? whole.endIndex)])
        }
        if text.isEmpty, start == .base { return URL(string: whole) }
        while whole.hasSuffix("/") { whole.removeLast() }
        let relative = path.drop { $0 == "/" }
        if relative.first != "?", relative.first != "#" { whole += "/" }
        return URL(string: whole + relative)
    }

    /// The first `.` or `..` segment of the path, as written.
    private var dotSegment: Substring? {
        // By bytes: a separator with a combining mark is another Character.
        let path = text.utf8.dropFirst(URLReference.schemeLength(of: text).map { $0 + 3 } ?? 0).prefix {
            $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        // Nearly no segment begins like one.
        let candidates = path.split(separator: UInt8(ascii: "/")).filter { ".%".utf8.contains($0.first ?? 0) }
        return candidates.lazy.map { Substring($0) }.first { [".", ".."].contains(PercentEscaping.unescaped($0)) }
    }

    /// The number of bytes before `://`, or before the colon of `http:` and `https:` without slashes; nil for a relative text.
    fileprivate static func schemeLength(of text: String) -> Int? {
        let scheme = text.utf8.prefix { PercentEscaping.isUnreserved($0) || $0 == UInt8(ascii: "+") }
        let rest = text.utf8.dropFirst(scheme.count)
        guard !scheme.isEmpty, rest.first == UInt8(ascii: ":") else { return nil }
        if rest.starts(with: "://".utf8) { return scheme.count }
        let name = String(decoding: scheme, as: UTF8.self).lowercased()
        return ["http", "https"].contains(name) ? scheme.count : nil
    }

    fileprivate static func absoluteProblem(_ text: String) -> String {
        "an interpolated value would make the address \(text.debugDescription) absolute; for an address known only at run time use "
            + ".url(link) or URLReference(verbatim: text), and set a base URL on the client"
    }
}

extension URLReference {
    /// Builds an address from a literal; each value is escaped for its component.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var problem: String?
        fileprivate var firstValue: Int?
        /// Whether the last value was empty and began a segment.
        private var isAtEmptySegment = false

        private enum Component { case host, port, path, query }

        /// An empty address.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends a literal piece.
        public mutating func appendLiteral(_ literal: String) {
            if let first = literal.utf8.first {
                if "/?#".utf8.contains(first) { refuseEmptySegment() }
                isAtEmptySegment = false
            }
            text += literal
        }

        /// Appends one segment or query item, or part of one; all but unreserved characters (RFC 3986 section 2.3) are escaped.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(value.description) { PercentEscaping.isUnreserved($0) }
        }

        /// Appends several segments; slashes are kept.
        public mutating func appendInterpolation(path value: some CustomStringConvertible) {
            append(value.description) { PercentEscaping.isUnreserved($0) || $0 == UInt8(ascii: "/") }
        }

        /// Refuses an empty value that is a whole segment, such as an identifier that is not yet known.
        fileprivate mutating func refuseEmptySegment() {
            guard isAtEmptySegment else { return }
            refuse(
                "the value interpolated after \(text.debugDescription) is empty, so the address would lose a segment")
        }

        private mutating func refuse(_ clause: String) { problem = problem ?? clause }

        private mutating func append(_ value: String, keeping isKept: (UInt8) -> Bool) {
            isAtEmptySegment =
                value.isEmpty && component == .path && (isAtEmptySegment || text.isEmpty || text.hasSuffix("/"))
            if firstValue == nil { firstValue = text.utf8.count }
            switch component {
            case .host where !URLReference.isHost(value):
                refuse("\(value.debugDescription) in \((text + value).debugDescription) is not a valid host")
                text += PercentEscaping.escaped(value, keeping: isKept)
            case .port where UInt16(value) == nil:
                refuse("\(value.debugDescription) in \((text + value).debugDescription) is not a valid port")
            case .host: text += value.contains(":") && !value.hasPrefix("[") ? "[\(value)]" : value
            case .port: text += value
            case .path where text.isEmpty && (URLReference.schemeLength(of: value) != nil || value.hasPrefix("//")):
                problem = URLReference.absoluteProblem(value)
            case .path, .query: text += PercentEscaping.escaped(value, keeping: isKept)
            }
        }

        private var component: Component {
            if text.utf8.contains(where: "?#".utf8.contains) { return .query }
            guard let scheme = URLReference.schemeLength(of: text) else { return .path }
            let authority = text.utf8.dropFirst(scheme + 3)
            if authority.contains(UInt8(ascii: "/")) { return .path }
            return authority.last == UInt8(ascii: ":") ? .port : .host
        }
    }

    /// Whether a text is a host name, an IPv4 address, or an IPv6 address with or without brackets.
    fileprivate static func isHost(_ text: String) -> Bool {
        let isName = text.utf8.allSatisfy { PercentEscaping.isUnreserved($0) }
        return isName ? !text.isEmpty : text.isIPv6Address && !text.contains("%")
    }
}

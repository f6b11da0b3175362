public import Foundation

/// Where an API is: scheme, host, port, base path, and the header fields that every request there has.
///
/// An enum whose raw values are host names needs nothing more:
///
/// ```swift
/// enum Server: String, APIEnvironment {
///     case live = "api.example.com"
///     case test = "localhost"
///     var scheme: String { self == .test ? "http" : "https" }
///     var port: Int? { self == .test ? 8080 : nil }
/// }
/// ```
public protocol APIEnvironment: Sendable {
    /// `http` or `https`. Defaults to `https`.
    var scheme: String { get }
    /// A name, or an address; one of IPv6 with or without brackets.
    var host: String { get }
    /// 1–65535. Defaults to nil: the scheme's.
    var port: Int? { get }
    /// What stands before the path of every route, such as `/v3`. Defaults to nothing.
    var basePath: RoutePath { get }
    /// Header fields of every request; a route's own replace those with the same names. Defaults to none.
    var headers: HTTPHeaders { get }
}

extension APIEnvironment {
    /// `https`
    public var scheme: String { "https" }
    /// None is written.
    public var port: Int? { nil }
    /// Nothing.
    public var basePath: RoutePath { "" }
    /// None.
    public var headers: HTTPHeaders { [:] }

    /// Whether a host with colons is an address of IPv6, and not a name with a port: that is for ``port`` to say.
    private var isAddress: Bool {
        let text = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host[...]
        let digits = text.prefix { $0 != "%" }
        return digits.count { $0 == ":" } > 1 && digits.allSatisfy { $0.isHexDigit && $0.isASCII || ":.".contains($0) }
    }

    /// The root of the API.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` with what the URL would be, if scheme, host or port cannot be right.
    public func baseURL() throws(RequestError) -> URL {
        let address = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let text = "\(scheme)://\(address)" + (port.map { ":\($0)" } ?? "")
        let isPort = port.map { (1...65535).contains($0) } ?? true
        // What would end the host, or stand before it, makes another host of it.
        let isHost =
            !host.isEmpty && !host.unicodeScalars.contains { "/?#@\\ ".unicodeScalars.contains($0) }
            && (!host.contains(":") || isAddress)
        guard ["http", "https"].contains(scheme.lowercased()), isHost, isPort, let url = URL(string: text),
            url.host() != nil
        else { throw .invalidURL(text) }
        return basePath.text.isEmpty ? url : try basePath.url(relativeTo: url)
    }
}

extension APIEnvironment where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var host: String { rawValue }
}

/// The environment of routes that have none: they use the base URL of the client that sends them.
public enum ClientEnvironment: APIEnvironment {
    /// Never asked, since there is no such value.
    public var host: String { switch self {} }
}

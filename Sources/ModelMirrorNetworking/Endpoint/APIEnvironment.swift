public import ModelMirrorFoundation

/// An API's scheme, host, port, base path and common header fields.
///
/// A string enum whose raw values are host names needs no members; here two override defaults:
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
    /// A name, an IPv4 address, or an IPv6 address with or without brackets.
    var host: String { get }
    /// 1–65535. Defaults to nil, the scheme's default port.
    var port: Int? { get }
    /// The path that relative addresses are appended to, such as `/v3`. Defaults to none.
    var basePath: URLReference { get }
    /// Header fields of every request; an endpoint's or route's fields replace those with the same names. Defaults to none.
    var headers: HTTPHeaders { get }
}

extension APIEnvironment {
    /// `https`
    public var scheme: String { "https" }
    /// Nil: the scheme's default port.
    public var port: Int? { nil }
    /// None.
    public var basePath: URLReference { "" }
    /// None.
    public var headers: HTTPHeaders { [:] }

    /// The base URL of the API: scheme, host, port and base path.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` with the offending URL if scheme, host or port is invalid;
    ///   ``RequestError/invalidRequest(_:)`` for a base path that ``URLReference`` refuses, or that is a URL of another server.
    public func baseURL() throws(RequestError) -> URL {
        let address = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let text = "\(scheme)://\(address)" + (port.map { ":\($0)" } ?? "")
        let isPort = port.map { (1...65535).contains($0) } ?? true
        // These characters would end the host or turn it into user info, and so change the host that is contacted. Ports belong in
        // `port`, not behind a name.
        let isHost =
            !host.isEmpty && !host.unicodeScalars.contains { "/?#@\\ ".unicodeScalars.contains($0) }
            && (!host.contains(":") || host.isIPv6Address)
        guard ["http", "https"].contains(scheme.lowercased()), isHost, isPort, let url = URL(string: text),
            url.host() != nil
        else { throw .invalidURL(text) }
        if let whole = try? basePath.url(relativeTo: nil), Origin(whole) != Origin(url) {
            throw .invalidRequest(
                "the basePath \(whole.withoutSecrets) is on another server than \(text); write its path alone, and the "
                    + "server as host")
        }
        return basePath.text.isEmpty ? url : try basePath.url(relativeTo: url)
    }
}

extension APIEnvironment where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var host: String { rawValue }
}

extension String {
    /// Whether the text is an IPv6 address, with or without brackets and zone.
    var isIPv6Address: Bool {
        let text = hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self[...]
        let digits = text.prefix { $0 != "%" }
        return digits.count { $0 == ":" } > 1 && digits.allSatisfy { $0.isHexDigit && $0.isASCII || ":.".contains($0) }
    }
}

/// The environment of routes that have none: they use the base URL of the client that sends them.
public enum ClientEnvironment: APIEnvironment {
    /// Never called: the enum has no cases.
    public var host: String { switch self {} }
}

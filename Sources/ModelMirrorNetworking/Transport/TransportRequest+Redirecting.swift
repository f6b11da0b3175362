import Foundation

extension TransportRequest {
    /// The request to make when this one was answered with a redirect, RFC 9110 section 15.4; nil if the answer is to be
    /// handed on: the policy is to stop, the status is another, or there is no `Location`.
    ///
    /// POST becomes GET with 301 and 302, everything but HEAD becomes GET with 303; the body and the fields that describe
    /// it stay behind then. `Authorization`, `Cookie` and `Proxy-Authorization` stay behind when the origin changes.
    ///
    /// ```swift
    /// var count = 0
    /// while let next = try request.redirected(
    ///     status: response.status, headers: response.headers, policy: request.redirects ?? .follow(limit: 20), count: count)
    /// {
    ///     request = next
    ///     count += 1
    ///     response = try await send(request)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - headers: Its header fields.
    ///   - policy: What is to be done on a redirect.
    ///   - count: How many redirects led to this request.
    /// - Throws: `.tooManyRedirects` beyond the policy's limit; `.connection` of the kind `.badResponse` for a `Location`
    ///   that is no `http` or `https` URL.
    public func redirected(
        status: Int, headers response: HTTPHeaders, policy: RedirectPolicy, count: Int
    ) throws(RequestError) -> TransportRequest? {
        guard case .follow(let limit) = policy else { return nil }
        guard [301, 302, 303, 307, 308].contains(status), let location = response[.location] else { return nil }
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = target.host, !host.isEmpty
        else {
            throw .connection(
                RequestError.ConnectionFailure(
                    .badResponse, url: url.withoutUserInfo,
                    reason: "the redirect leads to \(location.debugDescription), which is not an http or https URL"))
        }
        guard count < limit else { throw .tooManyRedirects(limit: limit) }
        var next = self
        next.url = target.withoutUserInfo
        if status == 303 && method != .head || method == .post && status <= 302 {
            next.method = .get
            next.body = nil
            next.headers.removeAll(TransportRequest.describingBody)
        }
        if Origin(next.url) != Origin(url) { next.headers.removeAll(TransportRequest.credentials) }
        return next
    }

    private static let describingBody: [HeaderName] = [
        .contentType, .contentLength, "Content-Encoding", "Content-Language", "Content-Location", "Digest",
        "Content-Digest", "Repr-Digest", .lastModified,
    ]

    private static let credentials: [HeaderName] = [.authorization, .cookie, .proxyAuthorization]
}

extension HTTPHeaders {
    /// Removes the fields with these names.
    mutating func removeAll(_ names: [HeaderName]) {
        self = HTTPHeaders(fields.filter { !names.contains($0.name) })
    }
}

/// What must be equal for two URLs to belong to one server, RFC 6454: scheme, host and port.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of a URL; a port that is not written is the scheme's.
    init(_ url: URL) {
        let scheme = url.scheme?.lowercased() ?? ""
        self.scheme = scheme
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

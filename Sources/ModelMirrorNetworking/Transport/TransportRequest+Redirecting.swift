import Foundation

extension TransportRequest {
    /// The request to make when this one was answered with a redirect, RFC 9110 section 15.4; nil if the answer is to be
    /// handed on because it is none: another status, or no `Location`.
    ///
    /// POST becomes GET with 301 and 302, everything but HEAD becomes GET with 303; the body and the fields that describe
    /// it stay behind then. `Authorization`, `Cookie` and `Proxy-Authorization` stay behind when the origin changes.
    ///
    /// - Throws: `.connection` of the kind `.badResponse` for a `Location` that is no `http` or `https` URL.
    func redirected(status: Int, headers response: HTTPHeaders) throws(RequestError) -> TransportRequest? {
        guard [301, 302, 303, 307, 308].contains(status), let location = response[.location] else { return nil }
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let scheme = target.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = target.host, !host.isEmpty
        else {
            throw .connection(
                RequestError.ConnectionFailure(
                    .badResponse, url: url.withoutUserInfo,
                    reason: "the redirect leads to \(location.debugDescription), which is no http or https URL"))
        }
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

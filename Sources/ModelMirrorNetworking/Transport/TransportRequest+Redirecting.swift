import ModelMirrorFoundation

extension TransportRequest {
    /// The request that follows a redirect, RFC 9110 section 15.4; nil if the response is the result: the policy is to stop, the
    /// status is not a redirect, or there is no `Location`.
    ///
    /// POST becomes GET after 301 and 302, every method but HEAD becomes GET after 303; the body and the fields that describe
    /// it are dropped then. `Authorization`, `Cookie`, `Proxy-Authorization`, the fields and query items that an
    /// ``AuthenticatingTransport`` or an interceptor with an account added, the fields that an interceptor without a declared
    /// account added, unless they never name a user, and those that are named like a credential (`X-API-Key`, `X-CSRF`,
    /// `X-Pin`: the guide Accounts lists the words), unless they never name a user or are ``declaredFields``, are dropped when the
    /// origin changes; from then on, the built-in transports present no client certificate.
    /// The other origin gets the validators of a stored response or partial file only if they are its own.
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
    ///   - status: The status of the response.
    ///   - response: Its header fields.
    ///   - policy: Whether to follow redirects.
    ///   - count: The number of redirects already followed.
    /// - Throws: `.tooManyRedirects` beyond the policy's limit; `.connection` of the kind `.badResponse` for a `Location`
    ///   that is empty or not an `http` or `https` URL, and for several that differ.
    public func redirected(
        status: Int, headers response: HTTPHeaders, policy: RedirectPolicy, count: Int
    ) throws(RequestError) -> TransportRequest? {
        guard case .follow(let limit) = policy else { return nil }
        let locations = response.values(for: .location)
        guard [301, 302, 303, 307, 308].contains(status), let location = locations.first else { return nil }
        guard Set(locations).count == 1 else { throw misdirected("the redirect has more than one Location") }
        guard !location.withoutOuterSpaces.isEmpty else { throw misdirected("the redirect has an empty Location") }
        guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.isRequestable else {
            // Without a host, everything after the scheme may be secret.
            let reference = URL(string: location)
            let shown = reference?.host == nil ? reference?.scheme.map { "\($0):…" } : reference?.withoutSecrets
            throw misdirected("the redirect points at \((shown ?? "…").quotation), which is not an http or https URL")
        }
        guard count < limit else { throw .tooManyRedirects(limit: limit) }
        var next = self
        next.url = target.withoutUserInfo
        if status == 303 && method != .head || method == .post && status <= 302 {
            next.method = .get
            next.body = nil
            next.headers = headers.without(TransportRequest.describingBody)
        }
        if Origin(next.url) != Origin(url) {
            next.hasLeftOrigin = true
            next.headers = next.headers.without(secrets.headers)
            next.url = next.url.removingQueryItems(secrets.queryItems)
            // A validator says nothing of a resource elsewhere, and may identify the user (RFC 9110 section 15.4).
            if let validators {
                next.headers = next.headers.without(Set(validators.headers.fields.map(\.name)))
                // A third origin may be on the way to theirs, such as the same server by https.
                if validators.origin == Origin(next.url) { next.headers = next.headers.merging(validators.headers) }
            }
        }
        return next
    }

    /// The request with the validators of a stored response or partial file, which came from a URL. Where that is of another origin,
    /// only a redirect to it adds them.
    func adding(validators: HTTPHeaders, of url: URL) -> TransportRequest {
        var request = self
        if Origin(url) == Origin(self.url) { request.headers = headers.merging(validators) }
        request.validators = (validators, Origin(url))
        return request
    }

    private func misdirected(_ reason: String) -> RequestError { .connection(.badResponse, to: url, reason) }

    private static let describingBody: Set<HeaderName> = [
        .contentType, .contentLength, "Content-Encoding", "Content-Language", "Content-Location", "Digest",
        "Content-Digest", "Repr-Digest", .lastModified,
    ]
}

/// Scheme, host and port, which identify a server, RFC 6454.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of a URL; the port defaults to the scheme's.
    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        // ASCII alone, as DNS has it: ẞ becomes ß, but IDNA maps it to ss, which is in the name of another host.
        host = String(decoding: (url.host ?? "").utf8.map(\.asciiLowercased), as: UTF8.self)
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

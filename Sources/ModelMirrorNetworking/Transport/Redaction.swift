package import ModelMirrorFoundation

/// The secrets that a ``LoggingTransport`` does not show and a `RecordingTransport` of `ModelMirrorTesting` does not write.
///
/// User, password and fragment of a URL are always secret, and so are a request's fields that are named like a credential (`X-API-Key`)
/// but not ``TransportRequest/declaredFields``.
///
/// ```swift
/// let redaction = Redaction(headers: ["X-Api-Key"], queryItems: ["access_token"])
/// ```
public struct Redaction: Sendable {
    /// Replaces a secret.
    package static let placeholder = "REDACTED"

    /// The header fields with secret values.
    package let headers: Set<HeaderName>
    /// The query and form items with secret values; names are compared without percent-encoding.
    package let queryItems: Set<String>

    /// `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`, and the named fields and items.
    public init(headers: Set<HeaderName> = [], queryItems: Set<String> = []) {
        self.headers = headers.union([.authorization, .proxyAuthorization, .cookie, .setCookie])
        self.queryItems = queryItems
    }

    /// The secrets of both.
    package func merging(_ other: Redaction?) -> Redaction {
        guard let other else { return self }
        return Redaction(headers: headers.union(other.headers), queryItems: queryItems.union(other.queryItems))
    }

    /// A URL whose secret query items are replaced, otherwise as it is.
    func redactingQuery(of url: URL) -> URL { url.mappingQuery { redacted(query: String($0)) } }

    /// The fields with secret values replaced.
    package func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        headers.mapping { field in
            self.headers.contains(field.name) ? Self.placeholder : field.mappingURLs(redacted(reference:))
        }
    }

    /// The fields with secret values replaced, each after a line break.
    func lines(_ headers: HTTPHeaders) -> String { redacted(headers).fields.map { "\n" + $0.line }.joined() }

    /// The URL without user, password and fragment, and with secret values replaced.
    package func redacted(_ url: URL) -> String { redacted(reference: url.absoluteString) }

    /// The items of a query or a form with secret values replaced.
    package func redacted(query: String) -> String {
        // Split as written, so that other values keep their percent-encoding; by scalars, since "=" and a mark are one Character.
        query.unicodeScalars.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = Substring(item.prefix { $0 != "=" })
            // Forms encode a space as a plus.
            let names = [PercentEscaping.unescaped(name) ?? String(name), URL.name(ofItem: Substring(item))]
            return names.contains(where: queryItems.contains) ? "\(name)=\(Self.placeholder)" : String(item)
        }.joined(separator: "&")
    }

    /// The fields without secret query items in the links to other resources, which a later request would carry as its own.
    func removingQueryItems(fromLinksIn headers: HTTPHeaders) -> HTTPHeaders {
        headers.mapping { field in
            field.mappingURLs { URL(string: $0)?.removingQueryItems(queryItems).absoluteString ?? $0 }
        }
    }

    /// An absolute or relative URL.
    private func redacted(reference: String) -> String {
        // Text that cannot be parsed may contain secrets.
        guard var components = URLComponents(string: reference) else { return Self.placeholder }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.percentEncodedQuery = components.percentEncodedQuery.map(redacted(query:))
        return components.string ?? Self.placeholder
    }
}

extension HTTPHeaders.Field {
    /// `Name: value` on one line, with control characters escaped.
    fileprivate var line: String { "\(name): \(value)".escapingControls }

    /// The value with its URLs replaced, and so with their query items.
    fileprivate func mappingURLs(_ transform: (String) -> String) -> String {
        if [.location, "Content-Location", "Referer"].contains(name) { return transform(value) }
        guard name == .link else { return value }
        // RFC 8288: URLs are between `<` and `>`.
        var text = ""
        var rest = value.unicodeScalars[...]
        while let open = rest.firstIndex(of: "<") {
            let target = rest.index(after: open)
            // A link without an end cannot be parsed.
            guard let close = rest[target...].firstIndex(of: ">") else {
                return text + String(rest[..<target]) + Redaction.placeholder
            }
            text += String(rest[..<target]) + transform(String(rest[target..<close]))
            rest = rest[close...]
        }
        return text + String(rest)
    }
}

extension HTTPHeaders {
    /// The fields that are not those of earlier ones.
    func fields(addedTo earlier: HTTPHeaders) -> [Field] {
        self == earlier ? [] : fields.filter { !earlier.fields.contains($0) }
    }

    fileprivate func mapping(_ value: (Field) -> String) -> HTTPHeaders {
        HTTPHeaders(fields.map { Field(name: $0.name, value: value($0)) })
    }
}

extension TransportRequest {
    /// What redirects to another origin drop, and nothing shows: the fields of `Redaction()`, the credentials that layers added, and
    /// the fields that are named like a credential, as `X-API-Key` and `PRIVATE-TOKEN` are, but not declared.
    package var secrets: Redaction {
        let named = headers.fields.filter { TransportRequest.isLikeCredential($0.name) && !declares($0) }
        return Redaction(headers: Set(named.map(\.name))).merging(credentials)
    }

    /// Whether a name is like that of a credential, and not that of a field that never names a user.
    static func isLikeCredential(_ name: HeaderName) -> Bool {
        secretTexts.contains(where: "-\(name.comparedValue)-".contains) && !namesNoUser(name)
    }

    /// Texts within names; a miss sends a secret elsewhere. The short ones are words of their own.
    private static let secretTexts = [
        "auth", "bearer", "cookie", "credential", "csrf", "jwt", "key", "passcode", "passphrase", "passwd", "password",
        "pwd", "secret", "session", "token", "xsrf", "-otp-", "-pin-",
    ]

    /// Notes the fields and query items that this request has and an earlier one has not.
    ///
    /// - Parameters:
    ///   - areCredentials: Whether redirects to another origin drop them, and nothing shows them.
    ///   - areDeclared: Whether it is known for whom they are. Otherwise only the fields are noted, except those that name no user.
    mutating func noteFields(addedTo earlier: TransportRequest, areCredentials: Bool, areDeclared: Bool = true) {
        let added = headers.fields(addedTo: earlier.headers)
        var (names, items) = (Set(added.map(\.name)), Set(url.itemNames(addedTo: earlier.url)))
        if areDeclared {
            for field in added { declaredValues[field.name] = field.value }
            if url.hasUserInfo, !earlier.url.hasUserInfo { names.insert(.authorization) }
            declaredFields.formUnion(names)
            declaredFields.formUnion(items.map { HeaderName($0) })
        } else {
            (names, items) = (names.filter { !TransportRequest.namesNoUser($0) }, [])
        }
        if areCredentials { credentials = Redaction(headers: names, queryItems: items).merging(credentials) }
    }
}

extension Transport {
    /// Sends a request; the URLs of the response and of errors show `REDACTED` in place of credentials among the query items, and
    /// the response's links leave them out.
    func response(hidingCredentialsOf request: TransportRequest) async throws -> TransportResponse {
        guard let secrets = request.credentials, !secrets.queryItems.isEmpty else {
            return try await response(to: request)
        }
        var response = try await mappingErrors(secrets.redacted) { try await self.response(to: request) }
        response.url = secrets.redactingQuery(of: response.url)
        response.headers = secrets.removingQueryItems(fromLinksIn: response.headers)
        response.body = ResponseBody { [body = response.body] in
            try await mappingErrors(secrets.redacted) { try await body.nextChunk() }
        }
        return response
    }
}

extension Redaction {
    /// An error; a failed connection has secret query items of its URL replaced.
    func redacted(_ error: any Error) -> any Error {
        guard case RequestError.connection(let old) = error else { return error }
        var failure = RequestError.ConnectionFailure(old.kind, url: redactingQuery(of: old.url), reason: old.reason)
        (failure.attempts, failure.isPastDeadline) = (old.attempts, old.isPastDeadline)
        return RequestError.connection(failure)
    }
}

extension URL {
    /// The text before the query, the items of the query as written, and the text after it.
    var partsAroundQuery: (start: Substring, items: [Substring], end: Substring) {
        let text = absoluteString.utf8
        let end = text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let mark = text[..<end].firstIndex(of: UInt8(ascii: "?")) ?? end
        let query = text[mark..<end].dropFirst()
        // An empty item is written between two separators, but no query has none.
        let items = query.isEmpty ? [] : query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return (Substring(text[..<mark]), items.map { Substring($0) }, Substring(text[end...]))
    }

    /// The names of the query items that are not those of an earlier URL.
    func itemNames(addedTo earlier: URL) -> [String] {
        if self == earlier { return [] }
        let known = Set(earlier.partsAroundQuery.items)
        return partsAroundQuery.items.filter { !$0.isEmpty && !known.contains($0) }.map(URL.name(ofItem:))
    }

    /// The name of a query item, unescaped.
    static func name(ofItem item: Substring) -> String {
        let plus = "+".unicodeScalars
        let name = Substring(item.unicodeScalars.prefix { $0 != "=" }.replacing(plus, with: " ".unicodeScalars))
        return PercentEscaping.unescaped(name) ?? String(name)
    }

    /// The URL with each item of its query replaced; nil removes it. All else stays as written.
    func mappingQuery(_ transform: (Substring) -> String?) -> URL {
        let (start, items, end) = partsAroundQuery
        let kept = items.compactMap(transform).joined(separator: "&")
        // The items were parts of a URL, or are tokens.
        return URL(string: start + (kept.isEmpty ? "" : "?" + kept) + end) ?? self
    }

    /// The URL without the items of some names, which are compared unescaped.
    func removingQueryItems(_ names: Set<String>) -> URL {
        guard !names.isEmpty, query != nil else { return self }
        return mappingQuery { names.contains(URL.name(ofItem: $0)) ? nil : String($0) }
    }
}

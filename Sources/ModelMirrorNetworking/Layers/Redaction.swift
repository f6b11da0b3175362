package import Foundation

/// What a ``LoggingTransport`` does not show, and a `RecordingTransport` of `ModelMirrorTesting` does not write down.
///
/// User, password and fragment of a URL are always left out.
///
/// ```swift
/// let redaction = Redaction(headers: ["X-Api-Key"], queryItems: ["access_token"])
/// ```
public struct Redaction: Sendable {
    /// What stands in the place of a secret.
    package static let placeholder = "REDACTED"

    /// The header fields whose values are secret.
    package let headers: Set<HeaderName>
    /// The items of a query, or of a form, whose values are secret; names are compared as they are without
    /// percent-encoding.
    package let queryItems: Set<String>

    /// `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`, and what else is named.
    public init(headers: Set<HeaderName> = [], queryItems: Set<String> = []) {
        self.headers = headers.union([.authorization, .proxyAuthorization, .cookie, .setCookie])
        self.queryItems = queryItems
    }

    /// The fields, with the placeholder for secret values.
    package func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(headers.fields.map { HTTPHeaders.Field(name: $0.name, value: redacted($0)) })
    }

    /// The URL as text, with the placeholder for secret values, without user, password and fragment.
    package func redacted(_ url: URL) -> String { redacted(reference: url.absoluteString) }

    /// The items of a query or a form, as they are written, with the placeholder for secret values.
    package func redacted(query: String) -> String {
        // Taken apart as it is written: other values keep their percent-encoding byte for byte.
        query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            // A form writes a space as a plus.
            let names = [name, name.replacing("+", with: " ")].map { $0.removingPercentEncoding ?? String($0) }
            return names.contains(where: queryItems.contains) ? "\(name)=\(Self.placeholder)" : String(item)
        }.joined(separator: "&")
    }

    private func redacted(_ field: HTTPHeaders.Field) -> String {
        if headers.contains(field.name) { return Self.placeholder }
        // These carry URLs, and with them the items of a query.
        if [.location, "Content-Location", "Referer"].contains(field.name) { return redacted(reference: field.value) }
        if field.name == .link { return redacted(link: field.value) }
        return field.value
    }

    /// A `Link` field, RFC 8288: its targets stand between `<` and `>`.
    private func redacted(link: String) -> String {
        var text = ""
        var rest = link[...]
        while let open = rest.firstIndex(of: "<") {
            let target = rest.index(after: open)
            // One that does not end cannot be read.
            guard let close = rest[target...].firstIndex(of: ">") else {
                return text + rest[..<target] + Self.placeholder
            }
            text += rest[..<target] + redacted(reference: String(rest[target..<close]))
            rest = rest[close...]
        }
        return text + rest
    }

    /// An absolute or relative URL.
    private func redacted(reference: String) -> String {
        // What cannot be read may hold anything.
        guard var components = URLComponents(string: reference) else { return Self.placeholder }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.percentEncodedQuery = components.percentEncodedQuery.map(redacted(query:))
        return components.string ?? Self.placeholder
    }
}

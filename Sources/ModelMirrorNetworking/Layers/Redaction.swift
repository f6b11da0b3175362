#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The secrets that a ``LoggingTransport`` does not show and a `RecordingTransport` of `ModelMirrorTesting` does not write.
///
/// User, password and fragment of a URL are always secret.
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

    /// The fields with secret values replaced.
    package func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(headers.fields.map { HTTPHeaders.Field(name: $0.name, value: redacted($0)) })
    }

    /// The URL without user, password and fragment, and with secret values replaced.
    package func redacted(_ url: URL) -> String { redacted(reference: url.absoluteString) }

    /// The items of a query or a form with secret values replaced.
    package func redacted(query: String) -> String {
        // Split as written, so that other values keep their percent-encoding.
        query.split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            // Forms encode a space as a plus.
            let names = [name, name.replacing("+", with: " ")].map { PercentEscaping.unescaped($0) ?? String($0) }
            return names.contains(where: queryItems.contains) ? "\(name)=\(Self.placeholder)" : String(item)
        }.joined(separator: "&")
    }

    private func redacted(_ field: HTTPHeaders.Field) -> String {
        if headers.contains(field.name) { return Self.placeholder }
        // These fields contain URLs, and so query items.
        if [.location, "Content-Location", "Referer"].contains(field.name) { return redacted(reference: field.value) }
        if field.name == .link { return redacted(link: field.value) }
        return field.value
    }

    /// A `Link` field, RFC 8288: its URLs are between `<` and `>`.
    private func redacted(link: String) -> String {
        var text = ""
        var rest = link[...]
        while let open = rest.firstIndex(of: "<") {
            let target = rest.index(after: open)
            // A link without an end cannot be parsed.
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
        // Text that cannot be parsed may contain secrets.
        guard var components = URLComponents(string: reference) else { return Self.placeholder }
        components.user = nil
        components.password = nil
        components.fragment = nil
        components.percentEncodedQuery = components.percentEncodedQuery.map(redacted(query:))
        return components.string ?? Self.placeholder
    }
}

import Foundation
public import ModelMirrorNetworking

/// What a ``RecordingTransport`` does not write down. Bodies are written as they are: record with an account that has
/// nothing to hide.
///
/// ```swift
/// let redaction = Redaction(headers: ["X-Api-Key"], queryItems: ["access_token"])
/// ```
public struct Redaction: Sendable {
    /// What stands in the place of a secret.
    public static let placeholder = "REDACTED"

    /// The header fields whose values are not written.
    public let headers: Set<HeaderName>
    /// The items of a query whose values are not written; names are compared as they are without percent-encoding.
    public let queryItems: Set<String>

    /// `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`, and what else is named.
    public init(headers: Set<HeaderName> = [], queryItems: Set<String> = []) {
        self.headers = headers.union([.authorization, .proxyAuthorization, .cookie, .setCookie])
        self.queryItems = queryItems
    }

    /// The fields, with the placeholder for secret values.
    func redacted(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.fields.map { field in
                if self.headers.contains(field.name) { return .init(name: field.name, value: Self.placeholder) }
                // These carry URLs, and with them the items of a query.
                if [.location, "Content-Location", "Referer"].contains(field.name) {
                    return .init(name: field.name, value: redacted(text: field.value))
                }
                return field
            })
    }

    /// The URL as text, with the placeholder for secret values, without user, password and fragment.
    func redacted(_ url: URL) -> String { redacted(text: url.absoluteString) }

    private func redacted(text: String) -> String {
        guard var components = URLComponents(string: text) else { return text }
        components.user = nil
        components.password = nil
        components.fragment = nil
        // Taken apart as it is written: other values keep their percent-encoding byte for byte.
        components.percentEncodedQuery = components.percentEncodedQuery.map { query in
            query.split(separator: "&", omittingEmptySubsequences: false).map { item in
                let name = item.prefix { $0 != "=" }
                guard queryItems.contains(name.removingPercentEncoding ?? String(name)) else { return String(item) }
                return "\(name)=\(Self.placeholder)"
            }.joined(separator: "&")
        }
        return components.string ?? text
    }
}

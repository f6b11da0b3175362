import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// The user of a token such as `alice-1`.
@Sendable func user(ofToken token: String) -> String? { String(token.prefix { $0 != "-" }) }

/// An endpoint whose response names the credential that the server saw.
let seen = Endpoint<String>.get("me")

extension MockTransport {
    /// Answers `GET /me` with the value of a field as a JSON string, `-` without it.
    func echo(_ field: HeaderName = .authorization, at gate: Gate? = nil) {
        on(.get, "/me") { request in
            let response = MockResponse.json("\"\(request.headers[field] ?? "-")\"")
            return gate.map { response.held(at: $0) } ?? response
        }
    }

    /// The `Authorization` fields of the requests so far, `-` without one.
    var authorizations: [String] { requests.map { $0.headers[.authorization] ?? "-" } }
}

extension APIClient {
    /// The response that is stored for an endpoint; nil if there is none.
    func stored(_ endpoint: Endpoint<String> = seen) async throws -> String? {
        do {
            return try await value(endpoint, policy: .cacheOnly)
        } catch is FetchError {
            return nil
        }
    }
}

/// A program's own layer that adds a field.
struct StampingTransport: Transport {
    let base: any Transport
    var field: HeaderName = "X-Key"
    let value: @Sendable () -> String
    /// Its own account; nil for that of its base.
    var account: (@Sendable () -> TransportIdentity)?
    var declares = false

    init(
        _ base: any Transport, _ field: HeaderName = "X-Key", declares: Bool = false,
        account: (@Sendable () -> TransportIdentity)? = nil, value: @escaping @Sendable () -> String
    ) {
        self.base = base
        self.field = field
        self.declares = declares
        self.account = account
        self.value = value
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.headers[field] = value()
        if declares { request.declaredFields.insert(field) }
        return try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity {
        account?() ?? base.identity(for: request)
    }
}

/// A transport without an identity.
struct SilentTransport: Transport {
    let base: any Transport

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await base.response(to: request)
    }
}

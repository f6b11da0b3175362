import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

private let api = URL(string: "https://api.example.com")!

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

extension MockTransport {
    /// A layer over a server that answers 401 to all but a token, and gives that to who renews.
    func renewing(
        _ token: String?, to new: String = "alice-2", named: Bool = true, at gate: Gate? = nil,
        over base: (any Transport)? = nil
    ) throws -> AuthenticatingTransport<String> {
        on(.get, "/me") { request in
            let token = request.headers[.authorization]
            return token == "Bearer \(new)" ? .json("\"\(token ?? "-")\"") : .status(401)
        }
        let account: AuthenticatingTransport<String>.Account? = named ? user : nil
        let refresh: AuthenticatingTransport<String>.Refresh = { _, _ in
            try await gate?.enter()
            return new
        }
        return try AuthenticatingTransport(
            base ?? self, origins: [api], token: token, refresh: refresh, account: account)
    }
}

extension StepExecutor {
    /// Starts a request of a client for the endpoint ``seen``, and returns the text of its response.
    func start(_ client: APIClient) throws -> Task<String, any Error> {
        let request = try client.transportRequest(for: seen)
        return Task(executorPreference: self) {
            let response = try await client.transport.response(to: request)
            return String(decoding: try await response.body.collect(limit: 100), as: UTF8.self)
        }
    }
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

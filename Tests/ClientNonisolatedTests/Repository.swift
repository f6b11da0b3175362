import Foundation
import ModelMirror
import ModelMirrorNetworking

// Clients and repositories as users write them, those of the README among them. Nothing in this file says anything about
// isolation but the extensions of the library's types; the same text is compiled in both client targets.

/// A structure with a client: it can be global and used in several tasks at once.
struct GistsAPI: Requesting {
    let client: APIClient

    static let shared = GistsAPI(
        client: APIClient(transport: EchoTransport(), baseURL: URL(string: "https://example.com")))

    func gists(of user: String) async throws -> sending [Gist] { try await value(.get("users/\(user)/gists")) }

    func favourite(_ id: String) async throws { try await send(.put("gists/\(id)/star")) }

    func isFavourite(_ id: String) async throws -> Bool { try await value(.isFavourite(id)) }
}

/// A global client.
let globalAPI = GistsAPI(client: GistsAPI.shared.client)

nonisolated extension Endpoint<[Gist]> {
    static func gists(of user: String, sort: Sort? = nil, page: Int? = nil) -> Self {
        .get("users/\(user)/gists", query: ["sort": sort, "page": page])
    }
}

nonisolated extension Endpoint<Bool> {
    static func isFavourite(_ id: String) -> Self {
        .get("gists/\(id)/star", accepting: [200, 204, 404], reading: { $0.status != 404 })
    }
}

nonisolated extension Endpoint<Void> {
    /// Named after a verb: with `.delete(…)` it would call itself.
    static func delete(_ gist: Gist) -> Self { Endpoint(.delete, "gists/\(gist.id ?? "")") }
}

nonisolated extension Requesting {
    func first(of user: String) async throws -> sending Gist? { try await value(.gists(of: user)).first }
}

/// An enum that is sent.
enum Sort: String, ParameterValue {
    case created, updated
}

/// The environments of the routes.
enum Server: String, APIEnvironment {
    case live = "api.example.com"
    case test = "test.example.com"
}

enum GistRoute: Route {
    typealias Environment = Server
    case list(user: String, page: Int)
    case create(title: String)

    var environment: Server? { .test }
    var method: HTTPMethod {
        switch self {
        case .list: .get
        case .create: .post
        }
    }
    var path: URLReference {
        switch self {
        case .list(let user, _): "users/\(user)/gists"
        case .create: "gists"
        }
    }
    var query: ParameterList {
        switch self {
        case .list(_, let page): ["page": page]
        case .create: [:]
        }
    }
    var parameters: RequestParameters? {
        switch self {
        case .list: nil
        case .create(let title): .json(["title": title])
        }
    }
}

class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(.get("https://api.github.com/users/\(user)/gists"), completion: completion)
    }

    /// Like the method of Apic.
    @discardableResult
    func requestGist(
        _ id: String, completion: @escaping @MainActor (_ getGist: () throws -> sending Gist) -> Void
    ) -> Request<Gist> {
        requestObject(.get, url: "https://api.github.com/gists/\(id)", completion: completion)
    }
}

/// Uses every hook, and has a custom method with a closure and one with `async`.
class AccountsRepository: AbstractRepository<Plan> {
    private(set) var asked = 0

    override class var defaultConfiguration: Configuration {
        Configuration(
            objectKey: "account", objectsKey: ["data", "accounts"],
            envelope: envelope(statusKey: "plan", success: .pro),
            errorDescriptionKey: "message", errorCodeKey: "code")
    }

    override class func error(forCode code: String?, message: String?) -> (any Error)? {
        code == "17" ? ConversionError(expected: message ?? "a message") : nil
    }

    override class func error(from response: Response<Data>) throws -> (any Error)? {
        try response.value(Refusal.self, at: "refusal")
    }

    nonisolated(nonsending) func account(_ number: Int) async throws -> sending Account {
        asked += 1
        return try await value(.get("accounts/\(number)"))
    }

    @discardableResult
    func requestAccounts(_ completion: @escaping @MainActor (() throws -> sending [String: Account]) -> Void)
        -> Request<[String: Account]>
    {
        asked += 1
        return request(.get("accounts", at: "accounts"), completion: completion)
    }
}

struct Refusal: Error, Decodable {
    var reason: String
}

/// Answers every request with the same text.
struct FixedTransport: Transport {
    var json: String
    var status = 200
    var contentType = "application/json"

    func response(to request: TransportRequest) async throws -> TransportResponse {
        let request = try request.prepared()
        return TransportResponse(
            status: status, headers: [.contentType: contentType], url: request.url,
            body: ResponseBody(Data(json.utf8)))
    }

    func identity(for request: TransportRequest) -> TransportIdentity { .none }
}

/// Answers with a gist whose user is the second segment of the path, or whose address is that of the request.
struct EchoTransport: Transport {
    func response(to request: TransportRequest) async throws -> TransportResponse {
        let request = try request.prepared()
        let segments = request.url.path.split(separator: "/")
        let gist = """
            {"id": "\(request.method) \(request.url.absoluteString)", "url": "u", "created_at": "2016-01-23T18:30:00Z", \
            "user": {"login": "\(segments.dropFirst().first ?? "")"}}
            """
        return TransportResponse(
            status: 200, headers: [.contentType: "application/json"], url: request.url,
            body: ResponseBody(Data((segments.last == "gists" && request.method == .get ? "[\(gist)]" : gist).utf8)))
    }

    func identity(for request: TransportRequest) -> TransportIdentity { .none }
}

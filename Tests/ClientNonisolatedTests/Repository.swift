import Foundation
import ModelMirror
import ModelMirrorNetworking

// The repository of the README. Nothing in this file says anything about the isolation of its classes; the same text is
// compiled in both client targets.

class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        requestObjects(.get, url: "https://api.github.com/users/\(user)/gists", completion: completion)
    }
}

/// Uses every hook, and a method of its own for each face.
class AccountsRepository: AbstractRepository<Plan> {
    private(set) var asked = 0

    override class var defaultConfiguration: Configuration {
        Configuration(
            objectKey: "account", objectsKey: ["data", "accounts"], statusKey: "plan", statusOk: .pro,
            errorDescriptionKey: "message", errorCodeKey: "code")
    }

    override class func error(forCode code: String?, message: String?) -> (any Error)? {
        code == "17" ? ConversionError(expected: message ?? "a message") : nil
    }

    override class func error(from response: RequestError.FailedResponse) throws -> (any Error)? {
        try response.value(Refusal.self, at: "refusal")
    }

    nonisolated(nonsending) func account(_ number: Int) async throws -> sending Account {
        asked += 1
        return try await object(url: "accounts/\(number)")
    }

    @discardableResult
    func requestAccounts(_ completion: @escaping @MainActor (() throws -> sending [String: Account]) -> Void)
        -> Request<[String: Account]>
    {
        asked += 1
        return requestDictionaryOfObjects(url: "accounts", at: "accounts", completion: completion)
    }
}

struct Refusal: Error, Decodable {
    var reason: String
}

/// Answers everything with one text.
struct FixedTransport: Transport {
    var json: String
    var status = 200

    func response(to request: TransportRequest) async throws -> TransportResponse {
        TransportResponse(
            status: status, headers: [.contentType: "application/json"], url: request.url,
            body: ResponseBody(Data(json.utf8)))
    }
}

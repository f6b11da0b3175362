public import Foundation
public import ModelMirror
public import ModelMirrorNetworking

extension MockResponse {
    /// A status without a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> MockResponse {
        MockResponse(status: status, headers: headers, content: .body(MockBody([Data()])))
    }

    /// Bytes. Without a `Content-Type` in `headers`, they are `application/octet-stream`.
    public static func data(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> MockResponse {
        MockResponse(
            status: status, headers: headers.defaulting(to: "application/octet-stream"),
            content: .body(MockBody([data])))
    }

    /// Text in UTF-8. Without a `Content-Type` in `headers`, it is `text/plain`.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> MockResponse {
        data(Data(text.utf8), status: status, headers: headers.defaulting(to: "text/plain; charset=utf-8"))
    }

    /// JSON text, given as it is: it may be broken.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> MockResponse {
        json(Data(text.utf8), status: status, headers: headers)
    }

    /// The bytes of JSON text, given as they are.
    public static func json(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> MockResponse {
        .data(data, status: status, headers: headers.defaulting(to: "application/json"))
    }

    /// JSON from a value.
    ///
    /// - Throws: `ModelError`, if the value cannot be written, such as a number that is not finite.
    public static func json(
        value: JSONValue, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws(ModelError) -> MockResponse {
        json(try value.jsonData(), status: status, headers: headers)
    }

    /// JSON from an object.
    ///
    /// - Throws: `ModelError`, if the object cannot be written.
    public static func json(
        model: AbstractModel, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws(ModelError) -> MockResponse {
        json(try model.jsonData(), status: status, headers: headers)
    }

    /// The content of a file, read for each request. Without a `Content-Type` in `headers`, it is `application/json`
    /// for a name that ends in `.json`, and `application/octet-stream` for any other.
    public static func file(_ url: URL, status: Int = 200, headers: HTTPHeaders = [:]) -> MockResponse {
        decided { _ in
            let data: Data
            do {
                data = try Data(contentsOf: url)
            } catch {
                throw RequestError.invalidRequest("the mock cannot read its answer from \(url.path): \(error)")
            }
            let isJSON = url.pathExtension.lowercased() == "json"
            return isJSON
                ? .json(data, status: status, headers: headers) : .data(data, status: status, headers: headers)
        }
    }

    /// A body that arrives in chunks, without a `Content-Length`.
    ///
    /// - Parameters:
    ///   - chunks: The chunks.
    ///   - gate: Where each chunk waits; nil for nowhere.
    ///   - failure: What the body ends with instead of its end; nil for its end.
    public static func chunks(
        _ chunks: [Data], at gate: Gate? = nil, failure: RequestError.ConnectionFailure.Kind? = nil, status: Int = 200,
        headers: HTTPHeaders = [:]
    ) -> MockResponse {
        MockResponse(
            status: status, headers: headers.defaulting(to: "application/octet-stream"),
            content: .body(MockBody(chunks, isWhole: false, gate: gate, failure: failure)))
    }

    /// A redirect. The mock does not follow it: it is the response.
    public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> MockResponse {
        .status(status, headers: headers.merging([.location: location]))
    }

    /// 429 with `Retry-After` in seconds.
    public static func tooManyRequests(retryAfter: Int) -> MockResponse {
        .status(429, headers: [.retryAfter: String(retryAfter)])
    }

    /// 401 until a request carries `Authorization: Bearer` with the token, and `response` for those that do.
    public static func unauthorizedUntil(token: String, then response: MockResponse) -> MockResponse {
        decided { request in
            guard request.headers[.authorization] == "Bearer \(token)" else {
                return .status(401, headers: [.wwwAuthenticate: "Bearer realm=\"mock\""])
            }
            return response
        }
    }

    /// No response but a failed connection.
    public static func failure(_ kind: RequestError.ConnectionFailure.Kind) -> MockResponse {
        MockResponse(
            content: .failure { .connection(.init(kind, url: $0.url.withoutUser, reason: "the mock says so")) })
    }

    /// No response but an error.
    public static func failure(_ error: RequestError) -> MockResponse { MockResponse(content: .failure { _ in error }) }

    /// No response until the gate is opened, and a lost connection then. Ends with `.cancelled` if the task is
    /// cancelled.
    public static func hanging(until gate: Gate = Gate()) -> MockResponse {
        MockResponse.failure(.connectionLost).held(at: gate)
    }

    /// One response after the other, a request each; the last one from then on.
    public static func sequence(_ responses: [MockResponse]) -> MockResponse {
        let position = Counter()
        return decided { _ in
            guard !responses.isEmpty else {
                throw RequestError.invalidRequest("the sequence of responses that answers it is empty")
            }
            return responses[min(position.next(), responses.count - 1)]
        }
    }

    /// A response that depends on the request.
    public static func decided(
        _ decide: @escaping @Sendable (MockRequest) async throws -> MockResponse
    ) -> MockResponse {
        MockResponse(content: .decided(decide))
    }
}

extension URL {
    /// The URL without user and password.
    var withoutUser: URL {
        guard var components = URLComponents(url: self, resolvingAgainstBaseURL: true),
            components.user != nil || components.password != nil
        else { return self }
        components.user = nil
        components.password = nil
        return components.url ?? self
    }
}

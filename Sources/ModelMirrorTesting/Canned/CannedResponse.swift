public import ModelMirror
public import ModelMirrorFoundation
public import ModelMirrorNetworking
import Synchronization

/// A response prepared by a test: the common part of ``MockResponse`` and ``LoopbackResponse``.
///
/// ```swift
/// mock.on(.get, "/gists", .json(gists, headers: [.eTag: "\"1\""]))
/// server.on(.get, "/flaky", .sequence([.status(503), .json("[]")]))
/// ```
public protocol CannedResponse: Sendable {
    /// The status code. Of a response that is decided for each request, such as a file or a sequence, any but 200 replaces the
    /// decided one.
    var status: Int { get set }
    /// The header fields. Those of a response that is decided for each request replace the decided ones of the same names.
    var headers: HTTPHeaders { get set }

    /// A response with a body in one piece.
    init(status: Int, headers: HTTPHeaders, body: Data)

    /// A response that depends on the header fields of the request.
    static func chosen(_ choose: @escaping @Sendable (_ headers: HTTPHeaders) throws -> Self) -> Self
}

extension CannedResponse {
    /// A status without a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Self {
        Self(status: status, headers: headers, body: Data())
    }

    /// Bytes. The `Content-Type` defaults to `application/octet-stream`.
    public static func data(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
        Self(status: status, headers: headers.defaulting(to: "application/octet-stream"), body: data)
    }

    /// UTF-8 text. The `Content-Type` defaults to `text/plain`.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
        data(Data(text.utf8), status: status, headers: headers.defaulting(to: "text/plain; charset=utf-8"))
    }

    /// JSON text, sent unchanged, even if it is invalid.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
        json(Data(text.utf8), status: status, headers: headers)
    }

    /// The bytes of JSON text, sent unchanged, even if they are invalid.
    public static func json(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
        .data(data, status: status, headers: headers.defaulting(to: "application/json"))
    }

    /// JSON from a value.
    ///
    /// - Throws: `ModelError` if the value cannot be written, such as a number that is not finite.
    public static func json(
        value: JSONValue, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws(ModelError) -> Self {
        json(try value.jsonData(), status: status, headers: headers)
    }

    /// JSON from a model.
    ///
    /// - Throws: `ModelError` if the model cannot be written.
    public static func json(
        model: AbstractModel, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws(ModelError) -> Self {
        json(try model.jsonData(), status: status, headers: headers)
    }

    /// The content of a file, read for each request; if it cannot be read, the request fails. The `Content-Type` defaults to
    /// `application/json` for a name that ends in `.json`, otherwise to `application/octet-stream`.
    public static func file(_ url: URL, status: Int = 200, headers: HTTPHeaders = [:]) -> Self {
        chosen { _ in
            let data: Data
            do {
                data = try Data(contentsOf: url)
            } catch {
                throw RequestError.invalidRequest("its response cannot be read from \(url.path): \(error.clause)")
            }
            let isJSON = url.pathExtension.lowercased() == "json"
            return .data(data, status: status, headers: isJSON ? headers.defaulting(to: "application/json") : headers)
        }
    }

    /// A redirect.
    ///
    /// - Parameters:
    ///   - location: An absolute URL or a path.
    ///   - status: 301, 302, 303, 307 or 308.
    ///   - headers: Further header fields.
    public static func redirect(to location: String, status: Int = 302, headers: HTTPHeaders = [:]) -> Self {
        .status(status, headers: headers.merging([.location: location]))
    }

    /// 429 with `Retry-After`.
    ///
    /// - Parameter retryAfter: The wait in seconds.
    public static func tooManyRequests(retryAfter: Int) -> Self { tooManyRequests(retryAfter: String(retryAfter)) }

    /// 429 with `Retry-After`.
    ///
    /// - Parameter retryAfter: The value of the field, such as `Fri, 31 Dec 1999 23:59:59 GMT`.
    public static func tooManyRequests(retryAfter: String) -> Self {
        .status(429, headers: [.retryAfter: retryAfter])
    }

    /// 401 for requests without `Authorization: Bearer` and the token, otherwise `response`.
    public static func unauthorizedUntil(token: String, then response: Self) -> Self {
        chosen { headers in
            guard headers[.authorization] == "Bearer \(token)" else {
                return .status(401, headers: [.wwwAuthenticate: "Bearer realm=\"test\""])
            }
            return response
        }
    }

    /// Why its head cannot be sent (RFC 9112 sections 4 and 5), as a clause; nil if it can.
    var fault: String? {
        guard (200...599).contains(status) else { return "the status \(status) of the response is not within 200–599" }
        for field in headers.fields {
            let name = field.name.description
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte) else {
                return "the header name \"\(name)\" of the response is not a token"
            }
            guard !field.value.utf8.contains(where: { [0, 10, 13].contains($0) }) else {
                return "the value of the response's header \"\(name)\" contains a line break or a zero byte"
            }
        }
        return nil
    }

    /// A response that was decided for this one, with what was set here.
    func applied(to decided: Self) -> Self {
        var decided = decided
        if status != 200 { decided.status = status }
        decided.headers = decided.headers.merging(headers)
        return decided
    }

    /// One response per request; the last one repeats. Requests to an empty sequence fail.
    public static func sequence(_ responses: [Self]) -> Self {
        let next = Mutex(0)
        return chosen { _ in
            let position = next.withLock { next in
                defer { next += 1 }
                return min(next, responses.count - 1)
            }
            guard responses.indices.contains(position) else {
                throw RequestError.invalidRequest("the sequence of its responses is empty")
            }
            return responses[position]
        }
    }
}

extension Error {
    /// The end of a sentence: the system's reason, or the description without its full stop.
    var clause: String {
        let cause = (self as? CocoaError)?.underlying as? POSIXError
        return cause.map { String(cString: strerror($0.code.rawValue)) } ?? "\(self)".withoutFullStop
    }
}

extension HTTPHeaders {
    func defaulting(to contentType: String) -> HTTPHeaders {
        var headers = self
        if headers[.contentType] == nil { headers[.contentType] = contentType }
        return headers
    }
}

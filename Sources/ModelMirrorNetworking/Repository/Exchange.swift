import Foundation
import ModelMirror

/// Sends one request and judges the response, by the order of checks that ``AbstractRepository`` promises.
///
/// It holds all it needs of the repository, so that it can run on any thread.
struct Exchange<Status: Equatable & Sendable>: Sendable {
    typealias Repository = AbstractRepository<Status>
    /// Changes the progress of the request.
    typealias Update = @Sendable ((inout RequestProgress) -> Void) -> Void

    /// A response that is accepted as far as its head goes.
    struct Answer: Sendable {
        let method: HTTPMethod
        let head: TransportResponse
        let body: Data

        /// The response as an error keeps it.
        ///
        /// - Parameter limit: The most bytes of the body to keep.
        func refused(keeping limit: Int) -> RequestError.FailedResponse {
            RequestError.FailedResponse(
                method: method, url: head.url, status: head.status, headers: head.headers,
                body: body.count > limit ? Data(body.prefix(limit)) : body, isBodyCut: body.count > limit)
        }
    }

    let transport: any Transport
    let baseURL: URL?
    let configuration: Repository.Configuration
    /// The class whose hooks name the errors.
    let repository: Repository.Type

    /// The product of a request: its first value, and the way to make more of them.
    func product<Value>(
        of target: RequestTarget, at key: JSONPath?, _ reading: BodyReading<Value>,
        update: @escaping Update
    ) async throws -> RequestProduct<Value> {
        try await product(of: target, at: key, reading.key, isCollection: reading.isCollection, update: update) {
            try reading.read($0.body, $1, $2)
        }
    }

    /// The product of a request whose value is made of the whole response.
    func product<Value>(
        of target: RequestTarget, at key: JSONPath?, _ kind: BodyReading<Value>.Key, isCollection: Bool,
        update: @escaping Update,
        read: @escaping @Sendable (Answer, JSONPath, MappingOptions) throws -> sending Value
    ) async throws -> RequestProduct<Value> {
        let answer = try await answer(to: target, update)
        let path = key ?? defaultKey(kind) ?? .root
        let isEnvelopeNeeded = !(isCollection && path == .root)
        try Envelope(configuration, repository).check(answer, isNeeded: isEnvelopeNeeded)
        try Task.checkCancellation()
        let options = configuration.mappingOptions
        let make: @Sendable () throws -> sending Value = { try read(answer, path, options) }
        do {
            return RequestProduct(try make(), again: make)
        } catch is ModelError where answer.body.isEmpty {
            // That JSON ends before it begins says less than which response had none.
            throw RequestError.emptyBody(answer.refused(keeping: 0))
        }
    }

    private func defaultKey(_ key: BodyReading<some Any>.Key) -> JSONPath? {
        switch key {
        case .object: configuration.objectKey
        case .objects: configuration.objectsKey
        case .none: nil
        }
    }

    /// A response that has come whole, with a good status and a good content type.
    private func answer(to target: RequestTarget, _ update: @escaping Update) async throws -> Answer {
        let (request, response) = try await open(target, update)
        return Answer(method: request.method, head: response, body: try await whole(response, request, update))
    }

    /// A response with a good status and a good content type, whose body is still to come.
    func open(
        _ target: RequestTarget, _ update: @escaping Update
    ) async throws -> (request: TransportRequest, response: TransportResponse) {
        var request = try target.request(base: baseURL, defaults: configuration.headers)
        request.timeout = configuration.timeout
        request.redirects = configuration.redirects
        request.allowsExpensiveNetwork = configuration.allowsExpensiveNetwork
        if let body = request.body {
            update { $0.upload.total = body.length.map(Int64.init) }
            request.uploadProgress = { sent, total in
                update { $0.upload = RequestProgress.Transfer(bytes: sent, total: total ?? $0.upload.total) }
            }
        }
        if let reachability = configuration.reachability, await !reachability.isConnected() {
            throw RequestError.noConnectivity
        }
        try Task.checkCancellation()
        var response = try await transport.response(to: request)
        try Task.checkCancellation()
        update { $0.download.total = response.expectedLength.map { max($0, 0) } }
        guard configuration.acceptedStatus.contains(response.status) else {
            let failed = try await failed(response, request, update)
            throw try Envelope(configuration, repository).error(for: failed)
        }
        guard accepts(response.headers[.contentType]) else {
            let failed = try await failed(response, request, update)
            // What is not there cannot be of the wrong type.
            if failed.body.isEmpty, !failed.isBodyCut {
                response.body = ResponseBody(Data())
                return (request, response)
            }
            throw RequestError.unacceptableContentType(failed)
        }
        return (request, response)
    }

    /// Whether a content type is one of those accepted.
    private func accepts(_ contentType: String?) -> Bool {
        guard let accepted = configuration.acceptedContentTypes, let contentType else { return true }
        let type = MIMEType.essence(of: contentType)
        return accepted.contains { name in
            let tail = name.utf8.first == UInt8(ascii: "+") ? type.suffix(name.utf8.count) : type
            return tail.elementsEqual(name.utf8) { $0.asciiLowercased == $1.asciiLowercased }
        }
    }

    /// What is accepted, for people.
    private var expectedContent: String {
        let accepted = configuration.acceptedContentTypes ?? []
        return accepted.contains { $0.lowercased().hasSuffix("json") } ? "JSON" : accepted.joined(separator: " or ")
    }

    /// The whole body of a response.
    private func whole(
        _ response: TransportResponse, _ request: TransportRequest, _ update: Update
    ) async throws -> Data {
        let limit = max(configuration.bodyLimit, 0)
        // What a response to HEAD announces does not come.
        if request.method != .head, let expected = response.expectedLength, expected > limit {
            throw RequestError.bodyTooLarge(limit: limit)
        }
        var body = Data()
        guard try await read(response, limit: limit, into: &body, update) else {
            throw RequestError.bodyTooLarge(limit: limit)
        }
        let count = Int64(body.count)
        update { $0.download = RequestProgress.Transfer(bytes: count, total: count) }
        return body
    }

    /// A response that is refused, with the first bytes of its body. That the rest, or all of it, could not be read is no
    /// reason to hide the status.
    private func failed(
        _ response: TransportResponse, _ request: TransportRequest, _ update: Update
    ) async throws -> RequestError.FailedResponse {
        var body = Data()
        var isWhole = false
        do {
            isWhole = try await read(response, limit: max(configuration.errorBodyLimit, 0), into: &body, update)
        } catch {
            try Task.checkCancellation()
        }
        return RequestError.FailedResponse(
            method: request.method, url: response.url, status: response.status, headers: response.headers,
            body: body, isBodyCut: !isWhole, expectedContent: expectedContent)
    }

    /// Reads a body, chunk by chunk, up to a limit.
    ///
    /// - Returns: Whether that was all of it.
    private func read(
        _ response: TransportResponse, limit: Int, into body: inout Data, _ update: Update
    ) async throws -> Bool {
        for try await chunk in response.body {
            guard chunk.count <= limit - body.count else {
                body.append(chunk.prefix(limit - body.count))
                return false
            }
            if body.isEmpty {
                body = chunk
                // What is announced is worth one allocation, of a size that a lie cannot make large.
                let announced = min(response.expectedLength ?? 0, Int64(limit), 1 << 24)
                if announced > chunk.count { body.reserveCapacity(Int(announced)) }
            } else {
                body.append(chunk)
            }
            let count = Int64(body.count)
            update { $0.download.bytes = count }
        }
        return true
    }
}

import ModelMirror
import ModelMirrorFoundation

/// Sends one request and checks the response in the order that ``APIClient`` documents:
///
///     TransportRequest → transport → status → content type → whole body → envelope → value
///
/// Streams and downloads take the head and read the body themselves.
struct Exchange: Sendable {
    /// The transport, held because the request is bound over it.
    private let bound: BoundTransport
    let configuration: APIClient.Configuration
    let acceptedStatus: Set<Int>
    /// The accepted media types; nil for all.
    let acceptedContentTypes: [String]?
    /// Takes changes of the progress; they are ignored by default.
    var update: @Sendable ((inout RequestProgress) -> Void) -> Void = { _ in }

    init<Value>(_ client: APIClient, for endpoint: Endpoint<Value>) {
        bound = client.bound
        configuration = client.configuration
        acceptedStatus = endpoint.acceptedStatus ?? client.configuration.acceptedStatus
        acceptedContentTypes = endpoint.reading.isJSON ? client.configuration.acceptedContentTypes : nil
    }

    /// The product of a complete response: its first value, and the closure that makes more.
    func product<Value>(
        of response: Response<Data>, _ reading: BodyReading<Value>, at path: JSONPath?
    ) throws -> RequestProduct<Value> {
        let path = path ?? configuration.key(for: reading) ?? .root
        let options = configuration.mappingOptions
        let make: @Sendable () throws -> sending Value = {
            do {
                return try reading.read(response, path, options)
            } catch let error as ModelError {
                throw error.from(response.head.source)
            }
        }
        do {
            try configuration.checkEnvelope(
                of: response, isStatusNeeded: reading.key != .bytes && !(reading.key == .objects && path == .root))
            try Task.checkCancellation()
            return RequestProduct(try make(), head: response.head, again: make)
        } catch let error as ModelError {
            guard response.value.isEmpty else { throw error.from(response.head.source) }
            // A JSON syntax error about empty text would not help.
            throw RequestError.emptyBody(RequestError.FailedResponse(response, isBodyCut: false))
        }
    }

    /// The complete response, with an accepted status and content type.
    func whole(_ response: TransportResponse) async throws -> Response<Data> {
        let head = try await accepted(response)
        return head.collected(try await body(of: head))
    }

    /// The response, with an accepted status and content type. Its body has not been read.
    ///
    /// - Parameter inspect: Sees the head of a response with another status first.
    func accepted(
        _ response: TransportResponse, inspect: (ResponseHead) throws -> Void = { _ in }
    ) async throws -> TransportResponse {
        var response = response
        guard acceptedStatus.contains(response.status) else {
            try inspect(response.head)
            throw try configuration.error(for: await failedResponse(response))
        }
        if let types = acceptedContentTypes, let type = response.headers[.contentType], !MIMEType.matches(type, types) {
            let failed = try await failedResponse(response)
            // An empty body cannot have the wrong type.
            if failed.body.isEmpty, !failed.isBodyCut {
                response.body = ResponseBody(Data())
                return response
            }
            throw RequestError.unacceptableContentType(failed)
        }
        return response
    }

    /// A response, before any check.
    ///
    /// - Parameter note: Sees the response even if the task has been cancelled.
    func send(
        _ request: TransportRequest, noting note: (TransportResponse) async -> Void = { _ in }
    ) async throws -> TransportResponse {
        var request = request
        if let body = request.body {
            update { $0.upload.total = body.length.map(Int64.init) }
            let uploadProgress = request.uploadProgress
            request.uploadProgress = { [update] sent, total in
                update { $0.upload = RequestProgress.Transfer(bytes: sent, total: total ?? $0.upload.total) }
                uploadProgress?(sent, total)
            }
        }
        try Task.checkCancellation()
        try request.binding?.checkRevoked()
        var response = try await bound.transport.response(to: request)
        response.head.method = request.method
        response.head.binding = request.binding
        await note(response)
        try Task.checkCancellation()
        update { $0.download.total = response.expectedLength.map { max($0, 0) } }
        return response
    }

    private func body(of response: TransportResponse) async throws -> Data {
        let limit = max(configuration.bodyLimit, 0)
        var body = Data()
        guard response.expectedLength ?? 0 <= limit, try await read(response, limit: limit, into: &body) else {
            throw RequestError.bodyTooLarge(limit: limit)
        }
        let count = Int64(body.count)
        update { $0.download = RequestProgress.Transfer(bytes: count, total: count) }
        return body
    }

    /// A refused response with the first bytes of its body. A body that cannot be read does not hide the status.
    func failedResponse(_ response: TransportResponse) async throws -> RequestError.FailedResponse {
        var body = Data()
        var isWhole = false
        do {
            isWhole = try await read(response, limit: max(configuration.errorBodyLimit, 0), into: &body)
        } catch {
            try Task.checkCancellation()
        }
        let types = acceptedContentTypes ?? []
        let isJSON = types.contains { $0.lowercased().hasSuffix("json") }
        let expected = isJSON ? "JSON" : types.joined(separator: " or ")
        return RequestError.FailedResponse(response.collected(body), isBodyCut: !isWhole, expectedContent: expected)
    }

    private func read(_ response: TransportResponse, limit: Int, into body: inout Data) async throws -> Bool {
        try await response.body.read(into: &body, limit: limit, announced: response.expectedLength) { count in
            update { $0.download.bytes = Int64(count) }
        }
    }
}

import ModelMirror
import ModelMirrorFoundation

/// Requests that deliver objects while the body arrives.
///
/// Status and content type are checked as for other calls, before the first object. `bodyLimit` does not apply: memory is
/// bounded by the largest element. An endpoint with `reading:` fails before it is sent, because a stream reads the body itself, and so
/// does one with `at:` for lines or events, each of which is read whole.
extension Requesting {
    /// Delivers the elements of one response one by one.
    ///
    /// An envelope around the array is checked once complete, after the last object. It may have at most `elementLimit` bytes.
    ///
    /// ```swift
    /// for try await gist in client.elements(Endpoint<[Gist]>.get("gists")) { show(gist) }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request for an array, found at the endpoint's path or at `objectsKey`.
    ///   - limit: The largest element in bytes. Defaults to 16 MiB.
    public func elements<Element>(
        _ endpoint: Endpoint<[Element]>, elementLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> ElementStream<Element> {
        let client = sender
        let path = endpoint.valuePath ?? client.configuration.objectsKey ?? .root
        let splitter = ArraySplitter<Element>(
            at: path, limit: limit, options: client.configuration.mappingOptions,
            keepsEnvelope: client.configuration.envelope != nil)
        return ElementStream(splitter) { try await client.open(endpoint, elementsAt: path) }
    }

    /// Delivers the objects of newline-delimited JSON (such as `application/x-ndjson`), one per line.
    ///
    /// Lines have no envelope. If the response has a type of JSON documents and one line, an envelope in it is checked after the object.
    ///
    /// ```swift
    /// for try await entry in client.lines(Endpoint<[Entry]>.get("log")) { show(entry) }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request; its header fields replace `Accept: application/x-ndjson`.
    ///   - limit: The largest line in bytes. Defaults to 16 MiB.
    public func lines<Element>(
        _ endpoint: Endpoint<[Element]>, lineLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> ElementStream<Element> {
        var client = sender
        var endpoint = endpoint
        endpoint.headers = ([.accept: "application/x-ndjson"] as HTTPHeaders).merging(endpoint.headers)
        client.configuration.acceptedContentTypes? += lineTypes
        let splitter = LineSplitter<Element>(limit: limit, options: client.configuration.mappingOptions)
        return ElementStream(splitter) { [client, endpoint] in try await client.open(endpoint) }
    }

    /// Delivers server-sent events (`text/event-stream`).
    ///
    /// ```swift
    /// for try await event in client.events(.get("changes")) { show(try event.value(Gist.self)) }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: The request; its header fields replace `Accept: text/event-stream`. A 204 is also accepted, as the end of the stream.
    ///   - limit: The largest event in bytes. Defaults to 16 MiB.
    public func events(
        _ endpoint: Endpoint<[ServerSentEvent]>, eventLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> EventStream {
        var client = sender
        var endpoint = endpoint
        let own: HTTPHeaders = [.accept: "text/event-stream", .cacheControl: "no-store"]
        endpoint.headers = own.merging(endpoint.headers)
        // The end of the stream, whatever else is accepted.
        endpoint.acceptedStatus = (endpoint.acceptedStatus ?? client.configuration.acceptedStatus).union([204])
        client.configuration.acceptedContentTypes? = ["text/event-stream"]
        let options = client.configuration.mappingOptions
        return EventStream(limit: limit, options: options) { [client, endpoint] continuation in
            var endpoint = endpoint
            if let lastID = continuation?.lastID { endpoint.headers["Last-Event-ID"] = lastID.isEmpty ? nil : lastID }
            return try await client.open(endpoint, following: continuation)
        }
    }
}

private let lineTypes = [
    "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
    "application/jsonlines", "application/json-lines", "application/stream+json",
]

extension APIClient {
    /// Sends the request of a stream and checks the head of the response.
    ///
    /// - Parameters:
    ///   - path: The path of an array whose elements are delivered: a 204 is an error then, and so is an envelope without a status, unless
    ///     the array is the whole body. Nil for streams without an envelope.
    ///   - earlier: The connection that this one continues.
    fileprivate func open<Value>(
        _ endpoint: Endpoint<Value>, elementsAt path: JSONPath? = nil,
        following earlier: EventStream.Continuation? = nil
    ) async throws -> OpenedStream {
        guard endpoint.reading.isJSON else {
            throw RequestError.invalidRequest("a stream reads the body itself; leave out the endpoint's reading:")
        }
        guard path != nil || endpoint.valuePath ?? .root == .root else {
            throw RequestError.invalidRequest("a line or an event is read whole; leave out the endpoint's at:")
        }
        let request = try transportRequest(for: endpoint, isStream: true, following: earlier?.binding)
        // It would fail each further connection, and the stream would wait without an end.
        if earlier != nil, request.exceedsDeadline() {
            throw RequestError.invalidRequest(
                "its deadline passed before the stream connected again; set one for each connection, in prepare")
        }
        let exchange = Exchange(self, for: endpoint)
        let response = try await request.binding.run {
            try await exchange.accepted(exchange.send(request)) { head in
                let wait = head.retryAfter()
                if let earlier, [502, 503, 504].contains(head.status), wait ?? .zero <= earlier.longestRetryAfter {
                    throw EventStream.Unavailable(retryAfter: wait)
                }
            }
        }
        let head = response.head
        if path != nil, head.status == 204 {
            throw RequestError.emptyBody(.init(Response(Data(), head: head), isBodyCut: false))
        }
        // A line is an object of its own, unless the server calls the body one document.
        if path == nil, MIMEType.matches(head.headers[.contentType] ?? "", lineTypes) {
            return OpenedStream(body: response.body, head: head)
        }
        return OpenedStream(body: response.body, head: head) { [configuration] envelope in
            try configuration.checkEnvelope(of: Response(envelope, head: head), isStatusNeeded: path ?? .root != .root)
        }
    }
}

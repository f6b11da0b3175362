public import ModelMirror

/// Requests whose objects are delivered while the body arrives.
///
/// Status and content type are judged as for other calls, before the first object. The limit of the body does not hold:
/// memory is bounded by the largest element. What the repository is set to when the stream is made holds for all its requests.
extension AbstractRepository {
    /// Asks for an array of objects and delivers them one by one.
    ///
    /// An envelope around the array is judged when it has come whole, after the last object. At most `elementLimit` bytes of it
    /// are kept.
    ///
    /// ```swift
    /// for try await gist in repository.streamObjects(url: "gists", of: Gist.self) { show(gist) }
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to the array, in place of the configuration's objectsKey.
    ///   - type: The class of the objects, where nothing else says it.
    ///   - limit: The most bytes of an element.
    public func streamObjects<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil,
        of type: Model.Type = Model.self, elementLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> ModelStream<Model> {
        objectStream(
            RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key, limit: limit)
    }

    /// Asks for newline-delimited JSON (`application/x-ndjson` and its like) and delivers an object a line.
    ///
    /// ```swift
    /// for try await entry in repository.streamLines(url: "log", of: Entry.self) { show(entry) }
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names, and of `Accept: application/x-ndjson`.
    ///   - type: The class of the objects, where nothing else says it.
    ///   - limit: The most bytes of a line.
    public func streamLines<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        of type: Model.Type = Model.self, lineLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> ModelStream<Model> {
        lineStream(RequestTarget(method: method, url: url, parameters: parameters, headers: headers), limit: limit)
    }

    /// Asks for server-sent events (`text/event-stream`).
    ///
    /// ```swift
    /// for try await event in repository.streamEvents(url: "changes") { show(try event.object(Gist.self)) }
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names, and of `Accept: text/event-stream`.
    ///   - limit: The most bytes of an event.
    public func streamEvents(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        eventLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> EventStream {
        eventStream(RequestTarget(method: method, url: url, parameters: parameters, headers: headers), limit: limit)
    }

    // MARK: The one implementation under all

    func objectStream<Model: AbstractModel>(
        _ target: RequestTarget, at key: JSONPath?, limit: Int
    ) -> ModelStream<Model> {
        let path = key ?? configuration.objectsKey ?? .root
        let isJudged = path != .root && configuration.statusKey != nil && configuration.statusOk != nil
        let splitter = ArraySplitter<Model>(
            at: path, limit: limit, options: configuration.mappingOptions, keepsEnvelope: isJudged)
        return ModelStream(splitter, open: opening(target, configuration))
    }

    func lineStream<Model: AbstractModel>(_ target: RequestTarget, limit: Int) -> ModelStream<Model> {
        var configuration = configuration
        configuration.headers[.accept] = "application/x-ndjson"
        configuration.acceptedContentTypes? += [
            "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
            "application/jsonlines", "application/json-lines", "application/stream+json",
        ]
        let splitter = LineSplitter<Model>(limit: limit, options: configuration.mappingOptions)
        return ModelStream(splitter, open: opening(target, configuration))
    }

    func eventStream(_ target: RequestTarget, limit: Int) -> EventStream {
        var configuration = configuration
        configuration.headers = configuration.headers.merging([
            .accept: "text/event-stream", .cacheControl: "no-store",
        ])
        if configuration.acceptedContentTypes != nil { configuration.acceptedContentTypes = ["text/event-stream"] }
        return EventStream(
            limit: limit, options: configuration.mappingOptions, open: opening(target, configuration))
    }

    /// What sends the request of a stream and judges the head of its response.
    private func opening(
        _ target: RequestTarget, _ configuration: Configuration
    ) -> @Sendable () async throws -> OpenedStream {
        let exchange = Exchange(
            transport: transport, baseURL: baseURL, configuration: configuration, repository: Swift.type(of: self))
        return {
            let (request, response) = try await exchange.open(target) { _ in }
            return OpenedStream(body: response.body) { envelope in
                let answer = Exchange<Status>.Answer(method: request.method, head: response, body: envelope)
                try Envelope(exchange.configuration, exchange.repository).check(answer, isNeeded: true)
            }
        }
    }
}

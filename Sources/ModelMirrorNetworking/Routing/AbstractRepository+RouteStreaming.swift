public import ModelMirror

/// Requests by routes whose objects are delivered while the body arrives; each is as the one by URL.
extension AbstractRepository {
    /// Asks for an array of objects and delivers them one by one.
    ///
    /// ```swift
    /// for try await gist in repository.streamObjects(GistRoute.all, of: Gist.self) { show(gist) }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to the array, in place of the configuration's objectsKey.
    ///   - type: The class of the objects, where nothing else says it.
    ///   - limit: The most bytes of an element.
    public func streamObjects<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil, of type: Model.Type = Model.self,
        elementLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> ModelStream<Model> {
        objectStream(RequestTarget(route), at: key, limit: limit)
    }

    /// Asks for newline-delimited JSON (`application/x-ndjson` and its like) and delivers an object a line.
    ///
    /// ```swift
    /// for try await entry in repository.streamLines(LogRoute.today, of: Entry.self) { show(entry) }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields; these in place of `Accept: application/x-ndjson`.
    ///   - type: The class of the objects, where nothing else says it.
    ///   - limit: The most bytes of a line.
    public func streamLines<Model: AbstractModel>(
        _ route: some Route, of type: Model.Type = Model.self,
        lineLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> ModelStream<Model> {
        lineStream(RequestTarget(route), limit: limit)
    }

    /// Asks for server-sent events (`text/event-stream`).
    ///
    /// ```swift
    /// for try await event in repository.streamEvents(GistRoute.changes) { show(try event.object(Gist.self)) }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields; these in place of `Accept: text/event-stream`.
    ///   - limit: The most bytes of an event.
    public func streamEvents(
        _ route: some Route, eventLimit limit: Int = ResponseBody.defaultElementLimit
    ) -> EventStream {
        eventStream(RequestTarget(route), limit: limit)
    }
}

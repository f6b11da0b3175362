public import ModelMirror

/// Server-sent events as they arrive.
///
/// ```swift
/// for try await event in client.events(.get("changes")) {
///     if event.name == "gist" { show(try event.object(Gist.self)) }
/// }
/// for try await gist in client.events(.get("changes")).objects(Gist.self) { show(gist) }
/// ```
///
/// Nothing is sent before the first event is requested; each iteration sends its own request, unless the stream is of a
/// ``ResponseBody``. Ending the iteration or cancelling its task ends the transfer. The stream ends when the server ends it: to
/// continue, send a new request after ``ServerSentEvent/retry`` with the header `Last-Event-ID`.
public struct EventStream: AsyncSequence, Sendable {
    private let splitter: EventSplitter
    private let options: MappingOptions
    private let open: @Sendable () async throws -> OpenedStream

    init(
        limit: Int, options: MappingOptions = .init(), open: @escaping @Sendable () async throws -> OpenedStream
    ) {
        splitter = EventSplitter(limit: limit)
        self.options = options
        self.open = open
    }

    /// The objects in the data of the events, whatever their names.
    ///
    /// Data that cannot be mapped end the iteration with a `ModelError`; with `MappingOptions.skipsInvalidElements` the event is
    /// skipped.
    ///
    /// - Parameter options: How the data are mapped; nil for the client's options.
    public func objects<Model: AbstractModel>(
        _ type: Model.Type = Model.self, options: MappingOptions? = nil
    ) -> ModelStream<Model> {
        ModelStream(EventObjectSplitter<Model>(splitter, options: options ?? self.options), open: open)
    }

    /// An iterator at the first event.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: StreamReader(splitter, open: open)) }

    /// Iterates over the events. For one task at a time.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: StreamReader<EventSplitter>

        /// The next event; nil at the end, and after an error. An incomplete event at the end is not delivered.
        ///
        /// - Throws: ``RequestError``, ``StreamError``, or the error that a hook makes from the response.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            try await reader.next()?.take()
        }
    }
}

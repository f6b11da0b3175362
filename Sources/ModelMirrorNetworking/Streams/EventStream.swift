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
/// Nothing is sent before the first event is asked for; each iteration is a request of its own, unless the stream is of a
/// ``ResponseBody``. Ending the iteration, or cancelling its task, ends the transfer. It ends where the server ends it: to
/// go on, ask again after ``ServerSentEvent/retry`` with the header `Last-Event-ID`.
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

    /// The objects that the data of the events are, whatever the events' names.
    ///
    /// An event whose data are no such object ends the iteration with a `ModelError`, or is left out with
    /// `MappingOptions.skipsInvalidElements`.
    ///
    /// - Parameter options: How they are mapped; nil for the client's options.
    public func objects<Model: AbstractModel>(
        _ type: Model.Type = Model.self, options: MappingOptions? = nil
    ) -> ModelStream<Model> {
        ModelStream(EventObjectSplitter<Model>(splitter, options: options ?? self.options), open: open)
    }

    /// Begins at the first event.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: StreamReader(splitter, open: open)) }

    /// Gives event after event. One task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: StreamReader<EventSplitter>

        /// The next event; nil at the end, and after an error. An event that the stream breaks off in is not given.
        ///
        /// - Throws: ``RequestError``, ``StreamError``, or the error that a hook makes of the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ServerSentEvent? {
            try await reader.next()?.take()
        }
    }
}

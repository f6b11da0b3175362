public import ModelMirror

/// Objects that are made while their bytes arrive, one by one.
///
/// ```swift
/// for try await gist in client.elements(Endpoint<[Gist]>.get("gists")) {
///     show(gist)
/// }
/// ```
///
/// Nothing is sent before the first object is asked for, and no bytes are asked for before the objects of those before are
/// used up, so that a slow consumer slows the server down and memory is bounded by the largest element. Each iteration is a
/// request of its own, unless the stream is of a ``ResponseBody``, which can be read once. Ending the iteration, or
/// cancelling its task, ends the transfer. Objects are made away from the caller's actor.
///
/// The first error ends the iteration; the objects before it were delivered. Paths, lines and offsets in errors are those of
/// the whole stream: `Gist.id at $[3].id (line 41, column 7): …`. With `MappingOptions.skipsInvalidElements`, elements that
/// cannot be mapped are left out; what is no JSON ends the iteration all the same.
public struct ModelStream<Model: AbstractModel>: AsyncSequence, Sendable {
    typealias Next = @Sendable () async throws -> Handoff<Model>?

    private let makeNext: @Sendable () -> Next

    /// - Parameter splitter: Made anew for each iteration.
    init<Splitter: StreamSplitter>(
        _ splitter: Splitter, open: @escaping @Sendable () async throws -> OpenedStream
    ) where Splitter.Element == Model {
        makeNext = {
            let reader = StreamReader(splitter, open: open)
            return { try await reader.next() }
        }
    }

    /// Begins at the first object.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: makeNext()) }

    /// Gives object after object. One task at a time may use it.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let read: Next

        /// The next object; nil at the end, and after an error.
        ///
        /// - Throws: ``RequestError``, `ModelError`, ``StreamError``, or the error that a hook makes of the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Model? {
            try await read()?.take()
        }
    }
}

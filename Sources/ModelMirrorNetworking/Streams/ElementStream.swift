/// Elements mapped one by one while their bytes arrive: models, structures, any type that an endpoint can have.
///
/// ```swift
/// for try await gist in client.elements(Endpoint<[Gist]>.get("gists")) {
///     show(gist)
/// }
/// ```
///
/// Nothing is sent before the first object is requested, and no bytes are read before the objects of earlier ones have been
/// delivered: a slow consumer slows the server down, and memory is bounded by the largest element. Each iteration sends its own
/// request, unless the stream is of a ``ResponseBody``, which can be read once. Ending the iteration or cancelling its task ends
/// the transfer. Objects are made off the caller's actor.
///
/// The first error ends the iteration, after the objects before it. Paths, lines and offsets in errors refer to the whole
/// stream: `Gist.id at $[3].id (line 41, column 7): …`; once it has reconnected, lines and offsets to the last connection.
/// With `MappingOptions.skipsInvalidElements`, elements that cannot be mapped are skipped; invalid JSON still ends the iteration.
public struct ElementStream<Element>: AsyncSequence, Sendable {
    private let begin: @Sendable () -> BoxIterator<Element>

    /// - Parameter splitter: Copied for each iteration.
    init<Splitter: StreamSplitter>(
        _ splitter: Splitter, reopen: StreamReader<Splitter>.Reopen? = nil,
        open: @escaping @Sendable () async throws -> OpenedStream
    ) where Splitter.Element == Element {
        begin = {
            let reader = StreamReader(splitter, reopen: reopen, open: open)
            return BoxIterator { try await reader.next() }
        }
    }

    /// An iterator that starts at the first object.
    ///
    /// Use it from one task at a time. It throws ``RequestError``, `ModelError`, ``StreamError``, or the error that a hook makes from
    /// the response.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<Element, any Error> { begin() }
}

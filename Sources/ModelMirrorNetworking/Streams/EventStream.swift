public import ModelMirror

/// Server-sent events as they arrive.
///
/// ```swift
/// for try await event in client.events(.get("changes")) {
///     if event.name == "gist" { show(try event.value(Gist.self)) }
/// }
/// for try await gist in client.events(.get("changes")).values(Gist.self) { show(gist) }
/// ```
///
/// Nothing is sent before the first event is requested; each iteration sends its own request, unless the stream is of a
/// ``ResponseBody``. Ending the iteration or cancelling its task ends the transfer. The stream ends when the server ends it, unless
/// it is ``reconnecting(after:longestRetryAfter:clock:)``.
public struct EventStream: AsyncSequence, Sendable {
    /// Where a further connection begins.
    ///
    /// - Parameters:
    ///   - binding: The binding of the first connection.
    ///   - longestRetryAfter: The longest `Retry-After` that is waited out.
    typealias Continuation = (lastID: String?, binding: RequestBinding?, longestRetryAfter: Duration)

    /// The server is unavailable for a while.
    struct Unavailable: Error {
        let retryAfter: Duration?
    }

    let limit: Int
    var options = MappingOptions()
    /// Opens the stream; the later connections follow from the first.
    let open: @Sendable (_ continuation: Continuation?) async throws -> OpenedStream
    /// Waits, and opens the stream again after a connection has ended; nil if the server has nothing more to send.
    var reopen: (@Sendable (_ lastID: String?, _ wait: Duration?, _ ended: OpenedStream) async throws -> OpenedStream?)?

    /// The events of one connection after another (WHATWG HTML standard, section 9.2.3): when one ends or fails, the next sends
    /// the id of the last event as `Last-Event-ID`, none if that is empty, and the endpoint's own before the first `id` field.
    ///
    /// ```swift
    /// for try await event in client.events(.get("changes")).reconnecting() { show(event) }
    /// ```
    ///
    /// - Each wait is as long as the server's last `retry`, or `delay` without one. After a connection without an event, a `retry` below a
    ///   second counts as one. While no connection can be made, or the server answers 502, 503 or 504 (which the standard does not retry),
    ///   the wait is that of `Retry-After`, otherwise it doubles, up to a minute.
    /// - The iteration ends when the server answers 204 (nothing more to send). It throws the error of any other refused response, of one
    ///   with a longer `Retry-After` than `longestRetryAfter`, or ``RequestError/accountChanged`` once the account has changed.
    /// - An incomplete event is not delivered. A failed first connection is not retried. A stream of a ``ResponseBody`` has only one
    ///   connection.
    ///
    /// The endpoint's `prepare` is called for each connection. A deadline that it sets is that of one connection: once a fixed deadline has
    /// passed, the next connection throws ``RequestError/invalidRequest(_:)``.
    ///
    /// - Parameters:
    ///   - delay: The wait if the server sends no `retry`. Defaults to 3 s.
    ///   - longestRetryAfter: The longest `Retry-After` that is waited out; nil ends the stream at each refused response. Defaults
    ///     to 60 s.
    ///   - clock: Measures the waits.
    public func reconnecting(
        after delay: Duration = .seconds(3), longestRetryAfter: Duration? = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> EventStream {
        var stream = self
        stream.reopen = { [open] lastID, wait, ended in
            let continuation = (lastID, ended.binding, longestRetryAfter ?? .seconds(-1))
            var wait = Swift.min(Swift.max(wait ?? delay, .zero), TransportRequest.longestTimeout)
            while true {
                try await clock.sleep(for: wait)
                try Task.checkCancellation()
                var wanted: Duration?
                do {
                    let next = try await open(continuation)
                    return next.isLast ? nil : next
                } catch RequestError.connection, RequestError.noConnectivity {
                } catch let unavailable as Unavailable {
                    wanted = unavailable.retryAfter
                }
                // At least a second, even if the server wants no wait; it may want one of more than a minute.
                wait =
                    wanted.map { Swift.max($0, .seconds(1)) }
                    ?? Swift.max(wait, Swift.min(Swift.max(wait * 2, .seconds(1)), .seconds(60)))
            }
        }
        return stream
    }

    /// The values in the data of the events, whatever their names.
    ///
    /// Data that cannot be mapped end the iteration with a `ModelError`; with `MappingOptions.skipsInvalidElements` the event is
    /// skipped and reported, as is one that a `DynamicTypeModel` leaves out.
    ///
    /// - Parameters:
    ///   - type: The type of the values.
    ///   - options: How the data are mapped; nil for the client's options.
    public func values<Element>(
        _ type: Element.Type = Element.self, options: MappingOptions? = nil
    ) -> ElementStream<Element> {
        let options = options ?? self.options
        return stream { event in
            do throws(ModelError) {
                return SendingBox(try event.value(Element.self, options: options))
            } catch .invalidValues(let failures) {
                // Like an element of an array, it may be skipped, by the options or by its class, and is reported then.
                let elements = try? JSONMapper.value(
                    [Element].self, from: "[\(event.data)]", options: options.around(Element.self))
                guard elements?.isEmpty == true else { throw ModelError.invalidValues(failures) }
                return nil
            }
        }
    }

    private func stream<Element>(
        _ make: @escaping @Sendable (ServerSentEvent) throws -> SendingBox<Element>?
    ) -> ElementStream<Element> {
        let splitter = EventSplitter(limit: limit, make: make)
        var continuing: StreamReader<EventSplitter<Element>>.Reopen?
        if let reopen { continuing = { try await reopen($0.lastID, $0.wait, $1) } }
        return ElementStream(splitter, reopen: continuing) { [open] in try await open(nil) }
    }

    /// An iterator that starts at the first event.
    ///
    /// Use it from one task at a time. It throws ``RequestError``, ``StreamError``, or the error that a hook makes from the response.
    /// An incomplete event at the end is not delivered.
    public func makeAsyncIterator() -> some AsyncIteratorProtocol<ServerSentEvent, any Error> {
        stream { SendingBox($0) }.makeAsyncIterator()
    }
}

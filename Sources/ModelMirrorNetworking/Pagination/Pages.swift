/// The pages of a list as an `AsyncSequence`; made by ``AbstractRepository/pages(_:)``.
///
/// Nothing is asked before the first page is; each iteration asks anew, from the start. A page is asked for when the one before
/// has been used, and cancelling the task that waits for it cancels its request. The sequence ends after the last page.
///
/// After an error, an iterator that is asked again tries the page that failed again.
public struct Pages<Item>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = Page<Item>

    let loader: PageLoader<Item>
    let first: PagedRequest<Item>

    /// Gives page after page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let loader: PageLoader<Item>
        /// The request for the next page; nil after the last one.
        fileprivate var upcoming: Result<PagedRequest<Item>?, RequestError>

        /// The next page; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
        public mutating func next() async throws -> Page<Item>? { try await next(isolation: nil) }

        /// The next page, for the caller's actor; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Page<Item>? {
            guard let request = try upcoming.get() else { return nil }
            if Task.isCancelled { throw RequestError.cancelled }
            let page = try await loader.start(request).value()
            upcoming = Result { () throws(RequestError) in try request.after(page) }
            return page
        }
    }

    /// Begins at the start.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(loader: loader, upcoming: .success(first))
    }
}

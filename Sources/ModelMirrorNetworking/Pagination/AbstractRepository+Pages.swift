public import Dispatch

/// Lists page by page.
extension AbstractRepository {
    /// Asks for one page; the closure runs on the main actor.
    ///
    /// ```swift
    /// repository.requestPage(search.withPage(.number(3))) { getPage in … }
    /// ```
    ///
    /// - Parameters:
    ///   - request: Which page of which list.
    ///   - completion: Called exactly once, on the main actor. The first call of the function it gets hands the page over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestPage<Element>(
        _ request: PagedRequest<Element>,
        completion: (@MainActor (_ getPage: () throws -> sending Page<Element>) -> Void)? = nil
    ) -> Request<Page<Element>> {
        PageLoader(self).start(request) { request in
            if let completion { request.complete(completion) }
        }
    }

    /// Asks for one page; the closure runs on a queue.
    ///
    /// - Parameters:
    ///   - request: Which page of which list.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the page over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestPage<Element>(
        _ request: PagedRequest<Element>, on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getPage: () throws -> sending Page<Element>) -> Void
    ) -> Request<Page<Element>> {
        PageLoader(self).start(request) { $0.complete(on: queue, completion) }
    }

    /// Asks for one page and waits for it. Cancelling the task that waits cancels the request.
    ///
    /// - Parameter request: Which page of which list.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func page<Element>(
        _ request: PagedRequest<Element>
    ) async throws -> sending Page<Element> {
        if Task.isCancelled { throw RequestError.cancelled }
        return try await PageLoader(self).start(request).value()
    }

    /// The pages of a list, from the one that the request is for to the last, each asked for when it is needed.
    ///
    /// ```swift
    /// for try await page in repository.pages(search) { show(page.elements) }
    /// ```
    public func pages<Element>(_ request: PagedRequest<Element>) -> Pages<Element> {
        Pages(loader: PageLoader(self), first: request)
    }

    /// The elements of a list, from the first of the page that the request is for to the last of all, each page asked for when
    /// it is needed.
    ///
    /// ```swift
    /// for try await gist in repository.elements(gists) { show(gist) }
    /// ```
    public func elements<Element>(_ request: PagedRequest<Element>) -> PageElements<Element> {
        PageElements(pages: pages(request))
    }

    /// What gives the pages of a list one after the other, to closures.
    public func pageReader<Element>(_ request: PagedRequest<Element>) -> PageReader<Element> {
        PageReader(PageLoader(self), request)
    }
}

/// The elements of a list as an `AsyncSequence`; made by ``AbstractRepository/elements(_:)``.
///
/// Nothing is asked before the first element is; each iteration asks anew, from the start. A page is asked for when the
/// elements of the one before are used up. Pages without elements are passed over.
///
/// After an error, an iterator that is asked again tries the page that failed again.
public struct PageElements<Element>: AsyncSequence, Sendable {
    let pages: Pages<Element>

    /// Gives element after element.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var pages: Pages<Element>.AsyncIterator
        fileprivate var elements: ArraySlice<Element> = []

        /// The next element; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
        public mutating func next() async throws -> Element? { try await next(isolation: nil) }

        /// The next element, for the caller's actor; nil after the last one.
        ///
        /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Element? {
            while true {
                if let element = elements.popFirst() { return element }
                guard let page = try await pages.next(isolation: actor) else { return nil }
                elements = page.elements[...]
            }
        }
    }

    /// Begins at the start.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pages: pages.makeAsyncIterator()) }
}

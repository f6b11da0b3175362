/// Asks a repository for pages. It holds all it needs of the repository, so that it can be used from any thread.
struct PageLoader<Element>: Sendable {
    /// Gives the product of one page.
    let product: @Sendable (PagedRequest<Element>, @escaping Update) async throws -> RequestProduct<Page<Element>>

    typealias Update = @Sendable ((inout RequestProgress) -> Void) -> Void

    init<Status>(_ repository: AbstractRepository<Status>) {
        let exchange = repository.exchange
        product = { request, update in
            try await exchange.product(
                of: request.target, at: request.key, .objects, isCollection: true, update: update
            ) {
                try request.page($0.head, $0.body, at: $1, $2)
            }
        }
    }

    /// Begins the request for a page.
    ///
    /// - Parameter prepare: Adds the closure of the call, before anything can happen.
    func start(
        _ paged: PagedRequest<Element>, _ prepare: (Request<Page<Element>>) -> Void = { _ in }
    ) -> Request<Page<Element>> {
        let request = Request<Page<Element>>()
        prepare(request)
        request.begin { request in try await product(paged) { request.update($0) } }
        return request
    }
}

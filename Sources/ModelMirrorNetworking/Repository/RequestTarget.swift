import Foundation

/// Whom a call is for and what it sends: all that the faces of a repository hand to the one implementation under them.
struct RequestTarget: Sendable {
    /// Makes the request of the base URL and the header fields of the repository.
    private let make: @Sendable (_ base: URL?, _ defaults: HTTPHeaders) throws -> TransportRequest

    init(method: HTTPMethod, url: any URLConvertible, parameters: RequestParameters? = nil, headers: HTTPHeaders) {
        make = { base, defaults in
            var request = TransportRequest(method, try url.url(relativeTo: base), headers: defaults)
            try parameters?.apply(to: &request)
            // What a call says itself comes before what its parameters are usually sent with.
            request.headers = request.headers.merging(headers)
            return request
        }
    }

    /// Whatever makes a request of the base URL and the header fields of the repository.
    init(_ make: @escaping @Sendable (_ base: URL?, _ defaults: HTTPHeaders) throws -> TransportRequest) {
        self.make = make
    }

    init(_ route: some Route) { make = { try route.request(base: $0, defaults: $1) } }

    /// The request as the transport takes it.
    ///
    /// - Parameter base: What a relative URL is appended to.
    /// - Throws: ``RequestError``, `ModelError`, what a route throws.
    func request(base: URL?, defaults: HTTPHeaders) throws -> TransportRequest {
        try make(base, defaults)
    }
}

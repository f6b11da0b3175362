import Foundation

/// Whom a call is for and what it sends: all that the faces of a repository hand to the one implementation under them.
struct RequestTarget: Sendable {
    var method: HTTPMethod
    var url: any URLConvertible
    var parameters: RequestParameters?
    var headers: HTTPHeaders

    /// The request as the transport takes it.
    ///
    /// - Parameter base: What a relative URL is appended to.
    /// - Throws: ``RequestError``.
    func request(base: URL?, defaults: HTTPHeaders) throws -> HTTPRequest {
        var request = HTTPRequest(method, try url.url(relativeTo: base), headers: defaults)
        try parameters?.apply(to: &request)
        // What a call says itself comes before what its parameters are usually sent with.
        request.headers = request.headers.merging(headers)
        return request
    }
}

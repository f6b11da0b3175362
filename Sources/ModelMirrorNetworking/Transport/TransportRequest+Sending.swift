import Foundation

extension TransportRequest {
    /// This request as a transport sends it, or why it cannot be sent.
    ///
    /// Whoever writes a ``Transport`` begins with it: the request is valid (``validate()``), the user and password of its URL
    /// have become an `Authorization` field, and ``HTTPBody/length`` is known of a body that is a file.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)``, with nothing sent.
    public func prepared() throws(RequestError) -> TransportRequest {
        try validate()
        var request = try withCredentialsAsField()
        request.body = try request.body?.measured()
        return request
    }

    /// This request with the user and password of its URL as a field, since some platforms send them and some do not.
    func withCredentialsAsField() throws(RequestError) -> TransportRequest {
        guard url.user != nil || url.password != nil else { return self }
        var request = self
        request.url = url.withoutUserInfo
        if headers[.authorization] == nil {
            try request.headers.setBasicAuthorization(
                user: (url.user ?? "").removingPercentEncoding ?? "",
                password: (url.password ?? "").removingPercentEncoding ?? "")
        }
        return request
    }
}

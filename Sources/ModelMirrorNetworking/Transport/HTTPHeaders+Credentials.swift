import Foundation

extension HTTPHeaders {
    /// Sets `Authorization` to a user name and a password, RFC 7617.
    ///
    /// ```swift
    /// try headers.setBasicAuthorization(user: "Aladdin", password: "open sesame")
    /// headers[.authorization]  // "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
    /// ```
    ///
    /// Both are sent readable to everybody on the way but for TLS. A redirect to another origin does not get them.
    ///
    /// - Parameters:
    ///   - user: The name, without a colon.
    ///   - password: The password. Both are sent in UTF-8.
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a name with a colon, and for control characters, which no
    ///   server could tell from the format's own.
    public mutating func setBasicAuthorization(user: String, password: String) throws(RequestError) {
        guard !user.utf8.contains(UInt8(ascii: ":")) else {
            throw .invalidRequest("the user name of the basic credentials contains a colon, which ends it")
        }
        guard !(user + password).utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .invalidRequest("the basic credentials contain a control character")
        }
        self[.authorization] = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
    }

    /// Sets `Authorization` to a token, RFC 6750 section 2.1.
    ///
    /// ```swift
    /// try headers.setBearerAuthorization("mF_9.B5f-4.1JqM")
    /// headers[.authorization]  // "Bearer mF_9.B5f-4.1JqM"
    /// ```
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a token that is empty or contains anything but visible ASCII
    ///   characters. The message does not show it.
    public mutating func setBearerAuthorization(_ token: String) throws(RequestError) {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidRequest("the bearer token is empty or contains a character that is not visible ASCII")
        }
        self[.authorization] = "Bearer " + token
    }
}

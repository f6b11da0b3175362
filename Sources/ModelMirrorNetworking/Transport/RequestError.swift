public import ModelMirror
public import ModelMirrorFoundation

/// Why a request failed. Errors in the JSON itself are a `ModelError`; errors from hooks are thrown unchanged, except
/// a `ModelError` of an error hook, which becomes ``FailedResponse/mappingError``.
public enum RequestError: Error, Sendable {
    /// The request was cancelled.
    case cancelled
    /// The value was already taken: only the first call of a completion's function, or of ``SendingBox/take()``, returns it.
    case alreadyTaken
    /// There is no network, so the request was not sent.
    case noConnectivity
    /// The request's account signed out, or another one signed in, before the request ended. It was not sent again; an earlier
    /// attempt may have been sent.
    case accountChanged
    /// The text is not a URL that can be requested.
    case invalidURL(String)
    /// The request cannot be sent; the reason is one clause, such as `the value of the header "X-A" contains a line break`.
    case invalidRequest(String)
    /// No complete response arrived.
    case connection(ConnectionFailure)
    /// The server redirected more often than allowed.
    case tooManyRedirects(limit: Int)
    /// The body of the response is larger than the limit, in bytes.
    case bodyTooLarge(limit: Int)
    /// The status is not accepted.
    case unacceptableStatus(FailedResponse)
    /// The content type is not accepted.
    case unacceptableContentType(FailedResponse)
    /// The body is empty, as with 204 (No Content), and the value cannot be made from an empty body. Use an Optional, or `send`
    /// to ignore the body.
    case emptyBody(FailedResponse)
    /// The body describes a failure: in its envelope, or with a status that is not accepted.
    case statusFailure(StatusFailure)

    /// How a connection failed, the same on every platform.
    public struct ConnectionFailure: Error, Sendable {
        /// The kinds of failure.
        public enum Kind: String, Sendable {
            /// The host name has no address.
            case hostNotFound
            /// No server accepts connections at this host and port.
            case cannotConnect
            /// The connection ended before the response did.
            case connectionLost
            /// No byte was transferred within the timeout, or the deadline passed.
            case timedOut
            /// There is no network at all.
            case offline
            /// No secure connection could be made.
            case notSecure
            /// The response is not valid HTTP, or cannot be used.
            case badResponse
            /// Anything else.
            case other
        }

        /// The kind of failure.
        public let kind: Kind
        /// The URL of the request, without user and password.
        public let url: URL
        /// The cause as a clause, from the platform or the transport; may be empty.
        public let reason: String
        /// The number of attempts, as counted by ``RetryTransport``.
        public var attempts = 1
        /// Whether the request's deadline has passed.
        var isPastDeadline = false

        /// A failure.
        public init(_ kind: Kind, url: URL, reason: String) {
            self.kind = kind
            self.url = url
            self.reason = reason
        }
    }

    /// A failed connection, with the URL of the request.
    static func connection(_ kind: ConnectionFailure.Kind, to url: URL, _ reason: String) -> RequestError {
        .connection(ConnectionFailure(kind, url: url.withoutUserInfo, reason: reason))
    }

    /// A response that was not accepted, with the beginning of its body.
    ///
    /// It has the members of its ``ResponseHead``: `status`, `headers`, `url`, `method`, `attempts`, `renewalError`.
    @dynamicMemberLookup public struct FailedResponse: Hashable, ComparedByIdentity, Sendable {
        /// The response; its value is the body's first bytes, at most the client's `errorBodyLimit`.
        let response: Response<Data>
        /// Whether the body was longer than ``body``, or could not be read to its end.
        public let isBodyCut: Bool
        /// Why an error hook could not map the body; nil if it could, or did not try. Ignored by `==`.
        public internal(set) var mappingError: ModelError?
        /// The accepted content types, for messages: `JSON`.
        package let expectedContent: String

        /// A response that was not accepted.
        package init(_ response: Response<Data>, isBodyCut: Bool, expectedContent: String = "JSON") {
            self.response = response
            self.isBodyCut = isBodyCut
            self.expectedContent = expectedContent
        }

        /// The first bytes of the body, at most the client's `errorBodyLimit`.
        public var body: Data { response.value }

        /// A member of the head.
        public subscript<Member>(dynamicMember path: KeyPath<ResponseHead, Member>) -> Member {
            response.head[keyPath: path]
        }

        package var comparedValue: [AnyHashable] { [response.head, body, isBodyCut, expectedContent] }
    }

    /// A failure that the body describes.
    public struct StatusFailure: Sendable, Hashable {
        /// The text at the client's `errorDescriptionKey`.
        public let message: String?
        /// The text at the client's `errorCodeKey`; the digits if it is a number.
        public let code: String?
        /// The text at the envelope's `statusKey`; the digits if it is a number. Nil if the HTTP status was not accepted.
        public let status: String?
        /// The response that was not accepted.
        public let response: FailedResponse
    }

    /// The response that was not accepted, if the error has one.
    public var response: FailedResponse? {
        switch self {
        case .unacceptableStatus(let response), .unacceptableContentType(let response), .emptyBody(let response):
            response
        case .statusFailure(let failure): failure.response
        default: nil
        }
    }
}

extension RequestError.FailedResponse {
    /// Reads a value from the body: a model, a `Decodable`, or any type a property may have.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    /// let refusal = try failed.value(Refusal.self, at: "error")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The path of the value; defaults to the whole body.
    ///   - options: How the value is mapped.
    /// - Returns: nil if the body is not JSON (a gateway's error page, a truncated body), or the path leads to nothing or `null`.
    /// - Throws: `ModelError` if the value does not fit the type.
    public func value<Value>(
        _ type: Value.Type = Value.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Value? {
        try response.value(type, at: path, options: options)
    }

    /// The body as a problem document (RFC 9457), if its media type is `application/problem+json`; nil if it is not JSON, or longer than
    /// the client's `errorBodyLimit`.
    ///
    /// ```swift
    /// do { try await client.send(.post("gists")) } catch let error as RequestError {
    ///     for failure in error.response?.problem?.errors ?? [] { log("\(failure.pointer ?? ""): \(failure.detail ?? "")") }
    /// }
    /// ```
    public var problem: ProblemDetails? {
        let type = self.headers[.contentType] ?? ""
        guard MIMEType.matches(type, [ProblemDetails.mediaType]), !isBodyCut else { return nil }
        return try? ProblemDetails(json: body)
    }
}

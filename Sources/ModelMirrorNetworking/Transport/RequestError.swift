public import Foundation

/// Why a request failed. Faults of the JSON itself are a `ModelError`; an error model of your own is thrown as it is.
public enum RequestError: Error, Sendable {
    /// The request was cancelled.
    case cancelled
    /// The objects of this closure were taken before: only the first call of `getGists()` returns them.
    case alreadyTaken
    /// There is no network, so the request was not sent.
    case noConnectivity
    /// The account changed after the request was started: it would have been sent for another one, and was not.
    case accountChanged
    /// No URL can be made of this text.
    case invalidURL(String)
    /// The request cannot be sent as it is; the reason is one clause, such as `the value of the header "X-A" contains a
    /// line break`.
    case invalidRequest(String)
    /// No complete response arrived.
    case connection(ConnectionFailure)
    /// More redirects than allowed.
    case tooManyRedirects(limit: Int)
    /// The body of the response is larger than allowed.
    case bodyTooLarge(limit: Int)
    /// A status outside of those accepted.
    case unacceptableStatus(FailedResponse)
    /// A content type other than those accepted.
    case unacceptableContentType(FailedResponse)
    /// There is no body, as with 204 (No Content), and the value asked for cannot be made of nothing. An Optional can, and
    /// `send` asks for no value.
    case emptyBody(FailedResponse)
    /// The envelope says that the request failed.
    case statusFailure(StatusFailure)

    /// How a connection failed, the same on every platform.
    public struct ConnectionFailure: Error, Sendable {
        /// The kinds of failure.
        public enum Kind: String, Sendable {
            /// The host name has no address.
            case hostNotFound
            /// Nothing accepts connections there.
            case cannotConnect
            /// The connection ended before the response did.
            case connectionLost
            /// Nothing was received for longer than the request allows.
            case timedOut
            /// There is no network at all.
            case offline
            /// No secure connection could be made.
            case notSecure
            /// The server does not answer in HTTP.
            case badResponse
            /// Anything else.
            case other
        }

        /// What happened.
        public let kind: Kind
        /// The URL of the request, without user and password.
        public let url: URL
        /// The reason that the platform gives.
        public let reason: String

        /// A failure.
        public init(_ kind: Kind, url: URL, reason: String) {
            self.kind = kind
            self.url = url
            self.reason = reason
        }
    }

    /// A response that was not accepted, with what of its body was kept.
    public struct FailedResponse: Hashable, Sendable {
        /// The method of the request.
        public let method: HTTPMethod
        /// Where the response came from.
        public let url: URL
        /// The status code.
        public let status: Int
        /// The header fields.
        public let headers: HTTPHeaders
        /// The first bytes of the body, at most as many as the repository keeps.
        public let body: Data
        /// Whether the body was longer, or broke off.
        public let isBodyCut: Bool
        /// Why the credential that a 401 refuses could not be renewed; see ``AuthenticatingTransport``. Not compared by `==`.
        public var renewalError: (any Error)? { renewal.error }
        private let renewal: Renewal
        /// What the content type should have been, for people: `JSON`.
        package let expectedContent: String

        /// An error, which has no equality, beside what has one.
        private struct Renewal: Hashable, Sendable {
            let error: (any Error)?

            static func == (left: Self, right: Self) -> Bool { true }
            func hash(into hasher: inout Hasher) {}
        }

        /// A response that was not accepted.
        package init(
            method: HTTPMethod, url: URL, status: Int, headers: HTTPHeaders, body: Data, isBodyCut: Bool,
            renewalError: (any Error)? = nil, expectedContent: String = "JSON"
        ) {
            self.method = method
            self.url = url
            self.status = status
            self.headers = headers
            self.body = body
            self.isBodyCut = isBodyCut
            renewal = Renewal(error: renewalError)
            self.expectedContent = expectedContent
        }
    }

    /// What the envelope of a failed request says.
    public struct StatusFailure: Sendable, Hashable {
        /// The text at the repository's `errorDescriptionKey`.
        public let message: String?
        /// The text at its `errorCodeKey`; a number as its digits.
        public let code: String?
        /// The text at its `statusKey`; a number as its digits. nil if the HTTP status was reason enough.
        public let status: String?
        /// The response that was not accepted.
        public let response: FailedResponse

        /// What an envelope says.
        package init(message: String?, code: String?, status: String?, response: FailedResponse) {
            self.message = message
            self.code = code
            self.status = status
            self.response = response
        }
    }

    /// The response that was not accepted, if the error is about one.
    public var response: FailedResponse? {
        switch self {
        case .unacceptableStatus(let response), .unacceptableContentType(let response), .emptyBody(let response):
            response
        case .statusFailure(let failure): failure.response
        default: nil
        }
    }
}

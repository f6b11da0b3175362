public import ModelMirror

extension AbstractRepository {
    /// Where things stand in a body, and what is accepted.
    ///
    /// Keys are paths: a string literal is one literal key, an array literal leads inward.
    ///
    /// ```swift
    /// // {"status": "OK", "data": {"items": […]}}    {"status": "FAIL", "error": {"code": 17, "message": "…"}}
    /// Configuration(
    ///     objectsKey: ["data", "items"], statusKey: "status", statusOk: "OK",
    ///     errorDescriptionKey: ["error", "message"], errorCodeKey: ["error", "code"])
    /// ```
    public struct Configuration: Sendable {
        /// Where a single object or value stands; nil: it is the whole body.
        public var objectKey: JSONPath?
        /// Where an array or a dictionary of objects stands; nil: it is the whole body.
        public var objectsKey: JSONPath?
        /// Where the envelope's status stands. It is read only if ``statusOk`` is set too.
        public var statusKey: JSONPath?
        /// The status of success. Any other fails the request; the value is converted by ModelMirror's rules.
        ///
        /// A body whose objects are at its root has no room for an envelope; there the status is heeded if one is there, and
        /// not missed if none is.
        public var statusOk: Status?
        /// Where an envelope describes an error.
        public var errorDescriptionKey: JSONPath?
        /// Where an envelope has the code of an error, a string or a number.
        public var errorCodeKey: JSONPath?
        /// The statuses of success.
        public var acceptedStatus: Range<Int> = 200..<300
        /// The media types that are read, without parameters; one that begins with `+` stands for all with that suffix
        /// (RFC 6839); nil: all. An empty body may have any type, and a body without a type is taken for JSON.
        public var acceptedContentTypes: [String]? = ["application/json", "text/json", "+json"]
        /// The most bytes of a body that is accepted; more fail the request. 64 MiB.
        public var bodyLimit = 64 << 20
        /// The most bytes of the body of a failed response that are kept. 64 KiB.
        public var errorBodyLimit = 64 << 10
        /// How bodies are mapped.
        public var mappingOptions = MappingOptions()
        /// Sent with every request. Fields of a call replace those with the same name.
        public var headers: HTTPHeaders = [.accept: "application/json"]
        /// The longest time without a byte from the other side; nil leaves it to the transport.
        public var timeout: Duration?
        /// What to do on a redirect; nil leaves it to the transport.
        public var redirects: TransportRequest.RedirectPolicy?
        /// Whether requests may go over an expensive network such as a mobile one, where the platform can tell.
        public var allowsExpensiveNetwork = true
        /// Asked before each request whether there is a network, such as a ``SystemReachability``; if not, the request fails
        /// with ``RequestError/noConnectivity`` and is not sent. nil: nobody is asked.
        public var reachability: (any Reachability)?

        /// A configuration with the given keys.
        public init(
            objectKey: JSONPath? = nil, objectsKey: JSONPath? = nil, statusKey: JSONPath? = nil,
            statusOk: Status? = nil, errorDescriptionKey: JSONPath? = nil, errorCodeKey: JSONPath? = nil
        ) {
            self.objectKey = objectKey
            self.objectsKey = objectsKey
            self.statusKey = statusKey
            self.statusOk = statusOk
            self.errorDescriptionKey = errorDescriptionKey
            self.errorCodeKey = errorCodeKey
        }
    }
}

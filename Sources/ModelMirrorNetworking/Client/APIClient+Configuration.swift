public import Foundation
public import ModelMirror

extension APIClient {
    /// Where things stand in a body, what is accepted, and which errors are made of refusals.
    ///
    /// Keys are paths: a string literal is one literal key, an array literal leads inward.
    ///
    /// ```swift
    /// // {"status": "OK", "data": {"items": […]}}    {"status": "FAIL", "error": {"code": 17, "message": "…"}}
    /// APIClient.Configuration(
    ///     objectsKey: ["data", "items"], envelope: Envelope(statusKey: "status", success: "OK"),
    ///     errorDescriptionKey: ["error", "message"], errorCodeKey: ["error", "code"])
    /// ```
    public struct Configuration: Sendable {
        /// Where a single object or value stands; nil: it is the whole body.
        public var objectKey: JSONPath?
        /// Where an array, a set or a dictionary stands; nil: it is the whole body.
        public var objectsKey: JSONPath?
        /// How a body says that a request failed, whatever its HTTP status; nil: it does not.
        public var envelope: Envelope?
        /// Where an envelope describes an error.
        public var errorDescriptionKey: JSONPath?
        /// Where an envelope has the code of an error, a string or a number.
        public var errorCodeKey: JSONPath?
        /// The error for a response that says in a model of its own that the request failed; nil, or a closure that gives nil,
        /// leaves it to ``errorForCode``.
        ///
        /// Asked for each refused status and, where there is an ``envelope``, for each accepted response whose body is a JSON
        /// object, before the envelope is read. What it throws is thrown in place of the error. On no particular thread.
        ///
        /// ```swift
        /// configuration.errorFromResponse = { response in try response.value(Refusal.self, at: "error") }
        /// ```
        public var errorFromResponse: (@Sendable (_ response: Response<Data>) throws -> (any Error)?)?
        /// The error for the texts at ``errorCodeKey`` (a number as its digits) and ``errorDescriptionKey``; nil, or a closure
        /// that gives nil, makes a ``RequestError/statusFailure(_:)``. On no particular thread.
        public var errorForCode: (@Sendable (_ code: String?, _ message: String?) -> (any Error)?)?
        /// The statuses of success, unless the endpoint names its own.
        public var acceptedStatus = Set(200..<300)
        /// The media types that are read as JSON, without parameters; one that begins with `+` stands for all with that suffix
        /// (RFC 6839); nil: all. An empty body may have any type, and a body without a type is taken for JSON.
        public var acceptedContentTypes: [String]? = ["application/json", "text/json", "+json"]
        /// The most bytes of a body that is accepted; more fail the request. Defaults to 64 MiB.
        public var bodyLimit = 64 << 20
        /// The most bytes of the body of a failed response that are kept. Defaults to 64 KiB.
        public var errorBodyLimit = 64 << 10
        /// How bodies are mapped.
        public var mappingOptions = MappingOptions()
        /// Sent with every request. Fields of an endpoint replace those with the same name. `Accept: application/json` is added
        /// where JSON is read and nothing else is said.
        public var headers: HTTPHeaders = [:]
        /// The longest time without a byte from the other side, from when a request is on its way; nil leaves it to the
        /// transport. See ``TransportRequest/timeout`` for where transports differ.
        public var timeout: Duration?
        /// The longest time for all of a request: its wait for its turn, repeats, the renewal of a credential and the body; nil
        /// leaves it to the transport. Streams and downloads, which last as long as they last, have none. It becomes
        /// ``TransportRequest/deadline``, which an endpoint's `prepare` may set.
        public var deadline: Duration?
        /// What to do on a redirect; nil leaves it to the transport.
        public var redirects: TransportRequest.RedirectPolicy?
        /// Whether requests may go over an expensive network such as a mobile one, where the platform can tell.
        public var allowsExpensiveNetwork = true

        /// A configuration with the given keys.
        public init(
            objectKey: JSONPath? = nil, objectsKey: JSONPath? = nil, envelope: Envelope? = nil,
            errorDescriptionKey: JSONPath? = nil, errorCodeKey: JSONPath? = nil
        ) {
            self.objectKey = objectKey
            self.objectsKey = objectsKey
            self.envelope = envelope
            self.errorDescriptionKey = errorDescriptionKey
            self.errorCodeKey = errorCodeKey
        }

        /// The key of a kind of value.
        func key<Value>(for reading: BodyReading<Value>) -> JSONPath? {
            switch reading.key {
            case .object: objectKey
            case .objects: objectsKey
            case .none: nil
            }
        }
    }
}

/// How a body says that a request failed although its HTTP status is one of success: by a status of its own.
///
/// ```swift
/// Envelope(statusKey: "status", success: "OK")      // {"status": "OK", "data": …}
/// Envelope(statusKey: ["meta", "code"], success: 200)
/// Envelope.errorHook                                // {"data": …, "errors": […]}, as GraphQL has it
/// ```
///
/// Only a body whose root is a JSON object has an envelope. A collection that is the whole body leaves no room for a status; there
/// it is checked if it is there, and may be missing.
public struct Envelope: Sendable {
    /// Where the status stands; nil if there is none.
    public let statusKey: JSONPath?
    let isSuccess: @Sendable (_ body: Data, _ options: MappingOptions) throws(ModelError) -> Bool

    /// An envelope with a status.
    ///
    /// - Parameters:
    ///   - statusKey: Leads to the status.
    ///   - success: The status of success; any other fails the request. It is converted by ModelMirror's rules, and may be of any
    ///     type that a property may have, such as an enum.
    public init<Status: Equatable & Sendable>(statusKey: JSONPath, success: Status) {
        self.statusKey = statusKey
        isSuccess = { (body, options) throws(ModelError) in
            try ValueReading.value(Status.self, from: body, at: statusKey, options: options) == success
        }
    }

    /// An envelope without a status, judged by ``APIClient/Configuration/errorFromResponse`` alone.
    public static let errorHook = Envelope()

    private init() {
        statusKey = nil
        isSuccess = { (_, _) throws(ModelError) in true }
    }
}

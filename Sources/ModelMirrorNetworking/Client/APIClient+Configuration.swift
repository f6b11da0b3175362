public import ModelMirror
public import ModelMirrorFoundation

extension APIClient {
    /// Where values are found in a body, which responses are accepted, and which errors the refused ones throw.
    ///
    /// Keys are paths: a string literal is one key, an array literal a path of several.
    ///
    /// ```swift
    /// // {"status": "OK", "data": {"items": […]}}    {"status": "FAIL", "error": {"code": 17, "message": "…"}}
    /// APIClient.Configuration(
    ///     objectsKey: ["data", "items"], envelope: Envelope(statusKey: "status", success: "OK"),
    ///     errorDescriptionKey: ["error", "message"], errorCodeKey: ["error", "code"])
    /// ```
    public struct Configuration: Sendable {
        /// The path of a single object or value; nil for the whole body.
        public var objectKey: JSONPath?
        /// The path of an array, a set or a dictionary; nil for the whole body.
        public var objectsKey: JSONPath?
        /// How a body reports a failure, whatever the HTTP status; nil if it does not.
        public var envelope: Envelope?
        /// The path of an error's description, in an envelope or in the body of a refused status.
        public var errorDescriptionKey: JSONPath?
        /// The path of an error's code, in an envelope or in the body of a refused status: a string or a number.
        public var errorCodeKey: JSONPath?
        /// Makes the error for a response whose body describes the failure as a model. If it is nil or returns nil,
        /// ``errorForCode`` is called.
        ///
        /// Called for each refused status and, with an ``envelope``, for each accepted response whose body is a JSON object, before
        /// the envelope is read. An error it throws replaces the one it would return, except a `ModelError`, which becomes
        /// ``RequestError/FailedResponse/mappingError``. Called on any thread.
        ///
        /// ```swift
        /// configuration.errorFromResponse = { response in try response.value(Refusal.self, at: "error") }
        /// ```
        public var errorFromResponse: (@Sendable (_ response: Response<Data>) throws -> (any Error)?)?
        /// Makes the error from the texts at ``errorCodeKey`` (the digits of a number) and ``errorDescriptionKey``. If it is nil or
        /// returns nil, the error is ``RequestError/statusFailure(_:)``. Not called for a refused status whose body has neither text:
        /// that is ``RequestError/unacceptableStatus(_:)``. Called on any thread.
        public var errorForCode: (@Sendable (_ code: String?, _ message: String?) -> (any Error)?)?
        /// The accepted statuses for endpoints that do not define their own. Defaults to 200–299.
        public var acceptedStatus = Set(200..<300)
        /// The media types that are read as JSON, without parameters; nil accepts all. `+json` accepts every type with that suffix
        /// (RFC 6839). An empty body may have any type; a body without a type counts as JSON.
        public var acceptedContentTypes: [String]? = ["application/json", "text/json", "+json"]
        /// The largest accepted body in bytes; a larger one fails the request. Defaults to 64 MiB.
        public var bodyLimit = 64 << 20
        /// The largest part of a refused response's body that the error keeps, in bytes. Defaults to 64 KiB.
        public var errorBodyLimit = 64 << 10
        /// How arrays, objects, Booleans and nulls are written in queries, forms and text fields that set no style of their own.
        public var parameterStyle = ParameterStyle()
        /// How the bodies of responses are mapped, and those of requests written that are made by `client.json(model)` and
        /// `.json(encodable:)`.
        public var mappingOptions = MappingOptions()
        /// Header fields of every request; an endpoint's fields replace those with the same names. `Accept: application/json` is
        /// added where JSON is read and no `Accept` is set.
        public var headers: HTTPHeaders = [:]
        /// The longest time without a byte in either direction, counted from when the request is sent; nil for the transport's
        /// default.
        public var timeout: Duration?
        /// The longest time for the whole request: its wait in the queue, retries, the renewal of a credential and the body; nil for
        /// the transport's default. Streams and downloads have none. It becomes ``TransportRequest/deadline``, which an endpoint's
        /// `prepare` may set.
        public var deadline: Duration?
        /// Whether redirects are followed; nil for the transport's default.
        public var redirects: TransportRequest.RedirectPolicy?
        /// Whether requests may use an expensive network, such as a cellular one, where the platform can tell. Defaults to true.
        public var allowsExpensiveNetwork = true

        /// The repository class whose error hooks are called in place of those that the configuration does not set.
        var classHooks: (any ErrorHooks.Type)?

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

        func key<Value>(for reading: BodyReading<Value>) -> JSONPath? {
            switch reading.key {
            case .object: objectKey
            case .objects: objectsKey
            case .none, .bytes: nil
            }
        }
    }
}

/// How a body reports a failure despite an accepted HTTP status: by its own status.
///
/// ```swift
/// Envelope(statusKey: "status", success: "OK")      // {"status": "OK", "data": …}
/// Envelope(statusKey: ["meta", "code"], success: 200)
/// Envelope.errorHook                                // {"data": …, "errors": […]}, as GraphQL has it
/// ```
///
/// Only a body whose root is a JSON object has an envelope. Where a collection is the whole body, the status is checked if present
/// and may be missing.
public struct Envelope: Sendable {
    /// The path of the status; nil if there is none.
    let statusKey: JSONPath?
    let isSuccess: @Sendable (_ body: Data, _ options: MappingOptions) throws(ModelError) -> Bool

    /// An envelope without a status; ``APIClient/Configuration/errorFromResponse`` alone decides.
    public static let errorHook = Envelope(statusKey: nil) { (_, _) throws(ModelError) in true }
}

extension Envelope {
    /// An envelope with a status.
    ///
    /// - Parameters:
    ///   - statusKey: The path of the status.
    ///   - success: The success status; any other fails the request. Any type that a property may have, such as an enum.
    public init<Status: Equatable & Sendable>(statusKey: JSONPath, success: Status) {
        self.init(statusKey: statusKey) { (body, options) throws(ModelError) in
            try JSONMapper.value(Status.self, from: body, at: statusKey, options: options) == success
        }
    }
}

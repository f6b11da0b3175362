import Foundation
public import Hummingbird
public import ModelMirror

/// Models as the bodies of requests and responses of Hummingbird.
///
/// ```swift
/// router.post("orders") { request, context in
///     let order = try await request.model(Order.self, context: context)
///     return try Response(order, status: .created)
/// }
/// ```
extension Request {
    /// The model that the body holds.
    ///
    /// - Parameters:
    ///   - options: How it is mapped; defaults to the strictness and limits for a body from a stranger.
    /// - Throws: ``ProblemError`` if it does not fit; Hummingbird's own error, which is a 413, if it is longer than the context's
    ///   `maxUploadSize`.
    public func model<Model: AbstractModel>(
        _ type: Model.Type = Model.self, context: some RequestContext, options: MappingOptions = .untrusted
    ) async throws -> sending Model {
        let bytes = try await body.collect(upTo: context.maxUploadSize)
        do {
            return try bytes.withUnsafeReadableBytes { bytes in try Model(json: bytes, options: options) }
        } catch let error as ModelError {
            throw ProblemError(problem: ProblemDetails(error))
        }
    }
}

extension Response {
    /// A response with an object as its body.
    ///
    /// - Throws: `ModelError` if it cannot be written, which Hummingbird answers with 500.
    public init(_ model: AbstractModel, status: HTTPResponse.Status = .ok, options: WritingOptions = []) throws {
        try self.init(status, json: model.jsonData(options: options))
    }

    /// A response with an array of objects as its body.
    public init(_ models: [some AbstractModel], status: HTTPResponse.Status = .ok, options: WritingOptions = [])
        throws
    {
        try self.init(status, json: models.jsonData(options: options))
    }

    init(_ status: HTTPResponse.Status, json: Data, type: String = "application/json") {
        self.init(
            status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}

/// An error that is answered with a problem document (RFC 9457).
public struct ProblemError: HTTPResponseError {
    /// The problem.
    public var problem: ProblemDetails

    /// Creates an error for a problem.
    public init(problem: ProblemDetails) { self.problem = problem }

    /// The problem's status, or 500.
    public var status: HTTPResponse.Status { HTTPResponse.Status(code: problem.status ?? 500) }

    /// The problem as `application/problem+json`.
    public func response(from request: Request, context: some RequestContext) -> Response {
        Response(status, json: problem.jsonData(), type: ProblemDetails.mediaType)
    }
}

import Foundation
public import ModelMirror
public import Vapor

/// Models as the bodies of requests and responses of Vapor 4.
///
/// ```swift
/// app.middleware.use(ProblemMiddleware())
/// app.on(.POST, "orders", body: .stream) { request async throws -> Response in
///     let order = try await request.model(Order.self)
///     return try Response(order, status: .created)
/// }
/// ```
extension Request {
    /// The model that the body holds.
    ///
    /// - Parameters:
    ///   - options: How it is mapped; defaults to the strictness and limits for a body from a stranger.
    /// - Throws: ``ProblemError`` if it does not fit; Vapor's own error, which is a 413, if it is longer than 1 MiB, or than the limit
    ///   of a route that collects it.
    public func model<Model: AbstractModel>(
        _ type: Model.Type = Model.self, options: MappingOptions = .untrusted
    ) async throws -> sending Model {
        let bytes = try await body.collect(max: 1 << 20).get() ?? ByteBuffer()
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
    /// - Throws: `ModelError` if it cannot be written, which Vapor answers with 500.
    public convenience init(
        _ model: AbstractModel, status: HTTPResponseStatus = .ok, options: WritingOptions = []
    ) throws {
        try self.init(status, json: model.jsonData(options: options))
    }

    /// A response with an array of objects as its body.
    public convenience init(
        _ models: [some AbstractModel], status: HTTPResponseStatus = .ok, options: WritingOptions = []
    ) throws {
        try self.init(status, json: models.jsonData(options: options))
    }

    convenience init(_ status: HTTPResponseStatus, json: Data, type: String = "application/json") {
        self.init(status: status, headers: ["Content-Type": type], body: Body(data: json))
    }
}

/// An error that ``ProblemMiddleware`` answers with a problem document (RFC 9457); without it, Vapor answers with the status and the
/// sentence alone.
public struct ProblemError: AbortError {
    /// The problem.
    public var problem: ProblemDetails

    /// Creates an error for a problem.
    public init(problem: ProblemDetails) { self.problem = problem }

    /// The problem's status, or 500.
    public var status: HTTPResponseStatus { HTTPResponseStatus(statusCode: problem.status ?? 500) }

    /// The problem's sentence.
    public var reason: String { problem.detail ?? status.reasonPhrase }
}

/// Answers a ``ProblemError`` with `application/problem+json`.
public struct ProblemMiddleware: AsyncMiddleware {
    /// Creates the middleware.
    public init() {}

    /// Passes the request on.
    public func respond(to request: Request, chainingTo next: any AsyncResponder) async throws -> Response {
        do {
            return try await next.respond(to: request)
        } catch let error as ProblemError {
            return Response(error.status, json: error.problem.jsonData(), type: ProblemDetails.mediaType)
        }
    }
}

public import Dispatch
public import ModelMirror

/// Requests by routes, whose closures run on a queue, for programs whose main thread runs no loop.
extension AbstractRepository {
    /// Asks for one object, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestObject<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getObject: () throws -> sending Model) -> Void
    ) -> Request<Model> {
        start(RequestTarget(route), at: key, .object) {
            request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for an array of objects, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestObjects<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getObjects: () throws -> sending [Model]) -> Void
    ) -> Request<[Model]> {
        start(RequestTarget(route), at: key, .objects()) {
            request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for objects by key, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestDictionaryOfObjects<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getObjects: () throws -> sending [String: Model]) -> Void
    ) -> Request<[String: Model]> {
        start(
            RequestTarget(route), at: key,
            .dictionaryOfObjects()
        ) { request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for a value of any type that a property may have, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// `Int`, `String`, `Date`, `[URL]`, an enum, `JSONValue`, a `Decodable` structure. An Optional is nil for `null`, for a key
    /// that is not there, and for an empty body, such as that of a 204.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - type: What is asked for, where nothing else says it.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestValue<Value>(
        _ route: some Route, at key: JSONPath? = nil,
        as type: Value.Type = Value.self, on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getValue: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        start(RequestTarget(route), at: key, .value) {
            request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for nothing but the good end: an accepted status and, where there is a body, a good envelope.
    ///
    /// A body must be JSON all the same, for half of one is no success; an empty one is enough.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestSuccess(
        _ route: some Route, on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getSuccess: () throws -> sending Void) -> Void
    ) -> Request<Void> {
        start(RequestTarget(route), at: nil, .success) {
            request in
            request.complete(on: queue, completion)
        }
    }
}

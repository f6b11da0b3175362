public import Dispatch
public import ModelMirror

/// Requests whose closures run on a queue, for programs whose main thread runs no loop.
extension AbstractRepository {
    /// Asks for one object, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestObject<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getObject: () throws -> sending Model) -> Void
    ) -> Request<Model> {
        start(RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key, .object) {
            request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for an array of objects, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestObjects<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getObjects: () throws -> sending [Model]) -> Void
    ) -> Request<[Model]> {
        start(RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key, .objects()) {
            request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for objects by key, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestDictionaryOfObjects<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil,
        on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getObjects: () throws -> sending [String: Model]) -> Void
    ) -> Request<[String: Model]> {
        start(
            RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key,
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
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - type: What is asked for, where nothing else says it.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestValue<Value>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil,
        as type: Value.Type = Value.self, on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getValue: () throws -> sending Value) -> Void
    ) -> Request<Value> {
        start(RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key, .value) {
            request in
            request.complete(on: queue, completion)
        }
    }

    /// Asks for nothing but the good end: an accepted status and, where there is a body, a good envelope.
    ///
    /// A body must be JSON all the same, for half of one is no success; an empty one is enough.
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - queue: Where the closure runs.
    ///   - completion: Called exactly once.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestSuccess(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], on queue: DispatchQueue,
        completion: @escaping @Sendable (_ getSuccess: () throws -> sending Void) -> Void
    ) -> Request<Void> {
        start(RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: nil, .success) {
            request in
            request.complete(on: queue, completion)
        }
    }
}

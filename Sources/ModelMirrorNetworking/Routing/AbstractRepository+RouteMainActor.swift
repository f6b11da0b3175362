public import ModelMirror

/// Requests by routes, whose closures run on the main actor.
///
/// The closure may be left out where handlers of the ``Request`` do; then the type of the request says what is asked for.
extension AbstractRepository {
    /// Asks for one object, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// repository.requestObject(Router.me) { (getUser: () throws -> sending User) in … }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - completion: Called exactly once, on the main actor. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestObject<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil,
        completion: (@MainActor (_ getObject: () throws -> sending Model) -> Void)? = nil
    ) -> Request<Model> {
        start(RequestTarget(route), at: key, .object) {
            request in
            if let completion { request.complete(completion) }
        }
    }

    /// Asks for an array of objects, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// repository.requestObjects(Router.me) { (getGists: () throws -> sending [Gist]) in … }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    ///   - completion: Called exactly once, on the main actor. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestObjects<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil,
        completion: (@MainActor (_ getObjects: () throws -> sending [Model]) -> Void)? = nil
    ) -> Request<[Model]> {
        start(RequestTarget(route), at: key, .objects()) {
            request in
            if let completion { request.complete(completion) }
        }
    }

    /// Asks for objects by key, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// repository.requestDictionaryOfObjects(Router.me) { (getFiles: () throws -> sending [String: File]) in … }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    ///   - completion: Called exactly once, on the main actor. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestDictionaryOfObjects<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil,
        completion: (@MainActor (_ getObjects: () throws -> sending [String: Model]) -> Void)? = nil
    ) -> Request<[String: Model]> {
        start(
            RequestTarget(route), at: key,
            .dictionaryOfObjects()
        ) { request in
            if let completion { request.complete(completion) }
        }
    }

    /// Asks for a value of any type that a property may have, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// `Int`, `String`, `Date`, `[URL]`, an enum, `JSONValue`, a `Decodable` structure. An Optional is nil for `null`, for a key
    /// that is not there, and for an empty body, such as that of a 204.
    ///
    /// ```swift
    /// repository.requestValue(Router.me) { (getCount: () throws -> sending Int) in … }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - type: What is asked for, where nothing else says it.
    ///   - completion: Called exactly once, on the main actor. The first call of the function it gets hands the result over.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestValue<Value>(
        _ route: some Route, at key: JSONPath? = nil,
        as type: Value.Type = Value.self,
        completion: (@MainActor (_ getValue: () throws -> sending Value) -> Void)? = nil
    ) -> Request<Value> {
        start(RequestTarget(route), at: key, .value) {
            request in
            if let completion { request.complete(completion) }
        }
    }

    /// Asks for nothing but the good end: an accepted status and, where there is a body, a good envelope.
    ///
    /// A body must be JSON all the same, for half of one is no success; an empty one is enough.
    ///
    /// ```swift
    /// repository.requestSuccess(.delete, url: "…") { getSuccess in
    ///     do { try getSuccess() } catch { report(error) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - completion: Called exactly once, on the main actor.
    /// - Returns: The request, to cancel it or to add handlers.
    @discardableResult
    public func requestSuccess(
        _ route: some Route,
        completion: (@MainActor (_ getSuccess: () throws -> sending Void) -> Void)? = nil
    ) -> Request<Void> {
        start(RequestTarget(route), at: nil, .success) {
            request in
            if let completion { request.complete(completion) }
        }
    }
}

public import ModelMirror

/// The calls as Apic spells them. Each begins a request for an ``Endpoint``; its closure runs on the main actor, exactly once.
///
/// `url` is an endpoint's address: a literal that escapes interpolated values, `.url(link)` or `URLReference(verbatim: text)`. For
/// queues, `await`, policies and decoders see ``Requesting``.
extension AbstractRepository {
    /// Requests one object, at `objectKey` of the body if that is set, otherwise the whole body.
    @discardableResult
    public func requestObject<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: URLReference, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        at path: JSONPath? = nil, completion: @escaping @MainActor (_ getObject: () throws -> sending Model) -> Void
    ) -> Request<Model> {
        request(Endpoint(method, url, parameters: parameters, headers: headers, at: path), completion: completion)
    }

    /// Requests an array of objects, at `objectsKey` of the body if that is set, otherwise the whole body.
    @discardableResult
    public func requestObjects<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: URLReference, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:],
        at path: JSONPath? = nil, completion: @escaping @MainActor (_ getObjects: () throws -> sending [Model]) -> Void
    ) -> Request<[Model]> {
        request(Endpoint(method, url, parameters: parameters, headers: headers, at: path), completion: completion)
    }

    /// Requests a dictionary of objects, at `objectsKey` of the body if that is set, otherwise the whole body.
    @discardableResult
    public func requestDictionaryOfObjects<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: URLReference, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at path: JSONPath? = nil,
        completion: @escaping @MainActor (_ getObjects: () throws -> sending [String: Model]) -> Void
    ) -> Request<[String: Model]> {
        request(Endpoint(method, url, parameters: parameters, headers: headers, at: path), completion: completion)
    }

    /// Succeeds on an accepted status and, for a body that begins with `{` where an envelope is configured, a success status in
    /// it; the body is otherwise ignored. The network answers, as with `send`.
    @discardableResult
    public func requestSuccess(
        _ method: HTTPMethod = .get, url: URLReference, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], completion: @escaping @MainActor (_ getSuccess: () throws -> sending Void) -> Void
    ) -> Request<Void> {
        request(
            Endpoint(method, url, parameters: parameters, headers: headers), policy: .networkOnly,
            completion: completion)
    }
}

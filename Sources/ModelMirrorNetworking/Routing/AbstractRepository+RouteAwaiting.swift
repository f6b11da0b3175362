public import ModelMirror

/// Requests by routes that are awaited.
///
/// Cancelling the task that waits cancels the request. The objects are made away from the caller's actor and sent to it.
extension AbstractRepository {
    /// Asks for one object, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// let result: User = try await repository.object(Router.me)
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func object<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil
    ) async throws -> sending Model {
        try await finish(
            RequestTarget(route), at: key, .object)
    }

    /// Asks for an array of objects, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// let result: [Gist] = try await repository.objects(Router.me)
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func objects<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil
    ) async throws -> sending [Model] {
        try await finish(
            RequestTarget(route), at: key, .objects())
    }

    /// Asks for objects by key, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// let result: [String: File] = try await repository.dictionaryOfObjects(Router.me)
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func dictionaryOfObjects<Model: AbstractModel>(
        _ route: some Route, at key: JSONPath? = nil
    ) async throws -> sending [String: Model] {
        try await finish(
            RequestTarget(route), at: key,
            .dictionaryOfObjects())
    }

    /// Asks for a value of any type that a property may have, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// `Int`, `String`, `Date`, `[URL]`, an enum, `JSONValue`, a `Decodable` structure. An Optional is nil for `null`, for a key
    /// that is not there, and for an empty body, such as that of a 204.
    ///
    /// ```swift
    /// let result: Int = try await repository.value(Router.me)
    /// ```
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - type: What is asked for, where nothing else says it.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func value<Value>(
        _ route: some Route, at key: JSONPath? = nil,
        as type: Value.Type = Value.self
    ) async throws -> sending Value {
        try await finish(
            RequestTarget(route), at: key, .value)
    }

    /// Asks for nothing but the good end: an accepted status and, where there is a body, a good envelope.
    ///
    /// A body must be JSON all the same, for half of one is no success; an empty one is enough.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func success(
        _ route: some Route
    ) async throws {
        try await finish(
            RequestTarget(route), at: nil, .success)
    }
}

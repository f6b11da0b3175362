public import ModelMirror

/// Requests that are awaited.
///
/// Cancelling the task that waits cancels the request. The objects are made away from the caller's actor and sent to it.
extension AbstractRepository {
    /// Asks for one object, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// let result: User = try await repository.object(.get, url: "…")
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func object<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil
    ) async throws -> sending Model {
        try await finish(
            RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key, .object)
    }

    /// Asks for an array of objects, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// let result: [Gist] = try await repository.objects(.get, url: "…")
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func objects<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil
    ) async throws -> sending [Model] {
        try await finish(
            RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key, .objects())
    }

    /// Asks for objects by key, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// ```swift
    /// let result: [String: File] = try await repository.dictionaryOfObjects(.get, url: "…")
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectsKey.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func dictionaryOfObjects<Model: AbstractModel>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil
    ) async throws -> sending [String: Model] {
        try await finish(
            RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key,
            .dictionaryOfObjects())
    }

    /// Asks for a value of any type that a property may have, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// `Int`, `String`, `Date`, `[URL]`, an enum, `JSONValue`, a `Decodable` structure. An Optional is nil for `null`, for a key
    /// that is not there, and for an empty body, such as that of a 204.
    ///
    /// ```swift
    /// let result: Int = try await repository.value(.get, url: "…")
    /// ```
    ///
    /// - Parameters:
    ///   - method: `GET` if nothing is said.
    ///   - url: A `String` or a `URL`, absolute or relative to ``baseURL``.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - key: Leads to what is asked for, in place of the configuration's objectKey.
    ///   - type: What is asked for, where nothing else says it.
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func value<Value>(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at key: JSONPath? = nil,
        as type: Value.Type = Value.self
    ) async throws -> sending Value {
        try await finish(
            RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: key, .value)
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
    /// - Throws: ``RequestError``, `ModelError`, or the error that the repository makes of the server's.
    nonisolated(nonsending) public func success(
        _ method: HTTPMethod = .get, url: any URLConvertible, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:]
    ) async throws {
        try await finish(
            RequestTarget(method: method, url: url, parameters: parameters, headers: headers), at: nil, .success)
    }
}

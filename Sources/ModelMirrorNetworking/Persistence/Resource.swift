public import ModelMirror

/// What can be fetched: where it is, and what its body is read as. Reactor's `Resource`, with its type.
///
/// ```swift
/// func gists(of user: String) -> Resource<[Gist]> { .objects("users/\(user)/gists") }
/// func search(_ words: String) -> Resource<[Gist]> { .objects("search", parameters: ["q": .string(words)]) }
/// func me() -> Resource<User> { .object(Router.me) }
///
/// let gists = try await repository.value(of: gists(of: "octocat"))
/// ```
///
/// What is stored is told apart by the request that it answers: by its URL, with the query that the parameters make, and its
/// header fields. Only GET is stored unless ``Persistence/key`` says otherwise: for parameters that are sent in a body, see
/// ``Persistence/keyWithBody(for:)``.
public struct Resource<Value>: Sendable {
    let target: RequestTarget
    /// Leads to what is asked for; nil for the configuration's key.
    let path: JSONPath?
    let reading: BodyReading<Value>
}

/// Resources by URL.
extension Resource {
    /// One object, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - url: A `String` or a `URL`, absolute or relative to the repository's `baseURL`.
    ///   - method: `GET` if nothing is said; by default nothing else is stored.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - path: Leads to what is asked for, in place of the configuration's objectKey.
    public static func object(
        _ url: any URLConvertible, method: HTTPMethod = .get, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource where Value: AbstractModel {
        Resource(
            target: RequestTarget(method: method, url: url, parameters: parameters, headers: headers), path: path,
            reading: .object)
    }

    /// An array of objects, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - url: A `String` or a `URL`, absolute or relative to the repository's `baseURL`.
    ///   - method: `GET` if nothing is said; by default nothing else is stored.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - path: Leads to what is asked for, in place of the configuration's objectsKey.
    public static func objects<Model: AbstractModel>(
        _ url: any URLConvertible, method: HTTPMethod = .get, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource where Value == [Model] {
        Resource(
            target: RequestTarget(method: method, url: url, parameters: parameters, headers: headers), path: path,
            reading: .objects())
    }

    /// Objects by key, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - url: A `String` or a `URL`, absolute or relative to the repository's `baseURL`.
    ///   - method: `GET` if nothing is said; by default nothing else is stored.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - path: Leads to what is asked for, in place of the configuration's objectsKey.
    public static func dictionaryOfObjects<Model: AbstractModel>(
        _ url: any URLConvertible, method: HTTPMethod = .get, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource where Value == [String: Model] {
        Resource(
            target: RequestTarget(method: method, url: url, parameters: parameters, headers: headers), path: path,
            reading: .dictionaryOfObjects())
    }

    /// A value of any type that a property may have, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - url: A `String` or a `URL`, absolute or relative to the repository's `baseURL`.
    ///   - method: `GET` if nothing is said; by default nothing else is stored.
    ///   - parameters: What is sent, in the query or in the body; nil: nothing.
    ///   - headers: In place of the configuration's fields with the same names.
    ///   - path: Leads to what is asked for, in place of the configuration's objectKey.
    public static func value(
        _ url: any URLConvertible, method: HTTPMethod = .get, parameters: RequestParameters? = nil,
        headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource {
        Resource(
            target: RequestTarget(method: method, url: url, parameters: parameters, headers: headers), path: path,
            reading: .value)
    }
}

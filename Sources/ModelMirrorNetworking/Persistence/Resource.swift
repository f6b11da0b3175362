public import ModelMirror

/// What can be fetched: where it is, and what its body is read as. Reactor's `Resource`, with its type.
///
/// ```swift
/// func gists(of user: String) -> Resource<[Gist]> { .objects("users/\(user)/gists") }
///
/// let gists = try await repository.value(of: gists(of: "octocat"))
/// ```
public struct Resource<Value>: Sendable {
    /// `GET` unless it is changed; by default nothing else is stored.
    public var method: HTTPMethod = .get
    /// A `String` or a `URL`, absolute or relative to the repository's `baseURL`.
    public var url: any URLConvertible
    /// In place of the configuration's fields with the same names.
    public var headers: HTTPHeaders
    /// Leads to what is asked for, in place of the configuration's key; nil for that.
    public var path: JSONPath?

    let reading: BodyReading<Value>

    init(_ url: any URLConvertible, _ headers: HTTPHeaders, _ path: JSONPath?, _ reading: BodyReading<Value>) {
        self.url = url
        self.headers = headers
        self.path = path
        self.reading = reading
    }

    var target: RequestTarget { RequestTarget(method: method, url: url, headers: headers) }
}

extension Resource where Value: AbstractModel {
    /// One object, at `objectKey` of the body if that is set, else the body itself.
    public static func object(
        _ url: any URLConvertible, headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource { Resource(url, headers, path, .object) }
}

extension Resource {
    /// An array of objects, at `objectsKey` of the body if that is set, else the body itself.
    public static func objects<Model: AbstractModel>(
        _ url: any URLConvertible, headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource where Value == [Model] { Resource(url, headers, path, .objects()) }

    /// Objects by key, at `objectsKey` of the body if that is set, else the body itself.
    public static func dictionaryOfObjects<Model: AbstractModel>(
        _ url: any URLConvertible, headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource where Value == [String: Model] { Resource(url, headers, path, .dictionaryOfObjects()) }

    /// A value of any type that a property may have, at `objectKey` of the body if that is set, else the body itself.
    public static func value(
        _ url: any URLConvertible, headers: HTTPHeaders = [:], at path: JSONPath? = nil
    ) -> Resource { Resource(url, headers, path, .value) }
}

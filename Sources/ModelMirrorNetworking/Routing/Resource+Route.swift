public import ModelMirror

/// Resources by route.
///
/// The route says method, URL, parameters and header fields. It is asked for its request more than once in a fetch, and what
/// it says makes the key under which the response is stored: it should say the same each time.
extension Resource {
    /// One object, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - path: Leads to what is asked for, in place of the configuration's objectKey.
    public static func object(
        _ route: some Route, at path: JSONPath? = nil
    ) -> Resource where Value: AbstractModel {
        Resource(target: RequestTarget(route), path: path, reading: .object)
    }

    /// An array of objects, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - path: Leads to what is asked for, in place of the configuration's objectsKey.
    public static func objects<Model: AbstractModel>(
        _ route: some Route, at path: JSONPath? = nil
    ) -> Resource where Value == [Model] {
        Resource(target: RequestTarget(route), path: path, reading: .objects())
    }

    /// Objects by key, at `objectsKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - path: Leads to what is asked for, in place of the configuration's objectsKey.
    public static func dictionaryOfObjects<Model: AbstractModel>(
        _ route: some Route, at path: JSONPath? = nil
    ) -> Resource where Value == [String: Model] {
        Resource(target: RequestTarget(route), path: path, reading: .dictionaryOfObjects())
    }

    /// A value of any type that a property may have, at `objectKey` of the body if that is set, else the body itself.
    ///
    /// - Parameters:
    ///   - route: Says method, URL, parameters and header fields.
    ///   - path: Leads to what is asked for, in place of the configuration's objectKey.
    public static func value(_ route: some Route, at path: JSONPath? = nil) -> Resource {
        Resource(target: RequestTarget(route), path: path, reading: .value)
    }
}

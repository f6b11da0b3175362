import ModelMirror
import ModelMirrorFoundation

/// The configuration key under which a value is found: `none` if the body is not read, `bytes` if it is read as such, without an envelope.
enum BodyKey: Sendable {
    case object, objects, none, bytes
}

/// How the body of a response becomes a value. The type of the value alone decides.
///
/// | Value | found at | body |
/// |---|---|---|
/// | a model, a scalar, an enum, a `Decodable` | `objectKey` | JSON |
/// | an array, a set, a dictionary | `objectsKey` | JSON |
/// | an Optional, `JSONValue` | the key of its wrapped type, `objectKey` | JSON, or empty |
/// | `Data`, `Data?`, the result of a `reading:` closure | the whole body, unless the endpoint has a path | anything |
/// | `Void` | not read | anything |
struct BodyReading<Value>: Sendable {
    let key: BodyKey
    /// Whether the body has to be JSON.
    var isJSON: Bool { [.object, .objects].contains(key) }
    /// Whether a collection, or a page of one, has no elements.
    var isEmpty: @Sendable (Value) -> Bool = { ($0 as? any Collection)?.isEmpty == true }
    /// Makes a value that shares no objects with earlier ones.
    let read:
        @Sendable (_ response: Response<Data>, _ path: JSONPath, _ options: MappingOptions) throws -> sending Value

    /// Reads the value with the caller's closure.
    static func bytes(_ read: @escaping @Sendable (Response<Data>) throws -> sending Value) -> BodyReading {
        BodyReading(key: .bytes) { response, path, options in
            var response = response
            response.value = try ValueReading.bytes(of: response.value, at: path, options: options)
            return try read(response)
        }
    }

    static var standard: BodyReading {
        if Value.self == Void.self { return BodyReading(key: .none) { _, _, _ in () as! Value } }
        if Value.self == Data.self { return .bytes { response in response.value as! Value } }
        if Value.self == Data?.self {
            return BodyReading(key: .bytes) { response, path, options in
                let body = response.value
                let isNil =
                    try path == .root
                    ? body.isEmpty : JSONMapper.value(JSONValue?.self, from: body, at: path, options: options) == nil
                return try (isNil ? Data?.none : ValueReading.bytes(of: body, at: path, options: options)) as! Value
            }
        }
        return BodyReading(key: isCollection(Value.self) ? .objects : .object) { response, path, options in
            try JSONMapper.value(Value.self, from: response.value, at: path, options: options)
        }
    }

    /// The same reading, with invalid elements of a collection skipped or not.
    ///
    /// If skipping leaves a collection empty, it is read again without skipping: either it is empty in the JSON, or the
    /// failures of its elements are thrown.
    func pruning(_ prunes: Bool) -> BodyReading {
        guard key == .objects else { return self }
        return BodyReading(key: key) { [read, isEmpty] response, path, options in
            var options = options
            options.skipsInvalidElements = prunes
            let value = try read(response, path, options)
            guard prunes, isEmpty(value) else { return value }
            options.skipsInvalidElements = false
            return try read(response, path, options)
        }
    }

    /// Whether values of a type are found at `objectsKey`.
    private static func isCollection(_ type: Any.Type) -> Bool {
        guard let container = type as? any Container.Type else { return false }
        return container is any Collection.Type || isCollection(container.element)
    }
}

/// Why the type cannot be read; nil if it can.
///
/// The compiler infers `Any` or `AbstractModel` where nothing names a type, as in `print(try await client.value(…))`.
func unnamedTypeProblem(_ type: Any.Type) -> String? {
    switch type {
    case let container as any Container.Type: unnamedTypeProblem(container.element)
    case _ where type == Any.self || type == AbstractModel.self:
        "the type of the value is inferred as \(type); name it, as in `let gists: [Gist] = try await …`; "
            + "for free-form JSON use JSONValue"
    default: nil
    }
}

/// An Optional or a collection.
private protocol Container {
    static var element: Any.Type { get }
}

extension Optional: Container { fileprivate static var element: Any.Type { Wrapped.self } }

extension Array: Container { fileprivate static var element: Any.Type { Element.self } }

extension Set: Container { fileprivate static var element: Any.Type { Element.self } }

extension Dictionary: Container { fileprivate static var element: Any.Type { Value.self } }

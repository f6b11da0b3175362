/// Models inside of `Codable` types: a property that is decoded by ModelMirror while the rest goes the usual way.
///
/// ```swift
/// struct Page: Codable {
///     var total = 0
///     @Mapped var gists: [Gist]
///     @Mapped var owner: User?
/// }
/// let page = try JSONDecoder().decode(Page.self, from: data)
/// page.gists[0].login
/// ```
///
/// It holds a model, or an Optional, array or string-keyed dictionary of what it holds. An Optional may be missing;
/// anything else is demanded, as for every `Codable` property. Models follow their own rules and options: key
/// strategies and other settings of the coder do not reach them.
///
/// (The other way round nothing is needed: a `Decodable` type may be the type of a model's property.)
@propertyWrapper public struct Mapped<Value: MappedValue> {
    /// The model or models.
    public var wrappedValue: Value

    /// Holds a model or models.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// What ``Mapped`` can hold: models, and Optionals, arrays and dictionaries of them. Nothing else should conform.
public protocol MappedValue {}

extension AbstractModel: MappedValue {}
extension Optional: MappedValue where Wrapped: MappedValue {}
extension Array: MappedValue where Element: MappedValue {}
extension Dictionary: MappedValue where Key == String, Value: MappedValue {}

extension Mapped: Sendable where Value: Sendable {}
extension Mapped: Equatable where Value: Equatable {}
extension Mapped: Hashable where Value: Hashable {}

extension Mapped: Codable {
    /// Maps the value, by the rules of the model.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the coding path, the sentences of the ``ModelError``, and that
    ///   error as `underlyingError`. Its paths begin at this value; it has no lines, since a decoder does not tell
    ///   them.
    public init(from decoder: any Decoder) throws {
        let json = try JSONValue(from: decoder)
        do throws(ModelError) {
            wrappedValue = try Mapped.value(from: json)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }

    /// Writes the JSON of the model or models.
    ///
    /// - Throws: `EncodingError.invalidValue` with the coding path, the sentences of the ``ModelError``, and that error
    ///   as `underlyingError`.
    public func encode(to encoder: any Encoder) throws {
        let json: JSONValue
        do throws(ModelError) {
            json = try encodedValue(of: wrappedValue)
        } catch {
            throw EncodingError.invalidValue(
                wrappedValue,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
        try json.encode(to: encoder)
    }

    private static func value(from json: JSONValue) throws(ModelError) -> Value {
        let model = (Value.self as? any ModelHolder.Type)?.heldModel
        let codec: ValueCodec<Value>?
        do throws(InvalidModel) {
            codec = try CodecBuilder().codec(for: Value.self)
        } catch {
            throw .invalidModel(error)
        }
        guard let model, let codec else { throw .noModel(Value.self) }
        // Limits are for documents; this value has been read already.
        let options = MappingOptions(depth: MappingOptions.maximumDepth, bytes: .max)
        let classOptions = model.classOptions
        return try MappingSession.run(
            json.jsonData(), for: model, classOptions: classOptions, options: options, isLocated: false
        ) { reader, session throws(Interruption) in
            let value = try codec.value(&reader, session)
            if classOptions.skipsInvalidElements == true, value != nil { session.forgive() }
            return value
        }.result
    }
}

/// The JSON of a model, or of an Optional, array or dictionary of models.
private func encodedValue(of value: Any) throws(ModelError) -> JSONValue {
    switch value {
    case let model as AbstractModel:
        return try model.jsonValue()
    case let optional as any OptionalType:
        return if let wrapped = optional.wrappedValue { try encodedValue(of: wrapped) } else { .null }
    case let list as [Any]:
        return .array(try list.map { element throws(ModelError) in try encodedValue(of: element) })
    case let members as [String: Any]:
        var result = [String: JSONValue](minimumCapacity: members.count)
        for (key, member) in members { result[key] = try encodedValue(of: member) }
        return .object(result)
    default:
        throw .noModel(type(of: value))
    }
}

extension ModelError {
    /// The error for a type that conforms to ``MappedValue`` and must not.
    fileprivate static func noModel(_ type: Any.Type) -> ModelError {
        let reason = "it is neither a model nor an Optional, array or dictionary of models"
        return .invalidModel(InvalidModel(model: "\(type)", property: nil, reason: reason))
    }
}

/// Tells which class of models a type is made of.
private protocol ModelHolder {
    static var heldModel: AbstractModel.Type? { get }
}

extension AbstractModel: ModelHolder {
    fileprivate static var heldModel: AbstractModel.Type? { self }
}

extension Optional: ModelHolder {
    fileprivate static var heldModel: AbstractModel.Type? { (Wrapped.self as? any ModelHolder.Type)?.heldModel }
}

extension Array: ModelHolder {
    fileprivate static var heldModel: AbstractModel.Type? { (Element.self as? any ModelHolder.Type)?.heldModel }
}

extension Dictionary: ModelHolder {
    fileprivate static var heldModel: AbstractModel.Type? { (Value.self as? any ModelHolder.Type)?.heldModel }
}

/// So that the synthesised code of a `Codable` type lets an Optional be missing, as it does without the wrapper.
extension KeyedDecodingContainer {
    /// Maps an Optional; nil if the key is missing.
    public func decode<Value>(_ type: Mapped<Value?>.Type, forKey key: Key) throws -> Mapped<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Mapped(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Writes an Optional, nothing for nil.
    public mutating func encode<Value>(_ value: Mapped<Value?>, forKey key: Key) throws {
        if value.wrappedValue != nil { try encodeIfPresent(Optional(value), forKey: key) }
    }
}

/// Maps models in `Codable` types.
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
/// Wraps a model, or an Optional, array or string-keyed dictionary of models. As for every `Codable` property, only an Optional
/// may be missing. Models use their own rules and options; the settings of a `JSONDecoder` have no effect on them. In a type that
/// the library itself decodes, the dates, keys and non-finite numbers of the call's ``MappingOptions`` also apply to them.
///
/// The reverse needs no wrapper: a model's property may have a `Decodable` type.
@propertyWrapper public struct Mapped<Value: MappedValue> {
    /// The model or models.
    public var wrappedValue: Value

    /// Wraps a model or models.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// What ``Mapped`` wraps, and what is written as a document: a model, or an Optional, array or string-keyed dictionary of these. Do
/// not conform other types.
public protocol MappedValue {}

extension AbstractModel: MappedValue {}
extension Optional: MappedValue where Wrapped: MappedValue {}
extension Array: MappedValue where Element: MappedValue {}
extension Dictionary: MappedValue where Key == String, Value: MappedValue {}

extension Mapped: Sendable where Value: Sendable {}
extension Mapped: Equatable where Value: Equatable {}
extension Mapped: Hashable where Value: Hashable {}

extension Mapped: Codable {
    /// Maps the value by the rules of the model.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with the coding path and the ``ModelError`` as `underlyingError`. Its paths begin at
    ///   this value; it has no lines, because decoders do not expose them.
    public init(from decoder: any Decoder) throws {
        // Decoded by the container, which may know the type and keep all digits.
        let json = try decoder.singleValueContainer().decode(JSONValue.self)
        do throws(ModelError) {
            var options = (decoder as? JSONValueDecoder)?.rules.ofClass.ofCall ?? MappingOptions()
            // Limits apply to documents; this value has been read already.
            (options.depth, options.bytes) = (MappingOptions.maximumDepth, .max)
            let call = MappingCall(options: options, isLocated: false)
            wrappedValue = try JSONMapper.read(Value.modelsPlan(options), json.jsonData(), call).0
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "Expected JSON for \(Value.self).",
                    underlyingError: error))
        }
    }

    /// Writes the JSON of the model or models.
    ///
    /// - Throws: `EncodingError.invalidValue` with the coding path and the ``ModelError`` as `underlyingError`.
    public func encode(to encoder: any Encoder) throws {
        let json: JSONValue
        do throws(ModelError) {
            let call = CodableRules.callKey.flatMap { encoder.userInfo[$0] } as? MappingOptions
            json = try wrappedValue.jsonValue(mapping: call ?? MappingOptions())
        } catch {
            throw EncodingError.invalidValue(
                wrappedValue,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: "Expected a value with a JSON form.",
                    underlyingError: error))
        }
        try json.encode(to: encoder)
    }
}

/// Lets the synthesized code of a `Codable` type omit an Optional, as it does without the wrapper.
extension KeyedDecodingContainer {
    /// Maps an Optional; nil if the key is missing.
    public func decode<Value>(_ type: Mapped<Value?>.Type, forKey key: Key) throws -> Mapped<Value?> {
        try decodeIfPresent(type, forKey: key) ?? Mapped(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Writes an Optional; omits nil.
    public mutating func encode<Value>(_ value: Mapped<Value?>, forKey key: Key) throws {
        if value.wrappedValue != nil { try encodeIfPresent(Optional(value), forKey: key) }
    }
}

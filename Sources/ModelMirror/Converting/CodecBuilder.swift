#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds the codec for one property's type.
///
/// The first match is used: the property's converter, the class's date formats, ``JSONConvertible``, the built-in types, models,
/// `RawRepresentable`, ``InitializableWithDictionary``, `Decodable`. It is decided once, when the class's table is made, for the
/// type and every type inside it.
final class CodecBuilder {
    private let converter: (any Converter)?
    private let dates: DateConverter?
    /// Whether the converter was used for the type or a type inside it.
    private(set) var isConverterUsed = false

    /// - Parameters:
    ///   - converter: The property's own converter.
    ///   - dates: The date formats of the class or the property.
    init(converter: (any Converter)? = nil, dates: DateConverter? = nil) {
        self.converter = converter
        self.dates = dates
    }

    /// Whether neither a converter nor date formats apply, so that the type alone decides.
    var usesTypeAlone: Bool { converter == nil && dates == nil }

    /// The codec for a type; nil if there is none.
    func codec<Value>(for type: Value.Type) throws(InvalidModel) -> ValueCodec<Value>? {
        if (converter as? AnyConverter<JSONValue>)?.isEmbeddedJSON == true, !(type is any OptionalType.Type) {
            isConverterUsed = true
            return try CodecBuilder(dates: dates).codec(for: type)?.embedded
        }
        if let converter, let codec: ValueCodec<Value> = convert(converter) {
            isConverterUsed = true
            return codec
        }
        if let dates, let codec = dates.codec as? ValueCodec<Value> { return codec }
        if let own = type as? any JSONConvertible.Type { return convertibleCodec(own) }
        if let scalar = type as? any JSONScalar.Type { return scalarCodec(scalar) }
        if let container = type as? any ContainerType.Type { return try containerCodec(container) }
        if let codec = PlatformType.codec(for: type) { return codec }
        if type == Any.self { return erased(ValueCodec<Any>.any) }
        if let model = type as? any ModelCoding.Type { return erased(model.erasedCodec()) }
        if let raw = type as? any RawRepresentable.Type, let codec: ValueCodec<Value> = try rawCodec(raw) {
            return codec
        }
        if let seed = type as? any InitializableWithDictionary.Type { return dictionaryCodec(seed) }
        if let decodable = type as? any Decodable.Type { return decodableCodec(decodable) }
        return nil
    }

    /// A faster codec for an array where the type alone decides.
    func directArrayCodec<Element>(for type: Element.Type) -> ValueCodec<[Element]>? {
        guard usesTypeAlone, !(type is any JSONConvertible.Type) else { return nil }
        func scalar(_ type: (some JSONScalar).Type) -> ValueCodec<[Element]>? { erased(type.arrayCodec) }
        func nested(_ type: (some JSONScalar).Type) -> ValueCodec<[Element]>? { erased(type.nestedArrayCodec) }
        if let type = type as? any JSONScalar.Type { return scalar(type) }
        if let inner = (type as? any ContainerType.Type)?.arrayElement, !(inner is any JSONConvertible.Type),
            let type = inner as? any JSONScalar.Type
        {
            return nested(type)
        }
        if let type = type as? any ModelCoding.Type { return erased(type.erasedArrayCodec()) }
        return nil
    }

    /// Restores a codec's static type. The cast cannot fail: each codec was made by opening `Value` itself.
    private func erased<Value>(_ codec: Any) -> ValueCodec<Value>? { codec as? ValueCodec<Value> }

    private func convert<Value>(_ converter: some Converter) -> ValueCodec<Value>? {
        converter.codec as? ValueCodec<Value>
    }

    private func scalarCodec<Value>(_ scalar: (some JSONScalar).Type) -> ValueCodec<Value>? { erased(scalar.codec) }

    private func convertibleCodec<Value>(_ type: (some JSONConvertible).Type) -> ValueCodec<Value>? {
        erased(type.convertibleCodec())
    }

    private func dictionaryCodec<Value>(_ type: (some InitializableWithDictionary).Type) -> ValueCodec<Value>? {
        erased(type.dictionaryCodec())
    }

    private func decodableCodec<Value>(_ type: (some Decodable).Type) -> ValueCodec<Value>? {
        erased(type.decodableCodec())
    }

    private func containerCodec<Value>(
        _ container: (some ContainerType).Type
    ) throws(InvalidModel) -> ValueCodec<Value>? {
        try container.makeCodec(self).flatMap { erased($0) }
    }

    private func rawCodec<Raw: RawRepresentable, Value>(_ raw: Raw.Type) throws(InvalidModel) -> ValueCodec<Value>? {
        // The converter is for the property's values, not for their raw values.
        try CodecBuilder(dates: dates).codec(for: Raw.RawValue.self).flatMap { erased(raw.rawCodec($0)) }
    }
}

/// The codecs of model classes. `Mapping/` makes ``AbstractModel`` conform.
protocol ModelCoding: MappedModel {
    /// A `ValueCodec<Self>`. Erased, because a class that is not final cannot promise a type that contains `Self`.
    static func erasedCodec() -> Any
    static func erasedArrayCodec() -> Any
}

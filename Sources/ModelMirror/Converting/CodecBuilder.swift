#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds the codec for one property's type.
///
/// The precedence stands here, first match: the property's converter, the class's rule (date formats), ``JSONConvertible``,
/// the built-in types, models, `RawRepresentable`, ``InitializableWithDictionary``, `Decodable`. It is decided once, when the
/// class's table is made, for the type and for every type inside it.
final class CodecBuilder {
    private let converter: (any Converter)?
    private let dates: DateConverter?
    /// Whether the converter's type was met.
    private(set) var isConverterUsed = false

    /// - Parameters:
    ///   - converter: The property's own converter.
    ///   - dates: What reads dates, if the class or the property says so.
    init(converter: (any Converter)? = nil, dates: DateConverter? = nil) {
        self.converter = converter
        self.dates = dates
    }

    /// The codec for a type, or nil if nothing converts it.
    func codec<Value>(for type: Value.Type) throws(InvalidModel) -> ValueCodec<Value>? {
        if converter is EmbeddedJSONConverter, !(type is any OptionalType.Type) {
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
        if let model = type as? any MappedModel.Type { return modelCodec(model) }
        if let raw = type as? any RawRepresentable.Type, let codec: ValueCodec<Value> = try rawCodec(raw) {
            return codec
        }
        if let seed = type as? any InitializableWithDictionary.Type { return dictionaryCodec(seed) }
        if let decodable = type as? any Decodable.Type { return decodableCodec(decodable) }
        return nil
    }

    /// A faster codec for an array, where nothing but its element's own type decides how an element is read.
    func directArrayCodec<Element>(for type: Element.Type) -> ValueCodec<[Element]>? {
        guard converter == nil, dates == nil, !(type is any JSONConvertible.Type) else { return nil }
        func scalar(_ type: (some JSONScalar).Type) -> ValueCodec<[Element]>? { erased(type.arrayCodec) }
        func model(_ type: (some MappedModel).Type) -> ValueCodec<[Element]>? {
            erased(type.modelArrayCodec())
        }
        if let type = type as? any JSONScalar.Type { return scalar(type) }
        if let type = type as? any MappedModel.Type { return model(type) }
        return nil
    }

    /// How a property is read and written. A structure, since closures in a tuple that is Optional are called through thunks.
    struct DirectRow {
        let read: PropertyRow.Read
        let write: PropertyRow.Write
    }

    /// Faster ways to read and write a property, where nothing but its own type decides how.
    func directRow(for type: Any.Type, at offset: Int) -> DirectRow? {
        guard converter == nil, dates == nil else { return nil }
        let optional = type as? any OptionalType.Type
        let inner = optional?.wrappedType ?? type
        guard !(inner is any JSONConvertible.Type) else { return nil }
        let isOptional = optional != nil
        if let scalar = inner as? any JSONScalar.Type {
            return DirectRow(
                read: scalar.rowRead(at: offset, isOptional: isOptional),
                write: scalar.rowWrite(at: offset, isOptional: isOptional))
        }
        if let model = inner as? any MappedModel.Type {
            return DirectRow(
                read: model.modelRowRead(at: offset, isOptional: isOptional),
                write: model.modelRowWrite(at: offset, isOptional: isOptional))
        }
        return nil
    }

    /// Gives a codec its static type back. The cast cannot fail: each codec was made by opening `Value` itself.
    private func erased<Value>(_ codec: Any) -> ValueCodec<Value>? { codec as? ValueCodec<Value> }

    private func convert<Value>(_ converter: some Converter) -> ValueCodec<Value>? {
        converter.codec as? ValueCodec<Value>
    }

    private func scalarCodec<Value>(_ scalar: (some JSONScalar).Type) -> ValueCodec<Value>? { erased(scalar.codec) }

    private func convertibleCodec<Value>(_ type: (some JSONConvertible).Type) -> ValueCodec<Value>? {
        erased(type.convertibleCodec())
    }

    private func modelCodec<Value>(_ type: (some MappedModel).Type) -> ValueCodec<Value>? {
        erased(type.modelCodec())
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
        // The converter is for the property's values, not for what they are made of.
        try CodecBuilder(dates: dates).codec(for: Raw.RawValue.self).flatMap { erased(raw.rawCodec($0)) }
    }
}

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
    private let rules: CodecRules
    /// Whether the codec is for a converter, which serves many tables.
    let isShared: Bool
    /// Whether a member beside the property names the class of its models.
    private let isTagged: Bool
    /// The declared class of such models.
    private(set) var taggedClass: AbstractModel.Type?
    /// Whether the converter was used for the type or a type inside it.
    private(set) var isConverterUsed = false
    /// Whether the type is a date, or one that may hold dates.
    private(set) var holdsDates = false
    /// Whether the type is ``AbstractModel`` itself, or holds it.
    private(set) var holdsBaseClass = false

    /// - Parameters:
    ///   - converter: The property's own converter.
    ///   - rules: The rules of the class and the property.
    ///   - isShared: Whether the codec is for a converter, which serves many tables.
    ///   - isTagged: Whether a member beside the property names the class of its models.
    init(
        converter: (any Converter)? = nil, rules: CodecRules = CodecRules(), isShared: Bool = false,
        isTagged: Bool = false
    ) {
        self.isTagged = isTagged
        self.converter = converter
        self.rules = rules
        self.isShared = isShared
    }

    /// Whether the type alone decides how its values look: neither a converter nor a rule applies. Not for containers, whose
    /// elements have to be checked too.
    func usesTypeAlone(_ type: Any.Type) -> Bool {
        guard converter == nil, !isTagged else { return false }
        if rules.dates != nil, type == Date.self { return false }
        return rules.nonFiniteNumbers == nil || !(type is any BinaryFloatingPoint.Type)
    }

    private let stack = StackRoom()
    /// Why a class is refused on a thread whose stack is nearly used up.
    static let lessStack = "the stack of the thread has no room to make its property table"

    /// The codec for a type; nil if there is none.
    ///
    /// The types inside it are looked up here rather than where the others are, whose unoptimised code takes 8 KB of stack.
    func codec<Value>(for type: Value.Type) throws(InvalidModel) -> ValueCodec<Value>? {
        guard isShared || stack.isLeft else {
            throw InvalidModel(model: "\(type)", property: nil, reason: CodecBuilder.lessStack, isTransient: true)
        }
        if (converter as? AnyConverter<JSONValue>)?.isEmbeddedJSON == true, !(type is any OptionalType.Type) {
            isConverterUsed = true
            return try CodecBuilder(rules: rules, isShared: isShared).codec(for: type)?.embedded
        }
        if let codec = ruledCodec(for: type) { return codec }
        if let container = type as? any ContainerType.Type { return try containerCodec(container) }
        return try otherCodec(for: type)
    }

    /// The codec of the property's converter or a rule, or that of a type which comes before containers.
    private func ruledCodec<Value>(for type: Value.Type) -> ValueCodec<Value>? {
        if let converter, let codec: ValueCodec<Value> = convert(converter) {
            isConverterUsed = true
            return codec
        }
        if type == Date.self { holdsDates = true }
        if type == AbstractModel.self { holdsBaseClass = true }
        if let dates = rules.dates, let codec = dates as? ValueCodec<Value> { return codec }
        if let codec: ValueCodec<Value> = nonFiniteCodec() { return codec }
        if let own = type as? any JSONConvertible.Type { return convertibleCodec(own) }
        if let scalar = type as? any JSONScalar.Type { return scalarCodec(scalar) }
        return nil
    }

    private func otherCodec<Value>(for type: Value.Type) throws(InvalidModel) -> ValueCodec<Value>? {
        if let codec = PlatformType.codec(for: type, dates: rules.dates) {
            holdsDates = true
            return codec
        }
        if let float = type as? any BinaryFloatingPoint.Type { return floatCodec(float) }
        if type == Any.self { return erased(ValueCodec<Any>.any) }
        if isTagged, let model = type as? any ModelCoding.Type {
            taggedClass = model
            return erased(model.erasedTaggedCodec())
        }
        if let model = type as? any ModelCoding.Type { return erased(model.erasedCodec(isShared: isShared)) }
        if let raw = type as? any RawRepresentable.Type, let codec: ValueCodec<Value> = try rawCodec(raw) {
            return codec
        }
        // After the standard types, which are Decodable too.
        if type is any Decodable.Type { holdsDates = true }
        if let seed = type as? any InitializableWithDictionary.Type { return dictionaryCodec(seed) }
        if let decodable = type as? any Decodable.Type { return decodableCodec(decodable) }
        return nil
    }

    /// A faster codec for an array where the type alone decides.
    func directArrayCodec<Element>(for type: Element.Type) -> ValueCodec<[Element]>? {
        guard usesTypeAlone(type), !(type is any JSONConvertible.Type) else { return nil }
        func scalar(_ type: (some JSONScalar).Type) -> ValueCodec<[Element]>? { erased(type.arrayCodec) }
        func nested(_ type: (some JSONScalar).Type) -> ValueCodec<[Element]>? { erased(type.nestedArrayCodec) }
        if let type = type as? any JSONScalar.Type { return scalar(type) }
        if let inner = (type as? any ContainerType.Type)?.arrayElement, usesTypeAlone(inner),
            !(inner is any JSONConvertible.Type), let type = inner as? any JSONScalar.Type
        {
            return nested(type)
        }
        if type == AbstractModel.self { holdsBaseClass = true }
        if let type = type as? any ModelCoding.Type { return erased(type.erasedArrayCodec(isShared: isShared)) }
        return nil
    }

    /// Restores a codec's static type. The cast cannot fail: each codec was made by opening `Value` itself.
    private func erased<Value>(_ codec: Any) -> ValueCodec<Value>? { codec as? ValueCodec<Value> }

    private func convert<Value>(_ converter: some Converter) -> ValueCodec<Value>? {
        converter.codec as? ValueCodec<Value>
    }

    /// The codec for a floating-point type where strings stand for infinities and NaN.
    private func nonFiniteCodec<Value>() -> ValueCodec<Value>? {
        guard let strings = rules.nonFiniteNumbers, let number = Value.self as? any NonFiniteScalar.Type else {
            return nil
        }
        func open(_ type: (some NonFiniteScalar).Type) -> ValueCodec<Value>? { erased(type.codec(strings)) }
        return open(number)
    }

    /// The codec for another floating-point type, mainly `CGFloat`, through `Double`.
    private func floatCodec<Float: BinaryFloatingPoint, Value>(_ type: Float.Type) -> ValueCodec<Value>? {
        let double: ValueCodec<Double> = nonFiniteCodec() ?? Double.codec
        // A value that is too large must not become infinite.
        return erased(
            double.bridged(
                range: .number(Float.self),
                to: { double in
                    let value = Float(double)
                    return value.isFinite || !double.isFinite ? value : nil
                }, from: { Double($0) }))
    }

    private func scalarCodec<Value>(_ scalar: (some JSONScalar).Type) -> ValueCodec<Value>? { erased(scalar.codec) }

    private func convertibleCodec<Value>(_ type: (some JSONConvertible).Type) -> ValueCodec<Value>? {
        erased(type.convertibleCodec())
    }

    private func dictionaryCodec<Value>(_ type: (some InitializableWithDictionary).Type) -> ValueCodec<Value>? {
        erased(type.dictionaryCodec(rules))
    }

    private func decodableCodec<Value>(_ type: (some Decodable).Type) -> ValueCodec<Value>? {
        erased(type.decodableCodec(rules))
    }

    private func containerCodec<Value>(
        _ container: (some ContainerType).Type
    ) throws(InvalidModel) -> ValueCodec<Value>? {
        try container.makeCodec(self).flatMap { erased($0) }
    }

    private func rawCodec<Raw: RawRepresentable, Value>(_ raw: Raw.Type) throws(InvalidModel) -> ValueCodec<Value>? {
        // The converter is for the property's values, not for their raw values.
        try CodecBuilder(rules: rules, isShared: isShared).codec(for: Raw.RawValue.self).flatMap {
            erased(raw.rawCodec($0))
        }
    }
}

/// The codecs of model classes. `Mapping/` makes ``AbstractModel`` conform.
protocol ModelCoding: MappedModel {
    /// A `ValueCodec<Self>`. Erased, because a class that is not final cannot promise a type that contains `Self`.
    ///
    /// - Parameter isShared: Whether it is for a converter, which serves many tables.
    static func erasedCodec(isShared: Bool) -> Any
    /// Like ``erasedCodec(isShared:)``, for objects whose class is named by a member beside the property.
    static func erasedTaggedCodec() -> Any
    /// A `ValueCodec<[Self]>`.
    static func erasedArrayCodec(isShared: Bool) -> Any
}

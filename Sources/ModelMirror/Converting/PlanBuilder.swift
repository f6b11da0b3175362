#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds the plan for one property's type.
///
/// The first match is used: the property's converter, the class's date formats, ``JSONConvertible``, the built-in types, models,
/// `RawRepresentable`, ``InitializableWithDictionary``, `Decodable`. It is decided once, when the class's table is made, for the
/// type and every type inside it.
final class PlanBuilder {
    private let converter: (any Converter)?
    private let rules: PlanRules
    /// Whether the plan is for a converter, which serves many tables.
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
    ///   - isShared: Whether the plan is for a converter, which serves many tables.
    ///   - isTagged: Whether a member beside the property names the class of its models.
    init(
        converter: (any Converter)? = nil, rules: PlanRules = PlanRules(), isShared: Bool = false,
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

    /// The plan for a type; nil if there is none.
    ///
    /// The types inside it are looked up here rather than where the others are, whose unoptimised code takes 8 KB of stack.
    func plan<Value>(for type: Value.Type) throws(InvalidModel) -> TypePlan<Value>? {
        guard isShared || stack.isLeft else {
            throw InvalidModel(model: "\(type)", property: nil, reason: PlanBuilder.lessStack, isTransient: true)
        }
        if (converter as? AnyConverter<JSONValue>)?.isEmbeddedJSON == true, !(type is any OptionalType.Type) {
            isConverterUsed = true
            return try PlanBuilder(rules: rules, isShared: isShared).plan(for: type)?.embedded
        }
        if let plan = ruledPlan(for: type) { return plan }
        if let container = type as? any ContainerType.Type { return try containerPlan(container) }
        return try otherPlan(for: type)
    }

    /// The plan of the property's converter or a rule, or that of a type which comes before containers.
    private func ruledPlan<Value>(for type: Value.Type) -> TypePlan<Value>? {
        if let converter, let plan: TypePlan<Value> = convert(converter) {
            isConverterUsed = true
            return plan
        }
        if type == Date.self { holdsDates = true }
        if type == AbstractModel.self { holdsBaseClass = true }
        if let dates = rules.dates, let plan = dates as? TypePlan<Value> { return plan }
        if let plan: TypePlan<Value> = nonFinitePlan() { return plan }
        if let own = type as? any JSONConvertible.Type { return convertiblePlan(own) }
        if let scalar = type as? any JSONScalar.Type { return scalarPlan(scalar) }
        return nil
    }

    private func otherPlan<Value>(for type: Value.Type) throws(InvalidModel) -> TypePlan<Value>? {
        if let plan = PlatformType.plan(for: type, dates: rules.dates) {
            holdsDates = true
            return plan
        }
        if let float = type as? any BinaryFloatingPoint.Type { return floatPlan(float) }
        if type == Any.self { return erased(TypePlan<Any>.any) }
        if isTagged, let model = type as? any PlannedModel.Type {
            taggedClass = model
            return erased(model.erasedTaggedPlan())
        }
        if let model = type as? any PlannedModel.Type { return erased(model.erasedPlan(isShared: isShared)) }
        if let raw = type as? any RawRepresentable.Type, let plan: TypePlan<Value> = try rawPlan(raw) {
            return plan
        }
        // After the standard types, which are Decodable too.
        if type is any Decodable.Type { holdsDates = true }
        if let seed = type as? any InitializableWithDictionary.Type { return dictionaryPlan(seed) }
        if let decodable = type as? any Decodable.Type { return decodablePlan(decodable) }
        return nil
    }

    /// A faster plan for an array where the type alone decides.
    func directArrayPlan<Element>(for type: Element.Type) -> TypePlan<[Element]>? {
        guard usesTypeAlone(type), !(type is any JSONConvertible.Type) else { return nil }
        func scalar(_ type: (some JSONScalar).Type) -> TypePlan<[Element]>? { erased(type.arrayPlan) }
        func nested(_ type: (some JSONScalar).Type) -> TypePlan<[Element]>? { erased(type.nestedArrayPlan) }
        if let type = type as? any JSONScalar.Type { return scalar(type) }
        if let inner = (type as? any ContainerType.Type)?.arrayElement, usesTypeAlone(inner),
            !(inner is any JSONConvertible.Type), let type = inner as? any JSONScalar.Type
        {
            return nested(type)
        }
        if type == AbstractModel.self { holdsBaseClass = true }
        if let type = type as? any PlannedModel.Type { return erased(type.erasedArrayPlan(isShared: isShared)) }
        return nil
    }

    /// Restores a plan's static type. The cast cannot fail: each plan was made by opening `Value` itself.
    private func erased<Value>(_ plan: Any) -> TypePlan<Value>? { plan as? TypePlan<Value> }

    private func convert<Value>(_ converter: some Converter) -> TypePlan<Value>? {
        converter.plan as? TypePlan<Value>
    }

    /// The plan for a floating-point type where strings stand for infinities and NaN.
    private func nonFinitePlan<Value>() -> TypePlan<Value>? {
        guard let strings = rules.nonFiniteNumbers, let number = Value.self as? any NonFiniteScalar.Type else {
            return nil
        }
        func open(_ type: (some NonFiniteScalar).Type) -> TypePlan<Value>? { erased(type.plan(strings)) }
        return open(number)
    }

    /// The plan for another floating-point type, mainly `CGFloat`, through `Double`.
    private func floatPlan<Float: BinaryFloatingPoint, Value>(_ type: Float.Type) -> TypePlan<Value>? {
        let double: TypePlan<Double> = nonFinitePlan() ?? Double.plan
        // A value that is too large must not become infinite.
        return erased(
            double.bridged(
                range: .number(Float.self),
                to: { double in
                    let value = Float(double)
                    return value.isFinite || !double.isFinite ? value : nil
                }, from: { Double($0) }))
    }

    private func scalarPlan<Value>(_ scalar: (some JSONScalar).Type) -> TypePlan<Value>? { erased(scalar.plan) }

    private func convertiblePlan<Value>(_ type: (some JSONConvertible).Type) -> TypePlan<Value>? {
        erased(type.convertiblePlan())
    }

    private func dictionaryPlan<Value>(_ type: (some InitializableWithDictionary).Type) -> TypePlan<Value>? {
        erased(type.dictionaryPlan(rules))
    }

    private func decodablePlan<Value>(_ type: (some Decodable).Type) -> TypePlan<Value>? {
        erased(type.decodablePlan(rules))
    }

    private func containerPlan<Value>(
        _ container: (some ContainerType).Type
    ) throws(InvalidModel) -> TypePlan<Value>? {
        try container.makePlan(self).flatMap { erased($0) }
    }

    private func rawPlan<Raw: RawRepresentable, Value>(_ raw: Raw.Type) throws(InvalidModel) -> TypePlan<Value>? {
        // The converter is for the property's values, not for their raw values.
        try PlanBuilder(rules: rules, isShared: isShared).plan(for: Raw.RawValue.self).flatMap {
            erased(raw.rawPlan($0))
        }
    }
}

/// The plans of model classes. `Mapping/` makes ``AbstractModel`` conform.
protocol PlannedModel: MappedModel {
    /// A `TypePlan<Self>`. Erased, because a class that is not final cannot promise a type that contains `Self`.
    ///
    /// - Parameter isShared: Whether it is for a converter, which serves many tables.
    static func erasedPlan(isShared: Bool) -> Any
    /// Like ``erasedPlan(isShared:)``, for objects whose class is named by a member beside the property.
    static func erasedTaggedPlan() -> Any
    /// A `TypePlan<[Self]>`.
    static func erasedArrayPlan(isShared: Bool) -> Any
}

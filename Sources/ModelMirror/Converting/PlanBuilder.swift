import ModelMirrorFoundation

/// What the plan of a type cannot do: read a type that is only `Encodable`, write one that is only `Decodable`, either for one that
/// nothing converts.
typealias PlanLimits = (unreadable: Any.Type?, unwritable: Any.Type?)

/// Finds the plan for one property's type.
///
/// The first match is used: the property's converter, the class's date formats, ``JSONConvertible``, the built-in types, models,
/// `RawRepresentable`, ``InitializableWithDictionary``, `Decodable`, `Encodable`. It is decided once, when the class's table is made, for the
/// type and every type inside it.
final class PlanBuilder {
    private let converter: (any Converter)?
    private let rules: TableRules
    /// Whether the plan is for a converter, which serves many tables.
    let isShared: Bool
    /// Whether a member beside the property names the class of its models.
    let isTagged: Bool
    /// The declared class of such models.
    var taggedClass: AbstractModel.Type?
    /// Whether the converter was used for the type or a type inside it.
    private(set) var isConverterUsed = false
    /// Whether the type is a date, or one that may hold dates.
    private(set) var holdsDates = false
    /// The first type, this one or one inside it, that cannot be read, and the first that cannot be written.
    private(set) var limits: PlanLimits = (nil, nil)

    /// - Parameters:
    ///   - converter: The property's own converter.
    ///   - rules: The rules of the class and the property.
    ///   - isShared: Whether the plan is for a converter, which serves many tables.
    ///   - isTagged: Whether a member beside the property names the class of its models.
    init(
        converter: (any Converter)? = nil, rules: TableRules = TableRules(), isShared: Bool = false,
        isTagged: Bool = false
    ) {
        self.isTagged = isTagged
        self.converter = converter
        self.rules = rules
        self.isShared = isShared
    }

    private let stack = StackRoom()
    /// Why a class is refused on a thread whose stack is nearly used up.
    static let lessStack = "the thread's stack is too small to make its property table"

    /// The plan for a type; nil if there is none.
    ///
    /// The types inside it are looked up from here. All else is in other functions, whose unoptimized code takes 8 KB of stack.
    func plan<Value>(for type: Value.Type) throws(InvalidModel) -> TypePlan<Value>? {
        try checkStack(type)
        var plan = try convertedPlan(type)
        if plan == nil { plan = try anyPlan(for: type) }
        return plan as? TypePlan<Value>
    }

    private func checkStack(_ type: Any.Type) throws(InvalidModel) {
        guard isShared || stack.isLeft else { throw InvalidModel(type, PlanBuilder.lessStack, isTransient: true) }
    }

    /// The plan of the property's converter, if it is one for the type.
    private func convertedPlan<Value>(_ type: Value.Type) throws(InvalidModel) -> Any? {
        guard let converter else { return nil }
        if let orObject = (converter as? AnyConverter<JSONValue>)?.embedsOrObject, !(type is any OptionalType.Type) {
            isConverterUsed = true
            let inner = PlanBuilder(rules: rules, isShared: isShared)
            defer { limits = inner.limits }
            return try inner.plan(for: type)?.embedded(orObject: orObject)
        }
        guard let plan = PlanBuilder.plan(of: converter) as? TypePlan<Value> else { return nil }
        isConverterUsed = true
        return plan
    }

    /// The plan of the type, or that of a rule for it.
    private func anyPlan(for type: Any.Type) throws(InvalidModel) -> Any? {
        if type == Date.self { holdsDates = true }
        let planned = KnownTypes.planned(type)
        if let plan = planned?.ruledPlan(rules) { return plan }
        if let own = type as? any JSONConvertible.Type { return PlanBuilder.plan(converting: own) }
        if let planned { return try planned.anyPlan(self) }
        return try otherPlan(for: type)
    }

    /// The plan of a type that has none of its own.
    private func otherPlan(for type: Any.Type) throws(InvalidModel) -> Any? {
        if let plan = PlatformType.plan(for: type, rules) {
            holdsDates = true
            return plan
        }
        if let float = type as? any BinaryFloatingPoint.Type { return plan(through: float) }
        if type == Any.self { return TypePlan<Any>.any }
        if let listed = type as? any MappedEnum.Type { return try listed.enumPlan(self) }
        // The converter is for the property's values, not for their raw values.
        let raw = PlanBuilder(rules: rules, isShared: isShared)
        if let type = type as? any RawRepresentable.Type, let plan = try type.plan(raw) { return plan }
        // After the standard types, which are Decodable too.
        if type is any Decodable.Type { holdsDates = true }
        let encodable = type as? any Encodable.Type
        let named = encodable == nil && !(type is any Decodable.Type) ? type as? any CaseIterable.Type : nil
        if let named, let plan = PlanBuilder.plan(naming: named) { return plan }
        if encodable == nil { limits.unwritable = limits.unwritable ?? type }
        if let seed = type as? any InitializableWithDictionary.Type { return PlanBuilder.plan(filling: seed, rules) }
        if let decodable = type as? any Decodable.Type { return PlanBuilder.plan(decoding: decodable, rules) }
        limits.unreadable = limits.unreadable ?? type
        return encodable.map { PlanBuilder.plan(encoding: $0, rules) }
    }

    /// The enums whose plans are being made.
    var open: Set<ObjectIdentifier> = []

    private static func plan(of converter: some Converter) -> Any { converter.plan }

    /// The plan for another floating-point type, mainly `CGFloat`, through `Double`.
    private func plan<Value: BinaryFloatingPoint>(through type: Value.Type) -> Any {
        // A value that is too large must not become infinite; one that is too small becomes ±0, which is recorded.
        (Double.plan(by: rules) ?? Double.plan).bridged(
            range: .number(type), unknown: { abs($0) < 1 ? Value($0) : nil },
            to: { double in
                let value = Value(double)
                return value.isFinite && (value != 0 || double == 0) || !double.isFinite ? value : nil
            }, from: \.asWritten)
    }
}

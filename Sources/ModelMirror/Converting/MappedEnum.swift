/// An enum that lists its cases with their JSON values.
///
/// ```swift
/// enum Level: MappedEnum {
///     case low, mid, high
///     static var enumCases: EnumCases<Level> {
///         .outside([.case(.low, "low", "l", 0), .case(.mid, "mid", in: 10...19), .case(.high, "high", in: 20...99)])
///     }
/// }
/// enum Shape: MappedEnum {
///     case empty, circle(Circle), square(side: Double)
///     static var enumCases: EnumCases<Shape> {
///         .inside(tag: "type", [.case(.empty, "empty"), .case(Shape.circle, "circle"), .case(Shape.square, "square")])
///     }
/// }
/// ```
///
/// An enum without payloads needs no list if it is `CaseIterable`, neither raw-representable nor `Codable`, and has no description of its
/// own: the names of its cases are their JSON values. Unknown names do not fit, unless the enum is an ``UnknownCase``.
public protocol MappedEnum: SendableMetatype {
    /// The cases, and where the names of those with payloads are. Read once for each property,
    /// and by ``AbstractModel/validate()`` for each value.
    static var enumCases: EnumCases<Self> { get }
}

/// Where the name of a case is, if the case has a payload. A case without a payload is its name alone in ``outside(_:)`` and
/// ``untagged(_:)``, and an object with the name in the other forms.
public enum EnumCases<Value> {
    /// The only key of an object around the payload: `{"circle": {"radius": 1}}`.
    case outside([EnumCase<Value>])
    /// A member of the payload, which is an object: `{"type": "circle", "radius": 1}`.
    case inside(tag: String, [EnumCase<Value>])
    /// A member beside the payload: `{"type": "circle", "value": {"radius": 1}}`. Other members are unknown keys.
    case beside(tag: String, payload: String, [EnumCase<Value>])
    /// Nowhere: the first case whose payload fits is used. Names of cases with payloads have no effect.
    case untagged([EnumCase<Value>])
}

/// A case of a ``MappedEnum`` with its JSON values.
public struct EnumCase<Value> {
    /// The plan of the case; nil if nothing converts its payload.
    let plan: (PlanBuilder) throws(InvalidModel) -> CasePlan<Value>?
    /// The payload of a value of the case; nil without a payload, and for other cases.
    var payload: (Value) -> Any? = { _ in nil }
    /// The name of a case with a payload.
    var name: JSONValue?

    /// A case without a payload.
    ///
    /// - Parameters:
    ///   - value: The case.
    ///   - names: Its JSON values: strings, numbers or Booleans. The first is written.
    ///   - ranges: Ranges of numbers that also mean it. Without names, the lower bound of the first is written.
    public static func `case`(_ value: Value, _ names: JSONValue..., in ranges: ClosedRange<Double>...) -> EnumCase {
        EnumCase { _ in CasePlan(value, names, ranges) }
    }

    /// A case with one payload, of any type that a property may have.
    ///
    /// - Parameters:
    ///   - make: The case as a function: `Shape.circle`.
    ///   - names: Its JSON names; the first is written.
    public static func `case`<Payload>(_ make: @escaping (Payload) -> Value, _ names: JSONValue...) -> EnumCase {
        EnumCase(
            plan: { builder throws(InvalidModel) in
                try builder.plan(for: Payload.self).map { CasePlan(names, $0, make) }
            }, payload: { CasePlan.payload(of: $0, make) }, name: names.first)
    }
}

import ModelMirrorFoundation

/// What the library asks of types, answered for common ones without a search of the runtime.
///
/// To find whether a type conforms to a protocol, the runtime reads the list of all conformances of a program once, which takes tens of
/// thousands of instructions for each type and protocol: most of the time of a program's first mapping.
enum KnownTypes {
    /// `@unchecked Sendable`: metatypes only.
    private struct Known: @unchecked Sendable {
        let planned: any (PlannedType & Equatable).Type
        var optional: (any OptionalType.Type)?
    }

    private static let known: [ObjectIdentifier: Known] = {
        var known: [ObjectIdentifier: Known] = [:]
        known.reserveCapacity(36)
        func add<Value: JSONScalar>(_ type: Value.Type) {
            known[ObjectIdentifier(type)] = Known(planned: type)
            known[ObjectIdentifier(Value?.self)] = Known(planned: Value?.self, optional: Value?.self)
            known[ObjectIdentifier([Value].self)] = Known(planned: [Value].self)
        }
        let scalars: [any JSONScalar.Type] = [
            String.self, Int.self, Bool.self, Double.self, Date.self, URL.self, UUID.self, Int64.self, Float.self,
            Decimal.self, Data.self, JSONValue.self,
        ]
        for scalar in scalars { add(scalar) }
        return known
    }()

    /// Whether the type is a common one.
    static func contains(_ type: Any.Type) -> Bool { known[ObjectIdentifier(type)] != nil }

    /// The type as one that has a plan of its own; nil if it has none.
    static func planned(_ type: Any.Type) -> (any PlannedType.Type)? {
        known[ObjectIdentifier(type)]?.planned ?? type as? any PlannedType.Type
    }

    /// The type as an Optional; nil if it is none.
    static func optional(_ type: Any.Type) -> (any OptionalType.Type)? {
        if let known = known[ObjectIdentifier(type)] { return known.optional }
        return type is AnyClass ? nil : type as? any OptionalType.Type
    }

    /// Whether a value of a type is equal to another, or not equal to itself (NaN), which proves nothing; nil if the type is not
    /// `Equatable`.
    static func agree(_ one: Any, _ other: Any, as type: Any.Type) -> Bool? {
        guard let type = known[ObjectIdentifier(type)]?.planned ?? type as? any Equatable.Type else { return nil }
        return agree(type, one, other)
    }

    private static func agree<Value: Equatable>(_: Value.Type, _ one: Any, _ other: Any) -> Bool {
        guard let one = one as? Value, let other = other as? Value else { return false }
        return one == other || one != one
    }
}

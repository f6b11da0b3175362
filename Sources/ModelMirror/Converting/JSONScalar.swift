/// A type that is read directly from the bytes.
///
/// The conformance is all that the library knows of a type: its form and limits, and its part as a key of dictionaries, inside
/// `Decodable` types and in messages. A scalar whose text is all of it is a ``TextScalar``, which needs three members.
protocol JSONScalar: Hashable, StandardParameter, PlannedType {
    /// The expected value.
    static var expected: Expectation { get }
    /// Reads the value at the cursor, of any kind; nil if it does not fit, with a recorded finding.
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self?

    /// Writes the value; one that cannot be written is rejected by the session.
    func write(_ writer: inout JSONWriter, _ session: WritingSink)

    // MARK: Where it differs from other scalars

    /// The JSON Schema of values that strict mapping accepts; by default any string.
    static var schema: JSONValue { get }
    /// Whether `null` is an ordinary value of the type.
    static var acceptsNull: Bool { get }
    /// The plan by the rules of a class; nil if none of them concerns the type.
    static func plan(by rules: TableRules) -> TypePlan<Self>?
    /// How keys of dictionaries become values; nil if no key does.
    static var key: KeyPlan<Self>? { get }
    /// The value that JSON holds as it is, for any rules of a class; nil if only the plan can tell.
    static func plainValue(of json: JSONValue) -> Self?
    /// Whether a `Decodable` type has the type's own `Codable` form, rather than the form of a property.
    static var decodesItself: Bool { get }
    /// The value in messages; nil for values that are only named by their type.
    var shownText: String? { get }

    // MARK: Arrays and places in memory

    static var arrayPlan: TypePlan<[Self]> { get }
    /// How properties of this type are stored; nil for types that are not common.
    static var storage: StoragePlan? { get }
    /// How the loops read and write a property of this type, and of its Optional.
    static var kinds: (property: PropertyKind, optional: PropertyKind) { get }
}

/// A common scalar: the compiler makes functions for its properties and arrays.
protocol CommonScalar: JSONScalar {
    /// Reads the array at the cursor. Elements that do not fit are left out and recorded.
    ///
    /// - Returns: nil, with a recorded issue, if there is no array at the cursor.
    static func readArray(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> [Self]?
    /// How properties are stored that are arrays of this type.
    static func arrayStorage(of plan: TypePlan<[Self]>) -> StoragePlan?
}

/// A common scalar of which documents hold many arrays, and arrays of arrays: the compiler makes functions for those too.
protocol NestedScalar: CommonScalar {}

extension JSONScalar {
    static var plan: TypePlan<Self> {
        TypePlan(
            expected: expected, acceptsNull: acceptsNull,
            read: { reader, session, store throws(Interruption) in try read(&reader, session).isStored(by: store) },
            write: { value, writer, session in value.write(&writer, session) }, isEqual: ==, schema: { _ in schema },
            arrayPlan: { arrayPlan }, storage: storage)
    }

    static func anyPlan(_ builder: PlanBuilder) -> Any? { plan }
    static func ruledPlan(_ rules: TableRules) -> Any? { plan(by: rules) }
    static var schema: JSONValue { ["type": "string"] }
    static var acceptsNull: Bool { false }
    static func plan(by rules: TableRules) -> TypePlan<Self>? { nil }
    static var key: KeyPlan<Self>? { nil }
    static func plainValue(of json: JSONValue) -> Self? { nil }
    static var decodesItself: Bool { false }
    var shownText: String? { "\(self)" }
    static var storage: StoragePlan? { nil }
    static func arrayStorage(of plan: TypePlan<[Self]>) -> StoragePlan? { nil }
    /// By the plan of any array, which is compiled once for all of these types.
    @_semantics("optimize.sil.specialize.generic.never")
    static var arrayPlan: TypePlan<[Self]> { .array(of: plan) }
    static var kinds: (property: PropertyKind, optional: PropertyKind) { (.other, .other) }

    /// The value of JSON inside a `Decodable` type, as strict mapping reads it.
    ///
    /// - Throws: ``ConversionError``, which is often more exact than ``expected(by:)``, or any error of a user's own code.
    @_semantics("optimize.sil.specialize.generic.never")
    static func decoded(from json: JSONValue, by rules: TableRules) throws -> Self {
        try plainValue(of: json) ?? (plan(by: rules) ?? plan).value(of: json, isStrict: true)
    }

    /// What is expected inside a `Decodable` type where there is no value.
    static func expected(by rules: TableRules) -> Expectation { (plan(by: rules) ?? plan).expected }
}

/// How the keys of one dictionary type are read from JSON keys and written to them.
///
/// `@unchecked Sendable` for the same reason as ``TypePlan``: the closures capture only metatypes and other plans.
struct KeyPlan<Key>: @unchecked Sendable {
    /// The expected key, as in "a key that is …".
    let expected: Expectation
    /// The value of a key; nil if it does not fit.
    let value: (String) -> Key?
    /// The text of a key; nil if it has none, as NaN.
    let text: (Key) -> String?
    /// What is expected in place of a key that is a number beyond the type's range; nil for any other key.
    var range: (String) -> Expectation? = { _ in nil }
    /// What the JSON Schema of a dictionary says of its keys, but for the limits of numbers.
    var schema: () -> [String: JSONValue] = { [:] }

    /// The plan for `Key`, or nil if it is neither a scalar that can be a key, nor raw-representable as one.
    static func make() -> KeyPlan? {
        func scalar(_ type: (some JSONScalar).Type) -> KeyPlan? { type.key as? KeyPlan }
        func raw<Raw: RawRepresentable>(_ type: Raw.Type) -> KeyPlan? {
            guard let key = KeyPlan<Raw.RawValue>.make() else { return nil }
            return KeyPlan<Raw>(
                expected: .rawKey(of: type), value: { key.value($0).flatMap(Raw.init(rawValue:)) },
                text: { key.text($0.rawValue) },
                schema: {
                    let texts = Raw.RawValue.self is String.Type ? (type as? any CaseIterable.Type)?.rawTexts ?? [] : []
                    return texts.isEmpty ? key.schema() : ["propertyNames": ["enum": .array(texts)]]
                }) as? KeyPlan
        }
        if let known = Key.self as? any JSONScalar.Type { return scalar(known) }
        return (Key.self as? any RawRepresentable.Type).flatMap { raw($0) }
    }
}

extension Dictionary: RuleMembers {
    static var memberType: Any.Type { Value.self }
    static var impossibleKey: Any.Type? { KeyPlan<Key>.make() == nil ? Key.self : nil }
    static func text(ofKey key: String) -> String? {
        KeyPlan<Key>.make().flatMap { plan in plan.value(key).flatMap(plan.text) }
    }

    var members: [(key: String, value: Any)] {
        let plan = KeyPlan<Key>.make()
        return map { member in (plan?.text(member.key) ?? "\(member.key)", member.value as Any) }
            .ordered { $0.key.precedes($1.key) }
    }
}

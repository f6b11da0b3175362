/// One property of a class, ready to be mapped.
///
/// The hot operations are closures, made where the property's type is known; the cold ones are those of ``values``. (Measured: as an
/// overridden method of a generic class, reading takes six times as long.)
///
/// A class, so that the mapping loop passes it by one reference. `@unchecked Sendable`: nothing changes after init, and the
/// closures capture only plans (see ``TypePlan``), offsets and metatypes.
final class PropertyRow: @unchecked Sendable {
    /// The property's name in Swift.
    let name: String
    /// Where its value is, the preferred place first; for a flattened property, where its members are.
    var places: [[JSONPath.Step]] { key.places }
    /// The other places that belong to the property: that where it is only written, and those of its objects' class names.
    var otherPlaces: [[JSONPath.Step]] { (key.placeOnlyWritten.map { [$0] } ?? []) + (dynamicTypes?.key.places ?? []) }
    /// Where its value is read and written.
    let key: PropertyKey
    /// How the property's members stand in the object around it; nil if it has an object of its own.
    let flattening: Flattening?
    let isRequired: Bool
    /// Whether it can be assigned: a key path may have no setter.
    let isWritable: Bool
    /// Whether the property is read from JSON, and whether it is written to it.
    let isRead: Bool
    let isWritten: Bool
    /// Whether the property takes the keys that no other takes.
    let takesUnknownKeys: Bool
    /// The classes of the property's objects, if a member beside it names them.
    let dynamicTypes: DynamicPropertyTypes?
    /// Whether the property holds a model without a converter.
    let isModel: Bool
    /// Whether a converter of the class reads the property.
    let hasConverter: Bool
    /// Whether the property can be nil.
    let isOptional: Bool
    /// Whether something reads the type; if nothing does, the model assigns the property itself.
    let isConvertible: Bool
    /// How its value is read, written and set to nil; not read if nothing converts the type.
    let stored: StoredProperty
    /// Whether `null` is read like any value; false for Optional properties, which it sets to nil.
    let acceptsNull: Bool
    /// Whether the property's value is nil.
    let isNil: NilCheck
    typealias NilCheck = (AbstractModel) -> Bool
    /// Bytes from the object's address to the property; 0 if it is reached through a key path.
    let offset: Int
    /// The cold operations on the property's values.
    let values: any PropertyValues
    /// The expected value.
    let expected: Expectation

    /// Whether the value is read when its key is: no other member and no rule has to be known.
    var isReadDirectly: Bool { isConvertible && dynamicTypes == nil && values.rule == nil && flattening == nil }

    /// Whether strict mapping accepts `null` for the property.
    var isNullable: Bool { isOptional ? !isRequired : acceptsNull }

    /// The name of a class that the property holds in an object.
    func typeName(heldBy object: AbstractModel) -> String? { JSONValue.bound(values.value(of: object))?.typeName }

    /// - Parameter tagged: The class of the property's models, if a member beside it names their class.
    init<Value>(
        _ name: String, at key: PropertyKey, by rules: ClassRules, _ values: TypedValues<Value>,
        tagged: AbstractModel.Type?, _ flattening: Flattening? = nil
    ) {
        self.flattening = flattening
        let (access, plan) = (values.access, values.plan)
        self.name = name
        self.key = key
        self.values = values
        expected = plan.expected
        isModel = plan.held is AbstractModel.Type && !plan.isCollection
        offset = access.offset ?? 0
        isRequired = rules.required.contains(name)
        hasConverter = rules.converters[name] != nil || rules.propertyDateFormats[name] != nil
        takesUnknownKeys = name == rules.unknownKeysProperty
        var dynamicTypes = rules.dynamicTypes[name]
        dynamicTypes?.declared = tagged
        self.dynamicTypes = dynamicTypes
        isWritable = access.isWritable
        isRead = isWritable && !takesUnknownKeys && !rules.ignored.contains(name) && !rules.writeOnly.contains(name)
        isWritten = !takesUnknownKeys && !rules.ignored.contains(name) && !rules.readOnly.contains(name)
        isConvertible = values.limits.unreadable == nil
        // Not by `??` or `map`: a closure that passes through a generic operator is called through thunks from then on.
        let optional = KnownTypes.optional(Value.self)
        isOptional = optional != nil
        let isNil: NilCheck = if let optional { PropertyRow.nilCheck(optional, access) } else { { _ in false } }
        self.isNil = isNil
        acceptsNull = !isOptional && (plan.acceptsNull || plan.asksNull)
        if let offset = access.offset, let stored = plan.storage?.property(offset) {
            self.stored = stored
            return
        }
        stored = StoredProperty(
            read: { reader, session, object throws(Interruption) in
                try plan.read(&reader, session) { access.store($0, object) }
            },
            write: { object, writer, session in
                if isNil(object) {
                    writer.writeNull()
                    return false
                }
                plan.write(access.load(object), &writer, session)
                return true
            }, storeNil: { values.storeNil(in: $0) })
    }

    /// Not in an Optional: a closure that a generic function returns in one is called through thunks.
    private static func nilCheck<Value>(_ type: (some OptionalType).Type, _ access: FieldAccess<Value>) -> NilCheck {
        if let offset = access.offset { return { ModelStorage.load(type, at: offset, of: $0).isNone } }
        return { (access.load($0) as? any OptionalType)?.isNone ?? false }
    }
}

/// Operations on the values of one property of any type.
protocol PropertyValues: AnyObject {
    /// The property's declared type.
    var type: Any.Type { get }
    /// Whether a value is stored even if elements of it were left out.
    var isCollection: Bool { get }
    /// The types of values, or those inside them, that cannot be read or written.
    var limits: PlanLimits { get }
    /// The rule that values must obey.
    var rule: RuleForm.Bound? { get }
    /// Whether values are copied deeply, as those that hold models are.
    var isDeep: Bool { get }
    /// The property's value.
    func value(of object: AbstractModel) -> Any
    /// Whether two objects have equal values.
    func areEqual(_ left: AbstractModel, _ right: AbstractModel) -> Bool
    /// Puts a deep copy of the first object's value into the second object.
    func copy(from source: AbstractModel, to target: AbstractModel) throws(ModelError)
    /// The JSON Schema of values that strict mapping accepts.
    func schema(_ sink: SchemaSink) -> JSONValue
    /// Reads the value at the cursor without storing it; nil if it does not fit, as in ``StoredProperty/Read``.
    func stage(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> (any StagedValue)?
    /// Stores an object of the property's class.
    func storeModel(_ model: AbstractModel, in object: AbstractModel)
    /// As ``stage(_:_:)`` for `null`; nil if the property is not Optional.
    func stageNil() -> (any StagedValue)?
}

/// A value that was read for a property.
protocol StagedValue: AnyObject {
    /// The value.
    var anyValue: Any { get }
    /// Stores the value and keeps the old one; the second time, puts the old one back.
    func exchange(in object: AbstractModel)
    /// Whether the property has the value.
    func isUntouched(in object: AbstractModel) -> Bool
}

/// The values of a property of a known type.
final class TypedValues<Value>: PropertyValues {
    let access: FieldAccess<Value>
    let plan: TypePlan<Value>
    let limits: PlanLimits
    let rule: RuleForm.Bound?
    /// `nil` as a value of an Optional type.
    private let none: Value?

    init(_ access: FieldAccess<Value>, _ plan: TypePlan<Value>, limits: PlanLimits, rule: RuleForm.Bound?) {
        func none<Wrapper: OptionalType>(_ type: Wrapper.Type) -> Value? { Wrapper.none as? Value }
        self.access = access
        self.plan = plan
        self.limits = limits
        self.rule = rule
        self.none = KnownTypes.optional(Value.self).flatMap { none($0) }
    }

    var type: Any.Type { Value.self }
    var isCollection: Bool { plan.isCollection }
    var isDeep: Bool { plan.copy != nil }

    func value(of object: AbstractModel) -> Any { access.load(object) }

    func areEqual(_ left: AbstractModel, _ right: AbstractModel) -> Bool {
        plan.areEqual(access.load(left), access.load(right))
    }

    func copy(from source: AbstractModel, to target: AbstractModel) throws(ModelError) {
        access.store(try plan.copied(access.load(source)), target)
    }

    func schema(_ sink: SchemaSink) -> JSONValue { plan.schema(sink) }

    func stage(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> (any StagedValue)? {
        var staged: Staged?
        _ = try plan.read(&reader, session) { staged = Staged($0, self) }
        return staged
    }

    func storeModel(_ model: AbstractModel, in object: AbstractModel) {
        if let value = model as? Value { access.store(value, object) }
    }

    func storeNil(in object: AbstractModel) { if let none { access.store(none, object) } }

    /// A value to be stored.
    func staged(_ value: Value) -> any StagedValue { Staged(value, self) }

    func stageNil() -> (any StagedValue)? { none.map { Staged($0, self) } }

    private final class Staged: StagedValue {
        private let value: Value
        private let values: TypedValues
        private var old: Value?

        init(_ value: consuming Value, _ values: TypedValues) {
            self.value = value
            self.values = values
        }

        var anyValue: Any { value }

        func exchange(in object: AbstractModel) {
            if let old { return values.access.store(old, object) }
            old = values.access.load(object)
            values.access.store(value, object)
        }

        func isUntouched(in object: AbstractModel) -> Bool {
            let current = values.access.load(object)
            if let wrapper = value as? any OptionalType, wrapper.isNone {
                return (current as? any OptionalType)?.isNone ?? false
            }
            return values.plan.areEqual(current, value)
        }
    }
}

extension TypePlan {
    /// The plan of a type that nothing converts: values are not read, and are refused when they are written.
    static var unconvertible: TypePlan {
        let name = TypeShape.name(Value.self)
        let expected = Expectation.typed(name)
        return TypePlan(
            expected: expected, read: { _, _, _ in false },
            write: { _, writer, session in
                session.refuse(&writer, expected: .writable(.convertibleType), found: "a value of type \(name)")
            }, isEqual: { Comparison.areEqual($0, $1) },
            schema: { _ in ["$comment": .string("not described: \(expected.words)")] })
    }
}

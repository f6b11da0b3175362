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
    /// Where its value is read and written.
    let key: PropertyKey
    /// How the property's members stand in the object around it; nil if it has an object of its own.
    let flattening: Flattening?
    let isRequired: Bool
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
    /// Whether a plan reads the type; if none does, the model assigns the property itself.
    let isConvertible: Bool
    /// Reads the value at the cursor and stores it; not called if nothing converts the type. (Not an Optional: a closure inside
    /// one is called through a chain of thunks, which took a tenth of the time of nested objects.)
    let read: StoredProperty.Read
    /// Writes the property's value.
    let write: StoredProperty.Write
    /// Stores nil; only for Optional properties.
    let storeNil: StoredProperty.NilStore
    /// Whether `null` is read like any value, as ``PropertyValues/acceptsNull``.
    let acceptsNull: Bool
    /// Whether the property's value is nil.
    let isNil: (AbstractModel) -> Bool
    /// How the mapping loop reads the value in place of `read`.
    let kind: PropertyKind
    /// Bytes from the object's address to the property; 0 if it is reached through a key path.
    let offset: Int
    /// The cold operations on the property's values.
    let values: any PropertyValues

    /// The expected value.
    var expected: Expectation { values.expected }

    /// Whether the value is read when its key is: no other member and no rule has to be known.
    var isReadDirectly: Bool { isConvertible && dynamicTypes == nil && values.rule == nil && flattening == nil }

    /// Whether strict mapping accepts `null` for the property.
    var isNullable: Bool { isOptional ? !isRequired : acceptsNull }

    /// - Parameter tagged: The class of the property's models, if a member beside it names their class.
    init<Value>(
        _ name: String, at key: PropertyKey, by rules: ClassRules, _ values: TypedValues<Value>,
        tagged: AbstractModel.Type?, _ flattening: Flattening? = nil
    ) {
        self.flattening = flattening
        let access = values.access
        var stored: StoredProperty?
        if let offset = access.offset { stored = values.plan?.storage?.property(offset) }
        self.name = name
        self.key = key
        self.values = values
        isModel = values.plan?.held is AbstractModel.Type && !values.isCollection
        kind = stored?.kind ?? .other
        offset = access.offset ?? 0
        isRequired = rules.required.contains(name)
        hasConverter = rules.converters[name] != nil || rules.propertyDateFormats[name] != nil
        takesUnknownKeys = name == rules.unknownKeysProperty
        var dynamicTypes = rules.dynamicTypes[name]
        dynamicTypes?.declared = tagged
        self.dynamicTypes = dynamicTypes
        isRead =
            access.isWritable && !takesUnknownKeys && !rules.ignored.contains(name) && !rules.writeOnly.contains(name)
        isWritten = !takesUnknownKeys && !rules.ignored.contains(name) && !rules.readOnly.contains(name)
        isConvertible = values.plan != nil && values.limits.unreadable == nil
        acceptsNull = values.acceptsNull
        // Not by `??` or `map`: a closure that passes through a generic operator is called through thunks from then on.
        let isNil: (AbstractModel) -> Bool
        if let optional = KnownTypes.optional(Value.self) {
            isOptional = true
            isNil = NilCheck(optional, access).isNil
        } else {
            isOptional = false
            isNil = { _ in false }
        }
        self.isNil = isNil
        if let stored {
            (read, write, storeNil) = (stored.read, stored.write, stored.storeNil)
            return
        }
        storeNil = { values.storeNil(in: $0) }
        if let plan = values.plan {
            read = { reader, session, object throws(Interruption) in
                try plan.read(&reader, session) { access.store($0, object) }
            }
            write = { object, writer, session in
                if isNil(object) {
                    writer.writeNull()
                    return false
                }
                plan.write(access.load(object), &writer, session)
                return true
            }
        } else {
            read = { _, _, _ in false }
            write = { object, writer, session in
                if isNil(object) {
                    writer.writeNull()
                    return false
                }
                session.refuse(
                    &writer, expected: .writable(.convertibleType),
                    found: "a value of type \(TypeShape.name(Value.self))")
                return true
            }
        }
    }

    /// In a structure, since a closure that a generic function returns in an Optional is called through thunks.
    private struct NilCheck {
        let isNil: (AbstractModel) -> Bool

        init<Wrapper: OptionalType, Value>(_ type: Wrapper.Type, _ access: FieldAccess<Value>) {
            if let offset = access.offset {
                isNil = { ModelStorage.load(type, at: offset, of: $0).isNone }
            } else {
                isNil = { (access.load($0) as? any OptionalType)?.isNone ?? false }
            }
        }
    }
}

/// Operations on the values of one property of any type.
protocol PropertyValues: AnyObject {
    /// The property's declared type.
    var type: Any.Type { get }
    /// The expected value.
    var expected: Expectation { get }
    /// Whether a value is stored even if elements of it were left out.
    var isCollection: Bool { get }
    /// Whether the plan is asked about `null`; false for Optional properties, which `null` sets to nil.
    var acceptsNull: Bool { get }
    /// The type of values, or one inside it, that cannot be written.
    var unwritable: Any.Type? { get }
    /// The rule that values must obey.
    var rule: (form: RuleForm, check: RuleForm.Check)? { get }
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
    /// Stores nil; only for Optional properties.
    func storeNil(in object: AbstractModel)
    /// As ``stage(_:_:)`` for `null`; nil if the property is not Optional.
    func stageNil() -> (any StagedValue)?
}

/// A value that was read for a property and is not stored yet.
protocol StagedValue: AnyObject {
    /// The value.
    var anyValue: Any { get }
    /// Stores the value and keeps the old one.
    func store(in object: AbstractModel)
    /// Puts the old value back into the object that the new one was stored in.
    func putBack()
    /// Whether the property still has the value that was stored.
    var isUntouched: Bool { get }
}

/// The values of a property of a known type.
final class TypedValues<Value>: PropertyValues {
    let access: FieldAccess<Value>
    /// How values are converted; nil if nothing converts them.
    let plan: TypePlan<Value>?
    let limits: PlanLimits
    let rule: (form: RuleForm, check: RuleForm.Check)?
    /// `nil` as a value of an Optional type.
    private let none: Value?

    init(
        _ access: FieldAccess<Value>, _ plan: TypePlan<Value>?, limits: PlanLimits,
        rule: (form: RuleForm, check: RuleForm.Check)? = nil
    ) {
        func none<Wrapper: OptionalType>(_ type: Wrapper.Type) -> Value? { Wrapper.none as? Value }
        self.access = access
        self.plan = plan
        self.limits = limits
        self.rule = rule
        self.none = KnownTypes.optional(Value.self).flatMap { none($0) }
    }

    var type: Any.Type { Value.self }
    var expected: Expectation { plan?.expected ?? .typed(TypeShape.name(Value.self)) }
    var isCollection: Bool { plan?.isCollection ?? false }
    var acceptsNull: Bool {
        guard let plan, KnownTypes.optional(Value.self) == nil else { return false }
        return plan.acceptsNull || plan.asksNull
    }
    var isDeep: Bool { plan?.copy != nil }
    var unwritable: Any.Type? { plan == nil ? Value.self : limits.unwritable }

    func value(of object: AbstractModel) -> Any { access.load(object) }

    func areEqual(_ left: AbstractModel, _ right: AbstractModel) -> Bool {
        areEqual(access.load(left), access.load(right))
    }

    /// Values that nothing converts are equal if their type says so.
    private func areEqual(_ left: Value, _ right: Value) -> Bool {
        plan?.areEqual(left, right) ?? Comparison.areEqual(left, right)
    }

    func copy(from source: AbstractModel, to target: AbstractModel) throws(ModelError) {
        let value = access.load(source)
        if let plan { access.store(try plan.copied(value), target) } else { access.store(value, target) }
    }

    func schema(_ sink: SchemaSink) -> JSONValue {
        plan?.schema(sink) ?? ["$comment": .string("not described: \(expected.words)")]
    }

    func stage(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> (any StagedValue)? {
        var staged: Staged?
        _ = try plan?.read(&reader, session) { staged = Staged($0, self) }
        return staged
    }

    func storeModel(_ model: AbstractModel, in object: AbstractModel) {
        if let value = model as? Value { access.store(value, object) }
    }

    func storeNil(in object: AbstractModel) {
        if let none { access.store(none, object) }
    }

    /// A value to be stored.
    func staged(_ value: Value) -> any StagedValue { Staged(value, self) }

    func stageNil() -> (any StagedValue)? { none.map { Staged($0, self) } }

    private final class Staged: StagedValue {
        private let value: Value
        private let values: TypedValues
        private var stored: (object: AbstractModel, old: Value)?

        init(_ value: consuming Value, _ values: TypedValues) {
            self.value = value
            self.values = values
        }

        var anyValue: Any { value }

        func store(in object: AbstractModel) {
            stored = (object, values.access.load(object))
            values.access.store(value, object)
        }

        func putBack() {
            if let stored { values.access.store(stored.old, stored.object) }
        }

        var isUntouched: Bool {
            guard let object = stored?.object else { return true }
            let current = values.access.load(object)
            if let wrapper = value as? any OptionalType, wrapper.isNone {
                return (current as? any OptionalType)?.isNone ?? false
            }
            return values.areEqual(current, value)
        }
    }
}

/// How values of one type are read from JSON, written to it, compared, copied and described.
///
/// Made once per property with its class's table, or once per type for a call; composed for `Optional`, arrays, sets and dictionaries.
///
/// `@unchecked Sendable`: the closures capture only other plans, metatypes and constants. The compiler cannot verify it, because
/// metatypes of constrained generic parameters are not Sendable.
struct TypePlan<Value>: @unchecked Sendable {
    /// The expected value.
    let expected: Expectation
    /// Whether `null` is an ordinary value of the type.
    var acceptsNull = false
    /// Whether `null` is passed to the type's own code; if that throws, the property gets no value.
    var asksNull = false
    /// Whether elements of the value may be skipped.
    var isCollection = false
    /// The class of the models in a value, whose options apply to a call; `Any` for a type of the user's own, which may contain models
    /// unseen; nil for other types.
    var held: Any.Type?
    /// Reads the value at the cursor, of any kind.
    var read: Read
    /// Writes a value; one that cannot be written is rejected by the session.
    var write: Write
    /// Compares two values; if nil, `Equatable` is used, otherwise their JSON.
    var isEqual: ((Value, Value) -> Bool)?
    /// Makes a deep copy; if nil, the value is its own copy.
    var copy: ((Value) throws(ModelError) -> Value)?
    /// The JSON Schema of values that strict mapping accepts; by default any value.
    var schema: (SchemaSink) -> JSONValue = { _ in [:] }
    /// Makes the plan of arrays of the type, a `TypePlan<[Value]>`, where a loop is made for it; nil for the general one.
    var arrayPlan: (() -> Any)?
    /// How properties of the type are read and written in place, without this plan's closures; nil for types that are not common.
    var storage: StoragePlan?

    /// Reads the value at the cursor and calls `store` once if it fits.
    ///
    /// Not a `Value?` result: looking up that type's metadata for each value took a third of the time of arrays of arrays.
    ///
    /// - Returns: whether the value fits; if not, a finding was recorded, unless the value was skipped on purpose.
    typealias Read = (
        _ reader: inout JSONReader, _ session: ReadingSink, _ store: (consuming Value) -> Void
    ) throws(Interruption) -> Bool
    typealias Write = (_ value: Value, _ writer: inout JSONWriter, _ session: WritingSink) -> Void
}

/// How properties of a common type are read and written where they are stored.
struct StoragePlan {
    /// Makes the functions for a property of the type at an offset of its object.
    let property: (_ offset: Int) -> StoredProperty
    /// The same for a property of the type's Optional; nil for types that are Optionals themselves.
    var optional: ((_ offset: Int) -> StoredProperty)?
}

/// How one property is read, written and set to nil. (Not Optional closures, which are called through thunks.)
struct StoredProperty {
    /// How the loops read and write it.
    var kind = PropertyKind.other
    let read: Read
    let write: Write
    /// Stores nil; only for Optional properties.
    let storeNil: NilStore

    /// Reads the value at the cursor and stores it.
    ///
    /// - Returns: whether it was stored; if not, the session has findings or the value is to be left out.
    typealias Read = (inout JSONReader, ReadingSink, AbstractModel) throws(Interruption) -> Bool
    /// Writes the property's value of an object, `null` for nil.
    ///
    /// - Returns: whether the value is not nil.
    typealias Write = (AbstractModel, inout JSONWriter, WritingSink) -> Bool
    /// Stores nil in the property of an object.
    typealias NilStore = (AbstractModel) -> Void
}

/// How the loops read and write a property.
enum PropertyKind: UInt8 {
    case string, int, double, bool
    case optionalString, optionalInt, optionalDouble, optionalBool
    /// By the row's plan.
    case other
    /// By several rows, or by one that has other keys, a path, no plan, or objects whose class a member beside it names; by no row,
    /// if the property is not read.
    case shared
    /// Any of the first nine, for an update, which keeps the value for later. Only in the index of keys.
    case staged
}

/// A type that has a plan of its own: a scalar, a model, or a type made of others.
protocol PlannedType {
    /// A `TypePlan<Self>`, erased, because a class that is not final cannot promise a type that contains `Self`; nil if there is none
    /// for a type inside it.
    static func anyPlan(_ builder: PlanBuilder) throws(InvalidModel) -> Any?
    /// The same by a rule of a class, which precedes ``JSONConvertible``; nil if none concerns the type.
    static func ruledPlan(_ rules: TableRules) -> Any?
}

extension PlannedType {
    static func ruledPlan(_ rules: TableRules) -> Any? { nil }
}

extension TypePlan {
    /// This plan for values that are never shown.
    var redacted: TypePlan {
        var plan = withRead { [read] reader, session, store throws(Interruption) in
            session.redaction += 1
            defer { session.redaction -= 1 }
            return try read(&reader, session, store)
        }
        plan.write = { [write] value, writer, session in
            session.redaction += 1
            write(value, &writer, session)
            session.redaction -= 1
        }
        return plan
    }

    /// This plan; of a collection, for values that fit only if all of their elements do.
    var whole: TypePlan {
        guard isCollection else { return self }
        var plan = withRead { reader, session, store throws(Interruption) in
            let mark = session.mark
            guard let value = try value(&reader, session), session.hasNoIssues(since: mark) else {
                session.dropNotes(to: mark.notes)
                return false
            }
            store(value)
            return true
        }
        plan.isCollection = false
        return plan
    }

    /// This plan with another read function, and so without what goes around it.
    func withRead(_ read: @escaping Read) -> TypePlan {
        var plan = self
        (plan.read, plan.arrayPlan, plan.storage) = (read, nil, nil)
        return plan
    }

    /// Whether two values are equal.
    @_semantics("optimize.sil.specialize.generic.never")
    func areEqual(_ left: Value, _ right: Value) -> Bool {
        if let isEqual { return isEqual(left, right) }
        if let known = Comparison.equality(left, right) { return known }
        guard let text = text(left) else { return Comparison.areEqual(left, right) }
        return text == self.text(right)
    }

    private func text(_ value: Value) -> [UInt8]? {
        let session = WritingSink([])
        var writer = JSONWriter()
        write(value, &writer, session)
        return session.issues.isEmpty ? writer.withBytes { Array($0) } : nil
    }

    func copied(_ value: Value) throws(ModelError) -> Value { try copy?(value) ?? value }
}

/// Compares values whose static type is unknown.
package enum Comparison {
    /// Whether two values are equal; nil if their type is not `Equatable`.
    package static func equality(_ left: Any, _ right: Any) -> Bool? { (left as? any Equatable)?.equals(right) }

    /// Like ``equality(_:_:)``, but never nil: two nils are equal, collections if their elements are, and other objects if
    /// identical.
    static func areEqual(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? any OptionalType, let right = right as? any OptionalType {
            guard let left = left.wrappedValue, let right = right.wrappedValue else {
                return left.isNone && right.isNone
            }
            return areEqual(left, right)
        }
        if let known = equality(left, right) { return known }
        if let left = left as? [Any], let right = right as? [Any] {
            return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1) }
        }
        if let left = left as? [AnyHashable: Any], let right = right as? [AnyHashable: Any] {
            return left.count == right.count
                && left.allSatisfy { key, value in right[key].map { areEqual(value, $0) } ?? false }
        }
        guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
        return left as AnyObject === right as AnyObject
    }
}

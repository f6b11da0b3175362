/// How values of one type are read from JSON and written to it.
///
/// Made once per property with its class's table; composed for `Optional`, arrays, sets and dictionaries.
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
    /// Reads the value at the cursor, of any kind.
    let read: Read
    /// Writes a value; one that cannot be written is rejected by the session.
    let write: Write
    /// Compares two values; if nil, `Equatable` is used, else their JSON.
    var isEqual: ((Value, Value) -> Bool)?
    /// Makes a deep copy; if nil, the value is its own copy.
    var copy: ((Value) throws(ModelError) -> Value)?
    /// The JSON Schema of values that strict mapping accepts; by default any value.
    var schema: (SchemaSink) -> JSONValue = { _ in [:] }

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

/// A type that is read directly from the bytes.
protocol JSONScalar: Hashable, SendableMetatype {
    /// The expected value.
    static var expected: Expectation { get }
    /// Reads the value at the cursor, of any kind; nil if it does not fit, with a recorded finding.
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self?

    /// Writes the value; one that cannot be written is rejected by the session.
    func write(_ writer: inout JSONWriter, _ session: WritingSink)

    /// The JSON Schema of values that strict mapping accepts.
    static var schema: JSONValue { get }

    /// The plan for this type. A requirement, so that ``JSONValue``'s own is used where only `JSONScalar` is known.
    static var plan: TypePlan<Self> { get }

    /// The plans for arrays of this type, and for arrays of these. Requirements only so that the compiler specialises them for
    /// every scalar.
    static var arrayPlan: TypePlan<[Self]> { get }
    static var nestedArrayPlan: TypePlan<[[Self]]> { get }
}

extension JSONScalar {
    static var plan: TypePlan<Self> {
        TypePlan(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard let value = try read(&reader, session) else { return false }
                store(value)
                return true
            }, write: { value, writer, session in value.write(&writer, session) }, isEqual: ==, schema: { _ in schema })
    }
}

extension TypePlan {
    /// This plan for values that are never shown.
    var redacted: TypePlan {
        TypePlan(
            expected: expected, acceptsNull: acceptsNull, asksNull: asksNull, isCollection: isCollection,
            read: { reader, session, store throws(Interruption) in
                session.redaction += 1
                defer { session.redaction -= 1 }
                return try read(&reader, session, store)
            },
            write: { value, writer, session in
                session.redaction += 1
                write(value, &writer, session)
                session.redaction -= 1
            }, isEqual: isEqual, copy: copy, schema: schema)
    }

    /// This plan with another read function that gives the same values.
    func reading(_ read: @escaping Read) -> TypePlan {
        TypePlan(
            expected: expected, acceptsNull: acceptsNull, asksNull: asksNull, isCollection: isCollection, read: read,
            write: write, isEqual: isEqual, copy: copy, schema: schema)
    }

    /// Whether two values are equal.
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

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { (other as? Self) == self }
}

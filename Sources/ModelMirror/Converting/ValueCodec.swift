/// How values of one type are read from JSON and written to it.
///
/// Made once per property when its class's table is made; composed for `Optional`, arrays, sets and dictionaries.
///
/// `@unchecked Sendable`: the closure captures only other codecs, metatypes, and values that never change. The compiler
/// cannot see it because metatypes of generic parameters with a conformance are not Sendable.
struct ValueCodec<Value>: @unchecked Sendable {
    /// What fits, as the end of "expected …".
    let expected: String
    /// Whether `null` is an ordinary value of the type.
    var acceptsNull = false
    /// Whether the value is made of elements, of which some may be left out.
    var isCollection = false
    /// Reads the value at the cursor, whatever it is, and passes it.
    let read: Read
    /// Writes a value; what cannot be written is refused to the session.
    let write: Write
    /// Whether two values are equal; nil: as their type says, or, if it says nothing, as their JSON does.
    var isEqual: ((Value, Value) -> Bool)?
    /// A deep copy of a value; nil: the value itself.
    var copy: ((Value) throws(ModelError) -> Value)?
    /// The JSON Schema of values that strict mapping accepts; by default any value.
    var schema: (SchemaSink) -> JSONValue = { _ in [:] }

    /// Reads the value at the cursor and gives it to `store`, once, if it fits.
    ///
    /// It is given away rather than returned because `Value?` costs a look-up of that type at run time for each value, a
    /// third of the time of arrays of arrays.
    ///
    /// - Returns: whether the value fits; if not, at least one finding was added to the session, unless the value is to be left
    ///   out without a failure.
    typealias Read = (
        _ reader: inout JSONReader, _ session: ReadingSink, _ store: (consuming Value) -> Void
    ) throws(Interruption) -> Bool
    /// Writes a value.
    typealias Write = (_ value: Value, _ writer: inout JSONWriter, _ session: WritingSink) -> Void
}

/// A type that is read straight from the bytes.
protocol JSONScalar: Hashable, SendableMetatype {
    /// What fits, as the end of "expected …".
    static var expected: String { get }
    /// Reads the value at the cursor, whatever it is, and passes it; nil, and a finding, if it does not fit.
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self?

    /// Writes the value; what cannot be written is refused to the session.
    func write(_ writer: inout JSONWriter, _ session: WritingSink)

    /// The JSON Schema of values that strict mapping accepts.
    static var schema: JSONValue { get }

    /// The codec for this type. A requirement, so that ``JSONValue``'s own is found where only `JSONScalar` is known.
    static var codec: ValueCodec<Self> { get }

    /// The codec for arrays of this type. A requirement only so that the compiler makes a version of it for every scalar.
    static var arrayCodec: ValueCodec<[Self]> { get }
}

extension JSONScalar {
    /// The codec for this type.
    static var codec: ValueCodec<Self> {
        ValueCodec(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard let value = try read(&reader, session) else { return false }
                store(value)
                return true
            }, write: { value, writer, session in value.write(&writer, session) }, isEqual: ==, schema: { _ in schema })
    }

    static var arrayCodec: ValueCodec<[Self]> {
        var codec = ValueCodec<[Self]>.array(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard let value = try read(&reader, session) else { return false }
                store(value)
                return true
            }, write: { value, writer, session in value.write(&writer, session) })
        codec.isEqual = (==)
        codec.schema = { _ in ["type": "array", "items": schema] }
        return codec
    }
}

extension ValueCodec {
    /// Whether two values are equal.
    func areEqual(_ left: Value, _ right: Value) -> Bool {
        if let isEqual { return isEqual(left, right) }
        if let known = Comparison.equality(left, right) { return known }
        guard let text = text(left) else { return Comparison.areEqual(left, right) }
        return text == self.text(right)
    }

    /// A value's JSON; nil if it has none.
    private func text(_ value: Value) -> [UInt8]? {
        let session = WritingSink([])
        var writer = JSONWriter()
        write(value, &writer, session)
        return session.findings.isEmpty ? writer.withBytes { Array($0) } : nil
    }

    /// A deep copy of a value.
    func copied(_ value: Value) throws(ModelError) -> Value { try copy?(value) ?? value }
}

/// Comparison of values whose static type says nothing of it.
enum Comparison {
    /// Whether two values are equal as their type says; nil if it does not say.
    static func equality(_ left: Any, _ right: Any) -> Bool? { (left as? any Equatable)?.equals(right) }

    /// As ``equality(_:_:)``; objects whose type does not say are equal if they are one.
    static func areEqual(_ left: Any, _ right: Any) -> Bool {
        if let known = equality(left, right) { return known }
        guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
        return left as AnyObject === right as AnyObject
    }
}

extension Equatable {
    fileprivate func equals(_ other: Any) -> Bool { (other as? Self) == self }
}

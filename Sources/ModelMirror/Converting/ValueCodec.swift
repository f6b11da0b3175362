/// How values of one type are read from JSON.
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

    /// Reads the value at the cursor and gives it to `store`, once, if it fits.
    ///
    /// It is given away rather than returned because `Value?` costs a look-up of that type at run time for each value, a
    /// third of the time of arrays of arrays.
    ///
    /// - Returns: whether the value fits; if not, at least one finding was added to the session, unless the value is to be left
    ///   out without a failure.
    typealias Read = (
        _ reader: inout JSONReader, _ session: MappingSession, _ store: (consuming Value) -> Void
    ) throws(Interruption) -> Bool
}

/// A type that is read straight from the bytes.
protocol JSONScalar: SendableMetatype {
    /// What fits, as the end of "expected …".
    static var expected: String { get }
    /// Reads the value at the cursor, whatever it is, and passes it; nil, and a finding, if it does not fit.
    static func read(_ reader: inout JSONReader, _ session: MappingSession) throws(Interruption) -> Self?

    // Requirements only so that the compiler makes a version of each for every scalar.

    /// The codec for arrays of this type.
    static var arrayCodec: ValueCodec<[Self]> { get }
    /// Reads values into a property of this type, or of this type's Optional.
    static func rowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read
}

extension JSONScalar {
    /// The codec for this type.
    static var codec: ValueCodec<Self> {
        ValueCodec(expected: expected) { reader, session, store throws(Interruption) in
            guard let value = try read(&reader, session) else { return false }
            store(value)
            return true
        }
    }

    static var arrayCodec: ValueCodec<[Self]> {
        .array(expected: expected) { reader, session, store throws(Interruption) in
            guard let value = try read(&reader, session) else { return false }
            store(value)
            return true
        }
    }

    static func rowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read {
        if isOptional {
            return { reader, session, object throws(Interruption) in
                guard let value = try read(&reader, session) else { return false }
                ModelStorage.store(Optional(value), at: offset, of: object)
                return true
            }
        }
        return { reader, session, object throws(Interruption) in
            guard let value = try read(&reader, session) else { return false }
            ModelStorage.store(value, at: offset, of: object)
            return true
        }
    }
}

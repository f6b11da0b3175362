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
    /// Writes a value.
    typealias Write = (_ value: Value, _ writer: inout JSONWriter, _ session: WritingSession) -> Void
}

/// A type that is read straight from the bytes.
protocol JSONScalar: SendableMetatype {
    /// What fits, as the end of "expected …".
    static var expected: String { get }
    /// Reads the value at the cursor, whatever it is, and passes it; nil, and a finding, if it does not fit.
    static func read(_ reader: inout JSONReader, _ session: MappingSession) throws(Interruption) -> Self?

    /// Writes the value; what cannot be written is refused to the session.
    func write(_ writer: inout JSONWriter, _ session: WritingSession)

    // Requirements only so that the compiler makes a version of each for every scalar.

    /// The codec for arrays of this type.
    static var arrayCodec: ValueCodec<[Self]> { get }
    /// Reads values into a property of this type, or of this type's Optional.
    static func rowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read
    /// Writes values of a property of this type, or of this type's Optional, if it is not nil.
    static func rowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write
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
            }, write: { value, writer, session in value.write(&writer, session) })
    }

    static var arrayCodec: ValueCodec<[Self]> {
        .array(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard let value = try read(&reader, session) else { return false }
                store(value)
                return true
            }, write: { value, writer, session in value.write(&writer, session) })
    }

    static func rowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write {
        if isOptional {
            return { object, writer, session in
                if let value = ModelStorage.load(Self?.self, at: offset, of: object) {
                    value.write(&writer, session)
                } else {
                    writer.writeNull()
                }
            }
        }
        return { object, writer, session in
            ModelStorage.load(Self.self, at: offset, of: object).write(&writer, session)
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

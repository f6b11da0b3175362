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
    ///
    /// Nil if the value does not fit; then at least one finding was added to the session, unless the value is to be left
    /// out without a failure.
    let read: (inout JSONReader, MappingSession) throws(Interruption) -> Value?
}

/// A type that is read straight from the bytes.
protocol JSONScalar: SendableMetatype {
    /// What fits, as the end of "expected …".
    static var expected: String { get }
    /// As ``ValueCodec/read``.
    static func read(_ reader: inout JSONReader, _ session: MappingSession) throws(Interruption) -> Self?
}

extension JSONScalar {
    /// The codec that reads this type directly.
    static var codec: ValueCodec<Self> { ValueCodec(expected: expected, read: read) }
}

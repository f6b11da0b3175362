/// Reads values of one type from JSON and writes them back, for a property that asks for it.
///
/// Converters are named in a class's ``AbstractModel/propertyConverters``. One for `Date` serves `Date`, `Date?`, `[Date]`,
/// `[String: Date]` and so on alike: the library applies it to the elements.
///
/// ```swift
/// override class var propertyConverters: [String: any Converter] {
///     ["born": .secondsSince1970, "seen": .any([.iso8601, .format("dd.MM.yyyy")]), "payload": .embeddedJSON]
/// }
/// ```
///
/// To implement one: be a Sendable value type, keep no state, read what you write, and throw what explains the problem best
/// (``ConversionError`` if nothing else does); path and line are added by the library. The mapper calls converters on
/// whatever thread maps.
///
/// ```swift
/// struct CentsConverter: Converter {
///     func value(from json: JSONValue) throws -> Int {
///         guard let amount = json.double else { throw ConversionError(expected: "an amount") }
///         return Int((amount * 100).rounded())
///     }
///     func json(from value: Int) throws -> JSONValue { .number(JSONNumber(Double(value) / 100)!) }
/// }
/// ```
public protocol Converter<Value>: Sendable, SendableMetatype {
    /// The type of the property, of its wrapped value, or of its elements.
    associatedtype Value
    /// Reads a value. `null` comes only if `Value` is Optional.
    func value(from json: JSONValue) throws -> Value
    /// Writes a value, so that ``value(from:)`` reads it back equal.
    func json(from value: Value) throws -> JSONValue
}

/// A converter of the library that reads straight from the bytes.
protocol DirectConverter: Converter {
    /// What fits, as the end of "expected …".
    var expected: String { get }
    /// As ``JSONScalar/read(_:_:)``.
    func read(_ reader: inout JSONReader, _ session: MappingSession) throws(Interruption) -> Value?
    /// As ``JSONScalar/write(_:_:)``.
    func write(_ value: Value, _ writer: inout JSONWriter, _ session: WritingSession)
    /// The JSON Schema of values that strict mapping accepts.
    var schema: JSONValue { get }
}

extension Converter {
    /// The codec that goes through this converter.
    var codec: ValueCodec<Value> {
        if let direct = self as? any DirectConverter, let codec = ValueCodec<Value>.direct(direct) { return codec }
        let acceptsNull = Value.self is any ContainerType.Type && Value.self is any OptionalType.Type
        let expected = "a value for \(Self.self)"
        return ValueCodec(
            expected: expected, acceptsNull: acceptsNull,
            read: { reader, session, store throws(Interruption) in
                let offset = reader.offset
                if !acceptsNull, reader.byte == UInt8(ascii: "n") { return try session.refuse(&reader, expected) }
                let json = try JSONValue(&reader)
                do {
                    store(try value(from: json))
                    return true
                } catch let error as ConversionError {
                    return session.refused(at: offset, error.expected)
                } catch {
                    return session.refused(at: offset, expected, underlying: error)
                }
            }, write: { value, writer, session in session.write(value, with: self, &writer) })
    }
}

extension ValueCodec {
    fileprivate static func direct<Direct: DirectConverter>(_ converter: Direct) -> ValueCodec? {
        let codec = ValueCodec<Direct.Value>(
            expected: converter.expected,
            read: { reader, session, store throws(Interruption) in
                guard let value = try converter.read(&reader, session) else { return false }
                store(value)
                return true
            }, write: converter.write, schema: { _ in converter.schema })
        return codec as? ValueCodec
    }
}

/// An Optional, asked for by a cast.
protocol OptionalType {
    /// The type inside.
    static var wrappedType: Any.Type { get }
    /// The value inside, if there is one.
    var wrappedValue: Any? { get }
    /// Whether there is none.
    var isNone: Bool { get }
    /// `nil` of this type.
    static var none: Self { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedValue: Any? { self }
    var isNone: Bool { self == nil }
}

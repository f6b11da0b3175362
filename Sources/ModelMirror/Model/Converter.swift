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

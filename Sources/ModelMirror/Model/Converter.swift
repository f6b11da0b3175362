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
/// Two functions make one: `.converting(String.self, { Price($0) }, back: { $0.text })`. A type of its own is a Sendable value
/// without state, reads what it writes, and throws what explains the problem best (``ConversionError`` if nothing else does); path
/// and line are added by the library. The mapper calls converters on whatever thread maps.
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

/// A type of your own that reads itself from JSON and writes itself as JSON.
///
/// Throw whatever explains the problem best; it becomes the ``PropertyFailure/underlying`` error of a failure that knows
/// path and line.
///
/// ```swift
/// struct Money: JSONConvertible {
///     var cents: Int
///     init(json: JSONValue) throws {
///         guard let amount = json.number?.decimal else { throw ConversionError(expected: "an amount") }
///         cents = NSDecimalNumber(decimal: amount * 100).intValue
///     }
///     func json() throws -> JSONValue { .number(JSONNumber(Decimal(cents) / 100)!) }
/// }
/// ```
public protocol JSONConvertible: SendableMetatype {
    /// Reads a value; never called for `null` on a property that is Optional.
    init(json: JSONValue) throws
    /// The value as JSON that ``init(json:)`` reads back equal.
    func json() throws -> JSONValue
}

/// A type that is made from the members of a JSON object, as Apic's protocol of the same name.
///
/// Nested nulls are `JSONValue.null`; numbers are `Int` if they fit, else `UInt64`, `Decimal` or `Double`.
public protocol InitializableWithDictionary: SendableMetatype {
    /// Reads a value.
    init(dictionary: [String: Any]) throws
}

/// What a converter throws when a value is not of the kind it reads; your own errors serve as well.
public struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What would have fitted, as the end of "expected …": "a date", "an amount".
    public let expected: String

    /// An error that names what would have fitted.
    public init(expected: String) { self.expected = expected }

    /// One sentence.
    public var description: String { "expected \(expected)" }
}

/// An enum (or other raw-representable type) that has a case for raw values it does not know.
///
/// Without it, an unknown raw value is a value of the wrong kind. With it, the value becomes ``unknownCase``, and the
/// mapping report says so (`.coerced`).
///
/// ```swift
/// enum Plan: String, UnknownCase {
///     case free, pro, other
///     static var unknownCase: Plan { .other }
/// }
/// ```
public protocol UnknownCase: SendableMetatype {
    /// What unknown raw values become.
    static var unknownCase: Self { get }
}

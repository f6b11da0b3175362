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

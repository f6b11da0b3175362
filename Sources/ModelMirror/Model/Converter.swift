public import ModelMirrorFoundation

/// Reads values of one type from JSON and writes them back.
///
/// A class lists its converters in ``AbstractModel/propertyConverters``. A converter for `Date` also applies to `Date?`, `[Date]`,
/// `[String: Date]` and so on, element by element.
///
/// ```swift
/// override class var propertyConverters: [String: any Converter] {
///     ["born": .secondsSince1970, "seen": .any([.iso8601, .format("dd.MM.yyyy")]), "payload": .embeddedJSON]
/// }
/// ```
///
/// Most converters are two functions: `.converting(String.self, { Price($0) }, back: { $0.text })`. A conforming type is a Sendable
/// value without state that reads what it writes. It may throw any error, such as ``ConversionError``; path and line are added.
/// Converters are called on the mapping thread.
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
    /// Reads a value. `null` sets an Optional property to nil without a call, and an Optional element unless `Value` is Optional itself.
    /// Otherwise it is passed; a converter that throws for it leaves the property unchanged.
    func value(from json: JSONValue) throws -> Value
    /// Writes a value that ``value(from:)`` reads back equal.
    func json(from value: Value) throws -> JSONValue
}

/// A type that reads itself from JSON and writes itself as JSON.
///
/// A thrown error becomes the ``PropertyFailure/underlying`` error of a failure with path and line; of a ``ConversionError`` only
/// the expected value is used.
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
    /// Reads a value, including `null`; an Optional property is set to nil by `null` without a call. If the type throws for
    /// `null`, the property is unchanged.
    init(json: JSONValue) throws
    /// Writes JSON that ``init(json:)`` reads back equal.
    func json() throws -> JSONValue
}

/// A type that reads itself from the members of a JSON object.
///
/// The values are those of ``JSONValue/any``. On Linux `30` is an `Int` and `30.5` a `Double`; this reads both on every platform:
/// `try JSONValue(any: dictionary["latitude"]).double`.
public protocol InitializableWithDictionary: SendableMetatype {
    /// Reads a value.
    init(dictionary: [String: Any]) throws
}

/// The error of a converter for a value of the wrong kind. Any other error may be thrown too.
public struct ConversionError: LocalizedError, SentenceError, Hashable, ComparedByIdentity, Sendable,
    CustomStringConvertible
{
    /// What was expected, as the end of "expected …": "a date", "an amount".
    public var expected: String { expectation.words }
    /// The code of the failure, as in ``PropertyFailure/code``.
    public var code: FailureCode { expectation.code }
    /// What the code is about, as in ``PropertyFailure/parameters``.
    public var parameters: [String: JSONValue] { expectation.parameters }

    let expectation: Expectation

    /// Makes an error that names the expected value.
    ///
    /// - Parameters:
    ///   - expected: The expected value, as the end of "expected …".
    ///   - code: The code for programs; defaults to `conversion`.
    ///   - parameters: What the code is about. They must not hold the value itself.
    public init(expected: String, code: FailureCode? = nil, parameters: [String: JSONValue] = [:]) {
        expectation = .stated(expected, code ?? FailureCode(.conversion), parameters)
    }

    init(_ expectation: Expectation) { self.expectation = expectation }

    /// Errors are equal if they name equal values.
    package var comparedValue: String { expected }

    /// The text "expected …".
    public var description: String { "expected \(expected)" }
}

/// A raw-representable type with a case for unknown raw values.
///
/// An unknown raw value becomes ``unknownCase`` and is reported as `.coerced`. Without this protocol it does not fit.
///
/// ```swift
/// enum Plan: String, UnknownCase {
///     case free, pro, other
///     static var unknownCase: Plan { .other }
/// }
/// ```
public protocol UnknownCase: SendableMetatype {
    /// The value for unknown raw values.
    static var unknownCase: Self { get }
}

/// A value that a request can carry as a parameter: in a query, a form, a multipart body or a JSON body.
///
/// | Value | JSON |
/// |---|---|
/// | `String`, `Substring`, `Character`, `Bool`, integers, `Decimal`, `JSONNumber` | the same, exact |
/// | `Double`, `Float` | the shortest digits that read back as the number |
/// | `Date` | ISO 8601, in UTC: `2016-01-23T18:30:00Z` |
/// | `URL` | the absolute string |
/// | `UUID` | the text, in upper case |
/// | `Data`, `TimeZone`, `Locale`, `RGBAColor` | the text that a property is written as |
/// | `JSONValue` | itself, including `null` |
/// | Optionals, arrays and dictionaries of these | without what is nil |
///
/// An enum with raw values needs only the conformance:
///
/// ```swift
/// enum Sort: String, ParameterValue { case created, updated }
/// let query: ParameterList = ["sort": Sort.created, "page": page, "since": date]
/// ```
public protocol ParameterValue: Sendable, SendableMetatype {
    /// The JSON of the value; nil omits the parameter, `JSONValue.null` sends `null`.
    ///
    /// - Throws: An error for a value that no parameter can hold. For infinities, NaN, and dates outside the years 0 to 9999 it is
    ///   `ModelError.invalidValues`.
    var parameterValue: JSONValue? { get throws }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
    /// The raw value.
    public var parameterValue: JSONValue? { get throws { try rawValue.parameterValue } }
}

/// A type whose parameters the library writes itself: every ``JSONScalar``, and types made of them.
protocol StandardParameter: ParameterValue { func parameter() throws -> JSONValue? }

extension StandardParameter {
    /// The value by the table of ``ParameterValue``.
    public var parameterValue: JSONValue? { get throws { try parameter() } }

    func parameter() throws -> JSONValue? { try JSONValue(any: self) }
}

extension StandardParameter where Self: BinaryInteger {
    // By its type, since casts of `Any` take two thousand instructions.
    func parameter() -> JSONValue? { .number(JSONNumber(self)) }
}

extension Optional: ParameterValue, StandardParameter where Wrapped: ParameterValue {
    func parameter() throws -> JSONValue? { try flatMap { try $0.parameterValue } }
}

extension Array: ParameterValue, StandardParameter where Element: ParameterValue {
    func parameter() throws -> JSONValue? { .array(try compactMap { try $0.parameterValue }) }
}

extension Dictionary: ParameterValue, StandardParameter where Key == String, Value: ParameterValue {
    func parameter() throws -> JSONValue? { .object(try compactMapValues { try $0.parameterValue }) }
}

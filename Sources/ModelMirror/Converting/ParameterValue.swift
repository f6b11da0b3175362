#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that a request can carry as a parameter: in a query, a form, a multipart body or a JSON body.
///
/// Strings, integers of up to 64 bits, `Double`, `Float`, `Bool`, `Date` (ISO 8601), `URL`, `UUID`, `Decimal`, `JSONValue`, and
/// Optionals, arrays and dictionaries of these conform. An enum with raw values needs only the conformance:
///
/// ```swift
/// enum Sort: String, ParameterValue { case created, updated }
/// let query: ParameterList = ["sort": Sort.created, "page": page, "since": date]
/// ```
public protocol ParameterValue: Sendable, SendableMetatype {
    /// The JSON of the value; nil omits the parameter, `JSONValue.null` sends `null`.
    /// - Throws: An error for a value that no parameter can hold, such as a number that is not finite.
    var parameterValue: JSONValue? { get throws }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
    /// The raw value.
    public var parameterValue: JSONValue? { get throws { try rawValue.parameterValue } }
}

extension ParameterValue where Self: BinaryInteger {
    /// The number, exact.
    public var parameterValue: JSONValue? { .number(JSONNumber(self)) }
}

extension Int: ParameterValue {}
extension Int8: ParameterValue {}
extension Int16: ParameterValue {}
extension Int32: ParameterValue {}
extension Int64: ParameterValue {}
extension UInt: ParameterValue {}
extension UInt8: ParameterValue {}
extension UInt16: ParameterValue {}
extension UInt32: ParameterValue {}
extension UInt64: ParameterValue {}

extension Double: ParameterValue {
    /// The shortest digits that read back as the number.
    ///
    /// - Throws: `ModelError.invalidValues` for infinities and NaN.
    public var parameterValue: JSONValue? { get throws { try JSONValue(any: self) } }
}

extension Float: ParameterValue {
    /// The shortest digits that read back as the number.
    ///
    /// - Throws: `ModelError.invalidValues` for infinities and NaN.
    public var parameterValue: JSONValue? { get throws { try JSONValue(any: self) } }
}

extension Decimal: ParameterValue {
    /// The number, exact.
    ///
    /// - Throws: `ModelError.invalidValues` for NaN.
    public var parameterValue: JSONValue? { get throws { try JSONValue(any: self) } }
}

extension Bool: ParameterValue {
    /// The Boolean.
    public var parameterValue: JSONValue? { .bool(self) }
}

extension String: ParameterValue {
    /// The string.
    public var parameterValue: JSONValue? { .string(self) }
}

extension Substring: ParameterValue {
    /// The string.
    public var parameterValue: JSONValue? { .string(String(self)) }
}

extension Date: ParameterValue {
    /// The date in ISO 8601, in UTC: `2016-01-23T18:30:00Z`.
    ///
    /// - Throws: `ModelError.invalidValues` for a date outside the years 0 to 9999.
    public var parameterValue: JSONValue? {
        get throws { try ISO8601Date.text(self).map { .string($0) } ?? JSONValue(any: self) }
    }
}

extension URL: ParameterValue {
    /// The absolute string.
    public var parameterValue: JSONValue? { .string(absoluteString) }
}

extension UUID: ParameterValue {
    /// The text, in upper case.
    public var parameterValue: JSONValue? { .string(uuidString) }
}

extension JSONValue: ParameterValue {
    /// The value itself, including `null`.
    public var parameterValue: JSONValue? { self }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    /// The wrapped value's JSON; nil omits the parameter.
    public var parameterValue: JSONValue? { get throws { try flatMap { try $0.parameterValue } } }
}

extension Array: ParameterValue where Element: ParameterValue {
    /// An array of the elements' values; nil elements are omitted.
    public var parameterValue: JSONValue? { get throws { .array(try compactMap { try $0.parameterValue }) } }
}

extension Dictionary: ParameterValue where Key == String, Value: ParameterValue {
    /// An object of the members' values; nil members are omitted.
    public var parameterValue: JSONValue? { get throws { .object(try compactMapValues { try $0.parameterValue }) } }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that a request can carry as a parameter: in a query, a form, a multipart body or a JSON body.
///
/// | Value | JSON |
/// |---|---|
/// | `String`, `Substring`, `Bool`, integers of up to 64 bits, `Decimal` | the same, exact |
/// | `Double`, `Float` | the shortest digits that read back as the number |
/// | `Date` | ISO 8601, in UTC: `2016-01-23T18:30:00Z` |
/// | `URL` | the absolute string |
/// | `UUID` | the text, in upper case |
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

/// A type whose parameters the library writes itself.
protocol StandardParameter: ParameterValue {
    func parameter() throws -> JSONValue?
}

extension StandardParameter {
    public var parameterValue: JSONValue? { get throws { try parameter() } }

    func parameter() throws -> JSONValue? { try JSONValue(any: self) }
}

extension Int: StandardParameter {}
extension Int8: StandardParameter {}
extension Int16: StandardParameter {}
extension Int32: StandardParameter {}
extension Int64: StandardParameter {}
extension UInt: StandardParameter {}
extension UInt8: StandardParameter {}
extension UInt16: StandardParameter {}
extension UInt32: StandardParameter {}
extension UInt64: StandardParameter {}
extension Double: StandardParameter {}
extension Float: StandardParameter {}
extension Decimal: StandardParameter {}
extension Bool: StandardParameter {}
extension String: StandardParameter {}
extension JSONValue: StandardParameter {}

extension Substring: StandardParameter {
    func parameter() -> JSONValue? { .string(String(self)) }
}

extension Date: StandardParameter {
    func parameter() throws -> JSONValue? { try ISO8601Date.text(self).map { .string($0) } ?? JSONValue(any: self) }
}

extension URL: StandardParameter {
    func parameter() -> JSONValue? { .string(absoluteString) }
}

extension UUID: StandardParameter {
    func parameter() -> JSONValue? { .string(uuidString) }
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

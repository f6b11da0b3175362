/// A converter for an Optional value: `null` is nil. Made by ``Converter/optional``.
public struct OptionalConverter<Wrapped: Converter>: Converter {
    let wrapped: Wrapped

    /// Reads nil from `null`, else the wrapped value.
    public func value(from json: JSONValue) throws -> Wrapped.Value? {
        json.isNull ? nil : try wrapped.value(from: json)
    }

    /// Writes `null` for nil.
    public func json(from value: Wrapped.Value?) throws -> JSONValue { try value.map(wrapped.json) ?? .null }
}

/// A converter for an array, all of whose elements must fit. Made by `.array(of:)`.
public struct ArrayConverter<Element: Converter>: Converter {
    let element: Element

    /// Reads an array; an element that does not fit fails it.
    public func value(from json: JSONValue) throws -> [Element.Value] {
        guard let elements = json.array else { throw ConversionError(expected: "an array") }
        return try elements.map(element.value)
    }

    /// Writes an array.
    public func json(from value: [Element.Value]) throws -> JSONValue { .array(try value.map(element.json)) }
}

/// Several converters, tried in order. Made by `.any(_:)`.
public struct AnyOfConverter<Value>: Converter {
    let converters: [any Converter<Value>]

    /// Reads with the first converter that does not throw.
    ///
    /// - Throws: ``ConversionError`` that names what each of them expected.
    public func value(from json: JSONValue) throws -> Value {
        var expectations: [String] = []
        for converter in converters {
            do {
                return try converter.value(from: json)
            } catch let error as ConversionError {
                expectations.append(error.expected)
            } catch {
                expectations.append("a value for \(type(of: converter)) (\(error))")
            }
        }
        throw ConversionError(expected: expectations.isEmpty ? "no value" : expectations.joined(separator: " or "))
    }

    /// Writes with the first converter.
    public func json(from value: Value) throws -> JSONValue {
        guard let first = converters.first else { throw ConversionError(expected: "a converter in .any") }
        return try first.json(from: value)
    }
}

extension Converter {
    /// This converter for Optional values: `null` is nil.
    public var optional: OptionalConverter<Self> { OptionalConverter(wrapped: self) }

    /// A converter for arrays whose elements are read by the given one, and all of them must fit.
    public static func array<Element: Converter>(of element: Element) -> Self where Self == ArrayConverter<Element> {
        ArrayConverter(element: element)
    }

    /// The given converters, tried in order; the first one writes.
    public static func any<Value>(_ converters: [any Converter<Value>]) -> Self where Self == AnyOfConverter<Value> {
        AnyOfConverter(converters: converters)
    }
}

/// A converter that can be wrongly made, or contains one.
protocol CheckedConverter {
    /// What is wrong, if something is.
    var fault: String? { get }
}

extension DateConverter: CheckedConverter {}

extension OptionalConverter: CheckedConverter {
    var fault: String? { (wrapped as? any CheckedConverter)?.fault }
}

extension ArrayConverter: CheckedConverter {
    var fault: String? { (element as? any CheckedConverter)?.fault }
}

extension AnyOfConverter: CheckedConverter {
    var fault: String? { converters.lazy.compactMap { ($0 as? any CheckedConverter)?.fault }.first }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A converter of the library that reads straight from the bytes.
protocol DirectConverter: Converter {
    /// What fits, as the end of "expected …".
    var expected: String { get }
    /// As ``JSONScalar/read(_:_:)``.
    func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Value?
    /// As ``JSONScalar/write(_:_:)``.
    func write(_ value: Value, _ writer: inout JSONWriter, _ session: WritingSink)
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

/// Colours with alpha first: `#ARGB`, `#AARRGGBB`, and without alpha `#RGB`, `#RRGGBB`.
public struct ARGBColorConverter: Converter {
    init() {}

    /// Reads a colour.
    public func value(from json: JSONValue) throws -> RGBAColor {
        guard let color = json.string.flatMap(RGBAColor.init(argbHex:)) else {
            throw ConversionError(expected: "a colour like #AARRGGBB")
        }
        return color
    }

    /// Writes `#AARRGGBB`.
    public func json(from value: RGBAColor) throws -> JSONValue { .string(value.argbHex) }
}

/// Bytes as hexadecimal digits, two a byte.
public struct HexadecimalConverter: Converter {
    init() {}

    /// Reads an even number of digits in either case.
    public func value(from json: JSONValue) throws -> Data {
        guard let data = json.string.flatMap({ Hexadecimal.decode(Array($0.utf8)) }) else {
            throw ConversionError(expected: "hexadecimal digits, two a byte")
        }
        return data
    }

    /// Writes lower-case digits.
    public func json(from value: Data) throws -> JSONValue { .string(Hexadecimal.encode(value)) }
}

/// Bytes as base64 (RFC 4648 section 4; the URL alphabet of section 5 is read too).
public struct Base64Converter: Converter {
    init() {}

    /// Reads base64; padding may be absent.
    public func value(from json: JSONValue) throws -> Data {
        guard let data = json.string.flatMap({ Base64.decode(Array($0.utf8)) }) else {
            throw ConversionError(expected: "base64")
        }
        return data
    }

    /// Writes the standard alphabet with padding.
    public func json(from value: Data) throws -> JSONValue { .string(Base64.encode(value)) }
}

extension Converter where Self == ARGBColorConverter {
    /// Colours with alpha first: `#AARRGGBB`.
    public static var argbHex: ARGBColorConverter { ARGBColorConverter() }
}

extension Converter where Self == HexadecimalConverter {
    /// `Data` as hexadecimal digits.
    public static var hex: HexadecimalConverter { HexadecimalConverter() }
}

extension Converter where Self == Base64Converter {
    /// `Data` as base64, which is what `Data` reads without a converter.
    public static var base64: Base64Converter { Base64Converter() }
}

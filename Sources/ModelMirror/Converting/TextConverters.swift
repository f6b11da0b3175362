#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

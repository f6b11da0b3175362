import Foundation
import ModelMirror

/// A property for each type with a text form.
private class Texts: AbstractModel {
    var date: Date?
    var http: Date?
    var formatted: Date?
    var url: URL?
    var uuid: UUID?
    var data: Data?
    var hex: Data?
    var color: RGBAColor?
    var argb: RGBAColor?
    var zone: TimeZone?
    var locale: Locale?
    var decimal: Decimal?
    var integer: Int128?
    var character: Character?
    var words: [String: String] = [:]
    override class var propertyConverters: [String: any Converter] {
        [
            "http": .httpDate, "formatted": .format("EEE, d MMM yyyy HH:mm:ss.SSS Z"), "hex": .hex, "argb": .argbHex,
        ]
    }

    static let properties = [
        "date", "http", "formatted", "url", "uuid", "data", "hex", "color", "argb", "zone", "locale", "decimal",
        "integer", "character",
    ]
}

extension FuzzTarget {
    /// A text mapped to each type with a text form: its value is written, and equal when read back.
    static let texts = FuzzTarget(
        "texts",
        seeds: [
            "2016-01-23T18:30:00.123456789+02:00", "2016-01-23", "2016-W03-6", "0000-01-01T00:00:00+00:01",
            "Sat, 23 Jan 2016 18:30:00 GMT", "Saturday, 23-Jan-16 18:30:00 GMT", "Sat Jan 23 18:30:00 2016",
            "Sat, 23 Jan 2016 18:30:00.123 +0200", "https://user:pass@example.com:8080/a%20b/ü?q=1&r[]=2#f", "//a/../b",
            "mailto:a@b.c", "[::1]", "0F9B1C3E-6A5D-4F0B-8C1D-2E3F4A5B6C7D", "QUJDRA==", "DEADBEEF", "#FF8000",
            "#80FF8000", "rgba(1, 2, 3, 0.5)", "Europe/Berlin", "de_DE@currency=EUR", "-1.50e-3",
            "170141183460469231731687303715884105727", "👩‍👩‍👧", "e\u{301}",
        ].map { Array($0.utf8) },
        words: [
            "-", "+", ":", "T", "Z", "z", ".", "%", "%2", "#", "?", "/", "//", "\\", " ", "\u{0}", "9999", "0000", "99",
            "31", "60", "24:00", "Feb", "=", "==", "é", "\u{301}", "🧜🏽‍♂️", "1e400", "e-400", "[", "]", "@", "\"",
        ].map { Array($0.utf8) }
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        var isAccepted = false
        for property in Texts.properties {
            let json = JSONValue.object([property: .string(text), "words": .object([text: .string(text)])])
            do {
                let object = try Texts(json: json)
                isAccepted = true
                let written = try object.jsonData()
                let again = try Texts(json: written)
                // The pattern writes milliseconds, while more digits are read.
                let isSame = property == "formatted" ? try again.jsonData() == written : again.isEqual(to: object)
                guard isSame else {
                    return .broken(
                        "\(property) differs when read back from \(String(decoding: written, as: UTF8.self))")
                }
                guard object.words[text] == text else { return .broken("a text differs as a key and a value") }
            } catch {
                guard case .invalidValues = error as? ModelError else { return .broken("\(property): \(error)") }
            }
        }
        return isAccepted ? .accepted : .refused
    }

    /// Numbers are read as by `strtod`, `strtof` and the standard library's integers.
    static let numbers = FuzzTarget(
        "numbers",
        seeds: [
            "0", "-0", "1", "-1.5", "9007199254740993", "0.1", "123456789012345678", "1e22", "1e23", "5e-324",
            "2.5e-324",
            "1.7976931348623157e308", "1.7976931348623159e308", "8.5e-46", "3.4028235677973366e38",
            "9007199254740992.999999999999999999999", "179769313486231580793728971405303415079934132710037826936173",
            "0.000000000000000000000000000000000000000000001401298464324817070923729583289916131280",
        ].map { Array($0.utf8) },
        words: ["0", "9", ".", "e", "E", "-", "+", "00000000", "99999999", "e308", "e-324", "5", "e9999999999"].map {
            Array($0.utf8)
        }
    ) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self), let number = JSONNumber(text) else {
            return .refused
        }
        let double = strtod(text, nil)
        let expected = double.isFinite ? double : nil
        guard number.double?.bitPattern == expected?.bitPattern else {
            return .broken("\(text) as Double is \(String(describing: number.double)), expected \(double) as by strtod")
        }
        let float = strtof(text, nil)
        let read = try? JSONMapper.value(Float.self, from: text)
        guard read?.bitPattern == (float.isFinite ? float.bitPattern : nil) else {
            return .broken("\(text) as Float is \(String(describing: read)), expected \(float) as by strtof")
        }
        if !text.utf8.contains(where: { ".eE".utf8.contains($0) }) {
            guard number.int == Int(text), number.integer(UInt8.self) == UInt8(text) || text == "-0" else {
                return .broken("\(text) as an integer is \(String(describing: number.int))")
            }
        }
        return .accepted
    }

    /// Foundation's `JSONSerialization` accepts the documents that this package accepts, and reads the same values. Its extensions
    /// of JSON are excepted: a comma before a closing bracket, UTF-16 and UTF-32.
    static let peers = FuzzTarget("peers", seeds: Mutations.documents, words: Mutations.words) { bytes in
        // It drops byte order marks, also inside strings.
        let text = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        guard !text.contains(byteOrderMark) else { return .refused }
        let object = Result { try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]) }
        let value: JSONValue
        do throws(ModelError) {
            value = try JSONValue(json: bytes)
        } catch {
            guard case .success(let object) = object else { return .refused }
            return isExcepted(bytes, object, error)
                ? .refused : .broken("JSONSerialization accepts a rejected document as \(object)")
        }
        switch object {
        case .success(let object):
            return value.equals(object) ? .accepted : .broken("JSONSerialization reads \(object)")
        // It cannot represent numbers out of range and deep nesting.
        case .failure where !value.isRepresentable(depth: 0): return .refused
        case .failure(let error): return .broken("JSONSerialization rejects an accepted document: \(error)")
        }
    }

    /// Whether a rejected document differs from the object that `JSONSerialization` reads only by its extensions of JSON.
    private static func isExcepted(_ bytes: [UInt8], _ object: Any, _ error: ModelError) -> Bool {
        guard case .invalidJSON(let fault) = error else { return false }
        // The depth limits differ.
        if fault.expected.hasPrefix("no deeper nesting") { return true }
        if ["']'", "'}'"].contains(fault.found) {
            // Remove the comma before it.
            var rest = bytes
            guard let comma = rest[..<fault.offset].lastIndex(where: { !" \t\r\n".utf8.contains($0) }),
                rest[comma] == UInt8(ascii: ",")
            else { return false }
            rest.remove(at: comma)
            do throws(ModelError) {
                return try JSONValue(json: rest).equals(object)
            } catch {
                return isExcepted(rest, object, error)
            }
        }
        let encodings: [String.Encoding] = [
            .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .utf32LittleEndian, .utf32BigEndian,
        ]
        return encodings.contains { encoding in
            guard let text = String(data: Data(bytes), encoding: encoding) else { return false }
            return (try? JSONValue(json: text))?.equals(object) ?? false
        }
    }
}

extension JSONValue {
    /// Whether `JSONSerialization` can represent the value.
    fileprivate func isRepresentable(depth: Int) -> Bool {
        switch self {
        case .null, .bool, .string: true
        case .number(let number): number.double != nil
        case .array(let values): depth < 100 && values.allSatisfy { $0.isRepresentable(depth: depth + 1) }
        case .object(let members): depth < 100 && members.values.allSatisfy { $0.isRepresentable(depth: depth + 1) }
        }
    }

    fileprivate func equals(_ other: Any) -> Bool {
        switch self {
        case .null: other is NSNull
        case .bool(let value): (other as? NSNumber)?.boolValue == value
        case .number(let number): (other as? NSNumber).map { isClose(number, $0.doubleValue) } ?? false
        case .string(let value): (other as? String)?.unicodeScalars.elementsEqual(value.unicodeScalars) ?? false
        case .array(let values):
            (other as? [Any]).map { $0.count == values.count && zip(values, $0).allSatisfy { $0.equals($1) } } ?? false
        case .object(let members):
            (other as? [String: Any]).map { others in
                others.count == members.count
                    && members.allSatisfy { key, value in others[key].map(value.equals) ?? false }
            } ?? false
        }
    }

    /// Equal for up to 17 characters before the exponent. Longer numbers are `Decimal`s there, whose Doubles are not rounded
    /// correctly: of three million numbers with 18 to 47 digits and exponents beyond 80, none differed by more than 20 ulps.
    private func isClose(_ number: JSONNumber, _ other: Double) -> Bool {
        guard let own = number.double else { return false }
        let isLong = number.text.prefix { $0 != "e" }.utf8.count > 17
        return own == other || isLong && abs(own - other) <= 32 * own.ulp
    }
}

/// `Bool`.
///
/// Lenient: `true`, `false`; the strings `true`, `t`, `1`, `false`, `f`, `0` in any case, without surrounding white space;
/// numbers, true unless zero. Strict: `true` and `false` only.
extension Bool: CommonScalar {
    static var expected: Expectation { .kind(.boolean) }
    static var schema: JSONValue { ["type": "boolean"] }
    static var kinds: (property: PropertyKind, optional: PropertyKind) { (.bool, .optionalBool) }
    static func plainValue(of json: JSONValue) -> Bool? { json.bool }

    @inline(__always)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Bool? {
        if reader.byte == UInt8(ascii: "t") || reader.byte == UInt8(ascii: "f") { return try reader.readBool() }
        return try readOther(&reader, session)
    }

    @inline(__always)
    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(self) }

    @inline(never)
    private static func readOther(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Bool? {
        let offset = reader.offset
        if session.rules.strict { return try session.refuse(&reader, expected) }
        if reader.isAtNumber {
            let token = try reader.scanNumber()
            return session.coerced(token.significand != 0 || token.isCut, at: offset, expected)
        }
        guard reader.byte == UInt8(ascii: "\"") else { return try session.refuse(&reader, expected) }
        return session.coerced(try reader.scanString().withBytes(value(of:)), at: offset, expected)
    }

    private static func value(of text: UnsafeBufferPointer<UInt8>) -> Bool? {
        if text.count == 1, text[0] & 0xFE == UInt8(ascii: "0") { return text[0] == UInt8(ascii: "1") }
        // With this bit set, only a letter and its capital become that letter. Strings would take a third of such a mapping.
        func reads(_ word: StaticString) -> Bool {
            let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            return word.count == text.count && zip(text, word).allSatisfy { $0 | 0x20 == $1 }
        }
        return reads("true") || reads("t") ? true : reads("false") || reads("f") ? false : nil
    }
}

/// Integers of every width.
///
/// Lenient: an integral JSON number (`1.0` and `1e3` are), a string of an optional sign and digits (at most 64 characters),
/// `true` and `false` as 1 and 0. Strict: numbers only. Nothing is wrapped, and nothing rounded unless the option `integers` says so.
extension JSONScalar where Self: FixedWidthInteger {
    static var key: KeyPlan<Self>? {
        KeyPlan(
            expected: expected,
            value: { Array($0.utf8).withUnsafeBufferPointer { IntegerReading.integer(digits: $0) } },
            text: { String($0) },
            range: { text in JSONNumber.token(of: text) { IntegerReading.isLarge($0) ? range : nil } },
            schema: { ["propertyNames": ["pattern": isSigned ? "^[+-]?[0-9]+$" : "^([+]?[0-9]+|-0+)$"]] })
    }
    static func plainValue(of json: JSONValue) -> Self? { json.number?.integer() }

    static var schema: JSONValue {
        ["type": "integer", "minimum": .number(JSONNumber(Self.min)), "maximum": .number(JSONNumber(Self.max))]
    }

    static var expected: Expectation { Self.self == Int.self ? .kind(.integer) : range }

    private static var range: Expectation { .integer(Self.self) }

    @inline(__always)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self? {
        let offset = reader.offset
        if let value = reader.readShortInteger() {
            return Self(exactly: value) ?? session.refused(at: offset, expected)
        }
        return try readOther(&reader, session)
    }

    @inline(__always)
    func write(_ writer: inout JSONWriter, _ session: WritingSink) {
        if let value = Int(exactly: self) { writer.write(value) } else { writer.append(json: String(self)) }
    }

    @inline(never)
    private static func readOther(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self? {
        let offset = reader.offset
        let value: Self?
        switch reader.byte {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let token = try reader.scanNumber()
            if let value = IntegerReading.integer(token, as: Self.self) { return value }
            value = converted(token, session)
            if value == nil, IntegerReading.isLarge(token) { return session.refused(at: offset, range) }
        case UInt8(ascii: "\"") where !session.rules.strict:
            // The first byte excludes most texts before a string is made.
            value = try reader.scanString().withBytes {
                $0.first.map { $0 <= UInt8(ascii: "9") } == true ? integer(text: $0, session) : nil
            }
        case _ where reader.isAtBoolean && (!session.rules.strict || session.rules.numbersFromBooleans):
            value = try reader.readBool() ? 1 : 0
        default: return try session.refuse(&reader, expected)
        }
        return session.coerced(value, at: offset, expected)
    }

    /// The value of a string's text.
    private static func integer(text: UnsafeBufferPointer<UInt8>, _ session: ReadingSink) -> Self? {
        if text.count <= 64, let value: Self = IntegerReading.integer(digits: text) { return value }
        guard session.rules.integers != .exact else { return nil }
        return JSONNumber.token(of: String(decoding: text, as: UTF8.self)) { converted($0, session) }
    }

    /// The value of a number, with a fraction if the options allow it.
    private static func converted(_ token: NumberToken, _ session: ReadingSink) -> Self? {
        guard session.rules.integers != .exact else { return nil }
        return IntegerReading.integer(token, as: Self.self)
            ?? IntegerReading.nearest(token, as: Self.self, isRounded: session.rules.integers == .rounded)
    }
}

extension Int: NestedScalar {
    static var kinds: (property: PropertyKind, optional: PropertyKind) { (.int, .optionalInt) }
}

extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: CommonScalar {}
extension Int64: CommonScalar {}
extension Int128: JSONScalar {}
extension UInt: CommonScalar {}
extension UInt8: CommonScalar {}
extension UInt16: JSONScalar {}
extension UInt32: CommonScalar {}
extension UInt64: CommonScalar {}
extension UInt128: JSONScalar {}

/// A scalar read from a number's digits, and leniently from a string that is a JSON number.
///
/// `Double`, `Float`: correctly rounded; values that are too small become ±0, values that are too large do not fit. `Decimal`:
/// exact, or it does not fit.
protocol JSONNumberScalar: JSONScalar, Numeric {
    /// The value of a number token; nil if it does not fit.
    static func value(_ token: NumberToken) -> Self?
    /// The number that reads back equal; nil for infinities and NaN.
    var number: JSONNumber? { get }
    /// What is expected where a number does not fit.
    static var range: Expectation { get }
}

extension JSONNumberScalar {
    static var expected: Expectation { .kind(.number) }
    static var range: Expectation { .number(Self.self) }
    static var schema: JSONValue { ["type": "number"] }
    static var key: KeyPlan<Self>? {
        KeyPlan(
            expected: expected, value: number(in:), text: { $0.number?.text },
            range: { JSONNumber($0) == nil ? nil : range },
            schema: { ["propertyNames": ["pattern": "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?$"]] })
    }

    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self? {
        try readToken(&reader, session)
    }

    @inline(never)
    fileprivate static func readToken(
        _ reader: inout JSONReader, _ session: ReadingSink
    ) throws(Interruption) -> Self? {
        let offset = reader.offset
        switch reader.byte {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let token = try reader.scanNumber()
            guard let value = value(token) else { return session.refused(at: offset, range) }
            if value == .zero, token.significand != 0 { session.coerced(at: offset, range) }
            return value
        case UInt8(ascii: "\"") where !session.rules.strict:
            return session.coerced(number(in: try reader.readString()), at: offset, expected)
        case _ where reader.isAtBoolean && session.rules.numbersFromBooleans:
            return session.coerced(try reader.readBool() ? 1 : 0, at: offset, expected)
        default: return try session.refuse(&reader, expected)
        }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) {
        guard let number else { return session.refuse(&writer, expected: .plain(.notFinite), found: "\(self)") }
        writer.append(json: number.text)
    }

    /// The value of a text that is exactly a JSON number.
    private static func number(in text: String) -> Self? { JSONNumber.token(of: text, value) }
}

/// Floating-point types, whose infinities and NaN may be written as strings.
extension JSONNumberScalar where Self: BinaryFloatingPoint {
    /// Where strings stand for infinities and NaN, in strict mapping too.
    @_semantics("optimize.sil.specialize.generic.never")
    static func plan(by rules: TableRules) -> TypePlan<Self>? {
        guard let strings = rules.nonFiniteNumbers else { return nil }
        var ruled = plan.withRead { [read = plan.read] reader, session, store throws(Interruption) in
            if reader.byte == UInt8(ascii: "\"") {
                var ahead = reader
                if let value: Self = strings.value(try ahead.readString()) {
                    reader = ahead
                    store(value)
                    return true
                }
            }
            return try read(&reader, session, store)
        }
        ruled.write = { value, writer, session in
            if let text = strings.text(value) { writer.write(text) } else { value.write(&writer, session) }
        }
        // An object that was read back equals the original, NaN included.
        ruled.isEqual = { $0 == $1 || $0.isNaN && $1.isNaN }
        ruled.schema = { _ in
            let texts = [strings.infinity, strings.negativeInfinity, strings.nan].map(JSONValue.string)
            return ["anyOf": [schema, ["enum": .array(texts)]]]
        }
        return ruled
    }
}

extension Double: JSONNumberScalar, NestedScalar {
    static var kinds: (property: PropertyKind, optional: PropertyKind) { (.double, .optionalDouble) }

    @inline(__always)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Double? {
        if let value = reader.readShortDouble() { return value }
        return try readToken(&reader, session)
    }

    static func value(_ token: NumberToken) -> Double? { FloatingPointRounding.double(token) }
    var number: JSONNumber? { JSONNumber(self) }
}

extension Float: JSONNumberScalar, CommonScalar {
    static func value(_ token: NumberToken) -> Float? { FloatingPointRounding.slowValue(token) }
    var number: JSONNumber? { JSONNumber(self) }
}

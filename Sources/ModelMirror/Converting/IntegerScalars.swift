/// Integers of every width.
///
/// Lenient: a JSON number that is integral (`1.0` and `1e3` are), a string of an optional sign and digits (at most 64
/// characters), `true` and `false` as 1 and 0. Strict: the number alone. Nothing is rounded and nothing wraps.
extension JSONScalar where Self: FixedWidthInteger {
    static var schema: JSONValue {
        ["type": "integer", "minimum": .number(JSONNumber(Self.min)), "maximum": .number(JSONNumber(Self.max))]
    }

    static var expected: String {
        Self.self == Int.self ? "an integer" : "an integer from \(Self.min) to \(Self.max)"
    }

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
    private static func readOther(
        _ reader: inout JSONReader, _ session: ReadingSink
    ) throws(Interruption) -> Self? {
        let offset = reader.offset
        switch reader.byte {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return IntegerReading.integer(try reader.scanNumber(), as: Self.self)
                ?? session.refused(at: offset, expected)
        case UInt8(ascii: "\"") where !session.rules.strict:
            let token = try reader.scanString()
            guard let value = token.withBytes({ IntegerReading.integer(text: $0, as: Self.self) }) else {
                return session.refused(at: offset, expected)
            }
            session.coerced(at: offset, expected)
            return value
        case UInt8(ascii: "t") where !session.rules.strict, UInt8(ascii: "f") where !session.rules.strict:
            let value = try reader.readBool()
            session.coerced(at: offset, expected)
            return value ? 1 : 0
        default: return try session.refuse(&reader, expected)
        }
    }
}

extension Int: JSONScalar {}
extension Int8: JSONScalar {}
extension Int16: JSONScalar {}
extension Int32: JSONScalar {}
extension Int64: JSONScalar {}
extension Int128: JSONScalar {}
extension UInt: JSONScalar {}
extension UInt8: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}
extension UInt128: JSONScalar {}

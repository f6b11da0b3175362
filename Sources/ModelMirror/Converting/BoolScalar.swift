/// `Bool`.
///
/// Lenient: `true`, `false`; the strings `true`, `t`, `1`, `false`, `f`, `0` in any case, without space around them; numbers
/// by whether they differ from zero. Strict: the literals alone.
extension Bool: JSONScalar {
    static var expected: String { "true or false" }
    static var schema: JSONValue { ["type": "boolean"] }

    @inline(__always)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Bool? {
        if reader.byte == UInt8(ascii: "t") || reader.byte == UInt8(ascii: "f") { return try reader.readBool() }
        return try readOther(&reader, session)
    }

    @inline(__always)
    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(self) }

    @inline(never)
    private static func readOther(
        _ reader: inout JSONReader, _ session: ReadingSink
    ) throws(Interruption) -> Bool? {
        let offset = reader.offset
        if session.rules.strict { return try session.refuse(&reader, expected) }
        if reader.isAtNumber {
            let token = try reader.scanNumber()
            session.coerced(at: offset, expected)
            return token.significand != 0 || token.isCut
        }
        guard reader.byte == UInt8(ascii: "\"") else { return try session.refuse(&reader, expected) }
        switch try reader.readString().lowercased() {
        case "true", "t", "1":
            session.coerced(at: offset, expected)
            return true
        case "false", "f", "0":
            session.coerced(at: offset, expected)
            return false
        default: return session.refused(at: offset, expected)
        }
    }
}

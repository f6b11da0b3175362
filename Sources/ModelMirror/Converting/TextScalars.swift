/// `String`: a JSON string; with the options `stringsFromNumbers` and `stringsFromBooleans` also a number, digit for digit, and a
/// Boolean.
extension String: NestedScalar {
    static var expected: Expectation { .kind(.string) }
    static var key: KeyPlan<String>? { KeyPlan(expected: expected, value: { $0 }, text: { $0 }) }
    static var kinds: (property: PropertyKind, optional: PropertyKind) { (.string, .optionalString) }
    static func plainValue(of json: JSONValue) -> String? { json.string }

    @inline(__always)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> String? {
        if reader.byte == UInt8(ascii: "\"") { return try reader.readString() }
        return try readOther(&reader, session)
    }

    @inline(__always)
    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(self) }

    @inline(never)
    private static func readOther(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> String? {
        let offset = reader.offset
        let text: String
        if session.rules.stringsFromNumbers, reader.isAtNumber {
            text = try reader.scanNumber().string
        } else if session.rules.stringsFromBooleans, reader.isAtBoolean {
            text = try reader.readBool() ? "true" : "false"
        } else {
            return try session.refuse(&reader, expected)
        }
        return session.coerced(text, at: offset, expected)
    }
}

/// `Substring`: as `String`.
extension Substring: JSONScalar {
    static var expected: Expectation { .kind(.string) }

    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Substring? {
        try String.read(&reader, session).map { Substring($0) }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(String(self)) }
}

/// A scalar that is a string in JSON.
protocol TextScalar: JSONScalar {
    /// The value of a text; nil if it does not fit.
    static func value(ofText text: String) -> Self?
    /// The text that is written.
    var jsonText: String { get }
}

extension TextScalar {
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Self? {
        try session.readText(&reader, expected) { value(ofText: $0.string) }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(jsonText) }
}

/// `Character`: a string of exactly one character.
extension Character: TextScalar {
    static var expected: Expectation { .format(.character) }
    static var schema: JSONValue { ["type": "string", "minLength": 1] }
    static func value(ofText text: String) -> Character? { text.count == 1 ? text.first : nil }
    var jsonText: String { String(self) }
}

extension ReadingSink {
    /// Reads a string and converts its text; rejects anything else.
    ///
    /// - Parameter convert: Returns the value of a text; nil if it does not fit.
    @inline(__always)
    func readText<Value>(
        _ reader: inout JSONReader, _ expected: Expectation, _ convert: (StringToken) -> Value?
    ) throws(Interruption) -> Value? {
        guard reader.byte == UInt8(ascii: "\"") else { return try refuse(&reader, expected) }
        let offset = reader.offset
        return convert(try reader.scanString()) ?? refused(at: offset, expected)
    }
}

extension JSONReader {
    /// A string, a number or a Boolean as the name of a type: `1.0` is `"1"`; nil for any other value, which is not read.
    mutating func readTypeName() throws(Interruption) -> String? {
        if byte == UInt8(ascii: "\"") { return try readString() }
        return isAtNumber || isAtBoolean ? try JSONValue(&self).typeName : nil
    }
}

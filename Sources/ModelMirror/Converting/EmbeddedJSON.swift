/// Marks a property whose JSON value is a string that itself holds JSON. Made by `.embeddedJSON`.
///
/// ```json
/// {"payload": "{\"id\": 7}"}
/// ```
///
/// The text inside is mapped onto the property's own type, whatever that is: a model, an array, ``JSONValue``. A failure's
/// path, line and column are those of the string; what was expected inside, and where, is told by its `underlying` error.
public struct EmbeddedJSONConverter: Converter {
    init() {}

    /// Reads the JSON inside a string.
    public func value(from json: JSONValue) throws -> JSONValue {
        guard let text = json.string else { throw ConversionError(expected: "a string that holds JSON") }
        return try JSONValue(json: text)
    }

    /// Writes the value as JSON inside a string.
    public func json(from value: JSONValue) throws -> JSONValue { .string(value.compactText) }
}

extension Converter where Self == EmbeddedJSONConverter {
    /// JSON inside a string, for a property of any type.
    public static var embeddedJSON: EmbeddedJSONConverter { EmbeddedJSONConverter() }
}

extension ValueCodec {
    /// Reads the value at the cursor, for a call's root; nil if it does not fit.
    func value(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Value? {
        var value: Value?
        _ = try read(&reader, session) { value = $0 }
        return value
    }

    /// A codec for a string that holds the JSON of this codec's value.
    var embedded: ValueCodec {
        let expected = "a string that holds JSON for \(expected)"
        return ValueCodec(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard reader.byte == UInt8(ascii: "\"") else { return try session.refuse(&reader, expected) }
                let offset = reader.offset
                let text = try reader.readString()
                guard let value = try session.readEmbedded(text, at: offset, self, expected) else { return false }
                store(value)
                return true
            },
            write: { value, writer, session in
                session.writeEmbedded(value, &writer, expected) { writer, session in write(value, &writer, session) }
            }, isEqual: isEqual, copy: copy,
            schema: { _ in ["type": "string", "contentMediaType": "application/json"] })
    }
}

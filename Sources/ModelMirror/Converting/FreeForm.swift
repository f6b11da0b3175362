/// Values that take any JSON.

extension JSONValue: JSONScalar {
    static var expected: String { "a JSON value" }

    static var codec: ValueCodec<JSONValue> {
        ValueCodec(expected: expected, acceptsNull: true) { reader, _, store throws(Interruption) in
            store(try JSONValue(&reader))
            return true
        }
    }

    static func read(_ reader: inout JSONReader, _ session: MappingSession) throws(Interruption) -> JSONValue? {
        try JSONValue(&reader)
    }
}

extension JSONNumber: JSONScalar {
    static var expected: String { "a number" }

    static func read(_ reader: inout JSONReader, _ session: MappingSession) throws(Interruption) -> JSONNumber? {
        guard reader.isAtNumber else { return try session.refuse(&reader, expected) }
        return JSONNumber(checked: try reader.scanNumber().string)
    }
}

extension ValueCodec<Any> {
    /// `Any`: plain Swift values, as in ``JSONValue/any``; `null` is `JSONValue.null`.
    static var any: ValueCodec<Any> {
        ValueCodec(expected: "a JSON value", acceptsNull: true) { reader, _, store throws(Interruption) in
            store(try JSONValue(&reader).any ?? JSONValue.null)
            return true
        }
    }
}

extension Converter where Self == AnyConverter<JSONValue> {
    /// A string that contains JSON, for a property of any type.
    ///
    /// ```json
    /// {"payload": "{\"id\": 7}"}
    /// ```
    ///
    /// The text inside is mapped onto the property's own type: a model, an array, ``JSONValue``. Path, line and column of a
    /// failure are the string's; its `underlying` error describes the failure inside.
    public static var embeddedJSON: Self {
        let plan = TypePlan<JSONValue>.throwing(
            expected: .embedded(nil),
            read: { json in
                guard let text = json.string else { throw ConversionError(.embedded(nil)) }
                return try JSONValue(json: text)
            }, write: { .string($0.compactText) })
        return AnyConverter(plan: plan, isEmbeddedJSON: true)
    }
}

extension TypePlan {
    /// Reads the value at the cursor as the root of a call; nil if it does not fit.
    func value(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Value? {
        var value: Value?
        _ = try read(&reader, session) { value = $0 }
        return value
    }

    /// A plan for a string that contains the JSON of this plan's value.
    var embedded: TypePlan {
        let expected = Expectation.embedded(expected)
        return TypePlan(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard reader.byte == UInt8(ascii: "\"") else { return try session.refuse(&reader, expected) }
                let offset = reader.offset
                let text = try reader.readString()
                let depth = reader.depthLeft
                guard let value = try session.readEmbedded(text, at: offset, depthLeft: depth, self, expected) else {
                    return false
                }
                store(value)
                return true
            },
            write: { value, writer, session in
                session.writeEmbedded(value, &writer, expected) { writer, session in write(value, &writer, session) }
            }, isEqual: isEqual, copy: copy,
            schema: { _ in ["type": "string", "contentMediaType": "application/json"] })
    }
}

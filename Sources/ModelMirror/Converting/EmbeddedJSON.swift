extension Converter where Self == AnyConverter<JSONValue> {
    /// A string that contains JSON, for a property of any type.
    ///
    /// ```json
    /// {"payload": "{\"id\": 7}"}
    /// ```
    ///
    /// The text inside is mapped onto the property's own type: a model, an array, ``JSONValue``. Path, line and column of a
    /// failure are the string's; its `underlying` error describes the failure inside.
    public static var embeddedJSON: Self { embeddedJSON(orObject: false) }

    /// Like ``embeddedJSON``, but also reads the JSON itself, without a string around it.
    ///
    /// ```json
    /// {"payload": {"id": 7}}
    /// ```
    ///
    /// - Parameter orObject: Whether an object, an array or any other value that is not a string is also read. A string is written.
    public static func embeddedJSON(orObject: Bool) -> Self {
        let plan = TypePlan<JSONValue>.throwing(
            expected: .embedded(nil),
            read: { json in
                guard let text = json.string else {
                    if orObject { return json }
                    throw ConversionError(.embedded(nil))
                }
                return try JSONValue(json: text)
            }, write: { .string($0.description) })
        return AnyConverter(plan: plan, embedsOrObject: orObject)
    }
}

extension TypePlan {
    /// Reads the value at the cursor as the root of a call; nil if it does not fit.
    func value(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Value? {
        var value: Value?
        _ = try read(&reader, session) { value = $0 }
        return value
    }

    /// A plan for a string that contains the JSON of this plan's value, or for that JSON itself.
    func embedded(orObject: Bool) -> TypePlan {
        let text = Expectation.embedded(expected)
        let expected = orObject ? .any([text, expected]) : text
        return TypePlan(
            expected: expected, acceptsNull: orObject && acceptsNull, isCollection: isCollection,
            read: { reader, session, store throws(Interruption) in
                guard reader.byte == UInt8(ascii: "\"") else {
                    guard orObject else { return try session.refuse(&reader, expected) }
                    return try read(&reader, session, store)
                }
                let offset = reader.offset
                let text = try reader.readString()
                let depth = reader.depthLeft
                return try session.readEmbedded(text, at: offset, depthLeft: depth, self, expected).isStored(by: store)
            },
            write: { value, writer, session in session.writeEmbedded(value, &writer, self, expected) },
            isEqual: areEqual, copy: copy,
            schema: { sink in
                let text: JSONValue = ["type": "string", "contentMediaType": "application/json"]
                return orObject ? ["anyOf": [text, schema(sink)]] : text
            })
    }
}

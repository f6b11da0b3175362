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

extension MappingReport.Entry {
    /// The entry as a finding of the document around it, at the value that the inner document was made of.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: kind, property: property, modelName: model == "JSON" ? nil : model, offset: offset,
            suffix: path.steps,
            expected: expected, found: found, underlying: underlying)
    }
}

extension PropertyFailure {
    /// The failure as a finding of the document around it, at the value that the inner document was made of.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: .fallback, property: property, modelName: model, offset: offset, suffix: path.steps,
            expected: expected, found: found, underlying: underlying)
    }
}

extension ValueCodec {
    /// Reads the value at the cursor, for a call's root; nil if it does not fit.
    func value(_ reader: inout JSONReader, _ session: MappingSession) throws(Interruption) -> Value? {
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
                // The rules of the object around hold for what is in the string, but not for objects in it.
                let rules = MappingOptions(
                    strict: session.rules.strict, stringsFromNumbers: session.rules.stringsFromNumbers)
                do throws(ModelError) {
                    let inner = try MappingSession.run(
                        text, classOptions: rules, options: session.options.unreported,
                        isReporting: session.isReporting,
                        body: value)
                    session.adopt(inner.report.entries.map { $0.finding(insideOfValueAt: offset) })
                    store(inner.result)
                    return true
                } catch {
                    if case .invalidModel(let fault) = error { throw session.interruption(fault) }
                    return session.refused(at: offset, expected, underlying: error)
                }
            },
            write: { value, writer, session in
                do throws(ModelError) {
                    // The text inside has the same options, but is always compact, and escaped by the text around it.
                    let options = session.options.subtracting([.pretty, .escapedSlashes])
                    let inner = try WritingSession.run(options, for: nil, inside: session) { write(value, &$0, $1) }
                    inner.withBytes { writer.write(utf8: $0) }
                } catch {
                    session.refuse(
                        &writer, expected: expected, found: FoundValue.text(value), underlying: error)
                }
            }, isEqual: isEqual, copy: copy,
            schema: { _ in ["type": "string", "contentMediaType": "application/json"] })
    }
}

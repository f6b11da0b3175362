/// A converter of the library that reads straight from the bytes.
protocol DirectConverter: Converter {
    /// What fits, as the end of "expected …".
    var expected: String { get }
    /// As ``JSONScalar/read(_:_:)``.
    func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Value?
    /// As ``JSONScalar/write(_:_:)``.
    func write(_ value: Value, _ writer: inout JSONWriter, _ session: WritingSink)
    /// The JSON Schema of values that strict mapping accepts.
    var schema: JSONValue { get }
}

extension Converter {
    /// The codec that goes through this converter.
    var codec: ValueCodec<Value> {
        if let direct = self as? any DirectConverter, let codec = ValueCodec<Value>.direct(direct) { return codec }
        let acceptsNull = Value.self is any ContainerType.Type && Value.self is any OptionalType.Type
        let expected = "a value for \(Self.self)"
        return ValueCodec(
            expected: expected, acceptsNull: acceptsNull,
            read: { reader, session, store throws(Interruption) in
                let offset = reader.offset
                if !acceptsNull, reader.byte == UInt8(ascii: "n") { return try session.refuse(&reader, expected) }
                let json = try JSONValue(&reader)
                do {
                    store(try value(from: json))
                    return true
                } catch let error as ConversionError {
                    return session.refused(at: offset, error.expected)
                } catch {
                    return session.refused(at: offset, expected, underlying: error)
                }
            }, write: { value, writer, session in session.write(value, with: self, &writer) })
    }
}

extension ValueCodec {
    fileprivate static func direct<Direct: DirectConverter>(_ converter: Direct) -> ValueCodec? {
        let codec = ValueCodec<Direct.Value>(
            expected: converter.expected,
            read: { reader, session, store throws(Interruption) in
                guard let value = try converter.read(&reader, session) else { return false }
                store(value)
                return true
            }, write: converter.write, schema: { _ in converter.schema })
        return codec as? ValueCodec
    }
}

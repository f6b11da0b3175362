public import ModelMirrorFoundation

/// Types that accept any JSON.

extension JSONValue: CommonScalar {
    static var expected: Expectation { .anything }
    static var schema: JSONValue { [:] }
    static var acceptsNull: Bool { true }
    static func plainValue(of json: JSONValue) -> JSONValue? { json }
    var shownText: String? { nil }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) {
        switch self {
        case .null: writer.writeNull()
        case .bool(let value): writer.write(value)
        case .number(let value): writer.append(json: value.text)
        case .string(let value): writer.write(value)
        case .array(let elements): session.writeArray(elements, &writer) { $0.write(&$1, session) }
        case .object(let members):
            guard session.hasRoom(&writer, for: "an object") else { return }
            writer.writeObject(members.sorted { $0.key.precedes($1.key) }) { $0.write(&$1, session) }
        }
    }

    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> JSONValue? {
        try JSONValue(&reader)
    }
}

extension JSONNumber: JSONScalar {
    static var expected: Expectation { .kind(.number) }
    static var schema: JSONValue { ["type": "number"] }
    static func plainValue(of json: JSONValue) -> JSONNumber? { json.number }

    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> JSONNumber? {
        guard reader.isAtNumber else { return try session.refuse(&reader, expected) }
        return JSONNumber(checked: try reader.scanNumber().string)
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.append(json: text) }
}

extension TypePlan<Any> {
    /// `Any`: plain Swift values, as in ``JSONValue/any``. A property does not accept `null`; nested nulls are as in
    /// ``JSONValue/any``.
    static var any: TypePlan<Any> {
        TypePlan(
            expected: .anything,
            read: { reader, _, store throws(Interruption) in
                store(try JSONValue(&reader).any ?? JSONValue.plainNull)
                return true
            },
            write: { value, writer, session in
                do throws(ModelError) {
                    try JSONValue(any: value).write(&writer, session)
                } catch {
                    session.refuse(
                        &writer, expected: .writable(.plainValue), found: "a value of type \(type(of: value))",
                        underlying: error)
                }
            })
    }
}

extension JSONValue {
    /// Reads one JSON document of any kind.
    ///
    /// - Parameters:
    ///   - json: The document: `Data`, bytes, text, or any other ``JSONInput``.
    ///   - options: Only the limits of depth and bytes apply.
    /// - Throws: ``ModelError/invalidJSON(_:)`` if the text is not JSON or exceeds a limit.
    public init(json: some JSONInput, options: MappingOptions = .init()) throws(ModelError) {
        try self.init(tree: json, options: options)
    }

    /// The value as JSON; members sorted by key.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` if it is nested deeper than ``MappingOptions/maximumDepth`` or the stack has
    ///   room for.
    public func jsonData(options: WritingOptions = []) throws(ModelError) -> Data {
        let session = WritingSink(options)
        return try session.run(for: nil) { write(&$0, session) }.data()
    }

    /// The value as JSON text; members sorted by key.
    ///
    /// - Throws: As ``jsonData(options:)``.
    public func jsonString(options: WritingOptions = []) throws(ModelError) -> String {
        String(decoding: try jsonData(options: options), as: UTF8.self)
    }
}

extension JSONTree {
    /// Reads one JSON document of any kind: ``JSONValue/init(json:options:)`` for any tree.
    package init(tree json: some JSONInput, options: MappingOptions) throws(ModelError) {
        self = try json.document(options) { reader, _, _ throws(Interruption) in try Self(&reader) }
    }
}

extension JSONTape {
    /// Reads a whole document.
    ///
    /// - Returns: Its tokens, and its bytes.
    /// - Throws: As ``JSONValue/init(json:options:)``.
    package static func read(
        _ json: some JSONInput, options: MappingOptions
    ) throws(ModelError) -> (tape: JSONTape, bytes: [UInt8]) {
        try json.document(options) { reader, start, count throws(Interruption) in
            var tape = JSONTape()
            try tape.record(&reader, start, count)
            return (tape, Array(UnsafeBufferPointer(start: start, count: count)))
        }
    }
}

extension JSONInput {
    /// Reads all of a document by a function that begins at its value, and gets the memory too.
    fileprivate func document<Value>(
        _ options: MappingOptions, _ read: (inout JSONReader, UnsafePointer<UInt8>, Int) throws(Interruption) -> Value
    ) throws(ModelError) -> Value {
        let result = reading { start, count -> Result<Value, ModelError> in
            var reader = JSONReader(start, count: count, depth: MappingOptions.depthLimit(options.depth))
            return Result { () throws(Interruption) in
                try reader.limit(to: MappingOptions.bytesLimit(options.bytes), count)
                reader.skipWhitespace()
                let value = try read(&reader, start, count)
                try reader.finish()
                return value
            }.mapError { .invalidJSON(JSONSyntaxError($0, in: reader)) }
        }
        guard let result else { throw .unread(self) }
        return try result.get()
    }
}

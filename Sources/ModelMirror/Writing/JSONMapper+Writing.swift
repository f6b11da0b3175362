public import ModelMirrorFoundation

/// Writes values of any type that a property may have.
///
/// ```swift
/// let data = try JSONMapper.jsonData(of: [7: url])                        // {"7":"https://example.com"}
/// let schema = try JSONMapper.jsonSchema(of: [Int: URL?].self)
/// ```
extension JSONMapper {
    /// A value as JSON.
    ///
    /// - Parameters:
    ///   - value: The value. Its static type determines how it is written, as that of a property does.
    ///   - options: The layout, and what is written.
    ///   - mapping: As for ``MappedValue/jsonData(options:mapping:)``.
    /// - Throws: ``ModelError``, as ``MappedValue/jsonData(options:mapping:)``; ``ModelError/invalidModel(_:)`` if nothing converts
    ///   the type.
    public static func jsonData<Value>(
        of value: Value, options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> Data { try written(value, options, mapping).data() }

    /// A value as JSON text.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(of:options:mapping:)``.
    public static func jsonString<Value>(
        of value: Value, options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> String {
        try written(value, options, mapping).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// A value as a JSON value.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(of:options:mapping:)``.
    public static func jsonValue<Value>(
        of value: Value, options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> JSONValue {
        try JSONValue(json: jsonData(of: value, options: options, mapping: mapping), options: .deepest)
    }

    /// An `Encodable` value as JSON, whether or not it can be a property: by the caller's own encoder, otherwise with sorted keys.
    ///
    /// - Throws: Errors of the encoder.
    package static func jsonData(encoding value: some Encodable, mapping: MappingOptions) throws -> Data {
        // Over none of a class: those of the call, for the models inside of the value.
        let rules = mapping.rules.over(TableRules())
        return try rules.encoder?.encode(value) ?? CodableRules(rules).json(value).jsonData()
    }

    /// The JSON Schema (draft 2020-12) of the documents that strict mapping of a type accepts.
    ///
    /// As ``MappedModel/jsonSchema(options:)``, which says what is described.
    ///
    /// - Throws: ``ModelError/invalidModel(_:)`` if nothing converts the type, or a class that it refers to cannot be mapped.
    public static func jsonSchema<Value>(
        of type: Value.Type, options: MappingOptions = .init()
    ) throws(ModelError) -> JSONValue {
        let known = try plan(for: type, options)
        return try SchemaBuilder.document(options) { known.plan.schema($0) }
    }

    private static func written<Value>(
        _ value: Value, _ options: WritingOptions, _ mapping: MappingOptions
    ) throws(ModelError) -> JSONWriter {
        let known = try plan(for: Value.self, mapping)
        return try WritingSession.run(options, mapping, for: known.model) { known.plan.write(value, &$0, $1) }
    }
}

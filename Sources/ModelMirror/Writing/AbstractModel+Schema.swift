extension MappedModel {
    /// The JSON Schema (draft 2020-12) of the documents that strict mapping onto this class accepts, from the class alone.
    ///
    /// Nested and recursive models stand under `$defs`; enums that are `CaseIterable` list their raw values; dynamic types are a
    /// `oneOf` with the type's key. What a converter or type of your own accepts is not known and left open. Keys that no
    /// property takes are allowed, as they are in mapping.
    ///
    /// ```swift
    /// print(String(decoding: try Gist.jsonSchema().jsonData(options: .pretty), as: UTF8.self))
    /// ```
    ///
    /// - Throws: ``ModelError/invalidModel(_:)`` if the class, or one that it refers to, cannot be mapped.
    public static func jsonSchema() throws(ModelError) -> JSONValue {
        let builder = SchemaBuilder()
        let root = builder.reference(to: self)
        if let fault = builder.fault { throw .invalidModel(fault) }
        guard case .object(var schema) = root else { return root }
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        schema["$defs"] = .object(builder.definitions)
        return .object(schema)
    }
}

/// What codecs see of the making of a schema. The builder in `Writing/` is a subclass.
class SchemaSink {
    /// A reference to the definition of a class; the builder's work.
    func reference(to model: any MappedModel.Type) -> JSONValue { [:] }

    /// The schema of a value that may be null.
    final func nullable(_ schema: JSONValue) -> JSONValue {
        schema == [:] ? schema : ["anyOf": [schema, ["type": "null"]]]
    }
}

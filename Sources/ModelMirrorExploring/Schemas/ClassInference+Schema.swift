import Foundation

extension ClassInference {
    /// Writes the source of the classes for a JSON Schema, of any draft from 4 to 2020-12.
    ///
    /// Valid documents map strictly, and invalid ones fail, as far as classes can express it: types, required members, formats,
    /// enums, limits, also of elements, patterns, refused keys, unions with a discriminator, and conditions such as `not` and `if`.
    /// A class with conditions is a `DynamicTypeModel`, so map it with `JSONMapper` or inside another value. Not enforced: `null` for
    /// a member that is not required; the guide has the full list.
    ///
    /// - Parameters:
    ///   - schema: The schema in UTF-8. References must not leave it.
    ///   - name: The name of the root class. Defaults to the schema's title, otherwise `Root`.
    ///   - prefix: What the names of all other classes and enums begin with.
    /// - Throws: ``InferenceError`` if it is not JSON, a reference does not resolve, a schema contains itself through `allOf`, no
    ///   class can be the root, or the name is not valid for a class.
    public static func source(schema: [UInt8], name: String? = nil, prefix: String = "") throws(InferenceError)
        -> String
    {
        try source(schema: schema, ClassNaming(root: name, prefix: prefix))
    }

    static func source(schema: [UInt8], _ naming: ClassNaming) throws(InferenceError) -> String {
        try naming.check()
        let root = KeyForms.merged(try sample(schema))
        var shapes = SchemaShapes(root)
        let values = try shapes.values(root, at: SchemaShapes.Place(name: "", reference: "#"))
        try shapes.fillRecords()
        guard values.value.onlyRecord != nil else { throw .noClass(found: "a schema without objects") }
        shapes.graph.roots = [RootShape(value: values.value.limited())]
        // A schema that is a reference has the name of its target.
        let title = root["title"]?.text ?? root["$ref"]?.text.map(SchemaDocument.name) ?? ""
        var naming = naming
        if !SwiftName.type(title).isEmpty { naming.document = title }
        return SwiftText(ClassPlanner.plan(shapes.graph, naming, keys: nil)).source
    }

    /// Writes the source of a client for an OpenAPI 3 document: its schemas as classes, its operations as endpoints and as
    /// functions of a structure that conforms to `Requesting`, both named by `operationId`.
    ///
    /// The source imports ModelMirrorNetworking. Path and query parameters, required header fields and the body are arguments. The
    /// value is that of the first accepted response with JSON; the default response describes errors, unless it is the only one.
    ///
    /// - Parameters:
    ///   - openAPI: The document as JSON in UTF-8. References must not leave it.
    ///   - prefix: What the names of all classes and enums begin with.
    /// - Throws: ``InferenceError`` if it is not JSON or not OpenAPI 3, or if a reference does not resolve.
    public static func source(openAPI: [UInt8], prefix: String = "") throws(InferenceError) -> String {
        let naming = ClassNaming(prefix: prefix)
        try naming.check()
        let root: Sample
        do {
            root = KeyForms.merged(try sample(openAPI))
        } catch {
            let text = String(decoding: openAPI.prefix(2000), as: UTF8.self)
            guard text.hasPrefix("openapi:") || text.contains("\nopenapi:") else { throw error }
            throw .invalidSchema(
                reason: "The document is YAML; convert it first: yq -o=json openapi.yaml > openapi.json")
        }
        guard root["openapi"]?.text?.hasPrefix("3.") == true else {
            throw .invalidSchema(
                reason:
                    "The document is no OpenAPI 3, since its \"openapi\" is not a version 3; convert older ones first.")
        }
        var reader = OpenAPIReader(root)
        try reader.readSchemas()
        let operations = try reader.operations()
        let title = SwiftName.type(root["info"]?["title"]?.text ?? "")
        let name = title.lowercased().hasSuffix("api") ? title.dropLast(3) + "API" : title + "API"
        let server = root["servers"]?.element("0")?["url"]?.text
        return SwiftText(
            OpenAPISource.plan(operations, reader.shapes.graph, naming, name: name, server: server)
        ).source
    }
}

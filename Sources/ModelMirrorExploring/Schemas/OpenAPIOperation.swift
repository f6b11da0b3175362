import Foundation

/// An operation of an OpenAPI document.
struct OpenAPIOperation {
    /// A parameter in the path, the query or the header fields.
    struct Parameter {
        let name: String
        let location: String
        let value: ValueShape
        let isRequired: Bool
        /// What joins the elements of an array in a query; nil to send a pair for each.
        let separator: String?

        /// Whether the client's functions take it. Optional header fields are not supported.
        var isArgument: Bool { location == "path" || location == "query" || location == "header" && isRequired }
    }

    /// The content of the request's body.
    enum Body {
        case json(ValueShape)
        /// Any other content type.
        case other
    }

    /// The content of an accepted response.
    enum Response {
        case nothing
        case json(ValueShape)
        case data
    }

    /// The `operationId`; without one, method and path.
    let id: String
    let method: String
    let path: String
    let summary: String?
    var parameters: [Parameter] = []
    var body: (content: Body, isRequired: Bool)?
    var response = Response.nothing
}

/// Reads the operations of a document.
struct OpenAPIReader {
    private(set) var shapes: SchemaShapes
    private let root: Sample
    private static let methods = ["get", "head", "post", "put", "patch", "delete", "options", "trace"]

    init(_ root: Sample) {
        self.root = root
        shapes = SchemaShapes(root)
    }

    /// Makes the records of all named schemas.
    ///
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference that does not resolve.
    mutating func readSchemas() throws(InferenceError) {
        for schema in root["components"]?["schemas"]?.members ?? [] {
            let key = schema.key.replacing("~", with: "~0").replacing("/", with: "~1")
            let reference = Sample.object([
                Sample.Member(key: "$ref", value: .string("#/components/schemas/\(key)"))
            ])
            _ = try shapes.values(reference, at: SchemaShapes.Place(name: schema.key))
        }
        try shapes.fillRecords()
        shapes.linkSubclasses(of: root["components"]?["schemas"]?.members ?? [], prefix: "#/components/schemas/")
    }

    /// The operations in the order of the document.
    mutating func operations() throws(InferenceError) -> [OpenAPIOperation] {
        var operations: [OpenAPIOperation] = []
        for item in root["paths"]?.members ?? [] {
            let path = try resolved(item.value)
            for method in path.members ?? [] where OpenAPIReader.methods.contains(method.key) {
                operations.append(try operation(method.value, method.key, item.key, shared: path["parameters"]))
            }
        }
        try shapes.fillRecords()
        return operations
    }

    private mutating func operation(
        _ value: Sample, _ method: String, _ path: String, shared: Sample?
    ) throws(InferenceError) -> OpenAPIOperation {
        let summary = (value["summary"] ?? value["description"])?.text.flatMap(SchemaShapes.line)
        var operation = OpenAPIOperation(
            id: value["operationId"]?.text ?? "\(method) \(path)", method: method, path: path, summary: summary)
        for parameter in (value["parameters"]?.elements ?? []) + (shared?.elements ?? []) {
            let parameter = try resolved(parameter)
            guard let name = parameter["name"]?.text, let location = parameter["in"]?.text else { continue }
            // OpenAPI says that these are ignored.
            if location == "header", ["accept", "content-type", "authorization"].contains(name.lowercased()) {
                continue
            }
            // An operation's parameter replaces the path's.
            if operation.parameters.contains(where: { $0.name == name && $0.location == location }) { continue }
            // Without a schema the parameter is a text of some content type.
            let values = try parameter["schema"].map { schema throws(InferenceError) in
                try shapes.values(schema, at: SchemaShapes.Place(name: name))
            }
            operation.parameters.append(
                OpenAPIOperation.Parameter(
                    name: name, location: location, value: values?.value ?? .string,
                    isRequired: parameter["required"]?.isTrue == true || location == "path",
                    separator: OpenAPIReader.separator(of: parameter)))
        }
        if let body = value["requestBody"] {
            let body = try resolved(body)
            let isRequired = body["required"]?.isTrue == true
            if let schema = OpenAPIReader.json(body["content"]) {
                let place = SchemaShapes.Place(name: operation.id + " body")
                operation.body = (.json(try shapes.values(schema, at: place).value), isRequired)
            } else {
                operation.body = (.other, isRequired)
            }
        }
        // A response to HEAD has the header fields of its content alone (RFC 9110 section 9.3.2).
        if method != "head" { operation.response = try response(value["responses"], of: operation.id) }
        return operation
    }

    /// The content of the first accepted response with JSON, otherwise of the first accepted one. The default response describes
    /// errors, unless it is the only one.
    private mutating func response(
        _ responses: Sample?, of id: String
    ) throws(InferenceError) -> OpenAPIOperation.Response {
        let members = responses?.members ?? []
        var first: Sample?
        for member in members where member.key.hasPrefix("2") || members.count == 1 && member.key == "default" {
            let content = try resolved(member.value)["content"]
            if let schema = OpenAPIReader.json(content) {
                return .json(try shapes.values(schema, at: SchemaShapes.Place(name: id + " response")).value)
            }
            first = first ?? content ?? .object([])
        }
        return first?.members?.isEmpty == false ? .data : .nothing
    }

    /// What joins the elements of an array in a query, by `style` and `explode`; nil by default.
    private static func separator(of parameter: Sample) -> String? {
        if parameter["explode"]?.isTrue == true { return nil }
        switch parameter["style"]?.text {
        case "spaceDelimited": return " "
        case "pipeDelimited": return "|"
        default: return parameter["explode"]?.isFalse == true ? "," : nil
        }
    }

    /// The schema of the JSON content among several; nil if there is none.
    private static func json(_ content: Sample?) -> Sample? {
        let json = content?.members?.first { item in
            // Not application/jsonl and application/json-seq, which are several documents.
            let type = item.key.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces)
            return type == "application/json" || type.hasSuffix("+json")
        }
        return json.map { $0.value["schema"] ?? .object([]) }
    }

    private func resolved(_ value: Sample) throws(InferenceError) -> Sample {
        var value = value
        var seen: Set<String> = []
        while let reference = value["$ref"]?.text, seen.insert(reference).inserted {
            value = try shapes.document.value(at: reference)
        }
        return value
    }
}

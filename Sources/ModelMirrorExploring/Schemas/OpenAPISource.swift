/// Writes a client for the operations of an OpenAPI document.
struct OpenAPISource {
    private var planner: ClassPlanner
    private let name: String
    private var functions: [String] = []
    private var endpoints: [String] = []
    private var used: Set<String> = ["client"]
    private var numbered = NumberedNames()

    /// - Parameter name: The name of the client.
    static func plan(
        _ operations: [OpenAPIOperation], _ graph: ShapeGraph, _ naming: ClassNaming, name: String, server: String?
    ) -> SourcePlan {
        var source = OpenAPISource(graph, naming, name: name)
        for operation in operations { source.add(operation) }
        let client = server.map { "APIClient(baseURL: URL(string: \($0.literal)))" } ?? "client"
        let head = ["struct \(name): Requesting {", "    let client: APIClient"] + source.functions + ["}"]
        var plan = SourcePlan(comments: ["let api = \(name)(client: \(client))"])
        source.planner.declareOthers()
        plan.declarations = source.planner.declarations.leafFirst
        if !operations.isEmpty { plan.declarations.append([.text(Array(source.endpoints.dropFirst()))]) }
        plan.declarations.append([.text(head)])
        plan.imports = source.planner.names.imports.union(["Foundation", "ModelMirrorNetworking"])
        return plan
    }

    private init(_ graph: ShapeGraph, _ naming: ClassNaming, name: String) {
        self.name = name
        planner = ClassPlanner(graph, style: nil)
        planner.enumProtocols = ", ParameterValue"
        planner.names.take(name)
        // The name of a parameter of `Endpoint`, which hides a class.
        planner.names.take("Value")
        planner.nameRecords(naming)
        planner.planClasses()
    }

    private mutating func add(_ operation: OpenAPIOperation) {
        let name = numbered.free(SwiftName.property(operation.id)) { [used] in !used.contains($0) }
        used.insert(name)
        let value = type(of: operation.response, name)
        var arguments = Arguments()
        let (statements, parts) = request(operation, &arguments)
        let line = "\(operation.method.uppercased()) \(SchemaShapes.line(operation.path) ?? "")"
        let signature = "\(SwiftName.quoted(name))(\(arguments.declarations))"
        let call = ".\(SwiftName.quoted(name))(\(arguments.call))"
        functions += ["", "    /// \(operation.summary ?? line)"]
        // With `self`, since an argument may have the method's name.
        functions +=
            value == "Void"
            ? ["    func \(signature) async throws {", "        try await self.send(\(call))", "    }"]
            : [
                "    func \(signature) async throws -> sending \(value) {",
                "        try await self.value(\(call))", "    }",
            ]
        endpoints += [
            "", "nonisolated extension Endpoint<\(value)> {",
            "    /// \(line)", "    static func \(signature) -> Self {",
        ]
        let result = "Endpoint(\(parts.joined(separator: ", ")))"
        endpoints += (statements + [statements.isEmpty ? result : "return \(result)"]).map { "        \($0)" }
        endpoints += ["    }", "}"]
    }

    // MARK: The request

    /// The arguments of an operation.
    private struct Arguments {
        private var entries: [(declaration: String, call: String, isRequired: Bool)] = []
        private var labels: Set<String> = []
        private var numbered = NumberedNames()

        /// Adds an argument.
        ///
        /// - Returns: Its name in Swift.
        mutating func add(_ name: String, _ type: String, isRequired: Bool) -> String {
            let label = numbered.free(name) { [labels] in !labels.contains($0) }
            labels.insert(label)
            let quoted = SwiftName.quoted(label)
            // In a call, the compiler warns of backticks around labels other than this one.
            let outer = label == "inout" ? quoted : label
            entries.append(("\(quoted): \(type)\(isRequired ? "" : "? = nil")", "\(outer): \(quoted)", isRequired))
            return quoted
        }

        /// A name that no argument has.
        mutating func free(_ name: String) -> String { numbered.free(name) { [labels] in !labels.contains($0) } }

        // Required arguments first, since the others can be left out.
        private var sorted: [(declaration: String, call: String, isRequired: Bool)] {
            entries.filter(\.isRequired) + entries.filter { !$0.isRequired }
        }

        var declarations: String { sorted.map(\.declaration).joined(separator: ", ") }
        var call: String { sorted.map(\.call).joined(separator: ", ") }
    }

    /// The arguments of the endpoint's initializer, as Swift source, and the statements before its call.
    private mutating func request(
        _ operation: OpenAPIOperation, _ arguments: inout Arguments
    ) -> (statements: [String], arguments: [String]) {
        var pieces: [String: String] = [:]
        var query: [String] = []
        var lists: [(parameter: OpenAPIOperation.Parameter, label: String)] = []
        var headers: [String] = []
        for parameter in operation.parameters where parameter.isArgument {
            let type = parameterType(parameter, isText: parameter.location != "query")
            let label = arguments.add(SwiftName.property(parameter.name), type, isRequired: parameter.isRequired)
            switch parameter.location {
            case "path": pieces[parameter.name] = label
            case "query" where type.hasPrefix("["): lists.append((parameter, label))
            case "query": query.append("\(parameter.name.literal): \(label)")
            default: headers.append("\(parameter.name.literal): \(type == "String" ? label : "\"\\(\(label))\"")")
            }
        }
        let path = operation.path.hasPrefix("/") ? String(operation.path.dropFirst()) : operation.path
        let isCase = ["get", "head", "post", "put", "patch", "delete"].contains(operation.method)
        var parts = [
            isCase ? ".\(operation.method)" : operation.method.uppercased().literal,
            OpenAPISource.literal(path, pieces),
        ]
        let queryPlace = parts.count
        if let (content, isRequired) = operation.body {
            let (type, json) = bodyType(content)
            let label = arguments.add("body", type, isRequired: isRequired)
            let value = json.map { isRequired ? "\($0)\(label))" : "\(label).map { \($0)$0) }" } ?? label
            parts.append("parameters: \(value)")
        }
        if !headers.isEmpty { parts.append("headers: \(headers.list)") }
        guard !lists.isEmpty else {
            if !query.isEmpty { parts.insert("query: \(query.list)", at: queryPlace) }
            return ([], parts)
        }
        let name = arguments.free("query")
        parts.insert("query: \(name)", at: queryPlace)
        var statements = ["var \(name): ParameterList = \(query.isEmpty ? "[:]" : query.list)"]
        for (parameter, label) in lists { statements += OpenAPISource.append(parameter, label, to: name) }
        return (statements, parts)
    }

    /// The statement that adds an array to a list of parameters, one pair for each element or all in one. An empty one adds nothing.
    private static func append(
        _ parameter: OpenAPIOperation.Parameter, _ label: String, to list: String
    ) -> [String] {
        let key = parameter.name.literal
        guard let separator = parameter.separator else {
            return [
                "for value in \(label)\(parameter.isRequired ? "" : " ?? []") { \(list).append(value, named: \(key)) }"
            ]
        }
        let texts = if case .array(.enumeration) = parameter.value { #"(\.rawValue)"# } else { #" { "\($0)" }"# }
        return [
            parameter.isRequired ? "if !\(label).isEmpty {" : "if let \(label), !\(label).isEmpty {",
            "    \(list).append(\(label).map\(texts).joined(separator: \(separator.literal)), named: \(key))",
            "}",
        ]
    }

    /// A path with `{name}` parameters as a literal with interpolations.
    private static func literal(_ path: String, _ pieces: [String: String]) -> String {
        var literal = ""
        func add(_ text: String) { literal += text.literal.dropFirst().dropLast() }
        var rest = path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            add(String(rest[..<open]))
            let name = String(rest[rest.index(after: open)..<close])
            if let piece = pieces[name] { literal += "\\(\(piece))" } else { add("%7B\(name)%7D") }
            rest = rest[rest.index(after: close)...]
        }
        add(String(rest))
        return "\"\(literal)\""
    }

    // MARK: Types

    /// The type of a response's value; `Void` if there is none.
    private mutating func type(of response: OpenAPIOperation.Response, _ name: String) -> String {
        switch response {
        case .nothing: "Void"
        case .data: "Data"
        case .json(let value): planner.type(value.simplified, of: nil, key: name)
        }
    }

    /// - Parameter isText: Whether the value is interpolated into text.
    private mutating func parameterType(_ parameter: OpenAPIOperation.Parameter, isText: Bool) -> String {
        switch parameter.value {
        case .bool, .number(.int), .number(.double), .string, .uuid:
            planner.type(parameter.value, of: nil, key: parameter.name)
        case .date(.iso8601) where !isText: planner.type(parameter.value, of: nil, key: parameter.name)
        case .enumeration where !isText, .array(.enumeration) where !isText:
            planner.type(parameter.value, of: nil, key: parameter.name)
        case .array(let element) where !isText:
            if case .number(.int) = element { "[Int]" } else { "[String]" }
        default: "String"
        }
    }

    /// The type of a body, and the start of the call that makes the request's parameters from it; nil if it is parameters already.
    private mutating func bodyType(_ body: OpenAPIOperation.Body) -> (type: String, json: String?) {
        guard case .json(let value) = body else { return ("RequestParameters", nil) }
        switch value {
        case .record, .array(.record): return (planner.type(value, of: nil, key: "body"), ".json(")
        default: return ("JSONValue", ".json(value: ")
        }
    }
}

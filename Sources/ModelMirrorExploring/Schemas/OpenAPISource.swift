/// Writes a client for the operations of an OpenAPI document.
struct OpenAPISource {
    private var planner: ClassPlanner
    private let name: String
    private var functions: [String] = []
    private var endpoints: [String] = []
    private var used: Set<String> = ["client"]

    /// - Parameter name: The name of the client.
    static func plan(_ operations: [OpenAPIOperation], _ graph: ShapeGraph, name: String, server: String?) -> SourcePlan
    {
        var source = OpenAPISource(graph, name: name)
        for operation in operations { source.add(operation) }
        let client = server.map { "APIClient(baseURL: URL(string: \($0.literal)))" } ?? "client"
        let head = ["struct \(name): Requesting {", "    let client: APIClient"] + source.functions + ["}"]
        var plan = SourcePlan(comments: ["let api = \(name)(client: \(client))"])
        plan.declarations = [.text(head), .text(Array(source.endpoints.dropFirst()))]
        if operations.isEmpty { plan.declarations.removeLast() }
        source.planner.declareOthers()
        plan.declarations += source.planner.declarations
        plan.imports = source.planner.names.imports.union(["Foundation", "ModelMirrorNetworking"])
        return plan
    }

    private init(_ graph: ShapeGraph, name: String) {
        self.name = name
        planner = ClassPlanner(graph, style: nil)
        planner.enumProtocols = ", ParameterValue"
        planner.names.take(name)
        planner.nameRecords(rootName: nil)
        planner.planClasses()
    }

    private mutating func add(_ operation: OpenAPIOperation) {
        let name = unique(SwiftName.property(operation.id), in: &used)
        let (value, isVoid) = type(of: operation.response, name)
        var arguments: [(declaration: String, call: String, isRequired: Bool)] = []
        var labels: Set<String> = []
        var path = operation.path.hasPrefix("/") ? String(operation.path.dropFirst()) : operation.path
        var pieces: [String: String] = [:]
        var query: [String] = []
        var headers: [String] = []

        func add(_ label: String, _ type: String, isRequired: Bool) -> String {
            let label = unique(label, in: &labels)
            let quoted = SwiftName.quoted(label)
            arguments.append(
                ("\(quoted): \(type)\(isRequired ? "" : "? = nil")", "\(quoted): \(quoted)", isRequired))
            return quoted
        }
        for parameter in operation.parameters {
            let isText = parameter.location != "query"
            // Header fields without a value would have to be left out; only required ones are parameters.
            if parameter.location != "query", parameter.location != "path", !parameter.isRequired { continue }
            if parameter.location == "cookie" { continue }
            let type = parameterType(parameter, isText: isText)
            let label = add(SwiftName.property(parameter.name), type, isRequired: parameter.isRequired)
            switch parameter.location {
            case "path": pieces[parameter.name] = label
            case "query": query.append("\(parameter.name.literal): \(label)")
            default: headers.append("\(parameter.name.literal): \(type == "String" ? label : "\"\\(\(label))\"")")
            }
        }
        path = OpenAPISource.literal(path, pieces)
        var parts = [".\(operation.method)", path]
        if !["get", "head", "post", "put", "patch", "delete"].contains(operation.method) {
            parts[0] = operation.method.uppercased().literal
        }
        if !query.isEmpty { parts.append("query: \(query.list)") }
        if let body = operation.body {
            let (type, expression) = bodyType(body.content)
            let label = add("body", type, isRequired: body.isRequired)
            let value = expression.replacingOccurrences("body", with: body.isRequired ? label : "$0")
            if type == "RequestParameters" {
                parts.append("parameters: \(label)")
            } else {
                parts.append("parameters: \(body.isRequired ? value : "\(label).map { \(value) }")")
            }
        }
        if !headers.isEmpty { parts.append("headers: \(headers.list)") }

        // Required ones first, since the others can be left out.
        let sorted = arguments.filter(\.isRequired) + arguments.filter { !$0.isRequired }
        let declaration = sorted.map(\.declaration).joined(separator: ", ")
        let call = ".\(SwiftName.quoted(name))(\(sorted.map(\.call).joined(separator: ", ")))"
        let summary = operation.summary ?? "\(operation.method.uppercased()) \(operation.path)"
        functions += ["", "    /// \(summary)"]
        if isVoid {
            functions += [
                "    func \(SwiftName.quoted(name))(\(declaration)) async throws {", "        try await send(\(call))",
            ]
        } else {
            functions += [
                "    func \(SwiftName.quoted(name))(\(declaration)) async throws -> sending \(value) {",
                "        try await value(\(call))",
            ]
        }
        functions.append("    }")
        endpoints += [
            "", "nonisolated extension Endpoint<\(value)> {",
            "    /// \(operation.method.uppercased()) \(operation.path)",
            "    static func \(SwiftName.quoted(name))(\(declaration)) -> Self {",
            "        Endpoint(\(parts.joined(separator: ", ")))", "    }", "}",
        ]
    }

    private mutating func type(
        of response: OpenAPIOperation.Response, _ name: String
    ) -> (type: String, isVoid: Bool) {
        switch response {
        case .nothing: ("Void", true)
        case .data: ("Data", false)
        case .json(let value): (planner.type(value.simplified, of: nil, key: name), false)
        }
    }

    /// - Parameter isText: Whether the value becomes a part of a text.
    private mutating func parameterType(_ parameter: OpenAPIOperation.Parameter, isText: Bool) -> String {
        switch parameter.value {
        case .bool, .number(.int), .number(.double), .string, .uuid:
            planner.type(parameter.value, of: nil, key: parameter.name)
        case .date(.iso8601) where !isText: planner.type(parameter.value, of: nil, key: parameter.name)
        case .enumeration where !isText: planner.type(parameter.value, of: nil, key: parameter.name)
        case .array(let element) where !isText:
            if case .number(.int) = element { "[Int]" } else { "[String]" }
        default: "String"
        }
    }

    /// The type of a body, and its parameters in Swift.
    private mutating func bodyType(_ body: OpenAPIOperation.Body) -> (type: String, expression: String) {
        guard case .json(let value) = body else { return ("RequestParameters", "body") }
        switch value {
        case .record, .array(.record): return (planner.type(value, of: nil, key: "body"), ".json(body)")
        default: return ("JSONValue", ".json(value: body)")
        }
    }

    private func unique(_ name: String, in used: inout Set<String>) -> String {
        var unique = name
        var number = 2
        while !used.insert(unique).inserted {
            unique = "\(name)\(number)"
            number += 1
        }
        return unique
    }

    /// A path with `{name}` as a literal with interpolations.
    private static func literal(_ path: String, _ pieces: [String: String]) -> String {
        var literal = ""
        var rest = path[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            literal += String(rest[..<open]).literal.dropFirst().dropLast()
            let name = String(rest[rest.index(after: open)..<close])
            literal += pieces[name].map { "\\(\($0))" } ?? "%7B\(name)%7D"
            rest = rest[rest.index(after: close)...]
        }
        return "\"" + literal + String(rest).literal.dropFirst()
    }
}

extension String {
    /// The expression with the name of the body replaced; it occurs once.
    fileprivate func replacingOccurrences(_ name: String, with other: String) -> String {
        split(separator: name, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: other)
    }
}

import ModelMirror

extension ExplorerCommand {
    /// The commands that every explorer has.
    static let builtIn = [infer, inspect, check, drift, stats, report, query, schema, completions].map(\.withJSON)

    private static let inspect = ExplorerCommand(
        "inspect", usage: "[CLASS]", summary: "show the property table of a class",
        details: """
            One line per property: its keys, its type, the values that it reads, the rule that converts it, and whether it is
            required or ignored. Without CLASS, all classes are shown.
            """,
        options: [], count: 0...1, examples: ["inspect", "inspect Gist"]
    ) { arguments, context, classes in
        let types = try arguments.values.first.map { [try classes.named($0)] } ?? classes.types
        let inspections = try types.map { try ClassInspection($0) }
        return CommandResult(
            output: arguments.output(
                inspections.map { $0.text(context.style) }.joined(separator: "\n\n"),
                json: .array(inspections.map(\.json))))
    }

    private static let drift = ExplorerCommand(
        "drift", usage: "OLD NEW", summary: "show what an API changed between two documents",
        details: """
            Members that appeared or disappeared, values of another type, values that are now sometimes null or absent, and new
            enumeration values. All elements of an array are one place. A broken line of NDJSON is reported. The exit code is 1 if
            there is a change.
            """,
        options: sampling, count: 2...2,
        examples: ["drift recorded.json today.json", "drift recorded.json https://api.example.com/items"]
    ) { arguments, context, _ in
        let sample = try arguments.sample()
        var (old, new) = (SourceDocuments(sample: sample), SourceDocuments(sample: sample))
        try await old.add(arguments.values[0], context)
        try await new.add(arguments.values[1], context)
        context.progress("comparing")
        defer { context.progress(nil) }
        let drift = DocumentDrift(from: try old.value(beside: new), to: try new.value(beside: old))
        let errors = old.errors + new.errors
        let notes = [old, new].compactMap { read in read.note.map { "\(read.name.withEscapedControls): \($0)" } }
        return CommandResult(
            output: arguments.output(
                ([drift.text(context.style)] + notes).joined(separator: "\n"), json: drift.json),
            error: (errors + (arguments.has("json") ? notes : [])).joined(separator: "\n"),
            status: drift.changes.isEmpty && errors.isEmpty ? 0 : 1)
    }

    private static let schema = ExplorerCommand(
        "schema", usage: "CLASS", summary: "print the JSON Schema of a class",
        details: "The schema (draft 2020-12) of the documents that strict mapping accepts.",
        options: [], count: 1...1, examples: ["schema Gist > gist.schema.json"]
    ) { arguments, _, classes in
        let schema = try classes.named(arguments.values[0]).jsonSchema()
        let text = try schema.jsonData(options: [.pretty, .sortedKeys])
        return CommandResult(output: String(decoding: text, as: UTF8.self))
    }

    private static let infer = ExplorerCommand(
        "infer", usage: "FILE…|URL|-", summary: "write Swift classes for documents, a JSON Schema or OpenAPI",
        details: """
            All files are samples of one class. A document whose $schema is of json-schema.org is a JSON Schema; so is one
            with keywords that have subschemas, such as properties, as the first line of the source says. One with openapi
            is an OpenAPI document. Such a document must be the only one. A broken line of NDJSON is reported.
            """,
        options: [
            .value("name", "NAME", "the name of the class; made from the file's name by default"),
            .value("prefix", "PREFIX", "what the names of all other classes and enums begin with"),
            .value("keys", "STYLE", "how keys are spelled: exact, snake, kebab or pascal; detected by default"),
            .flag("schema", "the document is a JSON Schema"),
            .flag("data", "the document is a sample, even if it looks like a JSON Schema"),
        ] + sampling, count: 1...Int.max,
        examples: [
            "infer gists.json --name Gist --keys snake", "infer user1.json user2.json --name User",
            "infer accounts.json --prefix Bank", "infer - < a.json",
        ]
    ) { arguments, context, _ in
        let keys = try arguments["keys"].map { text throws(WrongUsage) -> KeyStyle in
            if let style = KeyStyle(rawValue: text) { return style }
            let styles = KeyStyle.allCases.map(\.rawValue)
            throw .init("There is no key style", text, among: styles)
        }
        defer { context.progress(nil) }
        var sources = SourceDocuments(sample: try arguments.sample())
        for (index, value) in arguments.values.enumerated() {
            context.progress("reading \(value) (\(index + 1) of \(arguments.values.count))")
            try await sources.add(value, context)
        }
        let documents = sources.list
        let kind = try InferenceSource(documents, arguments)
        context.progress("inferring")
        do throws(InferenceError) {
            let naming = SourceDocument.naming(
                of: documents, root: arguments["name"], prefix: arguments["prefix"] ?? "")
            let note = kind.note ?? sources.note.map { "Inferred from \($0)." }
            let source = try kind.source(documents, naming, keys: keys) { context.progress("inferring: \($0) %") }
            let text = (note.map { "// \($0)\n" } ?? "") + source
            // Every output gets a final line feed when it is printed.
            return CommandResult(
                output: arguments.output(
                    text.hasSuffix("\n") ? String(text.dropLast()) : text, json: ["source": .string(text)]),
                error: sources.errors.joined(separator: "\n"), status: sources.errors.isEmpty ? 0 : 1)
        } catch {
            if case .invalidName = error { throw WrongUsage("\(error)") }
            throw kind.failure(error, documents)
        }
    }
}

/// What classes are inferred from.
private enum InferenceSource {
    case samples, schema, openAPI
    /// A schema without `$schema`.
    case recognizedSchema

    /// Detects the kind of the documents, and checks that the options apply to it.
    init(_ documents: [SourceDocument], _ arguments: ExplorerArguments) throws {
        var kinds: Set<InferenceSource> = []
        switch (arguments.has("schema"), arguments.has("data")) {
        case (true, true): throw ExplorerCommand.WrongUsage("--schema and --data exclude each other.")
        case (true, false): kinds = [.schema]
        case (false, true): kinds = [.samples]
        case (false, false): for document in documents { kinds.insert(try InferenceSource(document)) }
        }
        guard kinds == [.samples] || documents.count == 1, let kind = kinds.first else {
            throw ExplorerCommand.WrongUsage(
                "A JSON Schema or OpenAPI document must be the only document; found \(documents.count).")
        }
        if kind == .openAPI, arguments.has("name") {
            throw ExplorerCommand.WrongUsage(
                "--name is for samples and a JSON Schema; an OpenAPI document names its classes.")
        }
        if kind != .samples, arguments.has("keys") {
            throw ExplorerCommand.WrongUsage(
                "--keys is for samples; a JSON Schema or OpenAPI document declares its keys.")
        }
        self = kind
    }

    private init(_ source: SourceDocument) throws(CommandError) {
        // Only an object can be a schema.
        let document = source.bytes.first == UInt8(ascii: "{") ? try source.value() : .null
        if document["$schema"]?.string?.contains("json-schema.org/") == true {
            self = .schema
        } else if document["openapi"]?.string != nil || document["swagger"]?.string != nil {
            self = .openAPI
        } else {
            self = document.looksLikeSchema ? .recognizedSchema : .samples
        }
    }

    /// What was recognized, unless the document tells it.
    var note: String? {
        self == .recognizedSchema
            ? "From a JSON Schema, recognized by its keywords; with --data the document is a sample." : nil
    }

    func source(
        _ documents: [SourceDocument], _ naming: ClassNaming, keys: KeyStyle?,
        progress: @escaping (Int) -> Void = { _ in }
    ) throws(InferenceError) -> String {
        switch self {
        case .samples:
            try ClassInference.source(documents: documents.map(\.bytes), naming, keys: keys, progress: progress)
        case .schema, .recognizedSchema: try ClassInference.source(schema: documents[0].bytes, naming)
        case .openAPI: try ClassInference.source(openAPI: documents[0].bytes, prefix: naming.prefix)
        }
    }

    /// The error with the name of the document at fault: of several, the first that fails alone; if none does, all names.
    func failure(_ error: InferenceError, _ documents: [SourceDocument]) -> CommandError {
        for document in documents where documents.count > 1 {
            do throws(InferenceError) {
                _ = try source([document], ClassNaming(), keys: nil)
            } catch {
                return .document("\(document.name): \(error)")
            }
        }
        return .document("\(documents.map(\.name).joined(separator: ", ")): \(error)")
    }
}

extension JSONValue {
    /// Whether the document has keywords of JSON Schema with only subschemas in them.
    fileprivate var looksLikeSchema: Bool {
        guard let members = object else { return false }
        let maps = ["properties", "$defs", "definitions"].compactMap { members[$0]?.object }
        return maps.contains { !$0.isEmpty && $0.values.allSatisfy(\.looksLikeSubschema) }
            || hasAlternatives || members["type"] == "array" && members["items"]?.looksLikeSubschema == true
    }

    private var hasAlternatives: Bool {
        let lists = ["allOf", "anyOf", "oneOf"].compactMap { self[$0]?.array }
        return lists.contains { !$0.isEmpty && $0.allSatisfy(\.looksLikeSubschema) }
    }

    private var looksLikeSubschema: Bool {
        let types = self["type"]?.array ?? self["type"].map { [$0] } ?? []
        let names: Set = ["object", "array", "string", "number", "integer", "boolean", "null"]
        let hasType = !types.isEmpty && types.allSatisfy { names.contains($0.string ?? "") }
        return hasType || self["$ref"]?.string != nil || self["enum"]?.array != nil || looksLikeSchema
    }
}

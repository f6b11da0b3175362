import ModelMirror

extension ExplorerCommand {
    static let query = ExplorerCommand(
        "query", usage: "FILE…|URL|- JSONPATH", summary: "print the values that a JSONPath finds",
        details: """
            JSONPath is that of RFC 9535. Each value is printed as one line of JSON, so that the output is NDJSON. A document may be
            NDJSON: each line is queried, and one that is not JSON is reported. An empty result is a success.
            """,
        options: [.flag("paths", "print the normalized paths of the values instead")],
        count: 2...Int.max,
        examples: [
            "query gists.json '$[?@.comments > 0].owner.login'", "query gists.json '$..url' --paths",
            "query - '$.level' < log.ndjson",
        ]
    ) { arguments, context, _ in
        let query = try QueryCommand.compiled(arguments.values, context)
        let isArray = arguments.has("json")
        let print = context.print.map { print in { @Sendable (text: String) in print(context.shown(text)) } }
        var run = QueryCommand(
            query: query, showsPaths: arguments.has("paths"), isArray: isArray, print: isArray ? nil : print)
        defer { context.progress(nil) }
        for argument in arguments.values.dropLast() {
            do throws(CommandError) {
                let (name, source) = try await SourceDocument.open(argument, context)
                try context.reading(source, named: name, "querying") { show throws(ByteSource.Failure) in
                    try run.add(source, name, progress: show)
                }
            } catch {
                run.add(error: error.description, status: error.status)
            }
        }
        let output = context.shown(String(decoding: run.output, as: UTF8.self))
        return CommandResult(
            output: isArray ? output.isEmpty ? "[]" : "[\n" + output + "\n]" : output,
            error: run.errors.listed(of: run.errorCount).joined(separator: "\n"),
            status: run.status)
    }
}

/// The results of a query in several documents.
private struct QueryCommand {
    let query: JSONQuery
    let showsPaths: Bool
    /// Whether the results are the elements of one array.
    let isArray: Bool
    let print: (@Sendable (String) -> Void)?
    private(set) var output: [UInt8] = []
    /// The first errors, and the number of all.
    private(set) var errors: [String] = []
    private(set) var errorCount = 0
    /// The highest status of an error.
    private(set) var status: Int32 = 0
    private var evaluation = QueryEvaluation()
    /// The number of bytes printed at once.
    private static let most = 1 << 16

    init(query: JSONQuery, showsPaths: Bool, isArray: Bool, print: (@Sendable (String) -> Void)?) {
        (self.query, self.showsPaths, self.isArray, self.print) = (query, showsPaths, isArray, print)
    }

    /// The query of the last argument.
    ///
    /// - Throws: An error that shows the part of the text that is wrong, or that the query is before the documents.
    static func compiled(_ arguments: [String], _ context: CommandContext) throws(CommandError) -> JSONQuery {
        let text = arguments.last ?? ""
        do throws(JSONQueryError) {
            return try JSONQuery(text)
        } catch {
            if let query = arguments.first, (try? JSONQuery(query)) != nil, isDocument(text, context) {
                let documents = arguments.dropFirst().map(\.quotedForShell).joined(separator: " ")
                throw .unreadable(
                    "The JSONPath must be the last argument, found \(text.quotedForMessage) there; write query \(documents) "
                        + "\(query.quotedForShell).")
            }
            guard case .invalidQuery(let position, _, _, _) = error else { throw .unreadable("\(error)") }
            let before = text.unicodeScalars.prefix(position - 1)
            let line = 1 + before.count { $0 == "\n" }
            let excerpt = SourceExcerpt(
                Array(text.utf8), line: line, offset: String(before).utf8.count, width: context.width)
            throw .unreadable("\(error)\n\(excerpt.text())")
        }
    }

    /// Whether an argument names a document.
    private static func isDocument(_ argument: String, _ context: CommandContext) -> Bool {
        if argument == "-" || argument.contains("://") { return true }
        if case .missing = context.file(argument) { return false }
        return true
    }

    /// Queries each document of a source.
    mutating func add(
        _ source: ByteSource, _ name: String, progress: (Int) -> Void
    ) throws(ByteSource.Failure) {
        var reader = DocumentReader(source, splitsArrays: query.takesElements)
        var elements = 0
        while let piece = try reader.next() {
            switch piece {
            case .document(let range): add(reader, range.count, name)
            case .element(let range):
                add(reader, range.count, name, element: elements)
                elements += 1
            case .arrayEnd: elements = 0
            case .fault(let fault):
                let yaml = fault.isFatal ? SourceDocument(name: name, bytes: reader.buffer).yaml : nil
                add(error: yaml?.description ?? "\(name):\(fault)")
                elements = 0
            }
            progress(source.position)
        }
    }

    mutating func add(error: String, status: Int32 = 1) {
        errorCount += 1
        self.status = max(self.status, status)
        if errorCount <= DocumentStatistics.mostFaults { errors.append(error) }
    }

    /// - Parameter element: The index of the document in an array.
    private mutating func add(_ reader: DocumentReader, _ count: Int, _ name: String, element: Int? = nil) {
        let document = QueriedDocument(bytes: reader.buffer, tape: reader.tape)
        do throws(JSONQueryError) {
            try evaluation.run(
                query.path, in: document, element: element, keepsPaths: showsPaths, limit: query.limit(bytes: count)
            ) { value, trail in
                if !output.isEmpty { output += isArray ? [UInt8(ascii: ","), 0x0A] : [0x0A] }
                guard showsPaths else { return document.add(value, to: &output) }
                let path = (trail?.path(in: document) ?? .root).normalized
                output += (isArray ? path.quotedForMessage : path).utf8
            }
        } catch {
            add(error: "\(name): \(error)")
        }
        if let print, output.count >= QueryCommand.most {
            print(String(decoding: output, as: UTF8.self))
            output.removeAll(keepingCapacity: true)
        }
    }
}

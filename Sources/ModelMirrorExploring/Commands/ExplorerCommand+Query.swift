import ModelMirror

extension ExplorerCommand {
    static let query = ExplorerCommand(
        "query", usage: "FILE…|URL|- JSONPATH", summary: "print the values that a JSONPath finds",
        details: """
            JSONPath is that of RFC 9535. Each value is printed as one line of JSON, so that the output is NDJSON. A document may be
            NDJSON too: each line is queried, and one that is not JSON is reported. No result is a success.
            """,
        options: [.flag("paths", "print the normalized paths of the values instead")],
        count: 2...Int.max,
        examples: [
            "query gists.json '$[?@.comments > 0].owner.login'", "query gists.json '$..url' --paths",
            "query - '$.level' < log.ndjson",
        ]
    ) { arguments, context, _ in
        let query = try QueryCommand.compiled(arguments.values.last ?? "", context)
        let isArray = arguments.has("json")
        var run = QueryCommand(
            query: query, showsPaths: arguments.has("paths"), print: isArray ? nil : context.print)
        defer { context.progress(nil) }
        for argument in arguments.values.dropLast() {
            let (name, source) = try await SourceDocument.open(argument, context)
            try run.add(source, name, ReadingProgress("querying \(name)", source, context))
        }
        let results = arguments.has("paths") ? run.output.map(\.quotedForMessage) : run.output
        let array = results.isEmpty ? "[]" : "[\n" + results.joined(separator: ",\n") + "\n]"
        return CommandResult(
            output: isArray ? array : run.output.joined(separator: "\n"), error: run.errors.joined(separator: "\n"),
            status: run.errors.isEmpty ? 0 : 1)
    }
}

/// The results of a query in several documents.
private struct QueryCommand {
    let query: JSONQuery
    let showsPaths: Bool
    let print: (@Sendable (String) -> Void)?
    private(set) var output: [String] = []
    private(set) var errors: [String] = []
    /// The number of lines printed at once.
    private static let most = 1_000

    init(query: JSONQuery, showsPaths: Bool, print: (@Sendable (String) -> Void)?) {
        (self.query, self.showsPaths, self.print) = (query, showsPaths, print)
    }

    /// - Throws: An error that shows the part of the text that is wrong.
    static func compiled(_ text: String, _ context: CommandContext) throws(CommandError) -> JSONQuery {
        do throws(JSONQueryError) {
            return try JSONQuery(text)
        } catch {
            guard case .invalidQuery(let position, _, _, _) = error else { throw .unreadable("\(error)") }
            let before = text.unicodeScalars.prefix(position - 1)
            let line = 1 + before.count { $0 == "\n" }
            let excerpt = SourceExcerpt(Array(text.utf8), line: line, offset: String(before).utf8.count)
            throw .unreadable("\(error)\n\(excerpt.text(width: context.width))")
        }
    }

    /// Queries each document of a source.
    mutating func add(_ source: ByteSource, _ name: String, _ progress: ReadingProgress) throws(CommandError) {
        var reader = DocumentReader(source)
        var progress = progress
        do throws(ByteSource.Failure) {
            while let piece = try reader.next() {
                switch piece {
                case .document(let range): add(reader.buffer[range], name)
                case .fault(let fault):
                    let yaml = fault.isFatal ? SourceDocument(name: name, bytes: reader.buffer).yaml : nil
                    errors.append(yaml?.description ?? "\(name):\(fault)")
                case .element, .arrayEnd: break
                }
                progress.show(source.position)
            }
        } catch {
            throw SourceDocument.unreadable(name, error)
        }
    }

    private mutating func add(_ json: ArraySlice<UInt8>, _ name: String) {
        do throws(JSONQueryError) {
            output += showsPaths ? try query.paths(in: json).map(\.normalized) : try query.lines(in: json)
        } catch {
            errors.append("\(name): \(error)")
        }
        if let print, output.count >= QueryCommand.most {
            print(output.joined(separator: "\n"))
            output = []
        }
    }
}

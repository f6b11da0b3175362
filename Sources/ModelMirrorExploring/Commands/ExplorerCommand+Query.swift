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
        var run = QueryCommand(query: query, showsPaths: arguments.has("paths"))
        defer { context.progress(nil) }
        for argument in arguments.values.dropLast() {
            context.progress("querying \(argument)")
            run.add(try await SourceDocument.read(argument, context))
        }
        return CommandResult(
            output: run.output.joined(separator: "\n"), error: run.errors.joined(separator: "\n"),
            status: run.errors.isEmpty ? 0 : 1)
    }
}

/// The results of a query in several documents.
private struct QueryCommand {
    let query: JSONQuery
    let showsPaths: Bool
    private(set) var output: [String] = []
    private(set) var errors: [String] = []

    init(query: JSONQuery, showsPaths: Bool) { (self.query, self.showsPaths) = (query, showsPaths) }

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

    /// A document, or if it is not one, each of its lines.
    mutating func add(_ document: SourceDocument) {
        do throws(JSONQueryError) {
            output += try results(in: document.bytes)
        } catch {
            let lines = document.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            guard case .invalidDocument(.invalidJSON(let syntax)) = error, syntax.line > 1,
                let first = lines.first(where: { !$0.isBlank }), (try? JSONValue(json: first)) != nil
            else {
                return errors.append(document.yaml?.description ?? "\(document.name): \(error)")
            }
            for (index, line) in lines.enumerated() where !line.isBlank { add(line, "\(document.name):\(index + 1)") }
        }
    }

    private mutating func add(_ line: ArraySlice<UInt8>, _ name: String) {
        do throws(JSONQueryError) {
            output += try results(in: line)
        } catch {
            guard case .invalidDocument(.invalidJSON(let syntax)) = error else {
                return errors.append("\(name): \(error)")
            }
            errors.append("\(name):\(syntax.column): not JSON: expected \(syntax.expected), found \(syntax.found)")
        }
    }

    private func results(in json: some JSONInput) throws(JSONQueryError) -> [String] {
        showsPaths ? try query.paths(in: json).map(\.normalized) : try query.lines(in: json)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isBlank: Bool { allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}

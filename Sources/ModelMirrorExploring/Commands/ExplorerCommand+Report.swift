import ModelMirror

extension ExplorerCommand {
    static let report = ExplorerCommand(
        "report", usage: "FILE…|URL|-", summary: "write a page of HTML on what is in documents",
        details: """
            The page shows what stats counts: places that fold, with ranges, histograms and frequent values, and then the classes
            that infer writes; with --against also the findings of check, and with --drift the changes that drift lists. It is one
            file, which loads nothing; it says what it leaves out. The documents are read into memory, and classes are inferred
            from the first 16 MB. What is not JSON is reported.
            """,
        options: [.value("html", "OUT", "the file to write, replaced if it exists").required, against] + mapping + [
            .value("drift", "OLD", "an older document, whose changes since then are shown")
        ], count: 1...Int.max,
        examples: [
            "report gists.json --html gists.html", "report log1.ndjson log2.ndjson --html log.html",
            "report today.json --against Gist --drift recorded.json --html today.html",
        ]
    ) { arguments, context, classes in
        guard let path = arguments["html"], !path.isEmpty, path != "-" else {
            throw WrongUsage("report needs --html OUT.")
        }
        let old = arguments["drift"]
        let places = (arguments.values + [old ?? "-"]).map { context.place(SourceDocument.path(of: $0)) }
        let replaced = WrongUsage("--html \(path.quotedForMessage) is a document, which would be replaced.")
        if places.contains(context.place(path)) { throw replaced }
        func read(_ argument: String) async throws -> SourceDocument {
            let document = try await SourceDocument.read(argument, context)
            // It may be in the folder of MODELMIRROR_DATA.
            if argument != "-", context.place(SourceDocument.path(of: document.name)) == context.place(path) {
                throw replaced
            }
            return document
        }
        if old != nil, arguments.values.count > 1 {
            throw WrongUsage("--drift compares with one document, found \(arguments.values.count).")
        }
        var check = try arguments.check(classes, merges: true, terminal: (100, .plain))
        defer { context.progress(nil) }
        var collector = StatisticsCollector(mostPlaces: DocumentStatistics.mostPlaces)
        var samples = ReportSamples()
        var drift: ReportDrift?
        for argument in arguments.values {
            let document = try await read(argument)
            try collector.add(ByteSource(document.bytes), named: document.name, context)
            try check?.add(ByteSource(document.bytes), named: document.name, context)
            samples.add(document)
            if let old { drift = try ReportDrift(try await read(old), document, context) }
        }
        let statistics = DocumentStatistics(collector)
        let errors = (statistics.errors + (drift?.errors ?? [])).joined(separator: "\n")
        guard statistics.documentCount > 0 else {
            let names = samples.files.map(\.quotedForMessage).joined(separator: ", ")
            throw CommandError.document(errors.isEmpty ? "There is no document in \(names)." : errors)
        }
        context.progress("inferring")
        let page = ReportPage(
            statistics, samples.files, classes: samples.classes(of: statistics), check: check,
            drift: drift.map { ($0.changes, $0.old) })
        if let reason = context.write(path, page.html) {
            throw CommandError.unreadable("\(path.quotedForMessage) cannot be written: \(reason).")
        }
        var lines = [
            "Wrote a report on \(statistics.documentCount.of("document")) and \(statistics.places.count.of("place")) "
                + "to \(path.quotedForMessage)."
        ]
        var json: [String: JSONValue] = [
            "file": .string(path), "documents": JSONValue(statistics.documentCount),
            "places": JSONValue(statistics.places.count),
        ]
        if let check {
            lines.append(check.summary(context.style))
            json["failures"] = JSONValue(check.failureCount)
            json["deviations"] = JSONValue(check.deviationCount)
            json["lostValues"] = JSONValue(check.lossCount)
        }
        if let drift {
            lines.append("since \(drift.old.withEscapedControls): \(drift.changes.summary)")
            json["changes"] = JSONValue(drift.changes.changes.count)
        }
        let isFine = errors.isEmpty && check?.isAccepted != false && drift?.changes.changes.isEmpty != false
        return CommandResult(
            output: arguments.output(lines.joined(separator: "\n"), json: .object(json)), error: errors,
            status: isFine ? 0 : 1)
    }
}

/// The changes of a report's document since an older one, with their lines.
private struct ReportDrift {
    private(set) var changes: DocumentDrift
    let old: String
    /// What is not JSON in the older document.
    let errors: [String]

    init(_ old: SourceDocument, _ new: SourceDocument, _ context: CommandContext) throws(CommandError) {
        context.progress("comparing")
        var (before, after) = (SourceDocuments(), SourceDocuments())
        try before.add(ByteSource(old.bytes), named: old.name)
        try after.add(ByteSource(new.bytes), named: new.name)
        changes = DocumentDrift(from: try before.value(beside: after), to: try after.value(beside: before))
        changes.findLines(
            of: ReportPage.mostFindings, in: old.bytes, named: old.name, isOld: true,
            isList: before.isList(beside: after))
        changes.findLines(
            of: ReportPage.mostFindings, in: new.bytes, named: new.name, isOld: false,
            isList: after.isList(beside: before))
        (self.old, errors) = (old.name, before.errors)
    }
}

/// The names of a report's files, and the documents that its classes are inferred from.
private struct ReportSamples {
    private(set) var files: [String] = []
    private var documents: [SourceDocument] = []
    private var byteCount = 0
    private static let mostBytes = 16_000_000

    /// Adds the documents of a file, until there are too many bytes; the first one always.
    mutating func add(_ file: SourceDocument) {
        files.append(file.name)
        var reader = DocumentReader(ByteSource(file.bytes))
        while documents.isEmpty || byteCount < ReportSamples.mostBytes, let piece = try? reader.next() {
            guard case .document(let range) = piece else { continue }
            documents.append(SourceDocument(name: file.name, bytes: Array(reader.buffer[range])))
            byteCount += range.count
        }
    }

    /// The source of the classes, and how they were inferred, or why not.
    func classes(of statistics: DocumentStatistics) -> (source: String?, note: String) {
        let naming = SourceDocument.naming(of: documents)
        do throws(InferenceError) {
            let source = try ClassInference.source(documents: documents.map(\.bytes), naming, keys: nil)
            let isWhole = documents.count == statistics.documentCount
            let note =
                isWhole ? "" : "Inferred from the first \(documents.count) of \(statistics.documentCount) documents."
            return (source, note)
        } catch {
            return (nil, "\(error)")
        }
    }
}

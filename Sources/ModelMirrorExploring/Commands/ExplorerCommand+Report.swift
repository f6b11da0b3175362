import ModelMirror

extension ExplorerCommand {
    static let report = ExplorerCommand(
        "report", usage: "FILE…|URL|-", summary: "write a page of HTML on what is in documents",
        details: """
            The page shows what stats counts: places that fold, with ranges, histograms and frequent values, and then the classes
            that infer writes. It is one file, which loads nothing; it says what it leaves out. The documents are read into memory,
            and classes are inferred from the first 16 MB. What is not JSON is reported.
            """,
        options: [.value("html", "OUT", "the file to write, replaced if it exists")], count: 1...Int.max,
        examples: ["report gists.json --html gists.html", "report log1.ndjson log2.ndjson --html log.html"]
    ) { arguments, context, _ in
        guard let path = arguments["html"], !path.isEmpty, path != "-" else {
            throw WrongUsage("report needs --html OUT.")
        }
        if arguments.values.map(context.place).contains(context.place(path)) {
            throw WrongUsage("--html \(path.quotedForMessage) is a document, which would be replaced.")
        }
        defer { context.progress(nil) }
        var collector = StatisticsCollector(mostPlaces: DocumentStatistics.mostPlaces)
        var samples = ReportSamples()
        for argument in arguments.values {
            let document = try await SourceDocument.read(argument, context)
            try collector.add(ByteSource(document.bytes), named: document.name, context)
            samples.add(document)
        }
        let statistics = DocumentStatistics(collector)
        let errors = statistics.errors.joined(separator: "\n")
        guard statistics.documentCount > 0 else {
            let names = samples.files.map(\.quotedForMessage).joined(separator: ", ")
            throw CommandError.document(errors.isEmpty ? "There is no document in \(names)." : errors)
        }
        context.progress("inferring")
        let page = samples.page(statistics)
        if let reason = context.write(path, page) {
            throw CommandError.unreadable("\(path.quotedForMessage) cannot be written: \(reason).")
        }
        let sentence =
            "Wrote a report on \(statistics.documentCount.of("document")) and \(statistics.places.count.of("place")) "
            + "to \(path.quotedForMessage)."
        return CommandResult(
            output: arguments.output(
                sentence,
                json: [
                    "file": .string(path), "documents": .number(JSONNumber(statistics.documentCount)),
                    "places": .number(JSONNumber(statistics.places.count)),
                ]), error: errors, status: errors.isEmpty ? 0 : 1)
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

    /// The text of the page.
    func page(_ statistics: DocumentStatistics) -> String {
        let naming = SourceDocument.naming(of: documents)
        do throws(InferenceError) {
            let source = try ClassInference.source(documents: documents.map(\.bytes), naming, keys: nil)
            let isWhole = documents.count == statistics.documentCount
            let note =
                isWhole ? "" : "Inferred from the first \(documents.count) of \(statistics.documentCount) documents."
            return ReportPage(statistics, files: files, source: source, classesNote: note).html
        } catch {
            return ReportPage(statistics, files: files, source: nil, classesNote: "\(error)").html
        }
    }
}

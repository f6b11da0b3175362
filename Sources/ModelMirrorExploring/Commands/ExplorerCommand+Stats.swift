extension ExplorerCommand {
    static let stats = ExplorerCommand(
        "stats", usage: "FILE…|URL|-", summary: "count what is in documents, place by place",
        details: """
            For each place, such as $.items[].id: the number of values, their kinds, nulls and objects that lack it, distinct
            values, range, distribution, lengths, formats and the most frequent values. All files are counted together, in one
            pass and bounded memory: JSON, long arrays, NDJSON, concatenated documents. What is not JSON is reported.
            """,
        options: [.flag("csv", "print a line of CSV for each place")], count: 1...Int.max,
        examples: ["stats gists.json", "stats log1.ndjson.gz log2.ndjson.gz --csv > log.csv", "stats - < log.ndjson"]
    ) { arguments, context, _ in
        var collector = StatisticsCollector(mostPlaces: DocumentStatistics.mostPlaces)
        defer { context.progress(nil) }
        for argument in arguments.values {
            let (name, source) = try await SourceDocument.open(argument, context)
            try collector.add(source, named: name, context)
        }
        let statistics = DocumentStatistics(collector)
        let errors = statistics.errors
        let text =
            arguments.has("csv")
            ? context.shown(statistics.csv) : statistics.text(width: context.width, context.style)
        return CommandResult(
            output: arguments.output(text, json: statistics.json), error: errors.joined(separator: "\n"),
            status: errors.isEmpty ? 0 : 1)
    }
}

extension StatisticsCollector {
    /// Counts the documents of a source, with progress.
    mutating func add(_ source: ByteSource, named name: String, _ context: CommandContext) throws(CommandError) {
        try context.reading(source, named: name, "counting") { show throws(ByteSource.Failure) in
            try add(source, name: name, progress: show)
        }
        if let yaml = SourceDocument(name: name, bytes: unread).yaml, documents == 0 { throw yaml }
    }
}

extension DocumentStatistics {
    /// The lines of standard error: what is not JSON.
    var errors: [String] { faults.map { "\($0)" }.listed(of: faultCount) }
}

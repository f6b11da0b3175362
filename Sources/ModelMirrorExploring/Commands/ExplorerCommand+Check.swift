import ModelMirror

extension ExplorerCommand {
    static let check = ExplorerCommand(
        "check", usage: "FILE…|URL|-", summary: "map documents and show each value that does not fit",
        details: """
            Each document, or what is found at a path in it, is an object of the class or an array of such objects. Each finding
            is shown with its line; a deviation that repeats is shown once. Documents, and elements of long arrays, are read one
            by one. The exit code is 1 if there are failures, or if elements or objects were left out.
            """,
        options: [against.required] + mapping
            + [.flag("all", "also show repeated deviations, and more than 100 failures")] + sampling,
        count: 1...Int.max,
        examples: [
            "check gists.json --against Gist", "check response.json --against Gist --at data,items --strict",
            "check log1.ndjson.gz log2.ndjson.gz --against Event",
        ]
    ) { arguments, context, classes in
        let sample = try arguments.sample()
        guard
            var check = try arguments.check(
                classes, merges: !arguments.has("all"), sample: sample, terminal: (context.width, context.style))
        else { throw WrongUsage("check needs --against CLASS.") }
        defer { context.progress(nil) }
        for argument in arguments.values {
            let (name, source) = try await SourceDocument.open(argument, context)
            try check.add(source, named: name, context)
        }
        try check.addSample()
        return CommandResult(
            output: arguments.output(check.text(context.style), json: check.json), status: check.isAccepted ? 0 : 1)
    }

    static let against = Option.value("against", "CLASS", "the class that documents are mapped as")

    /// The options of commands that map documents, besides the class.
    static let mapping: [Option] = [
        .value("at", "PATH", "the path of the value in each document: data,items,0 or $.data.items[0]"),
        .flag("strict", "reject values that are not of a property's own JSON type"),
    ]
}

extension ExplorerArguments {
    /// The check that the options ask for; nil without `--against`.
    func check(
        _ classes: ModelClasses, merges: Bool, sample: DocumentSample? = nil, terminal: (width: Int, style: TextStyle)
    ) throws(ExplorerCommand.WrongUsage) -> DocumentCheck? {
        guard let name = self["against"] else {
            for option in ["at", "strict"] where has(option) { throw .init("--\(option) needs --against CLASS.") }
            return nil
        }
        let model = try classes.named(name)
        if let text = self["at"], JSONPath(typed: text, in: nil) == nil {
            throw .init("--at \(text.quotedForMessage) is not a path; write it like data,items,0 or $.data.items[0].")
        }
        return DocumentCheck(
            against: model, at: self["at"], strict: has("strict"), merges: merges, sample: sample, terminal: terminal)
    }
}

extension DocumentCheck {
    /// Maps the documents of a source, with progress.
    mutating func add(_ source: ByteSource, named name: String, _ context: CommandContext) throws(CommandError) {
        try context.reading(source, named: name, "mapping") { show throws(ByteSource.Failure) in
            try add(source, name: name, progress: show)
        }
        if !unread.isEmpty, let yaml = SourceDocument(name: name, bytes: unread).yaml { throw yaml }
    }
}

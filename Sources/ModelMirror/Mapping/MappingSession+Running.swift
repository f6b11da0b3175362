extension MappingSession {
    /// Maps a document from its first byte to its last and returns the report or throws the failures.
    ///
    /// - Parameter body: Reads the value at the cursor. If it returns nil or leaves issues, the call fails.
    /// - Throws: The syntax error if there is one, otherwise the class's own error, otherwise all failures.
    static func run<Result>(
        _ json: some JSONInput, _ call: consuming MappingCall,
        _ body: (inout JSONReader, MappingSession) throws(Interruption) -> Result?
    ) throws(ModelError) -> (result: Result, report: MappingReport) {
        let session = MappingSession(call)
        var result: Result?
        let report = try session.run(json) { reader throws(Interruption) in
            result = try body(&reader, session)
            return result != nil
        }
        guard let result else { throw .invalidValues([]) }
        return (result, report)
    }

    /// As ``run(_:_:_:)``, for a body that keeps its result itself.
    ///
    /// Not generic over a result, so that a small object costs no lookup of type metadata.
    ///
    /// - Parameter body: Reads the value at the cursor; returns whether it fits.
    func run(
        _ json: some JSONInput, _ body: (inout JSONReader) throws(Interruption) -> Bool
    ) throws(ModelError) -> MappingReport {
        var (report, failure): (MappingReport?, ModelError?) = (nil, nil)
        json.withJSONBytes { (report, failure) = outcome(of: $0, $1, body) }
        if let failure {
            guard call.suggestsOther, let model = call.model else { throw failure }
            throw failure.suggesting(model, at: call.path)
        }
        guard let report else { throw .unread(json, as: call.model) }
        if isReporting, !report.isEmpty { call.reportSink?(report) }
        return report
    }

    private var locator: IssueLocator { IssueLocator(model: call.model, isLocated: call.isLocated) }

    /// The report of a document, or its error; no Result, whose metadata a small object would look up. Not inlined: each type of
    /// `JSONInput` would have a copy.
    @inline(never)
    private func outcome(
        of bytes: UnsafePointer<UInt8>, _ count: Int, _ body: (inout JSONReader) throws(Interruption) -> Bool
    ) -> (MappingReport?, ModelError?) {
        var reader = JSONReader(bytes, count: count, depth: call.depthLimit)
        let outcome = Result { () throws(Interruption) in
            try reader.limit(to: call.byteLimit, count)
            guard call.options.hasContext else { return try read(&reader, body) }
            return try withContext(call.options.context) { () throws(Interruption) in try read(&reader, body) }
        }
        if let failure = failure(outcome, reader) { return (nil, failure) }
        return (isReporting ? MappingReport(notes, locator, in: reader) : MappingReport(), nil)
    }

    /// The error of a document; nil if its value fits.
    ///
    /// A function of its own, like ``noValue(_:at:)``, so that its large frame is not on the stack while the document is read.
    @inline(never)
    private func failure(_ outcome: Result<Bool, Interruption>, _ reader: JSONReader) -> ModelError? {
        switch outcome {
        case .success(true) where issues.isEmpty: return nil
        case .success: return invalidValues(in: reader)
        case .failure(let interruption):
            return fault.map { .invalidModel($0) } ?? .invalidJSON(JSONSyntaxError(interruption, in: reader))
        }
    }

    /// The error of the issues so far.
    @inline(never)
    func invalidValues(in reader: JSONReader) -> ModelError {
        // A root that was left out on purpose leaves nothing to return.
        let shown = issues.isEmpty ? lastSkipped : issues
        var misspelled = MisspelledKeys(in: reader)
        return .invalidValues(locator.failures(shown, limit: limit, in: reader) { misspelled.suggestion(for: $0) })
    }

    /// Goes to the value at a path, reads it, and checks the document to its end.
    private func read(
        _ reader: inout JSONReader, _ body: (inout JSONReader) throws(Interruption) -> Bool
    ) throws(Interruption) -> Bool {
        let path = call.path
        // Checked here too, for calls made by a converter or a hook.
        guard room.isLeft else { throw reader.expected(.lessStack) }
        reader.skipWhitespace()
        guard !path.isRoot else {
            let fits = try body(&reader)
            try reader.finish()
            return fits
        }
        // The whole document is checked first, so that a syntax error after the value is found before the value is read.
        let place = try reader.navigate(path.steps[...])
        try reader.finish()
        guard case .value(let offset, let depthLeft) = place else {
            noValue(place, at: path)
            return false
        }
        return try reader.revisiting(offset, depthLeft: depthLeft, body)
    }

    /// Records that there is no value at a path.
    @inline(never)
    private func noValue(_ place: JSONReader.Destination, at path: JSONPath) {
        switch place {
        case .value: break
        case .missing(let offset, let steps):
            let names = path.steps.onlyKey?.split(separator: ".") ?? []
            let words = names.count > 1 ? FailureWords.path(of: names) : nil
            let details = Issue.Details(suffix: steps, words: words)
            // Without a similar key if there is a better hint.
            add(Issue(words == nil ? .missing : .fallback, .root, at: offset, found: .noKeyOrIndex, details))
        case .notContainer(let offset, let expected): add(Issue(.fallback, .kind(expected), at: offset))
        case .null(let offset, _): add(Issue(.fallback, .root, at: offset))
        }
    }

    /// Runs `body` with a context for converters and hooks, or with none.
    func withContext(_ context: (any Sendable)?, _ body: () throws(Interruption) -> Bool) throws(Interruption) -> Bool {
        try MappingContext.$local.withValue(context) { Result(catching: body) }.get()
    }
}

extension MappingSession {
    /// Runs one call over a document, from its first byte to its last, and turns what was found into errors or a report.
    ///
    /// - Parameters:
    ///   - isLocated: Whether lines and offsets mean anything to the caller; not if the bytes were made from a dictionary.
    ///   - body: Reads the value at the cursor. Nil, or findings that are left, mean that the call fails.
    /// - Throws: The syntax error if there is one, else the class's own error, else all failures.
    static func run<Result>(
        _ json: some JSONInput, at path: JSONPath = .root, for model: AbstractModel.Type? = nil,
        classOptions: MappingOptions = .init(), options: MappingOptions, isReporting: Bool = false, isLocated: Bool = true,
        body: (inout JSONReader, MappingSession) throws(Interruption) -> Result?
    ) throws(ModelError) -> (result: Result, report: MappingReport) {
        let outcome = json.withJSONBytes { bytes, count -> Swift.Result<(Result, MappingReport), ModelError> in
            let limits = options.over(classOptions)
            let session = MappingSession(options: options, classOptions: classOptions, isReporting: isReporting)
            let depth = min(max(limits.depth ?? 512, 1), MappingOptions.maximumDepth)
            var reader = JSONReader(bytes, count: count, depth: depth)
            let conclusion = Conclusion(model: model, isLocated: isLocated)
            do throws(Interruption) {
                if let most = limits.bytes, count > most { throw Interruption(fault: .fewerBytes, offset: most) }
                let result = try session.withContext(options.context) { () throws(Interruption) in
                    try session.read(&reader, at: path, body)
                }
                guard let result, session.findings.isEmpty else {
                    return .failure(.invalidValues(conclusion.failures(session.findings, limit: session.limit, in: reader)))
                }
                return .success((result, conclusion.report(session.notes, in: reader)))
            } catch {
                if let fault = session.fault { return .failure(.invalidModel(fault)) }
                return .failure(.invalidJSON(JSONSyntaxError(error, in: reader)))
            }
        }
        return try outcome.get()
    }

    /// Goes to the value at a path, reads it, and checks the document to its end.
    private func read<Result>(
        _ reader: inout JSONReader, at path: JSONPath,
        _ body: (inout JSONReader, MappingSession) throws(Interruption) -> Result?
    ) throws(Interruption) -> Result? {
        reader.skipWhitespace()
        guard !path.steps.isEmpty else {
            let result = try body(&reader, self)
            try reader.finish()
            return result
        }
        // The whole document is checked on the way, so that a syntax error behind the value is found before it is read.
        let place = try reader.navigate(path.steps[...])
        try reader.finish()
        switch place {
        case .value(let offset, let depthLeft):
            return try reader.revisiting(offset, depthLeft: depthLeft) { reader throws(Interruption) in
                try body(&reader, self)
            }
        case .missing(let offset, let steps):
            add(Finding(
                kind: .missing, offset: offset, suffix: steps, expected: "a value to map", found: "no such key or index"))
        case .notContainer(let offset, let expected):
            add(Finding(kind: .fallback, offset: offset, expected: expected))
        case .null(let offset):
            add(Finding(kind: .fallback, offset: offset, expected: "a value to map"))
        }
        return nil
    }

    /// Runs `body` with the context that converters and hooks read.
    func withContext<Result>(
        _ context: (any Sendable)?, _ body: () throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        guard let context else { return try body() }
        return try MappingContext.$current.withValue(context) { () -> Swift.Result<Result, Interruption> in
            do throws(Interruption) { return .success(try body()) } catch { return .failure(error) }
        }.get()
    }
}

/// Turns findings into what users see: looks up paths and lines, and what stands there.
private struct Conclusion {
    /// The class that was asked for, for findings outside of any object.
    let model: AbstractModel.Type?
    let isLocated: Bool

    func failures(_ findings: [Finding], limit: Int, in reader: JSONReader) -> [PropertyFailure] {
        located(findings, in: reader).prefix(limit).map { finding, place in
            PropertyFailure(
                model: name(finding), property: finding.property, path: place.path,
                line: isLocated ? place.location.line : nil, column: isLocated ? place.location.column : nil,
                offset: isLocated ? reader.origin + finding.offset : nil, expected: finding.expected,
                found: finding.found ?? reader.describeValue(at: finding.offset), underlying: finding.underlying)
        }
    }

    func report(_ notes: [Finding], in reader: JSONReader) -> MappingReport {
        guard !notes.isEmpty else { return MappingReport(entries: []) }
        return MappingReport(
            entries: located(notes, in: reader).map { note, place in
                MappingReport.Entry(
                    kind: note.kind, model: name(note), property: note.property, path: place.path,
                    line: isLocated ? place.location.line : nil, column: isLocated ? place.location.column : nil,
                    expected: note.expected, found: note.found ?? reader.describeValue(at: note.offset),
                    underlying: note.underlying)
            })
    }

    private func name(_ finding: Finding) -> String {
        (finding.model ?? model).map { String(describing: $0) } ?? "JSON"
    }

    /// The findings in the order of the document, those of one place in the order in which they were made.
    private func located(
        _ findings: [Finding], in reader: JSONReader
    ) -> [(Finding, (path: JSONPath, location: SourceLocation))] {
        let sorted = findings.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
        return zip(sorted, reader.locate(sorted.map(\.offset))).map { finding, place in
            (finding, (JSONPath(place.path + finding.suffix), place.location))
        }
    }
}

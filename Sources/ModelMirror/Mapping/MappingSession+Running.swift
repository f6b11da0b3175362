extension MappingSession {
    /// Runs one call over a document, from its first byte to its last, and turns what was found into errors or a report.
    ///
    /// - Parameters:
    ///   - isLocated: Whether lines and offsets mean anything to the caller; not if the bytes were made from a dictionary.
    ///   - body: Reads the value at the cursor. Nil, or findings that are left, mean that the call fails.
    /// - Throws: The syntax error if there is one, else the class's own error, else all failures.
    static func run<Result>(
        _ json: some JSONInput, at path: JSONPath = .root, for model: AbstractModel.Type? = nil,
        classOptions: MappingOptions = .init(), options: MappingOptions, isReporting: Bool = false,
        isLocated: Bool = true,
        body: (inout JSONReader, MappingSession) throws(Interruption) -> Result?
    ) throws(ModelError) -> (result: Result, report: MappingReport) {
        let session = MappingSession(options: options, classOptions: classOptions, isReporting: isReporting)
        var result: Result?
        let report = try session.run(json, at: path, Conclusion(model: model, isLocated: isLocated)) {
            reader, session throws(Interruption) in
            result = try body(&reader, session)
            return result != nil
        }
        guard let result else { throw .invalidValues([]) }
        return (result, report)
    }

    /// As ``run(_:at:for:classOptions:options:isReporting:isLocated:body:)``, for a body that keeps its result itself.
    ///
    /// Not generic over a result, so that one small object costs no look-up of type metadata.
    ///
    /// - Parameter body: Reads the value at the cursor; returns whether it fits.
    func run(
        _ json: some JSONInput, at path: JSONPath, _ conclusion: Conclusion,
        _ body: (inout JSONReader, MappingSession) throws(Interruption) -> Bool
    ) throws(ModelError) -> MappingReport {
        var failure: ModelError?
        var isRead = false
        var report = MappingReport(entries: [])
        json.withJSONBytes { bytes, count in
            isRead = true
            var reader = JSONReader(bytes, count: count, depth: depth)
            do throws(Interruption) {
                if count > mostBytes {
                    throw Interruption(fault: .fewerBytes, offset: max(mostBytes - reader.origin, 0))
                }
                let fits = try withContext(options.context) { () throws(Interruption) in
                    try read(&reader, at: path, body)
                }
                if fits, findings.isEmpty {
                    if isReporting { report = conclusion.report(notes, in: reader) }
                } else {
                    // A root that was left out on purpose leaves nothing to return.
                    let all = findings.isEmpty ? lastSkipped.map { [$0] } ?? [] : findings
                    failure = .invalidValues(conclusion.failures(all, limit: limit, in: reader))
                }
            } catch {
                failure = fault.map { .invalidModel($0) } ?? .invalidJSON(JSONSyntaxError(error, in: reader))
            }
        }
        if let failure { throw failure }
        if !isRead { throw conclusion.unread(json) }
        if let reportSink, !report.entries.isEmpty { reportSink(report) }
        return report
    }

    /// Goes to the value at a path, reads it, and checks the document to its end.
    private func read(
        _ reader: inout JSONReader, at path: JSONPath,
        _ body: (inout JSONReader, MappingSession) throws(Interruption) -> Bool
    ) throws(Interruption) -> Bool {
        reader.skipWhitespace()
        guard !path.steps.isEmpty else {
            let fits = try body(&reader, self)
            try reader.finish()
            return fits
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
            add(
                Finding(
                    kind: .missing, offset: offset, suffix: steps, expected: "a value to map",
                    found: "no such key or index"))
        case .notContainer(let offset, let expected):
            add(Finding(kind: .fallback, offset: offset, expected: expected))
        case .null(let offset):
            add(Finding(kind: .fallback, offset: offset, expected: "a value to map"))
        }
        return false
    }

    /// Runs `body` with the context that converters and hooks read.
    func withContext(
        _ context: (any Sendable)?, _ body: () throws(Interruption) -> Bool
    ) throws(Interruption) -> Bool {
        guard let context else { return try body() }
        return try withClassContext(context, body)
    }

    /// Runs `body` with a context, or with none.
    func withClassContext(
        _ context: (any Sendable)?, _ body: () throws(Interruption) -> Bool
    ) throws(Interruption) -> Bool {
        try MappingContext.$current.withValue(context) { () -> Result<Bool, Interruption> in
            do throws(Interruption) { return .success(try body()) } catch { return .failure(error) }
        }.get()
    }
}

/// Turns findings into what users see: looks up paths and lines, and what stands there.
struct Conclusion {
    /// The class that was asked for, for findings outside of any object.
    let model: AbstractModel.Type?
    let isLocated: Bool

    /// The error for bytes that were never handed over.
    func unread<Input: JSONInput>(_ json: Input) -> ModelError {
        let reason = "\(Input.self).withJSONBytes does not call its closure"
        return .invalidModel(InvalidModel(model: model.map { "\($0)" } ?? "JSON", property: nil, reason: reason))
    }

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
        finding.modelName ?? (finding.model ?? model).map { String(describing: $0) } ?? "JSON"
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

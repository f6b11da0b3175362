/// The state of one write: its options, which objects are open, and what was found wrong.
///
/// A value that cannot be written leaves `null` in the text and a finding with its offset there; when the write ends, the paths
/// of all findings are looked up in the text itself, so that nobody keeps track of paths while writing.
final class WritingSession {
    let options: WritingOptions
    private(set) var findings: [Finding] = []
    /// How many of the findings know their object and property.
    private var namedFindings = 0
    /// The objects that are being written, outermost first: a cycle comes back to one of them.
    private var open: [ObjectIdentifier] = []

    init(_ options: WritingOptions) { self.options = options }

    /// Writes `null` in place of a value that cannot be written.
    @inline(never)
    func refuse(
        _ writer: inout JSONWriter, expected: String, found: String, underlying: (any Error)? = nil
    ) {
        findings.append(
            Finding(kind: .fallback, offset: writer.count, expected: expected, found: found, underlying: underlying))
        writer.writeNull()
    }

    /// Names the findings that codecs have made since the last call, which do not know whose value they wrote.
    @inline(__always)
    func nameFindings(_ model: AbstractModel.Type, _ property: String) {
        if namedFindings < findings.count { nameNewFindings(model, property) }
    }

    @inline(never)
    private func nameNewFindings(_ model: AbstractModel.Type, _ property: String) {
        for index in namedFindings..<findings.count where findings[index].model == nil {
            (findings[index].model, findings[index].property) = (model, property)
        }
        namedFindings = findings.count
    }

    /// Runs `body`, which writes an object, unless the object is being written already or lies too deep.
    @inline(__always)
    func writing(_ object: AbstractModel, _ writer: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        let identity = ObjectIdentifier(object)
        if open.contains(identity) {
            return refuse(
                &writer, expected: "an object that does not contain itself",
                found: "\(type(of: object)) in a reference cycle")
        }
        if open.count >= MappingOptions.maximumDepth {
            return refuse(
                &writer, expected: "no deeper nesting", found: "\(type(of: object)) at depth \(open.count + 1)")
        }
        open.append(identity)
        body(&writer)
        open.removeLast()
    }

    /// Runs one write and returns its text.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with all values that cannot be written, each with its path.
    static func run(
        _ options: WritingOptions, for model: AbstractModel.Type?, _ body: (inout JSONWriter, WritingSession) -> Void
    ) throws(ModelError) -> JSONWriter {
        let session = WritingSession(options)
        var writer = JSONWriter(options)
        body(&writer, session)
        if let fault = session.fault { throw .invalidModel(fault) }
        guard session.findings.isEmpty else {
            let failures = writer.withBytes { bytes -> [PropertyFailure] in
                guard let start = bytes.baseAddress else { return [] }
                let reader = JSONReader(start, count: bytes.count, depth: .max)
                return Conclusion(model: model, isLocated: false).failures(session.findings, limit: 100, in: reader)
            }
            throw .invalidValues(failures)
        }
        return writer
    }

    /// What is wrong with a class, if one cannot be written at all.
    private(set) var fault: InvalidModel?

    func fail(_ fault: InvalidModel, _ writer: inout JSONWriter) {
        self.fault = self.fault ?? fault
        writer.writeNull()
    }
}

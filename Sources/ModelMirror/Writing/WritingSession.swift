/// The state of one write: its options, which objects are open, and what was found wrong.
///
/// A value that cannot be written leaves `null` in the text and a finding with its offset there; when the write ends, the paths
/// of all findings are looked up in the text itself, so that nobody keeps track of paths while writing.
final class WritingSession {
    let options: WritingOptions
    /// Whether the options leave objects to ``WritingPlan/slots``: compact, in declared order, without nulls.
    let canWriteSlots: Bool
    private(set) var findings: [Finding] = []
    /// How many of the findings know their object and property.
    private var namedFindings = 0
    /// The objects that are being written, outermost first: a cycle comes back to one of them.
    private var open: [ObjectIdentifier] = []

    /// - Parameter outer: The session in whose text the text of this one will be a string; its objects are open in this one too.
    init(_ options: WritingOptions, inside outer: WritingSession? = nil) {
        self.options = options
        canWriteSlots = options.isEmpty
        open = outer?.open ?? []
    }

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
        guard hasRoom(&writer, for: "\(type(of: object))") else { return }
        open.append(identity)
        body(&writer)
        open.removeLast()
    }

    /// Whether another container may be opened; if not, it is refused. What lies deeper could not be read back, and the stack is
    /// safe.
    @inline(__always)
    func hasRoom(_ writer: inout JSONWriter, for container: @autoclosure () -> String) -> Bool {
        if writer.level < MappingOptions.maximumDepth { return true }
        refuse(&writer, expected: "no deeper nesting", found: "\(container()) at depth \(writer.level + 1)")
        return false
    }

    /// Writes the elements of a collection that has no order of its own, sorted by their text, so that equal sets give equal
    /// bytes.
    ///
    /// Each is written once, aside, as it will stand in its place: to write it a second time there would double the work with
    /// every level of sets in sets.
    func writeSorted<Element>(
        _ values: some Sequence<Element>, _ writer: inout JSONWriter, _ write: ValueCodec<Element>.Write
    ) {
        var elements: [(text: [UInt8], findings: Range<Int>)] = []
        for value in values {
            let first = findings.count
            var aside = JSONWriter(insideOf: writer)
            write(value, &aside, self)
            elements.append((aside.withBytes { Array($0) }, first..<findings.count))
        }
        for element in elements.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
            writer.element()
            for index in element.findings { findings[index].offset += writer.count }
            element.text.withUnsafeBufferPointer { writer.append($0) }
        }
    }

    /// Runs one write and returns its text.
    ///
    /// - Parameter outer: The session in whose text this text will be a string.
    /// - Throws: ``ModelError/invalidValues(_:)`` with all values that cannot be written, each with its path.
    static func run(
        _ options: WritingOptions, for model: AbstractModel.Type?, inside outer: WritingSession? = nil,
        _ body: (inout JSONWriter, WritingSession) -> Void
    ) throws(ModelError) -> JSONWriter {
        let session = WritingSession(options, inside: outer)
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

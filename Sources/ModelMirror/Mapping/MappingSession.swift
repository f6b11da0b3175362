/// The state of one call: its options, what was found wrong, and what is to be reported.
///
/// Made for one call, used by one thread, gone when the call ends.
final class MappingSession {
    /// What holds for the object that is being mapped.
    struct Rules {
        var strict: Bool
        var stringsFromNumbers: Bool
    }

    /// The call's own options.
    let options: MappingOptions
    var rules: Rules
    /// Whether the options of a class, beside the call's, have a part in `rules` or in the context.
    var hasClassRules = false
    /// Whether the caller wants a report.
    let isReporting: Bool
    /// Is told the report, if there is something in it.
    let reportSink: (@Sendable (MappingReport) -> Void)?
    /// What was found wrong in the value that is being read and is not yet settled. A row that is done takes its own away.
    private(set) var findings: [Finding] = []
    /// Where the findings of the row that is being read begin.
    var rowStart = 0
    /// What the report will say.
    private(set) var notes: [Finding] = []
    /// How many of the notes know their object and property.
    private var namedNotes = 0
    /// While an object is updated: the nested objects that are updated with it, children first.
    var pendingParts: [PendingUpdate.Part] = []
    /// What takes back the values that an update has stored before hooks were asked about them.
    var earlyUndos: [() -> Void] = []
    /// Whether nested objects are updated in place.
    let updatesNestedInPlace: Bool
    /// Whether the document is a merge patch: an object in it changes the value that is there.
    let isMerging: Bool
    /// The value that was left out last: where nothing may be left out, it is the failure.
    private(set) var lastSkipped: Finding?
    /// How many failures are kept.
    let limit: Int
    /// How deep containers may nest, and how many bytes the document may have.
    let depth: Int
    let mostBytes: Int
    /// The error behind an interruption with `.modelFault`.
    private(set) var fault: InvalidModel?

    /// - Parameter classOptions: those of the class that is asked for, for the limits.
    init(
        options: MappingOptions, classOptions: MappingOptions = .init(), isReporting: Bool, isMerging: Bool = false
    ) {
        self.options = options
        reportSink = options.report ?? classOptions.report
        self.isReporting = isReporting || reportSink != nil
        self.isMerging = isMerging
        updatesNestedInPlace =
            isMerging || options.updatesNestedInPlace ?? classOptions.updatesNestedInPlace ?? false
        limit = max(options.failures ?? classOptions.failures ?? 100, 1)
        depth = min(max(options.depth ?? classOptions.depth ?? 512, 1), MappingOptions.maximumDepth)
        mostBytes = max(options.bytes ?? classOptions.bytes ?? .max, 0)
        rules = Rules(
            strict: options.strict ?? classOptions.strict ?? false,
            stringsFromNumbers: options.stringsFromNumbers ?? classOptions.stringsFromNumbers ?? false)
        hasClassRules = classOptions.strict != nil || classOptions.stringsFromNumbers != nil
    }

    /// The rules for objects of a class with the given options.
    func rules(for classOptions: MappingOptions) -> Rules {
        Rules(
            strict: options.strict ?? classOptions.strict ?? false,
            stringsFromNumbers: options.stringsFromNumbers ?? classOptions.stringsFromNumbers ?? false)
    }

    /// An interruption for a class that cannot be mapped.
    func interruption(_ fault: InvalidModel) -> Interruption {
        self.fault = fault
        return Interruption(fault: .modelFault, offset: 0)
    }

    // MARK: Findings

    /// Whether the row that is being read has findings.
    var hasFindings: Bool {
        @inline(__always) get { findings.count > rowStart }
    }

    /// Adds a finding of the row that is being read. Without a report those over the limit are dropped, so that hostile
    /// input cannot fill the memory; one is always kept.
    func add(_ finding: @autoclosure () -> Finding) {
        if isReporting || findings.count - rowStart < limit { findings.append(finding()) }
    }

    /// Takes away the findings of the row that is being read.
    func takeFindings() -> [Finding] {
        let taken = Array(findings[rowStart...])
        findings.removeSubrange(rowStart...)
        return taken
    }

    /// Turns the findings into lines of the report: what they are about was left out.
    func forgive() {
        for finding in takeFindings() where finding.model != nil { note(finding) }
    }

    /// Adds a line to the report, if one is wanted.
    @inline(__always)
    func note(_ finding: @autoclosure () -> Finding) {
        if isReporting { notes.append(finding()) }
    }

    /// Adds a line to the report for an element that was left out.
    func noteSkipped(at offset: Int, _ expected: String) {
        guard isReporting else { return }
        if let last = findings.last, findings.count > rowStart, last.model == nil, last.offset == offset {
            var skipped = last
            skipped.kind = .skipped
            return note(skipped)
        }
        let isNested = findings.count > rowStart && findings.last?.model != nil
        // Left out on purpose: whoever did so has made the note.
        guard findings.count > rowStart else { return }
        note(
            Finding(
                kind: .skipped, offset: offset, expected: expected, found: isNested ? MappingSession.failedObject : nil)
        )
    }

    /// How many notes there are, to go back to.
    var noteCount: Int { notes.count }

    /// Takes back the notes on a value that turned out not to fit after all.
    func dropNotes(to count: Int) { notes.removeSubrange(count...) }

    /// Records a value that is left out on purpose, without a failure.
    func skip(_ finding: Finding) {
        lastSkipped = finding
        note(finding)
    }

    /// Takes over what the report of a mapping inside this one would say.
    func adopt(_ inner: [Finding]) { notes += inner }

    /// What was found where an object's own rules failed; the failures themselves are told besides.
    static let failedObject = "an object with failures"

    /// Leaves the notes that were made up to now to the outer object.
    func openNotes() -> Int {
        let outer = namedNotes
        namedNotes = notes.count
        return outer
    }

    /// Goes back to where the outer object's notes begin that have no name yet.
    func closeNotes(_ outer: Int) { namedNotes = outer }

    /// Names the notes that codecs have made since the last call, which do not know whose value they read.
    func nameNotes(_ model: AbstractModel.Type, _ property: String) {
        for index in namedNotes..<notes.count where notes[index].model == nil && notes[index].modelName == nil {
            (notes[index].model, notes[index].property) = (model, property)
        }
        namedNotes = notes.count
    }

    // MARK: Refusing

    /// Passes the value at the cursor, which does not fit, and records that.
    ///
    /// - Returns: nil, so that a codec can return it.
    @inline(never)
    func refuse<Value>(
        _ reader: inout JSONReader, _ expected: @autoclosure () -> String
    ) throws(Interruption) -> Value? {
        let offset = reader.offset
        try reader.skipValue()
        return refused(at: offset, expected())
    }

    /// Passes the value at the cursor, which does not fit, and records that.
    ///
    /// - Returns: false, so that a codec can return it.
    @inline(never)
    func refuse(_ reader: inout JSONReader, _ expected: @autoclosure () -> String) throws(Interruption) -> Bool {
        let offset = reader.offset
        try reader.skipValue()
        return refused(at: offset, expected())
    }

    /// Records that a value that was passed already does not fit.
    ///
    /// - Returns: false, so that a codec can return it.
    @inline(never)
    func refused(at offset: Int, _ expected: @autoclosure () -> String, underlying: (any Error)? = nil) -> Bool {
        add(Finding(kind: .fallback, offset: offset, expected: expected(), underlying: underlying))
        return false
    }

    /// Records that a value that was passed already does not fit.
    ///
    /// - Returns: nil, so that a codec can return it.
    @inline(never)
    func refused<Value>(
        at offset: Int, _ expected: @autoclosure () -> String, underlying: (any Error)? = nil
    ) -> Value? {
        add(Finding(kind: .fallback, offset: offset, expected: expected(), underlying: underlying))
        return nil
    }

    /// Records that a value fits only by a conversion that strict mapping would not make.
    @inline(never)
    func coerced(at offset: Int, _ expected: String) {
        note(Finding(kind: .coerced, offset: offset, expected: expected))
    }
}

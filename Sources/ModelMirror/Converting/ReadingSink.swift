/// What codecs see of the call that reads: the rules that hold, and where to tell what does not fit.
///
/// The loop of `Mapping/` is a subclass. Made for one call, used by one thread, gone when the call ends.
class ReadingSink {
    /// What holds for the object that is being mapped.
    struct Rules {
        var strict: Bool
        var stringsFromNumbers: Bool
    }

    final var rules: Rules
    /// Whether the caller wants a report.
    final let isReporting: Bool
    /// How many failures are kept.
    final let limit: Int
    /// What was found wrong in the value that is being read and is not yet settled. A row that is done takes its own away.
    private(set) final var findings: [Finding] = []
    /// How many findings there were, those over the limit and those that were taken away included.
    private(set) final var refusals = 0
    /// Where the findings of the row that is being read begin.
    private final var rowStart = 0
    /// What the report will say.
    private(set) final var notes: [Finding] = []
    /// How many of the notes know their object and property.
    private var namedNotes = 0
    /// The value that was left out last: where nothing may be left out, it is the failure.
    private(set) final var lastSkipped: Finding?

    init(rules: Rules, isReporting: Bool, limit: Int) {
        self.rules = rules
        self.isReporting = isReporting
        self.limit = limit
    }

    /// Reads the document inside of a string by a codec; the loop's work, since it is a mapping of its own.
    ///
    /// - Parameter offset: Where the string begins.
    /// - Returns: nil, and a finding, if it does not fit.
    func readEmbedded<Value>(
        _ text: String, at offset: Int, _ codec: ValueCodec<Value>, _ expected: String
    ) throws(Interruption) -> Value? {
        refused(at: offset, expected)
    }

    // MARK: Findings

    /// Whether the row that is being read has findings.
    final var hasFindings: Bool {
        @inline(__always) get { findings.count > rowStart }
    }

    /// Adds a finding of the row that is being read. Without a report those over the limit are dropped, so that hostile
    /// input cannot fill the memory; one is always kept.
    final func add(_ finding: @autoclosure () -> Finding) {
        refusals += 1
        if isReporting || findings.count - rowStart < limit { findings.append(finding()) }
    }

    /// Takes away the findings of the row that is being read.
    final func takeFindings() -> [Finding] { retractFindings(from: rowStart, refusals: refusals) }

    /// Removes and returns all findings but the first `count`, and sets ``refusals`` back.
    final func retractFindings(from count: Int, refusals: Int) -> [Finding] {
        self.refusals = refusals
        let taken = Array(findings[count...])
        findings.removeSubrange(count...)
        return taken
    }

    /// Turns the findings into lines of the report: what they are about was left out.
    final func forgive() {
        for finding in takeFindings() where finding.model != nil { note(finding) }
    }

    /// Adds a line to the report, if one is wanted.
    @inline(__always)
    final func note(_ finding: @autoclosure () -> Finding) {
        if isReporting { notes.append(finding()) }
    }

    /// Adds a line to the report for an element that was left out.
    final func noteSkipped(at offset: Int, _ expected: String) {
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
                kind: .skipped, offset: offset, expected: expected, found: isNested ? ReadingSink.failedObject : nil)
        )
    }

    /// How many notes there are, to go back to.
    final var noteCount: Int { notes.count }

    /// Takes back the notes on a value that turned out not to fit after all.
    final func dropNotes(to count: Int) { notes.removeSubrange(count...) }

    /// Records a value that is left out on purpose, without a failure.
    final func skip(_ finding: Finding) {
        lastSkipped = finding
        note(finding)
    }

    /// Takes over what the report of a mapping inside this one would say.
    final func adopt(_ inner: [Finding]) { notes += inner }

    /// What was found where an object's own rules failed; the failures themselves are told besides.
    static let failedObject = "an object with failures"

    /// Runs `body`, which reads an object, with findings and notes apart from those of the row that the object is for. The
    /// failures that it returns become findings of that row.
    @inline(__always)
    final func withOwnFindings(_ body: () throws(Interruption) -> [Finding]) throws(Interruption) -> [Finding] {
        let (outerStart, outerNotes) = (rowStart, namedNotes)
        (rowStart, namedNotes) = (findings.count, notes.count)
        defer { namedNotes = outerNotes }
        let failures = try body()
        rowStart = outerStart
        for failure in failures { add(failure) }
        return failures
    }

    /// Names the notes that codecs have made since the last call, which do not know whose value they read.
    final func nameNotes(_ model: AbstractModel.Type, _ property: String) {
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
    final func refuse<Value>(
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
    final func refuse(_ reader: inout JSONReader, _ expected: @autoclosure () -> String) throws(Interruption) -> Bool {
        let offset = reader.offset
        try reader.skipValue()
        return refused(at: offset, expected())
    }

    /// Records that a value that was passed already does not fit.
    ///
    /// - Returns: false, so that a codec can return it.
    @inline(never)
    final func refused(at offset: Int, _ expected: @autoclosure () -> String, underlying: (any Error)? = nil) -> Bool {
        add(Finding(kind: .fallback, offset: offset, expected: expected(), underlying: underlying))
        return false
    }

    /// Records that a value that was passed already does not fit.
    ///
    /// - Returns: nil, so that a codec can return it.
    @inline(never)
    final func refused<Value>(
        at offset: Int, _ expected: @autoclosure () -> String, underlying: (any Error)? = nil
    ) -> Value? {
        add(Finding(kind: .fallback, offset: offset, expected: expected(), underlying: underlying))
        return nil
    }

    /// Records that a value fits only by a conversion that strict mapping would not make.
    @inline(never)
    final func coerced(at offset: Int, _ expected: String) {
        note(Finding(kind: .coerced, offset: offset, expected: expected))
    }
}

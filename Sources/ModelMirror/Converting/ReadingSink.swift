/// The part of a reading call that plans use: the rules, and the issues and notes they record.
///
/// ``MappingSession``, the loop, is its subclass. A sink is used for one call on one thread.
///
/// `@exclusivity(unchecked)` on what the loop touches for every object: only the library's code reaches a sink, and none of these
/// accesses overlaps another. (Measured: the runtime's checks took 4 % of the instructions of small objects.)
class ReadingSink {
    /// The options of the object being mapped.
    struct Rules {
        var strict = false
        var requiresNonOptional = false
        var stringsFromNumbers = false
        var stringsFromBooleans = false
        var numbersFromBooleans = false
        var integers = IntegerConversion.exact
        var arraysFromSingleValues = false
        var updatesIgnoreNulls = false
        var reportsMissingOptionals = false
        var unknownKeys = UnknownKeys.reported
    }

    @exclusivity(unchecked) final var rules: Rules
    /// Whether a report was requested.
    final let isReporting: Bool
    /// The largest number of failures.
    final let limit: Int
    /// Whether nested objects are filled rather than replaced.
    final let fillsNested: Bool
    /// The issues of rows and objects that are not settled yet.
    @exclusivity(unchecked) private(set) final var issues: [Issue] = []
    /// The number of issues so far, including those dropped or taken.
    private(set) final var refusals = 0
    /// Whether the next issue may be shown, so that it is worth a closer look at the value.
    final var showsNext: Bool { isReporting || refusals < limit }
    /// The index of the first issue of the current row.
    @exclusivity(unchecked) private final var rowStart = 0
    /// The entries of the report.
    @exclusivity(unchecked) private(set) final var notes: [Issue] = []
    /// The number of notes whose object and property are set.
    @exclusivity(unchecked) private final var namedNotes = 0
    /// The value skipped last, if any. It becomes the failure where nothing may be skipped.
    private(set) final var lastSkipped: [Issue] = []

    /// Whether the stack has room for another object.
    final let room = StackRoom()

    init(rules: Rules, isReporting: Bool, limit: Int, fillsNested: Bool = false) {
        self.rules = rules
        self.fillsNested = fillsNested
        self.isReporting = isReporting
        self.limit = limit
    }

    /// How many of the values being read are never shown.
    @exclusivity(unchecked) final var redaction = 0

    /// The old value of the property that an update reads, the offset of its new value, and the keys of a merge patch.
    @exclusivity(unchecked) final var updatedValue: (value: Any, offset: Int, patched: Set<String>?)?

    /// The old value of a property whose new one begins at an offset; nil if it is not read for an update, or is of another type.
    @inline(__always)
    final func updated<Value>(_ type: Value.Type, at offset: Int) -> Value? {
        // The cast calls the runtime, which new objects avoid.
        guard let updatedValue, updatedValue.offset == offset else { return nil }
        return updatedValue.value as? Value
    }

    /// The object in which a flattened dictionary finds its members, and the offsets of these members.
    @exclusivity(unchecked) final var rest: (object: Int, members: Set<Int>)?

    /// The ends of containers that were walked through and may be again.
    @exclusivity(unchecked) final var ends = ContainerEnds()
    /// The keys under which objects have the name of an enum's case, beside the members of the payload.
    @exclusivity(unchecked) final var tags: [(object: Int, key: String)] = []

    /// Whether a key of the object at an offset holds the name of an enum's case, so that it is not a member of the payload.
    final func isTag(_ key: String, ofObjectAt offset: Int) -> Bool {
        !tags.isEmpty && tags.contains { $0.object == offset && $0.key == key }
    }

    /// Whether unknown keys are recorded.
    final var findsUnknownKeys: Bool { rules.unknownKeys == .failures || isReporting && rules.unknownKeys == .reported }

    /// How many bytes were read that are read more than once.
    private final var rereadBytes = 0

    /// Counts the bytes of a value that is read again, as another of the types that it may have, or for another property. With several of
    /// these in each other the time doubles with each level, so that a short document could take hours.
    final func countReading(since offset: Int, _ reader: JSONReader) throws(Interruption) {
        rereadBytes += reader.offset - offset
        let most = max(reader.end - reader.start, 10_000) * JSONReader.mostReadings
        if rereadBytes > most { throw reader.expected(.fewerReadings) }
    }

    /// Whether the document was made of plain values, in which ISO 8601 stands for a `Date`. Overridden by the loop.
    var isPlain: Bool { false }

    /// Reads the JSON object at the cursor into a copy of an object; nil if it has failures. Overridden by the loop.
    func fillCopy(of model: AbstractModel, _ reader: inout JSONReader) throws(Interruption) -> AbstractModel? { nil }

    /// Reads the document inside a string. Overridden by the loop, because it is a separate mapping.
    ///
    /// - Parameters:
    ///   - offset: The start of the string.
    ///   - depthLeft: The depth left for the document.
    /// - Returns: nil if it does not fit; the issue is recorded.
    func readEmbedded<Value>(
        _ text: String, at offset: Int, depthLeft: Int, _ plan: TypePlan<Value>, _ expected: Expectation
    ) throws(Interruption) -> Value? { refused(at: offset, expected) }

    // MARK: Issues

    final var hasIssues: Bool { @inline(__always) get { issues.count > rowStart } }

    /// Adds an issue of the current row. Without a report, issues above the limit are dropped, so that hostile input cannot fill
    /// the memory; the first of a row is always kept, and the last one counts those that were dropped.
    final func add(_ issue: @autoclosure () -> Issue) {
        refusals += 1
        if isReporting || issues.count - rowStart < limit {
            issues.append(redaction > 0 ? issue().redacted : issue())
        } else {
            issues[issues.count - 1].omitted += 1
        }
    }

    /// The same for issues after which others may have been dropped.
    final func add(contentsOf later: [Issue]) {
        for issue in later {
            let kept = issues.count
            add(issue)
            if issues.count == kept { issues[kept - 1].omitted += issue.omitted }
        }
    }

    /// Ends the current row, whose issues stay until its object is settled.
    final func endRow() -> Range<Int> {
        defer { rowStart = issues.count }
        return rowStart..<issues.count
    }

    /// Removes the issues from an index on, which no longer count.
    final func dropIssues(from start: Int) {
        // One by one, since they are few: for a range, the array moves what follows it.
        while issues.count > start { issues.removeLast() }
        rowStart = start
    }

    /// What there was before an attempt. `omitted` is the number of issues that were dropped after the last one.
    typealias Mark = (issues: Int, notes: Int, omitted: Int, refusals: Int)

    final var mark: Mark { (issues.count, notes.count, issues.last?.omitted ?? 0, refusals) }

    /// Whether there is no issue since a mark, other than those of settled objects and those that were retracted.
    final func hasNoIssues(since mark: Mark) -> Bool {
        issues.count == mark.issues && (issues.last?.omitted ?? 0) == mark.omitted
    }

    /// Removes and returns all issues since a mark. Those dropped since then because there were too many no longer count.
    final func retractIssues(to mark: Mark) -> [Issue] {
        refusals = mark.refusals
        let taken = Array(issues[mark.issues...])
        issues.removeSubrange(mark.issues...)
        if mark.issues > 0 { issues[mark.issues - 1].omitted = mark.omitted }
        return taken
    }

    /// Turns the issues into notes, for skipped values.
    final func reportIssues() {
        let own = issues[rowStart...]
        dropIssues(from: rowStart)
        for issue in own where issue.subject != nil { note(issue) }
    }

    /// Hides the keys of a dictionary in the issues and notes that were added while it was read.
    final func hideKeys(inDictionaryAt offset: Int, since mark: Mark) {
        issues.hideKeys(inDictionaryAt: offset, since: mark.issues)
        notes.hideKeys(inDictionaryAt: offset, since: mark.notes)
    }

    /// Adds an entry to the report, if there is one.
    @inline(__always)
    final func note(_ issue: @autoclosure () -> Issue) {
        guard isReporting else { return }
        notes.append(issue())
        if redaction > 0 { notes[notes.count - 1] = notes[notes.count - 1].redacted }
    }

    /// Adds an entry to the report whose object and property are set.
    final func noteNamed(_ issue: @autoclosure () -> Issue) {
        guard isReporting else { return }
        if namedNotes == notes.count { namedNotes += 1 }
        note(issue())
    }

    /// Adds an entry to the report for a skipped element.
    final func noteSkipped(at offset: Int, _ expected: Expectation) {
        skips?.append(offset)
        // A value that was skipped on purpose has its note.
        guard isReporting, issues.count > rowStart, var last = issues.last, lastSkipped.first?.offset != offset else {
            return
        }
        if last.subject == nil, last.offset >= offset {
            last.kind = .skipped
            return note(last)
        }
        note(Issue(.skipped, expected, at: offset, found: last.subject == nil ? .value : .failedObject))
    }

    /// Removes the notes on a value that was rejected later.
    final func dropNotes(to count: Int) {
        notes.removeSubrange(count...)
        namedNotes = min(namedNotes, count)
    }

    /// Where skipped elements begin, for rules that check the others; nil if no rule needs them.
    @exclusivity(unchecked) final var skips: [Int]?

    /// Records a value that is skipped on purpose, without a failure.
    final func skip(_ issue: Issue) {
        lastSkipped = [issue]
        note(issue)
    }

    /// The issues and notes of the object around the one that is being read.
    typealias Scope = (rowStart: Int, namedNotes: Int, notes: Int)

    /// Keeps the issues and notes of an object apart from those of the row that the object is for.
    ///
    /// (Measured: without inlining here, of `leaveObject` and of `MappingSession.complete`, tiny objects take 7 % more instructions.)
    @inline(__always)
    final func enterObject() -> Scope {
        let outer = (rowStart, isReporting ? namedNotes : 0, isReporting ? notes.count : 0)
        rowStart = issues.count
        if isReporting { namedNotes = notes.count }
        return outer
    }

    /// Ends an object, whose failures become issues of the row that it is for.
    ///
    /// - Returns: whether there are none.
    @inline(__always)
    final func leaveObject(for outer: Scope, _ failures: [Issue]?) -> Bool {
        rowStart = outer.rowStart
        // The notes of the object itself are named.
        if isReporting { namedNotes = outer.namedNotes == outer.notes ? notes.count : outer.namedNotes }
        guard let failures else { return true }
        if isReporting, failures.count > 1, failures.allSatisfy({ $0.subject != nil }) {
            // With a report none may be dropped, and each level around would copy them all.
            add(Issue(standingFor: failures))
        } else {
            add(contentsOf: failures)
        }
        return false
    }

    /// Sets object and property of the notes that plans have added since the last call.
    @inline(__always)
    final func nameNotes(_ owner: IssueSubject, _ row: Int) {
        if namedNotes < notes.count { nameNewNotes(owner, row) }
    }

    @inline(never)
    private final func nameNewNotes(_ owner: IssueSubject, _ row: Int) {
        // By a span, since an array's subscript asks for every access whether the array is shared.
        var notes = notes.mutableSpan
        for index in namedNotes..<notes.count where !notes[index].isNamed { notes[index].name(owner, row) }
        namedNotes = notes.count
    }

    // MARK: Arrays from single values

    /// Where the last value begins that did not fit as the only element of an array, so that no array was stored.
    final var refusedSingle: Int?

    /// Reads the value at the cursor as an array of one element if the options allow it; otherwise rejects it.
    ///
    /// - Parameter read: Reads the value; nil if it does not fit, with a recorded issue.
    @inline(never)
    final func readSingle<Value>(
        _ reader: inout JSONReader, _ read: (inout JSONReader) throws(Interruption) -> Value?
    ) throws(Interruption) -> [Value]? {
        let offset = reader.offset
        guard rules.arraysFromSingleValues, reader.byte != UInt8(ascii: "n") else {
            return try refuse(&reader, .kind(.array))
        }
        guard let value = try read(&reader) else {
            refusedSingle = offset
            return nil
        }
        coerced(at: offset, .kind(.array))
        return [value]
    }

    // MARK: Refusing

    /// Rejects and skips the value at the cursor.
    ///
    /// - Returns: nil, so that a plan can return it.
    @inline(never)
    final func refuse<Value>(_ reader: inout JSONReader, _ expected: Expectation) throws(Interruption) -> Value? {
        _ = try refuse(&reader, expected) as Bool
        return nil
    }

    /// The same for plans that return whether a value fits.
    @inline(never)
    final func refuse(_ reader: inout JSONReader, _ expected: Expectation) throws(Interruption) -> Bool {
        let offset = reader.offset
        try reader.skipValue()
        return refused(at: offset, expected)
    }

    /// Rejects a value that has been read.
    ///
    /// - Returns: false, so that a plan can return it.
    @inline(never)
    final func refused(at offset: Int, _ expected: Expectation, underlying: (any Error)? = nil) -> Bool {
        add(
            underlying.map { Issue(.fallback, expected, at: offset, Issue.Details(underlying: $0)) }
                ?? Issue(.fallback, expected, at: offset))
        return false
    }

    /// The same for plans that return the value.
    @inline(never)
    final func refused<Value>(at offset: Int, _ expected: Expectation, underlying: (any Error)? = nil) -> Value? {
        _ = refused(at: offset, expected, underlying: underlying) as Bool
        return nil
    }

    /// Records a conversion that strict mapping rejects.
    @inline(never)
    final func coerced(at offset: Int, _ expected: Expectation) { note(Issue(.coerced, expected, at: offset)) }

    /// Records the conversion that made a value; rejects the value that has been read if it made none.
    @inline(__always)
    final func coerced<Value>(_ value: Value?, at offset: Int, _ expected: Expectation) -> Value? {
        guard let value else { return refused(at: offset, expected) }
        coerced(at: offset, expected)
        return value
    }
}

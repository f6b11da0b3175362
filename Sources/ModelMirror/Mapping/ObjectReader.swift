/// Reads one JSON object into one model: each member's value into its row's property, then the rows without a value, then the hooks.
///
/// An update is the same walk: its values are kept in an ``ObjectUpdate``, and stored once all of the document has been read.
///
/// The reader itself never changes and is passed in registers, so that no object counts a reference; what changes is its
/// ``ObjectProgress``.
struct ObjectReader {
    let session: MappingSession
    let object: AbstractModel
    let table: PropertyTable

    /// Reads the JSON object at the cursor into an object and settles its rows; a new object's hooks are called, too.
    ///
    /// A reader is made for each call, since one that is kept counts its three references. (Measured: without inlining here and of
    /// ``ReadingSink/enterObject()`` and `leaveObject`, tiny objects take 7 % more instructions.)
    ///
    /// - Returns: whether the object has no failures; if it has, they were added to the issues of the row (or the root) that
    ///   the object is for.
    @inline(__always)
    static func read(
        _ object: AbstractModel, _ table: PropertyTable, for update: ObjectUpdate? = nil, _ session: MappingSession,
        _ json: inout JSONReader
    ) throws(Interruption) -> Bool {
        let outer = session.enterObject()
        var progress = ObjectProgress(at: json.offset, rejections: session.rejected.count, update: update)
        try ObjectReader(session: session, object: object, table: table).readMembers(&progress, &json)
        if progress.rest != nil || table.unknownKeysRow != nil {
            try ObjectReader(session: session, object: object, table: table).readRest(&progress, &json)
        }
        var failures: [Issue]?
        if !progress.isComplete(table.readRows) {
            failures = try ObjectReader(session: session, object: object, table: table).settle(&progress, &json)
        }
        if failures == nil, update == nil {
            failures = try ObjectReader(session: session, object: object, table: table).callHooks(
                at: progress.offset, progress.rest?.ruled, json)
        }
        update?.places = progress.rest?.ruled ?? [:]
        // An enclosing object may fail too, and be searched for a member.
        if failures != nil { session.ends.remember(progress.offset..<json.offset) }
        return session.leaveObject(for: outer, failures)
    }

    /// Whether values are stored as they are read and replace the existing ones, nested defaults too.
    @inline(__always)
    func replacesValues(_ progress: borrowing ObjectProgress) -> Bool { !progress.isUpdate && !session.fillsNested }

    // MARK: Rejected values

    /// Records a rejected value.
    ///
    /// - Parameter issues: Its own; nil for those of the current row.
    func reject(
        _ row: Int, at offset: Int, _ kind: RejectedValue.Kind, issues: Range<Int>? = nil,
        _ progress: inout ObjectProgress
    ) {
        let issues = issues ?? session.endRow()
        session.rejected.append(RejectedValue(row: row, offset: offset, kind: kind, issues: issues))
        progress.leaveUnsettled(row)
    }

    /// Records a duplicate of a row's key.
    ///
    /// - Parameter repairs: Whether the new value was stored, so that earlier rejected values no longer count.
    @inline(never)
    func duplicate(_ row: Int, at offset: Int, repairs: Bool = true, _ progress: inout ObjectProgress) {
        if repairs { repair(row, at: offset, &progress) }
        let isStrict = session.rules.strict
        guard session.isReporting || isStrict else { return }
        let found: Issue.Found = isStrict ? .duplicate : .usedDuplicate
        session.note(Issue(.skipped, .plain(.duplicateKey), at: offset, found: found).named(table, row))
        if isStrict { reject(row, at: offset, .duplicate, issues: 0..<0, &progress) }
    }

    /// Forgets a row's null and rejected values: the value at an offset has replaced them.
    private func repair(_ row: Int, at offset: Int, _ progress: inout ObjectProgress) {
        let first = progress.firstRejection
        // Those at the end are removed at once: a document may have many, each followed by its repair.
        while session.rejected.count > first, let last = session.rejected.last, last.row == row,
            last.kind != .duplicate, last.issues.isEmpty || last.issues.upperBound == session.issues.count
        {
            session.rejected.removeLast()
            if !last.issues.isEmpty { session.dropIssues(from: last.issues.lowerBound) }
        }
        if session.rejected.count > first {
            reject(row, at: offset, .repair, issues: 0..<0, &progress)
            _ = progress.madeRest
        }
        progress.settle(row)
    }

    /// Rejects a value that was read and has issues, or was left out.
    func rejectRead(_ row: Int, at offset: Int, isFirst: Bool, _ progress: inout ObjectProgress, _ json: JSONReader) {
        let own = session.endRow()
        let values = table.rows[row].values
        var kind = RejectedValue.Kind.refused
        if json.start[offset] == UInt8(ascii: "n"), !own.isEmpty {
            // A null that the type itself refused.
            kind = .null
        } else if values.isCollection, session.refusedSingle != offset,
            !session.issues[own].contains(where: { $0.offset == offset && $0.subject == nil && $0.kind != .skipped })
        {
            // A collection without its bad elements was stored; anything else that has issues was not.
            kind = .partial
        }
        session.refusedSingle = nil
        if !isFirst { duplicate(row, at: offset, repairs: kind == .partial && !own.isEmpty, &progress) }
        if !own.isEmpty { return reject(row, at: offset, kind, issues: own, &progress) }
        // Without issues, the plan left the value out on purpose, which a required property does not allow.
        guard table.requiredRows.contains(row), !session.lastSkipped.isEmpty else { return }
        session.add(contentsOf: session.lastSkipped)
        reject(row, at: offset, .refused, &progress)
    }
}

/// A value that was rejected, in whole or in part. Whether that is a failure is decided when its object is settled.
///
/// It is a few plain words, and its issues stay in the session's list: mostly nobody reads them, and with a list of their own and a
/// dictionary of an object's rows each value took three times as long.
struct RejectedValue {
    let row: Int
    /// Where the value begins.
    let offset: Int
    let kind: Kind
    /// Those of the session's issues that are its own; for a duplicate there are none.
    let issues: Range<Int>

    enum Kind {
        /// `null` for a property that is not Optional; its issue, if any, tells only what is expected.
        case null
        /// The value as a whole does not fit.
        case refused
        /// A collection was stored without some of its elements.
        case partial
        /// A value that fits, but must not be there: a duplicate key in strict mapping.
        case duplicate
        /// A value that fits and replaces the earlier ones, of which only the duplicates still count.
        case repair
    }
}

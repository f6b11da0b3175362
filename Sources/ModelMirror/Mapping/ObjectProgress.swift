/// What was found in one object so far, besides the values that were stored.
///
/// What few objects need is behind one reference, so that making and destroying the progress of the others counts none.
struct ObjectProgress: ~Copyable {
    /// Where the object begins.
    let offset: Int
    /// The index in the session's list where the object's own rejected values begin.
    let firstRejection: Int
    /// One bit for each of the first 64 rows: `seen` if it has a value or null, `unsettled` if that null set it to nil, or the value was
    /// rejected.
    private var seen: UInt64 = 0
    private(set) var unsettled: UInt64 = 0
    private(set) var rest: Rest?

    /// - Parameter update: The values of an object that existed before.
    @inline(__always)
    init(at offset: Int, rejections: Int = 0, update: ObjectUpdate? = nil) {
        self.offset = offset
        firstRejection = rejections
        if update != nil { rest = Rest(update) }
    }

    // MARK: Rows

    /// Marks a row as one with a value or null.
    ///
    /// - Returns: whether it was not marked before.
    @inline(__always)
    mutating func see(_ row: Int) -> Bool {
        guard row < 64 else { return madeRest.seen.insert(row) }
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: row)
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Marks a row with a null or a rejected value, about which the hook decides.
    @inline(__always)
    mutating func leaveUnsettled(_ row: Int) {
        if row < 64 { unsettled |= 1 << UInt64(truncatingIfNeeded: row) } else { madeRest.unsettled.insert(row) }
    }

    /// Unmarks a row: a value has replaced its null or rejected value.
    mutating func settle(_ row: Int) {
        if row < 64 { unsettled &= ~(1 << UInt64(row)) } else { rest?.unsettled.remove(row) }
    }

    @inline(__always)
    borrowing func hasSeen(_ row: Int) -> Bool {
        row < 64 ? seen >> UInt64(truncatingIfNeeded: row) & 1 == 1 : rest?.seen.contains(row) ?? false
    }

    @inline(__always)
    borrowing func isUnsettled(_ row: Int) -> Bool {
        row < 64 ? unsettled >> UInt64(truncatingIfNeeded: row) & 1 == 1 : rest?.unsettled.contains(row) ?? false
    }

    /// Whether every one of the rows got a value and nothing else is to be settled.
    @inline(__always)
    borrowing func isComplete(_ rows: RowSet) -> Bool { rest == nil && unsettled == 0 && rows.isSubset(of: seen) }

    /// Those of the rows that did not simply get a value; for an update, those with a null or a rejected value.
    @inline(__always)
    borrowing func unsettledRows(among rows: RowSet) -> RowSet {
        guard isUpdate else { return rows.restricted(to: ~seen | unsettled) { !hasSeen($0) || isUnsettled($0) } }
        return rows.restricted(to: unsettled) { isUnsettled($0) }
    }

    // MARK: The rest

    /// What few objects need.
    ///
    /// `@exclusivity(unchecked)`, since only the reader of the object accesses it, one access at a time.
    final class Rest {
        /// The rows after the first 64.
        @exclusivity(unchecked) fileprivate var seen = RowSet()
        @exclusivity(unchecked) fileprivate var unsettled = RowSet()
        /// The last merge patch for each row, applied at the object's end, because a later one may replace it.
        @exclusivity(unchecked) var patches = [Int: Patch]()
        /// The values to be read at the object's end.
        @exclusivity(unchecked) var candidates: [Candidate] = []
        /// The members that no property takes, if the class has a property for them.
        @exclusivity(unchecked) var unknown: [UnknownMember] = []
        /// The failures for members that no property takes, where the options make them failures.
        @exclusivity(unchecked) private(set) var unknownFailures: [Issue] = []
        /// The offset of the last fitting value of each row that has a rule, or several keys of which the first fitting one counts.
        @exclusivity(unchecked) var ruled: [Int: Int] = [:]
        /// The number of elements skipped before the first row with a rule was read.
        @exclusivity(unchecked) var firstSkip: Int?
        /// The values read for an object that existed before; nil for a new object, whose values are stored as they are read.
        let update: ObjectUpdate?

        fileprivate init(_ update: ObjectUpdate? = nil) { self.update = update }

        /// Adds a failure; those above the limit are only counted.
        func failUnknown(_ issue: Issue, limit: Int) {
            if unknownFailures.count < limit {
                unknownFailures.append(issue)
            } else {
                unknownFailures[unknownFailures.count - 1].omitted += 1
            }
        }

        /// Keeps the value that an update has read for a row, in place of an earlier one, its patch, or the changes of its model.
        func stage(_ value: consuming PendingValue?, for row: Int, in place: ObjectUpdate? = nil) {
            update?[row] = value
            update?.setNested(place, of: row)
            if !patches.isEmpty { patches[row] = nil }
        }
    }

    /// A merge patch for a row's value.
    struct Patch {
        let offset: Int
        let depthLeft: Int
        /// The class that a member beside the property names for its models.
        let tag: ClassChoices.Tag?
        /// The patch, if it is not the value at the offset.
        var members: JSONValue?
    }

    /// A value that is read at the object's end, because its row has other keys or a path.
    typealias Candidate = (target: PropertyTable.KeyTarget, offset: Int)

    /// The offsets of the key and the value of a member that no property takes.
    typealias UnknownMember = (key: Int, value: Int)

    /// The rest, made now if the object had none. From then on it is settled in full.
    var madeRest: Rest {
        @inline(never) mutating get {
            if let rest { return rest }
            let made = Rest()
            rest = made
            return made
        }
    }

    /// The values read for an update; nil for a new object.
    @inline(__always)
    var update: ObjectUpdate? { rest?.update }

    /// Whether the object existed before, so that missing keys have no effect.
    @inline(__always)
    var isUpdate: Bool { rest?.update != nil }
}

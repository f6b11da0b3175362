/// The state of one object while its members are read, besides the values that were stored.
///
/// What every object has is two words. What few have is behind one reference, since five empty arrays and sets cost a reference
/// count each whenever a frame is passed on.
struct ObjectFrame {
    /// A value that was rejected, in whole or in part.
    struct RejectedValue {
        let row: Int
        /// Where the value begins.
        let offset: Int
        let kind: Kind
        let findings: [Finding]

        enum Kind {
            /// `null` for a property that is not Optional.
            case null
            /// The value as a whole does not fit.
            case refused
            /// A collection was stored without some of its elements.
            case partial
            /// A value that fits, but must not be there: a duplicate key in strict mapping.
            case duplicate
        }
    }

    /// A value that is read at the object's end, because its row has other keys or a path.
    struct Candidate {
        let target: PropertyTable.KeyTarget
        let offset: Int
    }

    /// A member that no property takes: where its key and its value begin.
    struct UnknownMember {
        let key: Int
        let value: Int
    }

    /// Where the object begins.
    let offset: Int
    /// The first 64 rows with a value or null, one bit each, and those of them that a null set to nil.
    private var seen: UInt64 = 0
    private var nulls: UInt64 = 0
    private var rest: Rest?

    private final class Rest {
        /// The rows from the sixty-fifth on.
        var seen = RowSet()
        var nulls = RowSet()
        var rejected: [RejectedValue] = []
        var candidates: [Candidate] = []
        var unknown: [UnknownMember] = []
        var unknownFailures: [Finding] = []
        let update: ObjectUpdate?
        let replacesValues: Bool

        init(_ update: ObjectUpdate? = nil, replacesValues: Bool = true) {
            self.update = update
            self.replacesValues = replacesValues
        }
    }

    /// - Parameters:
    ///   - update: The values of an object that existed before.
    ///   - fillsNested: Whether nested objects are read onto the declared defaults.
    @inline(__always)
    init(offset: Int, update: ObjectUpdate? = nil, fillsNested: Bool = false) {
        self.offset = offset
        if update != nil || fillsNested { rest = Rest(update, replacesValues: false) }
    }

    private var madeRest: Rest {
        mutating get {
            if let rest { return rest }
            let made = Rest()
            rest = made
            return made
        }
    }

    // MARK: Rows

    /// Marks a row as one with a value or null.
    ///
    /// - Returns: whether it was none before.
    @inline(__always)
    mutating func see(_ row: Int) -> Bool {
        guard row < 64 else { return madeRest.seen.insert(row) }
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: row)
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Marks an Optional row as set to nil by a null.
    @inline(__always)
    mutating func seeNull(_ row: Int) {
        if row < 64 { nulls |= 1 << UInt64(truncatingIfNeeded: row) } else { madeRest.nulls.insert(row) }
    }

    @inline(__always)
    func hasSeen(_ row: Int) -> Bool {
        row < 64 ? seen >> UInt64(truncatingIfNeeded: row) & 1 == 1 : rest?.seen.contains(row) ?? false
    }

    func isNull(_ row: Int) -> Bool {
        row < 64 ? nulls >> UInt64(truncatingIfNeeded: row) & 1 == 1 : rest?.nulls.contains(row) ?? false
    }

    /// Whether nothing but values and nulls was found in a new object whose values replace the declared defaults.
    private var isPlain: Bool { rest == nil }

    /// Whether each of the rows got a value and nothing else is to be settled.
    @inline(__always)
    func isComplete(_ rows: RowSet) -> Bool { isPlain && nulls == 0 && rows.isSubset(of: seen) }

    /// The rows without a value; nil if more than that is to be settled.
    @inline(__always)
    func rowsWithoutValue(among rows: RowSet) -> RowSet.Word? { isPlain ? rows.subtracting(seen & ~nulls) : nil }

    // MARK: The rest

    /// The values that were rejected, in the order of the document.
    var rejected: [RejectedValue] { rest?.rejected ?? [] }

    mutating func reject(_ row: Int, at offset: Int, _ kind: RejectedValue.Kind, _ findings: [Finding]) {
        madeRest.rejected.append(RejectedValue(row: row, offset: offset, kind: kind, findings: findings))
    }

    /// Forgets a row's rejected values: a later duplicate of its key has replaced them.
    mutating func repair(_ row: Int) {
        if row < 64 { nulls &= ~(1 << UInt64(row)) } else { rest?.nulls.remove(row) }
        rest?.rejected.removeAll { $0.row == row && $0.kind != .duplicate }
    }

    /// The values to be read at the object's end.
    @inline(__always)
    var candidates: [Candidate] { rest?.candidates ?? [] }

    mutating func add(_ candidate: Candidate) { madeRest.candidates.append(candidate) }

    /// The members that no property takes, if the class has a property for them.
    var unknown: [UnknownMember] { rest?.unknown ?? [] }

    mutating func add(_ member: UnknownMember) { madeRest.unknown.append(member) }

    /// The failures for members that no property takes, where the options make them failures.
    var unknownFailures: [Finding] { rest?.unknownFailures ?? [] }

    /// Adds a failure; those above the limit are only counted.
    mutating func failUnknown(_ finding: Finding, limit: Int) {
        let rest = madeRest
        if rest.unknownFailures.count < limit {
            rest.unknownFailures.append(finding)
        } else {
            rest.unknownFailures[rest.unknownFailures.count - 1].omitted += 1
        }
    }

    /// Whether values are stored as they are read, and replace those that are there.
    @inline(__always)
    var replacesValues: Bool { rest?.replacesValues ?? true }

    /// The values read for an update; nil for a new object, whose values are stored as they are read.
    @inline(__always)
    var update: ObjectUpdate? { rest?.update }

    /// Whether the object existed before, so that missing keys have no effect.
    @inline(__always)
    var isUpdate: Bool { update != nil }
}

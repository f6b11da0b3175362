/// The state of one object while its members are read, besides the values that were stored.
///
/// State that few objects need is behind one reference, since five empty arrays and sets cost a reference count each whenever a
/// frame is passed on.
struct ObjectFrame {
    /// A merge patch for a row's value, applied at the object's end, because a later one may replace it.
    struct Patch {
        let offset: Int
        let depthLeft: Int
        /// The class that a member beside the property names for its models.
        let tag: MappingSession.Tag?
    }

    /// A value that is read at the object's end, because its row has other keys or a path.
    struct Candidate {
        let target: PropertyTable.KeyTarget
        let offset: Int
    }

    /// The offsets of the key and the value of a member that no property takes.
    struct UnknownMember {
        let key: Int
        let value: Int
    }

    /// Where the object begins.
    let offset: Int
    /// One bit for each of the first 64 rows: those with a value or null, and those of them that a null set to nil or whose value was
    /// rejected.
    private var seen: UInt64 = 0
    private var unsettled: UInt64 = 0
    private var rest: Rest?

    /// `@exclusivity(unchecked)`, since only the frame accesses it, one access at a time.
    private final class Rest {
        /// The rows after the first 64.
        @exclusivity(unchecked) var seen = RowSet()
        @exclusivity(unchecked) var unsettled = RowSet()
        @exclusivity(unchecked) var patches = [Int: Patch]()
        @exclusivity(unchecked) var candidates: [Candidate] = []
        @exclusivity(unchecked) var unknown: [UnknownMember] = []
        @exclusivity(unchecked) var unknownFailures: [Issue] = []
        @exclusivity(unchecked) var ruled: [Int: Int] = [:]
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
    /// - Returns: whether it was not marked before.
    @inline(__always)
    mutating func see(_ row: Int) -> Bool {
        guard row < 64 else { return madeRest.seen.insert(row) }
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: row)
        defer { seen |= bit }
        return seen & bit == 0
    }

    /// Marks a row as one with a null or a rejected value, of which its hook is to be asked.
    @inline(__always)
    mutating func leaveUnsettled(_ row: Int) {
        if row < 64 { unsettled |= 1 << UInt64(truncatingIfNeeded: row) } else { madeRest.unsettled.insert(row) }
    }

    /// Unmarks a row: a value has replaced its null or rejected value.
    mutating func settle(_ row: Int) {
        if row < 64 { unsettled &= ~(1 << UInt64(row)) } else { rest?.unsettled.remove(row) }
    }

    @inline(__always)
    func hasSeen(_ row: Int) -> Bool {
        row < 64 ? seen >> UInt64(truncatingIfNeeded: row) & 1 == 1 : rest?.seen.contains(row) ?? false
    }

    func isUnsettled(_ row: Int) -> Bool {
        row < 64 ? unsettled >> UInt64(truncatingIfNeeded: row) & 1 == 1 : rest?.unsettled.contains(row) ?? false
    }

    /// Whether this is a new object whose values replace the declared defaults, and nothing was found but values, nulls and rejected
    /// values of the first 64 rows.
    private var isPlain: Bool { rest == nil }

    /// Whether every one of the rows got a value and nothing else is to be settled.
    @inline(__always)
    func isComplete(_ rows: RowSet) -> Bool { isPlain && unsettled == 0 && rows.isSubset(of: seen) }

    /// The rows without a value, of an object without rejected values; nil if anything else is to be settled.
    @inline(__always)
    func rowsWithoutValue(among rows: RowSet) -> RowSet.Word? { isPlain ? rows.subtracting(seen & ~unsettled) : nil }

    /// Whether an update found only values; valid for a class of at most 64 rows.
    var isPlainUpdate: Bool {
        guard let rest, rest.update != nil else { return false }
        return unsettled == 0 && rest.unknownFailures.isEmpty && rest.ruled.isEmpty
    }

    // MARK: The rest

    /// Has the object settled in full, although each row may have a value.
    mutating func makeIncomplete() { _ = madeRest }

    /// The patches of rows to be applied at the object's end.
    @inline(__always)
    var patches: [Int: Patch] { rest?.patches ?? [:] }

    /// Keeps a patch for a row's value in place of an earlier one; nil drops it, since a whole value replaces it.
    func patch(_ row: Int, _ patch: Patch?) {
        guard let rest, patch != nil || !rest.patches.isEmpty else { return }
        rest.patches[row] = patch
    }

    /// The values to be read at the object's end.
    @inline(__always)
    var candidates: [Candidate] { rest?.candidates ?? [] }

    mutating func add(_ candidate: Candidate) { madeRest.candidates.append(candidate) }

    /// The members that no property takes, if the class has a property for them.
    var unknown: [UnknownMember] { rest?.unknown ?? [] }

    mutating func add(_ member: UnknownMember) { madeRest.unknown.append(member) }

    /// The failures for members that no property takes, where the options make them failures.
    var unknownFailures: [Issue] { rest?.unknownFailures ?? [] }

    /// Adds a failure; those above the limit are only counted.
    mutating func failUnknown(_ issue: Issue, limit: Int) {
        let rest = madeRest
        if rest.unknownFailures.count < limit {
            rest.unknownFailures.append(issue)
        } else {
            rest.unknownFailures[rest.unknownFailures.count - 1].omitted += 1
        }
    }

    /// The rows with rules whose value fits, each with the offset of its last one.
    var ruled: [Int: Int] { rest?.ruled ?? [:] }

    /// Has a row's rule asked about the value at an offset.
    mutating func ask(ruleOf row: Int, at offset: Int) { madeRest.ruled[row] = offset }

    /// Whether values are stored as they are read and replace the existing ones.
    @inline(__always)
    var replacesValues: Bool { rest?.replacesValues ?? true }

    /// The values read for an update; nil for a new object, whose values are stored as they are read.
    @inline(__always)
    var update: ObjectUpdate? { rest?.update }

    /// Keeps the value that an update has read for a row.
    @inline(__always)
    func stage(_ value: consuming PendingValue?, for row: Int) { rest?.update?[row] = value }

    /// Whether the object existed before, so that missing keys have no effect.
    @inline(__always)
    var isUpdate: Bool { update != nil }
}

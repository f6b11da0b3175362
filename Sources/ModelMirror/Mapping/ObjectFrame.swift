/// The state of one object while its members are read, besides the values that were stored.
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

    /// Where the object begins.
    let offset: Int
    /// The rows with a value or null.
    var seen = RowSet()
    /// Optional rows that were set to nil by a null.
    var nulls = RowSet()
    var rejected: [RejectedValue] = []
    var candidates: [Candidate] = []
    /// The members that no property takes, if they matter; nil while there is none, which costs objects nothing.
    var unknown: UnknownMembers?

    /// The values read for an update; nil for a new object, whose values are stored as they are read.
    var update: ObjectUpdate?

    /// Whether the object existed before, so that missing keys have no effect.
    var isUpdate: Bool { update != nil }

    /// Whether values are stored as they are read, and replace those that are there.
    let isPlain: Bool

    /// - Parameter fillsNested: Whether nested objects are read onto declared defaults.
    init(offset: Int, update: ObjectUpdate? = nil, fillsNested: Bool = false) {
        self.offset = offset
        self.update = update
        isPlain = update == nil && !fillsNested
    }

    mutating func reject(_ row: Int, at offset: Int, _ kind: RejectedValue.Kind, _ findings: [Finding]) {
        rejected.append(RejectedValue(row: row, offset: offset, kind: kind, findings: findings))
    }

    /// Forgets a row's rejected values: a later duplicate of its key has replaced them.
    mutating func repair(_ row: Int) {
        if !nulls.isEmpty { nulls.remove(row) }
        rejected.removeAll { $0.row == row && $0.kind != .duplicate }
    }
}

/// The members of an object that no property takes.
final class UnknownMembers {
    /// Where keys and values begin, for the property that takes them.
    var places: [(key: Int, value: Int)] = []
    /// Those that fail the object.
    var failures: [Finding] = []
}

/// What is known of an object while its members are read, beyond the values that were stored.
struct ObjectFrame {
    /// A row whose value did not fit, in whole or in part.
    struct Trouble {
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

    /// A value that waits for the object's end, because other keys of its row may come.
    struct Candidate {
        let taker: PropertyTable.Taker
        let offset: Int
    }

    /// Where the object begins.
    let offset: Int
    /// Rows of which a value or null was found.
    var seen = RowSet()
    /// Optional rows that were set to nil by a null.
    var nulls = RowSet()
    var troubles: [Trouble] = []
    var candidates: [Candidate] = []

    /// When an object is updated: what was read for its rows. Nil while a new object is filled, whose values are stored as they
    /// are read.
    var update: ObjectUpdate?

    /// Whether the object existed before, so that missing keys mean nothing.
    var isUpdate: Bool { update != nil }

    init(offset: Int, update: ObjectUpdate? = nil) {
        self.offset = offset
        self.update = update
    }

    /// Forgets a row's trouble: a later duplicate of its key has repaired it.
    mutating func repair(_ row: Int) {
        if !nulls.isEmpty { nulls.remove(row) }
        troubles.removeAll { $0.row == row && $0.kind != .duplicate }
    }
}

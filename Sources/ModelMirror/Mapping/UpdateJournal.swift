/// The pending changes of one object.
final class ObjectUpdate {
    let object: AbstractModel
    let table: PropertyTable
    /// Where the JSON object begins.
    let offset: Int
    /// The values that were read, one place for each row; of duplicate keys the last.
    var staged: [(any StagedValue)?]

    init(_ object: AbstractModel, _ table: PropertyTable, offset: Int) {
        self.object = object
        self.table = table
        self.offset = offset
        staged = Array(repeating: nil, count: table.rows.count)
    }
}

/// The pending and the stored values of an update.
final class UpdateJournal {
    /// The objects to change, nested ones first.
    private(set) var updates: [ObjectUpdate] = []
    /// The values that were stored, in order.
    private var stored: [any StagedValue] = []

    /// The current end of the journal.
    var mark: Mark { Mark(updates: updates.count, stored: stored.count) }

    struct Mark {
        fileprivate var updates = 0
        fileprivate var stored = 0
    }

    func add(_ update: ObjectUpdate) { updates.append(update) }

    /// Adds a value that was stored early.
    func add(_ value: any StagedValue) { stored.append(value) }

    /// Stores everything, in declared order.
    func store() {
        for update in updates {
            for case let value? in update.staged {
                value.store(in: update.object)
                stored.append(value)
            }
        }
    }

    /// Restores the values stored after a mark and drops the changes added after it.
    func rollBack(to mark: Mark = Mark()) {
        for value in stored[mark.stored...].reversed() { value.putBack() }
        stored.removeSubrange(mark.stored...)
        updates.removeSubrange(mark.updates...)
    }
}

/// What an update does to one object, once all values of the document have been read.
final class ObjectUpdate {
    let object: AbstractModel
    let table: PropertyTable
    /// Where the JSON object begins.
    let offset: Int
    /// The values that were read, by row; of duplicate keys the last.
    var staged: [Int: any StagedValue] = [:]

    init(_ object: AbstractModel, _ table: PropertyTable, offset: Int) {
        self.object = object
        self.table = table
        self.offset = offset
    }
}

/// What an update has read, what it has stored, and how to take that back.
final class UpdateJournal {
    /// The objects that were read without a failure, nested ones before those around them.
    private(set) var updates: [ObjectUpdate] = []
    /// The values that were stored, in order.
    private var stored: [any StagedValue] = []

    /// How far the journal has got.
    var mark: Mark { Mark(updates: updates.count, stored: stored.count) }

    struct Mark {
        fileprivate var updates = 0
        fileprivate var stored = 0
    }

    func add(_ update: ObjectUpdate) { updates.append(update) }

    /// Adds a value that was stored before the others.
    func add(_ value: any StagedValue) { stored.append(value) }

    /// Stores everything, in declared order.
    func store() {
        for update in updates {
            for (_, value) in update.staged.sorted(by: { $0.key < $1.key }) {
                value.store(in: update.object)
                stored.append(value)
            }
        }
    }

    /// Takes back all that was stored after a mark, and forgets what was read after it.
    func rollBack(to mark: Mark = Mark()) {
        for value in stored[mark.stored...].reversed() { value.putBack() }
        stored.removeSubrange(mark.stored...)
        updates.removeSubrange(mark.updates...)
    }
}

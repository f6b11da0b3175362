/// The pending changes of one object.
final class ObjectUpdate {
    let object: AbstractModel
    let table: PropertyTable
    /// Where the JSON object begins.
    let offset: Int
    /// The values that were read, one place for each row; of duplicate keys the last.
    var staged: [PendingValue?]

    init(_ object: AbstractModel, _ table: PropertyTable, offset: Int) {
        self.object = object
        self.table = table
        self.offset = offset
        staged = Array(repeating: nil, count: table.rows.count)
    }
}

/// A value that was read for a property; once it is stored, the old value of the property.
///
/// The common scalars lie in the list itself: boxes, and the metadata of their types, made an update nine times as slow as a
/// mapping.
enum PendingValue {
    case string(String), int(Int), double(Double), bool(Bool)
    case optionalString(String?), optionalInt(Int?), optionalDouble(Double?), optionalBool(Bool?)
    case boxed(any StagedValue)

    /// Stores the value in a property and takes the old one.
    mutating func store(in row: PropertyRow, of object: AbstractModel) {
        guard case .boxed(let staged) = self else { return exchange(at: row.offset, of: object) }
        staged.store(in: object)
    }

    /// Stores the old value again.
    mutating func putBack(in row: PropertyRow, of object: AbstractModel) {
        guard case .boxed(let staged) = self else { return exchange(at: row.offset, of: object) }
        staged.putBack()
    }

    /// Whether a property still has the value, which was stored from a copy of this.
    func isUntouched(in row: PropertyRow, of object: AbstractModel) -> Bool {
        func isCurrent<Value: JSONScalar & Equatable>(_ value: Value) -> Bool {
            ModelStorage.load(Value.self, at: row.offset, of: object) == value
        }
        func isCurrent<Value: JSONScalar & Equatable>(_ value: Value?) -> Bool {
            ModelStorage.load(Value?.self, at: row.offset, of: object) == value
        }
        return switch self {
        case .string(let value): isCurrent(value)
        case .int(let value): isCurrent(value)
        case .double(let value): isCurrent(value)
        case .bool(let value): isCurrent(value)
        case .optionalString(let value): isCurrent(value)
        case .optionalInt(let value): isCurrent(value)
        case .optionalDouble(let value): isCurrent(value)
        case .optionalBool(let value): isCurrent(value)
        case .boxed(let staged): staged.isUntouched
        }
    }

    private mutating func exchange(at offset: Int, of object: AbstractModel) {
        switch self {
        case .string(let value): self = .string(PendingValue.exchange(value, at: offset, of: object))
        case .int(let value): self = .int(PendingValue.exchange(value, at: offset, of: object))
        case .double(let value): self = .double(PendingValue.exchange(value, at: offset, of: object))
        case .bool(let value): self = .bool(PendingValue.exchange(value, at: offset, of: object))
        case .optionalString(let value):
            self = .optionalString(PendingValue.exchange(optional: value, at: offset, of: object))
        case .optionalInt(let value):
            self = .optionalInt(PendingValue.exchange(optional: value, at: offset, of: object))
        case .optionalDouble(let value):
            self = .optionalDouble(PendingValue.exchange(optional: value, at: offset, of: object))
        case .optionalBool(let value):
            self = .optionalBool(PendingValue.exchange(optional: value, at: offset, of: object))
        case .boxed: break
        }
    }

    @inline(__always)
    private static func exchange<Value: JSONScalar>(_ value: Value, at offset: Int, of object: AbstractModel) -> Value {
        let old = ModelStorage.load(Value.self, at: offset, of: object)
        ModelStorage.storeStandard(value, at: offset, of: object)
        return old
    }

    @inline(__always)
    private static func exchange<Value: JSONScalar>(
        optional value: Value?, at offset: Int, of object: AbstractModel
    ) -> Value? {
        let old = ModelStorage.load(Value?.self, at: offset, of: object)
        ModelStorage.storeStandard(optional: value, at: offset, of: object)
        return old
    }
}

/// The pending and the stored values of an update.
final class UpdateJournal {
    /// The objects to change, nested ones first.
    private(set) var updates: [ObjectUpdate] = []
    /// The values that were stored, in order, as the old ones.
    private var stored: [(old: PendingValue, row: PropertyRow, object: AbstractModel)] = []

    /// The current end of the journal.
    var mark: Mark { Mark(updates: updates.count, stored: stored.count) }

    struct Mark {
        fileprivate var updates = 0
        fileprivate var stored = 0
    }

    func add(_ update: ObjectUpdate) { updates.append(update) }

    /// Adds the old value of a property that was stored early.
    func add(_ old: PendingValue, of row: PropertyRow, of object: AbstractModel) { stored.append((old, row, object)) }

    /// Stores everything, in declared order.
    func store() {
        for update in updates {
            for (number, value) in update.staged.enumerated() {
                guard var value else { continue }
                let row = update.table.rows[number]
                value.store(in: row, of: update.object)
                stored.append((value, row, update.object))
            }
        }
    }

    /// Restores the values stored after a mark and drops the changes added after it.
    func rollBack(to mark: Mark = Mark()) {
        for var entry in stored[mark.stored...].reversed() { entry.old.putBack(in: entry.row, of: entry.object) }
        stored.removeSubrange(mark.stored...)
        updates.removeSubrange(mark.updates...)
    }
}

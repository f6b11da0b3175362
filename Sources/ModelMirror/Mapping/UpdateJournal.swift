/// The pending changes of one object.
final class ObjectUpdate {
    let object: AbstractModel
    let table: PropertyTable
    /// Where the JSON object begins.
    let offset: Int
    /// The values that were read, by row number, the last one for duplicate keys; once they are stored, the old values.
    ///
    /// `@exclusivity(unchecked)`: only the update accesses it, and its accesses never overlap. (Measured: the runtime's checks
    /// took an eighth of the instructions of an update.)
    @exclusivity(unchecked) private var staged: ContiguousArray<PendingValue?> = []
    /// The updates of the models that are changed in place, by row.
    private var nested = [Int: ObjectUpdate]()
    /// Whether a duplicate of an enclosing key has replaced this update.
    private(set) var isReplaced = false

    init(_ object: AbstractModel, _ table: PropertyTable, offset: Int) {
        self.object = object
        self.table = table
        self.offset = offset
        staged.reserveCapacity(table.rows.count)
    }

    // One by one, since the array's own deinit looks up for every value how to release it.
    deinit { while staged.popLast() != nil {} }

    /// The value for a row. (Measured: without inlining here, and in `exchange`, an update takes up to 4 % more instructions.)
    subscript(row: Int) -> PendingValue? {
        @inline(__always) get { row < staged.count ? staged[row] : nil }
        @inline(__always) set {
            // Grows with the rows, most of which come in order: filling it with nils first took 4 % of an update.
            while staged.count < row { staged.append(nil) }
            if staged.count == row { staged.append(newValue) } else { staged[row] = newValue }
        }
    }

    /// Sets the update of the model that a row leads to, in place of that of an earlier duplicate key; nil for none.
    func setNested(_ update: ObjectUpdate?, of row: Int) {
        guard update != nil || !nested.isEmpty else { return }
        let earlier = nested[row]
        nested[row] = update
        earlier?.replace()
    }

    /// Drops this update and those inside of it.
    private func replace() {
        guard !isReplaced else { return }
        isReplaced = true
        staged = []
        for update in nested.values { update.replace() }
    }

    /// Stores the values in declared order and keeps the old ones in their place.
    func store() { store(&staged) }

    /// By a span, since an array's subscript asks for every value whether the array is shared, which took 3 % of an update.
    private func store(_ values: inout ContiguousArray<PendingValue?>) {
        var values = values.mutableSpan
        for row in values.indices { values[row]?.store(at: table.rows[row].offset, of: object) }
    }

    /// Restores the old values in reverse order.
    func putBack() {
        for row in staged.indices.reversed() { staged[row]?.putBack(at: table.rows[row].offset, of: object) }
    }
}

/// A value that was read for a property; once it is stored, the old value of the property.
///
/// The common scalars are stored inline: boxes and the metadata of their types made an update nine times as slow as a mapping.
enum PendingValue {
    case string(String), int(Int), double(Double), bool(Bool)
    case optionalString(String?), optionalInt(Int?), optionalDouble(Double?), optionalBool(Bool?)
    case boxed(any StagedValue)

    /// Stores the value in a property and takes the old one.
    mutating func store(at offset: Int, of object: AbstractModel) {
        exchange(at: offset, of: object) { $0.store(in: object) }
    }

    /// Restores the old value.
    mutating func putBack(at offset: Int, of object: AbstractModel) {
        exchange(at: offset, of: object) { $0.putBack() }
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

    @inline(__always)
    private mutating func exchange(at offset: Int, of object: AbstractModel, _ exchange: (any StagedValue) -> Void) {
        // Taken out and put back to avoid reference counting.
        var value = PendingValue.bool(false)
        swap(&value, &self)
        switch consume value {
        case .string(var value):
            ModelStorage.exchangeStandard(&value, at: offset, of: object)
            self = .string(value)
        case .int(var value):
            ModelStorage.exchangeStandard(&value, at: offset, of: object)
            self = .int(value)
        case .double(var value):
            ModelStorage.exchangeStandard(&value, at: offset, of: object)
            self = .double(value)
        case .bool(var value):
            ModelStorage.exchangeStandard(&value, at: offset, of: object)
            self = .bool(value)
        case .optionalString(var value):
            ModelStorage.exchangeStandard(optional: &value, at: offset, of: object)
            self = .optionalString(value)
        case .optionalInt(var value):
            ModelStorage.exchangeStandard(optional: &value, at: offset, of: object)
            self = .optionalInt(value)
        case .optionalDouble(var value):
            ModelStorage.exchangeStandard(optional: &value, at: offset, of: object)
            self = .optionalDouble(value)
        case .optionalBool(var value):
            ModelStorage.exchangeStandard(optional: &value, at: offset, of: object)
            self = .optionalBool(value)
        case .boxed(let staged):
            exchange(staged)
            self = .boxed(staged)
        }
    }
}

/// The pending and the stored values of an update.
struct UpdateJournal {
    /// The objects to change, nested ones first.
    private(set) var updates: [ObjectUpdate] = []
    /// The old values of properties that were stored early, in order.
    private var early: [(old: PendingValue, row: PropertyRow, object: AbstractModel)] = []
    private var isStored = false

    /// The current end of the journal.
    var mark: Mark { Mark(updates: updates.count, early: early.count) }

    struct Mark {
        fileprivate var updates = 0
        fileprivate var early = 0
    }

    mutating func add(_ update: ObjectUpdate) { updates.append(update) }

    /// Adds the old value of a property that was stored early.
    mutating func add(_ old: PendingValue, of row: PropertyRow, of object: AbstractModel) {
        early.append((old, row, object))
    }

    /// Stores everything, in declared order.
    mutating func store() {
        isStored = true
        // The last is the document's own object, which nothing replaces.
        if updates.count > 1 { updates.removeAll(where: \.isReplaced) }
        for index in updates.indices { updates[index].store() }
    }

    /// Restores the values stored after a mark and drops the changes added after it.
    mutating func rollBack(to mark: Mark = Mark()) {
        if isStored { for update in updates[mark.updates...].reversed() { update.putBack() } }
        for var entry in early[mark.early...].reversed() { entry.old.putBack(at: entry.row.offset, of: entry.object) }
        early.removeSubrange(mark.early...)
        updates.removeSubrange(mark.updates...)
    }
}

/// The pending changes of one object.
final class ObjectUpdate {
    let object: AbstractModel
    let table: PropertyTable
    /// Where the JSON object begins.
    let offset: Int
    /// The session's redaction while the object is read.
    let redaction: Int
    /// Where values are, by row, if one of several places was chosen or a rule checks the value.
    @exclusivity(unchecked) var places: [Int: Int] = [:]
    /// The values that were read, by row number, the last one for duplicate keys; once they are stored, the old values.
    ///
    /// `@exclusivity(unchecked)`: only the update accesses it, and its accesses never overlap. (Measured: the runtime's checks
    /// took an eighth of the instructions of an update.)
    @exclusivity(unchecked) private var staged: ContiguousArray<PendingValue?> = []
    /// The updates of the models that are changed in place, with the rows that lead to them, in the order in which they were read.
    @exclusivity(unchecked) private var nested: [(row: Int, update: ObjectUpdate)] = []

    init(_ object: AbstractModel, _ table: PropertyTable, offset: Int, redaction: Int) {
        self.object = object
        self.table = table
        self.offset = offset
        self.redaction = redaction
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
        if !nested.isEmpty { nested.removeAll { $0.row == row } }
        if let update { nested.append((row, update)) }
    }

    /// Whether any model inside is changed in place.
    var changesModels: Bool { !nested.isEmpty }

    /// Whether the model that a row leads to is changed in place.
    func changesModel(inRow row: Int) -> Bool { nested.contains { $0.row == row } }

    /// Adds this update to a list, after those inside of it.
    fileprivate func list(in updates: inout [ObjectUpdate]) {
        for (_, update) in nested { update.list(in: &updates) }
        updates.append(self)
    }

    /// Stores the values in declared order and keeps the old ones in their place.
    func store() { store(&staged) }

    /// By a span, since an array's subscript asks for every value whether the array is shared, which took 3 % of an update.
    private func store(_ values: inout ContiguousArray<PendingValue?>) {
        var values = values.mutableSpan
        for row in values.indices { values[row]?.exchange(in: table.rows[row], of: object) }
    }

    /// Restores the old values in reverse order.
    func restore() { for row in staged.indices.reversed() { staged[row]?.exchange(in: table.rows[row], of: object) } }
}

/// A value that was read for a property; once it is stored, the old value of the property.
///
/// The common scalars are stored inline: boxes and the metadata of their types made an update nine times as slow as a mapping.
enum PendingValue {
    case string(String), int(Int), double(Double), bool(Bool)
    /// nil as the old value of a property of an Optional of these.
    case null
    case boxed(any StagedValue)

    /// Stores the value in a property and takes the old one; the second time, restores the old one.
    mutating func exchange(in row: PropertyRow, of object: AbstractModel) {
        // Taken out and put back to avoid reference counting.
        var value = PendingValue.null
        swap(&value, &self)
        switch consume value {
        case .string(let value): self = .exchange(value, in: row, of: object) { .string($0) }
        case .int(let value): self = .exchange(value, in: row, of: object) { .int($0) }
        case .double(let value): self = .exchange(value, in: row, of: object) { .double($0) }
        case .bool(let value): self = .exchange(value, in: row, of: object) { .bool($0) }
        case .null: row.stored.storeNil(object)
        case .boxed(let staged):
            staged.exchange(in: object)
            self = .boxed(staged)
        }
    }

    /// - Returns: The old value.
    @inline(__always)
    private static func exchange<Value: JSONScalar>(
        _ value: consuming Value, in row: PropertyRow, of object: AbstractModel,
        _ pending: (consuming Value) -> PendingValue
    ) -> PendingValue {
        guard row.isOptional else {
            ModelStorage.exchange(&value, at: row.offset, of: object)
            return pending(value)
        }
        var optional: Value? = consume value
        ModelStorage.exchange(&optional, at: row.offset, of: object)
        guard let old = optional.take() else { return .null }
        return pending(old)
    }

    /// The value.
    var anyValue: Any {
        switch self {
        case .string(let value): value
        case .int(let value): value
        case .double(let value): value
        case .bool(let value): value
        case .null: Any?.none as Any
        case .boxed(let staged): staged.anyValue
        }
    }

    /// Whether a property still has the value, which was stored from a copy of this.
    func isUntouched(in row: PropertyRow, of object: AbstractModel) -> Bool {
        if case .boxed(let staged) = self { return staged.isUntouched(in: object) }
        let current = row.values.value(of: object)
        return Comparison.areEqual((current as? any OptionalType)?.wrappedValue ?? current, anyValue)
    }
}

/// The pending and the stored values of an update.
struct UpdateJournal {
    /// The objects that were changed, nested ones first; none until the values are stored.
    private(set) var updates: [ObjectUpdate] = []
    /// The old values of properties that were stored early, in order.
    private var early: [EarlyStore] = []

    private typealias EarlyStore = (old: PendingValue, row: PropertyRow, update: ObjectUpdate)

    /// The current end of the journal.
    var mark: Int { early.count }

    /// Adds the old value of a property that was stored early.
    mutating func add(_ old: PendingValue, of row: PropertyRow, in update: ObjectUpdate) {
        early.append((old, row, update))
    }

    /// Stores everything, in declared order.
    ///
    /// - Parameter update: That of the document's own object, which leads to those that no duplicate key has replaced.
    mutating func store(_ update: ObjectUpdate) {
        update.list(in: &updates)
        if !early.isEmpty { restoreReplaced() }
        for index in updates.indices { updates[index].store() }
    }

    /// Restores what replaced updates stored early, unless a later one stored a value early in the same property.
    private mutating func restoreReplaced() {
        let current = Set(updates.map { ObjectIdentifier($0) })
        var kept: [EarlyStore] = []
        var places: Set<[ObjectIdentifier]> = []
        for var entry in early.reversed() {
            let place = [ObjectIdentifier(entry.update.object), ObjectIdentifier(entry.row)]
            if !current.contains(ObjectIdentifier(entry.update)), !places.contains(place) {
                entry.old.exchange(in: entry.row, of: entry.update.object)
            } else {
                places.insert(place)
                kept.append(entry)
            }
        }
        early = kept.reversed()
    }

    /// Restores the values stored after a mark.
    mutating func rollBack(to mark: Int = 0) {
        for update in updates.reversed() { update.restore() }
        for var entry in early[mark...].reversed() { entry.old.exchange(in: entry.row, of: entry.update.object) }
        early.removeSubrange(mark...)
    }
}

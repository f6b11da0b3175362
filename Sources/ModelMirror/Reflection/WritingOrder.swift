import Synchronization

/// The order, keys and nesting in which the rows of a class are written.
///
/// Rows whose key is a path are gathered into the objects and arrays that their paths lead through:
///
///     ownerLogin: .path("owner", "login")  ┐
///     ownerID:    .path("owner", "id")     ┴→  "owner": {"login": …, "id": …}
///
/// If one row has a whole member and others have paths into it, the whole member is written.
final class WritingOrder: Sendable {
    /// What is written under one key or at one index.
    indirect enum Node: Sendable {
        case row(Int)
        /// The members of a flattened row, which has no key.
        case flattened(Int)
        case object([Member])
        /// Elements in order; nil where no row has an index.
        case array([Node?])
    }

    struct Member: Sendable {
        let key: EncodedKey
        let node: Node
    }

    /// The members in declared order, and sorted by key.
    let declared: [Member]
    let sorted: [Member]
    /// The keys of the members, and those of flattened models, told apart by their bytes.
    let keys: Set<String>
    /// Whether a row's members are among the object's.
    let flattens: Bool
    /// The keys that rows of the class itself write.
    let written: Set<String>
    /// The members in declared order, for the loop that writes most objects.
    let slots: WritingSlots

    init(_ rows: [PropertyRow], _ model: AbstractModel.Type) {
        let targets: [Target] = rows.enumerated().filter(\.element.isWritten).map { number, row in
            (number, row.flattening == nil ? row.key.writtenPlace[...] : nil)
        }
        declared = WritingOrder.members(targets, areSorted: false)
        sorted = WritingOrder.members(targets, areSorted: true)
        flattens = rows.contains { $0.isWritten && $0.flattening != nil }
        func bytes(_ key: String) -> String { String(distinguishing: key.utf8) }
        let flattened = rows.filter { $0.flattening != nil }.flatMap(\.places).compactMap { $0.first?.text }
        written = Set(declared.compactMap { if case .flattened = $0.node { nil } else { bytes($0.key.text) } })
        keys = written.union(flattened.map(bytes))
        slots = WritingSlots(declared, rows, isPrepared: model is any WillWrite.Type)
    }

    deinit { slots.deallocate() }

    /// A row, and the rest of its place; nil for a flattened one.
    private typealias Target = (row: Int, place: ArraySlice<JSONPath.Step>?)

    /// The members that rows write into one object.
    ///
    /// - Parameter areSorted: Whether those at every depth are sorted by their keys' bytes.
    private static func members(_ targets: [Target], areSorted: Bool) -> [Member] {
        var groups = KeyGroups<Target>(capacity: targets.count)
        for target in targets {
            switch target.place?.first {
            case .key(let key)?: groups.append((target.row, target.place?.dropFirst()), to: key)
            case .index?: continue
            case nil: groups.append(alone: target)
            }
        }
        let all = areSorted ? groups.groups.ordered { $0.key.precedes($1.key) } : groups.groups
        return all.map { key, targets in
            targets[0].place == nil
                ? Member(key: EncodedKey(""), node: .flattened(targets[0].row))
                : Member(key: EncodedKey(key), node: node(targets, areSorted))
        }
    }

    /// What rows write under one key or at one index.
    private static func node(_ targets: [Target], _ areSorted: Bool) -> Node {
        if let whole = targets.first(where: { $0.place?.isEmpty == true }) { return .row(whole.row) }
        var elements: [Int: [Target]] = [:]
        for case (let row, let place?) in targets {
            guard case .index(let index)? = place.first else { return .object(members(targets, areSorted: areSorted)) }
            elements[index, default: []].append((row, place.dropFirst()))
        }
        return .array((0...(elements.keys.max() ?? 0)).map { elements[$0].map { node($0, areSorted) } })
    }
}

/// The order of a class, made when the first object is written: most classes are only read.
///
/// Unsafe: the address of the order is kept as an atomic integer, for the reason given at ``TableReference``. The order is
/// retained once, before its address is stored, and released with the table.
extension PropertyTable {
    /// How objects are written.
    @inline(__always)
    var order: WritingOrder { (knownOrder ?? makeOrder()).takeUnretainedValue() }

    /// The members for the loop that writes most objects, without counting a reference to the order.
    @inline(__always)
    var slots: WritingSlots { (knownOrder ?? makeOrder())._withUnsafeGuaranteedRef { $0.slots } }

    /// If two threads make the order, the first one stored wins and both return it.
    @inline(never)
    private func makeOrder() -> Unmanaged<WritingOrder> {
        let made = Unmanaged.passRetained(WritingOrder(rows, model))
        let isFirst = orderAddress.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing
        ).exchanged
        guard !isFirst, let knownOrder else { return made }
        made.release()
        return knownOrder
    }

    /// The order, if it was made.
    @inline(__always)
    var knownOrder: Unmanaged<WritingOrder>? {
        UnsafeRawPointer(bitPattern: orderAddress.load(ordering: .acquiring)).map { .fromOpaque($0) }
    }
}

/// The members of a class in declared order, as plain structures in one block that the writing loop reads without reference
/// counting, which took a quarter of its time with arrays of members.
///
/// Unsafe: the block and the key bytes are written once, in `init`, and freed by the order that made them, which the class's table
/// owns. Every access is by a number below `count`.
struct WritingSlots: @unchecked Sendable {  // nothing changes after init
    /// One member.
    struct Slot {
        /// What is written: a property of this type, for `.other` a property through its row, for `.shared` a member of the
        /// order.
        let kind: PropertyKind
        let row: Int32
        /// Bytes from the object's address to the property.
        let offset: Int32
        /// A comma, the key in quotes, and a colon.
        let key: UnsafeBufferPointer<UInt8>
    }

    let count: Int
    /// Whether objects are called before they are written. Asked here, since the search of all conformances for a class that has none
    /// takes an eighth of the time of its table.
    let isPrepared: Bool
    private let slots: UnsafeMutablePointer<Slot>

    init(_ members: [WritingOrder.Member], _ rows: [PropertyRow], isPrepared: Bool) {
        self.isPrepared = isPrepared
        count = members.count
        slots = .allocate(capacity: max(count, 1))
        for (number, member) in members.enumerated() {
            let key = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: member.key.bytes.count + 1)
            _ = key.initialize(fromContentsOf: [UInt8(ascii: ",")] + member.key.bytes)
            var slot = Slot(kind: .shared, row: 0, offset: 0, key: UnsafeBufferPointer(key))
            if case .row(let row) = member.node {
                slot = Slot(
                    kind: rows[row].stored.kind, row: Int32(row), offset: Int32(rows[row].offset), key: slot.key)
            }
            (slots + number).initialize(to: slot)
        }
    }

    func deallocate() {
        for number in 0..<count { slots[number].key.deallocate() }
        slots.deallocate()
    }

    /// The member with a number below `count`.
    @inline(__always) subscript(number: Int) -> Slot { slots[number] }
}

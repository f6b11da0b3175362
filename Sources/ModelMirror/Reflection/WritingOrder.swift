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
    /// The keys of the members, and those of flattened models.
    let keys: Set<String>
    /// Whether a row's members are among the object's.
    let flattens: Bool
    /// The keys that rows of the class itself write.
    let written: Set<String>
    /// The members in declared order, for the loop that writes most objects.
    let slots: WritingSlots

    init(_ rows: [PropertyRow], _ model: AbstractModel.Type) {
        let root = Builder()
        for (number, row) in rows.enumerated() where row.isWritten {
            if row.flattening != nil {
                root.flatten(number)
            } else {
                root.insert(number, at: row.key.writtenPlace[...])
            }
        }
        declared = root.members
        sorted = WritingOrder.sorted(declared)
        flattens = rows.contains { $0.isWritten && $0.flattening != nil }
        let flattened = rows.filter { $0.flattening != nil }.flatMap(\.places).compactMap { $0.first?.text }
        written = Set(root.keyTexts)
        keys = written.union(flattened)
        slots = WritingSlots(declared, rows, isPrepared: model is any WillWrite.Type)
    }

    deinit { slots.deallocate() }

    /// The members at every depth, sorted by their keys' bytes.
    private static func sorted(_ members: [Member]) -> [Member] {
        members.ordered { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) }
            .map { Member(key: $0.key, node: sorted($0.node)) }
    }

    private static func sorted(_ node: Node) -> Node {
        switch node {
        case .row, .flattened: node
        case .object(let members): .object(sorted(members))
        case .array(let elements): .array(elements.map { $0.map(sorted) })
        }
    }

    /// A node to which rows are still being added.
    private final class Builder {
        private var row: Int?
        /// The keys in order, each with the number of the flattened row that is in its place.
        private var keys: [(key: String, flattened: Int?)] = []
        /// By the bytes of their keys: canonically equivalent texts are different keys.
        private var children: [[UInt8]: Builder] = [:]
        private var elements: [Int: Builder] = [:]

        func insert(_ row: Int, at place: ArraySlice<JSONPath.Step>) {
            switch place.first {
            case nil: self.row = self.row ?? row
            case .key(let key):
                let bytes = Array(key.utf8)
                let child = children[bytes] ?? Builder()
                if children.updateValue(child, forKey: bytes) == nil { keys.append((key, nil)) }
                child.insert(row, at: place.dropFirst())
            case .index(let index):
                let child = elements[index] ?? Builder()
                elements[index] = child
                child.insert(row, at: place.dropFirst())
            }
        }

        func flatten(_ row: Int) { keys.append(("", row)) }

        var keyTexts: [String] { keys.filter { $0.flattened == nil }.map(\.key) }

        var members: [Member] {
            keys.compactMap { key, flattened in
                if let flattened { return Member(key: EncodedKey(key), node: .flattened(flattened)) }
                return children[Array(key.utf8)].map { Member(key: EncodedKey(key), node: $0.node) }
            }
        }

        private var node: Node {
            if let row { return .row(row) }
            guard let last = elements.keys.max(), children.isEmpty else { return .object(members) }
            return .array((0...last).map { elements[$0]?.node })
        }
    }
}

/// Holds the order of a class, made on first use.
///
/// Unsafe: the address of the order is kept as an atomic integer, for the reason given at ``TableReference``. The order is
/// retained once, before its address is stored, and released with this value, which the class's table owns.
struct WritingOrderReference: ~Copyable {
    private let address = Atomic<UInt>(0)

    /// The order's slots, without counting a reference to the order.
    @inline(__always)
    func slots(_ rows: [PropertyRow], _ model: AbstractModel.Type) -> WritingSlots {
        guard let order = WritingOrderReference.order(at: address.load(ordering: .acquiring)) else {
            return makeOrder(rows, model).slots
        }
        return order._withUnsafeGuaranteedRef { $0.slots }
    }

    @inline(__always)
    func order(_ rows: [PropertyRow], _ model: AbstractModel.Type) -> WritingOrder {
        WritingOrderReference.order(at: address.load(ordering: .acquiring))?.takeUnretainedValue()
            ?? makeOrder(rows, model)
    }

    /// If two threads make the order, the first one stored wins and both return it.
    @inline(never)
    private func makeOrder(_ rows: [PropertyRow], _ model: AbstractModel.Type) -> WritingOrder {
        let made = Unmanaged.passRetained(WritingOrder(rows, model))
        let (isFirst, known) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
        guard !isFirst, let known = WritingOrderReference.order(at: known) else { return made.takeUnretainedValue() }
        made.release()
        return known.takeUnretainedValue()
    }

    deinit { WritingOrderReference.order(at: address.load(ordering: .acquiring))?.release() }

    @inline(__always)
    private static func order(at address: UInt) -> Unmanaged<WritingOrder>? {
        UnsafeRawPointer(bitPattern: address).map { .fromOpaque($0) }
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
                slot = Slot(kind: rows[row].kind, row: Int32(row), offset: Int32(rows[row].offset), key: slot.key)
            }
            (slots + number).initialize(to: slot)
        }
    }

    func deallocate() {
        for number in 0..<count { slots[number].key.deallocate() }
        slots.deallocate()
    }

    /// The member with a number below `count`.
    @inline(__always)
    subscript(number: Int) -> Slot { slots[number] }
}

/// In which order, under which keys and how deep the rows of a class are written: the table's keys read the other way.
///
/// Rows whose key is a path are gathered into the objects and arrays that their paths lead through:
///
///     ownerLogin: .path("owner", "login")  ┐
///     ownerID:    .path("owner", "id")     ┴→  "owner": {"login": …, "id": …}
///
/// Where one row takes a member whole and others look inside it, the whole one is written.
struct WritingPlan: Sendable {
    /// What stands under one key or at one index.
    indirect enum Node: Sendable {
        case row(Int)
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
    /// The members in declared order, for the loop that writes most objects.
    let slots: WritingSlots

    init(_ rows: [PropertyRow]) {
        let root = Builder()
        for (number, row) in rows.enumerated() where row.isWritten {
            if let place = row.places.first { root.insert(number, at: place[...]) }
        }
        declared = root.members(sorted: false)
        sorted = root.members(sorted: true)
        slots = WritingSlots(declared, rows)
    }

    /// A node while rows are still added.
    private final class Builder {
        private var row: Int?
        private var keys: [String] = []
        private var children: [String: Builder] = [:]
        private var elements: [Int: Builder] = [:]

        func insert(_ row: Int, at place: ArraySlice<JSONPath.Step>) {
            switch place.first {
            case nil: self.row = self.row ?? row
            case .key(let key):
                let child = children[key] ?? Builder()
                if children[key] == nil { keys.append(key) }
                children[key] = child
                child.insert(row, at: place.dropFirst())
            case .index(let index):
                let child = elements[index] ?? Builder()
                elements[index] = child
                child.insert(row, at: place.dropFirst())
            }
        }

        func members(sorted: Bool) -> [Member] {
            let order = sorted ? keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } : keys
            return order.compactMap { key in
                children[key].map { Member(key: EncodedKey(key), node: $0.node(sorted: sorted)) }
            }
        }

        private func node(sorted: Bool) -> Node {
            if let row { return .row(row) }
            guard let last = elements.keys.max(), children.isEmpty else { return .object(members(sorted: sorted)) }
            return .array((0...last).map { elements[$0]?.node(sorted: sorted) })
        }
    }
}

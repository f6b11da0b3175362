/// How one class is mapped: its rows, and which JSON key leads to which of them.
///
/// Made once per class, when its first object is mapped; immutable; shared by all threads.
final class PropertyTable: Sendable {
    /// The class.
    let model: AbstractModel.Type
    /// All properties that can be mapped, superclass first, in declared order.
    let rows: [PropertyRow]
    /// The JSON keys.
    let keys: KeyIndex
    /// For each shared key, who takes its value.
    let takers: [[Taker]]
    /// The rows that are read from JSON, and those of them without which an object fails.
    let readRows: RowSet
    /// The options of the class, its superclasses' where it sets none.
    let options: MappingOptions
    /// The properties whose keys are found in any spelling.
    let isFlexible: Set<String>
    /// How objects are written.
    let plan: WritingPlan
    /// Whether the class says which of its subclasses an object is.
    let isDynamic: Bool
    /// Properties that are left alone because they look like the storage of a property wrapper.
    let leftAlone: [String]

    /// Whether somebody observes the properties and would not notice a store: an `@Observable` class without key paths.
    let isBlind: Bool

    /// The error for an update of such a class.
    var blindness: InvalidModel {
        InvalidModel(
            model: "\(model)", property: nil,
            reason:
                "it is @Observable and its observers would not notice an update; list its properties in keyPathTable")
    }

    /// A row that takes the value of a shared key.
    struct Taker {
        let row: Int
        /// Which of the row's places this is; the lowest that is present counts.
        let rank: Int
        /// The rest of the path from the key's value.
        let path: ArraySlice<JSONPath.Step>
    }

    init(
        model: AbstractModel.Type, rows: [PropertyRow], isFlexible: Set<String>, options: MappingOptions,
        leftAlone: [String], isBlind: Bool
    ) {
        self.model = model
        self.rows = rows
        self.options = options
        self.leftAlone = leftAlone
        isDynamic = model is any DynamicTypeModel.Type
        self.isBlind = isBlind
        plan = WritingPlan(rows)
        self.isFlexible = isFlexible
        readRows = RowSet(rows.indices.filter { rows[$0].isRead })

        // The keys in declared order, each with all rows that take it.
        // By their bytes: texts that are canonically equivalent are one String, but two keys.
        var order: [String] = []
        var takersOfKey: [[UInt8]: [Taker]] = [:]
        for (number, row) in rows.enumerated() where row.isRead {
            for (rank, place) in row.places.enumerated() {
                guard case .key(let key)? = place.first else { continue }
                if takersOfKey[Array(key.utf8)] == nil { order.append(key) }
                takersOfKey[Array(key.utf8), default: []].append(
                    Taker(row: number, rank: rank, path: place.dropFirst()))
            }
        }
        var shared: [[Taker]] = []
        var entries = order.flatMap { key -> [KeyIndex.Entry] in
            let list = takersOfKey[Array(key.utf8)] ?? []
            let row = rows[list[0].row]
            if list.count == 1, list[0].path.isEmpty, row.places.count == 1, row.isConvertible {
                return [
                    KeyIndex.Entry(
                        key: key, kind: row.kind, row: list[0].row, offset: row.offset,
                        folding: isFlexible.contains(row.name) ? .also : .not)
                ]
            }
            shared.append(list)
            let exact = KeyIndex.Entry(key: key, kind: .shared, row: shared.count - 1, offset: 0)
            // Other spellings are for the strategy's own rows alone.
            let folding = list.filter { isFlexible.contains(rows[$0.row].name) }
            guard !folding.isEmpty else { return [exact] }
            shared.append(folding)
            return [exact, KeyIndex.Entry(key: key, kind: .shared, row: shared.count - 1, offset: 0, folding: .only)]
        }
        for row in rows where !row.isRead {
            for case .key(let key)? in row.places.map(\.first)
            where takersOfKey[Array(key.utf8)] == nil {
                takersOfKey[Array(key.utf8)] = []
                entries.append(
                    KeyIndex.Entry(
                        key: key, kind: .ignored, row: 0, offset: 0,
                        folding: isFlexible.contains(row.name) ? .also : .not))
            }
        }
        takers = shared
        keys = KeyIndex(entries)
    }
}

/// How one class is mapped: its rows and the JSON keys that lead to them.
///
/// Made once per class, when its first object is mapped; immutable; shared by all threads.
final class PropertyTable: Sendable {
    /// The class.
    let model: AbstractModel.Type
    /// All properties that can be mapped, superclass first, in declared order.
    let rows: [PropertyRow]
    /// The JSON keys.
    let keys: KeyIndex
    /// The targets of each shared key.
    let targets: [[KeyTarget]]
    /// The names of the rows' properties.
    let names: [String]
    /// The rows that are read from JSON, and those that must have a value.
    let readRows: RowSet
    let requiredRows: RowSet
    /// The options of the class, its superclasses' where it sets none.
    let options: MappingOptions
    /// Whether an option is set that differs from object to object.
    let hasObjectOptions: Bool
    /// The properties whose keys are found in any spelling.
    let isFlexible: Set<String>
    /// How objects are written.
    let plan: WritingPlan
    /// Whether the class is a ``DynamicTypeModel``.
    let isDynamic: Bool
    /// Properties that look like the storage of a property wrapper and are not mapped.
    let unmappedStorage: [String]

    /// Whether stores would bypass observation: an `@Observable` class without key paths.
    let bypassesObservation: Bool

    /// The error for an update of such a class.
    var observationFault: InvalidModel {
        InvalidModel(
            model: "\(model)", property: nil,
            reason:
                "it is @Observable and its observers would not notice an update; list its properties in keyPathTable")
    }

    /// A row that reads the value of a shared key.
    struct KeyTarget {
        let row: Int
        /// Which of the row's places this is; the lowest that is present counts.
        let rank: Int
        /// The rest of the path from the key's value.
        let path: ArraySlice<JSONPath.Step>
    }

    init(
        model: AbstractModel.Type, rows: [PropertyRow], isFlexible: Set<String>, options: MappingOptions,
        unmappedStorage: [String], bypassesObservation: Bool
    ) {
        self.model = model
        self.rows = rows
        self.options = options
        hasObjectOptions = options.strict != nil || options.stringsFromNumbers != nil || options.context != nil
        self.unmappedStorage = unmappedStorage
        isDynamic = model is any DynamicTypeModel.Type
        self.bypassesObservation = bypassesObservation
        plan = WritingPlan(rows)
        self.isFlexible = isFlexible
        names = rows.map(\.name)
        readRows = RowSet(rows.indices.filter { rows[$0].isRead })
        requiredRows = RowSet(rows.indices.filter { rows[$0].isRequired })

        // The keys in declared order, each with all rows that take it.
        // By their bytes: texts that are canonically equivalent are one String, but two keys.
        var order: [String] = []
        var targetsOfKey: [[UInt8]: [KeyTarget]] = [:]
        for (number, row) in rows.enumerated() where row.isRead {
            for (rank, place) in row.places.enumerated() {
                guard case .key(let key)? = place.first else { continue }
                if targetsOfKey[Array(key.utf8)] == nil { order.append(key) }
                targetsOfKey[Array(key.utf8), default: []].append(
                    KeyTarget(row: number, rank: rank, path: place.dropFirst()))
            }
        }
        var shared: [[KeyTarget]] = []
        var entries = order.flatMap { key -> [KeyIndex.Entry] in
            let list = targetsOfKey[Array(key.utf8)] ?? []
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
            where targetsOfKey[Array(key.utf8)] == nil {
                targetsOfKey[Array(key.utf8)] = []
                entries.append(
                    KeyIndex.Entry(
                        key: key, kind: .ignored, row: 0, offset: 0,
                        folding: isFlexible.contains(row.name) ? .also : .not))
            }
        }
        targets = shared
        keys = KeyIndex(entries)
    }
}

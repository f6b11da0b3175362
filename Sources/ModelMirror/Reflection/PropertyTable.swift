import Synchronization

/// How one class is mapped: its rows and the JSON keys that lead to them.
///
/// Made once per class and ``TableVariant``, when the first object is mapped; immutable; shared by all threads.
final class PropertyTable: IssueSubject, @unchecked Sendable {
    /// The class.
    let model: AbstractModel.Type
    /// All properties that can be mapped, superclass first, in declared order.
    let rows: [PropertyRow]
    /// The JSON keys.
    let keys: KeyIndex
    /// The shared keys, by the number of the slot's row.
    let shared: [SharedKey]
    /// The rows that are read from JSON.
    let readRows: RowSet
    /// The rows that must have a value.
    let requiredRows: RowSet
    /// The rows that need no value even where `requiresNonOptional` is set.
    let optionalRows: RowSet
    /// The options of the class, its superclasses' where it sets none.
    let options: MappingOptions
    /// The properties whose keys are found in any spelling.
    let isFlexible: Set<String>
    /// The properties that are read from their own name too: a strategy made their key, and no other property has that name as its
    /// key.
    let ownNames: Set<String>
    /// Whether the options have a rule that differs from object to object.
    let hasObjectRules: Bool
    /// Whether the rows alone decide how objects are written, without nil.
    let isWrittenPlainly: Bool
    /// The row that takes the keys that no other takes.
    let unknownKeysRow: Int?
    /// The flattened row that takes the members that no other takes.
    let restRow: Int?
    /// Whether a row takes the members that no other takes.
    var keepsUnknownKeys: Bool { unknownKeysRow != nil || restRow != nil }
    /// Whether a member beside any property names the class of its objects.
    let hasDynamicProperties: Bool
    /// The rows whose values must obey rules.
    let ruledRows: RowSet
    /// The rows whose values another row reads too, in whole or in part.
    let rereadRows: RowSet
    /// The rows whose values are never shown.
    let redacted: RowSet
    /// The address of the order in which objects are written; 0 until it is made.
    let orderAddress = Atomic<UInt>(0)
    /// Whether the class is a ``DynamicTypeModel``.
    let isDynamic: Bool
    /// Leads to this table, for arrays of the class.
    let reference = TableReference()
    /// Whether stores would bypass observation: an `@Observable` class without key paths.
    let bypassesObservation: Bool

    /// The error for a property whose type nothing converts and that the class does not assign.
    func undefinedTypeFault(_ row: PropertyRow) -> InvalidModel {
        let type = row.values.type
        let inner = (type as? any OptionalType.Type)?.wrappedType ?? type
        let optional = type is any OptionalType.Type ? "?" : ""
        var cure =
            RuntimeFields.kind(of: inner) == .existential
            ? "declare it as Any\(optional) or JSONValue\(optional), " : ""
        if let key = (inner as? any RuleMembers.Type)?.impossibleKey {
            cure =
                "no key of a JSON object can be of type \(TypeShape.name(key)): use String, an integer or UUID for the keys, "
        }
        return InvalidModel(
            model, of: row.name,
            "nothing converts its property \(row.name) of type \(TypeShape.name(type)); \(cure)give it a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties")
    }

    /// The places of a property's value, the preferred one first.
    func places(of row: PropertyRow) -> [[JSONPath.Step]] {
        ownNames.contains(row.name) ? row.places + [[.key(row.name)]] : row.places
    }

    /// Whether a key of the object is a property's, which reads or writes it.
    func isPropertyKey(_ key: String) -> Bool {
        var key = key
        guard let number = key.withUTF8(keys.slot) else { return false }
        let slot = keys.slotList(forUpdate: false)[number]
        return slot.kind != .shared || !shared[Int(slot.row)].targets.isEmpty
            || order.keys.contains(String(distinguishing: key.utf8))
    }

    /// The rows that a key of the object leads to.
    func rows(readFrom key: String) -> [Int] {
        rows.indices.filter { rows[$0].isRead && places(of: rows[$0]).contains { $0.first == .key(key) } }
    }

    /// The error for updating a class that bypasses observation.
    var observationFault: InvalidModel {
        InvalidModel(
            model: "\(model)", property: nil,
            reason: "it is @Observable and its observers would not notice an update; list its observed properties in "
                + "additionalKeyPaths", isMapped: true)
    }

    /// A row that reads the value of a shared key.
    struct KeyTarget {
        let row: Int
        /// Which of the row's places this is; the lowest one present wins.
        let rank: Int
        /// The rest of the path from the key's value.
        let path: ArraySlice<JSONPath.Step>

        /// Whether one of two values that the same key leads to is in the other, or is the other.
        func overlaps(_ other: KeyTarget) -> Bool { path.starts(with: other.path) || other.path.starts(with: path) }
    }

    /// The targets of a shared key, none if only rows that are not read have it, and the paths that lead through its value, none if a row
    /// takes the whole value.
    typealias SharedKey = (targets: [KeyTarget], paths: [ArraySlice<JSONPath.Step>])

    /// - Parameters:
    ///   - listed: The properties whose keys the class lists with key paths, so that no strategy makes them.
    ///   - bypassesObservation: Whether stores would bypass observation.
    init(_ rows: [PropertyRow], by rules: ClassRules, listed: Set<String>, bypassesObservation: Bool) {
        // Names of their own, since the compiler fails on uses of properties and of the rules before all properties are set.
        let (model, options, redacted) = (rules.model, rules.options, rules.redacted)
        let strategyMade = rows.lazy.filter {
            rules.propertyKeys[$0.name] == nil && $0.flattening == nil && !listed.contains($0.name)
        }.map(\.name)
        let strategic = rules.keyStrategy.keepsNames ? [] : Set(strategyMade)
        let isFlexible = Set(rows.lazy.filter { $0.flattening?.isFlexible == true }.map(\.name))
            .union(rules.foldsKeys ? Set(strategyMade) : [])
        self.model = model
        self.rows = rows
        self.options = options
        self.isFlexible = isFlexible
        isDynamic = model is any DynamicTypeModel.Type
        self.bypassesObservation = bypassesObservation
        ruledRows = RowSet(rows.indices.filter { rows[$0].isRead && rows[$0].values.rule != nil })
        self.redacted = RowSet(rows.indices.filter { redacted.contains(rows[$0].name) })
        unknownKeysRow = rows.firstIndex(where: \.takesUnknownKeys)
        restRow = rows.firstIndex { $0.isRead && $0.flattening?.isRest == true }
        hasDynamicProperties = rows.contains { $0.dynamicTypes != nil }
        hasObjectRules = options.hasObjectRules || options.context != nil
        isWrittenPlainly =
            !isDynamic && !hasDynamicProperties && unknownKeysRow == nil && options.writesNulls != true
            && !options.hasContext && !rows.contains { $0.flattening != nil }
        readRows = RowSet(rows.indices.filter { rows[$0].isRead })
        requiredRows = RowSet(rows.indices.filter { rows[$0].isRequired })
        // A flattened dictionary may be empty.
        optionalRows = RowSet(rows.indices.filter { rows[$0].isOptional || rows[$0].flattening?.isRest == true })

        // The keys in declared order, each with all rows that take it.
        var taken = KeyGroups<KeyTarget>(capacity: rows.count)
        for (number, row) in rows.enumerated() where row.isRead {
            for (rank, place) in row.places.enumerated() {
                guard case .key(let key)? = place.first else { continue }
                taken.append(KeyTarget(row: number, rank: rank, path: place.dropFirst()), to: key)
            }
        }
        // Rows that are not read have places too, and so do type names.
        lazy var places = rows.flatMap { $0.takesUnknownKeys ? [] : $0.places + $0.otherPlaces }
        // Of a flattened row and another one it is the other, since the flattened one reads the whole object.
        rereadRows = RowSet(
            taken.groups.lazy.filter { $0.elements.count > 1 }.flatMap { group in
                let list = group.elements.ordered { rows[$0.row].flattening != nil && rows[$1.row].flattening == nil }
                return list.enumerated().lazy.filter { number, target in
                    list[..<number].contains { $0.row != target.row && $0.overlaps(target) }
                }.map(\.element.row)
            })
        var shared: [SharedKey] = []
        func share(_ key: String, _ list: [KeyTarget], _ folding: KeyIndex.Entry.Folding) -> KeyIndex.Entry {
            let paths = places.filter { $0.first == .key(key) }.map { $0.dropFirst() }
            shared.append((list, paths.contains(where: \.isEmpty) || folding == .only ? [] : paths))
            return KeyIndex.Entry(key: key, kind: .shared, row: shared.count - 1, offset: 0, folding: folding)
        }
        func entry(_ key: String, _ list: [KeyTarget]) -> KeyIndex.Entry {
            let row = rows[list[0].row]
            guard list.count == 1, list[0].path.isEmpty, row.places.count == 1, row.isReadDirectly else {
                return share(key, list, .not)
            }
            return KeyIndex.Entry(
                key: key, kind: row.stored.kind, row: list[0].row, offset: row.offset,
                folding: isFlexible.contains(row.name) ? .also : .not)
        }
        var entries = taken.groups.flatMap { key, list -> [KeyIndex.Entry] in
            let exact = entry(key, list)
            // Other spellings lead only to rows whose key the strategy made.
            let folding = list.filter { isFlexible.contains(rows[$0.row].name) }
            return exact.kind != .shared || folding.isEmpty ? [exact] : [exact, share(key, folding, .only)]
        }
        var ignored = KeyGroups<PropertyRow>(capacity: 0)
        // A member of an object of an unknown class may have the name of its own property.
        let known = model == UnknownModel.self ? [] : rows
        for row in known where (!row.isRead || row.key.writing != nil) && !row.takesUnknownKeys {
            for case .key(let key)? in ((row.isRead ? [] : row.places) + [row.key.writtenPlace]).map(\.first)
            where !taken.contains(key) { ignored.append(row, to: key) }
        }
        entries += ignored.groups.map { share($0.key, [], isFlexible.contains($0.elements[0].name) ? .also : .not) }
        // After all other keys, which a document is expected to contain in order.
        var ownNames: Set<String> = []
        for (number, row) in rows.enumerated() where row.isRead && strategic.contains(row.name) {
            guard !taken.contains(row.name), !ignored.contains(row.name) else { continue }
            ownNames.insert(row.name)
            entries.append(entry(row.name, [KeyTarget(row: number, rank: 0, path: [])]))
        }
        self.ownNames = ownNames
        self.shared = shared
        keys = KeyIndex(entries)
        super.init(model, rows.map(\.name))
        reference.remember(self)
    }

    deinit { knownOrder?.release() }

    override func expectation(_ row: Int) -> Expectation { rows[row].expected }

    override func isRedacted(_ row: Int) -> Bool { redacted.contains(row) }

    override func redactsTypeName(_ row: Int) -> Bool { rows[row].dynamicTypes.map { redacts($0.key.places) } ?? false }

    /// Whether a value at one of some places is never shown: it is that of a redacted row, or in it.
    func redacts(_ places: [[JSONPath.Step]]) -> Bool {
        redacted.contains { row in
            self.places(of: rows[row]).contains { own in places.contains { $0.starts(with: own) } }
        }
    }

    override func place(_ row: Int) -> [JSONPath.Step] { rows[row].places.first ?? [] }

    /// A row, which the table keeps, for calls that count no reference to it.
    @inline(__always)
    func unretainedRow(_ number: Int) -> Unmanaged<PropertyRow> { .passUnretained(rows[number]) }
}

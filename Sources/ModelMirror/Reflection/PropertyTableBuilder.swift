#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Makes the automatic property table of a class: fields → rules → rows.
struct PropertyTableBuilder {
    let model: AbstractModel.Type
    let levels: ClassLevels
    let rules: ClassRules
    private let explicit: KeyPathTable?
    private let classDates: DateConverter?

    /// The table for the class of an object that was just made and that nobody has written to.
    static func table(for object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        try PropertyTableBuilder(object).makeTable(comparedWith: object)
    }

    private init(_ object: AbstractModel) throws(InvalidModel) {
        model = type(of: object)
        explicit = model.keyPathTable
        levels = explicit == nil ? try ClassLevels(of: object) : ClassLevels(listedBy: object)
        rules = ClassRules(model, chain: levels.chain)
        classDates = try PropertyTableBuilder.dates(rules.dateFormats, rule: "dateFormats", of: model)
    }

    private func makeTable(comparedWith object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        if let explicit { return try makeTable(explicit, object) }
        let storable = levels.fields.filter { $0.obstacle == nil }
        var others: [String: String] = [:]
        for field in levels.fields where !field.isHidden { others[field.name] = field.obstacle }
        try rules.checkNames(Set(storable.map(\.name)), others: others)
        try FieldCheck.layout(storable, of: model)

        var rows: [PropertyRow] = []
        var unmappedStorage: [String] = []
        for field in storable {
            func open<Value>(_ type: Value.Type) throws(InvalidModel) -> PropertyRow {
                guard FieldCheck.agrees(field, type, with: levels.child(field), in: object) else {
                    throw fault(
                        field.name,
                        "Mirror and the runtime disagree about \(field.name) (a customMirror may hide it); remove the "
                            + "customMirror or list the properties in keyPathTable")
                }
                return try self.row(field, type)
            }
            let row: PropertyRow = try open(field.field.type)
            // An underscore and a type that nothing converts: that is what a property wrapper's storage looks like.
            if !row.isConvertible, field.name.hasPrefix("_"), rules.propertyKeys[field.name] == nil {
                unmappedStorage.append(field.name)
            } else {
                rows.append(row)
            }
        }
        try checkKeys(rows)
        let isFlexible = if case .flexible = rules.keyStrategy { true } else { false }
        let strategic = rows.map(\.name).filter { rules.propertyKeys[$0] == nil }
        return PropertyTable(
            model: model, rows: rows, isFlexible: isFlexible ? Set(strategic) : [],
            options: rules.options, unmappedStorage: unmappedStorage, bypassesObservation: levels.isObservable)
    }

    // MARK: One row

    /// The row of a stored property.
    private func row<Value>(_ field: StoredField, _ type: Value.Type) throws(InvalidModel) -> PropertyRow {
        try row(
            field.name, type, places: rules.propertyKeys[field.name]?.places ?? [[.key(key(for: field.name))]],
            converter: rules.converters[field.name], access: .field(at: field.field.offset), offset: field.field.offset)
    }

    /// The row of a property.
    ///
    /// - Parameter offset: Where a stored property lies; nil if it is reached through a key path.
    func row<Value>(
        _ name: String, _ type: Value.Type, places: [[JSONPath.Step]], converter: (any Converter)?,
        access: FieldAccess<Value>, offset: Int?
    ) throws(InvalidModel) -> PropertyRow {
        let ownFormat = rules.propertyDateFormats[name].map { [$0] } ?? []
        let dates =
            try PropertyTableBuilder.dates(ownFormat, rule: "propertyDateFormats", of: model, name) ?? classDates
        let rule = rules.converters[name] == nil ? "keyPathTable" : "propertyConverters"
        if let reason = converter?.ownFault {
            throw fault(name, "\(rule) gives \(name) a converter with \(reason)")
        }
        let builder = CodecBuilder(converter: converter, dates: dates)
        let codec = try builder.codec(for: type)
        if let converter, !builder.isConverterUsed {
            throw fault(
                name,
                "\(rule) gives \(name) a converter for \(TypeShape.name(PropertyTableBuilder.valueType(converter))), but the "
                    + "property is of type \(TypeShape.name(type)); use a converter for that type, for what it wraps or for its elements"
            )
        }
        let isOwn = converter == nil
        return PropertyRow(
            name, at: places, by: rules, TypedValues(access, codec),
            isModel: isOwn && PropertyTableBuilder.isModel(type),
            direct: offset.flatMap { builder.directRow(for: type, at: $0) },
            kind: isOwn && offset != nil ? KeySlot.Kind(type) : .other, offset: offset)
    }

    private static func isModel(_ type: Any.Type) -> Bool {
        let inner = (type as? any OptionalType.Type)?.wrappedType ?? type
        return inner is any MappedModel.Type && !(inner is any JSONConvertible.Type)
    }

    private static func valueType<C: Converter>(_ converter: C) -> Any.Type { C.Value.self }

    private static func dates(
        _ formats: [String], rule: String, of model: AbstractModel.Type, _ property: String? = nil
    ) throws(InvalidModel) -> DateConverter? {
        guard !formats.isEmpty else { return nil }
        do {
            return try DateConverter(formats: formats)
        } catch {
            throw InvalidModel(model: "\(model)", property: property, reason: "\(rule) has \(error)")
        }
    }

    // MARK: Keys

    /// The key that the strategy makes of a property's name.
    private func key(for name: String) -> String { rules.keyStrategy.jsonKey(forProperty: name) }

    /// Checks that no two properties have one strategy-made key, and that paths begin with a key.
    private func checkKeys(_ rows: [PropertyRow]) throws(InvalidModel) {
        var owners: [[UInt8]: String] = [:]
        let isFlexible = if case .flexible = rules.keyStrategy { true } else { false }
        for row in rows where row.isRead || row.isWritten {
            if rules.propertyKeys[row.name] == nil {
                guard case .key(let key)? = row.places.first?.first else { continue }
                let made = Array(key.utf8)
                if let other = owners.updateValue(row.name, forKey: isFlexible ? KeyStrategy.folded(made) : made) {
                    throw fault(
                        row.name,
                        "\(other) and \(row.name) both have the key \(key.quotedForMessage); give one of them "
                            + "another in propertyKeys, or ignore one")
                }
            }
        }
        try checkPlaces(rows)
    }

    /// Checks that every place begins with a key.
    func checkPlaces(_ rows: [PropertyRow]) throws(InvalidModel) {
        for row in rows {
            guard !row.places.isEmpty, row.places.allSatisfy({ if case .key? = $0.first { true } else { false } })
            else {
                throw fault(
                    row.name,
                    "\(explicit == nil ? "propertyKeys" : "keyPathTable") gives \(row.name) no key to begin with; a path starts "
                        + "with a key")
            }
        }
        try checkContainers(rows)
    }

    /// Checks that no two properties are written into one value as a member and as an element.
    private func checkContainers(_ rows: [PropertyRow]) throws(InvalidModel) {
        // Without paths all are members of the object itself.
        guard rows.contains(where: { $0.isWritten && $0.places[0].count > 1 }) else { return }
        var owners: [[JSONPath.Step]: (name: String, isObject: Bool)] = [:]
        for row in rows where row.isWritten {
            for (depth, step) in row.places[0].enumerated() {
                let isObject = if case .key = step { true } else { false }
                let container = Array(row.places[0][..<depth])
                if let owner = owners[container], owner.isObject != isObject {
                    throw fault(
                        row.name,
                        "\(owner.name) and \(row.name) are written into one value, as a member of an object and as an element "
                            + "of an array; give one of them another path in propertyKeys, or name it in readOnlyProperties"
                    )
                }
                owners[container] = (row.name, isObject)
            }
        }
    }

    func fault(_ property: String, _ reason: String) -> InvalidModel {
        InvalidModel(model: "\(model)", property: property, reason: reason)
    }
}

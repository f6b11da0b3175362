/// Finds the mistakes in a class, and in all classes that it refers to, without a document.
package enum ModelMistakes {
    /// One mistake per class or property.
    ///
    /// - Parameter assigned: Properties whose type nothing converts and that their class assigns: `payload`, or `File.payload` for a
    ///   property of another class.
    package static func find(
        in model: AbstractModel.Type, assigned: Set<String>, options: MappingOptions
    ) -> [InvalidModel] {
        let walk = ModelWalk(options)
        _ = walk.reference(to: model)
        var found: [InvalidModel] = []
        while let (next, choice) = walk.next() {
            if let fault = choice?.fault { found.append(fault) }
            // Adds a mistake that does not prevent mapping.
            func record(_ property: String, _ reason: String) {
                found.append(InvalidModel(model: "\(next)", property: property, reason: reason, isMapped: true))
            }
            let table: PropertyTable
            let defaults = next.init()
            do throws(InvalidModel) {
                table = try PropertyTableCache.table(for: defaults, walk.variant)
            } catch {
                found.append(error)
                continue
            }
            for constant in constants(of: next, defaults) {
                record(
                    constant,
                    "its property \(constant) is a let, which is never written; use private(set) var, or name it in "
                        + "ignoredProperties")
            }
            let written = table.rows.filter { $0.isWritten && $0.flattening == nil }
            for row in table.rows where row.isRead && !row.isRequired && table.options.requiresNonOptional != true {
                guard let check = row.values.rule?.check,
                    let broken = RuleForm.breaks(of: row.values.value(of: defaults), check).first
                else { continue }
                record(
                    row.name,
                    "the default of \(row.name), which stays where its key is missing, breaks its rule: expected "
                        + broken.expectation.words)
            }
            for row in table.rows where row.isRead || row.isWritten {
                // The whole of a member is written rather than a part of it, and the first of equal keys.
                let place = row.key.writtenPlace
                let around = row.flattening == nil ? written.filter { place.starts(with: $0.key.writtenPlace) } : []
                if row.isWritten, let other = around.min(by: { $0.key.writtenPlace.count < $1.key.writtenPlace.count }),
                    other !== row
                {
                    record(
                        row.name,
                        other.key.writtenPlace == row.key.writtenPlace
                            ? "\(other.name) and \(row.name) have the same key, which only \(other.name) writes; name "
                                + "\(row.name) in readOnlyProperties"
                            : "\(row.name) is not written, since its key is inside that of \(other.name); name it in "
                                + "readOnlyProperties")
                }
                walk.follow(row)
                if !row.isConvertible, row.isRead, !assigned.contains("\(next).\(row.name)"),
                    next != model || !assigned.contains(row.name)
                {
                    found.append(table.undefinedTypeFault(row))
                } else if row.isWritten, let type = row.values.limits.unwritable {
                    record(
                        row.name,
                        "\(row.name) cannot be written, since \(TypeShape.name(type)) has no JSON form; make it JSONConvertible or "
                            + "Encodable, give it a converter in propertyConverters, or name it in readOnlyProperties")
                }
            }
        }
        return found
    }

    /// Whether a class, or one that it refers to, has values that are never shown. True if a function chooses classes.
    package static func reachesRedactedProperties(_ model: AbstractModel.Type) -> Bool {
        let walk = ModelWalk(.init())
        _ = walk.reference(to: model)
        while let (next, choice) = walk.next() {
            if choice?.hasFunction == true { return true }
            guard let table = try? PropertyTableCache.table(for: next.init()) else { continue }
            if !table.redacted.isEmpty { return true }
            for row in table.rows { walk.follow(row) }
        }
        return false
    }

    /// The constants of a class, which no document can set, unless the class ignores them.
    private static func constants(of model: any MappedModel.Type, _ object: AbstractModel) -> [String] {
        guard model.keyPathTable == nil, let levels = try? ClassLevels(of: object) else { return [] }
        let rules = ClassRules(model, chain: levels.chain)
        return levels.fields.filter { !$0.field.isVar && !$0.isHidden && !rules.ignored.contains($0.name) }.map(\.name)
    }
}

/// Collects the classes that a class refers to, each once.
private final class ModelWalk: SchemaSink {
    private var pending: [any MappedModel.Type] = []
    private var seen: Set<ObjectIdentifier> = []
    let variant: TableVariant?

    init(_ options: MappingOptions) { variant = TableVariant.of(options) }

    /// The next class, whose own classes by names are added, with how they are chosen.
    func next() -> (model: any MappedModel.Type, choice: DynamicTypeChoice?)? {
        guard let next = pending.popLast() else { return nil }
        let choice = next.dynamicChoice
        for type in choice?.names.classes ?? [] { _ = reference(to: type) }
        return (next, choice)
    }

    /// Adds the classes of a row's values.
    func follow(_ row: PropertyRow) {
        if let rule = row.dynamicTypes {
            for type in rule.types.classes { _ = reference(to: type) }
            tagged = { [unowned self] in
                rule.fallback == .baseClass && $0 != AbstractModel.self ? reference(to: $0) : [:]
            }
        }
        if row.isConvertible { _ = row.values.schema(self) }
    }

    override func reference(to model: any MappedModel.Type) -> JSONValue {
        if seen.insert(ObjectIdentifier(model)).inserted { pending.append(model) }
        return [:]
    }
}

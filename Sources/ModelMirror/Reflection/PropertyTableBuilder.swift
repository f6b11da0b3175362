import ModelMirrorFoundation

/// Makes the automatic property table of a class: fields → rules → rows.
final class PropertyTableBuilder {
    let model: AbstractModel.Type
    /// The new object that the fields are compared with, which nobody has written to.
    let object: AbstractModel
    let levels: ClassLevels
    let rules: ClassRules
    let explicit: KeyPathTable?
    private var planRules: TableRules
    /// Whether no rule of the class or the call bears on how values of common types are converted.
    private let isPlain: Bool
    /// The table of another class by the same rules of the call.
    let table: (AbstractModel) throws(InvalidModel) -> PropertyTable

    /// - Parameter variant: The tables of the call, whose rules apply.
    init(_ object: AbstractModel, _ variant: TableVariant = .standard) throws(InvalidModel) {
        self.object = object
        table = { object throws(InvalidModel) in try variant.table(for: object) }
        model = type(of: object)
        explicit = model.keyPathTable
        levels = explicit == nil ? try ClassLevels(of: object) : ClassLevels(listedBy: object)
        rules = ClassRules(model, chain: levels.chain, call: variant.rules)
        planRules = rules.tableRules
        planRules.dates = try PropertyTableBuilder.dates(rules.dates, of: model)
        planRules.keyStrategy = rules.keyStrategy
        isPlain = planRules.dates == nil && planRules.nonFiniteNumbers == nil
    }

    func makeTable() throws(InvalidModel) -> PropertyTable {
        var rest = try listedRows()
        let listed = Set(rest.map(\.name))
        let storable = try findingWrappers(in: levels.fields.filter { $0.obstacle == nil }, listed: listed)
        var others: [String: String] = [:]
        for field in levels.fields where field.obstacle != nil && !field.isHidden {
            others[field.name] = field.obstacle
        }
        for field in storable where field.wrapper == .ignored { others[field.propertyName] = "is ignored" }
        let names = storable.filter { $0.wrapper != .ignored }.map(\.propertyName)
        try rules.checkNames(listed.union(names), others: others, areKeysListed: explicit != nil)
        guard try FieldCheck.layout(storable, of: model) <= RuntimeFields.instanceSize(of: model) else {
            throw InvalidModel(
                model,
                "the runtime reports properties past the end of its instances; list the properties in keyPathTable")
        }

        var rows: [PropertyRow] = []
        var bypassesObservation = false
        for field in storable {
            // In the place of the property.
            if let place = rest.firstIndex(where: { $0.name == field.propertyName }) {
                rows.append(rest.remove(at: place))
                continue
            }
            func open<Value>(_ type: Value.Type) throws(InvalidModel) -> PropertyRow? {
                guard FieldCheck.matches(field, type, in: object) else {
                    throw fault(
                        field.name,
                        "Mirror and the runtime disagree about \(field.name) (a customMirror may hide it); remove the "
                            + "customMirror or list the properties in keyPathTable")
                }
                switch field.wrapper {
                case .ignored?: return nil
                case .mapped?: return try wrapperRow(field)
                case nil: return try self.row(field.name, FieldAccess<Value>.field(at: field.field.offset))
                }
            }
            guard let row = try open(field.field.type) else { continue }
            rows.append(row)
            bypassesObservation = bypassesObservation || field.isTracked
        }
        rows += rest
        try checkKeys(rows, listed: listed)
        try checkPlaces(rows, listed: listed)
        return PropertyTable(rows, by: rules, listed: listed, bypassesObservation: bypassesObservation)
    }

    // MARK: One row

    /// The row of a property.
    ///
    /// - Parameters:
    ///   - key: The key that is listed with a key path; nil if the rules determine it.
    ///   - converter: The converter that is listed with it.
    func row<Value>(
        _ name: String, _ access: FieldAccess<Value>, at key: PropertyKey? = nil, by converter: (any Converter)? = nil
    ) throws(InvalidModel) -> PropertyRow {
        let key = key ?? rules.propertyKeys[name] ?? .init(rules.keyStrategy.jsonKey(forProperty: name))
        let type = Value.self
        // One plan for all properties of a common type, whose making takes half of the time of a row.
        if isPlain, converter == nil, !rules.converts(name), KnownTypes.contains(type),
            let plan = try TableVariant.standard.plan(for: type)?.plan
        {
            let shown = rules.redacted.contains(name) ? plan.redacted : plan
            let values = TypedValues(access, shown, limits: (nil, nil), rule: try boundRule(for: name, type))
            return PropertyRow(name, at: key, by: rules, values, tagged: nil)
        }
        let converter = converter ?? rules.converters[name]
        var planRules = planRules
        if let format = rules.propertyDateFormats[name] {
            planRules.dates = try PropertyTableBuilder.dates(
                ("propertyDateFormats", .formats([format])), of: model, name)
        }
        let rule = rules.converters[name] == nil ? listName : "propertyConverters"
        if let reason = converter?.ownFault {
            throw fault(name, "\(rule) gives \(name) a converter that cannot be used: \(reason)")
        }
        let builder = PlanBuilder(converter: converter, rules: planRules, isTagged: rules.dynamicTypes[name] != nil)
        let plan = try builder.plan(for: type)
        if let converter, !builder.isConverterUsed {
            throw fault(
                name,
                "\(rule) gives \(name) a converter for \(TypeShape.name(PropertyTableBuilder.valueType(converter))), but the "
                    + "property is of type \(TypeShape.name(type)); use a converter for that type, for what it wraps or for its elements"
            )
        }
        try checkDynamicTypes(name, builder)
        if name == rules.unknownKeysProperty, type != [String: JSONValue].self {
            throw fault(name, "unknownKeysProperty names \(name), which must be of the type [String: JSONValue]")
        }
        if plan?.held == AbstractModel.self, rules.dynamicTypes[name] == nil, !rules.ignored.contains(name) {
            throw fault(
                name,
                "its property \(name) is of the class AbstractModel itself, which has no properties to map; declare a subclass, or "
                    + "name it in ignoredProperties")
        }
        if rules.propertyDateFormats[name] != nil, converter == nil, plan != nil, !builder.holdsDates {
            throw fault(
                name, "propertyDateFormats gives \(name) a format, but its type \(TypeShape.name(type)) holds no dates")
        }
        let shown = rules.redacted.contains(name) ? plan?.redacted : plan
        let limits = plan == nil ? (type, type) : builder.limits
        let values = TypedValues(access, shown ?? .unconvertible, limits: limits, rule: try boundRule(for: name, type))
        let flattening = rules.flattened.isEmpty ? nil : try flattening(name, plan, access, builder)
        let place = flattening.map { PropertyKey(places: $0.places) } ?? key
        return PropertyRow(name, at: place, by: rules, values, tagged: builder.taggedClass, flattening)
    }

    /// The rule that a property's values must obey.
    private func boundRule(for name: String, _ type: Any.Type) throws(InvalidModel) -> RuleForm.Bound? {
        guard let form = rules.propertyRules[name]?.form else { return nil }
        if name == rules.unknownKeysProperty {
            throw fault(name, "propertyRules names \(name), which takes unknown keys; check those in validateModel(_:)")
        }
        if let reason = form.fault { throw fault(name, "propertyRules gives \(name) \(reason)") }
        do throws(RuleMismatch) {
            return (form, try form.bound(to: type))
        } catch {
            throw fault(
                name,
                "propertyRules gives \(name) a rule for \(error.fitting), but the property is of type "
                    + "\(TypeShape.name(type)); use a rule for that type, or .each for its elements")
        }
    }

    /// Checks the rule that gives a property's objects their classes.
    private func checkDynamicTypes(_ name: String, _ builder: PlanBuilder) throws(InvalidModel) {
        guard let rule = rules.dynamicTypes[name] else { return }
        guard let declared = builder.taggedClass else {
            throw fault(
                name,
                "dynamicPropertyTypes names \(name), which holds no models; declare it as a model, or a collection of models"
            )
        }
        if let reason = rule.types.fault(outside: declared, in: "dynamicPropertyTypes") { throw fault(name, reason) }
    }

    private static func valueType<C: Converter>(_ converter: C) -> Any.Type { C.Value.self }

    /// The converter for dates of a form, with its plan; nil for the default.
    private static func dates(
        _ form: ClassRules.Dates?, of model: AbstractModel.Type, _ property: String? = nil
    ) throws(InvalidModel) -> AnyConverter<Date>? {
        guard let form else { return nil }
        if let fault = form.converter.ownFault {
            throw InvalidModel(model, of: property, "\(form.rule) cannot be used: \(fault)")
        }
        return AnyConverter(plan: form.converter.plan)
    }

    // MARK: Keys

    /// Checks that no two properties share a strategy-made key, and that paths begin with a key.
    private func checkKeys(_ rows: [PropertyRow], listed: Set<String>) throws(InvalidModel) {
        var owners = [String: String](minimumCapacity: rows.count)
        for row in rows where row.isRead || row.isWritten {
            guard rules.propertyKeys[row.name] == nil, row.flattening == nil, !listed.contains(row.name),
                case .key(let key)? = row.places.first?.first
            else { continue }
            let made = String(distinguishing: rules.foldsKeys ? KeyStrategy.folded(key.utf8) : Array(key.utf8))
            guard let other = owners.updateValue(row.name, forKey: made) else { continue }
            throw fault(
                row.name,
                other == row.name
                    ? "two classes of its chain have a property \(row.name), and no rule can tell them apart; rename one, or "
                        + "ignore both"
                    : "\(other) and \(row.name) both have the key \(key.quotedForMessage); give one of them "
                        + "another in propertyKeys, or ignore one")
        }
    }

    /// Checks that every place begins with a key.
    ///
    /// - Parameter listed: The properties whose keys the class lists with key paths.
    func checkPlaces(_ rows: [PropertyRow], listed: Set<String>) throws(InvalidModel) {
        for row in rows where row.flattening == nil && !row.key.isOneKey {
            let rule = listed.contains(row.name) ? listName : "propertyKeys"
            let places = row.places + [row.key.writtenPlace]
            guard !row.places.isEmpty, places.allSatisfy({ if case .key? = $0.first { true } else { false } }) else {
                throw fault(row.name, "\(rule) gives \(row.name) no key to begin with; a path starts with a key")
            }
            guard !places.joined().contains(where: { if case .index(..<0) = $0 { true } else { false } }) else {
                throw fault(row.name, "\(rule) gives \(row.name) a negative index; indices count from 0")
            }
        }
        try checkContainers(rows)
        if !rules.flattened.isEmpty { try checkFlattened(rows) }
    }

    /// Checks that no two properties are written into the same value, one as a member and one as an element.
    private func checkContainers(_ rows: [PropertyRow]) throws(InvalidModel) {
        // Without paths, all are members of the object itself.
        guard rows.contains(where: { $0.isWritten && $0.flattening == nil && $0.key.writtenPlace.count > 1 }) else {
            return
        }
        var owners: [[JSONPath.Step]: (name: String, isObject: Bool)] = [:]
        for row in rows where row.isWritten && row.flattening == nil {
            for (depth, step) in row.key.writtenPlace.enumerated() {
                let isObject = if case .key = step { true } else { false }
                let container = Array(row.key.writtenPlace[..<depth])
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

    /// The rule that lists properties by key paths.
    var listName: String { explicit == nil ? "additionalKeyPaths" : "keyPathTable" }

    func fault(_ property: String, _ reason: String) -> InvalidModel { InvalidModel(model, of: property, reason) }
}

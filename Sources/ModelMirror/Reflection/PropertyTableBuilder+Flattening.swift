/// How the value of a flattened property is found in the object around it.
struct Flattening {
    /// The class of a model, whose members are taken; nil for all members that no other property takes.
    var model: (any MappedModel.Type)?
    /// The places of a model's members.
    var places: [[JSONPath.Step]] = []
    /// Whether the keys of a model's members are found in any spelling.
    var isFlexible = false
    /// The members of a dictionary.
    var members: (AbstractModel) -> [FlattenedMember] = { _ in [] }

    /// Whether it takes the members that no other property takes.
    var isRest: Bool { model == nil }
}

/// A member of a flattened dictionary.
typealias FlattenedMember = (key: String, write: (inout JSONWriter, WritingSink) -> Void)

/// Properties whose members stand in the object around them.
extension PropertyTableBuilder {
    /// How a property is flattened; nil if it has an object of its own.
    ///
    /// - Parameter plan: The plan of the property's type, made by the builder.
    func flattening<Value>(
        _ name: String, _ plan: TypePlan<Value>?, _ access: FieldAccess<Value>, _ builder: PlanBuilder
    ) throws(InvalidModel) -> Flattening? {
        guard rules.flattened.contains(name) else { return nil }
        for (rule, isNamed) in [
            ("propertyKeys", rules.propertyKeys[name] != nil),
            ("dynamicPropertyTypes", rules.dynamicTypes[name] != nil),
            ("unknownKeysProperty", rules.unknownKeysProperty == name), ("keyPathTable", explicit != nil),
        ] where isNamed {
            throw fault(
                name, "flattenedProperties names \(name), which \(rule) gives a place of its own; leave it to one")
        }
        let wrapped = (Value.self as? any OptionalType.Type)?.wrappedType ?? Value.self
        func list<Member>(_: Member.Type) throws(InvalidModel) -> ((AbstractModel) -> [FlattenedMember])? {
            guard wrapped == [String: Member].self, let plan = try builder.plan(for: Member.self) else { return nil }
            return { object in
                let values = access.load(object) as? [String: Member] ?? [:]
                return values.ordered { $0.key.precedes($1.key) }.map { key, value in
                    (key, { plan.write(value, &$0, $1) })
                }
            }
        }
        if let dictionary = wrapped as? any RuleMembers.Type, let members = try list(dictionary.memberType) {
            guard rules.unknownKeysProperty == nil else {
                throw fault(
                    name,
                    "\(name) and the unknownKeysProperty would both keep the keys that no other property reads; remove one of them"
                )
            }
            return Flattening(members: members)
        }
        guard let plan, !plan.isCollection, let held = plan.held as? any MappedModel.Type else {
            throw fault(
                name,
                "flattenedProperties names \(name) of type \(TypeShape.name(Value.self)); only a model and a dictionary with "
                    + "String keys have members")
        }
        guard !flattens(held, [ObjectIdentifier(model)]) else {
            throw fault(
                name, "\(name) would be flattened into itself, without an end; leave one of its classes an object")
        }
        return try flattening(name, held)
    }

    private func flattening(_ name: String, _ held: any MappedModel.Type) throws(InvalidModel) -> Flattening {
        var flattening = Flattening(model: held)
        func add(_ places: [[JSONPath.Step]]) { flattening.places += places.filter { !flattening.places.contains($0) } }
        for model in PropertyTableBuilder.classes(of: held) {
            let choice = model.dynamicChoice
            if choice?.hasFunction == true {
                throw fault(
                    name,
                    "\(name) cannot be flattened, since a function chooses the class of \(model), whose keys must be known; list the "
                        + "classes in dynamicTypes, or leave it an object")
            }
            if let choice { add(choice.place().places) }
            let table = try table(model.init())
            if let taker = (table.unknownKeysRow ?? table.restRow).map({ table.rows[$0] }) {
                throw fault(
                    name,
                    "\(taker.name) of \(model) takes unknown keys, which it cannot tell from those of \(self.model); move it there"
                )
            }
            if !table.isFlexible.isEmpty { flattening.isFlexible = true }
            for row in table.rows where row.isRead || row.isWritten { add(table.places(of: row) + row.otherPlaces) }
        }
        guard !flattening.places.isEmpty else {
            throw fault(name, "flattenedProperties names \(name), whose class \(held) has no properties to map")
        }
        return flattening
    }

    /// A class, and those that names in its objects choose, which may choose again.
    private static func classes(of held: AbstractModel.Type) -> [AbstractModel.Type] {
        var found = [held]
        var next = 0
        while next < found.count {
            let named = found[next].dynamicChoice?.names.classes ?? []
            for type in named where !found.contains(where: { $0 == type }) { found.append(type) }
            next += 1
        }
        return found
    }

    /// Whether a class is one of some classes, or flattens one, itself or through others.
    private func flattens(_ type: AbstractModel.Type, _ outer: Set<ObjectIdentifier>) -> Bool {
        let chosen = PropertyTableBuilder.classes(of: type)
        // A class that names in the objects of another choose is not inside that one.
        let inner = outer.union(chosen.map { ObjectIdentifier($0) })
        if inner.count < outer.count + chosen.count { return true }
        return chosen.contains { type in
            let names = Set(type.lineage.flatMap { $0.flattenedProperties })
            guard !names.isEmpty else { return false }
            return (RuntimeFields.of(type) ?? []).contains { field in
                guard names.contains(field.name) || names.contains(String(field.name.dropFirst())) else { return false }
                let wrapped = (field.type as? any OptionalType.Type)?.wrappedType ?? field.type
                return (wrapped as? AbstractModel.Type).map { flattens($0, inner) } ?? false
            }
        }
    }

    /// Checks that no key of a flattened model is taken by another property.
    func checkFlattened(_ rows: [PropertyRow]) throws(InvalidModel) {
        let takers = rows.filter { $0.flattening?.isRest == true }
        guard takers.count <= 1 else {
            throw fault(
                takers[1].name,
                "\(takers[0].name) and \(takers[1].name) would both keep the keys that no other property reads; remove one of them"
            )
        }
        var owners: [String: PropertyRow] = [:]
        for row in rows where (row.isRead || row.isWritten) && row.flattening?.isRest != true {
            let places = row.places + [row.key.writtenPlace]
            for place in places where place.count > 1 && rules.sharedKeys.contains(place[0].text) {
                throw fault(
                    row.name,
                    "sharedKeys has the key \(place[0].text.quotedForMessage), through which a path of \(row.name) leads; only whole members "
                        + "can be shared")
            }
            let keys = Set(places.compactMap { $0.first?.text }).subtracting(rules.sharedKeys)
            for key in keys.ordered() {
                let owner = owners[key] ?? row
                owners[key] = owner
                guard owner !== row, owner.flattening != nil || row.flattening != nil else { continue }
                let writer = row.flattening == nil ? row : owner
                throw fault(
                    row.name,
                    "\(owner.name) and \(row.name) both use the key \(key.quotedForMessage) of one object; give one of them another key, "
                        + "or list this one in sharedKeys, so that both read it and \(writer.name) writes it")
            }
        }
    }
}

/// The name of a class in the place where an object has it.
struct TypeName {
    let text: String
    /// The number or the Boolean that is written in place of a string, if one is.
    let literal: JSONValue?
    /// The row that contains it; nil if no written row does.
    private(set) var row: Int?
    /// The key of a separate member, if there is no such row, and the rest of the path in it.
    private(set) var key: String
    private(set) var rest: ArraySlice<JSONPath.Step> = []
    /// The names of classes at this place, if the object is of the base class, for which any unknown name also stands; otherwise nil.
    private(set) var known: [String: AbstractModel.Type]?
    /// An object beside it, in words, that is not of the class the name leads to; nil if there is none.
    private(set) var mismatch: String?

    /// Whether another value of the key also leads to the object's class, because it names no class.
    func isReplaceable(by value: JSONValue) -> Bool {
        guard let known else { return false }
        return value[JSONPath(Array(rest))]?.typeName.map { known[$0] == nil } ?? true
    }

    /// Whether it is written where another name is.
    private func isAtPlace(of other: TypeName) -> Bool { row == other.row && key == other.key && rest == other.rest }

    var json: JSONValue { literal ?? .string(text) }

    /// The value of its own member: the name, inside of what the rest of the path leads through.
    var member: JSONValue {
        rest.reversed().reduce(json) { inner, step in
            switch step {
            case .key(let key): [key: inner]
            case .index(let index): .array(Array(repeating: .null, count: index) + [inner])
            }
        }
    }
}

extension TypeName {
    /// The names that are written with an object: its own and those of the models in its properties.
    static func all(in object: AbstractModel, _ table: PropertyTable) -> [TypeName] {
        var names = (object as? any DynamicTypeModel).map { own(of: $0, table) } ?? []
        guard table.hasDynamicProperties else { return names }
        var nameless: [(model: AbstractModel, rule: DynamicPropertyTypes, held: TypeName)] = []
        // Several models and properties may share one name, if it leads to the classes of all.
        func add(_ name: TypeName, _ model: AbstractModel, _ rule: DynamicPropertyTypes, isHeld: Bool = false) {
            let index = names.firstIndex { $0.isAtPlace(of: name) }
            if index == nil, !isHeld { return names.append(name) }
            let text = index.map { names[$0].text } ?? name.text
            guard !isHeld || rule.types[text] != nil, !rule.leads(text, to: model) else { return }
            if index == nil { names.append(name) }
            names[index ?? names.count - 1].mismatch = "\(type(of: model)) with the name \(text.quotedForMessage)"
        }
        for row in table.rows where row.isWritten {
            guard let rule = row.dynamicTypes, case let place = rule.key.writtenPlace, case .key(let key)? = place.first
            else { continue }
            let number = table.rows.firstIndex { $0.isWritten && $0.flattening == nil && $0.key.writtenPlace == place }
            for model in rule.models(in: row.values.value(of: object)) {
                let fitting = rule.names(of: model)
                let held = fitting.isEmpty ? [number.flatMap { table.rows[$0].typeName(heldBy: object) } ?? ""] : []
                guard var name = name(of: fitting + held, row: number, key: key, object, table) else { continue }
                if name.row == nil { name.rest = place.dropFirst() }
                if rule.fallback == .baseClass, rule.declared == type(of: model) { name.known = rule.types }
                if held.isEmpty { add(name, model, rule) } else { nameless.append((model, rule, name)) }
            }
        }
        // What the place of a name holds is written for a class without one, after the names of others.
        for (model, rule, held) in nameless { add(held, model, rule, isHeld: true) }
        return names
    }

    /// The names that say which subclass an object is, one for each class that declares names, the object's own last;
    /// empty if its class has no name.
    @inline(never)
    private static func own(of object: some DynamicTypeModel, _ table: PropertyTable) -> [TypeName] {
        var choices: [DynamicTypeChoice] = []
        for choice in sequence(first: DynamicTypeChoice.of(type(of: object)), next: \.outer)
        where choices.last?.declares(sameAs: choice) != true { choices.append(choice) }
        // An outer choice leads to the class that declares the next inner choice; the innermost leads to the object's class.
        var chosen: AbstractModel.Type = type(of: object)
        var result: [TypeName] = []
        for choice in choices where choice.hasNames {
            let named = chosen.lineage.first { type in
                choice === choices[0] || choice.names.values.contains { $0 == type }
            }
            guard let type = named, var name = name(of: type, choice, object, table) else { continue }
            if choice.fallback == .baseClass, choice.declaring == type { name.known = choice.names }
            result.insert(name, at: 0)
            chosen = type
        }
        return result
    }

    @inline(never)
    private static func name(
        of type: AbstractModel.Type, _ choice: DynamicTypeChoice, _ object: AbstractModel, _ table: PropertyTable
    ) -> TypeName? {
        let names = choice.names.filter { $0.value == type }.keys.ordered()
        guard let number = table.rows.firstIndex(where: { $0.name == choice.typeNameProperty }) else {
            guard let text = names.first else { return nil }
            let literal = choice.model.typeNamesAreLiterals ? JSONValue.literal(ofTypeName: text) : nil
            return TypeName(text: text, literal: literal, row: nil, key: choice.typeNameProperty)
        }
        let row = table.rows[number]
        guard var name = name(of: names, row: number, key: row.name, object, table) else { return nil }
        if !row.isWritten, case .key(let key)? = row.places[0].first {
            (name.row, name.key, name.rest) = (nil, key, row.places[0].dropFirst())
        }
        return name
    }

    /// One of several names for a class: the one that the object's property holds, otherwise the first.
    ///
    /// - Parameter row: The property that holds it; nil if there is none.
    @inline(never)
    private static func name(
        of names: [String], row: Int?, key: String, _ object: AbstractModel, _ table: PropertyTable
    ) -> TypeName? {
        guard let first = names.first else { return nil }
        guard let row else { return TypeName(text: first, literal: nil, row: nil, key: key) }
        let name = table.rows[row].typeName(heldBy: object).flatMap { names.contains($0) ? $0 : nil } ?? first
        let literal = isText(table.rows[row].values.type) ? nil : JSONValue.literal(ofTypeName: name)
        return TypeName(text: name, literal: literal, row: row, key: key)
    }

    /// Whether values of a type are strings in JSON.
    private static func isText(_ type: Any.Type) -> Bool {
        let type = (type as? any OptionalType.Type)?.wrappedType ?? type
        if let raw = type as? any RawRepresentable.Type { return isText(raw.rawType) }
        return !(type is any BinaryInteger.Type) && type != Bool.self
    }
}

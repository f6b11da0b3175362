/// Gathers the definitions of all models that a schema refers to, each once, so that recursive classes come to an end.
final class SchemaBuilder {
    private(set) var definitions: [String: JSONValue] = [:]
    /// What is wrong with a class, if one cannot be mapped.
    private(set) var fault: InvalidModel?
    /// The names given, since two classes may print alike.
    private var names: [ObjectIdentifier: String] = [:]

    /// The schema of a value that may be null.
    func nullable(_ schema: JSONValue) -> JSONValue {
        schema == [:] ? schema : ["anyOf": [schema, ["type": "null"]]]
    }

    /// A reference to the definition of a class, or of its dynamic types.
    func reference(to model: any MappedModel.Type) -> JSONValue {
        guard let dynamic = model as? any DynamicTypeModel.Type else { return definition(of: model) }
        let name = self.name(of: model) + ".dynamic"
        if definitions[name] == nil {
            definitions[name] = [:]
            definitions[name] = alternatives(of: dynamic)
        }
        return ["$ref": .string("#/$defs/" + name)]
    }

    private func definition(of model: any MappedModel.Type) -> JSONValue {
        let name = self.name(of: model)
        if definitions[name] == nil {
            // Known before it is made: a class that refers to itself finds this.
            definitions[name] = [:]
            definitions[name] = object(model)
        }
        return ["$ref": .string("#/$defs/" + name)]
    }

    private func name(of model: any MappedModel.Type) -> String {
        let identity = ObjectIdentifier(model)
        if let known = names[identity] { return known }
        // A reference is a JSON pointer in a URI: only what is safe there.
        let plain = String("\(model)".map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "." })
        var name = plain
        var number = 2
        while names.values.contains(name) {
            name = "\(plain)\(number)"
            number += 1
        }
        names[identity] = name
        return name
    }

    // MARK: Objects

    private func object(_ model: any MappedModel.Type) -> JSONValue {
        let table: PropertyTable
        do throws(InvalidModel) {
            table = try PropertyTableCache.table(for: model.init())
        } catch {
            fault = fault ?? error
            return [:]
        }
        var root = Members()
        var rules: [JSONValue] = []
        for row in table.rows where row.isRead {
            let schema = row.schema(self)
            for place in row.places { root.add(required(row, schema), at: place[...]) }
            if row.isRequired { rules.append(presence(of: row.places)) }
        }
        guard case .object(var schema) = root.schema else { return root.schema }
        if !rules.isEmpty { schema["allOf"] = .array(rules) }
        return .object(schema)
    }

    /// A required property may not be null either.
    private func required(_ row: PropertyRow, _ schema: JSONValue) -> JSONValue {
        guard row.isRequired, case .object(let members) = schema, case .array(let kinds)? = members["anyOf"],
            kinds.count == 2, kinds[1] == ["type": "null"]
        else { return schema }
        return kinds[0]
    }

    /// That one of the places of a required property is there.
    private func presence(of places: [[JSONPath.Step]]) -> JSONValue {
        let ways = places.map { presence(of: $0[...]) }
        return ways.count == 1 ? ways[0] : ["anyOf": .array(ways)]
    }

    private func presence(of place: ArraySlice<JSONPath.Step>) -> JSONValue {
        switch place.first {
        case nil: return [:]
        case .key(let key)?:
            let rest = presence(of: place.dropFirst())
            let schema: [String: JSONValue] = ["type": "object", "required": [.string(key)]]
            return .object(rest == [:] ? schema : schema.merging(["properties": [key: rest]]) { $1 })
        case .index(let index)?:
            return ["type": "array", "minItems": .number(JSONNumber(index + 1))]
        }
    }

    // MARK: Dynamic types

    private func alternatives(of model: any DynamicTypeModel.Type) -> JSONValue {
        let choice = DynamicTypeChoice(model)
        guard let key = choice.place(for: model).key else { return ["type": "object"] }
        func tagged(_ schema: JSONValue, _ tag: JSONValue, isRequired: Bool) -> JSONValue {
            var condition: [String: JSONValue] = ["type": "object", "properties": [key: tag]]
            if isRequired { condition["required"] = [.string(key)] }
            return ["allOf": [.object(condition), schema]]
        }
        let names = choice.names.keys.sorted()
        var ways = names.compactMap { name -> JSONValue? in
            choice.names[name].map {
                tagged(definition(of: $0), ["const": .string(name)], isRequired: true)
            }
        }
        let others: JSONValue = ["not": ["enum": .array(names.map(JSONValue.string))]]
        switch model.dynamicTypeFallback {
        case .baseClass: ways.append(tagged(definition(of: model), others, isRequired: false))
        case .skip: ways.append(tagged([:], others, isRequired: false))
        case .failure: break
        }
        return ["oneOf": .array(ways)]
    }
}

/// The members of an object, gathered from the places of rows.
private struct Members {
    private var schemas: [JSONValue] = []
    private var members: [String: Members] = [:]
    private var elements: [Int: Members] = [:]

    mutating func add(_ schema: JSONValue, at place: ArraySlice<JSONPath.Step>) {
        switch place.first {
        case nil: schemas.append(schema)
        case .key(let key)?: members[key, default: Members()].add(schema, at: place.dropFirst())
        case .index(let index)?: elements[index, default: Members()].add(schema, at: place.dropFirst())
        }
    }

    /// The schema of what stands here.
    var schema: JSONValue {
        var all = schemas
        if !members.isEmpty || schemas.isEmpty && elements.isEmpty {
            all.append(["type": "object", "properties": .object(members.mapValues(\.inner))])
        }
        if let last = elements.keys.max() {
            all.append(["type": "array", "prefixItems": .array((0...last).map { elements[$0]?.inner ?? [:] })])
        }
        return all.count == 1 ? all[0] : ["allOf": .array(all)]
    }

    /// The same inside of an object that is looked into only by paths, for which null on the way counts as null.
    private var inner: JSONValue {
        guard schemas.isEmpty else { return schema }
        return ["anyOf": [schema, ["type": "null"]]]
    }
}

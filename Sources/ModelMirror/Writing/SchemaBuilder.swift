extension MappedModel {
    /// The JSON Schema (draft 2020-12) of the documents that strict mapping of this class accepts.
    ///
    /// Nested and recursive models are defined under `$defs`; `CaseIterable` enums list their raw values; dynamic types are a
    /// `oneOf` with the type's key, or a condition on the member that names them. Values of user-defined converters and types
    /// are unrestricted, as are objects whose class a function chooses. Unknown keys are allowed, unless the options of the call or the
    /// class make them failures; keys beside a path always are. Of the spellings that ``KeyStrategy/flexible`` reads, only the property's
    /// name is described, and none is `required`.
    ///
    /// ```swift
    /// print(try Gist.jsonSchema().jsonString(options: .pretty))
    /// ```
    ///
    /// - Parameter options: Of these, the dates, keys, non-finite numbers, unknown keys and required properties apply.
    /// - Throws: ``ModelError/invalidModel(_:)`` if the class or one that it refers to cannot be mapped.
    public static func jsonSchema(options: MappingOptions = .init()) throws(ModelError) -> JSONValue {
        try SchemaBuilder.document(options) { $0.reference(to: self) }
    }
}

/// Collects the definitions of all referenced models, each once, so that recursion ends.
final class SchemaBuilder: SchemaSink {
    private(set) var definitions: [String: JSONValue] = [:]
    /// The error of a class that cannot be mapped.
    private(set) var fault: InvalidModel?
    /// The tables of the call's own table rules; kept alive by the options.
    private let variant: TableVariant?
    private let options: MappingOptions
    private let stack = StackRoom()
    /// The strictness of the enclosing object, for classes that set none.
    private var around = Strictness()

    /// The part of the strictness that a schema describes.
    private struct Strictness: Hashable {
        /// Whether unknown keys are failures.
        var isClosed = false
        /// Whether the class's members stand in the object around, whose other members it cannot refuse.
        var isOpen = false
        var requiresNonOptional = false
        /// The members that name the cases of enums beside those of a class, for a class that describes all other members.
        var caseTags: [String] = []
    }

    override var isClosed: Bool { around.isClosed }

    /// For objects of a class, inside the object around.
    private func strictness(of own: MappingOptions, _ table: PropertyTable?) -> Strictness {
        let isClosed = (options.unknownKeys ?? own.unknownKeys).map { $0 == .failures } ?? around.isClosed
        return Strictness(
            isClosed: isClosed, isOpen: around.isOpen,
            requiresNonOptional: options.requiresNonOptional ?? own.requiresNonOptional ?? around.requiresNonOptional,
            caseTags: table.map { isClosed || $0.restRow != nil || $0.isDynamic } == true ? caseTags : [])
    }

    /// A schema with the definitions that it refers to.
    static func document(
        _ options: MappingOptions, _ schema: (SchemaBuilder) -> JSONValue
    ) throws(ModelError) -> JSONValue {
        let builder = SchemaBuilder(options)
        var schema = schema(builder)
        if let fault = builder.fault { throw .invalidModel(fault) }
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        if !builder.definitions.isEmpty { schema["$defs"] = .object(builder.definitions) }
        return schema
    }

    private init(_ options: MappingOptions) {
        self.options = options
        variant = TableVariant.of(options)
        around.isClosed = options.unknownKeys == .failures
    }

    /// The names of the definitions, since two classes may have equal descriptions; a class reached under two strictnesses has two.
    private var names: [ObjectIdentifier: [Strictness: String]] = [:]

    /// A reference to the definition of a class, or of its dynamic types.
    override func reference(to model: any MappedModel.Type) -> JSONValue {
        guard let dynamic = model as? any DynamicTypeModel.Type else { return definition(of: model) }
        return definition(name(of: model) + ".dynamic") { alternatives(of: dynamic) }
    }

    private func definition(of type: any MappedModel.Type) -> JSONValue { definition(name(of: type)) { object(type) } }

    private func definition(_ name: String, _ make: () -> JSONValue) -> JSONValue {
        if definitions[name] == nil {
            // Set before it is made, for classes that refer to themselves.
            definitions[name] = [:]
            definitions[name] = make()
        }
        return ["$ref": .string("#/$defs/" + name)]
    }

    private func name(of model: any MappedModel.Type) -> String {
        let own = strictness(of: model.classOptions, try? PropertyTableCache.table(for: model.init(), variant))
        if let known = names[ObjectIdentifier(model)]?[own] { return known }
        // A reference is a JSON pointer in a URI: only safe characters.
        let plain = String("\(model)".map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "." })
        let numbered = (1...).lazy.map { $0 == 1 ? plain : "\(plain)\($0)" }
        let taken = Set(names.values.flatMap(\.values))
        let name = numbered.first { !taken.contains($0) } ?? plain
        names[ObjectIdentifier(model), default: [:]][own] = name
        return name
    }

    // MARK: Objects

    private func object(_ model: any MappedModel.Type) -> JSONValue {
        let table: PropertyTable
        do throws(InvalidModel) {
            guard stack.isLeft else {
                throw InvalidModel(model, "its schema is nested too deep for the thread's stack")
            }
            table = try PropertyTableCache.table(for: model.init(), variant)
        } catch {
            fault = fault ?? error
            return [:]
        }
        let (outer, strictness) = ((around, caseTags), strictness(of: table.options, table))
        around = Strictness(isClosed: strictness.isClosed, requiresNonOptional: strictness.requiresNonOptional)
        caseTags = []
        defer { (around, caseTags) = outer }
        var root = Members()
        var (rules, required): ([JSONValue], [JSONValue]) = ([], [])
        for (number, row) in table.rows.enumerated() where row.isRead {
            let places = table.places(of: row)
            let isNeeded = row.isRequired || strictness.requiresNonOptional && !row.isOptional
            if let flattening = row.flattening {
                guard let model = flattening.model else { continue }
                // The members of a flattened model may all be missing, unless the property must have a value.
                around.isOpen = true
                let (members, present) = (reference(to: model), presence(of: places))
                around.isOpen = false
                rules.append(isNeeded ? ["allOf": [present, members]] : ["anyOf": [["not": present], members]])
                continue
            }
            for (condition, var value) in values(of: row) {
                if table.redacted.contains(number) { value.schema = value.schema.asPassword }
                // Requires a value at one of the places, which is not null.
                let needed: JSONValue = ["allOf": [value.schema, ["not": ["type": "null"]]]]
                let fitting = row.key.isFirstFitting ? places.map { self.condition(at: $0[...], needed) } : []
                let others = condition.map { [JSONValue.object(["not": $0])] } ?? []
                let rule = row.values.rule?.form.schema(for: row, in: value.schema) ?? [:]
                if fitting.isEmpty {
                    value.schema = value.schema.with(rule)
                } else if !rule.isEmpty {
                    // It is about the first that fits, and has no say in the choice.
                    rules += fitting.indices.map { rank in
                        let chosen = self.condition(at: places[rank][...], .object(rule))
                        return ["anyOf": .array(others + fitting[..<rank] + [["not": fitting[rank]], chosen])]
                    }
                }
                if condition == nil, fitting.isEmpty {
                    add(value, at: places, to: &root, &rules)
                    continue
                }
                var (alone, more) = (Members(), [JSONValue]())
                add(value, at: places, to: &alone, &more)
                let all: JSONValue = more.isEmpty ? alone.schema() : ["allOf": .array([alone.schema()] + more)]
                rules.append(["anyOf": .array(others + [all] + fitting)])
            }
            guard isNeeded else { continue }
            if table.isFlexible.contains(row.name) {
                // Any spelling will do, and `required` can only list them.
                rules += [["$comment": .string("not described: a key for \(row.name), in any spelling, is required")]]
            } else if places.count == 1, let key = places[0].onlyKey {
                // Several properties may have one key, which its bytes tell from others.
                let isListed = required.contains { $0.string?.utf8.elementsEqual(key.utf8) == true }
                if !isListed { required.append(.string(key)) }
            } else {
                rules.append(presence(of: places))
            }
        }
        var schema = root.schema()
        if let row = table.restRow {
            addRest(row, to: &schema, &rules, table, strictness.caseTags)
        } else if strictness.isClosed, !strictness.isOpen, table.unknownKeysRow == nil,
            listKeys(in: &schema, table, strictness.caseTags) != nil
        {
            schema["additionalProperties"] = false
        }
        for (key, all) in [("required", required), ("allOf", rules)] where !all.isEmpty { schema[key] = .array(all) }
        return schema
    }

    /// Describes a dictionary whose members are those of the object that no property takes.
    private func addRest(
        _ number: Int, to schema: inout JSONValue, _ rules: inout [JSONValue], _ table: PropertyTable, _ tags: [String]
    ) {
        guard let taken = listKeys(in: &schema, table, tags) else { return }
        let row = table.rows[number]
        let items = row.values.schema(self).dictionaryItems
        schema["additionalProperties"] = table.redacted.contains(number) ? items.asPassword : items
        for form in row.values.rule?.form.parts ?? [] {
            var rule = form.schema(for: row, in: items)
            if let names = rule.removeValue(forKey: "propertyNames") {
                rules.append(["propertyNames": self.names(fitting: names, or: taken)])
            } else if let item = rule.removeValue(forKey: "additionalProperties")?.object {
                schema["additionalProperties"] = schema["additionalProperties"]?.with(item)
            } else if !rule.isEmpty {
                // Keywords count the other members, too.
                rules.append(.object(form.comment(for: row.values.type)))
            }
        }
    }

    /// Lists all keys that properties take, so that others can be described.
    ///
    /// - Returns: the keys, sorted; nil if they are found in any spelling.
    private func listKeys(in schema: inout JSONValue, _ table: PropertyTable, _ tags: [String]) -> [String]? {
        guard table.isFlexible.isEmpty else {
            let others = table.restRow != nil ? "must fit the rules for them" : "are refused"
            schema["$comment"] = .string("not described: keys that no property takes, in any spelling, \(others)")
            return nil
        }
        var properties = schema["properties"]?.object ?? [:]
        var places = table.rows.flatMap { table.places(of: $0) + $0.otherPlaces }
        places += table.model.lineage.compactMap { $0.dynamicChoice }.flatMap { $0.place(variant).places }
        places += tags.map { [.key($0)] }
        for case .key(let key)? in places.map(\.first) where properties[key] == nil { properties[key] = [:] }
        schema["properties"] = .object(properties)
        return properties.keys.sorted()
    }

    /// Adds the values of a property at its places; what a member alone cannot express becomes a rule.
    private func add(
        _ value: Members.Value, at places: [[JSONPath.Step]], to root: inout Members, _ rules: inout [JSONValue]
    ) {
        for (rank, place) in places.enumerated() {
            if rank == 0, places.count == 1 || place.count == 1 {
                root.add(value, at: place[...])
                continue
            }
            var alone = Members()
            alone.add(value, at: place[...])
            // A scalar on the path of the first place makes it absent; another counts only if no preferred one is present.
            let others =
                rank == 0
                ? [["not": condition(at: place[...], orNull: true)]]
                : places[..<rank].map { condition(at: $0[...], orNull: true) }
            rules.append(["anyOf": .array(others + [alone.schema()])])
        }
    }

    /// The values of a property, with the condition for each if a member beside it names their class.
    private func values(of row: PropertyRow) -> [(condition: JSONValue?, value: Members.Value)] {
        guard let rule = row.dynamicTypes else { return [(nil, value(of: row) { _ in [:] })] }
        func other(_ declared: any MappedModel.Type) -> JSONValue {
            switch rule.fallback {
            case .baseClass: declared == AbstractModel.self ? ["type": "object"] : reference(to: declared)
            case .failure: ["not": [:]]
            case .skip: ["type": "object"]
            }
        }
        // A name at one of several places is unrestricted.
        guard rule.key.places.count == 1, let place = rule.key.places.first else {
            return [(nil, value(of: row) { _ in ["type": "object"] })]
        }
        func named(_ names: [String]) -> JSONValue { condition(at: place[...], typeNames(names)) }
        let known = rule.types.ordered { $0.key < $1.key }
        return known.map { name, type in (named([name]), value(of: row) { [self] _ in reference(to: type) }) }
            + [(.object(["not": named(known.map(\.key))]), value(of: row, other))]
    }

    /// The values that strict mapping accepts for a property; without null, unless null is accepted.
    ///
    /// - Parameter tagged: The schema of a model whose class a member beside the property names.
    private func value(of row: PropertyRow, _ tagged: @escaping (any MappedModel.Type) -> JSONValue) -> Members.Value {
        let outer = self.tagged
        self.tagged = tagged
        defer { self.tagged = outer }
        let schema = row.values.schema(self)
        if row.isNullable { return (schema, true) }
        if schema == [:] { return (["not": ["type": "null"]], false) }
        // A required property may have an Optional type and still must not be null.
        guard row.isOptional, let kinds = schema["anyOf"]?.array, kinds.count == 2, kinds[1] == ["type": "null"] else {
            return (schema, false)
        }
        return (kinds[0], false)
    }

    /// Requires one of the places of a required property.
    private func presence(of places: [[JSONPath.Step]]) -> JSONValue {
        let ways = places.map { condition(at: $0[...]) }
        return ways.count == 1 ? ways[0] : ["anyOf": .array(ways)]
    }

    // MARK: Dynamic types

    private func alternatives(of model: any DynamicTypeModel.Type) -> JSONValue {
        let choice = DynamicTypeChoice.of(model)
        let places = choice.place(variant)
        // Functions, keys in any spelling and several places are unrestricted.
        guard !choice.hasFunction, places.places.count == 1, !places.isFolded else { return ["type": "object"] }
        let place = places.places[0]
        func tagged(_ schema: JSONValue, _ tag: JSONValue, isRequired: Bool = true) -> JSONValue {
            ["allOf": [condition(at: place[...], tag, isRequired: isRequired), schema]]
        }
        let known = choice.names.ordered { $0.key < $1.key }
        // A subclass inherits the names of others.
        var ways = known.filter { $0.value.isSubclass(of: model) }.map { name, type in
            // It may choose again.
            tagged(choice.choice(of: type) == nil ? definition(of: type) : reference(to: type), typeNames([name]))
        }
        let others: JSONValue = ["not": typeNames(known.map(\.key))]
        switch model.dynamicTypeFallback {
        case .baseClass: ways.append(tagged(definition(of: model), others, isRequired: false))
        case .skip: ways.append(tagged([:], others, isRequired: false))
        case .failure: break
        }
        return ["oneOf": .array(ways)]
    }

    /// Requires a value at a place, and a schema for it; unless required, only if it is present.
    ///
    /// - Parameter orNull: Whether a null on the way will do, as it takes precedence over places of lower rank.
    private func condition(
        at place: ArraySlice<JSONPath.Step>, _ schema: JSONValue = [:], isRequired: Bool = true, orNull: Bool = false
    ) -> JSONValue {
        guard let step = place.first else { return schema }
        var rest = condition(at: place.dropFirst(), schema, isRequired: isRequired, orNull: orNull)
        if orNull, place.count > 1 { rest = ["anyOf": [["type": "null"], rest]] }
        var condition: [String: JSONValue] = [:]
        switch step {
        case .key(let key):
            if rest != [:] { condition["properties"] = [key: rest] }
            if isRequired { condition["required"] = [.string(key)] }
            if isRequired || place.startIndex == 0 { condition["type"] = "object" }
        case .index(let index):
            if rest != [:] { condition["prefixItems"] = .array(Array(repeating: [:], count: index) + [rest]) }
            if isRequired { (condition["minItems"], condition["type"]) = (.number(JSONNumber(index + 1)), "array") }
        }
        return .object(condition)
    }
}

/// The members of an object, collected from the places of rows.
private struct Members {
    typealias Value = (schema: JSONValue, isNullable: Bool)

    private var values: [Value] = []
    private var members: [String: Members] = [:]
    private var elements: [Int: Members] = [:]

    mutating func add(_ value: Value, at place: ArraySlice<JSONPath.Step>) {
        switch place.first {
        case nil: values.append(value)
        case .key(let key)?: members[key, default: Members()].add(value, at: place.dropFirst())
        case .index(let index)?: elements[index, default: Members()].add(value, at: place.dropFirst())
        }
    }

    /// - Parameter isInside: Whether this is a place inside the object; null there counts as null at the end of each path
    ///   through it.
    func schema(isInside: Bool = false) -> JSONValue {
        var containers: [JSONValue] = []
        if !members.isEmpty || values.isEmpty && elements.isEmpty {
            let properties = members.mapValues { $0.schema(isInside: true) }
            containers.append(["type": "object", "properties": .object(properties)])
        }
        if let last = elements.keys.max() {
            let items = (0...last).map { elements[$0]?.schema(isInside: true) ?? [:] }
            containers.append(["type": "array", "prefixItems": .array(items)])
        }
        if isInside, isNullableInside { containers = containers.map { ["anyOf": [$0, ["type": "null"]]] } }
        let all = values.map(\.schema) + containers
        return all.count == 1 ? all[0] : ["allOf": .array(all)]
    }

    /// Whether all rows at this place or inside it accept null.
    private var isNullable: Bool { values.allSatisfy(\.isNullable) && isNullableInside }

    private var isNullableInside: Bool {
        members.values.allSatisfy(\.isNullable) && elements.values.allSatisfy(\.isNullable)
    }
}

extension JSONValue {
    /// This schema with the keywords of a rule.
    fileprivate func with(_ rule: [String: JSONValue]) -> JSONValue {
        guard case .object(let schema) = self else { return self }
        if rule.keys.allSatisfy({ schema[$0] == nil }) { return .object(schema.merging(rule) { $1 }) }
        return ["allOf": [self, .object(rule)]]
    }

    /// The schema of the members in this schema of a dictionary or its Optional.
    fileprivate var dictionaryItems: JSONValue {
        self["additionalProperties"] ?? self["anyOf"]?.array?.first?.dictionaryItems ?? [:]
    }

    /// This schema of a value that is never shown: strings are passwords.
    fileprivate var asPassword: JSONValue {
        var schema = self
        if let kinds = schema["anyOf"]?.array { schema["anyOf"] = .array(kinds.map(\.asPassword)) }
        if schema["type"] == "string", schema["format"] == nil { schema["format"] = "password" }
        return schema
    }
}

extension RuleForm {
    /// The keywords of this rule, beside the schema of a row's values.
    fileprivate func schema(for row: PropertyRow, in schema: JSONValue) -> [String: JSONValue] {
        // What a converter or the type's own code reads may look otherwise in JSON.
        let isOwn = schema["$comment"] == nil && !row.hasConverter
        return isOwn ? self.schema(for: row.values.type) : comment(for: row.values.type)
    }
}

/// What schemas require besides the types and rules of properties.
extension SchemaShapes {
    /// Notes the schema of a record. Two that make the same record have no conditions, since each would break the other's.
    mutating func note(_ schema: Sample?, of record: Int) {
        if let schema, origins[record] == nil || origins[record] == schema {
            origins[record] = schema
        } else {
            origins[record] = .null
        }
    }

    /// Adds the conditions of the records, whose members are all known.
    mutating func addConditions() {
        let bases = Set(graph.records.compactMap(\.base))
        for (number, schema) in origins where !schema.isNull {
            let record = graph.records[number]
            guard record.base == nil, record.union == nil, !bases.contains(number) else { continue }
            graph.records[number].conditions =
                conditions(schema, .record(number), ValueRules(), isOwn: true).withoutRepeats
        }
    }

    /// The conditions for the values of a schema that neither a shape nor its rules express.
    private mutating func conditions(
        _ schema: Sample, _ shape: ValueShape, _ rules: ValueRules, isOwn: Bool = false
    ) -> [String] {
        if case .optional(let inner) = shape { return conditions(schema, inner, rules) }
        // A class has conditions of its own.
        if case .record = shape, !isOwn { return [] }
        // A rule refuses all values.
        if schema.members == nil { return [] }
        var (parts, seen): ([Sample], Set<String>) = ([], [])
        guard collect(schema, into: &parts, &seen), let merged = try? flattened(schema) else { return [] }
        let condition = SchemaCondition(document)
        var all: [String] = []
        let allowsNull = merged["nullable"]?.isTrue == true && !isOwn
        for (index, part) in parts.enumerated() {
            let context = Context(
                shape: shape, rules: rules, merged: merged, isAlone: parts.count == 1,
                isOuter: index == 0 && part == schema)
            for keyword in part.members ?? [] {
                let found: [String] =
                    switch covered(keyword, of: part, context) {
                    case .whole: []
                    case .none: condition.text(keyword.key, of: part, isExact: false).map { [$0] } ?? []
                    case .inside: inner(keyword, shape, rules)
                    }
                all += found.filter { $0 != "true" && $0.utf8.count <= SchemaCondition.longest }
                    .map { allowsNull ? "(value.isNull || \($0))" : $0 }
            }
        }
        return all
    }

    /// The schemas that must all hold: one, the targets of its references and those of `allOf`; each reference once.
    private func collect(_ schema: Sample, into parts: inout [Sample], _ seen: inout Set<String>) -> Bool {
        guard let members = schema.members else {
            if schema.isFalse { parts.append(.object([Sample.Member(key: "not", value: .object([]))])) }
            return true
        }
        if members.contains(where: { $0.key != "$ref" && $0.key != "allOf" }) { parts.append(schema) }
        guard parts.count < 100 else { return false }
        if let reference = schema["$ref"]?.text.map(document.local), seen.insert(reference).inserted {
            guard let target = try? document.value(at: reference), collect(target, into: &parts, &seen) else {
                return false
            }
        }
        return (schema["allOf"]?.elements ?? []).allSatisfy { collect($0, into: &parts, &seen) }
    }

    private enum Cover { case whole, inside, none }

    /// What is known about the values of a schema.
    private struct Context {
        let shape: ValueShape
        let rules: ValueRules
        /// All schemas for the values as one.
        let merged: Sample
        /// Whether there is no other schema.
        let isAlone: Bool
        /// Whether the other schemas are parts of this one.
        let isOuter: Bool

        var hasConstants: Bool { rules.own.contains { $0.contains("oneOf(") } }
    }

    /// How far a shape and its rules express a keyword.
    private mutating func covered(_ keyword: Sample.Member, of schema: Sample, _ context: Context) -> Cover {
        let (shape, rules, isAlone, hasConstants) = (
            context.shape, context.rules, context.isAlone, context.hasConstants
        )
        // Whether the schemas together have the same.
        let isSole = context.merged[keyword.key] == keyword.value
        let record: RecordShape? = if case .record(let number) = shape { graph.records[number] } else { nil }
        switch keyword.key {
        case "$ref", "allOf", "format", "minContains", "maxContains", "then", "else", "$dynamicRef": return .whole
        case "const", "enum":
            if case .enumeration = shape { return isSole ? .whole : .none }
            if case .choice = shape { return .whole }
            return hasConstants && isSole || shape == .bool && schema.constants.count > 1 ? .whole : .none
        case "type" where !isSole:
            let (all, own) = (SchemaShapes.kinds(of: context.merged), SchemaShapes.kinds(of: schema))
            return all.allSatisfy { own.contains($0) || $0 == "integer" && own.contains("number") } ? .whole : .none
        case "type", "required", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
            "minItems",
            "maxItems", "pattern":
            return shape == .any && schema["nullable"] == nil && !hasConstants ? .none : .whole
        case "multipleOf": return isSole && shape != .any ? .whole : .none
        case "minProperties", "maxProperties", "propertyNames":
            if keyword.value.isFalse { return .none }
            if case .dictionary = shape { return isSole ? .whole : .none }
            return .none
        case "uniqueItems": return rules.own.contains(".unique") ? .whole : .none
        case "properties": return record == nil ? .none : .inside
        case "items":
            if case .array = shape, schema["prefixItems"] == nil, keyword.value.members != nil { return .inside }
            return keyword.value.isFalse && isAlone && schema["prefixItems"] == nil ? .whole : .none
        case "additionalProperties":
            if case .dictionary = shape {
                if keyword.value.isFalse { return isAlone ? .whole : .none }
                return schema.patternKeys.isEmpty && schema["properties"] == nil ? .inside : .none
            }
            return keyword.value.isFalse && isAlone ? .whole : .none
        case "unevaluatedProperties":
            return record?.rejectsOtherKeys == true && (isAlone || context.isOuter) ? .whole : .none
        case "patternProperties":
            // Without another pattern, the rule for keys leaves only those of this one.
            if case .dictionary = shape, isAlone, schema["additionalProperties"]?.isFalse == true,
                schema.patternKeys.count == 1
            {
                return .inside
            }
            return .none
        case "dependentRequired", "dependencies":
            let items = SchemaShapes.dependencies(of: schema)
            guard let record, items.count == keyword.value.members?.count, isSole else { return .none }
            let required = Set(record.members.filter(\.isRequired).map(\.key))
            return items.allSatisfy { item in
                required.isSuperset(of: item.needed) || record.dependencies.contains { $0 == item }
            } ? .whole : .none
        case "anyOf", "oneOf": return coversAlternatives(keyword, context, record, isSole) ? .whole : .none
        default: return .none
        }
    }

    /// Whether a shape and its rules express `anyOf` or `oneOf`.
    private mutating func coversAlternatives(
        _ keyword: Sample.Member, _ context: Context, _ record: RecordShape?, _ isSole: Bool
    ) -> Bool {
        let ways = (keyword.value.elements ?? []).compactMap { try? flattened($0) }
        guard isSole || record != nil else { return false }
        let sets = ways.map(SchemaShapes.required)
        if SchemaShapes.onlyRequire(ways), record?.alternatives.contains(where: { $0.sets == sets }) == true {
            return true
        }
        if ways.allSatisfy({ !$0.constants.isEmpty || $0["type"]?.text == "null" }) {
            if case .enumeration = context.shape { return true }
            return context.hasConstants
        }
        // The members have the types of a way that requires none.
        let typed: Set = ["type", "properties", "title", "description"]
        let isOpen = ways.contains { way in
            (way.members ?? []).allSatisfy { typed.contains($0.key) }
                && (way["properties"]?.members ?? []).allSatisfy { member in
                    ([context.merged] + ways).allSatisfy {
                        [nil, member.value].contains($0["properties"]?[member.key])
                    }
                }
        }
        if keyword.key == "anyOf", record != nil, isOpen { return true }
        // Each way has a kind of its own, and no more than a type and its rules.
        let kinds = ways.map { SchemaShapes.kinds(of: $0) }
        let nested: Set = [
            "anyOf", "oneOf", "not", "if", "contains", "prefixItems", "properties", "required", "dependentSchemas",
            "items",
            "patternProperties", "additionalProperties", "propertyNames", "minProperties", "maxProperties",
            "uniqueItems",
        ]
        guard kinds.allSatisfy({ !$0.isEmpty }), Set(kinds.joined()).count == kinds.joined().count, record == nil,
            !(kinds.joined().contains("integer") && kinds.joined().contains("number")), context.shape != .any
        else { return false }
        let isNullable = ways.count == 2 && kinds.contains(["null"])
        return isNullable
            || ways.allSatisfy { way in
                (way.members ?? []).allSatisfy {
                    !nested.contains($0.key) || $0.key == "items" && $0.value["type"] != nil
                }
            }
    }

    /// The conditions for what a keyword says about inner values.
    private mutating func inner(_ keyword: Sample.Member, _ shape: ValueShape, _ rules: ValueRules) -> [String] {
        switch (keyword.key, shape) {
        case ("properties", .record(let number)):
            let members = Dictionary(graph.records[number].members.map { ($0.key, $0) }) { first, _ in first }
            return (keyword.value.members ?? []).flatMap { property in
                guard let member = members[property.key] else {
                    return [String]()
                }
                return conditions(property.value, member.value, member.rules).map {
                    SchemaCondition.ifThere("value[\(property.key.literal)]", $0)
                }
            }
        case ("items", .array(let element)):
            return conditions(keyword.value, element, rules.elements.first ?? ValueRules()).map {
                "(value.array ?? []).allSatisfy { value in \($0) }"
            }
        case (_, .dictionary(let element)):
            let schema = keyword.key == "patternProperties" ? keyword.value.members?.first?.value : keyword.value
            return conditions(schema ?? .null, element, rules.elements.first ?? ValueRules()).map {
                "(value.object ?? [:]).values.allSatisfy { value in \($0) }"
            }
        default: return []
        }
    }
}

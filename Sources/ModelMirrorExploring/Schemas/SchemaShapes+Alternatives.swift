/// Schemas of which one must hold: `oneOf`, `anyOf`, and subclasses with a discriminator.
extension SchemaShapes {
    /// The values that match one of several schemas.
    mutating func alternatives(
        _ ways: [Sample], _ schema: Sample, at place: Place
    ) throws(InferenceError) -> Values {
        let nonNull = ways.filter { $0["type"]?.text != "null" && $0["const"]?.isNull != true }
        let others = nonNull.withoutRepeats
        var result = Values(value: .any, isNullable: nonNull.count < ways.count)
        if others.count == 1 {
            var only = try values(others[0], at: place)
            only.isNullable = only.isNullable || result.isNullable
            return only
        }
        if others.count > 1, others.allSatisfy({ !$0.constants.isEmpty && $0["properties"] == nil }) {
            let constants = Sample.Member(key: "enum", value: .array(others.flatMap(\.constants)))
            var values = try values(.object([constants]), at: place)
            values.isNullable = values.isNullable || result.isNullable
            return values
        }
        var objects: [Sample] = []
        var rest: [Sample] = []
        for way in others {
            let target = try flattened(way)
            guard SchemaShapes.kinds(of: target).filter({ $0 != "null" }) == ["object"], target["properties"] != nil
            else {
                rest.append(way)
                continue
            }
            objects.append(way)
            result.isNullable = result.isNullable || SchemaShapes.allowsNull(target)
        }
        if rest.isEmpty, !objects.isEmpty {
            result.value = .record(try union(objects, schema, at: place))
            return result
        }
        var kinds: [Values] = []
        if objects.count > 1 {
            kinds = [Values(value: .record(try union(objects, schema, at: place.withoutReference)))]
        } else {
            rest = others
        }
        for way in rest {
            let values = try values(way, at: place.withoutReference)
            result.isNullable = result.isNullable || values.isNullable
            for new in values.kinds.map(\.plain) {
                guard new.value != .any else { return Values(value: .any, isNullable: true) }
                if let index = kinds.firstIndex(where: { $0.value.choiceCase.kind == new.value.choiceCase.kind }) {
                    // A value may break the rules of one alternative and keep those of another.
                    kinds[index] = Values(value: kinds[index].value.common(with: new.value))
                } else {
                    kinds.append(new)
                }
            }
        }
        if kinds.count > 1 { kinds = [Values(choice: kinds)] }
        result.value = kinds.first?.value ?? .any
        result.rules = kinds.first?.rules ?? ValueRules()
        return result
    }

    /// A schema with properties, with those of its alternatives added.
    mutating func withMembers(of ways: [Sample], _ schema: Sample, at place: Place) throws(InferenceError) -> Sample {
        for reference in ways.compactMap({ $0["$ref"]?.text }) {
            // Alternatives that extend the schema are its subclasses.
            let parts =
                [reference]
                + (try document.value(at: reference)["allOf"]?.elements ?? []).compactMap { $0["$ref"]?.text }
            if let own = place.reference, parts.contains(where: { document.local($0) == own }) { return schema }
        }
        let targets = try ways.map { way throws(InferenceError) in try flattened(way) }
        return SchemaShapes.merged(targets, into: schema)
    }

    /// The record for objects of several schemas: a base class if a member discriminates them, otherwise one class with all members.
    private mutating func union(
        _ ways: [Sample], _ schema: Sample, at place: Place
    ) throws(InferenceError) -> Int {
        let content = Sample.array([schema["discriminator"] ?? .null] + ways)
        if place.reference == nil, let known = unions[content] {
            note(place.schema, of: known)
            return known
        }
        let targets = try ways.map { way throws(InferenceError) in try flattened(way) }
        let mapping = schema["discriminator"]?["mapping"]?.members ?? []
        let names = zip(ways, targets).map { way, target in
            way["$ref"]?.text.map { SchemaDocument.name(of: document.local($0)) } ?? target["title"]?.text ?? ""
        }
        let key = schema["discriminator"]?["propertyName"]?.text ?? SchemaShapes.discriminator(of: targets)
        let tags = targets.indices.map { index in
            let constants = key.flatMap { targets[index]["properties"]?[$0] }?.constants.compactMap(\.tag) ?? []
            let mapped = mapping.filter { [ways[index]["$ref"]?.text, names[index]].contains($0.value.text) }
            let tags = (constants + mapped.map(\.key)).withoutRepeats
            return tags.isEmpty ? [names[index]] : tags
        }
        // Tags that several schemas share do not discriminate.
        guard let key, Set(tags.joined()).count == tags.joined().count else {
            let number = record(SchemaShapes.merged(targets, into: .object([])), at: place)
            unions[content] = number
            return number
        }
        let number = graph.records.count
        unions[content] = number
        graph.records.append(RecordShape(name: place.name, isPlural: place.isPlural, parent: place.parent))
        if let reference = place.reference { records[reference] = number }
        graph.records[number].comment = schema["description"]?.text.flatMap(SchemaShapes.line)
        graph.records[number].members = [
            MemberShape(
                key: key, value: SchemaShapes.tagShape(key, of: targets), isOptional: false, isRequired: true)
        ]
        graph.records[number].rejectsOtherNames = true
        var tagged: [TaggedRecord] = []
        for (index, target) in targets.enumerated() {
            let reference = ways[index]["$ref"]?.text.map(document.local)
            let name = names[index].isEmpty ? tags[index][0] : names[index]
            var variant: Int
            if let reference, let known = records[reference], graph.records[known].base == nil {
                variant = known
            } else {
                let own = reference.flatMap { records[$0] } == nil ? reference : nil
                variant = record(target, at: Place(name: name, parent: number, reference: own))
            }
            graph.records[variant].base = number
            tagged += tags[index].map { TaggedRecord(tag: $0, record: variant) }
        }
        graph.records[number].union = TaggedShape(key: key, records: tagged)
        return number
    }

    /// Makes the records of schemas that extend one with a discriminator its subclasses: OpenAPI's other form of a union.
    ///
    /// - Parameters:
    ///   - schemas: The schemas with their names.
    ///   - prefix: The part of a reference before the name.
    mutating func linkSubclasses(of schemas: [Sample.Member], prefix: String) {
        var extended: [String: Set<String>] = [:]
        for schema in schemas {
            var open = [schema.value]
            var names: Set<String> = []
            while let next = open.popLast() {
                for part in next["allOf"]?.elements ?? [] {
                    guard let reference = part["$ref"]?.text, reference.hasPrefix(prefix) else { continue }
                    let name = String(reference.dropFirst(prefix.count))
                    guard names.insert(name).inserted else { continue }
                    open += schemas.filter { $0.key == name }.map(\.value)
                }
            }
            extended[schema.key] = names
        }
        let bases = schemas.filter { schema in
            schema.value["discriminator"]?["propertyName"]?.text != nil
                && records[prefix + schema.key].map { graph.records[$0].union == nil } == true
        }
        for schema in schemas {
            guard let number = records[prefix + schema.key], graph.records[number].base == nil else { continue }
            // The nearest one extends the others.
            let nearest = bases.filter { extended[schema.key]?.contains($0.key) == true }
                .max { (extended[$0.key]?.count ?? 0) < (extended[$1.key]?.count ?? 0) }
            graph.records[number].base = nearest.flatMap { records[prefix + $0.key] }
        }
        for base in bases {
            guard let number = records[prefix + base.key], let key = base.value["discriminator"]?["propertyName"]?.text
            else { continue }
            let mapping = base.value["discriminator"]?["mapping"]?.members ?? []
            var tagged: [TaggedRecord] = []
            for schema in schemas {
                guard let record = records[prefix + schema.key], graph.ancestors(of: record).contains(number) else {
                    continue
                }
                let names = mapping.filter { [prefix + schema.key, schema.key].contains($0.value.text) }.map(\.key)
                let isFree = !mapping.contains { $0.key == schema.key }
                tagged += (names.isEmpty && isFree ? [schema.key] : names).map { TaggedRecord(tag: $0, record: record) }
            }
            if !tagged.isEmpty { graph.records[number].union = TaggedShape(key: key, records: tagged) }
        }
        // The names choose the class.
        for number in graph.records.indices {
            for related in graph.ancestors(of: number) + [number]
            where graph.records[number].base != nil || graph.records[number].union != nil {
                graph.records[related].conditions = []
            }
        }
    }

    /// A schema with the properties of all alternatives. Those that every alternative requires are required. The alternatives stay,
    /// for what only one of them requires.
    private static func merged(_ ways: [Sample], into schema: Sample) -> Sample {
        var properties = schema["properties"]?.members ?? []
        let own = Set(properties.map(\.key))
        var others: [String: [Sample]] = [:]
        for member in ways.flatMap({ $0["properties"]?.members ?? [] }) where !own.contains(member.key) {
            if others[member.key] == nil { properties.append(member) }
            if others[member.key]?.contains(member.value) != true {
                others[member.key, default: []].append(member.value)
            }
        }
        for index in properties.indices {
            guard let several = others[properties[index].key], several.count > 1 else { continue }
            properties[index].value = .object([Sample.Member(key: "anyOf", value: .array(several))])
        }
        let required = ways.map { Set(SchemaShapes.required($0)) }
        let all = required.dropFirst().reduce(required.first ?? []) { $0.intersection($1) }
        var replaced = ["properties", "required", "oneOf", "anyOf"]
        // Only one of the two is read, so the members that the other describes are unknown.
        if schema["oneOf"] != nil, schema["anyOf"] != nil { replaced.append("unevaluatedProperties") }
        let rest = (schema.members ?? []).filter { !replaced.contains($0.key) }
        return .object(
            rest + [
                Sample.Member(key: "properties", value: .object(properties)),
                Sample.Member(
                    key: "required",
                    value: .array((schema["required"]?.elements ?? []) + all.sorted().map { .string($0) })),
                Sample.Member(key: "anyOf", value: .array(ways)),
            ])
    }

    /// The member that every one of several schemas requires, with distinct constants of one kind.
    private static func discriminator(of schemas: [Sample]) -> String? {
        schemas.first?["properties"]?.members?.map(\.key).first { key in
            let constants = schemas.map { $0["properties"]?[key]?.constants ?? [] }
            let tags = constants.flatMap { $0 }.map(\.tag)
            return constants.allSatisfy { !$0.isEmpty } && !tags.contains(nil) && Set(tags).count == tags.count
                && Set(constants.flatMap { $0 }.map(\.kind)).count == 1
                && schemas.allSatisfy { $0["required"]?.elements?.contains { $0.text == key } == true }
        }
    }

    /// The type of a discriminator: that of its constants.
    private static func tagShape(_ key: String, of schemas: [Sample]) -> ValueShape {
        let constants = schemas.flatMap { $0["properties"]?[key]?.constants ?? [] }
        return switch constants.first?.kind {
        case .number?: .number(.int)
        case .bool?: .bool
        default: .string
        }
    }
}

extension ValueShape {
    /// A type for the values of both shapes, which are of the same kind.
    fileprivate func common(with other: ValueShape) -> ValueShape {
        if self == other { return self }
        return switch (self, other) {
        case (.number(let type), .number(let other)) where type.integers != nil && other.integers != nil:
            .number(.int128)
        case (.number, _): .number(.double)
        case (.array, _): .array(.any)
        case (.record, _), (.dictionary, _): .dictionary(.any)
        default: .any
        }
    }
}

extension SchemaShapes.Values {
    /// Those of each kind.
    fileprivate var kinds: [Self] {
        guard case .choice(let shapes) = value else { return [self] }
        return shapes.map { Self(value: $0, rules: rules.cases[$0.choiceCase.label] ?? ValueRules()) }
    }
}

/// Schemas of which one must hold: `oneOf`, `anyOf`, and subclasses with a discriminator.
extension SchemaShapes {
    /// The values of which each fulfils one of several schemas.
    mutating func alternatives(
        _ ways: [Sample], _ schema: Sample, at place: Place
    ) throws(InferenceError) -> Values {
        let others = ways.filter { $0["type"]?.text != "null" && $0["const"]?.isNull != true }
        var result = Values(value: .any, isNullable: others.count < ways.count)
        if others.count == 1 {
            let only = try values(others[0], at: place)
            return Values(value: only.value, isNullable: only.isNullable || result.isNullable, rules: only.rules)
        }
        var objects: [Sample] = []
        for way in others {
            let target = try resolved(way)
            if SchemaShapes.kinds(of: target) == ["object"], target["properties"] != nil { objects.append(way) }
        }
        if objects.count == others.count, !others.isEmpty {
            result.value = .record(try union(objects, schema, at: place))
            return result
        }
        var shapes: [ValueShape] = []
        for way in others {
            let values = try values(way, at: place)
            result.isNullable = result.isNullable || values.isNullable
            let new: [ValueShape] = if case .choice(let several) = values.value { several } else { [values.value] }
            for shape in new.map(\.plain) {
                guard let index = shapes.firstIndex(where: { $0.choiceCase.kind == shape.choiceCase.kind }) else {
                    shapes.append(shape)
                    continue
                }
                if case (.number, .number) = (shapes[index], shape), shapes[index] != shape {
                    shapes[index] = .number(.double)
                }
            }
        }
        result.value = shapes.contains(.any) ? .any : shapes.count == 1 ? shapes[0] : .choice(shapes)
        return result
    }

    /// A schema without references and with all that it must fulfil.
    private func resolved(_ schema: Sample) throws(InferenceError) -> Sample {
        var schema = schema
        var seen: Set<String> = []
        while let reference = schema["$ref"]?.text, seen.insert(reference).inserted {
            schema = try document.value(at: reference)
        }
        return try flattened(schema)
    }

    /// The record of objects of several schemas: told apart by a member, or else with the members of all.
    private mutating func union(
        _ ways: [Sample], _ schema: Sample, at place: Place
    ) throws(InferenceError) -> Int {
        let number = graph.records.count
        let targets = try ways.map { way throws(InferenceError) in try resolved(way) }
        guard let key = schema["discriminator"]?["propertyName"]?.text ?? SchemaShapes.discriminator(of: targets) else {
            return try merged(targets, at: place)
        }
        graph.records.append(RecordShape(name: place.name, isPlural: place.isPlural, parent: place.parent))
        if let reference = place.reference { records[reference] = number }
        graph.records[number].comment = schema["description"]?.text.flatMap(SchemaShapes.line)
        graph.records[number].members = [
            MemberShape(key: key, value: .string, isOptional: false, isRequired: true)
        ]
        graph.records[number].rejectsOtherNames = true
        let mapping = schema["discriminator"]?["mapping"]?.members ?? []
        var tagged: [TaggedRecord] = []
        for (way, target) in zip(ways, targets) {
            let reference = way["$ref"]?.text
            let name = reference.map(SchemaDocument.name) ?? target["title"]?.text ?? ""
            var tags = SchemaShapes.constants(target["properties"]?[key])
            tags += mapping.filter { $0.value.text == reference || $0.value.text == name }.map(\.key)
            if tags.isEmpty { tags = [name] }
            var variant: Int
            if let reference, let known = records[reference], graph.records[known].base == nil {
                variant = known
            } else {
                variant = try record(
                    target,
                    at: Place(name: name.isEmpty ? tags[0] : name, parent: number, reference: reference))
            }
            graph.records[variant].base = number
            graph.records[variant].members.removeAll { $0.key == key }
            var known: Set<String> = []
            tagged += tags.filter { known.insert($0).inserted }.map { TaggedRecord(tag: $0, record: variant) }
        }
        graph.records[number].union = TaggedShape(key: key, records: tagged)
        return number
    }

    /// Makes the records of schemas that extend one with a discriminator subclasses of it: OpenAPI's other way to say a union.
    ///
    /// - Parameters:
    ///   - schemas: The schemas with their names.
    ///   - prefix: What stands before a name in a reference.
    mutating func linkSubclasses(of schemas: [Sample.Member], prefix: String) {
        for schema in schemas {
            guard let base = records[prefix + schema.key], graph.records[base].union == nil,
                let key = schema.value["discriminator"]?["propertyName"]?.text
            else { continue }
            let mapping = schema.value["discriminator"]?["mapping"]?.members ?? []
            var tagged: [TaggedRecord] = []
            for other in schemas {
                let parts = other.value["allOf"]?.elements ?? []
                guard parts.contains(where: { $0["$ref"]?.text == prefix + schema.key }),
                    let number = records[prefix + other.key], number != base, graph.records[number].base == nil
                else { continue }
                let inherited = Set(graph.records[base].members.map(\.key))
                graph.records[number].base = base
                graph.records[number].members.removeAll { inherited.contains($0.key) }
                let names = mapping.filter { [prefix + other.key, other.key].contains($0.value.text) }.map(\.key)
                tagged += (names.isEmpty ? [other.key] : names).map { TaggedRecord(tag: $0, record: number) }
            }
            guard !tagged.isEmpty else { continue }
            graph.records[base].union = TaggedShape(key: key, records: tagged)
        }
    }

    /// One record with the members of several; only those that all require are.
    private mutating func merged(_ schemas: [Sample], at place: Place) throws(InferenceError) -> Int {
        var properties: [Sample.Member] = []
        for member in schemas.flatMap({ $0["properties"]?.members ?? [] })
        where !properties.contains(where: { $0.key == member.key }) {
            properties.append(member)
        }
        let required = schemas.map { Set(($0["required"]?.elements ?? []).compactMap(\.text)) }
        let all = required.dropFirst().reduce(required.first ?? []) { $0.intersection($1) }
        return try record(
            .object([
                Sample.Member(key: "properties", value: .object(properties)),
                Sample.Member(key: "required", value: .array(all.sorted().map { .string($0) })),
            ]), at: place)
    }

    /// The member that has a constant of its own in each of several schemas.
    private static func discriminator(of schemas: [Sample]) -> String? {
        schemas.first?["properties"]?.members?.map(\.key).first { key in
            let tags = schemas.map { constants($0["properties"]?[key]) }
            return tags.allSatisfy { !$0.isEmpty } && Set(tags.flatMap { $0 }).count == tags.reduce(0) { $0 + $1.count }
        }
    }

    /// The texts that a schema allows, if it lists them.
    private static func constants(_ schema: Sample?) -> [String] {
        if let constant = schema?["const"]?.tag { return [constant] }
        return schema?["enum"]?.elements?.compactMap(\.tag) ?? []
    }
}

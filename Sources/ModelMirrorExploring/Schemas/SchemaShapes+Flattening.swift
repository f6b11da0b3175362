/// Schemas that must all hold: `$ref` with other keywords next to it, and `allOf`.
extension SchemaShapes {
    /// The keywords that constrain values; others only annotate.
    private static let constraints: Set<String> = [
        "$ref", "allOf", "anyOf", "oneOf", "type", "enum", "const", "format", "contentEncoding", "pattern", "minLength",
        "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "items", "minItems",
        "maxItems", "properties", "patternProperties", "additionalProperties", "required", "minProperties",
        "maxProperties", "uniqueItems", "prefixItems", "propertyNames", "unevaluatedProperties", "dependentRequired",
        "dependencies",
    ]

    /// The parts of a schema: its own keywords, its reference and the schemas of `allOf`, without parts that only annotate.
    static func parts(of schema: Sample) -> [Sample] {
        let own = (schema.members ?? []).filter { $0.key != "$ref" && $0.key != "allOf" }
        let reference =
            schema["$ref"]?.text.map { [Sample.object([Sample.Member(key: "$ref", value: .string($0))])] } ?? []
        let others = (reference + (schema["allOf"]?.elements ?? [])).filter { part in
            part.members?.contains { constraints.contains($0.key) } == true
        }
        let says = own.contains { member in
            // Beside another part, `"type": "object"` adds nothing.
            constraints.contains(member.key)
                && (others.isEmpty || member.key != "type" || member.value.text != "object")
        }
        return (says ? [.object(own)] : []) + others
    }

    /// A schema with its references and `allOf` replaced by the keywords they stand for.
    ///
    /// - Parameter open: The references that led to the schema.
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference that does not resolve or leads back to the schema.
    mutating func flattened(_ schema: Sample, through open: Set<String> = []) throws(InferenceError) -> Sample {
        guard let own = schema.members else { return schema }
        try descend()
        defer { depth -= 1 }
        var members = own.filter { $0.key != "$ref" && $0.key != "allOf" }
        if let reference = schema["$ref"]?.text.map(document.local) {
            guard !open.contains(reference) else {
                throw .invalidSchema(
                    reason: "The schema \"\(reference)\" is a part of itself; remove the reference in its allOf.")
            }
            let target =
                if let known = flat[reference] { known } else {
                    try flattened(try document.value(at: reference), through: open.union([reference]))
                }
            flat[reference] = target
            members.add(target)
        }
        for part in schema["allOf"]?.elements ?? [] { members.add(try flattened(part, through: open)) }
        return .object(members)
    }
}

extension [Sample.Member] {
    /// Adds the keywords of a schema that must also hold.
    fileprivate mutating func add(_ schema: Sample) {
        for member in schema.members ?? [] where member.key != "nullable" {
            guard let index = firstIndex(where: { $0.key == member.key }) else {
                append(member)
                continue
            }
            switch (self[index].value, member.value) {
            case (.object(let old), .object(let new)) where member.key == "properties":
                let more = new.filter { candidate in !old.contains { $0.key == candidate.key } }
                let joined = old.map { property in
                    let value = member.value[property.key].map { property.value.joined(with: $0) } ?? property.value
                    return Sample.Member(key: property.key, value: value)
                }
                self[index].value = .object(more + joined)
            case (.number(let old), .number(let new)):
                // The stricter of two limits.
                let isHigher = (Double(new) ?? 0) > (Double(old) ?? 0)
                let isLeast = member.key.hasPrefix("min") || member.key == "exclusiveMinimum"
                let isMost = member.key.hasPrefix("max") || member.key == "exclusiveMaximum"
                if isLeast && isHigher || isMost && !isHigher { self[index].value = member.value }
            case (.object, .object) where ["items", "additionalProperties"].contains(member.key):
                self[index].value = self[index].value.joined(with: member.value)
            case (.bool, .bool(true)) where ["uniqueItems", "unevaluatedProperties"].contains(member.key):
                self[index].value = member.value
            case (.bool(true), _) where ["items", "additionalProperties"].contains(member.key),
                (_, .bool(false)) where ["items", "additionalProperties"].contains(member.key):
                self[index].value = member.value
            case (let old, let new) where member.key == "pattern":
                self[index].value = .array(((old.elements ?? [old]) + (new.elements ?? [new])).withoutRepeats)
            case (let old, let new) where member.key == "type":
                let (old, new) = (old.elements ?? [old], new.elements ?? [new])
                let both = old.filter { new.contains($0) || $0.text == "integer" && new.contains(.string("number")) }
                let more = new.filter { $0.text == "integer" && old.contains(.string("number")) }
                let all = (both + more).withoutRepeats
                if !all.isEmpty { self[index].value = all.count == 1 ? all[0] : .array(all) }
            case (.array(let old), .array(let new)) where member.key == "enum":
                let both = old.filter(new.contains)
                if !both.isEmpty { self[index].value = .array(both) }
            case (.array(let old), .array(let new)) where member.key == "required":
                self[index].value = .array(old + new.filter { !old.contains($0) })
            default: break
            }
        }
    }
}

extension Sample {
    /// A schema that requires both to hold.
    fileprivate func joined(with other: Sample) -> Sample {
        guard self != other, var own = members, let others = other.members else { return self }
        guard !(own + others).contains(where: { $0.key == "$ref" || $0.key == "allOf" }) else {
            // Not nested, so that a recursive schema gives the same one again.
            let parts = [self, other].flatMap { $0.members?.count == 1 ? $0["allOf"]?.elements ?? [$0] : [$0] }
            return .object([Member(key: "allOf", value: .array(parts.withoutRepeats))])
        }
        own.add(other)
        return .object(own)
    }
}

import ModelMirror

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
        var members = own.filter { $0.key != "$ref" && $0.key != "allOf" }.withNumericLimits
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
        for member in (schema.members ?? []).withNumericLimits where member.key != "nullable" {
            guard let index = firstIndex(where: { $0.key == member.key }) else {
                append(member)
                continue
            }
            let (old, new) = (self[index].value, member.value)
            if ["anyOf", "oneOf"].contains(member.key), old != new, !SchemaShapes.onlyRequire(new.elements ?? []) {
                // Only the first is read, so the members that the other describes are unknown.
                removeAll { $0.key == "unevaluatedProperties" }
            } else {
                self[index].value = Sample.joined(member.key, old, new)
            }
        }
    }

    /// The keywords with numbers for the `exclusiveMinimum` and `exclusiveMaximum` that are Booleans in draft 4.
    fileprivate var withNumericLimits: Self {
        let flags = ["minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"]
        let exclusive = filter { flags.values.contains($0.key) && $0.value.isTrue }.map(\.key)
        return compactMap { member in
            if flags.values.contains(member.key), case .bool = member.value { return nil }
            guard let flag = flags[member.key], exclusive.contains(flag) else { return member }
            return Element(key: flag, value: member.value)
        }
    }
}

extension Sample {
    /// The value of a keyword that stands for those of two schemas; the first where no value does.
    fileprivate static func joined(_ keyword: String, _ first: Sample, _ second: Sample) -> Sample {
        switch (keyword, first, second) {
        case ("properties", .object(let old), .object(let new)),
            ("patternProperties", .object(let old), .object(let new)):
            let more = new.filter { candidate in !old.contains { $0.key == candidate.key } }
            let joined = old.map { property in
                let value = second[property.key].map { property.value.joined(with: $0) } ?? property.value
                return Member(key: property.key, value: value)
            }
            return .object(more + joined)
        case ("items", _, _), ("additionalProperties", _, _):
            return first.isTrue || second.isFalse ? second : first.joined(with: second)
        case ("uniqueItems", _, .bool(true)), ("unevaluatedProperties", .bool(false), _): return second
        case ("pattern", _, _):
            return .array(((first.elements ?? [first]) + (second.elements ?? [second])).withoutRepeats)
        case ("type", _, _):
            let (old, new) = (first.elements ?? [first], second.elements ?? [second])
            let both = old.filter { new.contains($0) || $0.text == "integer" && new.contains(.string("number")) }
            let more = new.filter { $0.text == "integer" && old.contains(.string("number")) }
            let all = (both + more).withoutRepeats
            return all.isEmpty ? first : all.count == 1 ? all[0] : .array(all)
        case ("enum", .array(let old), .array(let new)):
            let values = Set(new.map(\.jsonValue))
            let both = old.filter { values.contains($0.jsonValue) }
            return both.isEmpty ? first : .array(both)
        case ("required", .array(let old), .array(let new)):
            return .array(old + new.filter { !old.contains($0) })
        case (_, .number(let old), .number(let new)):
            // The stricter of two limits.
            let isHigher = (Double(new) ?? 0) > (Double(old) ?? 0)
            let isLeast = keyword.hasPrefix("min") || keyword == "exclusiveMinimum"
            let isMost = keyword.hasPrefix("max") || keyword == "exclusiveMaximum"
            return isLeast && isHigher || isMost && !isHigher ? second : first
        default: return first
        }
    }

    /// A schema that requires both to hold.
    fileprivate func joined(with other: Sample) -> Sample {
        guard self != other, var own = members, let others = other.members else { return self }
        guard !(own + others).contains(where: { $0.key == "$ref" || $0.key == "allOf" }) else {
            // Not nested, so that a recursive schema gives the same one again.
            let parts = [self, other].flatMap { $0.members?.count == 1 ? $0["allOf"]?.elements ?? [$0] : [$0] }
            return .object([Member(key: "allOf", value: .array(parts.withoutRepeats))])
        }
        own = own.withNumericLimits
        own.add(other)
        return .object(own)
    }
    /// The value for comparing: neither the spelling of numbers nor the order of members counts.
    private var jsonValue: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): JSONNumber(text).map(JSONValue.number) ?? .null
        case .string(let text): .string(text)
        case .array(let values): .array(values.map(\.jsonValue))
        case .object(let members):
            .object(Dictionary(uniqueKeysWithValues: members.map { ($0.key, $0.value.jsonValue) }))
        }
    }
}

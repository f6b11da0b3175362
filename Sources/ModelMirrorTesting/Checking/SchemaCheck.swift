import ModelMirror
import ModelMirrorFoundation

/// Checks values against the JSON Schema of a class; supports the keywords that `jsonSchema()` writes.
struct SchemaCheck {
    let root: JSONValue
    /// Checks a value against any other keyword and its rule; by default, any value is accepted.
    var others: (_ value: JSONValue, _ keyword: String, _ rule: JSONValue) -> Bool = { _, _, _ in true }

    func accepts(_ value: JSONValue) -> Bool { accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        guard let keywords = schema.object else { return schema.bool ?? false }
        return keywords.allSatisfy { keyword, rule in
            guard keyword == "additionalProperties" else { return accepts(value, keyword, rule) }
            // It is about members that the schema beside it does not name.
            return value.object?.allSatisfy { key, value in
                keywords["properties"]?[key] != nil || accepts(value, rule)
            } ?? true
        }
    }

    private func accepts(_ value: JSONValue, _ keyword: String, _ rule: JSONValue) -> Bool {
        switch keyword {
        case "$ref":
            let name = rule.string.map { String($0.dropFirst("#/$defs/".count)) } ?? ""
            return root["$defs"][name].map { accepts(value, $0) } ?? false
        case "type":
            return (rule.array ?? [rule]).contains { isOfType(value, $0.string ?? "") }
        case "enum": return rule.array?.contains(value) ?? false
        case "anyOf": return rule.array?.contains { accepts(value, $0) } ?? false
        case "allOf": return rule.array?.allSatisfy { accepts(value, $0) } ?? false
        case "oneOf": return rule.array?.count { accepts(value, $0) } == 1
        case "not": return !accepts(value, rule)
        case "required":
            guard let members = value.object else { return true }
            return rule.array?.allSatisfy { members[$0.string ?? ""] != nil } ?? false
        case "properties":
            guard let members = value.object, let rules = rule.object else { return true }
            return members.allSatisfy { member in rules[member.key].map { accepts(member.value, $0) } ?? true }
        case "propertyNames": return value.object?.keys.allSatisfy { accepts(.string($0), rule) } ?? true
        case "items": return value.array?.allSatisfy { accepts($0, rule) } ?? true
        case "prefixItems": return zip(value.array ?? [], rule.array ?? []).allSatisfy { accepts($0, $1) }
        case "uniqueItems": return rule.bool == false || value.array.map { Set($0).count == $0.count } ?? true
        case "minItems": return (value.array?.count ?? .max) >= (rule.int ?? 0)
        case "minLength": return (value.string?.unicodeScalars.count ?? .max) >= (rule.int ?? 0)
        case "minimum": return bounded(value, rule, >=)
        case "maximum": return bounded(value, rule, <=)
        default: return others(value, keyword, rule)
        }
    }

    private func bounded(_ value: JSONValue, _ limit: JSONValue, _ fits: (Decimal, Decimal) -> Bool) -> Bool {
        guard let value = value.number?.decimal, let limit = limit.number?.decimal else { return true }
        return fits(value, limit)
    }

    private func isOfType(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("number", .number):
            true
        case ("integer", .number(let number)): number.isIntegral
        default: false
        }
    }
}

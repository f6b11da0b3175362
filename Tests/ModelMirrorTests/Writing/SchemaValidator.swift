import Foundation
import ModelMirror
import Testing

/// Checks values by a JSON Schema, draft 2020-12, as far as the keywords go that schemas of models use. A keyword that it does
/// not know is a test failure, so that nothing in a schema goes unchecked.
struct SchemaValidator {
    let root: JSONValue

    func accepts(_ value: JSONValue) -> Bool { accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        guard let keywords = schema.object else { return schema.bool ?? false }
        return keywords.allSatisfy { accepts(value, $0.key, $0.value, keywords) }
    }

    private func accepts(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: [String: JSONValue]
    ) -> Bool {
        switch keyword {
        case "$schema", "$defs", "contentEncoding", "contentMediaType": return true
        case "$ref":
            let name = rule.string.map { String($0.dropFirst("#/$defs/".count)) } ?? ""
            guard let definition = root["$defs"]?[name] else {
                Issue.record("no definition of \(rule)")
                return false
            }
            return accepts(value, definition)
        case "type": return isOfType(value, rule.string ?? "")
        case "enum": return rule.array?.contains(value) ?? false
        case "const": return rule == value
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
        case "additionalProperties":
            return value.object?.values.allSatisfy { accepts($0, rule) } ?? true
        case "items": return value.array?.allSatisfy { accepts($0, rule) } ?? true
        case "prefixItems": return zip(value.array ?? [], rule.array ?? []).allSatisfy { accepts($0, $1) }
        case "minItems": return (value.array?.count ?? .max) >= (rule.int ?? 0)
        case "minLength": return (value.string?.unicodeScalars.count ?? .max) >= (rule.int ?? 0)
        case "minimum": return (value.number?.decimal ?? .greatestFiniteMagnitude) >= (rule.number?.decimal ?? 0)
        case "maximum": return (value.number?.decimal ?? -.greatestFiniteMagnitude) <= (rule.number?.decimal ?? 0)
        case "format": return value.string.map { isOfFormat($0, rule.string ?? "") } ?? true
        default:
            Issue.record("the keyword \(keyword) is not checked")
            return false
        }
    }

    private func isOfType(_ value: JSONValue, _ type: String) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array), ("object", .object),
            ("number", .number):
            true
        case ("integer", .number(let number)): !number.text.contains { ".eE".contains($0) }
        default: false
        }
    }

    private func isOfFormat(_ text: String, _ format: String) -> Bool {
        switch format {
        case "date-time": text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
        case "uuid": UUID(uuidString: text) != nil
        case "uri": !text.isEmpty
        case "byte": isBase64(text + String(repeating: "=", count: (4 - text.count % 4) % 4))
        default: false
        }
    }

    /// Whether a padded text is base64 with no bits left over.
    private func isBase64(_ text: String) -> Bool { Data(base64Encoded: text)?.base64EncodedString() == text }
}

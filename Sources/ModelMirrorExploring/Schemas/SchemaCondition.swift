import ModelMirror

/// Converts schemas to Swift expressions that are true for the JSON values they accept. The value's name in them is `value`.
struct SchemaCondition {
    let document: SchemaDocument
    /// The references around the current schema.
    private var open: Set<String> = []
    private let known = Known()

    /// The conditions of references, so that many take linear time, and the number of schemas read so far.
    private final class Known {
        var texts: [String: String?] = [:]
        private var count = 0

        /// Counts a schema; false beyond 10,000: `unevaluatedProperties` and alternatives read those in them several times.
        func next() -> Bool {
            count += 1
            return count <= 10_000
        }
    }

    /// The largest length of a condition, beyond which it is left out.
    static let longest = 1500

    init(_ document: SchemaDocument) { self.document = document }

    /// The condition for values of a schema; nil if there is none.
    ///
    /// - Parameter isExact: Whether the condition must be false for all values that the schema rejects.
    func text(_ schema: Sample, isExact: Bool) -> String? {
        guard let members = schema.members else { return schema.isFalse ? "false" : "true" }
        guard known.next() else { return isExact ? nil : "true" }
        var parts: [String] = []
        for member in members {
            guard let part = text(member.key, of: schema, isExact: isExact) else {
                if isExact { return nil }
                continue
            }
            parts.append(part)
        }
        let all = Self.all(parts)
        guard all.utf8.count <= Self.longest else { return isExact ? nil : "true" }
        return schema["nullable"]?.isTrue == true && all != "true" ? "(value.isNull || \(all))" : all
    }

    /// The condition of one keyword of a schema.
    func text(_ keyword: String, of schema: Sample, isExact: Bool) -> String? {
        guard let rule = schema[keyword] else { return "true" }
        let (number, count, list) = (
            rule.numberText ?? "", rule.numberText.flatMap { JSONNumber($0)?.int }, rule.elements
        )
        func each(_ values: String, _ schema: Sample) -> String? {
            text(schema, isExact: isExact).map { $0 == "true" ? $0 : "\(values).allSatisfy { value in \($0) }" }
        }
        func texts(_ schemas: [Sample], isExact: Bool) -> [String]? {
            let texts = schemas.compactMap { text($0, isExact: isExact) }
            return texts.count == schemas.count ? texts : nil
        }
        switch keyword {
        case "type": return Self.any((list ?? [rule]).map { Self.kinds[$0.text ?? ""] ?? "true" })
        case "const", "enum":
            return "(\(schema.constants.compactMap { $0.literal(of: .any) }.list) as [JSONValue]).contains(value)"
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            // A `Double` cannot tell numbers of more digits apart.
            guard number.count <= 15, let limit = Double(number), limit.isFinite else { return nil }
            let isLow = keyword.hasSuffix("inimum")
            let sign = (isLow ? ">" : "<") + (keyword.hasPrefix("ex") ? "" : "=")
            return "(value.double ?? \(isLow ? "" : "-").infinity) \(sign) \(limit)"
        case "multipleOf":
            guard let count, 1...1_000_000 ~= count else { return nil }
            return "(value.double ?? 0).truncatingRemainder(dividingBy: \(count)) == 0"
        case "minLength", "maxLength": return size("value.string?.unicodeScalars", keyword, count)
        case "minItems", "maxItems": return size("value.array?", keyword, count)
        case "minProperties", "maxProperties": return size("value.object?", keyword, count)
        case "pattern":
            return rule.text.flatMap(SchemaRules.literal).map { "value.string?.contains(\($0)) != false" }
        case "uniqueItems": return rule.isTrue ? "value.array.map { Set($0).count == $0.count } != false" : "true"
        case "items":
            if let list {
                return Self.all(list.enumerated().map { index, item in member("value[\(index)]", item, isExact) })
            }
            let first = schema["prefixItems"]?.elements?.count ?? 0
            return each(first == 0 ? "(value.array ?? [])" : "(value.array ?? []).dropFirst(\(first))", rule)
        case "additionalItems":
            return each("(value.array ?? []).dropFirst(\(schema["items"]?.elements?.count ?? .max))", rule)
        case "prefixItems":
            return Self.all((list ?? []).enumerated().map { index, item in member("value[\(index)]", item, isExact) })
        case "contains":
            guard let part = text(rule, isExact: true) else { return nil }
            let limits = ["minContains", "maxContains"].map { schema[$0]?.numberText.flatMap { JSONNumber($0)?.int } }
            let least = limits[0] ?? 1
            if let most = limits[1], most < least { return "value.array == nil" }
            let range = "(\(least)...\(limits[1].map { "\($0)" } ?? ""))"
            return "value.array.map { \(range).contains($0.count { value in \(part) }) } != false"
        case "required":
            return Self.all(
                (list ?? []).compactMap(\.text).map { "value.object?.keys.contains(\($0.literal)) != false" })
        case "properties":
            return Self.all((rule.members ?? []).map { member("value[\($0.key.literal)]", $0.value, isExact) })
        case "patternProperties":
            let parts = (rule.members ?? []).map { member -> String? in
                guard let pattern = SchemaRules.literal(member.key), let part = text(member.value, isExact: isExact)
                else { return nil }
                let keys = "(value.object ?? [:]).filter { $0.key.contains(\(pattern)) }"
                if part == "false" { return keys + ".isEmpty" }
                return part == "true" ? part : "\(keys).values.allSatisfy { value in \(part) }"
            }
            return Self.all(parts)
        case "additionalProperties":
            guard !rule.isTrue, rule != .object([]) else { return "true" }
            let own = Sample.object(
                (schema.members ?? []).filter { ["properties", "patternProperties"].contains($0.key) })
            return others(own, rule, isExact: isExact)
        case "propertyNames":
            return text(rule, isExact: isExact).map {
                $0 == "true"
                    ? $0 : "(value.object ?? [:]).keys.map { JSONValue.string($0) }.allSatisfy { value in \($0) }"
            }
        case "dependentRequired", "dependentSchemas", "dependencies":
            let parts = (rule.members ?? []).map { member -> String? in
                let needed = member.value.elements.map {
                    Sample.object([Sample.Member(key: "required", value: .array($0))])
                }
                return text(needed ?? member.value, isExact: isExact).map {
                    $0 == "true" ? $0 : "(value.object?.keys.contains(\(member.key.literal)) != true || \($0))"
                }
            }
            return Self.all(parts)
        case "not":
            return text(rule, isExact: true).map { $0 == "true" ? "false" : $0 == "false" ? "true" : "!(\($0))" }
        case "if":
            guard let test = text(rule, isExact: true),
                let ways = texts([schema["then"] ?? .bool(true), schema["else"] ?? .bool(true)], isExact: isExact)
            else { return nil }
            return ways == ["true", "true"] ? "true" : "(\(test) ? \(ways[0]) : \(ways[1]))"
        case "allOf": return texts(list ?? [], isExact: isExact).map(Self.all)
        case "anyOf": return texts(list ?? [], isExact: isExact).map(Self.any)
        case "oneOf": return texts(list ?? [], isExact: true).map { "\($0.list).count { $0 } == 1" }
        case "$ref":
            var inside = self
            guard let reference = rule.text.map(document.local), inside.open.insert(reference).inserted,
                open.count < 20, let target = try? document.value(at: reference)
            else { return nil }
            let key = reference + (isExact ? "=" : "")
            if let text = known.texts[key] { return text }
            let text = inside.text(target, isExact: isExact)
            known.texts[key] = .some(text)
            return text
        case "unevaluatedProperties": return rule.isTrue ? "true" : others(schema, rule, isExact: isExact)
        case "unevaluatedItems":
            guard !rule.isTrue, let part = text(rule, isExact: isExact),
                let seen = seen(in: schema, isItem: true, isOuter: true)
            else { return rule.isTrue ? "true" : nil }
            let test = Self.any([seen] + (part == "false" ? [] : ["[item.element].allSatisfy { value in \(part) }"]))
            return "(value.array ?? []).enumerated().allSatisfy { item in \(test) }"
        case "format", "$dynamicRef", "$recursiveRef", "contentSchema": return nil
        default: return "true"
        }
    }

    private static let kinds = [
        "null": "value.isNull", "boolean": "value.bool != nil", "string": "value.string != nil",
        "number": "value.number != nil", "array": "value.array != nil", "object": "value.object != nil",
        "integer": "value.double.map { $0 == $0.rounded() } == true",
    ]

    /// The condition that a member or element, if it is there, is accepted.
    private func member(_ value: String, _ schema: Sample, _ isExact: Bool) -> String? {
        text(schema, isExact: isExact).map { Self.ifThere(value, $0) }
    }

    static func ifThere(_ value: String, _ condition: String) -> String {
        condition == "true" ? condition : "\(value).map { value in \(condition) } != false"
    }

    private func size(_ values: String, _ keyword: String, _ count: Int?) -> String? {
        count.map { "(\(values).count ?? \($0)) \(keyword.hasPrefix("min") ? ">" : "<")= \($0)" }
    }

    /// The condition that all members that a schema does not describe are accepted by another.
    private func others(_ schema: Sample, _ rule: Sample, isExact: Bool) -> String? {
        guard let part = text(rule, isExact: isExact), let seen = seen(in: schema, isItem: false, isOuter: true) else {
            return nil
        }
        let test = Self.any([seen] + (part == "false" ? [] : ["[member.value].allSatisfy { value in \(part) }"]))
        return test == "true" ? test : "(value.object ?? [:]).allSatisfy { member in \(test) }"
    }

    /// The condition that a schema describes the element `item`, or `member`, of the value.
    ///
    /// - Parameter isOuter: Whether the schema is the one that has rules for all others.
    private func seen(in schema: Sample, isItem: Bool, isOuter: Bool = false) -> String? {
        guard known.next() else { return nil }
        func described(_ schema: Sample) -> String? { seen(in: schema, isItem: isItem) }
        func ifValid(_ schema: Sample) -> String? {
            guard let part = described(schema), let test = text(schema, isExact: true) else { return nil }
            return part == "false" ? part : Self.all([test, part])
        }
        var ways: [String?] = []
        for member in schema.members ?? [] {
            switch (member.key, isItem) {
            case ("properties", false):
                ways.append("\((member.value.members ?? []).map(\.key.literal).list).contains(member.key)")
            case ("patternProperties", false):
                ways += schema.patternKeys.map { SchemaRules.literal($0).map { "member.key.contains(\($0))" } }
            case ("additionalProperties", false): ways.append("true")
            case ("unevaluatedProperties", false), ("unevaluatedItems", true): if !isOuter { ways.append("true") }
            case ("prefixItems", true): ways.append("item.offset < \(member.value.elements?.count ?? 0)")
            case ("items", true): ways.append(member.value.elements.map { "item.offset < \($0.count)" } ?? "true")
            case ("contains", true):
                ways.append(text(member.value, isExact: true).map { "[item.element].allSatisfy { value in \($0) }" })
            case ("allOf", _): ways += (member.value.elements ?? []).map(described)
            case ("anyOf", _), ("oneOf", _): ways += (member.value.elements ?? []).map(ifValid)
            case ("dependentSchemas", _):
                ways += (member.value.members ?? []).map { dependent in
                    described(dependent.value).map {
                        $0 == "false" ? $0 : "(value.object?.keys.contains(\(dependent.key.literal)) == true && \($0))"
                    }
                }
            case ("if", _):
                ways.append(ifValid(member.value))
                guard let test = text(member.value, isExact: true) else { return nil }
                for (key, test) in [("then", test), ("else", "!(\(test))")] {
                    guard let way = schema[key] else { continue }
                    ways.append(described(way).map { $0 == "false" ? $0 : Self.all([test, $0]) })
                }
            case ("$ref", _):
                var inside = self
                guard let reference = member.value.text.map(document.local), inside.open.insert(reference).inserted,
                    let target = try? document.value(at: reference)
                else { return nil }
                ways.append(inside.seen(in: target, isItem: isItem))
            case ("$dynamicRef", _), ("$recursiveRef", _): return nil
            default: break
            }
        }
        return ways.contains(nil) ? nil : Self.any(ways.compactMap { $0 })
    }

    /// Joins conditions that must all be true.
    static func all(_ parts: [String?]) -> String? { parts.contains(nil) ? nil : all(parts.compactMap { $0 }) }

    static func all(_ parts: [String]) -> String {
        let parts = parts.filter { $0 != "true" }.withoutRepeats
        if parts.contains("false") { return "false" }
        return parts.isEmpty ? "true" : parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " && ")))"
    }

    /// Joins conditions of which one must be true.
    static func any(_ parts: [String]) -> String {
        let parts = parts.filter { $0 != "false" }.withoutRepeats
        if parts.contains("true") { return "true" }
        return parts.isEmpty ? "false" : parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " || ")))"
    }
}

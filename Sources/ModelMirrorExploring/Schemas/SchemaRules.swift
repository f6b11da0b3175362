import Foundation

/// The validation rules that a schema's limits become.
enum SchemaRules {
    /// The rules in Swift for values of a type.
    static func rules(of schema: Sample, for value: ValueShape) -> [String] {
        switch value {
        case .number(let type): numbers(schema, type)
        case .string: texts(schema)
        case .array: counts(schema, "minItems", "maxItems")
        case .dictionary: counts(schema, "minProperties", "maxProperties")
        default: []
        }
    }

    private static func numbers(_ schema: Sample, _ type: NumberType) -> [String] {
        func limit(_ key: String) -> String? {
            guard let text = schema[key]?.numberText else { return nil }
            guard type == .int else { return text }
            // The limits of Int itself say nothing.
            guard let number = Int(text), number != .min, number != .max else { return nil }
            return text
        }
        var rules: [String] = []
        switch (limit("minimum"), limit("maximum")) {
        case (let low?, let high?): rules.append(".inRange(\(low)...\(high))")
        case (let low?, nil): rules.append(".inRange(\(low)...)")
        case (nil, let high?): rules.append(".inRange(...\(parenthesised(high)))")
        case (nil, nil): break
        }
        // In draft 4 these are true, and minimum and maximum are the limits.
        let low = schema["exclusiveMinimum"]?.isTrue == true ? limit("minimum") : limit("exclusiveMinimum")
        let high = schema["exclusiveMaximum"]?.isTrue == true ? limit("maximum") : limit("exclusiveMaximum")
        if let low { rules.append(".custom(\"a number above \(low)\") { $0 > \(low) }") }
        if let high { rules.append(".custom(\"a number below \(high)\") { $0 < \(high) }") }
        if type == .int, let factor = limit("multipleOf"), factor != "0" {
            rules.append(".custom(\"a multiple of \(factor)\") { $0 % \(factor) == 0 }")
        }
        let values = (schema["enum"]?.elements ?? schema["const"].map { [$0] } ?? []).compactMap(\.numberText)
        if !values.isEmpty { rules.append(".oneOf(\(values.list))") }
        return rules
    }

    private static func parenthesised(_ number: String) -> String { number.hasPrefix("-") ? "(\(number))" : number }

    private static func texts(_ schema: Sample) -> [String] {
        var rules = counts(schema, "minLength", "maxLength")
        if let pattern = schema["pattern"]?.text, (try? Regex(pattern)) != nil {
            rules.append(
                ".custom(\("a text that matches \(pattern)".literal)) { (try? Regex(\(pattern.literal)).firstMatch(in: $0)) != nil }"
            )
        }
        let values = (schema["enum"]?.elements ?? schema["const"].map { [$0] } ?? []).compactMap(\.text)
        if !values.isEmpty { rules.append(".oneOf(\(values.map(\.literal).list))") }
        return rules
    }

    private static func counts(_ schema: Sample, _ least: String, _ most: String) -> [String] {
        let low = schema[least]?.numberText.flatMap { Int($0) } ?? 0
        let high = schema[most]?.numberText.flatMap { Int($0) }
        switch (low, high) {
        case (0, nil): return []
        case (let low, let high?) where low <= high: return [".count(\(low)...\(high))"]
        default: return [".count(\(low)...)"]
        }
    }
}

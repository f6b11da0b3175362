import Foundation
import ModelMirror

/// Converts a schema's limits to validation rules.
enum SchemaRules {
    /// The rules for values of a type, as Swift source.
    static func rules(of schema: Sample, for value: ValueShape) -> [String] {
        switch value {
        case .bool: flags(schema)
        case .number(let type): numbers(schema, type)
        case .string: texts(schema)
        case .array: counts(schema, "minItems", "maxItems")
        case .dictionary: counts(schema, "minProperties", "maxProperties")
        default: []
        }
    }

    private static func numbers(_ schema: Sample, _ type: NumberType) -> [String] {
        /// - Parameter rounding: How a limit with a fraction is rounded for integers.
        func limit(_ key: String, _ rounding: FloatingPointRoundingRule) -> String? {
            guard let text = schema[key]?.numberText, let number = JSONNumber(text), let double = number.double,
                double.isFinite
            else { return nil }
            guard type == .int else { return text }
            // The limits of Int itself need no rule.
            guard let integer = number.int ?? Int(exactly: double.rounded(rounding)), integer != .min, integer != .max
            else { return nil }
            return "\(integer)"
        }
        var rules: [String] = []
        let range = (limit("minimum", .up), limit("maximum", .down))
        if case (let low?, let high?) = range, isOrdered(low, high) {
            rules.append(".inRange(\(operand(low))...\(operand(high)))")
        } else {
            if let low = range.0 { rules.append(".inRange(\(operand(low))...)") }
            if let high = range.1 { rules.append(".inRange(...\(operand(high)))") }
        }
        // In draft 4 these keywords are Booleans, and minimum and maximum are the limits.
        let low = limit(schema["exclusiveMinimum"]?.isTrue == true ? "minimum" : "exclusiveMinimum", .down)
        let high = limit(schema["exclusiveMaximum"]?.isTrue == true ? "maximum" : "exclusiveMaximum", .up)
        if let low { rules.append(".custom(\"a number above \(low)\") { $0 > \(low) }") }
        if let high { rules.append(".custom(\"a number below \(high)\") { $0 < \(high) }") }
        let factor = schema["multipleOf"]?.numberText.flatMap { JSONNumber($0)?.int } ?? 0
        if type == .int, factor > 0 {
            rules.append(".custom(\"a multiple of \(factor)\") { $0 % \(factor) == 0 }")
        }
        let numbers = schema.constants.compactMap(\.numberText)
        let values = type == .int ? numbers.compactMap { JSONNumber($0)?.int.map(String.init) } : numbers
        if !values.isEmpty { rules.append(".oneOf(\(values.list))") }
        return rules
    }

    /// Whether two limits are in order, as a range in Swift requires.
    private static func isOrdered(_ low: String, _ high: String) -> Bool {
        if let low = Int(low), let high = Int(high) { return low <= high }
        return (Double(low) ?? 0) <= (Double(high) ?? 0)
    }

    /// A number as an operand of `...`; a negative one in parentheses, since `...-` would be parsed as an operator.
    private static func operand(_ number: String) -> String { number.hasPrefix("-") ? "(\(number))" : number }

    private static func flags(_ schema: Sample) -> [String] {
        let values = schema.constants.compactMap { constant in
            if case .bool(let value) = constant { "\(value)" } else { nil }
        }
        return Set(values).count == 1 ? [".oneOf([\(values[0])])"] : []
    }

    private static func texts(_ schema: Sample) -> [String] {
        var rules = counts(schema, "minLength", "maxLength")
        if let pattern = schema["pattern"]?.text, isReadable(pattern) {
            rules.append(
                ".custom(\("a text that matches \(pattern)".literal)) { (try? Regex(\(pattern.literal)).firstMatch(in: $0)) != nil }"
            )
        }
        let values = schema.constants.compactMap(\.text)
        if !values.isEmpty { rules.append(".oneOf(\(values.map(\.literal).list))") }
        return rules
    }

    /// Whether Swift's `Regex` accepts an ECMAScript pattern.
    private static func isReadable(_ pattern: String) -> Bool { (try? Regex(pattern)) != nil }

    /// A note on a pattern that no rule enforces; nil if there is none.
    static func notice(of schema: Sample, for value: ValueShape) -> String? {
        guard case .string = value, let pattern = schema["pattern"]?.text, !isReadable(pattern) else { return nil }
        return SchemaShapes.line("Not enforced, since Swift cannot read it: the pattern \(pattern)")
    }

    private static func counts(_ schema: Sample, _ least: String, _ most: String) -> [String] {
        let low = max(schema[least]?.numberText.flatMap { JSONNumber($0)?.int } ?? 0, 0)
        let high = schema[most]?.numberText.flatMap { JSONNumber($0)?.int }
        switch (low, high) {
        case (0, nil): return []
        case (let low, let high?) where low <= high: return [".count(\(low)...\(high))"]
        default: return [".count(\(low)...)"]
        }
    }
}

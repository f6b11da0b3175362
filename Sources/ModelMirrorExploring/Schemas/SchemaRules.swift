import Foundation
import ModelMirror

/// Converts a schema's limits to validation rules.
enum SchemaRules {
    /// The rules for values of a type, as Swift source.
    static func rules(of schema: Sample, for value: ValueShape) -> [String] {
        let rules =
            switch value {
            case .number(let type): numbers(schema, type)
            case .string: texts(schema)
            case .url:
                (schema["format"]?.text == "uri"
                    ? [".check(\"an absolute URL\") { (url: URL) in url.scheme != nil }"] : [])
                    + schema.patterns.filter(isReadable).map { matching($0) }
            case .enumeration: schema.patterns.filter(isReadable).map { matching($0) }
            case .array(let element):
                counts(schema, "minItems", "maxItems")
                    + (schema["uniqueItems"]?.isTrue == true && element.isHashedExactly
                        ? [".unique"] : [])
            case .dictionary:
                schema["additionalProperties"]?.isFalse == true && schema.patternKeys.isEmpty
                    ? [".count(0)"] : counts(schema, "minProperties", "maxProperties")
            default: [String]()
            }
        return rules + constants(schema, value)
    }

    /// The rule that a value is one of the constants.
    private static func constants(_ schema: Sample, _ value: ValueShape) -> [String] {
        switch value {
        case .enumeration: return []
        // Lists of classes and choices have no `==`, not even with an empty one.
        case .array, .dictionary: guard value.isHashedExactly else { return [] }
        default: break
        }
        let values = schema.constants.compactMap { $0.literal(of: value) }.withoutRepeats
        if values.isEmpty || value == .bool && values.count == 2 { return [] }
        return [value == .any ? oneOf(values, as: "[JSONValue]") : oneOf(values)]
    }

    /// - Parameters:
    ///   - values: Swift source.
    ///   - type: The type of the list; nil if the values tell it.
    static func oneOf(_ values: [String], as type: String? = nil) -> String {
        ".oneOf(\(values.list)\(type.map { " as \($0)" } ?? ""))"
    }

    /// The rules for the keys of a dictionary.
    static func keys(_ schema: Sample, names: Sample?) -> [String] {
        let patterns = schema.patternKeys
        let pattern = patterns.count == 1 ? patterns[0] : patterns.map { "(?:\($0))" }.joined(separator: "|")
        // The groups of joined patterns have other numbers.
        let isJoinable = patterns.count == 1 || !pattern.contains(/\\[1-9]/)
        let isClosed =
            schema["additionalProperties"]?.isFalse == true && !patterns.isEmpty && isJoinable && isReadable(pattern)
        return (isClosed ? [matching(pattern)] : []) + (names.map { rules(of: $0, for: .string) } ?? [])
    }

    /// A number as the literal of a `Double`; with a fraction beyond `Int`, the type of literals that have none.
    fileprivate static func doubleLiteral(_ text: String) -> String {
        Int(text) == nil && !text.contains { ".eE".contains($0) } ? text + ".0" : text
    }

    private static func numbers(_ schema: Sample, _ type: NumberType) -> [String] {
        /// - Parameter rounding: How a limit with a fraction is rounded for integers.
        func limit(_ key: String, _ rounding: FloatingPointRoundingRule) -> String? {
            guard let text = schema[key]?.numberText, let number = JSONNumber(text), number.double != nil else {
                return nil
            }
            guard let integers = type.integers else { return doubleLiteral(text) }
            // The limits of the type itself need no rule.
            guard let integer = integer(number, rounding), integers.contains(integer), integer != integers.lowerBound,
                integer != integers.upperBound
            else { return nil }
            return type.literal(integer)
        }
        var rules: [String] = []
        let range = (limit("minimum", .up), limit("maximum", .down))
        if case (let low?, let high?) = range, isOrdered(low, high) {
            rules.append(".inRange(\(operand(low))...\(operand(high)))")
        } else {
            if let low = range.0 { rules.append(".inRange(\(operand(low))...)") }
            if let high = range.1 { rules.append(".inRange(...\(operand(high)))") }
        }
        let (low, high) = (limit("exclusiveMinimum", .down), limit("exclusiveMaximum", .up))
        if let low { rules.append(".above(\(low))") }
        if let high { rules.append(".below(\(high))") }
        guard let number = JSONNumber(schema["multipleOf"]?.numberText ?? ""), let divisor = number.decimal,
            divisor > 0,
            !(type.integers != nil && divisor == 1)
        else { return rules }
        return rules + [".multiple(of: \(divisor))"]
    }

    /// A number as an integer; one with a fraction is rounded.
    private static func integer(_ number: JSONNumber, _ rounding: FloatingPointRoundingRule) -> Int128? {
        number.integer() ?? number.double.flatMap { Int128(exactly: $0.rounded(rounding)) }
    }

    /// The type of a schema's integers: `Int`, unless a limit or a constant is beyond it.
    static func integerType(of schema: Sample) -> NumberType {
        func number(_ sample: Sample?) -> JSONNumber? { sample?.numberText.flatMap { JSONNumber($0) } }
        let limits: [Int128?] = [
            number(schema["minimum"]).flatMap { integer($0, .up) },
            number(schema["maximum"]).flatMap { integer($0, .down) },
            number(schema["exclusiveMinimum"]).flatMap { integer($0, .down) }.map { $0 &+ 1 },
            number(schema["exclusiveMaximum"]).flatMap { integer($0, .up) }.map { $0 &- 1 },
        ]
        let numbers = limits.compactMap(\.self) + schema.constants.compactMap { number($0)?.integer() }
        let types: [NumberType] = [.int, .uint64]
        return types.first { type in numbers.allSatisfy { type.integers?.contains($0) == true } } ?? .int128
    }

    /// Whether two limits are in order, as a range in Swift requires.
    private static func isOrdered(_ low: String, _ high: String) -> Bool {
        // Without the type of a literal.
        let numbers = [low, high].map { $0.split(separator: "(").last?.filter { $0 != ")" } ?? "" }
        if let low = Int128(numbers[0]), let high = Int128(numbers[1]) { return low <= high }
        return (Double(numbers[0]) ?? 0) <= (Double(numbers[1]) ?? 0)
    }

    /// A number as an operand of `...`; a negative one in parentheses, since `...-` would be parsed as an operator.
    private static func operand(_ number: String) -> String { number.hasPrefix("-") ? "(\(number))" : number }

    private static func texts(_ schema: Sample) -> [String] {
        let format = schema["format"]?.text.flatMap { StringForm(rawValue: $0)?.rawValue }
        return counts(schema, "minLength", "maxLength") + schema.patterns.filter(isReadable).map { matching($0) }
            + (format.map { [".format(.\($0))"] } ?? [])
    }

    private static func matching(_ pattern: String) -> String {
        ".contains(\(delimited(pattern)), as: \("a text that matches \(pattern)".literal))"
    }

    private static func delimited(_ pattern: String) -> String {
        // As many marks as no part of the pattern has.
        let marks = (1...).lazy.map { String(repeating: "#", count: $0) }.first { !pattern.contains("/\($0)") } ?? "#"
        // A literal must not contain control characters.
        var (text, isEscaped) = ("", false)
        for scalar in pattern.unicodeScalars {
            if scalar.value < 0x20 || scalar.value == 0x7F {
                text += (isEscaped ? "" : "\\") + "u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return "\(marks)/\(text)/\(marks)"
    }

    /// A pattern as a regular expression that reads texts as JSON Schema does; nil if Swift cannot read it.
    static func literal(_ pattern: String) -> String? {
        let hasClasses = pattern.contains("\\")
        return pattern.isEmpty || !isReadable(pattern) || !isReadable("(?DW)\(pattern)")
            ? nil : delimited((hasClasses ? "(?DW)" : "") + pattern) + ".matchingSemantics(.unicodeScalar)"
    }

    /// Whether Swift's `Regex` accepts an ECMAScript pattern.
    private static func isReadable(_ pattern: String) -> Bool {
        isShallow(pattern) && (try? Regex(pattern)) != nil
    }

    /// Whether a pattern has few sets inside each other, and few operators of sets: `Regex` reads both by recursion, which
    /// exhausts the stack.
    private static func isShallow(_ pattern: String) -> Bool {
        var (depth, operators, previous) = (0, 0, 0 as UInt8)
        for byte in pattern.utf8 {
            let isEscaped = previous == UInt8(ascii: "\\")
            if byte == UInt8(ascii: "["), !isEscaped { depth += 1 }
            if byte == UInt8(ascii: "]"), !isEscaped { depth = max(depth - 1, 0) }
            if byte == previous, "&-~".utf8.contains(byte) { operators += 1 }
            if depth > 50 || operators > 100 { return false }
            // The second of two backslashes escapes nothing.
            previous = isEscaped ? 0 : byte
        }
        return true
    }

    /// A note on a pattern that no rule enforces; nil if there is none.
    static func notice(of schema: Sample, for value: ValueShape) -> String? {
        let patterns =
            switch value {
            case .string, .url, .enumeration: schema.patterns
            case .dictionary: schema.patternKeys
            default: [String]()
            }
        guard let pattern = patterns.first(where: { !isReadable($0) }) else { return nil }
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

extension Sample {
    /// The patterns of `patternProperties`.
    var patternKeys: [String] { (self["patternProperties"]?.members ?? []).map(\.key) }

    /// The patterns that a text must match; several if `allOf` adds more.
    fileprivate var patterns: [String] { self["pattern"].map { $0.elements ?? [$0] }?.compactMap(\.text) ?? [] }

    /// The value as a Swift literal of a type; nil if the type does not have it.
    func literal(of shape: ValueShape) -> String? {
        switch (self, shape) {
        case (_, .optional(let value)): return isNull ? "nil" : literal(of: value)
        case (.null, .any): return "nil"
        case (.bool(let value), .bool), (.bool(let value), .any): return "\(value)"
        case (.number(let text), .number(let type)) where type.integers != nil:
            return JSONNumber(text)?.integer().map(type.literal)
        case (.number(let text), .number): return SchemaRules.doubleLiteral(text)
        // Other literals have only the digits of a `Double`.
        case (.number(let text), .any):
            let isExact = Double(text).flatMap { JSONNumber($0) }?.text == text
            return isExact ? text : ".number(JSONNumber(\(text.literal))!)"
        case (.string(let text), .string), (.string(let text), .any): return text.literal
        case (.array(let values), .array(let element)):
            let literals = values.compactMap { $0.literal(of: element) }
            return literals.count == values.count ? literals.list : nil
        case (.array, .any): return literal(of: .array(.any))
        case (.object(let members), .dictionary(let value)):
            let literals = members.compactMap { member in
                member.value.literal(of: value).map { "\(member.key.literal): \($0)" }
            }
            return literals.count < members.count ? nil : literals.isEmpty ? "[:]" : literals.list
        case (.object, .any): return literal(of: .dictionary(.any))
        default: return nil
        }
    }
}

extension ValueShape {
    /// Whether equal values in Swift are equal in JSON: not those of dates and UUIDs, of which JSON has several spellings.
    fileprivate var isHashedExactly: Bool {
        switch self {
        case .any, .bool, .number, .string, .url, .enumeration: true
        case .array(let value), .dictionary(let value), .optional(let value): value.isHashedExactly
        default: false
        }
    }
}

extension NumberType {
    /// The integers of the type, as far as `Int128` has them; nil if it has fractions, too.
    var integers: ClosedRange<Int128>? {
        switch self {
        case .int: Int128(Int.min)...Int128(Int.max)
        case .uint64: 0...Int128(UInt64.max)
        case .int128: .min ... .max
        default: nil
        }
    }

    /// An integer as a Swift literal, of the type if that is not `Int`.
    fileprivate func literal(_ integer: Int128) -> String {
        self == .int ? "\(integer)" : "\(rawValue)(\(integer))"
    }
}

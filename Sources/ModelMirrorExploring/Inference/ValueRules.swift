/// The validation rules for the values at one place, as Swift source.
struct ValueRules {
    /// Those for the value itself.
    var own: [String] = []
    /// Those for the keys of a dictionary.
    var keys: [String] = []
    /// Those for the elements of a list or the values of a dictionary; at most one.
    var elements: [ValueRules] = []
    /// Those for the cases of a choice, by their labels.
    var cases: [String: ValueRules] = [:]

    /// The rule of `propertyRules` for values of a shape, as Swift source; nil if there is none, or if only statements can check them:
    /// of a choice, and of literals whose type has to be known.
    func rule(_ shape: ValueShape, levels: Int = ValueShape.deepest) -> String? {
        let parts = parts(shape, levels: levels)
        return parts.isEmpty ? nil : parts.count == 1 ? parts[0] : ".all(\(parts.joined(separator: ", ")))"
    }

    private func parts(_ shape: ValueShape, levels: Int) -> [String] {
        guard levels > 0 else { return [] }
        func each(_ shape: ValueShape) -> [String] {
            elements.compactMap { $0.rule(shape, levels: levels - 1) }.map { ".each(\($0))" }
        }
        switch shape {
        case .optional(let inner): return parts(inner, levels: levels)
        case .array(let element): return own + each(element)
        case .dictionary(let element):
            let ofKeys = ValueRules(own: keys).rule(.string).map { [".keys(\($0))"] } ?? []
            return own + ofKeys + each(element)
        default: return own
        }
    }

    /// Whether the values of a shape can be checked by a rule.
    func isRule(_ shape: ValueShape) -> Bool {
        switch shape {
        case .optional(let inner): return isRule(inner)
        case .array(let element), .dictionary(let element):
            return !own.contains { $0.contains("oneOf(") } && elements.allSatisfy { $0.isRule(element) }
        case .choice: return cases.isEmpty && own.isEmpty
        default: return true
        }
    }

    /// The statements of `validateModel(_:)` that check a value.
    ///
    /// - Parameters:
    ///   - property: The property that a failure names.
    ///   - value: The value as Swift source.
    ///   - levels: The number of containers that are entered: deeper ones may be `JSONValue`s.
    func statements(
        _ property: String, _ value: String, _ shape: ValueShape, isOptional: Bool, levels: Int = ValueShape.deepest
    ) -> [String] {
        if case .optional(let inner) = shape {
            return statements(property, value, inner, isOptional: true, levels: levels)
        }
        guard levels > 0 else { return [] }
        func require(_ value: String, _ rules: [String]) -> [String] {
            rules.isEmpty ? [] : ["validation.require(\(property.literal), \(value), \(rules.joined(separator: ", ")))"]
        }
        func inner(_ name: String, _ shape: ValueShape) -> [String] {
            elements.flatMap { $0.statements(property, name, shape, isOptional: false, levels: levels - 1) }
        }
        var statements = require(value, own)
        switch shape {
        case .array(let element):
            statements.add("for element in \(value)\(isOptional ? " ?? []" : "")", inner("element", element))
        case .dictionary(let element):
            let members = isOptional ? "(\(value) ?? [:])" : value
            statements.add("for key in \(members).keys", require("key", keys))
            statements.add("for value in \(members).values", inner("value", element))
        case .choice(let shapes):
            for shape in shapes {
                let label = shape.choiceCase.label
                let inside = cases[label]?.statements(property, "value", shape, isOptional: false, levels: levels)
                statements.add("if case .\(label)(let value) = \(value)", inside ?? [])
            }
        default: break
        }
        return statements
    }
}

extension [String] {
    /// Adds a statement with a body, unless the body is empty.
    mutating func add(_ head: String, _ body: [String]) {
        if !body.isEmpty { self += ["\(head) {"] + body.map { "    \($0)" } + ["}"] }
    }
}

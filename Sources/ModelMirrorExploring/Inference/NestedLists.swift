/// Lists whose elements are lists of different or great depth.
extension ValueShape {
    /// The deepest nesting of lists and dictionaries that is written as a type; the compiler takes exponential time for deep ones.
    static let deepest = 8

    /// The same values, with ``nested(_:holdsNulls:)`` where no type expresses the depth of the lists.
    var simplified: ValueShape { flattenedLists.limited() }

    private var flattenedLists: ValueShape {
        switch self {
        case .array(let element):
            if depth > ValueShape.deepest || element.isRagged {
                let nested = ValueShape.nested(element.leaves.merged, holdsNulls: element.holdsNulls)
                return .array(element.holdsNulls ? .optional(nested) : nested)
            }
            return .array(element.flattenedLists)
        case .dictionary(let value): return .dictionary(value.flattenedLists)
        case .optional(let value): return .optional(value.flattenedLists)
        case .choice(let values):
            return isRagged ? .nested(leaves.merged, holdsNulls: holdsNulls) : .choice(values.map(\.flattenedLists))
        default: return self
        }
    }

    /// The same values, with `JSONValue` for lists and dictionaries nested deeper than a number of levels.
    func limited(to levels: Int = ValueShape.deepest) -> ValueShape {
        switch self {
        case .array(let element): return levels == 0 ? .any : .array(element.limited(to: levels - 1))
        case .dictionary(let value): return levels == 0 ? .any : .dictionary(value.limited(to: levels - 1))
        case .optional(let value):
            let limited = value.limited(to: levels)
            return limited == .any ? .any : .optional(limited)
        case .choice(let values):
            let limited = values.map { $0.limited(to: levels) }
            return limited.contains(.any) ? .any : .choice(limited)
        case .nested(let values, let holdsNulls):
            let limited = values.map { $0.limited(to: levels) }
            return limited.contains(.any) ? .any : .nested(limited, holdsNulls: holdsNulls)
        default: return self
        }
    }

    /// The number of lists around the innermost values.
    private var depth: Int {
        switch self {
        case .array(let element): element.depth + 1
        case .optional(let value): value.depth
        case .choice(let values): values.map(\.depth).max() ?? 0
        default: 0
        }
    }

    /// Whether lists occur beside values of the kinds that they contain.
    private var isRagged: Bool {
        switch self {
        case .optional(let value): return value.isRagged
        case .choice(let values):
            let lists = values.compactMap { if case .array(let element) = $0 { element } else { nil } }
            let kinds = Set(values.map(\.choiceCase.kind))
            let inner = Set(lists.flatMap(\.leaves).map(\.choiceCase.kind))
            // Objects of different classes cannot be merged.
            let objects = Set(leaves.map(\.plain).filter { $0.choiceCase.kind == "object" })
            return !lists.isEmpty && !inner.isEmpty && inner.isSubset(of: kinds) && objects.count <= 1
        default: return false
        }
    }

    /// Whether a list inside contains `null`.
    private var holdsNulls: Bool {
        switch self {
        case .optional: true
        case .array(let element): element.holdsNulls
        case .choice(let values): values.contains(where: \.holdsNulls)
        default: false
        }
    }

    /// The values that are not lists.
    private var leaves: [ValueShape] {
        switch self {
        case .array(let element): element.leaves
        case .optional(let value): value.leaves
        case .choice(let values): values.flatMap(\.leaves)
        case .any: []
        default: [self]
        }
    }

    /// The case of a choice: its label, the case of `JSONValue`, and the kind as errors name it.
    var choiceCase: (label: String, kind: String, expected: String) {
        switch self {
        case .bool: ("flag", "bool", "true or false")
        case .number, .date(.secondsSince1970), .date(.millisecondsSince1970): ("number", "number", "a number")
        case .array: ("list", "array", "an array")
        case .record, .tagged, .dictionary: ("object", "object", "an object")
        default: ("text", "string", "a string")
        }
    }
}

extension [ValueShape] {
    /// One shape for each kind.
    fileprivate var merged: [ValueShape] {
        var merged: [ValueShape] = []
        for value in map(\.plain) {
            guard let index = merged.firstIndex(where: { $0.choiceCase.kind == value.choiceCase.kind }) else {
                merged.append(value)
                continue
            }
            if merged[index] == value { continue }
            switch (merged[index], value) {
            case (.number(.int), .number(.double)), (.number(.double), .number(.int)):
                merged[index] = .number(.double)
            case (.number, .number): merged[index] = .number(.exact)
            default: merged[index] = .dictionary(.any)
            }
        }
        return merged
    }
}

extension ValueShape {
    /// The type in a choice between kinds, where strings and numbers have no rules.
    var plain: ValueShape {
        switch self {
        case .date(.secondsSince1970), .date(.millisecondsSince1970): .number(.int)
        case .date, .url, .uuid, .data, .color, .enumeration: .string
        case .array(let value): .array(value.plain)
        case .dictionary(let value): .dictionary(value.plain)
        case .optional(let value): .optional(value.plain)
        // A choice cannot see the sibling member.
        case .tagged: .dictionary(.any)
        default: self
        }
    }
}

extension ValueShape {
    /// The Swift expression that makes a `JSONValue` of a value in a choice.
    func json(_ value: String) -> String {
        let mark = canThrow ? "try " : ""
        return switch self {
        case .any: value
        case .bool: ".bool(\(value))"
        case .number(.exact): ".number(\(value))"
        case .number(.double), .number(.decimal): "try JSONValue(any: \(value))"
        case .number: ".number(JSONNumber(\(value)))"
        case .record: "try \(value).jsonValue()"
        case .choice, .nested: "try \(value).json()"
        case .array(let element): ".array(\(mark)\(value).map { \(element.json("$0")) })"
        case .dictionary(let element): ".object(\(mark)\(value).mapValues { \(element.json("$0")) })"
        case .optional(let inner): "\(mark)\(value).map { \(inner.json("$0")) } ?? .null"
        default: ".string(\(value))"
        }
    }

    /// Whether that expression can throw.
    private var canThrow: Bool {
        switch self {
        case .number(.double), .number(.decimal), .record, .choice, .nested: true
        case .array(let value), .dictionary(let value), .optional(let value): value.canThrow
        default: false
        }
    }
}

extension String {
    /// The text as a Swift literal.
    var literal: String {
        var literal = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                // Tools may normalize a source.
                let isPlain =
                    scalar.isASCII
                    ? (0x20...0x7E).contains(scalar.value)
                    : (scalar.properties.isAlphabetic || scalar.properties.isEmojiPresentation)
                        && !KeyPlan.isDecomposed(String(scalar))
                if isPlain {
                    literal.unicodeScalars.append(scalar)
                } else {
                    literal += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        return literal + "\""
    }
}

extension [String] {
    /// Entries as an array or dictionary literal on one line.
    var list: String { "[" + joined(separator: ", ") + "]" }
}

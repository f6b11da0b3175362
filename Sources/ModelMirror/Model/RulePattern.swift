/// A regular expression.
struct RulePattern: Sendable {
    let words: String
    /// The text of the expression, if it has one that JSON Schema understands.
    let text: String?
    let isWhole: Bool
    /// The name of the form in JSON Schema.
    var format: String?
    let matches: Match

    typealias Match = @Sendable (Substring) -> Bool
}

extension RulePattern {
    init(_ expression: some RegexComponent, isWhole: Bool, _ words: String) {
        let text = expression.regex._literalPattern.flatMap { RulePattern.isPortable($0) ? $0 : nil }
        let matches = RulePattern.matching(Regex(expression.regex), isWhole: isWhole)
        self.init(words: words, text: text, isWhole: isWhole, matches: matches)
    }

    /// Matches a regular expression on any thread, read as JSON Schema reads one: by Unicode scalars, with ASCII digits and words.
    ///
    /// `nonisolated(unsafe)`: `Regex` is not Sendable only because closures in one need not be; those are the user's, whose
    /// documentation says where they run. Nothing else of it changes but its compiled form, which the first match stores, and a match
    /// keeps its state in the call. So the first match is made before the expression is shared.
    fileprivate static func matching(_ expression: Regex<AnyRegexOutput>, isWhole: Bool) -> Match {
        nonisolated(unsafe) let regex =
            expression.matchingSemantics(.unicodeScalar).asciiOnlyDigits().asciiOnlyWordCharacters()
        _ = try? regex.firstMatch(in: "")
        return { text in (try? isWhole ? regex.wholeMatch(in: text) : regex.firstMatch(in: text)) != nil }
    }

    /// The keywords of JSON Schema.
    var keywords: [String: JSONValue] {
        // Expressions of JSON Schema are searched for.
        let pattern = text.map { isWhole ? "^(?:\($0))$" : $0 }
        return ["pattern": pattern, "format": format].compactMapValues { $0.map(JSONValue.string) }
    }

    var expectation: Expectation { .rule(.pattern, keywords.merging(["description": .string(words)]) { $1 }) }

    /// Whether JavaScript reads an expression as ``matching(_:isWhole:)`` does, whose word boundaries are others.
    private static func isPortable(_ text: String) -> Bool {
        var rest = text.unicodeScalars[...]
        var isInClass = false
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard let escaped = rest.popFirst() else { return false }
                let known = "dDsSwWnrtf^$\\.*+?()[]{}|/-"
                let isHex = escaped == "x" || escaped == "u" && rest.first != "{"
                if !isHex, !known.unicodeScalars.contains(escaped) { return false }
            case "[":
                // Swift has classes inside of others.
                if isInClass || rest.first == "]" || rest.starts(with: "^]".unicodeScalars) { return false }
                isInClass = true
            case "]": isInClass = false
            case "&", "-", "~": if isInClass, rest.first == scalar { return false }
            case "(" where !isInClass && rest.first == "?":
                let kinds = ["?:", "?=", "?!", "?<"]
                if !kinds.contains(where: { rest.starts(with: $0.unicodeScalars) }) { return false }
            case "(" where !isInClass && rest.first == "*": return false
            case "*", "+", "?", "}": if !isInClass, rest.first == "+" { return false }
            default: if scalar.value < 32 { return false }
            }
        }
        return true
    }
}

extension StringForm {
    /// The expression of the form, which Swift and JavaScript read alike. That of `email` only looks for what every address has.
    var pattern: RulePattern {
        let hour = "(?:[01][0-9]|2[0-3])"
        let (words, text) =
            switch self {
            case .email: ("an e-mail address", ".+@.+")
            case .ipv4: ("an IPv4 address", "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}")
            case .hostname:
                ("a host name", "(?!.{254})(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.(?!$)|$))+")
            case .time:
                (
                    "a time with an offset",
                    "\(hour):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-]\(hour):[0-5][0-9])"
                )
            }
        let regex = try? Regex<AnyRegexOutput>(text)
        let matches = regex.map { RulePattern.matching($0, isWhole: true) } ?? { @Sendable _ in true }
        return RulePattern(words: words, text: text, isWhole: true, format: rawValue, matches: matches)
    }
}

/// The words of a JSON key in lower case, and what they suggest about its values.
struct KeyWords {
    let words: [String]

    init(_ key: String) { words = SwiftName.words(of: key).map { $0.lowercased() } }

    /// Whether numbers under the key may be times.
    var suggestsTime: Bool {
        guard let last = words.last else { return false }
        return KeyWords.times.contains(last) || words.contains("time") || words.contains("timestamp")
            || words.contains("date")
    }

    /// Whether strings of hexadecimal digits under the key are colors.
    var suggestsColor: Bool { words.contains { ["color", "colour", "background", "foreground"].contains($0) } }

    /// Whether a few strings under the key are the cases of an enum.
    var suggestsChoice: Bool { words.last.map(KeyWords.choices.contains) ?? false }

    /// Whether an object under the key has keys that are data, not names of properties.
    var suggestsDictionary: Bool {
        words.count >= 2 && (words.last.map { ["names", "map", "dictionary", "lookup"].contains($0) } ?? false)
            || words.count >= 3 && words.dropFirst().dropLast().contains("by")
    }

    /// Whether the last word is a plural.
    var isPlural: Bool { words.last.map { SwiftName.singular($0) != $0 } ?? false }

    /// Whether the key names the type of an object.
    var suggestsType: Bool { words.last.map(KeyWords.types.contains) ?? false }

    private static let times: Set = [
        "at", "created", "updated", "modified", "deleted", "published", "expires", "expiry", "expiration", "start",
        "end",
        "begin", "since", "until", "ts", "epoch", "exp", "iat", "nbf", "time", "timestamp", "date", "datetime", "seen",
        "birthday", "birthdate", "deadline", "due", "started", "ended", "finished",
    ]
    private static let choices: Set = [
        "status", "state", "type", "kind", "role", "level", "category", "priority", "plan", "mode", "currency",
        "gender",
        "severity", "visibility", "tier", "phase", "stage", "method", "unit", "direction", "order", "size",
        "permission",
        "privacy", "resize", "condition", "result", "outcome", "protocol", "format", "theme", "access",
    ]
    private static let types: Set = [
        "type", "kind", "tag", "variant", "class", "event", "action", "op", "operation", "discriminator", "typename",
        "model", "object",
    ]
}

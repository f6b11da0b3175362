/// Converts keys and names in JSON to Swift names.
enum SwiftName {
    /// The words of a key, split at characters other than letters and digits, and where a capital follows a small letter.
    static func words(of key: String) -> [String] {
        var words: [String] = []
        for part in key.split(whereSeparator: { !isPart($0) }) {
            var word = ""
            let letters = Array(part)
            for (index, letter) in letters.enumerated() {
                let isStart =
                    index > 0 && letter.isUppercase
                    && (!letters[index - 1].isUppercase || index + 1 < letters.count && letters[index + 1].isLowercase)
                if isStart, !word.isEmpty {
                    words.append(word)
                    word = ""
                }
                word.append(letter)
            }
            if !word.isEmpty { words.append(word) }
        }
        return words
    }

    private static func isPart(_ character: Character) -> Bool {
        character != "_"
            && character.unicodeScalars.allSatisfy {
                $0.properties.isIDContinue && !$0.properties.isDefaultIgnorableCodePoint
            }
    }

    /// Whether a text is an identifier or a keyword.
    static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isIDStart, text != "_" else {
            return false
        }
        return text.allSatisfy { $0 == "_" || isPart($0) }
    }

    /// Whether a text can be the name of a property as is, if in backticks, and hides no type that generated code names.
    static func isProperty(_ text: String) -> Bool {
        isIdentifier(text) && text != "self" && !reservedTypes.contains(text)
    }

    // MARK: Properties and cases

    /// A key as the name of a property: `created_at` as `createdAt`, with leading underscores kept.
    static func property(_ key: String) -> String {
        // Keys all in capitals consist of words too.
        let words = words(of: key == key.uppercased() ? key.lowercased() : key)
        guard let first = words.first else { return key.isEmpty ? "empty" : "key" }
        var name = lowercasedStart(first) + words.dropFirst().map(capitalised).joined()
        let underscores = key.prefix { $0 == "_" }
        name = underscores + name
        if let first = name.unicodeScalars.first, first != "_", !first.properties.isIDStart { name = "_" + name }
        return name == "self" ? "selfValue" : name
    }

    /// A name as an identifier, in backticks if it is a keyword.
    static func quoted(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    private static func lowercasedStart(_ word: String) -> String {
        if word == word.uppercased() { return word.lowercased() }
        return word.prefix(1).lowercased() + word.dropFirst()
    }

    static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    // MARK: Types

    /// A key as the name of a type: `created_at` as `CreatedAt`, a list's `entries` as `Entry`; empty if it has no letter.
    static func type(_ key: String, isPlural: Bool = false) -> String {
        var words = words(of: key)
        if isPlural, let last = words.popLast() { words.append(singular(last)) }
        let name = words.map { word in
            word.count > 1 && word == word.uppercased() ? capitalised(word.lowercased()) : capitalised(word)
        }.joined()
        guard let first = name.unicodeScalars.first, first.properties.isIDStart else { return "" }
        return name
    }

    /// The singular of a word: `entries` → `entry`. Words that are not plurals are unchanged.
    static func singular(_ word: String) -> String {
        let lower = word.lowercased()
        if uncountable.contains(lower) { return word }
        if lower == "men" { return word.prefix(1) + "an" }
        if let irregular = irregularPlurals.first(where: { lower.hasSuffix($0.plural) }) {
            let start = word.dropLast(irregular.plural.count)
            return start.isEmpty && word.first?.isUppercase == true
                ? capitalised(irregular.singular) : start + irregular.singular
        }
        if lower.hasSuffix("ies"), lower.count > 4 { return word.dropLast(3) + "y" }
        let endings = ["sses", "shes", "ches", "xes", "zzes", "tzes", "tuses", "ruses", "nuses", "puses"]
        if endings.contains(where: { lower.hasSuffix($0) }) { return String(word.dropLast(2)) }
        let isSingular = ["ss", "us", "is"].contains { lower.hasSuffix($0) }
        return lower.hasSuffix("s") && lower.count > 2 && !isSingular ? String(word.dropLast()) : word
    }

    private static let irregularPlurals: [(plural: String, singular: String)] = [
        ("children", "child"), ("people", "person"), ("women", "woman"), ("criteria", "criterion"),
        ("indices", "index"), ("vertices", "vertex"), ("matrices", "matrix"), ("movies", "movie"),
        ("cookies", "cookie"), ("caches", "cache"), ("quizzes", "quiz"),
        ("analyses", "analysis"), ("aliases", "alias"), ("leaves", "leaf"), ("shelves", "shelf"), ("mice", "mouse"),
    ]
    private static let uncountable: Set<String> = [
        "news", "series", "species", "sms", "gps", "dns", "https", "css", "canvas", "alias", "atlas", "bias", "gas",
    ]

    /// The plural of a name: `gist` → `gists`.
    static func plural(_ name: String) -> String {
        if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
            return name.dropLast() + "ies"
        }
        return ["s", "x", "z", "ch", "sh"].contains { name.hasSuffix($0) } ? name + "es" : name + "s"
    }

    /// Checks a class name that the caller gave.
    ///
    /// - Throws: ``InferenceError/invalidName(_:)``.
    static func check(className name: String) throws(InferenceError) {
        guard isIdentifier(name), name.first?.isLetter == true, quoted(name) == name,
            !ruleTypes.contains(name), !standardTypes.contains(name)
        else {
            throw .invalidName(name)
        }
    }

    /// The types that the rules of generated classes refer to.
    private static let ruleTypes: Set<String> = [
        "AbstractModel", "AnyConverter", "CaseIterable", "ConversionError", "Converter", "DynamicPropertyTypes",
        "DynamicTypeFallback", "DynamicTypeModel", "JSONConvertible", "JSONMapper", "JSONNumber", "JSONValue",
        "KeyStrategy",
        "MappingOptions", "ModelValidation", "PropertyKey", "PropertyRule", "RGBAColor", "Regex", "Set", "String",
        "UnknownCase",
    ]

    /// Common types of the standard library; a class of that name would hide one of them in its whole module.
    private static let standardTypes: Set<String> = [
        "Actor", "AnyObject", "Array", "Bool", "Character", "Codable", "CodingKey", "Comparable", "Decodable",
        "Dictionary", "Double", "Encodable", "Equatable", "Error", "Float", "Hashable", "Identifiable", "Int", "Int8",
        "Int16", "Int32", "Int64", "Int128", "Mirror", "Never", "Optional", "RawRepresentable", "Result", "Sendable",
        "Substring", "Task", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "Void",
    ]

    /// The names for which a property or a case needs backticks.
    private static let keywords: Set<String> = [
        "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
        "internal", "let", "operator", "precedencegroup", "private", "protocol", "public", "rethrows", "static",
        "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do",
        "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw", "where", "while",
        "Any", "as", "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try", "Type",
        "Protocol",
    ]

    /// Names of types that generated code refers to, or that readers expect to be a library's.
    static let reservedTypes: Set<String> = ruleTypes.union(standardTypes).union([
        "APIClient", "Any", "Class", "Data", "Date", "Decimal", "Element", "Endpoint", "Foundation", "JSONPath",
        "Locale",
        "ModelMirror", "ModelMirrorNetworking", "Page", "Pages", "ParameterList", "ParameterValue", "Part", "Protocol",
        "Request",
        "RequestParameters", "Requesting", "Response", "Route", "Self", "Swift", "T", "TimeZone", "Type", "URL",
        "UUID", "Value",
    ])
}

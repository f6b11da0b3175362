/// The sentences of failures and reports: phrases made of codes and parameters alone.
///
/// No control flow reads these texts; what decides, decides by ``FailureCode`` and ``Expectation``. The other texts of failures are in
/// `JSON/`, which knows no mapping: ``SyntaxFault``, for errors in the grammar, and `JSONReader.describeValue(at:)`, which says what
/// a value is, as ``FoundValue`` does for one of Swift.
enum FailureWords {
    typealias Parameters = [String: JSONValue]

    // MARK: Expected

    /// The end of "expected …".
    static func expected(_ code: FailureCode, _ parameters: Parameters) -> String {
        switch FailureCode.Known(rawValue: code.rawValue) {
        case .additionalProperties: "a key of \(text("model", parameters))"
        case .duplicateKey: "each key once"
        case .uniqueItems: "each element once"
        case .alias: "no second key, since a preferred one is present"
        case .depth, .stack: "no deeper nesting"
        case .notFinite: "a finite number"
        case .cycle: "an object that does not contain itself"
        case .dateRange: "a date between the years 0 and 9999"
        case .notWritable: written(text("by", parameters)) ?? value(parameters)
        case .propertyNames: "a key that is \(described(parameters["inside"]))"
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum: bounded(parameters)
        case .multipleOf: "a multiple of \(parameters["multipleOf"]?.description ?? "")"
        case .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties: counted(parameters)
        case .pattern: text("description", parameters)
        default: value(parameters)
        }
    }

    /// What is expected of a value.
    private static func value(_ parameters: Parameters) -> String {
        if let alternatives = parameters["anyOf"]?.array {
            return alternatives.map { alternative in
                described(alternative) + (alternative["reason"]?.string.map { " (\($0))" } ?? "")
            }.joined(separator: " or ")
        }
        if let values = parameters["values"]?.array { return list(values.map(\.description)) }
        if let model = parameters["model"]?.string { return "an object for \(model)" }
        if let format = parameters["format"]?.string.flatMap(TextFormat.init(rawValue:)) {
            return formatted(format, parameters)
        }
        let type = text("type", parameters)
        switch parameters["by"]?.string {
        case "JSONConvertible"?, "Converter"?: return "a value for \(type)"
        case "Decodable"?: return "a value that \(type) can decode"
        case "InitializableWithDictionary"?: return "an object for \(type)"
        case "RawRepresentable"?: return "a raw value of \(type)"
        case "converting"?: return "\(described(parameters["inside"])) convertible to \(type)"
        case "path"?: return "a value"
        case "didMap"?: return "an object that didMap accepts"
        default: break
        }
        if parameters["names"] != nil || parameters["by"] == "dynamicType" { return named(parameters) }
        if parameters["format"] != nil {
            return "a string that holds JSON" + (parameters["inside"].map { " for \(described($0))" } ?? "")
        }
        if let raw = parameters["inside"] { return "\(described(raw)) that is a raw value of \(type)" }
        if let digits = parameters["digits"] {
            return "a decimal number of at most \(digits) digits, with an exponent from -128 to 127"
        }
        if let least = parameters["minimum"], let most = parameters["maximum"] {
            return "an integer from \(least) to \(most)"
        }
        if type.isEmpty { return kind(parameters) }
        return parameters["expected"] == nil ? "a value of type \(type)" : "a number that \(type) can hold"
    }

    /// The parameters inside of others, as words.
    private static func described(_ parameters: JSONValue?) -> String {
        guard let parameters = parameters?.object else { return "a value" }
        if let words = parameters["words"]?.string { return words }
        return expected(FailureCode(rawValue: parameters["code"]?.string ?? ""), parameters)
    }

    /// A value by its kinds.
    private static func kind(_ parameters: Parameters) -> String {
        let kinds = parameters["expected"]?.array?.compactMap { $0.string.flatMap(JSONKind.init(rawValue:)) } ?? []
        return kinds.count > 2 ? "a JSON value" : noun(kinds.first)
    }

    private static func noun(_ kind: JSONKind?) -> String {
        switch kind {
        case .string?: "a string"
        case .boolean?: "true or false"
        case .integer?: "an integer"
        case .number?: "a number"
        case .array?: "an array"
        case .object?: "an object"
        case .null?: "null"
        case nil: "a value"
        }
    }

    private static func formatted(_ format: TextFormat, _ parameters: Parameters) -> String {
        let patterns = (parameters["patterns"]?.array ?? []).map(\.description)
        let list = patterns.joined(separator: " or ")
        let words =
            switch format {
            case .uri: "a URL"
            case .escapedURI: "a URL without characters to be escaped"
            case .uuid: "a UUID"
            case .byte: "base64"
            case .hex: "hexadecimal digits, two a byte"
            case .color: "a color like #RRGGBB or #RRGGBBAA"
            case .argbColor: "a color like #AARRGGBB"
            case .zone: "the identifier of a time zone"
            case .locale: "the identifier of a locale"
            case .character: "a string of one character"
            case .dateTime: "a date in ISO 8601" + (patterns.isEmpty ? "" : " or \(list)")
            case .date: patterns.isEmpty ? "a date" : "a date in the format \(list)"
            case .httpDate: "an HTTP date"
            case .seconds: "seconds since 1970"
            case .milliseconds: "milliseconds since 1970"
            }
        if parameters["dayExists"] != nil { return "\(words) whose day and time exist" }
        return parameters["by"] == nil ? words : "a value that can be written without loss as \(words)"
    }

    /// The names of classes.
    private static func named(_ parameters: Parameters) -> String {
        let names = (parameters["names"]?.array ?? []).map(\.description)
        let listed = names.isEmpty ? [] : ["one of the type names " + names.joined(separator: ", ")]
        let type = parameters["type"]?.string
        let object = type.map { "an object for which dynamicType(for:) gives \($0)" }
        let known = parameters["by"] == nil ? [] : [object ?? "an object that dynamicType(for:) knows"]
        return (listed + known).joined(separator: ", or ")
    }

    private static func written(_ need: String) -> String? {
        switch Expectation.WritingNeed(rawValue: need) {
        case .plainValue?: "a value that JSON can hold"
        case .notModel?: "a value that is not a model"
        case .encodable?: "a type that is JSONConvertible or Encodable, to be written"
        case .form?: "a value with a JSON form"
        case .convertibleType?: "a type that has a JSON form, a converter, or a place in readOnlyProperties"
        case .caseName?: "a payload without the member that names the case"
        case .nameProperty?: "a property that holds the name of a class, since others are written beside it"
        case .namedClass?: "objects of the one class that this name leads to"
        case nil: nil
        }
    }

    // MARK: Rules

    /// The texts of the accepted values.
    static func list(_ texts: [String]) -> String {
        texts.count == 1 ? texts[0] : "one of " + texts.joined(separator: ", ")
    }

    /// A number, a date or a text between bounds.
    private static func bounded(_ parameters: Parameters) -> String {
        func bound(_ name: String) -> String? {
            parameters[name].map { parameters["format"] == nil ? $0.description : $0.string ?? $0.description }
        }
        let (above, below) = parameters["format"] == nil ? ("above", "below") : ("after", "before")
        if let least = bound("minimum"), let most = bound("maximum") {
            return "\(noun(parameters)) from \(least) to \(most)"
        }
        let bounds = [
            bound("minimum").map { "from \($0) on" }, bound("exclusiveMinimum").map { "\(above) \($0)" },
            bound("maximum").map { "up to \($0)" }, bound("exclusiveMaximum").map { "\(below) \($0)" },
        ]
        let words = bounds.contains { $0 != nil } ? bounds.compactMap { $0 } : ["in \(text("range", parameters))"]
        return "\(noun(parameters)) " + words.joined(separator: " and ")
    }

    /// A string, an array or an object of a size.
    private static func counted(_ parameters: Parameters) -> String {
        guard let unit = parameters["unit"]?.string else { return "\(noun(parameters)) that is not empty" }
        func value(_ names: String...) -> Int? { names.lazy.compactMap { parameters[$0]?.int }.first }
        func parts(_ number: Int) -> String { number == 1 ? "1 \(unit)" : "\(number) \(unit)s" }
        let least = value("minLength", "minItems", "minProperties")
        let most = value("maxLength", "maxItems", "maxProperties")
        let words =
            switch (least, most) {
            case (let least?, let most?): least == most ? parts(most) : "\(least) to \(most) \(unit)s"
            case (let least?, nil): "at least \(parts(least))"
            case (nil, let most?): value("below").map { "fewer than \(parts($0))" } ?? "at most \(parts(most))"
            case (nil, nil): "\(unit)s in \(text("range", parameters))"
            }
        return "\(noun(parameters)) of \(words)"
    }

    /// What a rule is about.
    private static func noun(_ parameters: Parameters) -> String {
        switch parameters["format"]?.string.flatMap(TextFormat.init(rawValue:)) {
        case .dateTime?: "a date"
        case .byte?: "data"
        default: kind(parameters)
        }
    }

    // MARK: Texts

    private static func text(_ name: String, _ parameters: Parameters) -> String { parameters[name]?.string ?? "" }

    // MARK: Found

    /// The end of "found …" if no value was found; nil for a value.
    static func found(_ found: Issue.Found) -> String? {
        switch found {
        case .noKey: "no such key"
        case .noKeyOrIndex: "no such key or index"
        case .failedObject: "an object with failures"
        case .nothing: "nil"
        case .value, .usedDuplicate, .duplicate: nil
        }
    }

    /// No such key, for a single key that looks like a path.
    static func path(of names: [Substring]) -> String {
        let list = names.map { String($0).quotedForMessage }.joined(separator: ", ")
        return "no such key (a text is one key; the path is [\(list)])"
    }

    /// A string without what was expected of it.
    static let otherText = "a string that does not"

    /// The text of a document that has failures of its own, which describe it.
    static let documentText = "a string that does not fit"

    /// A key of the object that may be meant.
    static func similar(_ key: String) -> String { "; the object has \(key.quotedForMessage)" }

    /// The value of a second key of a property.
    static func duplicate(of property: String, at step: JSONPath.Step?, isUsed: Bool) -> String {
        let rest = "with a second value for \(property)" + (isUsed ? "; the last one that fits is used" : "")
        return switch step {
        case .key(let key)?: "the key \(JSONReader.quoted(key)) \(rest)"
        case .index(let index)?: "the element \(index) \(rest)"
        case nil: rest
        }
    }

    /// The value of a key of a dictionary that came before; of keys that are not texts, equal ones may have several spellings.
    static func again(_ key: String, as type: Any.Type = String.self, isUsed: Bool) -> String {
        "the key \(key.quotedForMessage)" + (type == String.self ? " again" : ", equal to an earlier one")
            + (isUsed ? "; the last value that fits is used" : "")
    }

    /// A value that came before.
    static func again(_ value: String) -> String { "\(value) again" }

    static func key(_ key: String) -> String { "the key \(key)" }

    /// Why a value does not fit because of a part of it.
    static func part(_ issue: Issue) -> String {
        let names = [issue.model.map { "\($0)" }, issue.property].compactMap(\.self)
        let found = found(issue.found).map { ", found \($0)" } ?? ""
        let place = issue.property == nil ? "inside it" : names.joined(separator: ".")
        return "\(place): expected \(issue.expectationOfRow.words)\(found)"
    }

    /// A value that is never shown, by its kind, or the key that was not expected.
    static func redacted(_ kind: JSONKind?, _ expectation: Expectation) -> String {
        if case .knownKey = expectation { return "a key, redacted" }
        return switch kind {
        case .boolean?: "a Boolean, redacted"
        case .integer?: "a number, redacted"
        case .null?: "null"
        default: "\(noun(kind)), redacted"
        }
    }

    /// The type to use for an array or a single object.
    static func use(_ type: String) -> String { "; use \(type)" }

    // MARK: Sentences

    /// One sentence.
    ///
    /// - Parameters:
    ///   - place: Line and column in parentheses; empty for none.
    ///   - reason: The text of the error behind the failure.
    static func sentence(_ failure: PropertyFailure, at place: String, _ reason: String?, advises: Bool) -> String {
        let name = failure.property.map { "\(failure.model).\($0)" } ?? failure.model
        let rest = reason.map { ": \($0)" } ?? (advises ? advice(failure) : nil) ?? ""
        return "\(name) at \(failure.path)\(place): expected \(failure.expected), found \(failure.found)\(rest)"
    }

    /// The option that accepts a number for a property without a converter of its own.
    private static func advice(_ failure: PropertyFailure) -> String? {
        // It does not concern what a type decodes itself.
        let isDecoded = failure.underlying != nil
        return switch (failure.expectation, failure.kind) {
        case (.kind(.string), .integer?) where !isDecoded, (.kind(.string), .number?) where !isDecoded:
            "; the option stringsFromNumbers accepts it"
        case (.date(.standard), .integer?), (.date(.standard), .number?):
            "; the option dates accepts numbers, as .secondsSince1970 or .millisecondsSince1970"
        default: nil
        }
    }
}

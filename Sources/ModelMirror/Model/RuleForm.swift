#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a rule requires, as data.
indirect enum RuleForm: Sendable {
    case notNil
    case bounds(RuleBounds)
    case size(RuleSize)
    case values(RuleValues)
    case pattern(RulePattern)
    case multiple(JSONNumber)
    case unique
    case keys(RuleForm)
    case each(RuleForm)
    case all([RuleForm])
    case check(Expectation, TypedCheck)

    var acceptsNil: Bool { if case .notNil = self { false } else { true } }
}

/// A rule for values of another type than a property's.
struct RuleMismatch: Error {
    /// The types that the rule is for, as in "a rule for …".
    let fitting: String
}

/// A broken rule.
struct RuleBreak {
    /// Leads from the property's value to the part that breaks the rule.
    var steps: [JSONPath.Step] = []
    let expectation: Expectation
}

/// A check of values of one type.
struct TypedCheck: Sendable {
    let type: Any.Type
    let accepts: @Sendable (Any) -> Bool

    init<Value>(_ accepts: @escaping @Sendable (Value) -> Bool) {
        type = Value.self
        self.accepts = { ($0 as? Value).map(accepts) ?? true }
    }

    func checked(for type: Any.Type) throws(RuleMismatch) -> @Sendable (Any) -> Bool {
        guard self.type == type || self.type == Any.self else {
            throw RuleMismatch(fitting: "\(self.type)")
        }
        return accepts
    }
}

/// The least and the largest value.
struct RuleBounds: Sendable {
    var minimum: JSONValue?
    var maximum: JSONValue?
    /// Whether the value must differ from the bound.
    var isAbove = false
    var isBelow = false
    /// A range of another kind.
    var range: String?
    let check: TypedCheck
    private var lower: RuleNumber.Limit?
    private var upper: RuleNumber.Limit?

    init<Bound: Comparable & Sendable>(_ range: some RangeExpression<Bound> & Sendable) {
        check = TypedCheck { (value: Bound) in range.contains(value) }
        switch range {
        case let range as ClosedRange<Bound>:
            (minimum, maximum) = (JSONValue(bound: range.lowerBound), JSONValue(bound: range.upperBound))
        case let range as Range<Bound>:
            (minimum, maximum, isBelow) = (JSONValue(bound: range.lowerBound), JSONValue(bound: range.upperBound), true)
        case let range as PartialRangeFrom<Bound>: minimum = JSONValue(bound: range.lowerBound)
        case let range as PartialRangeThrough<Bound>: maximum = JSONValue(bound: range.upperBound)
        case let range as PartialRangeUpTo<Bound>: (maximum, isBelow) = (JSONValue(bound: range.upperBound), true)
        default: self.range = "\(range)"
        }
        setLimits()
    }

    init<Bound: Comparable & Sendable>(above bound: Bound) {
        check = TypedCheck { (value: Bound) in value > bound }
        (minimum, isAbove) = (JSONValue(bound: bound), true)
        setLimits()
    }

    private mutating func setLimits() {
        lower = (minimum?.number).map { RuleNumber.Limit($0) }
        upper = (maximum?.number).map { RuleNumber.Limit($0) }
    }

    /// The keywords of JSON Schema.
    var keywords: [String: JSONValue] {
        var keywords: [String: JSONValue] = [:]
        if let minimum { keywords[isAbove ? "exclusiveMinimum" : "minimum"] = minimum }
        if let maximum { keywords[isBelow ? "exclusiveMaximum" : "maximum"] = maximum }
        return keywords
    }

    /// The bound that a number breaks; nil if none.
    func broken(by number: RuleNumber) -> FailureCode.Known? {
        if let lower, !number.isAbove(lower, orEqual: !isAbove) { return isAbove ? .exclusiveMinimum : .minimum }
        if let upper, !number.isBelow(upper, orEqual: !isBelow) { return isBelow ? .exclusiveMaximum : .maximum }
        return nil
    }

    /// The code where it is not known which bound is broken.
    var code: FailureCode.Known {
        minimum == nil && maximum != nil
            ? (isBelow ? .exclusiveMaximum : .maximum)
            : isAbove ? .exclusiveMinimum : .minimum
    }
}

/// The least and the largest size; not empty if none is set.
struct RuleSize: Sendable {
    var least: Int?
    var most: Int?
    /// The bound of `..<11`, for the words.
    var below: Int?
    var range: String?

    init() {}

    init(_ range: some RangeExpression<Int> & Sendable) {
        switch range {
        case let range as ClosedRange<Int>: (least, most) = (range.lowerBound, range.upperBound)
        case let range as Range<Int> where !range.isEmpty: (least, most) = (range.lowerBound, range.upperBound - 1)
        case let range as PartialRangeFrom<Int>: least = range.lowerBound
        case let range as PartialRangeThrough<Int>: most = range.upperBound
        case let range as PartialRangeUpTo<Int>: (most, below) = (range.upperBound - 1, range.upperBound)
        default: (self.range, contains) = ("\(range)", { range.contains($0) })
        }
    }

    private var contains: (@Sendable (Int) -> Bool)?

    /// Whether the size has to be at least one, without a range.
    var isNotEmpty: Bool { least == nil && most == nil && range == nil }

    /// Whether a size is too small; nil if it fits.
    func isTooSmall(_ size: Int) -> Bool? {
        if isNotEmpty { return size == 0 ? true : nil }
        if let contains { return contains(size) ? nil : true }
        if let least, size < least { return true }
        if let most, size > most { return false }
        return nil
    }
}

/// The values among which one has to be.
struct RuleValues: Sendable {
    /// As JSON; nil if one of them has no plain form.
    let values: [JSONValue]?
    private let texts: [String]
    let check: TypedCheck

    init<Value: Equatable & Sendable>(_ values: [Value]) {
        let json = values.compactMap { JSONValue(bound: $0) }
        self.values = json.count == values.count ? json : nil
        texts = values.map { JSONValue(bound: $0).map { FailureWords.text(of: $0) } ?? "\($0)" }
        // Equal texts may have other scalars, which JSON tells apart.
        check = TypedCheck { (value: Value) in
            guard let text = value as? String else { return values.contains(value) }
            return values.contains { ($0 as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false }
        }
    }

    var expectation: Expectation {
        let code: FailureCode.Known = texts.count == 1 ? .const : .enum
        guard let values else {
            return .stated(texts.count == 1 ? texts[0] : "one of " + texts.joined(separator: ", "), code)
        }
        return .rule(RuleExpectation(code: FailureCode(code), parameters: ["values": .array(values)]))
    }
}

/// A regular expression.
struct RulePattern: Sendable {
    let words: String
    /// The text of the expression, if it has one that JSON Schema understands.
    let text: String?
    let isWhole: Bool
    /// The name of the form in JSON Schema.
    var format: String?
    let matches: @Sendable (Substring) -> Bool

    init(_ expression: some RegexComponent, isWhole: Bool, _ words: String) {
        let regex = SharedRegex(Regex<AnyRegexOutput>(expression.regex))
        self.words = words
        self.isWhole = isWhole
        text = expression.regex._literalPattern.flatMap { RulePattern.isPortable($0) ? $0 : nil }
        matches = { text in isWhole ? regex.wholeMatch(text) : regex.firstMatch(text) }
    }

    /// The text for JSON Schema, whose expressions are searched for.
    var pattern: String? { text.map { isWhole ? "^(?:\($0))$" : $0 } }

    var expectation: Expectation {
        var parameters: [String: JSONValue] = ["description": .string(words)]
        if let pattern { parameters["pattern"] = .string(pattern) }
        if let format { parameters["format"] = .string(format) }
        return .rule(RuleExpectation(code: FailureCode(.pattern), parameters: parameters))
    }

    /// Whether JavaScript reads an expression as Swift does.
    private static func isPortable(_ text: String) -> Bool {
        let foreign = [
            "(?i", "(?s", "(?m", "(?x", "(?-", "(?>", "(?|", "(?#", "(*", "\\A", "\\z", "\\Z", "\\h", "\\H", "\\R",
            "\\X",
            "\\N", "\\K", "\\Q", "\\G", "[[:", "&&", "--", "~~", "*+", "++", "?+", "}+", "\n", "\\p", "\\P", "(?P",
            "\\u{",
        ]
        return !foreign.contains { text.contains($0) }
    }
}

/// A regular expression that several threads share.
///
/// `@unchecked Sendable`: the compiler does not know that matching changes nothing but the expression's own compiled form, which the
/// lock guards; closures in an expression are the user's, whose documentation says where they run.
private final class SharedRegex: @unchecked Sendable {
    private let regex: Regex<AnyRegexOutput>

    init(_ regex: Regex<AnyRegexOutput>) {
        self.regex = regex
        // Compiled before it is shared.
        _ = try? regex.firstMatch(in: "")
    }

    func wholeMatch(_ text: Substring) -> Bool { (try? regex.wholeMatch(in: text)).flatMap { $0 } != nil }
    func firstMatch(_ text: Substring) -> Bool { (try? regex.firstMatch(in: text)).flatMap { $0 } != nil }
}

extension StringForm {
    /// The expression of the form. That of `email` only looks for what every address has.
    var pattern: RulePattern {
        let hour = "(?:[01][0-9]|2[0-3])"
        let (words, text) =
            switch self {
            case .email: ("an e-mail address", ".+@.+")
            case .ipv4:
                ("an IPv4 address", "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}")
            case .hostname:
                (
                    "a host name",
                    "(?!.{254})(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.(?!$)|$))+"
                )
            case .time:
                (
                    "a time with an offset",
                    "\(hour):[0-5][0-9]:(?:[0-5][0-9]|60)(?:\\.[0-9]+)?(?:[Zz]|[+-]\(hour):[0-5][0-9])"
                )
            }
        return RulePattern(form: rawValue, text, words)
    }
}

extension RulePattern {
    /// - Parameter text: An expression that Swift and JavaScript read alike.
    fileprivate init(form: String, _ text: String, _ words: String) {
        let regex = (try? Regex<AnyRegexOutput>(text)).map { SharedRegex($0) }
        self.words = words
        self.text = text
        isWhole = true
        format = form
        matches = { regex?.wholeMatch($0) ?? true }
    }
}

extension JSONValue {
    /// A plain value as JSON; nil if it has no such form.
    init?(bound value: Any) {
        switch value {
        case let value as JSONValue: self = value
        case let value as any OptionalType where value.isNone: self = .null
        case let value as any StringProtocol: self = .string(String(value))
        case let value as Character: self = .string(String(value))
        case let value as Bool where type(of: value as Any) == Bool.self: self = .bool(value)
        case let value as any BinaryInteger: self = .number(JSONNumber(value))
        case let value as Double: self = .number(JSONNumber(value) ?? 0)
        case let value as Float: self = .number(JSONNumber(value) ?? 0)
        case let value as Decimal: self = .number(JSONNumber(value) ?? 0)
        case let value as JSONNumber: self = .number(value)
        case let value as Date: self = .string(ISO8601Date.text(value) ?? "\(value)")
        case let value as any RawRepresentable:
            guard let raw = JSONValue(bound: value.rawValue) else { return nil }
            self = raw
        default: return nil
        }
    }
}

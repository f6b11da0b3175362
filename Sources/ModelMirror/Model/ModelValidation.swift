/// Collects the failures of ``AbstractModel/validateModel(_:)``.
///
/// ```swift
/// override func validateModel(_ validation: inout ModelValidation) {
///     validation.require("title", title, .notEmpty, .count(...80))
///     validation.require("age", age, .inRange(0...150))
///     if end < start { validation.fail("end", expected: "a date after start") }
/// }
/// // Person.age at $[3].age (line 12, column 9): expected an integer from 0 to 150, found the number 151.
/// ```
public struct ModelValidation {
    struct Problem {
        let property: String?
        let expected: String
    }

    /// Nil until something is recorded, which for most objects is never.
    private var records: (problems: [Problem], names: [String])?

    var problems: [Problem] { records?.problems ?? [] }
    /// All property names used, so that a wrong name is found with the first object.
    var names: [String] { records?.names ?? [] }
    /// Whether nothing was recorded.
    var isEmpty: Bool { records == nil }

    init() {}

    private mutating func record(_ name: String?, _ problem: Problem?) {
        if records == nil { records = ([], []) }
        if let name { records?.names.append(name) }
        if let problem { records?.problems.append(problem) }
    }

    /// Records a failure of a property, with path and line of its JSON value.
    ///
    /// - Parameters:
    ///   - property: The property's name in Swift; nil for the object as a whole.
    ///   - expected: The acceptable values, as the end of "expected …".
    public mutating func fail(_ property: String? = nil, expected: String) {
        record(property, Problem(property: property, expected: expected))
    }

    /// Records a failure if a value breaks one of the rules.
    ///
    /// The rules are checked in order and only the first broken one is recorded, so a rule may rely on earlier ones. nil satisfies
    /// every rule but ``ValidationRule/notNil``.
    ///
    /// - Parameters:
    ///   - property: The property's name in Swift.
    ///   - value: Its value, Optional or not.
    ///   - rules: The rules for the value.
    public mutating func require<Value>(_ property: String, _ value: Value?, _ rules: ValidationRule<Value>...) {
        let broken = rules.first { !$0.accepts(value) }
        record(property, broken.map { Problem(property: property, expected: $0.expected) })
    }
}

/// A rule for a value, for ``ModelValidation/require(_:_:_:)``.
///
/// | Rule | Value | Message: expected … |
/// |---|---|---|
/// | `.notNil` | any | a value |
/// | `.notEmpty` | string, collection | a string that is not empty |
/// | `.count(1...10)` | string, collection | an array of 1 to 10 elements |
/// | `.inRange(0...150)` | comparable | an integer from 0 to 150 |
/// | `.oneOf(["a", "b"])` | equatable | one of "a", "b" |
/// | `.matches(/[0-9]{5}/, as: "five digits")` | string | five digits |
/// | `.custom("an even number") { $0 % 2 == 0 }` | any | an even number |
///
/// Declare your own rules as static members:
///
/// ```swift
/// extension ValidationRule<String> {
///     static var slug: Self { .matches(/[a-z0-9-]+/, as: "small letters, digits and hyphens") }
/// }
/// validation.require("name", name, .slug)
/// ```
public struct ValidationRule<Value> {
    /// The acceptable values, as the end of "expected …".
    public let expected: String

    private let acceptsNil: Bool
    private let predicate: (Value) -> Bool

    private init(_ expected: String, acceptsNil: Bool = true, predicate: @escaping (Value) -> Bool) {
        self.expected = expected
        self.acceptsNil = acceptsNil
        self.predicate = predicate
    }

    func accepts(_ value: Value?) -> Bool { value.map(predicate) ?? acceptsNil }

    /// A rule of your own. nil satisfies it.
    ///
    /// - Parameters:
    ///   - expected: The acceptable values, as the end of "expected …": "an even number".
    ///   - predicate: Whether a value is acceptable.
    public static func custom(_ expected: String, _ predicate: @escaping (Value) -> Bool) -> ValidationRule {
        ValidationRule(expected, predicate: predicate)
    }

    /// An Optional that has a value.
    public static var notNil: ValidationRule { ValidationRule("a value", acceptsNil: false) { _ in true } }
}

extension ValidationRule where Value: Collection {
    /// A string with characters, an array or set with elements, a dictionary with members.
    public static var notEmpty: ValidationRule {
        ValidationRule("\(ValidationWording.kind(of: Value.self)) that is not empty") { !$0.isEmpty }
    }

    /// A string with this many characters (as Swift counts them), an array or set with this many elements, a dictionary with this
    /// many members, as a range of any kind: `1...10`, `1..<11`, `1...`, `...10`, `..<11`.
    public static func count(_ range: some RangeExpression<Int>) -> ValidationRule {
        let part = ValidationWording.part(of: Value.self)
        let count = ValidationWording.count(range, of: part)
        return ValidationRule("\(ValidationWording.kind(of: Value.self)) of \(count)") { range.contains($0.count) }
    }

    /// A string with exactly this many characters, an array or set with this many elements, a dictionary with this many members.
    public static func count(_ number: Int) -> ValidationRule { count(number...number) }
}

extension ValidationRule where Value: Comparable {
    /// A value in a range: `0...150`, `0..<1`, `1...`, `...now`, `..<1`. NaN is in no range.
    public static func inRange(_ range: some RangeExpression<Value>) -> ValidationRule {
        let words = "\(ValidationWording.kind(of: Value.self)) \(ValidationWording.range(range))"
        return ValidationRule(words) { range.contains($0) }
    }
}

extension ValidationRule where Value: Equatable {
    /// One of the given values.
    public static func oneOf(_ values: [Value]) -> ValidationRule {
        let texts = values.map { ValidationWording.text($0) }
        let words = texts.count == 1 ? texts[0] : "one of " + texts.joined(separator: ", ")
        return ValidationRule(words) { values.contains($0) }
    }
}

extension ValidationRule where Value: StringProtocol, Value.SubSequence == Substring {
    /// A string that matches a regular expression from start to end.
    ///
    /// If the expression's own code throws, the string does not match.
    ///
    /// - Parameters:
    ///   - expression: A literal, a `Regex`, or a result of `RegexBuilder`.
    ///   - expected: The acceptable values in words, as the end of "expected …": "five digits".
    public static func matches(_ expression: some RegexComponent, as expected: String) -> ValidationRule {
        let regex = expression.regex
        return ValidationRule(expected) { text in (try? regex.wholeMatch(in: text[...])).flatMap { $0 } != nil }
    }
}

/// A rule for the values of a property: data that mapping, schemas, checks and messages read.
///
/// ```swift
/// override class var propertyRules: [String: any PropertyRule] {
///     [
///         "age": .inRange(0...150),
///         "name": .all(.notEmpty, .count(...80)),
///         "zip": .matches(/[0-9]{5}/, as: "five digits"),
///         "tags": .each(.count(1...20)),
///         "even": .check("an even number", code: "even") { (number: Int) in number % 2 == 0 },
///     ]
/// }
/// ```
///
/// | Rule | Values | Message: expected … |
/// |---|---|---|
/// | `.notNil` | any, in `require` of ``ModelValidation`` alone | a value |
/// | `.notEmpty` | string, collection | a string that is not empty |
/// | `.count(1...10)` | string, collection | an array of 1 to 10 elements |
/// | `.inRange(0...150)`, `.above(0)`, `.below(1)` | comparable | an integer from 0 to 150 |
/// | `.multiple(of: 0.5)` | number | a multiple of 0.5 |
/// | `.oneOf(["a", "b"])` | equatable | one of "a", "b" |
/// | `.matches(/[0-9]{5}/, as: "five digits")`, `.contains(…)` | text | five digits |
/// | `.format(.email)` | string | an e-mail address |
/// | `.unique` | array | each element once |
/// | `.keys(…)`, `.each(…)`, `.all(…)` | rules for keys, for elements or members, several rules | |
/// | `.check("an even number") { (number: Int) in number % 2 == 0 }` | any | an even number |
///
/// Declare your own as static members, and conform a type that holds one:
///
/// ```swift
/// extension PropertyRule where Self == ValidationRule<String> {
///     static var slug: Self { .matches(/[a-z0-9-]+/, as: "small letters, digits and hyphens") }
/// }
/// ```
public protocol PropertyRule: Sendable {
    /// The type of the values.
    associatedtype Value
    /// The rule.
    var validationRule: ValidationRule<Value> { get }
}

/// The type of the library's rules, for your own; their members are those of ``PropertyRule``. A rule for `Any` fits several types.
public struct ValidationRule<Value>: PropertyRule {
    let form: RuleForm

    fileprivate init(_ form: RuleForm) { self.form = form }

    /// The rule itself.
    public var validationRule: ValidationRule { self }
}

extension PropertyRule where Self == ValidationRule<Any> {
    /// An Optional that has a value. Not for ``AbstractModel/propertyRules``: list the property in
    /// ``AbstractModel/requiredProperties``.
    public static var notNil: Self { Self(.notNil) }

    /// A string with characters, an array or set with elements, a dictionary with members.
    public static var notEmpty: Self { Self(.size(RuleSize())) }

    /// A string with this many Unicode scalars, an array or set with this many elements, a dictionary with this many members, as a
    /// range of any kind: `1...10`, `1..<11`, `1...`, `...10`, `..<11`.
    ///
    /// Unicode scalars are what JSON Schema counts; a character as Swift counts them may have several.
    public static func count(_ range: some RangeExpression<Int> & Sendable) -> Self { Self(.size(RuleSize(range))) }

    /// Exactly this many Unicode scalars, elements or members.
    public static func count(_ number: Int) -> Self { count(number...number) }

    /// A multiple of a number, which must be above 0. Compared by their decimal digits: `0.3` is a multiple of `0.1`.
    public static func multiple(of number: JSONNumber) -> Self { Self(.multiple(number)) }

    /// An array whose elements differ.
    public static var unique: Self { Self(.unique) }

    /// A string of a form.
    public static func format(_ form: StringForm) -> Self { Self(.pattern(form.pattern)) }

    /// A dictionary whose keys obey a rule for strings.
    public static func keys(_ rule: some PropertyRule) -> Self { Self(.keys(rule.validationRule.form)) }

    /// An array, set or dictionary whose elements or members obey a rule. Nothing is left out because of it: the object fails.
    public static func each(_ rule: some PropertyRule) -> Self { Self(.each(rule.validationRule.form)) }

    /// A value that obeys several rules. They are checked in order, and of each part of the value (the whole, an element, a member) only
    /// the first broken one is a failure.
    public static func all(_ rules: any PropertyRule...) -> Self { Self(.all(rules.map(\.form))) }
}

extension PropertyRule {
    var form: RuleForm { validationRule.form }

    /// A value in a range: `0...150`, `0..<1`, `1...`, `...now`, `..<1`. NaN is in no range.
    ///
    /// In ``AbstractModel/propertyRules`` a range of numbers fits every numeric property.
    public static func inRange<Bound: Comparable & Sendable>(_ range: some RangeExpression<Bound> & Sendable) -> Self
    where Self == ValidationRule<Bound> { Self(.bounds(RuleBounds(range))) }

    /// A value above a bound.
    public static func above<Bound: Comparable & Sendable>(
        _ bound: Bound
    ) -> Self where Self == ValidationRule<Bound> { Self(.bounds(RuleBounds(above: bound))) }

    /// A value below a bound.
    public static func below<Bound: Comparable & Sendable>(
        _ bound: Bound
    ) -> Self where Self == ValidationRule<Bound> { Self(.bounds(RuleBounds(..<bound))) }

    /// One of the given values, of which there must be one or more.
    public static func oneOf<Value: Equatable & Sendable>(_ values: [Value]) -> Self
    where Self == ValidationRule<Value> { Self(.values(RuleValues(values))) }

    /// A rule of your own. nil satisfies it. A JSON Schema has it as a comment.
    ///
    /// - Parameters:
    ///   - expected: The acceptable values, as the end of "expected …": "an even number".
    ///   - code: The code of failures; defaults to `rule`.
    ///   - parameters: What the code is about. They must not hold the value itself.
    ///   - predicate: Whether a value is acceptable. It may be called on any thread.
    public static func check<Value>(
        _ expected: String, code: FailureCode? = nil, parameters: [String: JSONValue] = [:],
        _ predicate: @escaping @Sendable (Value) -> Bool
    ) -> Self where Self == ValidationRule<Value> {
        Self(.check(.stated(expected, code ?? FailureCode(.rule), parameters), TypedCheck(predicate)))
    }
}

extension PropertyRule where Self == ValidationRule<String> {
    /// A text that matches a regular expression from start to end; in properties, also of a URL and of an enum's raw value.
    ///
    /// It is read as JSON Schema reads expressions: by Unicode scalars, with ASCII digits and letters for `\d` and `\w`, unless its own
    /// options say otherwise; what only Swift reads is a comment in the schema. If the expression's own code throws, the string does not
    /// match.
    ///
    /// - Parameters:
    ///   - expression: A literal, a `Regex`, or a result of `RegexBuilder`. Its code must be safe to call from several threads.
    ///   - expected: The acceptable values in words, as the end of "expected …": "five digits".
    public static func matches(_ expression: some RegexComponent, as expected: String) -> Self {
        Self(.pattern(RulePattern(expression, isWhole: true, expected)))
    }

    /// A text with a part that matches a regular expression, as `pattern` of JSON Schema.
    ///
    /// - Parameters:
    ///   - expression: As for ``matches(_:as:)``.
    ///   - expected: The acceptable values in words, as the end of "expected …".
    public static func contains(_ expression: some RegexComponent, as expected: String) -> Self {
        Self(.pattern(RulePattern(expression, isWhole: false, expected)))
    }
}

/// A form of strings without a Swift type of its own, by the names of JSON Schema.
public enum StringForm: String, Sendable, CaseIterable {
    /// Text, `@`, text.
    case email
    /// Four numbers up to 255, with points between them.
    case ipv4
    /// Labels of letters, digits and hyphens, with points between them.
    case hostname
    /// Hours, minutes, seconds and an offset: `18:30:00Z`.
    case time
}

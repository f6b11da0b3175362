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
    typealias Problem = (property: String?, broken: RuleBreak)

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
    ///   - code: The code for programs, as in ``PropertyFailure/code``; defaults to `rule`.
    ///   - parameters: What the code is about. They must not hold the value itself.
    public mutating func fail(
        _ property: String? = nil, expected: String, code: FailureCode? = nil, parameters: [String: JSONValue] = [:]
    ) {
        let broken = RuleBreak(expectation: .stated(expected, code ?? FailureCode(.rule), parameters))
        record(property, (property, broken))
    }

    /// Records a failure if a value breaks one of the rules.
    ///
    /// The rules are checked in order and only the first broken one is recorded, so a rule may rely on earlier ones. nil satisfies
    /// every rule but `.notNil`. A rule for another type is broken by every value.
    ///
    /// - Parameters:
    ///   - property: The property's name in Swift.
    ///   - value: Its value, Optional or not.
    ///   - rules: The rules for the value.
    public mutating func require<Value>(_ property: String, _ value: Value?, _ rules: any PropertyRule...) {
        require(property, value, of: rules.map { $0.form })
    }

    /// As above, for rules of the value's own type: their literals are of that type, and static members of ``ValidationRule`` are found.
    public mutating func require<Value>(_ property: String, _ value: Value?, _ rules: ValidationRule<Value>...) {
        require(property, value, of: rules.map { $0.form })
    }

    private mutating func require<Value>(_ property: String, _ value: Value?, of rules: [RuleForm]) {
        let broken = rules.lazy.compactMap { $0.broken(by: value) }.first
        record(property, broken.map { (property, $0) })
    }
}

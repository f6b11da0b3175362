/// Collects what a model finds wrong with its values, in ``AbstractModel/validateModel(_:)``.
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
    /// One thing that is wrong.
    struct Problem {
        let property: String?
        let expected: String
    }

    private(set) var problems: [Problem] = []
    /// The properties that were spoken of, accepted or not, so that a wrong name is found with the first object.
    private(set) var names: [String] = []

    init() {}

    /// Records that a property's value is not acceptable. The failure's path and line are those of its JSON value.
    ///
    /// - Parameters:
    ///   - property: The property's name in Swift; nil for the object as a whole.
    ///   - expected: What would be acceptable, as the end of "expected …".
    public mutating func fail(_ property: String? = nil, expected: String) {
        if let property { names.append(property) }
        problems.append(Problem(property: property, expected: expected))
    }

    /// Records that a property's value is not acceptable, if one of the rules says so.
    ///
    /// The rules are asked in order, and the first that is broken is recorded, so that a later one may rely on an
    /// earlier one. nil keeps every rule but ``ValidationRule/notNil``.
    ///
    /// - Parameters:
    ///   - property: The property's name in Swift.
    ///   - value: Its value, Optional or not.
    ///   - rules: What is demanded of it.
    public mutating func require<Value>(_ property: String, _ value: Value?, _ rules: ValidationRule<Value>...) {
        names.append(property)
        if let broken = rules.first(where: { !$0.accepts(value) }) {
            problems.append(Problem(property: property, expected: broken.expected))
        }
    }
}

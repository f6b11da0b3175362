/// Collects what a model finds wrong with its values, in ``AbstractModel/validateModel(_:)``.
///
/// ```swift
/// override func validateModel(_ validation: ModelValidation) {
///     if end < start { validation.fail("end", expected: "a date after start") }
/// }
/// ```
public final class ModelValidation {
    /// One thing that is wrong.
    struct Problem {
        let property: String?
        let expected: String
    }

    private var problems: [Problem] = []

    init() {}

    /// Whether nothing is wrong.
    var isEmpty: Bool { problems.isEmpty }

    /// Gives the problems away.
    func takeProblems() -> [Problem] {
        defer { problems = [] }
        return problems
    }

    /// Records that a property's value is not acceptable. The failure's path and line are those of its JSON value.
    ///
    /// - Parameters:
    ///   - property: The property's name in Swift; nil for the object as a whole.
    ///   - expected: What would be acceptable, as the end of "expected …".
    public func fail(_ property: String? = nil, expected: String) {
        problems.append(Problem(property: property, expected: expected))
    }
}

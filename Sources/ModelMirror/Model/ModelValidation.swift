/// Collects what a model finds wrong with its values, in ``AbstractModel/validateModel(_:)``.
///
/// ```swift
/// override func validateModel(_ validation: inout ModelValidation) {
///     if end < start { validation.fail("end", expected: "a date after start") }
/// }
/// ```
public struct ModelValidation {
    /// One thing that is wrong.
    struct Problem {
        let property: String?
        let expected: String
    }

    private(set) var problems: [Problem] = []

    init() {}

    /// Records that a property's value is not acceptable. The failure's path and line are those of its JSON value.
    ///
    /// - Parameters:
    ///   - property: The property's name in Swift; nil for the object as a whole.
    ///   - expected: What would be acceptable, as the end of "expected …".
    public mutating func fail(_ property: String? = nil, expected: String) {
        problems.append(Problem(property: property, expected: expected))
    }
}

/// One value that does not fit its property, or one error that a model's own code threw.
///
/// ```text
/// Gist.createdAt at $[1].created_at (line 34, column 19): expected a date, found the string "2011-02-30T11:22:33Z".
/// ```
public struct PropertyFailure: Error, Sendable, CustomStringConvertible {
    /// The class of the object in which the property is; for a value that stands in no object (the root, an element of a
    /// root array), the class that was asked for.
    public let model: String
    /// The property's name in Swift; nil where the object as a whole failed, as in `didMap()`.
    public let property: String?
    /// The JSON keys and indices that lead to the value; for a missing key, to where it should be.
    public let path: JSONPath
    /// The line, from 1, of the value's first byte, or of its object's for a missing key; nil for `init(dictionary:)`.
    public let line: Int?
    /// The column, from 1, counted in Unicode scalars; nil for `init(dictionary:)`.
    public let column: Int?
    /// Bytes from the start of the input, from 0; nil for `init(dictionary:)`.
    public let offset: Int?
    /// What would have fitted: "an integer", "a date".
    public let expected: String
    /// What was there, shortened: `the string "x"`, "no such key".
    public let found: String
    /// What the model's own code or a converter threw, if that is the reason.
    public let underlying: (any Error)?

    /// One sentence.
    public var description: String {
        let place = line.flatMap { line in column.map { " (line \(line), column \($0))" } } ?? ""
        let name = property.map { "\(model).\($0)" } ?? model
        let reason = underlying.map { ": \($0)" } ?? ""
        let end = reason.last.map { ".!?".contains($0) } == true ? "" : "."
        return "\(name) at \(path)\(place): expected \(expected), found \(found)\(reason)\(end)"
    }
}

/// Everything that mapping can throw.
///
/// ```swift
/// do {
///     show(try Gist(json: data))
/// } catch .invalidValues(let failures) {
///     for failure in failures { print(failure.path, failure.line ?? 0, failure.found) }
/// } catch {
///     print(error)                     // a sentence a person can act on
/// }
/// ```
public enum ModelError: Error, Sendable, CustomStringConvertible {
    /// The text is not JSON. This beats every bad value before the place.
    case invalidJSON(JSONSyntaxError)
    /// Values that do not fit: all of the call, in the order of the document, up to the limit of
    /// ``MappingOptions/failures``.
    case invalidValues([PropertyFailure])
    /// The class itself is at fault.
    case invalidModel(InvalidModel)

    /// One sentence for each problem, a line each.
    public var description: String {
        switch self {
        case .invalidJSON(let error): error.description
        case .invalidModel(let error): error.description
        case .invalidValues(let failures): failures.map(\.description).joined(separator: "\n")
        }
    }
}

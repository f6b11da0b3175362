/// What a `JSONValueDecoder` found wrong: the error under its `DecodingError`, so that a failure can name the value itself.
struct DecodingMismatch: Error, CustomStringConvertible {
    /// The steps from the value that was to be decoded.
    let path: [JSONPath.Step]
    let expected: String
    let found: String

    var description: String { "expected \(expected), found \(found) at \(JSONPath(path))" }

    init(_ path: [JSONPath.Step], _ expected: String, _ found: String) {
        (self.path, self.expected, self.found) = (path, expected, found)
    }

    /// The one under an error; nil for an error that a type throws itself.
    init?(under error: any Error) {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .keyNotFound(_, let context)?,
            .dataCorrupted(let context)?:
            guard let mismatch = context.underlyingError as? DecodingMismatch else { return nil }
            self = mismatch
        default: return nil
        }
    }
}

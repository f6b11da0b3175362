/// Where something stands in a text.
package struct ErrorPlace: Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, counted in Unicode scalars.
    package var column: Int
    /// Bytes from the start, from 0.
    package var offset: Int

    package init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// For the other targets of this package, which map documents that are parts of a larger text.
extension ModelError {
    /// The same error, told of the whole text.
    ///
    /// - Parameters:
    ///   - path: Gives the path in the whole for a path in the part.
    ///   - place: Gives the place in the whole for a place in the part.
    package func moved(path: (JSONPath) -> JSONPath, place: (ErrorPlace) -> ErrorPlace) -> ModelError {
        switch self {
        case .invalidModel: return self
        case .invalidJSON(let error):
            let place = place(ErrorPlace(line: error.line, column: error.column, offset: error.offset))
            return .invalidJSON(error.at(place))
        case .invalidValues(let failures):
            return .invalidValues(
                failures.map { failure in
                    var moved: ErrorPlace?
                    if let line = failure.line, let column = failure.column, let offset = failure.offset {
                        moved = place(ErrorPlace(line: line, column: column, offset: offset))
                    }
                    return PropertyFailure(
                        model: failure.model, property: failure.property, path: path(failure.path), line: moved?.line,
                        column: moved?.column, offset: moved?.offset, expected: failure.expected,
                        found: failure.found, underlying: failure.underlying)
                })
        }
    }

    /// A value that does not fit, told by someone who does not map it.
    package static func invalidValue(
        model: String, path: JSONPath, place: ErrorPlace, expected: String, found: String
    ) -> ModelError {
        .invalidValues([
            PropertyFailure(
                model: model, property: nil, path: path, line: place.line, column: place.column, offset: place.offset,
                expected: expected, found: found, underlying: nil)
        ])
    }
}

extension JSONSyntaxError {
    /// The same error at another place.
    package func at(_ place: ErrorPlace) -> JSONSyntaxError {
        JSONSyntaxError(
            expected: expected, found: found, line: place.line, column: place.column, offset: place.offset)
    }
}

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The errors that mapping throws.
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
public enum ModelError: LocalizedError, Sendable, CustomStringConvertible {
    /// The text is not JSON. It takes precedence over every value that does not fit.
    case invalidJSON(JSONSyntaxError)
    /// Values that do not fit: all failures of the call in document order, up to
    /// ``MappingOptions/failures``.
    case invalidValues([PropertyFailure])
    /// The class cannot be mapped.
    case invalidModel(InvalidModel)

    /// One sentence per problem, each on its own line; for a response that a client mapped, the first begins with method and URL.
    public var description: String { source.map { "\($0): \(sentences)" } ?? sentences }

    /// Where the document came from, such as `GET https://example.com/gists`; nil if unknown.
    private var source: String? {
        switch self {
        case .invalidJSON(let error): error.source
        case .invalidModel: nil
        case .invalidValues(let failures): failures.first?.source
        }
    }

    private var sentences: String {
        switch self {
        case .invalidJSON(let error): return error.description
        case .invalidModel(let error): return error.description
        case .invalidValues(let failures):
            let omitted = failures.last?.omittedFailures ?? 0
            let rest =
                omitted == 0 ? [] : ["\(omitted) more \(omitted == 1 ? "failure is" : "failures are") not listed."]
            return (failures.map(\.description) + rest).joined(separator: "\n")
        }
    }

    /// The description.
    public var errorDescription: String? { description }
}

/// A value that does not fit its property, or an error that the model's own code threw.
///
/// ```text
/// Gist.createdAt at $[1].created_at (line 34, column 19): expected a date in ISO 8601, found the string "yesterday".
/// ```
public struct PropertyFailure: LocalizedError, Sendable, CustomStringConvertible {
    /// The class of the object, also for an inherited property; for a value outside any object (the root, an element of a root
    /// array), the requested class, or "JSON" if there is none.
    public let model: String
    /// The property's name in Swift; nil for an object as a whole, as in `didMap()`, a value outside any object, and an unknown
    /// key.
    public let property: String?
    /// The path of the value; for a missing key, of the place where it should be.
    public let path: JSONPath
    /// The line, from 1, of the value's first byte, or of its object's for a missing key; nil if the failure is not in a JSON
    /// text: in a dictionary, a plain value, or writing.
    public let line: Int?
    /// The column, from 1, counted in Unicode scalars; nil if ``line`` is.
    public let column: Int?
    /// Bytes from the start of the input, from 0; nil if ``line`` is.
    public let offset: Int?
    /// What was expected: "an integer", "a date".
    public let expected: String
    /// What was found, shortened: `the string "x"`, "no such key", `no such key; the object has "creatd_at"`.
    public fileprivate(set) var found: String
    /// The error that the model's own code or a converter threw, if that is the reason.
    public let underlying: (any Error)?
    /// The number of further failures, which are not listed because ``MappingOptions/failures`` is reached; 0 except in the last
    /// failure of a list.
    public private(set) var omittedFailures = 0
    /// Where the document came from, for the description of the whole error.
    fileprivate var source: String?

    init(
        model: String, property: String?, path: JSONPath, line: Int?, column: Int?, offset: Int?, expected: String,
        found: String, underlying: (any Error)?
    ) {
        self.model = model
        self.property = property
        self.path = path
        self.line = line
        self.column = column
        self.offset = offset
        self.expected = expected
        self.found = found
        self.underlying = underlying
    }

    /// This failure as the last of a list, with the number of further ones.
    func followed(by omitted: Int) -> PropertyFailure {
        var last = self
        last.omittedFailures = omitted
        return last
    }

    /// The description.
    public var errorDescription: String? { description }

    /// The text of ``underlying``: that of a `LocalizedError`, else its description; nil if the failure says the same.
    private var reason: String? {
        underlying.flatMap { DecodingMismatch(under: $0) == nil ? $0 : nil }.map {
            ($0 as? any LocalizedError)?.errorDescription ?? "\($0)"
        }
    }

    /// One sentence, with the option that accepts the value if there is one.
    public var description: String { description(advises: true) }

    /// - Parameter advises: Whether to name the option that accepts the value, of which the entries of a report do without.
    func description(advises: Bool) -> String {
        // Asked for once: an error inside of others, each of which asked twice, would take exponential time.
        let reason = reason
        let place = line.flatMap { line in column.map { " (line \(line), column \($0))" } } ?? ""
        let end = reason?.last.map { ".!?".contains($0) } == true ? "" : "."
        return sentence(at: place, reason, advises: advises) + end
    }

    /// The description without line, column and full stop.
    package func sentence(advises: Bool) -> String { sentence(at: "", reason, advises: advises) }

    private func sentence(at place: String, _ reason: String?, advises: Bool) -> String {
        let name = property.map { "\(model).\($0)" } ?? model
        let rest = reason.map { ": \($0)" } ?? (advises ? advice : nil) ?? ""
        return "\(name) at \(path)\(place): expected \(expected), found \(found)\(rest)"
    }

    /// The option that accepts a number for a property without a converter of its own.
    private var advice: String? {
        guard found.hasPrefix("the number ") else { return nil }
        return switch expected {
        case "a string": "; the option stringsFromNumbers accepts it"
        case #"a date in ISO 8601 or "y-MM-dd HH:mm:ssZ""#:
            "; the option dates accepts numbers, as .secondsSince1970 or .millisecondsSince1970"
        default: nil
        }
    }
}

/// Encoding, for the body of a 422 response and for logs.
///
/// ```json
/// {"model": "Order", "property": "count", "path": "$.items[0].count", "line": 3, "column": 14, "offset": 40,
///  "expected": "an integer", "found": "the string \"x\""}
/// ```
extension PropertyFailure: Encodable {
    private enum CodingKeys: CodingKey {
        case model, property, path, line, column, offset, expected, found, reason, omittedFailures
    }

    /// Writes the members that are not nil; the underlying error as its sentence, under `reason`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(model, forKey: .model)
        try container.encodeIfPresent(property, forKey: .property)
        try container.encode("\(path)", forKey: .path)
        try container.encodeIfPresent(line, forKey: .line)
        try container.encodeIfPresent(column, forKey: .column)
        try container.encodeIfPresent(offset, forKey: .offset)
        try container.encode(expected, forKey: .expected)
        try container.encode(found, forKey: .found)
        try container.encodeIfPresent(reason, forKey: .reason)
        if omittedFailures > 0 { try container.encode(omittedFailures, forKey: .omittedFailures) }
    }
}

/// A mistake in a class that makes mapping impossible. It is found on first use, whatever the data.
///
/// ```text
/// Gist cannot be mapped: propertyKeys names "createdat", which is not a stored property of Gist (did you mean "createdAt"?).
/// ```
public struct InvalidModel: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The class.
    public let model: String
    /// The property with the mistake; nil if the mistake concerns the class as a whole.
    public let property: String?
    /// What is wrong and how to fix it: one sentence without the class and the full stop.
    public let reason: String

    /// One sentence.
    public var description: String { "\(model) cannot be mapped: \(reason)." }

    /// The description.
    public var errorDescription: String? { description }
}

/// A position in a text.
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

/// Errors in documents that are parts of a larger text, as in streams.
extension ModelError {
    /// The same error with the paths and positions of the surrounding text.
    ///
    /// - Parameters:
    ///   - path: Returns the outer path of an inner one.
    ///   - place: Returns the outer place of an inner one.
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
                        found: failure.found, underlying: failure.underlying
                    ).followed(by: failure.omittedFailures)
                })
        }
    }

    /// The same error with the source of the document; a mistake in a class is returned unchanged.
    ///
    /// - Parameter source: The text before the first sentence: `GET https://example.com/gists`; nil for none.
    package func from(_ source: String?) -> ModelError {
        switch self {
        case .invalidModel: return self
        case .invalidJSON(var error):
            error.source = source
            return .invalidJSON(error)
        case .invalidValues(let failures):
            return .invalidValues(
                failures.map { failure in
                    var failure = failure
                    failure.source = source
                    return failure
                })
        }
    }

    /// The same error, with the type to use if there is an array where a single object was requested.
    func suggesting(_ type: String, forArrayAt path: JSONPath) -> ModelError {
        suggesting(type, at: path) { $0.expected.hasPrefix("an object for ") && $0.found == "an array" }
    }

    /// The same error, with the type to use if there is a single object where an array was requested.
    func suggesting(_ type: String, forObjectAt path: JSONPath) -> ModelError {
        suggesting(type, at: path) { $0.expected == "an array" && $0.found == "an object" }
    }

    private func suggesting(
        _ type: String, at path: JSONPath, where isOther: (PropertyFailure) -> Bool
    ) -> ModelError {
        guard case .invalidValues(let failures) = self, failures.count == 1, var failure = failures.first,
            failure.path == path, isOther(failure)
        else { return self }
        failure.found += "; use \(type)"
        return .invalidValues([failure])
    }

    /// The error for a value that was rejected outside a mapping.
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
    /// The same error at another position.
    package func at(_ place: ErrorPlace) -> JSONSyntaxError {
        JSONSyntaxError(
            expected: expected, found: found, line: place.line, column: place.column, offset: place.offset)
    }
}

public import ModelMirrorFoundation

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
public enum ModelError: LocalizedError, SentenceError, Sendable, CustomStringConvertible {
    /// The text is not JSON. It takes precedence over every value that does not fit.
    case invalidJSON(JSONSyntaxError)
    /// Values that do not fit: all failures of the call in document order, up to
    /// ``MappingOptions/failures``.
    case invalidValues([PropertyFailure])
    /// The class cannot be mapped.
    case invalidModel(InvalidModel)

    /// One sentence per problem, each on its own line; for a response that a client mapped, the first begins with method and URL.
    public var description: String {
        switch self {
        case .invalidJSON(let error): return (error.source.map { "\($0): " } ?? "") + error.description
        case .invalidModel(let error): return error.description
        case .invalidValues(let failures):
            let omitted = failures.last?.omittedFailures ?? 0
            let rest =
                omitted == 0 ? [] : ["\(omitted) more \(omitted == 1 ? "failure is" : "failures are") not listed."]
            let sentences = (failures.map(\.description) + rest).joined(separator: "\n")
            return (failures.first?.source.map { "\($0): " } ?? "") + sentences
        }
    }
}

/// A mistake in a class that makes mapping impossible. It is found on first use, whatever the data.
///
/// ```text
/// Gist cannot be mapped: propertyKeys names "createdat", which is not a stored property of Gist (did you mean "createdAt"?).
/// ```
public struct InvalidModel: LocalizedError, SentenceError, Hashable, Sendable, CustomStringConvertible {
    /// The class.
    public let model: String
    /// The property with the mistake; nil if the mistake concerns the class as a whole.
    public let property: String?
    /// What is wrong and how to fix it: one sentence without the class and the full stop.
    public let reason: String
    /// Whether another thread may map the class: this one's stack is too small for its table.
    var isTransient = false
    /// Whether the class can be mapped nevertheless, though not as its author intended.
    var isMapped = false

    /// One sentence.
    public var description: String { "\(model) \(isMapped ? "has a mistake" : "cannot be mapped"): \(reason)." }
}

extension InvalidModel {
    init(_ model: Any.Type, of property: String? = nil, _ reason: String, isTransient: Bool = false) {
        self.init(model: "\(model)", property: property, reason: reason, isTransient: isTransient)
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
        changed({ $0.place = place($0.place) }, { $0 = $0.moved(to: path($0.path), $0.place.map(place)) })
    }

    /// The same error with the source of the document; a mistake in a class is returned unchanged.
    ///
    /// - Parameter source: The text before the first sentence: `GET https://example.com/gists`; nil for none.
    package func from(_ source: String?) -> ModelError { changed({ $0.source = source }, { $0.source = source }) }

    private func changed(
        _ change: (inout JSONSyntaxError) -> Void, _ changeFailure: (inout PropertyFailure) -> Void
    ) -> ModelError {
        switch self {
        case .invalidModel: return self
        case .invalidJSON(var error):
            change(&error)
            return .invalidJSON(error)
        case .invalidValues(var failures):
            for index in failures.indices { changeFailure(&failures[index]) }
            return .invalidValues(failures)
        }
    }

    /// The same error, with the type to use if there is an array of objects where a single one was requested, or the reverse.
    func suggesting(_ model: Any.Type, at path: JSONPath) -> ModelError {
        guard case .invalidValues(var failures) = self, failures.count == 1, failures[0].path == path,
            let kind = failures[0].kind, Set(failures[0].expectation.kinds + [kind]) == [.array, .object]
        else { return self }
        failures[0].found += FailureWords.use(kind == .array ? "[\(model)]" : "\(model)")
        return .invalidValues(failures)
    }

    /// The error for a `JSONInput` that never calls its closure.
    static func unread<Input: JSONInput>(_ json: Input, as model: Any.Type? = nil) -> ModelError {
        let reason = "\(Input.self).withJSONBytes does not call its closure"
        return .invalidModel(InvalidModel(model: model.map { "\($0)" } ?? "JSON", property: nil, reason: reason))
    }

    /// The error for an object that is nested too deep for the thread's stack.
    static func lessStack(for model: Any.Type, at path: [JSONPath.Step] = []) -> ModelError {
        let found = "an object for which the thread's stack is too small"
        return .invalidValues([PropertyFailure(.plain(.stack), found, of: "\(model)", at: path)])
    }

    /// The error for a value that was rejected outside a mapping.
    package static func invalidValue(
        model: String, path: JSONPath, place: ErrorPlace, expected: String, found: String
    ) -> ModelError {
        .invalidValues([
            PropertyFailure(.stated(expected, .duplicateKey), found, of: model, at: []).moved(to: path, place)
        ])
    }
}

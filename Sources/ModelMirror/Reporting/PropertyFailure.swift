public import ModelMirrorFoundation

/// A value that does not fit its property, or an error that the model's own code threw.
///
/// A program acts on ``code``, ``parameters`` and ``pointer``; the description is the sentence for people.
///
/// ```text
/// Gist.createdAt at $[1].created_at (line 34, column 19): expected a date in ISO 8601, found the string "yesterday".
/// ```
public struct PropertyFailure: LocalizedError, SentenceError, Sendable, CustomStringConvertible {
    /// The class of the object, also for an inherited property; for a value outside any object (the root, an element of a root
    /// array), the requested class, or "JSON" if there is none.
    public let model: String
    /// Whether there is such a class.
    let hasModel: Bool
    /// The property's name in Swift; nil for an object as a whole, as in `didMap()`, a value outside any object, and an unknown
    /// key.
    public let property: String?
    /// The path of the value; for a missing key, of the place where it should be.
    public var path: JSONPath { JSONPath(node?.steps ?? []) }
    /// The line, from 1, of the value's first byte, or of its object's for a missing key; nil if the failure is not in a JSON
    /// text: in a dictionary, a plain value, or writing.
    public var line: Int? { place?.line }
    /// The column, from 1, counted in Unicode scalars; nil if ``line`` is.
    public var column: Int? { place?.column }
    /// Bytes from the start of the input, from 0; nil if ``line`` is.
    public var offset: Int? { place?.offset }
    /// Why it failed: what a program decides by.
    ///
    /// ```swift
    /// if failure.code == .required { missing.append(failure.pointer) }
    /// ```
    public let code: FailureCode
    /// What was found, shortened: `the string "x"`, `no such key`, `no such key; the object has "creatd_at"`.
    public internal(set) var found: String
    /// The error that the model's own code or a converter threw, if that is the reason.
    public let underlying: (any Error)?
    /// The number of further failures, which are not listed because ``MappingOptions/failures`` is reached; 0 except in the last
    /// failure of a list.
    public internal(set) var omittedFailures = 0
    /// The path, which shares its steps with others.
    private(set) var node: PathNode?
    package internal(set) var place: ErrorPlace?
    /// Where the document came from, for the description of the whole error.
    var source: String?
    /// Whether the value is never shown.
    package let isRedacted: Bool
    /// What was expected.
    let expectation: Expectation
    /// The kind of the value that was found; nil if there is none.
    let kind: JSONKind?
    /// Whether the value was to be written.
    var isWriting = false
    /// A key of the object that may be meant by a missing one.
    private(set) var similar: String?

    /// A failure that is not in a document.
    ///
    /// - Parameters:
    ///   - found: The end of "found …".
    ///   - model: The class, or "JSON".
    init(_ expectation: Expectation, _ found: String, of model: String, at path: [JSONPath.Step]) {
        self.init(model: model, issue: Issue(.fallback, expectation, at: 0), path: .of(path), found: found)
    }

    /// The failure of an issue, without line, column and offset.
    ///
    /// - Parameters:
    ///   - model: The class; nil if there is none.
    ///   - found: The end of "found …".
    ///   - kind: The kind of the value that was found.
    init(model: String?, issue: Issue, path: PathNode?, found: String, kind: JSONKind? = nil) {
        let inner = issue.details.failure
        self.model = model ?? "JSON"
        hasModel = model != nil
        property = issue.property
        node = path
        isRedacted = issue.isRedacted
        // What was found in a redacted document inside of another is redacted already.
        let isShown = !isRedacted || inner?.isRedacted == true || FailureWords.found(issue.found) != nil
        self.found = isShown ? found : FailureWords.redacted(inner?.kind ?? kind, issue.expectation)
        underlying = isRedacted ? nil : issue.underlying
        expectation = issue.expectationOfRow
        self.kind = inner?.kind ?? kind
        similar = inner?.similar
        code = inner?.code ?? issue.code(expectation, kind)
    }

    // MARK: What was expected

    /// What was expected: "an integer", "a date". Made from ``code`` and ``parameters``, except for the words of your own rules.
    public var expected: String { expectation.words(code, parameters) }

    /// What the code is about: the bounds of a number, the values of an enum. `Docs/Errors.md` lists them for each code. They never
    /// hold the value itself.
    ///
    /// ```swift
    /// failure.code                 // integerRange
    /// failure.parameters           // ["expected": ["integer"], "type": "Int8", "minimum": -128, "maximum": 127]
    /// ```
    public var parameters: [String: JSONValue] {
        var parameters = expectation.parameters
        if code == .type, let kind { parameters["found"] = .string(kind.rawValue) }
        if let similar { parameters["similar"] = .string(similar) }
        if code == .additionalProperties {
            parameters["model"] = .string(model)
            if case .key(let key)? = node?.last { parameters["key"] = .string(key) }
        }
        return parameters
    }

    /// The path as a JSON Pointer (RFC 6901): `/tags/1`, empty for the root.
    public var pointer: String { path.pointer }

    // MARK: Changes

    /// This failure at another path and place.
    package func moved(to path: JSONPath, _ place: ErrorPlace?) -> PropertyFailure {
        var moved = self
        (moved.node, moved.place) = (.of(path.steps), place)
        return moved
    }

    /// Adds the key of the object that may be meant by a missing one.
    mutating func resemble(_ key: String) {
        similar = key
        found += FailureWords.similar(key)
    }

    // MARK: Sentences

    /// The text of ``underlying``: that of a `LocalizedError`, otherwise its description; nil if the failure says the same.
    private var reason: String? {
        underlying.flatMap { PropertyFailure(under: $0) == nil ? PropertyFailure.reason($0) : nil }
    }

    /// The text of an error behind a failure. The failures of a document inside of the value are indented, below that of the value.
    static func reason(_ error: any Error) -> String {
        let text = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
        return error is ModelError ? text.replacing("\n", with: "\n  ") : text
    }

    /// One sentence, with the option that accepts the value if there is one.
    public var description: String { description(advises: true) }

    /// - Parameter advises: Whether to name the option that accepts the value, of which the entries of a report do without.
    func description(advises: Bool) -> String {
        // Asked for once: an error inside of others, each of which asked twice, would take exponential time.
        let reason = reason
        let place = self.place.map { " (line \($0.line), column \($0.column))" } ?? ""
        let end = reason?.last.map { ".!?".contains($0) } == true ? "" : "."
        return FailureWords.sentence(self, at: place, reason, advises: advises) + end
    }

    /// The description without line, column and full stop.
    package func sentence(advises: Bool) -> String { FailureWords.sentence(self, at: "", reason, advises: advises) }
}

/// Failures of values that a `Decoder` read.
extension PropertyFailure {
    /// The failure behind a `DecodingError` of the library's decoder; nil for an error that a type throws itself.
    init?(under error: any Error) {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .keyNotFound(_, let context)?,
            .dataCorrupted(let context)?:
            guard let failure = context.underlyingError as? PropertyFailure else { return nil }
            self = failure
        default: return nil
        }
    }
}

/// Encoding, for the body of a 422 response and for logs.
///
/// ```json
/// {"model": "Order", "property": "count", "path": "$.items[0].count", "pointer": "/items/0/count", "line": 3, "column": 14,
///  "offset": 40, "code": "type", "parameters": {"expected": ["integer"], "found": "string"}, "expected": "an integer",
///  "found": "the string \"x\""}
/// ```
extension PropertyFailure: Encodable {
    /// Writes the members that are not nil; the underlying error as its sentence, under `reason`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        let members: [(String, (any Encodable)?)] = [
            ("model", model), ("property", property), ("path", "\(path)"), ("pointer", pointer), ("line", line),
            ("column", column), ("offset", offset), ("code", code), ("parameters", parameters), ("expected", expected),
            ("found", found), ("reason", reason), ("omittedFailures", omittedFailures > 0 ? omittedFailures : nil),
        ]
        for case (let key, let value?) in members {
            try container.encode(value, forKey: AnyCodingKey(stringValue: key))
        }
    }
}

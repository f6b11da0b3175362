public import ModelMirrorFoundation

/// A problem document of RFC 9457: the body of a response that says what is wrong.
///
/// ```swift
/// do throws(ModelError) {
///     show(try Gist(json: data, options: .untrusted))
/// } catch {
///     let problem = ProblemDetails(error)
///     respond(problem.status ?? 500, problem.jsonData(), contentType: ProblemDetails.mediaType)
/// }
/// // {"detail":"1 value does not fit.","errors":[{"code":"maximum","detail":"expected an integer from 0 to 150, found the number
/// // 151","parameters":{"expected":["integer"],"maximum":150,"minimum":0},"pointer":"#/age"}],"status":422,
/// // "title":"Unprocessable Content"}
/// ```
public struct ProblemDetails: Hashable, Sendable {
    /// The media type, for the `Content-Type` of the response.
    public static let mediaType = "application/problem+json"

    /// A URI that identifies the kind of problem; nil for `about:blank`, where the title is that of the status.
    public var type: String?
    /// A summary of the kind of problem, the same for each of its occurrences.
    public var title: String?
    /// The status code of the response.
    public var status: Int?
    /// What is wrong in this case.
    public var detail: String?
    /// A URI of this case.
    public var instance: String?
    /// What is wrong with each value.
    public var errors: [Failure] = []
    /// The other members.
    public var extensions: [String: JSONValue] = [:]

    /// The members that are texts, by their names.
    private static var texts: [(String, WritableKeyPath<ProblemDetails, String?>)] {
        [("type", \.type), ("title", \.title), ("detail", \.detail), ("instance", \.instance)]
    }

    /// What is wrong with one value.
    public struct Failure: Hashable, Sendable {
        /// The value's place as a JSON Pointer in a URI fragment: `#/age`.
        public var pointer: String?
        /// Why it failed, as in ``PropertyFailure/code``.
        public var code: FailureCode?
        /// What that is about, as in ``PropertyFailure/parameters``.
        public var parameters: [String: JSONValue]
        /// The words.
        public var detail: String?

        /// A failure of your own: `.init(pointer: "#/title", code: "taken", detail: "the title is taken")`.
        public init(
            pointer: String? = nil, code: FailureCode? = nil, parameters: [String: JSONValue] = [:],
            detail: String? = nil
        ) {
            self.pointer = pointer
            self.code = code
            self.parameters = parameters
            self.detail = detail
        }

        fileprivate var json: JSONValue {
            let members: [String: JSONValue?] = [
                "pointer": pointer.map(JSONValue.string), "code": code.map { .string($0.rawValue) },
                "parameters": parameters.isEmpty ? nil : .object(parameters), "detail": detail.map(JSONValue.string),
            ]
            return .object(members.compactMapValues { $0 })
        }
    }

    /// A problem without a member.
    public init() {}

    /// The problem of a document that could not be mapped, or of an object that could not be written.
    ///
    /// | Error | Status |
    /// |---|---|
    /// | a text that is not JSON | 400 |
    /// | a limit on depth or bytes is exceeded | 413 |
    /// | values that do not fit | 422 |
    /// | a class that cannot be mapped, and values that cannot be written | 500, without details |
    public init(_ error: ModelError) {
        self.init()
        switch error {
        case .invalidJSON(let fault):
            (status, title) = fault.code == .syntax ? (400, "Bad Request") : (413, "Content Too Large")
            detail = fault.description
        case .invalidValues(let failures) where !failures.contains(where: \.isWriting):
            (status, title) = (422, "Unprocessable Content")
            let count = failures.count + (failures.last?.omittedFailures ?? 0)
            detail = count == 1 ? "1 value does not fit." : "\(count) values do not fit."
            errors = failures.map { failure in
                Failure(
                    pointer: "#" + failure.pointer.asFragment, code: failure.code, parameters: failure.parameters,
                    detail: "expected \(failure.expected), found \(failure.found)")
            }
        case .invalidModel, .invalidValues: (status, title) = (500, "Internal Server Error")
        }
    }

    /// Reads a problem document. Members of a wrong type are ignored, as RFC 9457 requires.
    ///
    /// - Throws: ``ModelError/invalidJSON(_:)`` if the text is not JSON. A document that is not an object has no members.
    public init(json: some JSONInput) throws(ModelError) {
        self.init()
        var members = try JSONValue(json: json).object ?? [:]
        for (name, text) in ProblemDetails.texts { self[keyPath: text] = members.removeValue(forKey: name)?.string }
        status = members.removeValue(forKey: "status")?.int
        errors = (members.removeValue(forKey: "errors")?.array ?? []).compactMap { item in
            guard let item = item.object else { return nil }
            return Failure(
                pointer: item["pointer"]?.string, code: item["code"]?.string.map { FailureCode(rawValue: $0) },
                parameters: item["parameters"]?.object ?? [:], detail: item["detail"]?.string)
        }
        extensions = members
    }

    /// The problem as JSON, its members sorted; those that are nil or empty are left out.
    public func jsonData() -> Data {
        var members = extensions
        for (name, text) in ProblemDetails.texts { members[name] = self[keyPath: text].map(JSONValue.string) }
        members["status"] = status.map { .number(JSONNumber($0)) }
        if !errors.isEmpty { members["errors"] = .array(errors.map(\.json)) }
        return Data(JSONValue.object(members).description.utf8)
    }
}

extension String {
    /// The text with all characters percent-encoded that a URI fragment must not have.
    fileprivate var asFragment: String {
        utf8.map {
            URIComponent.path.allows($0) ? String(UnicodeScalar($0)) : "%" + Hexadecimal.encode([$0]).uppercased()
        }
        .joined()
    }
}

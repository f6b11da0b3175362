public import ModelMirror

/// A JSONPath query of RFC 9535, compiled once.
///
/// ```swift
/// let query = try JSONQuery("$.store.book[?@.price < 10].title")
/// let json = #"{"store": {"book": [{"title": "Moby Dick", "price": 8.99}, {"title": "Sword of Honor", "price": 12.99}]}}"#
/// try query.values(in: json)                // ["Moby Dick"]
/// try query.paths(in: json)[0].normalized   // $['store']['book'][0]['title']
/// ```
///
/// All of RFC 9535: names, wildcards, indices, slices, descendants, filters, and the functions `length`, `count`, `match`, `search`
/// and `value`. Results are in document order, also the members of objects; those of a `JSONValue`, which has no order, are sorted
/// by key. Names and strings are compared by Unicode scalars. Numbers are equal if their exact values are; they are ordered as `Double`s,
/// and if these are equal as `Decimal`s. Of duplicate names the last value wins,
/// at the position of the first.
///
/// Regular expressions are I-Regexps (RFC 9485), where `^` and `$` outside of brackets match the ends of the string. They take time
/// in proportion to the length of the string. One that is malformed matches nothing, as RFC 9535 requires.
public struct JSONQuery: Sendable, CustomStringConvertible {
    /// The query as written.
    public let description: String
    /// The most steps of one evaluation: values visited, tested or compared. Defaults to ten million; the limit of a long document
    /// is 20 steps per byte.
    public var stepLimit = 10_000_000
    let path: QueryPath
    /// Whether the elements of a long array at the root are looked at one by one.
    let takesElements: Bool

    /// Compiles a query.
    ///
    /// - Throws: ``JSONQueryError/invalidQuery(position:expected:found:advice:)``, also for filters, parentheses and functions nested
    ///   more than 32 levels deep.
    public init(_ text: String) throws(JSONQueryError) {
        var parser = QueryParser(text)
        path = try parser.query()
        takesElements = parser.absoluteCount == 0 && path.takesElements
        description = text
    }

    /// The values that the query finds, in document order; one that is found several times occurs several times.
    ///
    /// - Parameters:
    ///   - json: The document: `Data`, bytes, text, a `JSONValue`, or any other `JSONInput`.
    ///   - options: Only the limits of depth and bytes apply.
    /// - Throws: ``JSONQueryError``, except for `invalidQuery`.
    public func values(
        in json: some JSONInput, options: MappingOptions = .init()
    ) throws(JSONQueryError) -> [JSONValue] {
        // The text of a value is made and read without recursion.
        let lines = try found(in: json, options) { document, value, _ in document.line(value) }
        return try lines.map { line throws(JSONQueryError) in
            do throws(ModelError) {
                return try JSONValue(json: line, options: MappingOptions(depth: options.depth))
            } catch {
                throw .invalidDocument(error)
            }
        }
    }

    /// The paths of the values that the query finds. `path.normalized` is RFC 9535's notation.
    ///
    /// - Parameters:
    ///   - json: The document, as for ``values(in:options:)``.
    ///   - options: Only the limits of depth and bytes apply.
    /// - Throws: ``JSONQueryError``, except for `invalidQuery`.
    public func paths(in json: some JSONInput, options: MappingOptions = .init()) throws(JSONQueryError) -> [JSONPath] {
        try found(in: json, options, keepsPaths: true) { document, _, trail in trail?.path(in: document) ?? .root }
    }

    /// The values that the query finds, each as JSON without line breaks: the lines of an NDJSON document. Members keep the order of
    /// the document, and numbers their digits.
    ///
    /// - Parameters:
    ///   - json: The document, as for ``values(in:options:)``.
    ///   - options: Only the limits of depth and bytes apply.
    /// - Throws: ``JSONQueryError``, except for `invalidQuery`.
    public func lines(in json: some JSONInput, options: MappingOptions = .init()) throws(JSONQueryError) -> [String] {
        try found(in: json, options) { document, value, _ in String(decoding: document.line(value), as: UTF8.self) }
    }

    private func found<Result>(
        in json: some JSONInput, _ options: MappingOptions, keepsPaths: Bool = false,
        _ result: (QueriedDocument, Int, QueryTrail?) -> Result
    ) throws(JSONQueryError) -> [Result] {
        let document: QueriedDocument
        do throws(ModelError) {
            let (tape, bytes) = try JSONTape.read(json, options: options)
            document = QueriedDocument(bytes: bytes, tape: tape)
        } catch {
            throw .invalidDocument(error)
        }
        var evaluation = QueryEvaluation()
        var results: [Result] = []
        let limit = limit(bytes: document.bytes.count)
        try evaluation.run(path, in: document, keepsPaths: keepsPaths, limit: limit) {
            results.append(result(document, $0, $1))
        }
        return results
    }

    /// The most steps of one evaluation of a document of a number of bytes.
    func limit(bytes: Int) -> Int { max(stepLimit, bytes.multipliedReportingOverflow(by: 20).0) }
}

extension JSONPath {
    /// The path in the notation of normalized paths of RFC 9535, section 2.7: `$['gists'][3]['owner']`.
    public var normalized: String {
        "$"
            + steps.map { step in
                switch step {
                case .index(let index): "[\(index)]"
                case .key(let key): "['\(key.unicodeScalars.map(\.escapedInNormalizedPath).joined())']"
                }
            }.joined()
    }
}

extension Unicode.Scalar {
    fileprivate var escapedInNormalizedPath: String {
        switch self {
        case "'": return #"\'"#
        case "\\": return #"\\"#
        case "\u{8}": return #"\b"#
        case "\t": return #"\t"#
        case "\n": return #"\n"#
        case "\u{C}": return #"\f"#
        case "\r": return #"\r"#
        case _ where value < 0x20: return #"\u00"# + (value < 0x10 ? "0" : "") + String(value, radix: 16)
        default: return String(self)
        }
    }
}

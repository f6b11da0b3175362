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
    private let path: QueryPath

    /// Compiles a query.
    ///
    /// - Throws: ``JSONQueryError/invalidQuery(position:expected:found:advice:)``, also for filters, parentheses and functions nested
    ///   more than 32 levels deep.
    public init(_ text: String) throws(JSONQueryError) {
        var parser = QueryParser(text)
        path = try parser.query()
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
        try found(in: json, options, { $0.value.line }).map { line throws(JSONQueryError) in
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
        try found(in: json, options, keepsPaths: true) { JSONPath($0.trail?.steps ?? []) }
    }

    /// The values that the query finds, each as JSON without line breaks: the lines of an NDJSON document. Members keep the order of
    /// the document, and numbers their digits.
    ///
    /// - Parameters:
    ///   - json: The document, as for ``values(in:options:)``.
    ///   - options: Only the limits of depth and bytes apply.
    /// - Throws: ``JSONQueryError``, except for `invalidQuery`.
    public func lines(in json: some JSONInput, options: MappingOptions = .init()) throws(JSONQueryError) -> [String] {
        try found(in: json, options, { $0.value.line })
    }

    private func found<Result>(
        in json: some JSONInput, _ options: MappingOptions, keepsPaths: Bool = false, _ result: (QueriedPlace) -> Result
    ) throws(JSONQueryError) -> [Result] {
        let root: QueriedValue
        do throws(ModelError) {
            root = try QueriedValue(tree: json, options: options)
        } catch {
            throw .invalidDocument(error)
        }
        var bytes = 0
        json.withJSONBytes { bytes = $1 }
        var evaluation = QueryEvaluation(root: root, limit: max(stepLimit, bytes.multipliedReportingOverflow(by: 20).0))
        var results: [Result] = []
        try evaluation.run(path.segments, from: root, keepsPaths: keepsPaths) { place throws(JSONQueryError) in
            results.append(result(place))
            return true
        }
        return results
    }
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

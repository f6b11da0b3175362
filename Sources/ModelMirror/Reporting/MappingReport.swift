/// What a mapping that succeeded had to put up with: every value that was not taken just as it stood.
///
/// ```swift
/// let (gist, report) = try Gist.mapReporting(json: data)
/// for entry in report.entries { print(entry) }
/// // fallback: Gist.comments at $.comments (line 4, column 15): expected an integer, found the string "many".
/// ```
public struct MappingReport: Sendable, CustomStringConvertible {
    /// What happened to a value.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The value did not fit; the property kept what it had, or what a hook assigned (or its object was left out).
        case fallback
        /// The value was left out: a bad element, a value that a better key or a later duplicate replaced, or a property
        /// that is left alone because nothing converts its type.
        case skipped
        /// The value fits only by a conversion that strict mapping refuses.
        case coerced
        /// The document has no such key.
        case missing
        /// The class has no property for this key. The place is that of the key's value.
        case unknownKey
    }

    /// One value and what happened to it.
    public struct Entry: Sendable, CustomStringConvertible {
        /// What happened.
        public let kind: Kind
        /// The class of the object.
        public let model: String
        /// The property; nil for a key that no property takes.
        public let property: String?
        /// The JSON keys and indices that lead to the value; for a missing key, to where it should be.
        public let path: JSONPath
        /// The line, from 1; nil for `init(dictionary:)`.
        public let line: Int?
        /// The column, from 1, counted in Unicode scalars; nil for `init(dictionary:)`.
        public let column: Int?
        /// What would have fitted just so.
        public let expected: String
        /// What was there, shortened.
        public let found: String
        /// What a converter or the model's own code threw, if that is the reason.
        public let underlying: (any Error)?

        /// One sentence.
        public var description: String {
            "\(kind.rawValue): "
                + PropertyFailure(
                    model: model, property: property, path: path, line: line, column: column, offset: nil,
                    expected: expected, found: found, underlying: underlying
                ).description
        }
    }

    /// All entries, in the order of the document.
    public let entries: [Entry]

    /// A line for each entry; "nothing to report" if there are none.
    public var description: String {
        entries.isEmpty ? "nothing to report" : entries.map(\.description).joined(separator: "\n")
    }
}

import Synchronization

/// The deviations that a successful mapping tolerated: every value that was not read exactly as written.
///
/// ```swift
/// let (gist, report) = try Gist.mapReporting(json: data)
/// for entry in report.entries { print(entry) }
/// // fallback: Gist.comments at $.comments (line 4, column 15): expected an integer, found the string "many".
/// ```
public struct MappingReport: Sendable, CustomStringConvertible {
    /// The kind of a deviation.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The value did not fit. The property kept its value or got one from a hook, or the object was skipped.
        case fallback
        /// The value was skipped: a bad element, or a value replaced by a preferred key or a later duplicate.
        case skipped
        /// The value was changed: converted in a way that strict mapping rejects, a number rounded to 0 because it is too small, or
        /// a URL with characters that had to be escaped.
        case coerced
        /// The document has no such key.
        case missing
        /// The class has no property for this key. The path is that of the key's value.
        case unknownKey
    }

    /// One deviation: its kind and the members of a ``PropertyFailure``.
    ///
    /// ```swift
    /// print(entry.kind, entry.path, entry.line ?? 0, entry.expected, entry.found)
    /// ```
    @dynamicMemberLookup public struct Entry: Sendable, CustomStringConvertible {
        /// The kind of deviation.
        public let kind: Kind
        /// The deviation as a failure; its property is nil for an unknown key.
        public let failure: PropertyFailure

        /// The members of ``failure``.
        public subscript<Value>(dynamicMember member: KeyPath<PropertyFailure, Value>) -> Value {
            failure[keyPath: member]
        }

        /// One sentence.
        public var description: String { "\(kind.rawValue): \(failure.description(advises: false))" }
    }

    /// All entries, in document order.
    ///
    /// They are made on first access; until then, a report that has any keeps a copy of the document.
    public var entries: [Entry] { list?.entries ?? [] }

    /// Nil without entries.
    private var list: EntryList?

    /// A report of no entries.
    init() {}

    /// A report with the entries of issues.
    init(_ notes: [Issue], _ locator: IssueLocator, in reader: JSONReader) {
        guard !notes.isEmpty else { return }
        // A copy, because the caller may free the bytes that were mapped.
        let document = reader.document
        list = EntryList {
            document.reading { locator.entries(notes, in: JSONReader($0, count: $1, depth: .max)) } ?? []
        }
    }

    /// Whether there are no entries. Does not make them.
    var isEmpty: Bool { list == nil }

    /// One line per entry; "nothing to report" without entries.
    public var description: String {
        entries.isEmpty ? "nothing to report" : entries.map(\.description).joined(separator: "\n")
    }
}

/// The entries of a report, made when they are first read.
///
/// Many reports are discarded, or only asked whether they have entries, and looking up paths, lines and values takes several
/// times as long as the mapping.
private final class EntryList: Sendable {
    private let state: Mutex<(make: (@Sendable () -> [MappingReport.Entry])?, made: [MappingReport.Entry])>

    init(_ make: @escaping @Sendable () -> [MappingReport.Entry]) { state = Mutex((make, [])) }

    var entries: [MappingReport.Entry] {
        state.withLock { state in
            if let make = state.make { state = (nil, make()) }
            return state.made
        }
    }
}

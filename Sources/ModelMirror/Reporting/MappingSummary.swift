/// Counts the deviations in the reports of many calls: the keys a server dropped, added or changed the type of.
///
/// ```swift
/// var summary = MappingSummary()
/// for page in pages {
///     let (gists, report) = try [Gist].mapReporting(json: page)
///     summary += report
///     show(gists)
/// }
/// print(summary)
/// // 12 reports       what        times  first seen
/// // Gist.comments    fallback        3  $[3].comments: expected an integer, found the string "many"
/// // Gist.public      missing       360  $[0].public: expected true or false, found no such key
/// // Gist["node_id"]  unknownKey    360  $[0].node_id: expected a key of Gist, found the key "node_id"
/// ```
///
/// Its size depends on the number of properties and unknown keys, not on the number of calls.
public struct MappingSummary: Sendable, CustomStringConvertible {
    /// One kind of deviation of one property or unknown key.
    ///
    /// It has the members of ``example``: the class `model`, the `property` (nil for an unknown key, and for an object as a whole),
    /// the `kind`, the `code` and `parameters` of the first deviation.
    @dynamicMemberLookup public struct Line: Sendable {
        /// The key without a property; nil for other deviations.
        public var unknownKey: String? {
            if example.kind == .unknownKey, case .key(let key)? = example.failure.node?.last { key } else { nil }
        }
        /// The number of values.
        public let count: Int
        /// The first occurrence.
        public let example: MappingReport.Entry

        /// The members of ``example``.
        public subscript<Value>(dynamicMember member: KeyPath<MappingReport.Entry, Value>) -> Value {
            example[keyPath: member]
        }
    }

    /// The number of reports added, including empty ones.
    public private(set) var reportCount = 0

    /// The lines by their ``Line/place``.
    private var found: [[String]: Line] = [:]

    /// A summary of no reports.
    public init() {}

    /// All lines, sorted by class name; in a class, objects as a whole, then properties by name, then unknown keys by name; kinds
    /// in the order of ``MappingReport/Kind``.
    public var lines: [Line] { found.ordered { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value) }

    /// Adds a report.
    public static func += (summary: inout MappingSummary, report: MappingReport) {
        summary.reportCount += 1
        for entry in report.entries { summary.add(Line(count: 1, example: entry)) }
    }

    /// Adds another summary; its reports count as later ones.
    public static func += (summary: inout MappingSummary, other: MappingSummary) {
        summary.reportCount += other.reportCount
        for line in other.found.values { summary.add(line) }
    }

    private mutating func add(_ line: Line) {
        let earlier = found[line.place]
        found[line.place] = Line(count: line.count + (earlier?.count ?? 0), example: earlier?.example ?? line.example)
    }

    /// A table of ``lines`` in aligned columns; "nothing to report" without any.
    public var description: String {
        guard !found.isEmpty else { return "nothing to report" }
        let reports = reportCount == 1 ? "1 report" : "\(reportCount) reports"
        let rows = [[reports, "what", "times", "first seen"]] + lines.map(\.cells)
        // The third column is flush right, the last unpadded.
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let padding = (0..<3).map { String(repeating: " ", count: widths[$0] - row[$0].count) }
            return "\(row[0])\(padding[0])  \(row[1])\(padding[1])  \(padding[2])\(row[2])  \(row[3])"
        }.joined(separator: "\n")
    }
}

extension MappingSummary.Line {
    /// The subject, the kind, the count and the first occurrence.
    fileprivate var cells: [String] {
        [
            subject, self.kind.rawValue, "\(count)",
            "\(example.path): expected \(example.expected), found \(example.found)",
        ]
    }

    private var subject: String {
        if let property = self.property { return "\(self.model).\(property)" }
        guard let key = unknownKey else { return self.model }
        return "\(self.model)[\(JSONReader.quoted(key))]"
    }

    /// What tells the line from others, in the order of lines: class, kind of subject, its name, and the number of the deviation's kind.
    fileprivate var place: [String] {
        let group = self.property != nil ? "1" : unknownKey != nil ? "2" : "0"
        let kind = MappingReport.Kind.allCases.firstIndex(of: self.kind).map { "\($0)" }
        return [self.model, group, self.property ?? unknownKey ?? "", kind ?? ""]
    }
}

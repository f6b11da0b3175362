import Foundation
public import ModelMirror

extension DocumentStatistics: CustomStringConvertible {
    /// The table, for a terminal of 120 columns.
    public var description: String { table(width: 120) }

    /// A line for each place.
    ///
    /// ```text
    /// place     count  kinds   null  missing  distinct  minimum  median  maximum  values
    /// $.id        100  number                      100  1        50.5    100      ██████████
    /// $.state      90  string            10          2  closed           open     "open" 80 %, "closed" 20 %
    /// ```
    ///
    /// - Parameter width: The largest width in columns; below 80 some places may be wider.
    public func table(width: Int) -> String { text(width: width, .plain) }

    func text(width: Int, _ style: TextStyle) -> String {
        let longest = max(width / 8, 12)
        var rows = places.map { $0.cells(pathWidth: max(width / 3, 24), boundWidth: longest) }
        let columns = Place.columns
        // The last column gets the rest.
        let used = columns.indices.dropLast().reduce(0) { sum, column in
            let cells = rows.map { $0[column].displayWidth }
            return cells.allSatisfy { $0 == 0 } ? sum : sum + 2 + max(cells.max() ?? 0, columns[column].count)
        }
        for row in rows.indices {
            rows[row][columns.count - 1] = rows[row][columns.count - 1].cut(to: max(width - used, 10))
        }
        let summary = style.strong(documentCount.of("document")) + ", \(byteCount.of("byte"))"
        if rows.isEmpty { return summary }
        let table = TextTable([columns] + rows, right: Place.numeric).text(style)
        return ([summary, table] + (notes.isEmpty ? [] : [style.dim(notes.joined(separator: "\n"))]))
            .joined(separator: "\n\n")
    }

    /// What is not exact, and how it was found.
    var notes: [String] {
        var notes: [String] = []
        if places.contains(where: { !$0.isExact }) {
            notes.append("~ distinct values by HyperLogLog, standard error 1.6 %; shares may be too low by 0.4 %")
        }
        if places.contains(where: { $0.numbers?.isWhole == false }) {
            notes.append("medians and histograms of 2048 values chosen at random, standard error of ranks 1.1 %")
        }
        if places.contains(where: { $0.strings?.format != nil && $0.count > 32 }) {
            notes.append("formats of 32 strings chosen at random")
        }
        return notes
    }

    /// The statistics as JSON, for programs.
    public var json: JSONValue {
        [
            "documents": JSONValue(documentCount), "bytes": JSONValue(byteCount),
            "faults": .array(faults.map { .string("\($0)") }), "faultCount": JSONValue(faultCount),
            "places": .array(places.map(\.json)),
        ]
    }

    /// The statistics as CSV (RFC 4180), a line for each place, for programs.
    public var csv: String {
        let names = Place.fields.map(\.name)
        let lines = places.map { place in
            let members = place.json.flat
            return names.map { members[$0] ?? "" }
        }
        return ([names] + lines).map { $0.map(\.csvField).joined(separator: ",") }.joined(separator: "\r\n")
    }
}

extension DocumentStatistics.Place {
    fileprivate static let columns = [
        "place", "count", "kinds", "null", "missing", "distinct", "minimum", "median", "maximum", "values",
    ]
    /// The columns that are aligned to the right.
    fileprivate static let numeric: Set = [1, 3, 4, 5]

    fileprivate func cells(pathWidth: Int, boundWidth: Int) -> [String] {
        let others = kinds.keys.filter { $0 != "null" }.sorted()
        let kind =
            others.count <= 1
            ? others.first ?? "null"
            : others.map { "\($0) \(share(kinds[$0] ?? 0))" }.joined(separator: ", ")
        let bounds: (String, String) =
            if let numbers {
                (numbers.minimum.text, numbers.maximum.text)
            } else if let strings {
                (strings.minimum.quotedContent, strings.maximum.quotedContent)
            } else {
                ("", "")
            }
        return [
            path.displayWidth > pathWidth ? "…" + String(path.suffix(pathWidth - 1)) : path, "\(count)", kind,
            nulls == 0 ? "" : "\(nulls)", missing == 0 ? "" : "\(missing)",
            distinct == 0 ? "" : (isExact ? "" : "~") + "\(distinct)", bounds.0.cut(to: boundWidth),
            numbers.map { $0.quantile(0.5).shown } ?? "", bounds.1.cut(to: boundWidth), summary,
        ]
    }

    /// The histogram of numbers, the format of strings, the most frequent values, the lengths of arrays.
    private var summary: String {
        var parts: [String] = []
        if let numbers, distinct > 1 { parts.append(numbers.histogram(10).sparkline) }
        if let format = strings?.format { parts.append(format) }
        if let elements {
            parts.append("\(elements.minimum)–\(elements.maximum) elements, mean \(elements.mean.shown)")
        }
        if numbers == nil || distinct <= 10 {
            parts += frequent.prefix { $0.count * 1_000 >= count && ($0.count > 1 || distinct < 4) }.map { value in
                "\(value.value.shownText) \(share(value.count))"
            }
        }
        return parts.joined(separator: ", ")
    }

    /// A part of the values in percent.
    func share(_ part: Int) -> String {
        let share = 100 * Double(part) / Double(max(count, 1))
        return share >= 1 || part == 0 ? "\(Int(share.rounded())) %" : "<1 %"
    }

    /// The names of the members of ``json``, with what they hold, in the order of CSV.
    fileprivate static let fields: [(name: String, value: @Sendable (Self) -> JSONValue?)] = [
        ("place", { .string($0.path) }), ("count", { JSONValue($0.count) }), ("missing", { JSONValue($0.missing) }),
        ("nulls", { JSONValue($0.nulls) }),
        ("kinds", { .object($0.kinds.mapValues { JSONValue($0) }) }), ("distinct", { JSONValue($0.distinct) }),
        ("isExact", { .bool($0.isExact) }),
        ("minimum", { $0.numbers.map { .number($0.minimum) } ?? $0.strings.map { .string($0.minimum) } }),
        ("maximum", { $0.numbers.map { .number($0.maximum) } ?? $0.strings.map { .string($0.maximum) } }),
        ("mean", { $0.numbers.map { JSONValue($0.mean) } }),
        ("quantile25", { $0.numbers.map { JSONValue($0.quantile(0.25)) } }),
        ("median", { $0.numbers.map { JSONValue($0.quantile(0.5)) } }),
        ("quantile75", { $0.numbers.map { JSONValue($0.quantile(0.75)) } }),
        ("quantile95", { $0.numbers.map { JSONValue($0.quantile(0.95)) } }),
        ("histogram", { $0.numbers.map { .array($0.histogram(10).map { JSONValue($0) }) } }),
        ("minimumLength", { ($0.strings?.lengths ?? $0.elements).map { JSONValue($0.minimum) } }),
        ("maximumLength", { ($0.strings?.lengths ?? $0.elements).map { JSONValue($0.maximum) } }),
        ("meanLength", { ($0.strings?.lengths ?? $0.elements).map { JSONValue($0.mean) } }),
        ("format", { $0.strings?.format.map { .string($0) } }),
        ("frequent", { .array($0.frequent.map { ["value": $0.value, "count": JSONValue($0.count)] }) }),
    ]

    fileprivate var json: JSONValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: Self.fields.compactMap { field in field.value(self).map { (field.name, $0) } }))
    }
}

extension JSONValue {
    /// The members of an object as texts: strings without quotes.
    fileprivate var flat: [String: String] { (object ?? [:]).mapValues { $0.string ?? $0.compactText } }

    /// The value as JSON on one line, members sorted by key.
    var compactText: String {
        String(decoding: (try? jsonData(options: [.sortedKeys])) ?? Data(), as: UTF8.self)
    }

    /// The same for a terminal, whose control characters JSON may have as they are.
    var shownText: String { string?.quotedForMessage ?? compactText }

    /// A number, or null if it is not finite.
    fileprivate init(_ number: Double) { self = JSONNumber("\(number)").map { .number($0) } ?? .null }
    init(_ number: Int) { self = .number(JSONNumber(number)) }
}

extension Double {
    /// At most six digits.
    var shown: String { String(format: "%.6g", self) }
}

extension [Int] {
    /// Bars in eighths of the largest; an empty part is a space.
    fileprivate var sparkline: String {
        let most = self.max() ?? 0
        let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
        return String(map { $0 == 0 ? " " : bars[Swift.min($0 * 8 / Swift.max(most, 1), 7)] })
    }
}

extension String {
    /// Without quotes, but with control characters escaped.
    var quotedContent: String { String(quotedForMessage.dropFirst().dropLast()) }

    /// At most a number of columns, the last an ellipsis if the text is longer.
    func cut(to width: Int) -> String {
        guard displayWidth > width else { return self }
        var (text, used) = ("", 1)
        for scalar in unicodeScalars {
            used += scalar.displayWidth
            if used > width { break }
            text.unicodeScalars.append(scalar)
        }
        return text + "…"
    }

    /// The text as a field of CSV, in quotes where it needs them. By scalars, since a combining mark may follow a comma or a quote.
    fileprivate var csvField: String {
        guard unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return self }
        return "\"\(unicodeScalars.replacing("\"".unicodeScalars, with: "\"\"".unicodeScalars))\""
    }
}

import ModelMirror

/// Prints a document, a model, statistics, a drift, or the result of a query for a person: objects with plain members as a table,
/// other values as a tree, a line for each.
///
/// ```swift
/// show(try JSONValue(json: data))
/// show(try JSONQuery("$..owner").values(in: data))
/// show(DocumentStatistics(json: data))
/// ```
///
/// For the REPL and playgrounds. At most 200 lines of 120 columns are printed.
public func show(_ value: Any) { print(ShownValue.text(of: value)) }

/// The text of ``show(_:)``.
enum ShownValue {
    private static let (width, mostLines, mostColumns) = (120, 200, 12)

    static func text(of value: Any) -> String {
        let text: String?
        switch value {
        case let value as JSONValue: text = self.text(of: value)
        case let values as [JSONValue]: text = self.text(of: JSONValue.array(values))
        // As printed, without the values that are never shown.
        case let model as AbstractModel where ModelMistakes.reachesRedactedProperties(type(of: model)):
            text = "\(model)"
        case let models as [AbstractModel]
        where models.contains(where: { ModelMistakes.reachesRedactedProperties(type(of: $0)) }):
            text = models.map { "\($0)" }.joined(separator: "\n")
        case let model as AbstractModel:
            text = (try? model.jsonValue()).map { "\(type(of: model))\n" + self.text(of: $0) }
        case let models as [AbstractModel]:
            text = self.text(of: JSONValue.array(models.compactMap { try? $0.jsonValue() }))
        case let drift as DocumentDrift: text = drift.text(.plain)
        default: text = nil
        }
        return cut((text ?? "\(value)").split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private static func text(of value: JSONValue) -> String { table(value) ?? tree(value).joined(separator: "\n") }

    private static func cut(_ lines: [String]) -> String {
        let shown = lines.prefix(mostLines).map { $0.withEscapedControls.cut(to: width) }
        let rest = lines.count - shown.count
        return (rest == 0 ? shown : shown + ["… \(rest.of("more line"))"]).joined(separator: "\n")
    }

    /// A list of objects that have no objects and lists in them, as a table; nil for others.
    private static func table(_ value: JSONValue) -> String? {
        // With the heading and the note on the rest.
        guard let objects = value.array?.prefix(mostLines - 2).map(\.object), objects.count > 1 else { return nil }
        var rows: [[String: JSONValue]] = []
        for object in objects {
            guard let object, object.values.allSatisfy({ $0.object == nil && $0.array == nil }) else { return nil }
            rows.append(object)
        }
        let keys = Set(rows.flatMap(\.keys)).sorted()
        guard (1...mostColumns).contains(keys.count) else { return nil }
        let most = max(width / keys.count - 2, 8)
        let cells = rows.map { row in keys.map { (row[$0]?.shownText ?? "").cut(to: most) } }
        let text = TextTable([keys.map { $0.quotedContent.cut(to: most) }] + cells).text()
        let rest = (value.array?.count ?? 0) - rows.count
        return rest > 0 ? text + "\n… \(rest.of("more row"))" : text
    }

    /// A line for each value, indented. Without recursion, since documents may be deep.
    private static func tree(_ value: JSONValue) -> [String] {
        var lines: [String] = []
        var rest: [(label: String, value: JSONValue, depth: Int)] = [("", value, 0)]
        while let next = rest.popLast() {
            // Others are only counted.
            let isShown = lines.count <= mostLines
            let label = isShown ? String(repeating: "  ", count: next.depth) + next.label : ""
            let depth = next.label.isEmpty ? 0 : next.depth + 1
            if let members = next.value.object, !members.isEmpty {
                if !next.label.isEmpty { lines.append(label) }
                for (key, value) in members.sorted(by: { $0.key > $1.key }) {
                    rest.append((key.quotedContent + ": ", value, depth))
                }
            } else if let elements = next.value.array, !elements.isEmpty {
                lines.append(label + "[\(elements.count)]")
                for (index, element) in elements.enumerated().reversed() {
                    rest.append(("\(index): ", element, next.depth + 1))
                }
            } else {
                lines.append(isShown ? label + next.value.shownText : "")
            }
        }
        return lines
    }
}

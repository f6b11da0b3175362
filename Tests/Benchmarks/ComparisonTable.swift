import Foundation
import ModelMirror

/// The table of all figures: checks, measures and prints each row.
enum ComparisonTable {
    /// - Throws: An error if two contestants of a row produce different objects.
    static func run(_ wanted: Arguments.Table) async throws {
        let documents = try Documents()
        let all =
            try ReadingRows.all(documents) + SizeRows.all() + CoreRows.all() + CostRows.all(documents)
            + WritingRows.all(documents)
        func isWanted(_ group: Row.Group, _ name: String) -> Bool {
            wanted.filter.map { "\(group) \(name)".contains($0) } ?? true
        }
        let rows = all.filter { isWanted($0.group, $0.name) }
        let isTableWanted = isWanted(.tables, TableCreation.name)
        guard !rows.isEmpty || isTableWanted else {
            throw Arguments.Mistake(
                description: "no row's name contains \"\(wanted.filter ?? "")\"; the rows are "
                    + (all.map(\.name) + [TableCreation.name]).joined(separator: ", "))
        }
        for row in rows {
            if let difference = try await row.difference() {
                throw Difference(description: "\(row.name): the contestants produce different objects at \(difference)")
            }
        }
        var figures: [Figures] = []
        func add(_ measured: Figures) {
            if !wanted.isJSON { print(lines(measured, isFirst: figures.last?.group != measured.group)) }
            figures.append(measured)
        }
        let isDebug = Documents.divisor > 1
        if isDebug, !wanted.isJSON { print("a debug build: documents of a tenth of the size, and fewer rounds") }
        for row in rows { add(try await row.measure(seconds: isDebug ? 0.2 : 1.5, fewestRounds: isDebug ? 3 : 5)) }
        if isTableWanted { add(try TableCreation.figures()) }
        if wanted.isJSON { print(try json(figures)) }
        for name in documents.skipped where !wanted.isJSON && isWanted(.reading, name) {
            print("skipped: \(name) is not in the folder named by MODELMIRROR_DATA")
        }
        if let folder = wanted.plots { try Charts.write(figures, to: folder) }
    }

    private struct Difference: Error, CustomStringConvertible {
        let description: String
    }

    private static func json(_ figures: [Figures]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return String(decoding: try encoder.encode(figures), as: UTF8.self)
    }

    // MARK: Lines

    /// The heading of a group. The ratios of its rows are the times of the contestants to the first one's.
    private static func title(_ group: Row.Group) -> String {
        switch group {
        case .reading: "JSON to objects"
        case .sizes: "Sizes of documents"
        case .cores: "Parallel mapping"
        case .costs: "Costs of features"
        case .writing: "Objects to JSON"
        case .tables: "Property tables"
        }
    }

    private static func lines(_ row: Figures, isFirst: Bool) -> String {
        let head = isFirst ? "\n\(Table.line([title(row.group), "", "time", "", "ratio", "quartiles"]))\n" : ""
        return head
            + row.figures.enumerated().map { index, figure in
                let speed = row.bytes > 0 ? "\(Table.rounded(Double(row.bytes) / figure.microseconds)) MB/s" : ""
                let name = index == 0 ? row.name : ""
                guard index > 0 else {
                    return Table.line([name, figure.name, Table.duration(figure.microseconds), speed, "", ""])
                }
                return Table.line([
                    name, figure.name, Table.duration(figure.microseconds), speed, "\(Table.rounded(figure.ratio)) ×",
                    "\(Table.rounded(figure.lowerQuartile))–\(Table.rounded(figure.upperQuartile))",
                ])
            }.joined(separator: "\n")
    }
}

/// The layout of the table.
enum Table {
    private static let widths = [-34, -30, 11, 13, 10, 14]

    static func line(_ cells: [String]) -> String {
        zip(cells, widths).map { cell, width in
            let spaces = String(repeating: " ", count: max(0, abs(width) - cell.count))
            return width < 0 ? cell + spaces : spaces + cell
        }.joined(separator: " ")
    }

    static func duration(_ microseconds: Double) -> String {
        microseconds < 1000 ? "\(rounded(microseconds)) µs" : "\(rounded(microseconds / 1000)) ms"
    }

    /// At least three significant digits.
    static func rounded(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }
}

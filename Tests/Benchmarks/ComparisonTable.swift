import Foundation
import ModelMirror

/// The table of all figures: checks, measures and prints each row.
///
/// Each row is measured in processes of its own, since the blocks that one row leaves in the heap can double the time of the next; and
/// in three of them, since where a process lies in memory can change the time of a small document by a fifth.
enum ComparisonTable {
    /// - Throws: An error if a row cannot be measured.
    static func run(_ wanted: Arguments.Table) throws {
        let documents = try Documents()
        let all = try rows(documents)
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
        var figures: [Figures] = []
        func add(_ measured: Figures) {
            if !wanted.isJSON { print(lines(measured, isFirst: figures.last?.group != measured.group)) }
            figures.append(measured)
        }
        if isDebug, !wanted.isJSON { print("a debug build: documents of a tenth of the size, and fewer rounds") }
        for row in rows { add(try measured(row)) }
        if isTableWanted { add(try TableCreation.figures()) }
        if wanted.isJSON { print(try json(figures)) }
        for name in documents.skipped where !wanted.isJSON && isWanted(.reading, name) {
            print("skipped: \(name) is not in the folder named by MODELMIRROR_DATA")
        }
        if let folder = wanted.plots { try Charts.write(figures, to: folder) }
    }

    private static func rows(_ documents: Documents) throws -> [Row] {
        try ReadingRows.all(documents) + SizeRows.all() + CoreRows.all() + CostRows.all(documents)
            + WritingRows.all(documents)
    }

    private static let isDebug = Documents.divisor > 1
    private static let processes = isDebug ? 1 : 3

    private static func measured(_ row: Row) throws -> Figures {
        let runs = try (0..<processes).map { _ in try times(of: row) }
        var names = row.contestants.map(\.name)
        var seconds: [[Double]] = row.contestants.indices.map { contestant in runs.flatMap { $0[contestant] } }
        if names.suffix(2) == ReadingRows.limits {
            let (reader, hand) = (seconds[names.count - 2], seconds[names.count - 1])
            names.append(Goals.both)
            seconds.append(zip(reader, hand).map { $0 + $1 })
        }
        return Figures(row, names, seconds)
    }

    /// A row's times from a child process, which prints its own errors.
    private static func times(of row: Row) throws -> [[Double]] {
        let (child, output) = (Process(), Pipe())
        child.executableURL = Bundle.main.executableURL
        child.arguments = ["row-child", row.group.rawValue, row.name]
        child.standardOutput = output
        // The thresholds that glibc reaches by itself in a program that frees large blocks: otherwise it returns the memory of each
        // run to the kernel, and the next run waits for pages.
        let tunables = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=67108864"
        child.environment = ProcessInfo.processInfo.environment.merging(["GLIBC_TUNABLES": tunables]) { own, _ in own }
        try child.run()
        let json = try output.fileHandleForReading.readToEnd() ?? Data()
        child.waitUntilExit()
        guard child.terminationStatus == 0 else { throw Failure(description: "\(row.name) cannot be measured") }
        return try JSONDecoder().decode([[Double]].self, from: json)
    }

    /// Runs in the child process: checks, measures and prints one row.
    ///
    /// - Throws: An error if two contestants produce different objects.
    static func child(_ group: String, _ name: String) async throws {
        guard let row = try rows(Documents()).first(where: { $0.group.rawValue == group && $0.name == name }) else {
            throw Failure(description: "there is no row \(name)")
        }
        if let difference = try await row.difference() {
            throw Failure(description: "\(name): the contestants produce different objects at \(difference)")
        }
        print(try json(await row.times(seconds: isDebug ? 0.2 : 0.5)))
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static func json(_ figures: some Encodable) throws -> String {
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
        case .cores: "Several cores"
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
                    Goals.mark(row.name, figure.name, figure.ratio),
                ])
            }.joined(separator: "\n")
    }
}

/// The layout of the table.
enum Table {
    private static let widths = [-34, -30, 11, 13, 10, 14, 0]

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

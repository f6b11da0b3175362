/// Rows of cells in columns that are flush left; the first row is the heading.
///
/// ```text
/// property   key         type
/// createdAt  created_at  Date?
/// ```
struct TextTable {
    private let rows: [[String]]

    /// - Parameter rows: The heading and the rows, each with as many cells.
    init(_ rows: [[String]]) { self.rows = rows }

    /// The table, without spaces at the ends of lines. Columns that are empty below the heading are left out.
    func text(_ style: TextStyle = .plain) -> String {
        guard let heading = rows.first else { return "" }
        let columns = heading.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        let widths = columns.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
        let lines = rows.map { row in
            var line = ""
            for (column, width) in zip(columns, widths) {
                line += row[column] + String(repeating: " ", count: width - row[column].displayWidth + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
        return ([style.strong(lines[0])] + lines.dropFirst()).joined(separator: "\n")
    }
}

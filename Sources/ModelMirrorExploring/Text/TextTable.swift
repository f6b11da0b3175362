/// Rows of cells in columns; the first row is the heading.
///
/// ```text
/// property   key         type
/// createdAt  created_at  Date?
/// ```
struct TextTable {
    private let rows: [[String]]
    private let right: Set<Int>

    /// - Parameters:
    ///   - rows: The heading and the rows, all with the same number of cells.
    ///   - right: The columns that are aligned to the right.
    init(_ rows: [[String]], right: Set<Int> = []) { (self.rows, self.right) = (rows, right) }

    /// The table, without trailing spaces. Columns that are empty below the heading are left out.
    func text(_ style: TextStyle = .plain) -> String {
        guard let heading = rows.first else { return "" }
        let columns = heading.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
        let widths = columns.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
        let lines = rows.map { row in
            var line = ""
            for (column, width) in zip(columns, widths) {
                let space = String(repeating: " ", count: width - row[column].displayWidth)
                line += right.contains(column) ? space + row[column] + "  " : row[column] + space + "  "
            }
            while line.last == " " { line.removeLast() }
            return line
        }
        return ([style.strong(lines[0])] + lines.dropFirst()).joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    /// The width of the scalar in terminal columns: 0, 1 or 2, following Unicode's East Asian Width (UAX 11).
    var displayWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            return 2
        // Two of these are the emoji of a flag.
        case 0x1F1E6...0x1F1FF: return 1
        default: return properties.isEmojiPresentation ? 2 : 1
        }
    }
}

extension String {
    /// The width of the text in terminal columns. It must not contain line breaks or tabs.
    var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }
}

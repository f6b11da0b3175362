/// Rows of cells, printed as columns that stand under one another.
///
/// ```text
/// created     comments  description
/// 2024-03-18         4  Retry with backoff
/// ```
///
/// The last column is never padded: text of any script and width belongs there. All others should be plain ASCII.
struct Listing: CustomStringConvertible {
    /// Where a cell stands in its column.
    enum Alignment {
        case left, right
    }

    private let columns: [Alignment]
    private let rows: [[String]]

    /// - Parameters:
    ///   - columns: One alignment for each column.
    ///   - rows: As many cells in each as there are columns.
    init(_ columns: Alignment..., rows: [[String]]) {
        self.columns = columns
        self.rows = rows
    }

    var description: String {
        let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            columns.indices.map { column in
                let cell = row[column]
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return switch columns[column] {
                case .right: padding + cell
                case .left: column == columns.count - 1 ? cell : cell + padding
                }
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}

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
        self.rows = rows.map { $0.map(\.withoutControls) }
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

extension Listing {
    /// Gists, one a line.
    static func gists(_ gists: [Gist]) -> String {
        Listing(
            .left, .left, .left, .right, .right, .right, .left,
            rows: [["createdAt", "owner", "isPublic", "comments", "files", "bytes", "description"]]
                + gists.map { gist in
                    [
                        gist.createdAt.day, gist.owner?.login ?? "nil", "\(gist.isPublic)", "\(gist.comments)",
                        "\(gist.files.count)", "\(gist.files.values.map(\.size).reduce(0, +))",
                        gist.description.map { "“\($0.onOneLine(upTo: 50))”" } ?? "nil",
                    ]
                }
        ).description
    }
}

extension Listing {
    /// Questions, one a line.
    static func questions(_ questions: [Question]) -> String {
        Listing(
            .left, .left, .left, .left,
            rows: [["created", "owner", "isAnswered", "title"]]
                + questions.map { question in
                    [
                        question.creationDate?.day ?? "nil", question.owner?.displayName ?? "nil",
                        "\(question.isAnswered)", question.title,
                    ]
                }
        ).description
    }
}

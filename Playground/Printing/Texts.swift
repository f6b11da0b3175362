import Foundation

extension String {
    /// The text with each line moved to the right; empty lines stay empty.
    func indented(by spaces: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : String(repeating: " ", count: spaces) + $0 }
            .joined(separator: "\n")
    }

    /// The text with spaces for control characters, which a terminal would obey.
    var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    /// The text on one line, white space of any kind and length made one space, cut after so many characters.
    func onOneLine(upTo limit: Int) -> String {
        let line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count > limit ? line.prefix(limit - 1) + "…" : line
    }
}

extension Date {
    /// `2024-03-18`, in UTC.
    var day: String { formatted(.iso8601.year().month().day()) }

    /// `2024-03-18 09:41`, in UTC.
    var dayAndTime: String {
        formatted(.iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
    }
}

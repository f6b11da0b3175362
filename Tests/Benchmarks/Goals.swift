/// The ratios that the library is meant to reach. A line that falls short says so.
enum Goals {
    /// A bound of a contestant's ratio to the first one.
    private enum Bound {
        case atLeast(Double), atMost(Double)
    }

    private typealias Goal = (row: String, contestant: String, bound: Bound)

    private static let goals: [Goal] = [
        ("gists", both, .atLeast(1 / 1.2)), ("gists with URL and Date", "JSONDecoder", .atLeast(7)),
        ("small object", "JSONDecoder", .atLeast(9.5)), ("small object", both, .atLeast(1 / 1.2)),
        ("tiny", "JSONDecoder", .atLeast(19)), ("tiny", both, .atLeast(1 / 1.2)),
        ("sparse", "JSONDecoder", .atLeast(13)), ("twitter.json", both, .atLeast(1 / 1.2)),
        ("citm_catalog.json", "JSONDecoder", .atLeast(13.5)), ("citm_catalog.json", both, .atLeast(1 / 1.2)),
        ("canada.json", both, .atLeast(1)), ("report, every value converted", "mapReporting", .atMost(1.2)),
        ("keyPathTable, small object", "keyPathTable", .atMost(1.5)),
        ("keyPathTable, writing", "keyPathTable", .atMost(1.5)),
    ]

    /// In a debug build, each document as fast as `JSONDecoder`, which is optimized.
    private static let debugGoals = [
        "gists", "gists with URL and Date", "small object", "tiny", "sparse", "nulls", "twitter.json",
        "citm_catalog.json", "canada.json",
    ].map { Goal($0, "JSONDecoder", .atLeast(1)) }

    /// The sum of both limits: the reader alone, and the objects by hand.
    static let both = "both together"

    /// What a line ends with: nothing, or the bound that a ratio misses.
    static func mark(_ row: String, _ contestant: String, _ ratio: Double) -> String {
        let goal = (Documents.divisor > 1 ? debugGoals : goals).first { $0.row == row && $0.contestant == contestant }
        return goal.map { mark(ratio, $0.bound) } ?? ""
    }

    /// The same for requests a second at a time of 32, beside those of another.
    static func mark(of contender: String, against other: String, _ ratio: Double) -> String {
        switch (contender, other) {
        case ("CurlTransport", "curl program"): mark(ratio, .atLeast(0.95))
        case ("APIClient", "CurlTransport"): mark(ratio, .atLeast(0.85))
        default: ""
        }
    }

    private static func mark(_ ratio: Double, _ bound: Bound) -> String {
        switch bound {
        case .atLeast(let least): ratio < least ? "short of \(Table.rounded(least)) ×" : ""
        case .atMost(let most): ratio > most ? "above \(Table.rounded(most)) ×" : ""
        }
    }
}

import Foundation
import ModelMirror

/// The content of a document of tweets, the deviations of its mapping, and the time it takes.
struct TwitterSummary {
    let name: String
    let json: Data

    /// - Throws: `ModelError` if the document is not JSON, or not a search result.
    func text() throws -> String {
        let (search, report) = try TweetSearch.mapReporting(json: json)
        let time = try MedianTime(of: 51) { try TweetSearch(json: json) }
        return [
            "\(name): \(json.count) bytes", summary(of: search), listing(of: search.statuses.prefix(8)),
            "Objects\n" + listing(of: ObjectCensus(of: search)).indented(by: 3),
            "Deviations\n" + listing(of: report).indented(by: 3),
            "Time\n" + sentence(about: time, bytes: json.count).indented(by: 3),
        ].joined(separator: "\n\n")
    }

    private func summary(of search: TweetSearch) -> String {
        let tweets = search.statuses
        let retweets = tweets.compactMap(\.retweetedStatus)
        let favourites = tweets.map(\.user.favouritesCount).reduce(0, +)
        var lines = [
            "\(tweets.count) tweets, \(retweets.count) of them retweets; "
                + "their authors have marked \(favourites) tweets as favourites"
        ]
        if let metadata = search.searchMetadata {
            let query = metadata.query.removingPercentEncoding ?? metadata.query
            lines.insert("Search for “\(query)”, which took Twitter \(metadata.completedIn) s", at: 0)
        }
        if let first = retweets.first {
            lines.append("The first retweet repeats \(first.user.name) (@\(first.user.screenName))")
        }
        return lines.map(\.withoutControls).joined(separator: "\n")
    }

    private func listing(of tweets: some Collection<Tweet>) -> String {
        Listing(
            .left, .left, .right, .right, .left,
            rows: [["createdAt", "user", "retweets", "entities", "text"]]
                + tweets.map { tweet in
                    [
                        tweet.createdAt.dayAndTime, "@" + tweet.user.screenName, "\(tweet.retweetCount)",
                        "\(tweet.entities?.count ?? 0)", tweet.text.onOneLine(upTo: 40),
                    ]
                }
        ).description
    }

    private func listing(of census: ObjectCensus) -> String {
        let counts = census.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return Listing(
            .left, .right, rows: (counts + [(key: "in all", value: census.total)]).map { [$0.key, "\($0.value)"] }
        ).description
    }

    private func listing(of report: MappingReport) -> String {
        guard !report.entries.isEmpty else { return report.description }
        let counts = Dictionary(grouping: report.entries, by: \.kind).mapValues(\.count)
        return Listing(
            .left, .right, .left,
            rows: MappingReport.Kind.allCases.compactMap { kind in
                let first = report.entries.first { $0.kind == kind }
                return counts[kind].map { [kind.rawValue, "\($0)", "the first: \(first?.path.description ?? "")"] }
            }
        ).description
    }

    private func sentence(about time: MedianTime, bytes: Int) -> String {
        let milliseconds = String(format: "%.2f", time.seconds * 1000)
        let speed = String(format: "%.0f", Double(bytes) / 1_000_000 / time.seconds)
        let sentence = "\(milliseconds) ms, \(speed) MB/s: the median of \(time.runs) runs after a warm-up"
        #if DEBUG
        return sentence + "\nThis is a debug build, which is many times slower: swift run -c release …"
        #else
        return sentence
        #endif
    }
}

/// The number of objects of each class in an object graph, counted by Swift's own `Mirror`.
struct ObjectCensus {
    /// Class name → objects of just this class.
    private(set) var counts: [String: Int] = [:]

    /// The objects of all classes.
    var total: Int { counts.values.reduce(0, +) }

    init(of root: AbstractModel) { count(root) }

    private mutating func count(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .class:
            guard let object = value as? AbstractModel else { return }
            counts["\(type(of: object))", default: 0] += 1
        case .optional, .collection, .set, .dictionary, .tuple: break
        default: return
        }
        for level in sequence(first: mirror, next: \.superclassMirror) {
            for child in level.children { count(child.value) }
        }
    }
}

/// The median time of several runs, after a warm-up.
struct MedianTime {
    let runs: Int
    let seconds: Double

    /// - Parameters:
    ///   - runs: At least 1.
    ///   - body: The work; its result is released after the clock has stopped.
    init<Result, Failure>(of runs: Int, _ body: () throws(Failure) -> Result) throws(Failure) {
        let clock = ContinuousClock()
        _ = try body()
        var times: [Duration] = []
        for _ in 0..<runs {
            let start = clock.now
            let result = try body()
            times.append(clock.now - start)
            withExtendedLifetime(result) {}
        }
        self.runs = runs
        seconds = times.sorted()[runs / 2] / .seconds(1)
    }
}

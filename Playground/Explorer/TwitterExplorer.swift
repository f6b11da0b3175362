import Foundation
import ModelMirror

/// Maps a file of tweets, prints what is in it, and tells how long the mapping took.
struct TwitterExplorer {
    let path: String

    /// - Throws: ``UnreadableFile``, or `ModelError` if the file is no JSON or no search result.
    func run() throws {
        let json = try InputFile(path: path).read()
        let (search, report) = try TweetSearch.mapReporting(json: json)

        print("\(path): \(json.count) bytes")
        print("\n" + summary(of: search))
        print("\n" + listing(of: search.statuses.prefix(8)))
        print("\nObjects made\n" + listing(of: ObjectCensus(of: search)).indented(by: 3))
        print("\nNot taken just as it stood\n" + listing(of: report).indented(by: 3))
        let time = try MedianTime(of: 51) { try TweetSearch(json: json) }
        print("\nTime\n" + sentence(about: time, bytes: json.count).indented(by: 3))
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
        return lines.joined(separator: "\n")
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

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

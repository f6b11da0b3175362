import ModelMirror

extension TourStep {
    static let lineThatFills = TourStep(
        "One line fills it",
        explanation: "Out come typed objects: dates, numbers, optionals, and objects within objects.",
        code: "let gists = try [Gist](json: document)"
    ) {
        let document = try SampleDocument.gists.read()
        let gists = try [Gist](json: document)
        return Listing(
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

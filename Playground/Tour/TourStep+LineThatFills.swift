import ModelMirror

extension TourStep {
    static let lineThatFills = TourStep(
        "One line fills it",
        explanation: "Out come typed objects: dates, numbers, optionals, and objects within objects.",
        code: "let gists = try [Gist](json: document)"
    ) {
        let document = try SampleDocument.gists.read()
        return Listing.gists(try [Gist](json: document))
    }
}

import ModelMirror

extension TourStep {
    static let forgivingReport = TourStep(
        "A value that does not fit is forgiven, and reported",
        explanation: """
            The property keeps its default, and nothing is dropped in silence: ask for the report, and it tells of
            every value that was not taken just as it stood. This is the document, and the line that asks:
            """,
        code: """
            \(document)

            let (gist, report) = try Gist.mapReporting(json: document)
            """
    ) {
        let (gist, report) = try Gist.mapReporting(json: document)
        return """
            isPublic \(gist.isPublic), comments \(gist.comments), owner \(gist.owner?.login ?? "nil"), \
            \(gist.files.count) files
            \(report)
            """
    }

    private static let document = """
        {
          "id": "e8c55a3ea8df7d14e8c4", "created_at": "2015-10-21T07:28:00Z",
          "public": null, "comments": "7",
          "files": { "hello.txt": 13 }, "stars": 12
        }
        """
}

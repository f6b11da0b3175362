import ModelMirror

extension TourStep {
    static let classIsSchema = TourStep(
        "class", "A class is its own schema",
        explanation: """
            Subclass AbstractModel and declare vars: they are filled from JSON by name. The overrides at the end tell
            where names differ and what must be there; a class without such rules needs none.
            """,
        code: Gist.declaration)
}

extension TourStep {
    static let lineThatFills = TourStep(
        "fill", "One line fills it",
        explanation: "Out come typed objects: dates, numbers, optionals, and objects within objects.",
        code: "let gists = try [Gist](json: document)"
    ) {
        let document = try SampleDocument.gists.read()
        return Listing.gists(try [Gist](json: document))
    }
}

extension TourStep {
    static let forgivingReport = TourStep(
        "report", "A value that does not fit is forgiven, and reported",
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

extension TourStep {
    static let errors = TourStep(
        "errors", "What must be there, is there, or you get an error",
        explanation: """
            All failures of a call are collected; each is one sentence: where, what was expected, what was found.
            The document is Playground/Resources/broken-gists.json, should you want to look at the lines.
            """,
        code: "do { show(try [Gist](json: broken)) } catch { print(error) }"
    ) { try outcome() }

    static let strictErrors = TourStep(
        "strict", "Strict mapping forgives nothing",
        explanation: "The same document; now every value must be of the type that its property has.",
        code: "do { show(try [Gist](json: broken, options: .strict)) } catch { print(error) }"
    ) { try outcome(options: .strict) }

    /// What comes of the broken document: the error, word for word.
    private static func outcome(options: MappingOptions = .init()) throws -> String {
        let broken = try SampleDocument.brokenGists.read()
        do {
            return "no error, but \(try [Gist](json: broken, options: options).count) gists"
        } catch {
            return error.description
        }
    }
}

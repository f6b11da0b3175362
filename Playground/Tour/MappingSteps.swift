import ModelMirror

extension TourStep {
    static let classIsSchema = TourStep(
        "class", "A class is its own schema",
        explanation: """
            Subclass AbstractModel and declare vars: they are filled from JSON by name. The overrides at the end say
            where names differ and what is required; a class without such rules needs none.
            """)
}

extension TourStep {
    static let lineThatFills = TourStep(
        "fill", "One line fills it",
        explanation: "The results are typed objects: dates, numbers, optionals, and objects within objects."
    ) {
        let document = try SampleDocument.gists.read()
        // tour: fill
        let gists = try [Gist](json: document)
        show(gists)
        // tour: end
    }
}

extension TourStep {
    static let forgivingReport = TourStep(
        "report", "A value that does not fit is tolerated, and reported",
        explanation: """
            The property keeps its default, and nothing is dropped in silence: the report lists every deviation.
            """
    ) {
        // tour: report
        let document = """
            {
              "id": "e8c55a3ea8df7d14e8c4", "created_at": "2015-10-21T07:28:00Z",
              "public": null, "comments": "7",
              "files": { "hello.txt": 13 }, "stars": 12
            }
            """
        let (gist, report) = try Gist.mapReporting(json: document)
        show("isPublic \(gist.isPublic), comments \(gist.comments), \(gist.files.count) files")
        show(report)
        // tour: end
    }
}

extension TourStep {
    static let errors = TourStep(
        "errors", "A missing required value is an error",
        explanation: """
            All failures of a call are collected; each is one sentence: where, what was expected, what was found.
            The document is Playground/Resources/broken-gists.json.
            """
    ) {
        let broken = try SampleDocument.brokenGists.read()
        // tour: errors
        do { show(try [Gist](json: broken)) } catch { show(error) }
        // tour: end
    }

    static let strictErrors = TourStep(
        "strict", "Strict mapping tolerates nothing",
        explanation: "The same document; now every value must have the type of its property."
    ) {
        let broken = try SampleDocument.brokenGists.read()
        // tour: strict
        do { show(try [Gist](json: broken, options: .strict)) } catch { show(error) }
        // tour: end
    }
}

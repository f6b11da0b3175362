import ModelMirror

extension TourStep {
    static let errors = TourStep(
        "What must be there, is there, or you get an error",
        explanation: """
            All failures of a call are collected; each is one sentence: where, what was expected, what was found.
            The document is Playground/Resources/broken-gists.json, should you want to look at the lines.
            """,
        code: "do { show(try [Gist](json: broken)) } catch { print(error) }"
    ) { try outcome() }

    static let strictErrors = TourStep(
        "Strict mapping forgives nothing",
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

/// A list of steps, run and printed one after the other.
///
/// The steps are values in the files `TourStep+….swift`; to add one, write it and name it in ``guided``.
struct Tour {
    let title: String
    let steps: [TourStep]

    static let guided = Tour(
        title: "ModelMirror in a minute",
        steps: [
            .classIsSchema, .lineThatFills, .forgivingReport, .errors, .strictErrors, .repository, .failingStatus,
            .brokenBody, .routes, .pages, .store,
        ])

    /// Prints each step as soon as it has run.
    ///
    /// - Throws: What a step throws; the steps before it are printed.
    @MainActor func run() async throws {
        print(title)
        for (index, step) in steps.enumerated() {
            print("\n\(index + 1). \(step.title)")
            print(step.explanation.indented(by: 3))
            print("\n" + step.code.indented(by: 7))
            if let result = step.result { print("\n" + (try await result()).indented(by: 3)) }
        }
    }
}

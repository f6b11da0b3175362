import ModelMirrorExploring

/// A list of steps, run and printed one after the other.
///
/// To add a step, write it in `MappingSteps.swift`, `NetworkingSteps.swift` or `ExploringSteps.swift`, name it in ``guided``, mark its
/// code, and run `Tests/Playground/check.py --write`.
struct Tour {
    let title: String
    let steps: [TourStep]

    static let guided = Tour(
        title: "ModelMirror in a minute",
        steps: [
            .classIsSchema, .lineThatFills, .forgivingReport, .errors, .strictErrors, .repository, .failingStatus,
            .brokenBody, .routes, .pages, .store, .explore,
        ])

    /// The names and titles of the steps.
    var list: String {
        Listing(.left, .left, rows: steps.map { [$0.name, $0.title] }).description
    }

    /// Prints each step as soon as it has run.
    ///
    /// - Parameter names: The steps to run, in this order. Defaults to all, below the title.
    /// - Throws: `WrongUsage` for an unknown name, before anything is printed; the error of a step.
    @MainActor func run(_ names: [String] = []) async throws {
        let numbered = Array(zip(1..., steps))
        let chosen = try names.map { name in
            guard let step = numbered.first(where: { $0.1.name == name }) else {
                throw ExplorerCommand.WrongUsage("There is no step", name, among: steps.map(\.name))
            }
            return step
        }
        if names.isEmpty { print(title) }
        for (index, (number, step)) in (names.isEmpty ? numbered : chosen).enumerated() {
            if names.isEmpty || index > 0 { print() }
            print("\(number). \(step.title)")
            print(step.explanation.indented(by: 3))
            print("\n" + step.code.indented(by: 7))
            guard let run = step.run else { continue }
            print()
            try await run()
        }
    }
}

/// A step of the tour: a title, an explanation, and code that runs.
struct TourStep: Sendable {
    /// The argument for this step alone: `tour routes`.
    let name: String
    let title: String
    /// A line or two, each of at most 110 characters.
    let explanation: String
    /// Runs the step, which prints by ``show(_:)``; nil where there is nothing to run.
    let run: (@MainActor () async throws -> Void)?

    init(
        _ name: String, _ title: String, explanation: String, run: (@MainActor () async throws -> Void)? = nil
    ) {
        self.name = name
        self.title = title
        self.explanation = explanation
        self.run = run
    }

    /// The code that is shown: what stands between `// tour: NAME` and `// tour: end` in the sources.
    var code: String { TourStep.code[name] ?? "" }
}

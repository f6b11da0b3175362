import ModelMirrorExploring

/// A list of steps, run and printed one after the other.
///
/// To add a step, write it in `MappingSteps.swift` or `NetworkingSteps.swift` and name it in ``guided``.
struct Tour {
    let title: String
    let steps: [TourStep]

    static let guided = Tour(
        title: "ModelMirror in a minute",
        steps: [
            .classIsSchema, .lineThatFills, .forgivingReport, .errors, .strictErrors, .repository, .failingStatus,
            .brokenBody, .routes, .pages, .store,
        ])

    /// The names and titles of the steps.
    var list: String {
        Listing(.left, .left, rows: steps.map { [$0.name, $0.title] }).description
    }

    /// Prints each step as soon as it has run.
    ///
    /// - Parameter names: The steps to run; all if there are none.
    /// - Throws: A wrong name with the nearest, and what a step throws; the steps before it are printed.
    @MainActor func run(_ names: [String] = []) async throws {
        for name in names where !steps.contains(where: { $0.name == name }) {
            throw ExplorerCommand.WrongUsage("There is no step", name, among: steps.map(\.name))
        }
        if names.isEmpty { print(title) }
        for (index, step) in steps.enumerated() where names.isEmpty || names.contains(step.name) {
            if names.isEmpty || step.name != names.first { print() }
            print("\(index + 1). \(step.title)")
            print(step.explanation.indented(by: 3))
            print("\n" + step.code.indented(by: 7))
            if let result = step.result { print("\n" + (try await result()).indented(by: 3)) }
        }
    }
}

/// One stop of the tour: what is shown, why, the line of code, and what that line gives.
struct TourStep: Sendable {
    /// What is typed for this step alone: `tour routes`.
    let name: String
    let title: String
    /// A line or two, each of at most 110 characters.
    let explanation: String
    /// The code that ``result`` runs, or the class that is talked about.
    let code: String
    /// Runs the code and tells what came of it; nil where there is nothing to run. What it throws ends the tour.
    let result: (@MainActor () async throws -> String)?

    init(
        _ name: String, _ title: String, explanation: String, code: String,
        result: (@MainActor () async throws -> String)? = nil
    ) {
        self.name = name
        self.title = title
        self.explanation = explanation
        self.code = code
        self.result = result
    }
}

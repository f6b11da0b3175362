/// One stop of the tour: what is shown, why, the line of code, and what that line gives.
struct TourStep: Sendable {
    let title: String
    /// A line or two, each of at most 110 characters.
    let explanation: String
    /// The code that ``result`` runs, or the class that is talked about.
    let code: String
    /// Runs the code and tells what came of it; nil where there is nothing to run. What it throws ends the tour.
    let result: (@MainActor () async throws -> String)?

    init(
        _ title: String, explanation: String, code: String, result: (@MainActor () async throws -> String)? = nil
    ) {
        self.title = title
        self.explanation = explanation
        self.code = code
        self.result = result
    }
}

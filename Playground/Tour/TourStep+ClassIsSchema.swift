extension TourStep {
    static let classIsSchema = TourStep(
        "A class is its own schema",
        explanation: """
            Subclass AbstractModel and declare vars: they are filled from JSON by name. The overrides at the end tell
            where names differ and what must be there; a class without such rules needs none.
            """,
        code: Gist.declaration)
}

import ModelMirrorNetworking

/// Fetches questions from a server that speaks Stack Exchange's format.
class QuestionsRepository: AbstractRepository<String> {
    override class var defaultConfiguration: Configuration { Configuration(objectsKey: "items") }

    nonisolated(nonsending) func questions() async throws -> sending [Question] {
        try await value(.route(StackExchange.questions))
    }
}

extension QuestionsRepository {
    /// The class above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        class QuestionsRepository: AbstractRepository<String> {
            override class var defaultConfiguration: Configuration { Configuration(objectsKey: "items") }

            nonisolated(nonsending) func questions() async throws -> sending [Question] {
                try await value(.route(StackExchange.questions))
            }
        }
        """
}

import ModelMirror
import ModelMirrorNetworking

extension TourStep {
    static let routes = TourStep(
        "An API is an enum, and a request can wait to be observed",
        explanation: """
            The questions of Stack Exchange. The signal is cold: nothing is sent before somebody observes it, and each
            observation is a request of its own.
            """,
        code: StackExchange.declaration + """


            let questions = RequestSignal { @MainActor in
                try await repository.objects(StackExchange.questions, at: "items") as [Question]
            }
            for try await questions in questions { show(questions) }
            """
    ) {
        try await TourServer.run { server in
            let repository = AbstractRepository<String>(baseURL: server.url)
            let questions = RequestSignal { @MainActor in
                try await repository.objects(StackExchange.questions, at: "items") as [Question]
            }
            var lines = ["requests before it is observed: \(server.requestCount)"]
            for try await questions in questions { lines += questions.map(\.title) }
            return (lines + [server.log]).joined(separator: "\n")
        }
    }
}

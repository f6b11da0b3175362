import ModelMirror
import ModelMirrorNetworking

extension TourStep {
    static let routes = TourStep(
        "An API is an enum, and a request can wait to be observed",
        explanation: """
            The questions of Stack Exchange; the environment says where that is, here on 127.0.0.1. The signal is cold:
            nothing is sent before somebody observes it, and each observation is a request of its own.
            """,
        code: [StackExchangeServer.declaration, StackExchange.declaration, QuestionsRepository.declaration, usage]
            .joined(separator: "\n\n")
    ) {
        try await TourServer.run { server in
            let local = StackExchangeServer(scheme: "http", host: "127.0.0.1", port: server.port)
            let repository = try QuestionsRepository(environment: local)
            let signal = RequestSignal { @MainActor in try await repository.questions() }
            var lines = ["requests before it is observed: \(server.requestCount)"]
            for try await questions in signal { lines.append(Listing.questions(questions)) }
            let list: QuestionList = try await repository.value(.route(StackExchange.questions))
            lines.append(
                "\(list.items.count) questions, has more \(list.hasMore), quota remaining \(list.quotaRemaining)")
            let live = try StackExchange.questions.url(for: .live)
            return (lines + [server.log, "live it is \(live)"]).joined(separator: "\n")
        }
    }

    private static let usage = """
        let local = StackExchangeServer(scheme: "http", host: "127.0.0.1", port: server.port)
        let repository = try QuestionsRepository(environment: local)
        let signal = RequestSignal { @MainActor in try await repository.questions() }
        for try await questions in signal { show(questions) }
        let list: QuestionList = try await repository.value(.route(StackExchange.questions))
        try StackExchange.questions.url(for: .live)
        """
}

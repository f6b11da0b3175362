#if canImport(Combine)
import Combine
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("RequestSignal as a publisher", .timeLimit(.hung), .network)
struct RequestSignalPublisherTests {
    private struct Failure: Error {}

    /// Records the values and the completion, and demands when the test does.
    private final class Listener<Value>: Subscriber, @unchecked Sendable {
        // Unchecked since the subscription is set before the test goes on, and everything else is Sendable.
        var subscription: (any Subscription)?
        let log = WordLog()
        let told = Gate()
        private let cancelsAtValue: Bool

        init(cancelsAtValue: Bool = false) { self.cancelsAtValue = cancelsAtValue }

        func receive(subscription: any Subscription) { self.subscription = subscription }

        func receive(_ input: Value) -> Subscribers.Demand {
            log.add("\(input)")
            if cancelsAtValue {
                subscription?.cancel()
                told.open()
            }
            return .unlimited
        }

        func receive(completion: Subscribers.Completion<any Error>) {
            switch completion {
            case .finished: log.add("finished")
            case .failure(let error): log.add("failure \(type(of: error))")
            }
            told.open()
        }
    }

    private let begun = WordLog()

    private var signal: RequestSignal<Int> {
        RequestSignal { [begun] in
            begun.add("begun")
            return 7
        }
    }

    @Test("Each subscriber has its own request, made on its first demand")
    func cold() async throws {
        let publisher = signal.publisher
        for count in 1...2 {
            let listener = Listener<Int>()
            publisher.receive(subscriber: listener)
            #expect(begun.words.count == count - 1)
            listener.subscription?.request(.max(1))
            listener.subscription?.request(.unlimited)
            try await listener.told.enter()
            #expect(listener.log.words == ["7", "finished"])
            #expect(begun.words.count == count)
        }
    }

    @Test("An error is published as a failure")
    func failure() async throws {
        let listener = Listener<Int>()
        RequestSignal<Int> { throw Failure() }.publisher.receive(subscriber: listener)
        listener.subscription?.request(.unlimited)
        try await listener.told.enter()
        #expect(listener.log.words == ["failure Failure"])
    }

    @Test("A subscriber that is cancelled before it demands causes no request")
    func cancelledBefore() {
        let listener = Listener<Int>()
        signal.publisher.receive(subscriber: listener)
        listener.subscription?.cancel()
        listener.subscription?.request(.unlimited)
        #expect(begun.words == [])
    }

    @Test("A subscriber that is cancelled during the request receives nothing, and the request ends")
    func cancelledMeanwhile() async throws {
        let gate = Gate()
        let ended = Gate(passes: 1)
        let listener = Listener<Int>()
        RequestSignal<Int> {
            do { try await gate.enter() } catch { try? await ended.enter() }
            return 7
        }.publisher.receive(subscriber: listener)
        listener.subscription?.request(.unlimited)
        try await gate.arrivals()
        listener.subscription?.cancel()
        try await ended.arrivals()
        #expect(listener.log.words == [])
    }

    @Test("A subscriber that cancels on the value receives no completion")
    func cancelledAtValue() async throws {
        let listener = Listener<Int>(cancelsAtValue: true)
        signal.publisher.receive(subscriber: listener)
        listener.subscription?.request(.unlimited)
        try await listener.told.enter()
        #expect(listener.log.words == ["7"])
    }
}
#endif

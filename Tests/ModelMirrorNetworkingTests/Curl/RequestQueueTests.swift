#if os(Linux)
import Testing

@testable import ModelMirrorNetworking

struct RequestQueueTests {
    // A class, since a macro cannot call mutating methods.
    private final class Queue {
        private var queue: RequestQueue<String, Int>

        init(limitPerHost: Int, limit: Int) { queue = RequestQueue(limitPerHost: limitPerHost, limit: limit) }

        var isEmpty: Bool { queue.isEmpty }
        func isAwaited(_ host: String) -> Bool { queue.isAwaited(host) }
        func enter(_ element: Int, for host: String) -> Int? { queue.enter(element, for: host) }
        func withdraw(_ ticket: Int, for host: String) { queue.withdraw(ticket, for: host) }
        func leave(_ host: String) -> Int? { queue.leave(host) }
    }

    @Test func keepsTheOrderOfArrival() {
        let queue = Queue(limitPerHost: 1, limit: 10)
        #expect(queue.enter(1, for: "a") == nil)
        #expect(queue.enter(2, for: "a") != nil)
        #expect(queue.enter(3, for: "a") != nil)
        #expect(queue.enter(4, for: "b") == nil)
        #expect(queue.isAwaited("a") && !queue.isAwaited("b") && !queue.isAwaited("c"))
        #expect(queue.leave("a") == 2)
        #expect(queue.leave("b") == nil)
        #expect(queue.leave("a") == 3)
        #expect(!queue.isAwaited("a"))
        #expect(queue.leave("a") == nil)
        #expect(queue.isEmpty)
    }

    @Test func limitsTheTotal() {
        let queue = Queue(limitPerHost: 2, limit: 3)
        for (element, host, waits) in [
            (1, "a", false), (2, "a", false), (3, "b", false), (4, "a", true), (5, "c", true), (6, "b", true),
        ] {
            #expect((queue.enter(element, for: host) != nil) == waits, "\(element)")
        }
        // The first waiting element is for a, which is full.
        #expect(queue.leave("b") == 5)
        #expect(queue.leave("a") == 4)
        #expect(queue.leave("c") == 6)
        #expect(!["a", "b", "c"].contains(where: queue.isAwaited))
    }

    @Test func withdrawsWaitingElements() throws {
        let queue = Queue(limitPerHost: 1, limit: 1)
        #expect(queue.enter(0, for: "a") == nil)
        let tickets = try (1...5).map { try #require(queue.enter($0, for: "a")) }
        for index in [0, 2, 4, 0] { queue.withdraw(tickets[index], for: "a") }
        #expect(queue.leave("a") == 2)
        #expect(queue.leave("a") == 4)
        #expect(queue.leave("a") == nil)
        #expect(queue.isEmpty)
    }

    @Test func admitsOneElementAtATimeWithALimitOfZero() {
        let queue = Queue(limitPerHost: 0, limit: 0)
        #expect(queue.enter(1, for: "a") == nil)
        #expect(queue.enter(2, for: "b") != nil)
        #expect(queue.leave("a") == 2)
        #expect(queue.leave("b") == nil)
        #expect(queue.isEmpty)
    }
}
#endif

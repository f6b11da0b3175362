import ModelMirrorTesting
import Testing

@Suite("Gate and ManualClock", .timeLimit(.hung), .network)
struct GateTests {
    @Test("Each pass lets one task through, given before or after the task arrives")
    func passes() async throws {
        let gate = Gate(passes: 1)
        try await gate.enter()
        let through = Gate()
        let tasks = (0..<3).map { _ in
            Task {
                try await gate.enter()
                through.open()
            }
        }
        try await gate.arrivals(atLeast: 4)
        gate.pass()
        try await through.enter()
        gate.pass(2)
        for task in tasks { try await task.value }
        #expect(gate.arrivalCount == 4)
    }

    @Test("A cancelled task leaves the gate without using a pass")
    func cancelled() async throws {
        let gate = Gate()
        let task = Task { try await gate.enter() }
        try await gate.arrivals()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        gate.pass()
        try await gate.enter()
    }

    @Test("A task cancelled before it enters uses no pass of another")
    func cancelledBefore() async throws {
        let gate = Gate(passes: 1)
        let late = Task {
            // Waits for its own cancellation.
            try? await Gate().enter()
            try await gate.enter()
        }
        late.cancel()
        let error = await #expect(throws: CancellationError.self) { try await late.value }
        // Without the error, the pass is gone and the wait has no end.
        if error != nil { try await gate.enter() }
        for _ in 0..<1000 {
            let gate = Gate()
            let leaving = Task { try await gate.enter() }
            try await gate.arrivals()
            leaving.cancel()
            gate.pass()
            let error = await #expect(throws: CancellationError.self) { try await leaving.value }
            if error == nil { break }
        }
    }

    @Test("An open gate stays open, also for a cancelled task")
    func open() async throws {
        let gate = Gate()
        gate.open()
        for _ in 0..<3 { try await gate.enter() }
        let late = Task {
            try? await Gate().enter()
            try await gate.enter()
        }
        late.cancel()
        try await late.value
    }

    @Test("A thousand tasks and as many passes at once lose nothing")
    func contention() async throws {
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                group.addTask { try await gate.enter() }
                group.addTask { gate.pass() }
            }
            try await group.waitForAll()
        }
        let extra = Task { try await gate.enter() }
        try await gate.arrivals(atLeast: 1001)
        extra.cancel()
        await #expect(throws: CancellationError.self) { try await extra.value }
    }

    @Test("A task that the clock woke is no sleeper, even if it has not run yet")
    func wokenSleepers() async throws {
        let clock = ManualClock()
        let sleeping = Task {
            for _ in 0..<1000 { try await clock.sleep(for: .seconds(1)) }
        }
        for _ in 0..<1000 {
            try await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(1))
        }
        try await sleeping.value
        #expect(clock.sleeps.count == 1000)
    }

    @Test("A cancelled task is no sleeper, even if it has not run yet")
    func cancelledSleepers() async throws {
        let clock = ManualClock()
        for number in 1...1000 {
            let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
            try await clock.sleepers(atLeast: 1)
            sleeping.cancel()
            try #require(clock.sleeps.count == number)
        }
    }

    @Test("Sleepers of a manual clock wake at their deadline and not before")
    func clock() async throws {
        let clock = ManualClock()
        let order = Gate()
        let long = Task { try await clock.sleep(for: .seconds(2)) }
        let short = Task {
            try await clock.sleep(for: .seconds(1))
            order.open()
        }
        try await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(1))
        try await order.enter()
        try await short.value
        #expect(clock.now.offset == .seconds(1))
        #expect(Set(clock.sleeps) == [.seconds(1), .seconds(2)])
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
        try await clock.sleep(for: .zero)
    }
}

import Testing

@testable import ModelMirrorNetworking

@Suite("SystemReachability", .timeLimit(.hung), .network)
struct SystemReachabilityTests {
    @Test("An interface leads out if it is up, running, has an address and is not loopback", arguments: 0..<16)
    func interfaces(bits: Int) {
        let interface = NetworkInterface(
            name: "eth0", isUp: bits & 1 != 0, isRunning: bits & 2 != 0, isLoopback: bits & 4 == 0,
            hasAddress: bits & 8 != 0)
        #expect(interface.leadsOut == (bits == 15))
    }

    @Test("Concurrent checks all get the same answer")
    func answers() async {
        let reachability = SystemReachability()
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 { group.addTask { await reachability.isConnected() } }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(answers.count == 10)
        #expect(Set(answers).count == 1)
    }

    #if os(Linux)
    @Test("The listed interfaces are the system's")
    func all() async throws {
        let all = try #require(NetworkInterface.all())
        let loopback = all.filter { $0.name == "lo" }
        #expect(
            loopback.contains(
                NetworkInterface(name: "lo", isUp: true, isRunning: true, isLoopback: true, hasAddress: true)))
        #expect(all.filter(\.isLoopback).allSatisfy { $0.name.hasPrefix("lo") })
        #expect(await SystemReachability().isConnected() == all.contains { $0.leadsOut })
    }
    #endif
}

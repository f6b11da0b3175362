import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// Measures the transports themselves, with nothing above them: small requests over loopback, some at a time, and one large
/// body.
///
///     swift run -c release Benchmarks transports [REQUESTS [ROUNDS]]
///
/// `URLSessionTransport` takes part on Linux with `--traits FoundationNetworking`. The server is a process of its own. The transports run in turn; what is printed are medians. CPU time is that of this
/// process, user and system.
enum TransportLoad {
    private static let largeBody = 100 << 20

    static func run(requests: Int, rounds: Int) async throws {
        let server = try ServerProcess(["transport-server"])
        defer { server.stop() }
        for width in [1, 32, 256] {
            let transports = contenders(width)
            for transport in transports { try await load(min(requests, 500), width, server.url, transport.base) }
            try await compare("\(requests) requests, \(width) at a time", transports, rounds) { transport in
                try await load(requests, width, server.url, transport)
                return Double(requests)
            }
        }
        let url = server.url.deletingLastPathComponent().appendingPathComponent("large")
        try await compare("a body of \(largeBody >> 20) MB", contenders(1), rounds) { transport in
            var count = 0
            for try await chunk in try await transport.response(to: TransportRequest(.get, url)).body {
                count += chunk.count
            }
            guard count == largeBody else { throw LoadError(text: "\(count) bytes of \(largeBody)") }
            return Double(count >> 20)
        }
    }

    /// What the server's process does.
    static func serve() throws {
        try ServerProcess.serve("/account", .json(Data(GistsDocument.smallObject()))) { server in
            server.on(.get, "/large", .oversized(largeBody))
        }
    }

    private typealias Contender = (name: String, base: any Transport)

    private static func contenders(_ width: Int) -> [Contender] {
        var contenders: [Contender] = []
        #if os(Linux)
        var curl = CurlTransport.Options()
        curl.maximumRequestsPerHost = width
        contenders.append(("CurlTransport", CurlTransport(curl)))
        #endif
        #if !os(Linux) || FoundationNetworking
        var options = URLSessionTransport.Options()
        options.maximumConnectionsPerHost = width
        contenders.append(("URLSessionTransport", URLSessionTransport(options)))
        #endif
        return contenders
    }

    /// Runs all in turn, and prints how many units a second each does, and what one unit costs.
    private static func compare(
        _ name: String, _ contenders: [Contender], _ rounds: Int, _ run: (any Transport) async throws -> Double
    ) async throws {
        var results = contenders.map { _ in [(speed: Double, cost: Double)]() }
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                let (start, before) = (ContinuousClock.now, try cpuTime())
                let units = try await run(contender.base)
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                results[index].append((units / seconds, (try cpuTime() - before) / units))
            }
        }
        print(name)
        for (contender, result) in zip(contenders, results) {
            let speed = result.map(\.speed).sorted()[result.count / 2]
            let cost = result.map(\.cost).sorted()[result.count / 2]
            print("  \(contender.name): \(Int(speed)) a second, \((cost * 1e7).rounded() / 10) µs of CPU each")
        }
    }

    /// Makes so many requests, with so many under way at a time.
    private static func load(_ requests: Int, _ width: Int, _ url: URL, _ transport: any Transport) async throws {
        let begun = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while begun.next() <= requests {
                        let response = try await transport.response(to: TransportRequest(.get, url))
                        guard try await response.body.collect(limit: 1 << 20).count > 100 else {
                            throw LoadError(text: "a short body")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private final class Count: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    private static func cpuTime() throws -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { throw LoadError(text: "no CPU time") }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private struct LoadError: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

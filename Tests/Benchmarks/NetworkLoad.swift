import Foundation
import ModelMirror
import ModelMirrorNetworking
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Measures the cost of a client above `URLSession` and `JSONDecoder`: small requests over loopback, many at a time.
///
///     swift run -c release Benchmarks network [REQUESTS [ROUNDS]]
///
/// The server runs in a child process, so that its work does not count. Both clients run in turn; the ratio is the median of
/// the pairs' ratios. CPU time is the user and system time of this process. Every request must complete exactly once.
enum NetworkLoad {
    private static let width = 64

    static func run(requests: Int, rounds: Int) async throws {
        let server = try ServerProcess(["network-server"])
        defer { server.stop() }
        let url = server.url
        let transport = makeTransport()
        let session = URLSession(configuration: bareConfiguration)
        _ = try await clientLoad(requests, url, transport)
        _ = try await bareLoad(requests, url, session)
        var ratios: [Double] = []
        for round in 1...rounds {
            let mapped = try await cpuSeconds { try await clientLoad(requests, url, transport) }
            let bare = try await cpuSeconds { try await bareLoad(requests, url, session) }
            ratios.append(mapped / bare)
            print(
                "round \(round): ModelMirror \(milliseconds(mapped)) of CPU, URLSession and JSONDecoder \(milliseconds(bare))"
            )
        }
        let median = ratios.sorted()[ratios.count / 2]
        print(
            "\(requests) requests, \(width) at a time: ModelMirror takes \((median * 1000).rounded() / 10) % of the CPU time of "
                + "URLSession with JSONDecoder (median of \(rounds) pairs); every request completed once")
        try await growth("ModelMirror", rounds) { try await clientLoad(requests, url, transport) }
        try await growth("URLSession and JSONDecoder", rounds) { try await bareLoad(requests, url, session) }
        let instant = InstantTransport(body: Data(GistsDocument.smallObject()))
        try await growth("ModelMirror without URLSession", rounds) { try await clientLoad(requests, url, instant) }
    }

    /// Runs in the server's process: serves the small object.
    static func serve() throws {
        try ServerProcess.serve("/account", .json(Data(GistsDocument.smallObject())))
    }

    /// Prints the resident memory after each round of one client alone.
    private static func growth(_ name: String, _ rounds: Int, _ load: () async throws -> Void) async throws {
        var sizes: [String] = []
        for _ in 0..<rounds {
            try await load()
            sizes.append("\(PeakMemory.megabytes(try PeakMemory.residentBytes().now))")
        }
        print("resident memory after each round of \(name) alone: \(sizes.joined(separator: ", "))")
    }

    private static func makeTransport() -> any Transport {
        #if !os(Linux) || FoundationNetworking
        var options = URLSessionTransport.Options()
        options.maximumConnectionsPerHost = width
        return URLSessionTransport(options)
        #else
        var options = CurlTransport.Options()
        options.maximumRequestsPerHost = width
        return CurlTransport(options)
        #endif
    }

    private static var bareConfiguration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = width
        configuration.urlCache = nil
        return configuration
    }

    // MARK: Clients

    private static func clientLoad(_ requests: Int, _ url: URL, _ transport: any Transport) async throws {
        try await load(requests) {
            let client = APIClient(transport: transport)
            let account: SmallAccount = try await client.value(.get(.url(url)))
            return account.id
        }
    }

    private static func bareLoad(_ requests: Int, _ url: URL, _ session: URLSession) async throws {
        try await load(requests) {
            let (data, response) = try await session.data(from: url)
            guard (response as? HTTPURLResponse)?.statusCode == 200 else {
                throw LoadError(text: "the status is not 200")
            }
            return try JSONDecoder().decode(CodableSmallAccount.self, from: data).id
        }
    }

    /// Sends the requests, a fixed number at a time, and counts their completions.
    private static func load(_ requests: Int, _ request: @escaping @Sendable () async throws -> Int) async throws {
        let (begun, ended) = (Counter(), Counter())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while begun.next() <= requests {
                        guard try await request() == 583_231 else { throw LoadError(text: "the object has another id") }
                        _ = ended.next()
                    }
                }
            }
            try await group.waitForAll()
        }
        guard ended.value == requests else { throw LoadError(text: "\(ended.value) of \(requests) requests completed") }
    }

    // MARK: Measuring

    private static func cpuSeconds(_ body: () async throws -> Void) async throws -> Double {
        let before = try cpuTime()
        try await body()
        return try cpuTime() - before
    }

    private static func cpuTime() throws -> Double {
        var time = timespec()
        guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else {
            throw LoadError(text: "the CPU time cannot be read")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func milliseconds(_ seconds: Double) -> String { "\((seconds * 1e4).rounded() / 10) ms" }

    private final class Counter: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
        var value: Int { count.load(ordering: .relaxed) }
    }

    /// Responds at once, so that any growth is not due to URLSession.
    private struct InstantTransport: Transport {
        let body: Data

        func response(to request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(
                status: 200, headers: [.contentType: "application/json"], url: request.url, body: ResponseBody(body))
        }
    }

    private struct LoadError: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

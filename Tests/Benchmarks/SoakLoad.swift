import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// Sends requests to a server that responds to every tenth with a fault, and fails unless each request completes exactly once,
/// with the expected outcome, and memory and descriptors are flat over the second half: the last quarter takes at most a twentieth
/// more memory than the one before.
///
///     swift run -c release Benchmarks soak [REQUESTS]
///
/// The server runs in a child process. The numbers are the kernel's (`/proc`): Linux only.
enum SoakLoad {
    /// The number of requests in flight at a time.
    private static let width = 64

    /// The faults of the server.
    private enum Fault: String, CaseIterable {
        case refused, resetInHead, resetInBody, truncated, stalled, wrongLength, badEncoding, tooMany, unavailable, loop

        var response: LoopbackResponse? {
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
            return switch self {
            case .refused: nil
            case .resetInHead: .reset(after: "HTTP/1.1 200 OK\r\nContent-Ty")
            case .resetInBody: .reset(after: head + "{\"id\"")
            case .truncated: .truncated("{\"id\": 1}", after: 5)
            case .stalled: .hanging()
            case .wrongLength: .wrongContentLength(5, body: "{\"id\": 1}")
            case .badEncoding: .json("{\"id\": 1}", headers: ["Content-Encoding": "gzip"])
            case .tooMany: .status(429)
            case .unavailable: .status(503)
            case .loop: .redirect(to: "/loop")
            }
        }

        /// The expected outcome for the client.
        var outcome: String {
            switch self {
            case .refused: "cannotConnect"
            case .resetInHead, .resetInBody, .truncated: "connectionLost"
            case .stalled: "timedOut"
            case .wrongLength: "invalid JSON"
            case .badEncoding: "badResponse"
            case .tooMany: "status 429"
            case .unavailable: "status 503"
            case .loop: "too many redirects"
            }
        }
    }

    private final class Numbered: AbstractModel {
        var id = 0
    }

    /// The resources of the process at one moment.
    private struct Sample {
        let memory: Int
        let descriptors: Int

        static func now() throws -> Sample {
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            return Sample(memory: try PeakMemory.residentBytes().now, descriptors: descriptors)
        }
    }

    /// Runs in the server's process.
    static func serve() throws {
        try ServerProcess.serve("/", .status(204)) { server in
            server.on(.get, "/good/:id") { .json("{\"id\": \($0.parameters["id"] ?? "")}") }
            for fault in Fault.allCases {
                if let response = fault.response { server.on(.get, "/\(fault.rawValue)", response) }
            }
        }
    }

    static func run(requests: Int) async throws {
        let server = try ServerProcess(["soak-server"])
        defer { server.stop() }
        let refusing = try RefusingPort()
        var configuration = APIClient.Configuration()
        configuration.redirects = .follow(limit: 5)
        let client = APIClient(transport: SystemTransport.shared, baseURL: server.url, configuration: configuration)
        let tally = Tally(requests)
        let began = ContinuousClock.now
        // The quarters run one after the other, so that each has its own samples.
        var peaks: [Sample] = []
        for quarter in 0..<4 {
            let numbers = requests * quarter / 4..<requests * (quarter + 1) / 4
            peaks.append(try await load(numbers, client, refusing.url, tally))
        }
        let time = began.duration(to: .now)
        try tally.check()
        print(
            "soak: \(requests) requests, \(width) at a time, a tenth with \(Fault.allCases.count) kinds of faults, in \(time)"
        )
        print("each completed exactly once, with the expected outcome: \(tally.summary)")
        for (number, peak) in peaks.enumerated() {
            let descriptors = "\(peak.descriptors) descriptors"
            print("quarter \(number + 1): at most \(PeakMemory.megabytes(peak.memory)), \(descriptors)")
        }
        withExtendedLifetime(refusing) {}
        let (third, fourth) = (peaks[2], peaks[3])
        guard fourth.memory <= third.memory + third.memory / 20, fourth.descriptors <= third.descriptors + 8 else {
            throw SoakError(text: "memory or descriptors grow over the second half")
        }
        print("memory and descriptors are flat over the second half")
    }

    /// Sends some of the requests, and returns the peak of the process meanwhile.
    private static func load(
        _ numbers: Range<Int>, _ client: APIClient, _ refusing: URL, _ tally: Tally
    ) async throws -> Sample {
        let next = Numbers(numbers)
        return try await withThrowingTaskGroup(of: Sample.self) { group in
            for worker in 0..<width {
                group.addTask {
                    var peak = Sample(memory: 0, descriptors: 0)
                    while true {
                        guard let number = next.take() else { return peak }
                        await complete(number, client, refusing, tally)
                        guard worker == 0 else { continue }
                        let now = try Sample.now()
                        peak = Sample(
                            memory: max(peak.memory, now.memory), descriptors: max(peak.descriptors, now.descriptors))
                    }
                }
            }
            return try await group.reduce(Sample(memory: 0, descriptors: 0)) {
                Sample(memory: max($0.memory, $1.memory), descriptors: max($0.descriptors, $1.descriptors))
            }
        }
    }

    /// Sends one request, and counts each call of its completion.
    private static func complete(_ number: Int, _ client: APIClient, _ refusing: URL, _ tally: Tally) async {
        let fault = number % 10 == 0 ? Fault.allCases[number / 10 % Fault.allCases.count] : nil
        let address: URLReference =
            switch fault {
            case nil: "good/\(number)"
            case .refused: .url(refusing)
            case let fault?: "\(fault.rawValue)"
            }
        var endpoint = Endpoint<Numbered>.get(address)
        if fault == .stalled { endpoint.prepare = { $0.timeout = .seconds(1) } }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            client.request(endpoint, on: queue, policy: .standard) { getNumbered in
                let outcome: String
                do {
                    outcome = "\(try getNumbered().id)"
                } catch {
                    outcome = word(error)
                }
                let isFirst = tally.count(
                    number, outcome, due: fault?.outcome ?? "\(number)", fault?.rawValue ?? "good")
                if isFirst { continuation.resume() }
            }
        }
    }

    private static let queue = DispatchQueue(label: "soak")

    private static func word(_ error: any Error) -> String {
        switch error {
        case RequestError.connection(let failure): failure.kind.rawValue
        case RequestError.unacceptableStatus(let response): "status \(response.status)"
        case RequestError.tooManyRedirects: "too many redirects"
        case ModelError.invalidJSON: "invalid JSON"
        default: "\(error)"
        }
    }

    /// Hands out each number once.
    private final class Numbers: Sendable {
        private let next: Atomic<Int>
        private let end: Int

        init(_ numbers: Range<Int>) {
            next = Atomic(numbers.lowerBound)
            end = numbers.upperBound
        }

        func take() -> Int? {
            let number = next.add(1, ordering: .relaxed).oldValue
            return number < end ? number : nil
        }
    }

    /// Counts completions.
    private final class Tally: Sendable {
        private struct State {
            var counts: [UInt8]
            var wrong: [String] = []
            var kinds: [String: Int] = [:]
        }

        private let state: Mutex<State>

        init(_ requests: Int) { state = Mutex(State(counts: Array(repeating: 0, count: requests))) }

        /// Whether this is the first completion of the request.
        func count(_ number: Int, _ outcome: String, due: String, _ kind: String) -> Bool {
            state.withLock { state in
                state.counts[number] = min(state.counts[number], 254) + 1
                state.kinds[kind, default: 0] += 1
                if outcome != due, state.wrong.count < 10 {
                    state.wrong.append("request \(number), \(kind): \(outcome), expected \(due)")
                }
                return state.counts[number] == 1
            }
        }

        func check() throws {
            try state.withLock { state in
                let (lost, doubled) = (state.counts.count { $0 == 0 }, state.counts.count { $0 > 1 })
                guard lost == 0, doubled == 0 else {
                    throw SoakError(text: "\(lost) requests never completed, \(doubled) completed more than once")
                }
                guard state.wrong.isEmpty else { throw SoakError(text: state.wrong.joined(separator: "\n")) }
            }
        }

        var summary: String {
            state.withLock {
                $0.kinds.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            }
        }
    }

    private struct SoakError: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

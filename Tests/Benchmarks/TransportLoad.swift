import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// Measures the transports alone: small requests over loopback, several at a time, and one large body read as it arrives.
/// For comparison, the `curl` program sends the same requests, if installed, and an `APIClient` over the first transport maps each body
/// to an object.
///
///     swift run -c release Benchmarks transports [REQUESTS [ROUNDS]]
///
/// The server and each measurement run in child processes, so that CPU time and memory are those of one transport: the
/// transports after 500 requests to warm up, `curl` with its start. They run in turn; medians are printed. Memory is the
/// process's peak (`VmHWM` of `/proc`): Linux only. `URLSessionTransport` is included on Linux with
/// `--traits FoundationNetworking`.
enum TransportLoad {
    private static let largeBody = 100 << 20

    /// The work of a transport.
    private enum Load {
        case requests(Int, width: Int)
        case body

        var width: Int {
            switch self {
            case .requests(_, let width): width
            case .body: 1
            }
        }

        /// Requests, or megabytes.
        var units: Int {
            switch self {
            case .requests(let count, _): count
            case .body: largeBody >> 20
            }
        }

        var name: String {
            switch self {
            case .requests(let count, let width): "\(count) requests, \(width) at a time"
            case .body: "a body of \(largeBody >> 20) MB, figures per MB"
            }
        }
    }

    /// The compared transports and programs, by their printed names.
    private static func contenders(of load: Load) -> [String] {
        var names = transports.map(\.name)
        if case .requests = load { names.append(client) }
        if curlProgram != nil { names.append("curl program") }
        return names
    }

    /// A client over the first transport, which maps each response to an object.
    private static let client = "APIClient"

    private static var transports: [(name: String, make: @Sendable (_ width: Int) -> any Transport)] {
        var transports: [(name: String, make: @Sendable (_ width: Int) -> any Transport)] = []
        #if os(Linux)
        transports.append(
            (
                "CurlTransport",
                { width in
                    var options = CurlTransport.Options()
                    options.maximumRequestsPerHost = width
                    return CurlTransport(options)
                }
            ))
        #endif
        #if !os(Linux) || FoundationNetworking
        transports.append(
            (
                "URLSessionTransport",
                { width in
                    var options = URLSessionTransport.Options()
                    options.maximumConnectionsPerHost = width
                    return URLSessionTransport(options)
                }
            ))
        #endif
        return transports
    }

    static func run(requests: Int, rounds: Int) throws {
        let server = try ServerProcess(["transport-server"])
        defer { server.stop() }
        let loads = [1, 32, 256].map { Load.requests(requests, width: $0) } + [.body]
        for load in loads {
            var samples: [String: [Sample]] = [:]
            for _ in 0..<rounds {
                for contender in contenders(of: load) {
                    samples[contender, default: []].append(try Sample(of: contender, load, server.url))
                }
            }
            print(load.name)
            for contender in contenders(of: load) {
                print("  \(contender): \(Sample.median(samples[contender] ?? []))")
            }
            guard load.width == 32 else { continue }
            for (contender, other) in [("CurlTransport", "curl program"), ("APIClient", "CurlTransport")] {
                guard let own = samples[contender], let others = samples[other] else { continue }
                let ratio = Sample.speed(own) / Sample.speed(others)
                let mark = Goals.mark(of: contender, against: other, ratio)
                print("  \(contender) sends \(Table.rounded(ratio)) × the requests of \(other) \(mark)")
            }
        }
    }

    /// Runs in the server's process.
    static func serve() throws {
        try ServerProcess.serve("/account", .json(Data(GistsDocument.smallObject()))) { server in
            server.on(.get, "/large", .oversized(largeBody))
        }
    }

    // MARK: Measuring

    /// The output of one measurement's process.
    private struct Sample {
        var seconds = 0.0
        var cpuSeconds = 0.0
        var peakBytes = 0.0
        var units = 1.0

        init() {}

        /// Measures in a child process.
        init(of contender: String, _ load: Load, _ url: URL) throws {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            let count = if case .requests(let count, _) = load { count } else { 0 }
            process.arguments = ["transport-child", contender, "\(count)", "\(load.width)", url.absoluteString]
            process.standardOutput = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
            guard numbers.count == 3 else { throw LoadError(text: "\(contender) measured nothing: \(text)") }
            (seconds, cpuSeconds, peakBytes) = (numbers[0], numbers[1], numbers[2])
            units = Double(load.units)
        }

        /// The units per second.
        static func speed(_ samples: [Sample]) -> Double {
            samples.map { $0.units / $0.seconds }.sorted()[samples.count / 2]
        }

        static func median(_ samples: [Sample]) -> String {
            func median(_ value: (Sample) -> Double) -> Double { samples.map(value).sorted()[samples.count / 2] }
            let speed = Int(speed(samples))
            let cost = (median { $0.cpuSeconds / $0.units } * 1e7).rounded() / 10
            return "\(speed) per second, \(cost) µs of CPU each, \(PeakMemory.megabytes(Int(median(\.peakBytes))))"
        }
    }

    /// Runs in the process of one measurement.
    static func measure(_ arguments: [String]) async throws {
        guard arguments.count == 4, let count = Int(arguments[1]), let width = Int(arguments[2]),
            let url = URL(string: arguments[3])
        else { throw LoadError(text: "expected a transport, numbers of requests, and a URL") }
        let load = count > 0 ? Load.requests(count, width: width) : .body
        let large = url.deletingLastPathComponent().appendingPathComponent("large")
        let sample: Sample
        if let transport = (transports.first { $0.name == arguments[0] || arguments[0] == client })?.make(width) {
            let mapping = APIClient(transport: transport)
            @Sendable func request() async throws {
                if arguments[0] == client {
                    let account: SmallAccount = try await mapping.value(.get(.url(url)))
                    guard account.id == 583_231 else { throw LoadError(text: "the object has another id") }
                } else {
                    let response = try await transport.response(to: TransportRequest(.get, url))
                    guard try await response.body.collect(limit: 1 << 20).count > 100 else {
                        throw LoadError(text: "the body is too short")
                    }
                }
            }
            try await send(500, width, request)
            sample = try await measured {
                switch load {
                case .requests: try await send(count, width, request)
                case .body: try await read(large, transport)
                }
            }
        } else {
            sample = try runCurlProgram(load, load.width == 1 && count == 0 ? large : url)
        }
        print(sample.seconds, sample.cpuSeconds, sample.peakBytes)
    }

    private static func measured(_ work: () async throws -> Void) async throws -> Sample {
        let (start, before) = (ContinuousClock.now, cpuSeconds(ofChildren: false))
        try await work()
        var sample = Sample()
        sample.seconds = (ContinuousClock.now - start) / .seconds(1)
        sample.cpuSeconds = cpuSeconds(ofChildren: false) - before
        sample.peakBytes = Double(try PeakMemory.residentBytes().peak)
        return sample
    }

    private static func cpuSeconds(ofChildren: Bool) -> Double {
        var usage = rusage()
        // RUSAGE_CHILDREN and RUSAGE_SELF, whose types differ between platforms.
        getrusage(ofChildren ? -1 : 0, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    // MARK: The work

    /// Sends the given number of requests, with the given number in flight.
    private static func send(_ requests: Int, _ width: Int, _ request: @escaping @Sendable () async throws -> Void)
        async throws
    {
        let begun = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    while begun.next() <= requests { try await request() }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func read(_ url: URL, _ transport: any Transport) async throws {
        var count = 0
        for try await chunk in try await transport.response(to: TransportRequest(.get, url)).body {
            count += chunk.count
        }
        guard count == largeBody else { throw LoadError(text: "\(count) of \(largeBody) bytes arrived") }
    }

    private static let curlProgram = ["/usr/bin/curl", "/usr/local/bin/curl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private static func runCurlProgram(_ load: Load, _ url: URL) throws -> Sample {
        guard let curlProgram else { throw LoadError(text: "curl is not installed") }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: curlProgram)
        process.arguments = ["-s", "-f", "-o", "/dev/null"]
        switch load {
        case .requests(let count, let width):
            if width > 1 { process.arguments? += ["-Z", "--parallel-immediate", "--parallel-max", "\(width)"] }
            process.arguments?.append("\(url.absoluteString)?[1-\(count)]")
        case .body: process.arguments?.append(url.absoluteString)
        }
        let start = ContinuousClock.now
        try process.run()
        var sample = Sample()
        // The kernel reports no peak for a single process after it has ended.
        while process.isRunning {
            if let bytes = try? PeakMemory.residentBytes(of: process.processIdentifier).peak, bytes > 0 {
                sample.peakBytes = Double(bytes)
            }
            usleep(2000)
        }
        sample.seconds = (ContinuousClock.now - start) / .seconds(1)
        guard process.terminationStatus == 0 else { throw LoadError(text: "curl failed") }
        sample.cpuSeconds = cpuSeconds(ofChildren: true)
        return sample
    }

    private final class Count: Sendable {
        private let count = Atomic(0)
        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    private struct LoadError: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

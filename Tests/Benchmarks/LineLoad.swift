#if os(Linux)
import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting

/// Sends what breaks on the way to a real server, an nginx that it starts, and fails unless each request gets its answer and each
/// body arrives once.
///
///     swift run -c release Benchmarks line [REQUESTS]
///
/// The curl program sends the same beside it, over the same libcurl if it is the machine's. Without nginx, a line says so.
enum LineLoad {
    /// The number of requests in flight at a time.
    private static let width = 32

    static func run(requests: Int) async throws {
        guard NginxProcess.isInstalled else {
            return print("line: there is no nginx on this machine, so nothing was tried")
        }
        print("line: \(try NginxProcess.version()), \(CurlTransport.libraryDescription)")
        let server = try CountingServer()
        defer { server.stop() }
        let nginx = try await NginxProcess(upstream: server.url)
        defer { nginx.stop() }
        var failures = 0
        failures += try await refusals(nginx, server, requests)
        failures += try await earlyAnswers(nginx)
        failures += try await streams(requests)
        failures += try exits(nginx, 300)
        guard failures == 0 else { throw Failed(description: "\(failures) trials of the line failed") }
    }

    private struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    // MARK: Refused streams

    /// nginx ends a connection after a number of requests, and refuses those that follow on it.
    private static func refusals(_ nginx: NginxProcess, _ server: CountingServer, _ count: Int) async throws -> Int {
        var failures = 0
        for (kind, limit) in [(NginxProcess.Kind.http2, 1000), (.brief, 5)] {
            for method in [HTTPMethod.post, .put, .patch, .delete] {
                server.forget()
                let transport = CurlTransport(nginx.options)
                let start = ContinuousClock.now
                let resends = Observed(0)
                let errors = await each(count) { number in
                    var request = TransportRequest(method, nginx.url("/counted/\(number)", kind))
                    if method != .delete { request.body = body(number) }
                    let response = try await transport.response(to: request)
                    _ = try await response.body.collect(limit: 1 << 20)
                    guard response.status == 200 else { throw Failed(description: "the status is \(response.status)") }
                    resends.update { $0 += response.metrics?.resendCount ?? 0 }
                }
                let time = (ContinuousClock.now - start) / .seconds(1)
                let (once, otherwise) = server.counts(of: 0..<count) { method == .delete ? Data() : text($0) }
                report(
                    "\(count) \(method.rawValue) at \(width) over HTTP/2, keepalive_requests \(limit)",
                    "\(errors.count) failed, \(once) bodies seen once, \(otherwise) otherwise, \(resends.value) resends, \(rounded(time)) s",
                    errors)
                if errors.count + otherwise > 0 { failures += 1 }
            }
        }
        return failures
    }

    private static func text(_ number: Int) -> Data { Data(String(repeating: "\(number) ", count: 50).utf8) }

    private static func body(_ number: Int) -> HTTPBody {
        let text = text(number)
        guard number % 2 == 0 else { return .data(text) }
        return .chunks {
            var rest = [text.prefix(20), text.dropFirst(20)][...]
            return { rest.popFirst() }
        }
    }

    // MARK: Early answers

    /// nginx answers an upload before it has come, and resets the stream or closes the connection.
    private static func earlyAnswers(_ nginx: NginxProcess) async throws -> Int {
        var failures = 0
        let large = Data(repeating: 0x61, count: 4 << 20)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
        try large.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for (kind, version) in [(NginxProcess.Kind.http2, "HTTP/2"), (.http1, "HTTP/1.1")] {
            let answered = try (0..<200).count { _ in
                try curl(nginx, "/limited", kind, ["-X", "POST", "-T", file.path]) == "413"
            }
            let errors = await upload(200, at: 1, .post, nginx.url("/limited", kind), 413, .file(file), nginx.options)
            report(
                "413 to uploads over \(version)", "\(200 - errors.count) of 200; the curl program \(answered)", errors)
            if 200 - errors.count < answered { failures += 1 }
        }
        let small = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID())")
        try Data("chunk".utf8).write(to: small)
        defer { try? FileManager.default.removeItem(at: small) }
        let chunks = HTTPBody.chunks {
            var rest = ["chunk", "chunk", "chunk"][...]
            return { rest.popFirst().map { Data($0.utf8) } }
        }
        for method in [HTTPMethod.put, .post] {
            let answered = try curl(nginx, 1500, method, small)
            let errors = await upload(
                1500, at: width, method, nginx.url("/answered", .http2), 200, chunks, nginx.options)
            report(
                "200 to \(method)s in chunks that nobody reads, over HTTP/2",
                "\(1500 - errors.count) of 1500; the curl program \(answered)", errors)
            if 1500 - errors.count < answered { failures += 1 }
        }
        return failures
    }

    /// Sends uploads. A lost answer to PUT is hidden by sending the request again.
    private static func upload(
        _ count: Int, at width: Int, _ method: HTTPMethod, _ url: URL, _ status: Int, _ body: HTTPBody,
        _ options: CurlTransport.Options
    ) async -> [String] {
        let transport = CurlTransport(options)
        return await each(count, at: width) { _ in
            let response = try await transport.response(to: TransportRequest(method, url, body: body))
            _ = try await response.body.collect(limit: 1 << 20)
            guard response.status == status else { throw Failed(description: "the status is \(response.status)") }
        }
    }

    /// The status that the curl program prints.
    private static func curl(
        _ nginx: NginxProcess, _ path: String, _ kind: NginxProcess.Kind, _ arguments: [String]
    ) throws -> String {
        try NginxProcess.run(
            "/usr/bin/env",
            [
                "curl", "-s", "-o", "/dev/null", "-w", "%{exitcode} %{http_code}", "-H", "Expect:", "--cacert",
                nginx.authority.path,
            ]
                + arguments + [nginx.url(path, kind).absoluteString]
        ).split(separator: " ").joined(separator: " ").replacingOccurrences(
            of: "^0 ", with: "", options: .regularExpression)
    }

    /// How many uploads of a file that nginx does not read are answered, of one process of the curl program that sends as many at a
    /// time as the transport, over connections that it reuses.
    private static func curl(_ nginx: NginxProcess, _ count: Int, _ method: HTTPMethod, _ file: URL) throws -> Int {
        let upload = """
            url = "\(nginx.url("/answered", .http2).absoluteString)"
            upload-file = "\(file.path)"
            request = \(method.rawValue)
            header = "Content-Length:"
            header = "Expect:"
            cacert = "\(nginx.authority.path)"
            noproxy = "*"
            output = /dev/null
            write-out = "%{exitcode} %{http_code}\\n"

            """
        let uploads = file.appendingPathExtension("uploads")
        try Array(repeating: upload, count: count).joined(separator: "next\n").write(
            to: uploads, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: uploads) }
        let lines = try NginxProcess.run(
            "/usr/bin/env", ["curl", "-s", "--parallel", "--parallel-max", "\(width)", "-K", uploads.path])
        return lines.split(separator: "\n").count { $0 == "0 200" }
    }

    // MARK: Streams

    /// 200 streams to one host stay open while other requests complete.
    private static func streams(_ requests: Int) async throws -> Int {
        let server = try LoopbackServer()
        defer { server.stop() }
        let gate = Gate()
        server.on(
            .get, "/stream",
            .streaming { writer in
                try writer.write(Data("data: 1\n\n".utf8))
                try writer.wait(at: gate)
                try writer.write(Data("data: 2\n\n".utf8))
            })
        server.on(.get, "/", .text("plain"))
        let transport = CurlTransport()
        var request = TransportRequest(.get, server.url("/stream"))
        request.isStream = true
        let (open, errors) = try await withThrowingTaskGroup(of: Int.self) { [request] group in
            for _ in 0..<200 {
                group.addTask { try await transport.response(to: request).body.collect(limit: 100).count }
            }
            try await gate.arrivals(atLeast: 200)
            let errors = await each(1000) { _ in
                _ = try await transport.response(to: TransportRequest(.get, server.url("/"))).body.collect(limit: 10)
            }
            gate.open()
            return (try await group.reduce(0) { $0 + ($1 == 18 ? 1 : 0) }, errors)
        }
        report(
            "200 streams to one host beside 1000 requests", "\(open) streams whole, \(errors.count) requests failed",
            errors)
        return open == 200 && errors.isEmpty ? 0 : 1
    }

    // MARK: Exits

    /// Processes that end while TLS handshakes are under way.
    private static func exits(_ nginx: NginxProcess, _ count: Int) throws -> Int {
        var signals = 0
        for number in 0..<count {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [
                "line-exit", nginx.url("/answered", .http1).absoluteString, nginx.authority.path, "\(number % 30)",
            ]
            try process.run()
            process.waitUntilExit()
            if process.terminationReason != .exit || process.terminationStatus != 0 { signals += 1 }
        }
        report("\(count) exits during TLS handshakes", "\(signals) ended by a signal", [])
        return signals == 0 ? 0 : 1
    }

    /// Runs in a child process: starts handshakes, and exits in their midst.
    static func exitDuringHandshakes(_ words: [String]) {
        guard words.count == 3, let url = URL(string: words[0]), let delay = UInt32(words[2]) else { exit(64) }
        var options = CurlTransport.Options()
        options.proxy = .none
        options.tls.certificateAuthorities = URL(fileURLWithPath: words[1])
        let transport = CurlTransport(options)
        for _ in 0..<16 { Task { try await transport.response(to: TransportRequest(.get, url)) } }
        usleep(delay * 500)
        exit(0)
    }

    // MARK: Running

    /// Runs a closure so many times, some at once, and returns the errors.
    private static func each(
        _ count: Int, at width: Int = width, _ run: @escaping @Sendable (Int) async throws -> Void
    ) async -> [String] {
        let next = Observed(0)
        return await withTaskGroup(of: [String].self) { group in
            for _ in 0..<width {
                group.addTask {
                    var errors: [String] = []
                    while true {
                        let number = next.update { next in
                            next += 1
                            return next - 1
                        }
                        guard number < count else { return errors }
                        do { try await run(number) } catch { errors.append("\(error)") }
                    }
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    private static func report(_ trial: String, _ result: String, _ errors: [String]) {
        print("line: \(trial): \(result)")
        for (error, same) in Dictionary(grouping: errors, by: \.self).sorted(by: { $0.value.count > $1.value.count })
            .prefix(5)
        {
            print("      \(same.count) times \(error)")
        }
        fflush(nil)
    }

    private static func rounded(_ seconds: Double) -> Double { (seconds * 10).rounded() / 10 }
}

extension Sequence {
    fileprivate func count(where isCounted: (Element) throws -> Bool) rethrows -> Int {
        try reduce(0) { try $0 + (isCounted($1) ? 1 : 0) }
    }
}

/// Counts the bodies that come to `/counted/NUMBER`.
private final class CountingServer: Sendable {
    private let server: LoopbackServer
    private let bodies = Observed<[Int: [Data]]>([:])

    var url: URL { server.url }

    init() throws {
        var limits = LoopbackServer.Limits()
        limits.recordedExchanges = 0
        server = try LoopbackServer(limits: limits)
        server.on(nil, "/counted/:number") { [bodies] request in
            if let number = request.parameters["number"].flatMap({ Int($0) }) {
                bodies.update { $0[number, default: []].append(request.body) }
            }
            return .text("counted")
        }
    }

    func forget() { bodies.update { $0 = [:] } }

    func stop() { server.stop() }

    /// How many numbers came once with their body, and how many did not, or more than once.
    func counts(of numbers: Range<Int>, _ body: (Int) -> Data) -> (once: Int, otherwise: Int) {
        let bodies = bodies.value
        let once = numbers.count { bodies[$0] == [body($0)] }
        return (once, numbers.count - once)
    }
}
#endif

import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// Responds to requests with mutated heads and bodies over a real connection. Every request must end with a response or a
/// `RequestError`, and the transport must still work afterwards.
///
/// The same arguments give the same responses, 16 at a time. Prints the outcomes, and exits with 1 if a rule is broken.
enum AnswerFuzzing {
    private static let width = 16
    /// The longest time in which no request may end, several times the transport's timeout.
    private static let patience: Duration = .seconds(30)

    static func run(count: Int, seed: Int) async {
        do {
            try await send(count: max(count, 0), seed: seed)
        } catch {
            print("requests of seed \(seed): \(error)")
            exit(1)
        }
    }

    private static func send(count: Int, seed: Int) async throws {
        var limits = LoopbackServer.Limits()
        limits.recordedExchanges = 0
        let server = try LoopbackServer(limits: limits)
        defer { server.stop() }
        let record = Record()
        server.on(nil, "/*", .text("somewhere else"))
        server.on(
            nil, "/answer/:number",
            .decided { request in
                let bytes = Int(request.parameters["number"] ?? "").flatMap { number in
                    record.answers.withLock { $0[number] }
                }
                record.sent.add(1, ordering: .relaxed)
                return .raw { try $0.write(Data(bytes ?? [])) }
            })
        // Replaced now and then, since a cookie may make the server reject every later request.
        var transport = makeTransport(keepsCookies: true)
        let watch = Task { try await self.watch(record) }
        defer { watch.cancel() }
        var mutations = Mutations(seed: UInt64(truncatingIfNeeded: seed), seeds: seeds, words: words)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                let bytes = mutations.next()
                if number >= width { try await group.next() }
                if number % 50 == 0 { transport = makeTransport(keepsCookies: number % 500 == 0) }
                record.answers.withLock { $0[number] = bytes }
                group.addTask { [transport] in
                    let outcome = try await outcome(of: number, server, transport)
                    record.outcomes.withLock { $0[outcome, default: 0] += 1 }
                    record.answers.withLock { $0[number] = nil }
                }
            }
            try await group.waitForAll()
        }
        server.on(.get, "/good", .text("good"))
        let response = try await transport.response(to: TransportRequest(.get, server.url("/good")))
        guard try await response.body.collect(limit: 100) == Data("good".utf8) else {
            throw Broken("a valid response fails")
        }
        let summary = record.outcomes.withLock { $0 }.sorted { $0.value > $1.value }.map { "\($0.value) \($0.key)" }
        let sent = record.sent.load(ordering: .relaxed)
        guard sent > count * 9 / 10 else { throw Broken("only \(sent) of \(count) responses were sent") }
        print("\(count) requests of seed \(seed): \(summary.joined(separator: ", ")); every request ended")
    }

    /// The outcome of a request.
    private static func outcome(
        of number: Int, _ server: LoopbackServer, _ transport: any Transport
    ) async throws -> String {
        let method = [HTTPMethod.get, .get, .get, .head, .post, .delete][number % 6]
        do {
            let response = try await transport.response(
                to: TransportRequest(method, server.url("/answer/\(number)")))
            // Some requests read the whole body, some a part, some nothing.
            if number % 5 != 4 { _ = try await response.body.collect(limit: number % 5 == 3 ? 10 : 1 << 26) }
            return "responses"
        } catch RequestError.connection(let failure) {
            return failure.kind.rawValue
        } catch RequestError.bodyTooLarge {
            return "too large"
        } catch RequestError.tooManyRedirects {
            return "too many redirects"
        } catch {
            throw Broken("response \(number) throws \(error)")
        }
    }

    /// Exits if no request ends for too long.
    private static func watch(_ record: Record) async throws {
        var last = -1
        while true {
            let now = record.outcomes.withLock { $0.values.reduce(0, +) }
            if now == last {
                print("no request ended within \(patience), after \(now) had")
                exit(1)
            }
            last = now
            try await Task.sleep(for: patience)
        }
    }

    private static func makeTransport(keepsCookies: Bool) -> any Transport {
        #if os(Linux)
        var options = CurlTransport.Options()
        options.timeout = .seconds(5)
        options.cookies = keepsCookies ? .session : .none
        options.redirects = .follow(limit: 5)
        options.proxy = .none
        return CurlTransport(options)
        #else
        return URLSessionTransport()
        #endif
    }

    private final class Record: Sendable {
        let answers = Mutex<[Int: [UInt8]]>([:])
        let sent = Atomic(0)
        let outcomes = Mutex<[String: Int]>([:])
    }

    private struct Broken: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private static let seeds: [[UInt8]] =
        [
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nETag: \"1\"\r\n\r\n[]",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: A\r\n\r\n2\r\n[]\r\n3;x=y\r\n abc\r\n0\r\nA: b\r\n\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /next?a=b\r\nSet-Cookie: a=1; Path=/; HttpOnly; Max-Age=60\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: ../up/./here#f\r\nSet-Cookie: b=\"2\"; Expires=Wed, 21 Oct 2065 07:28:00 GMT\r\n\r\n",
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"b\", qop=\"auth\"\r\nContent-Length: 1\r\n\r\na",
            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nX-A: 1\r\n  2\r\n\tfolded\r\n\r\nto the end",
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-1/5\r\nContent-Length: 2\r\nConnection: close\r\n\r\nab",
            "HTTP/1.1 304 Not Modified\r\nETag: W/\"a\"\r\nLast-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n\r\n",
        ].map { Array($0.utf8) } + [
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 35\r\n\r\n".utf8) + gzip,
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n".utf8) + gzip.dropFirst(10),
        ]

    /// "to and fro, ", 20 times.
    private static let gzip = Array(
        Data(base64Encoded: "H4sIAAAAAAACAyvJV0jMS1FIK8rXUSgZAWwAYD7aNPAAAAA=") ?? Data())

    private static let words: [[UInt8]] =
        [
            "\r\n", "\n", "\r", "\r\n\r\n", " ", "\t", ":", "HTTP/1.1 ", "HTTP/2 200\r\n", "HTTP/1.1 100\r\n\r\n",
            "0\r\n\r\n",
            "FFFFFFFFFFFFFFFF\r\n",
            "Content-Length: 9223372036854775296\r\n", "Content-Length: -1\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip, chunked\r\n", "Content-Encoding: gzip\r\n",
            "Content-Encoding: br\r\n", "Connection: close\r\n", "Connection: upgrade\r\nUpgrade: h2c\r\n",
            "Location: //%00/\r\n",
            "Location: \r\n", "Set-Cookie: 😀=\r\n", "Set-Cookie: =;=;\r\n",
            "Keep-Alive: timeout=0, max=99999999999\r\n",
            "Strict-Transport-Security: max-age=1\r\n", "Alt-Svc: h2=\":443\"\r\n", "é", "\u{0}", "\u{7F}", "1", "999",
            "18446744073709551616",
        ].map { Array($0.utf8) } + [[0xE9], [0xFF, 0xFE], [0x80], Array(repeating: 0x61, count: 5000)]
}

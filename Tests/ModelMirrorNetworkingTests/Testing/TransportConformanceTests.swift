import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("TransportConformance", .timeLimit(.hung), .network)
struct TransportConformanceTests {
    @Test("A conforming transport passes each check", arguments: TransportConformance.Check.allCases)
    func conforming(check: TransportConformance.Check) async throws {
        #expect(try await TransportConformance.failures(of: [check]) { _ in SocketTransport() } == [])
    }

    @Test("A transport that breaks a rule fails the check with a description", arguments: Breach.all)
    private func breaking(breach: Breach) async throws {
        let failures = try await TransportConformance.failures(
            of: [breach.check], patience: breach.hangs ? .seconds(5) : .seconds(120), from: breach.step
        ) { _ in breach }
        #expect(failures.map(\.check) == [breach.check])
        let sentence = failures.first?.sentence ?? ""
        #expect(sentence.contains(breach.sentence), "\(sentence)")
    }

    @Test("Every check has a transport that fails it")
    func allChecksCanFail() {
        #expect(Set(Breach.all.map(\.check)) == Set(TransportConformance.Check.allCases))
    }

    @Test("Every transport is closed after its check, passed or failed")
    func closing() async throws {
        let log = WordLog()
        let failures = try await TransportConformance.failures(
            of: [.emptyBodies, .noHTTP],
            close: { log.add($0 is SocketTransport ? "socket" : "breach") }
        ) { _ -> any Transport in
            if log.words.isEmpty { return SocketTransport() }
            return Breach(.noHTTP, "") { _, _ in throw RequestError.noConnectivity }
        }
        #expect(failures.map(\.check) == [.noHTTP])
        #expect(log.words == ["socket", "breach"])
    }

    @Test("Checks that URLSession fails on Linux are listed, and the one that crashes it is skipped")
    func limitations() {
        let beyond = TransportConformance.Check.allCases.filter { $0.beyondURLSessionOnLinux != nil }
        #expect(beyond == [.responseFields, .backPressure, .droppedBody, .brokenHeads, .timeoutInQueue])
        #expect(!TransportConformance.Check.standard.contains(.brokenHeads))
    }

    @Test("Failures have the order of the checks and name them")
    func order() async throws {
        let breach = Breach(.noHTTP, "") { _, _ in throw RequestError.noConnectivity }
        let failures = try await TransportConformance.failures(of: [.cancelledAfter, .noHTTP, .emptyBodies]) { _ in
            breach
        }
        #expect(failures.map(\.check) == [.cancelledAfter, .noHTTP, .emptyBodies])
        #expect(
            failures[1].description
                == "noHTTP: the answer to /garbage throws \"\(offline)\", expected a connection failure "
                + "of the kind badResponse")
        #expect(failures[1].localizedDescription == failures[1].description)
        #expect(failures[2].sentence == "while GET /204 was under way, it threw \"\(offline)\"")
    }
}

/// The description of the error that breaches throw.
private let offline = RequestError.noConnectivity.description

/// A transport that breaks one rule, and the expected description of the failure.
private struct Breach: Transport, CustomTestStringConvertible {
    let check: TransportConformance.Check
    let sentence: String
    let change: @Sendable (TransportRequest, SocketTransport) async throws -> TransportResponse

    init(
        _ check: TransportConformance.Check, _ sentence: String,
        _ change: @escaping @Sendable (TransportRequest, SocketTransport) async throws -> TransportResponse
    ) {
        self.check = check
        self.sentence = sentence
        self.change = change
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await change(request, SocketTransport())
    }

    private static let idle = "nothing happened for 5.0 seconds while "

    /// Whether the transport hangs because of the breach.
    var hangs: Bool { sentence.hasPrefix(Breach.idle) }

    /// The step in which it hangs; nil if that may be one of several.
    var step: String? {
        let step = sentence.dropFirst(Breach.idle.count)
        return hangs && !step.isEmpty ? String(step) : nil
    }

    var testDescription: String { "\(check): \(sentence)" }

    static let all: [Breach] = heads + bodies + sending + cancelling + failures

    private static let heads = [
        Breach(.statusIsNotJudged, "while GET /400 was under way, it threw \"\(offline)\"") { request, base in
            let response = try await base.response(to: request)
            if response.status >= 400 { throw RequestError.noConnectivity }
            return response
        },
        Breach(
            .headBeforeBody,
            idle + "the head was awaited, with the body held back by the server"
        ) { request, base in
            var response = try await base.response(to: request)
            response.body = ResponseBody(try await response.body.collect(limit: 1000))
            return response
        },
        Breach(.responseFields, "the list of Set-Cookie fields is [\"a=1; Expires=") { request, base in
            var response = try await base.response(to: request)
            response.headers[.setCookie] = response.headers[.setCookie]
            return response
        },
        Breach(
            .requestFields, "the repeated field X-List of the request is Optional(\"2\"), expected Optional(\"1, 2\")"
        ) {
            request, base in
            var request = request
            request.headers[.init("X-List")] = request.headers.values(for: "X-List").last
            return try await base.response(to: request)
        },
        Breach(
            .requestFields, "the field Cookie of the request is nil, expected Optional(\"a=1; b=2\")"
        ) { request, base in
            var request = request
            request.headers["Cookie"] = nil
            return try await base.response(to: request)
        },
        Breach(.requestFields, "a request with the field \"X-A\": \"1\\r\\nX-B: 2\" does not throw") { request, base in
            var request = request
            if request.headers["X-A"] != nil { request.headers = [:] }
            return try await base.response(to: request)
        },
        Breach(.requestTarget, "the target is Optional(\"/a/b\"), expected Optional(\"/a%2Fb\")") { request, base in
            var request = request
            if request.url.absoluteString.hasSuffix("/a%2Fb") {
                request.url = request.url.deletingLastPathComponent().appendingPathComponent("a/b")
            }
            return try await base.response(to: request)
        },
        Breach(.informationalResponses, "the status after 103 is 103, expected 200") { request, base in
            var response = try await base.response(to: request)
            response.status = 103
            return response
        },
    ]

    private static let bodies = [
        Breach(.emptyBodies, "the count of bytes in the answer to HEAD is 1, expected 0") { request, base in
            var response = try await base.response(to: request)
            if request.method == .head { response.body = ResponseBody(Data([0])) }
            return response
        },
        Breach(.largeBodies, "are not those that were sent") { request, base in
            var response = try await base.response(to: request)
            let body = response.body
            let count = Mutex(0)
            response.body = ResponseBody {
                var iterator = body.makeAsyncIterator()
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                // The fifth chunk is lost.
                if number == 5 { _ = try await iterator.next() }
                return try await iterator.next()
            }
            return response
        },
        Breach(.chunkedBodies, "the chunk after the end of the body is Optional(3 bytes), expected nil") {
            request, base in
            var response = try await base.response(to: request)
            let body = response.body
            let ends = Mutex(0)
            response.body = ResponseBody {
                var iterator = body.makeAsyncIterator()
                if let chunk = try await iterator.next() { return chunk }
                let isFirst = ends.withLock { ends in
                    ends += 1
                    return ends == 1
                }
                return isFirst ? nil : Data("abc".utf8)
            }
            return response
        },
        Breach(.chunkedBodies, "a body that ends with the connection is , expected [1, 2]") { request, base in
            var response = try await base.response(to: request)
            if response.headers["Connection"] == "close" { response.body = ResponseBody(Data()) }
            return response
        },
        Breach(.backPressure, "the transport takes 50331648 while nobody reads") { request, base in
            var response = try await base.response(to: request)
            response.body = ResponseBody(try await response.body.collect(limit: 1 << 30))
            return response
        },
        Breach(
            .droppedBody,
            idle + "the server waited for the connection to end after its body was dropped"
        ) {
            request, base in
            let response = try await base.response(to: request)
            kept.withLock { $0.append(response.body) }
            return response
        },
    ]

    private static let kept = Mutex<[ResponseBody]>([])

    private static let sending = [
        Breach(.requestBodies, "a body in chunks of a known length did not arrive as it was sent") { request, base in
            var request = request
            if case .chunks? = request.body?.content { request.body = nil }
            return try await base.response(to: request)
        },
        Breach(.bodiesAfterRedirect, "after 307, a body in memory did not arrive as it was sent") { request, base in
            try await followed(request, base, limit: 20) { $0.body = nil }
        },
        Breach(.redirectPolicy, "/step/4 with 3 redirects allowed does not throw") { request, base in
            if request.redirects == .stop { return try await base.response(to: request) }
            return try await followed(request, base, limit: 20) { _ in }
        },
        Breach(
            .redirectCredentials,
            "the field Authorization at another origin is Optional(\"Bearer secret\"), expected nil"
        ) {
            request, base in try await followed(request, base, limit: 20) { _ in }
        },
        Breach(
            .redirectCredentials,
            "the field of an AuthenticatingTransport at another origin is Optional(\"secret\"), expected nil"
        ) { request, base in
            try await followed(request, base, limit: 20) { next in
                guard next.url.port != request.url.port else { return }
                for name in ["Authorization", "Cookie", "Proxy-Authorization"] as [HeaderName] {
                    next.headers[name] = nil
                }
            }
        },
        Breach(.bodiesAfterRedirect, "the method after 301 is Optional(POST), expected Optional(GET)") {
            request, base in
            try await followed(request, base, limit: 20) { _ in }
        },
    ]

    /// Follows redirects with the request, changed at each by a closure.
    private static func followed(
        _ request: TransportRequest, _ base: SocketTransport, limit: Int, _ change: (inout TransportRequest) -> Void
    ) async throws -> TransportResponse {
        var request = request
        request.redirects = .stop
        for _ in 0...limit {
            let response = try await base.response(to: request)
            guard let location = response.headers[.location], let url = URL(string: location, relativeTo: request.url)
            else { return response }
            request.url = url.absoluteURL
            change(&request)
        }
        throw RequestError.tooManyRedirects(limit: limit)
    }

    private static let cancelling = [
        Breach(.cancelledBefore, "a request of a cancelled task does not throw") { request, base in
            try await Task { try await base.response(to: request) }.value
        },
        Breach(
            .cancelledBeforeHead,
            idle + "a request that is cancelled before the head was expected to fail"
        ) { request, base in
            try await Task { try await base.response(to: request) }.value
        },
        Breach(.cancelledBeforeHead, #"throws "CancellationError()", which is not a RequestError"#) { request, base in
            do { return try await base.response(to: request) } catch { throw CancellationError() }
        },
        Breach(
            .cancelledInBody,
            idle + "a body that is cancelled between two chunks was expected to fail"
        ) { request, base in
            var response = try await base.response(to: request)
            let body = response.body
            response.body = ResponseBody {
                try await Task {
                    var iterator = body.makeAsyncIterator()
                    return try await iterator.next()
                }.value
            }
            return response
        },
        Breach(.cancelledInUpload, "a request that is cancelled while its body is sent throws \"\(offline)\"") {
            request, base in
            do { return try await base.response(to: request) } catch { throw RequestError.noConnectivity }
        },
        Breach(.cancelledAfter, "a body that was read has more after cancelling") { request, base in
            var response = try await base.response(to: request)
            let body = response.body
            response.body = ResponseBody {
                var iterator = body.makeAsyncIterator()
                return Task.isCancelled ? Data("abc".utf8) : try await iterator.next()
            }
            return response
        },
    ]

    private static let failures = [
        Breach(.brokenResponses, "a response that is truncated does not throw") { request, base in
            var response = try await base.response(to: request)
            let body = response.body
            response.body = ResponseBody {
                var iterator = body.makeAsyncIterator()
                return try? await iterator.next()
            }
            return response
        },
        Breach(.brokenResponses, "the count of arrivals of a POST that is reset is 2, expected 1") { request, base in
            do {
                return try await base.response(to: request)
            } catch RequestError.connection(let failure) where failure.kind == .connectionLost {
                return try await base.response(to: request)
            }
        },
        Breach(.brokenHeads, "a response that ends after \"HTTP/1.1 200 OK\\r\\n\" does not throw") { request, base in
            do { return try await base.response(to: request) } catch {
                return TransportResponse(status: 200, url: request.url)
            }
        },
        Breach(.noHTTP, "expected a connection failure of the kind badResponse") { request, base in
            do {
                return try await base.response(to: request)
            } catch {
                throw RequestError.connection(.init(.connectionLost, url: request.url, reason: ""))
            }
        },
        Breach(.refusedConnection, "expected a connection failure of the kind cannotConnect") { request, base in
            do {
                return try await base.response(to: request)
            } catch {
                throw RequestError.connection(.init(.other, url: request.url, reason: ""))
            }
        },
        Breach(.timeout, idle) { request, base in
            var request = request
            request.timeout = nil
            return try await base.response(to: request)
        },
        Breach(.contentCodings, "a body that was asked for encoded comes as it was sent") { request, base in
            var request = request
            if request.headers["Accept-Encoding"] == nil { request.headers["Accept-Encoding"] = "br, gzip;q=0.5" }
            return try await base.response(to: request)
        },
        Breach(.userInfo, "the Authorization for user and password is nil, expected Optional(\"Basic ") {
            request, base in
            var request = request
            if request.headers[.authorization] == nil { request.headers[.authorization] = "" }
            request = try request.prepared()
            request.headers[.authorization] = request.headers[.authorization]?.isEmpty == true ? nil : "Bearer own"
            return try await base.response(to: request)
        },
        Breach(.boundedTimes, "expected a connection failure of the kind timedOut") { request, base in
            do { return try await base.response(to: request) } catch { throw RequestError.cancelled }
        },
        Breach(.boundedTimes, idle + "a body whose deadline passes was expected to fail") { request, base in
            let head = Mutex<TransportResponse?>(nil)
            _ = try await request.beforeDeadline {
                var request = request
                request.deadline = nil
                let response = try await base.response(to: request)
                head.withLock { $0 = response }
                return TransportResponse(status: 200, url: request.url)
            }
            guard let head = head.withLock({ $0 }) else { throw RequestError.cancelled }
            return head
        },
        Breach(.timeoutOfUpload, "while POST / was under way, it threw \"No response from") { request, base in
            var request = request
            request.deadline = request.timeout.map { .now + $0 }
            return try await request.beforeDeadline { [request] in try await base.response(to: request) }
        },
        Breach(.timeoutInQueue, "it threw \"No response from") { request, base in
            var request = request
            request.deadline = request.timeout.map { .now + $0 }
            return try await request.beforeDeadline { [request] in
                try await onlyTwo.pass { try await base.response(to: request) }
            }
        },
        Breach(.uploadProgress, "the progress of an upload decreases: [300000, 1, 300000]") { request, base in
            let response = try await base.response(to: request)
            for sent in [300_000, 1, 300_000] as [Int64] { request.uploadProgress?(sent, 300_000) }
            return response
        },
        Breach(.concurrency, "the field X-Number is Optional(\"0\"), expected") { request, base in
            var request = request
            request.url = request.url.deletingLastPathComponent().appendingPathComponent("0")
            return try await base.response(to: request)
        },
    ]
    private static let onlyTwo = TwoAtATime()
}

/// Runs two pieces of work at a time, in order of arrival.
private actor TwoAtATime {
    private var count = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
        if count == 2 { await withCheckedContinuation { waiting.append($0) } } else { count += 1 }
        defer { if waiting.isEmpty { count -= 1 } else { waiting.removeFirst().resume() } }
        return try await work()
    }
}

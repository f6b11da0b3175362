import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

/// One test of the cache-tests suite: what a client requests, what the server answers, and what both expect. The members are those of
/// `Tests/CacheConformance/tests.json`.
struct CacheCase: Sendable {
    let id: String
    let kind: String
    let steps: [CacheStep]

    /// The tests for a private cache. Others are for shared caches, which the suite marks, or for those of content networks.
    static func all() throws -> [CacheCase] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../CacheConformance/tests.json")
        let suites = try JSONValue(json: Data(contentsOf: file)).array ?? []
        let tests = suites.flatMap { $0["tests"]?.array ?? [] }
        return tests.filter { $0["browser_skip"]?.bool != true && $0["cdn_only"]?.bool != true }.map { test in
            CacheCase(
                id: test["id"]?.string ?? "", kind: test["kind"]?.string ?? "required",
                steps: (test["requests"]?.array ?? []).map(CacheStep.init))
        }
    }
}

/// One request with its answer and expectations.
struct CacheStep: Sendable {
    let members: JSONValue

    init(_ members: JSONValue) { self.members = members }

    subscript(name: String) -> JSONValue? { members[name] }

    func isSet(_ name: String) -> Bool { members[name]?.bool == true }

    var method: HTTPMethod { HTTPMethod(rawValue: members["request_method"]?.string ?? "GET") }

    /// The names and values of a list of fields, dates as the seconds from an instant.
    ///
    /// - Parameter base: The URL that relative locations are made absolute with.
    func fields(_ name: String, at now: Date, base: String) -> [HTTPHeaders.Field] {
        (members[name]?.array ?? []).compactMap { field in
            guard let pair = field.array, pair.count == 2 || pair[2].bool != nil else { return nil }
            return self.field(pair, at: now, base: base)
        }
    }

    func field(_ pair: [JSONValue], at now: Date, base: String) -> HTTPHeaders.Field {
        let name = HeaderName(pair[0].string ?? "")
        var value = pair[1].string ?? pair[1].int.map(String.init) ?? ""
        if let seconds = pair[1].int, Self.dates.contains(name) {
            value = HTTPDate.text(now + Double(seconds)) ?? ""
        }
        if isSet("magic_locations"), Self.locations.contains(name) { value = value.isEmpty ? base : "\(base)/\(value)" }
        return HTTPHeaders.Field(name: name, value: value)
    }

    private static let dates: Set<HeaderName> = ["Date", "Expires", "Last-Modified", "If-Modified-Since"]
    private static let locations: Set<HeaderName> = ["Location", "Content-Location"]
}

/// What went wrong in a test.
struct CacheFailure: Error, CustomStringConvertible {
    let description: String
}

/// Runs one test after the other against a server, with a clock that the pauses of the tests advance.
final class CacheRunner: Sendable {
    private struct State {
        var test: CacheCase?
        /// The number of the client's request, from 1.
        var number = 0
        /// What the server got.
        var seen: [(number: Int, request: LoopbackRequest, sent: [HTTPHeaders.Field])] = []
        /// The header fields of each answer, by the number of the request.
        var answers: [Int: [HTTPHeaders.Field]] = [:]
        var wasUnconditional: Set<Int> = []
    }

    private let server: LoopbackServer
    private let clock = WallClock()
    private let state = Mutex(State())

    init() throws {
        server = try LoopbackServer()
        // A year for which the dates of the tests lie ahead.
        clock.advance(1_767_225_600)
        server.on(nil, "/*", .decided { [unowned self] in answer(to: $0) })
    }

    func stop() { server.stop() }

    /// Runs a test.
    ///
    /// - Throws: ``CacheFailure``.
    func run(_ test: CacheCase) async throws {
        state.withLock { $0 = State(test: test) }
        var persistence = Persistence(MemoryStore())
        persistence.now = { [clock] in clock.date }
        let client = APIClient(persistence: persistence)
        var responses: [Response<String>?] = []
        for (index, step) in test.steps.enumerated() {
            state.withLock { $0.number = index + 1 }
            let response = try await send(step, of: test, client)
            responses.append(response)
            if let response {
                try check(response, step, index + 1, test)
            } else if step["expected_type"]?.string == "cached" {
                try expect(false, "request \(index + 1) failed")
            }
            if step.isSet("pause_after") { clock.advance(3) }
        }
        try checkServer(test, responses)
    }

    /// The response; nil without one, as of a proxy whose server is gone.
    private func send(_ step: CacheStep, of test: CacheCase, _ client: APIClient) async throws -> Response<String>? {
        var path = "/test/\(test.id)"
        if let name = step["filename"]?.string { path += "/\(name)" }
        if let query = step["query_arg"]?.string { path += "?\(query)" }
        var headers = HTTPHeaders(step.fields("request_headers", at: clock.date, base: ""))
        // As a browser sends it.
        if step["cache"]?.string == "no-cache" { headers[.cacheControl] = "max-age=0" }
        let type = headers[.contentType] ?? "text/plain"
        headers[.contentType] = nil
        let endpoint = Endpoint<String>(
            step.method, .url(server.url(path)),
            parameters: step["request_body"]?.string.map { .data(Data($0.utf8), contentType: type) }, headers: headers,
            accepting: Set(100...599), reading: { String(decoding: $0.value, as: UTF8.self) })
        do {
            return try await client.response(endpoint)
        } catch let error as FetchError {
            guard case .nothingStored(let miss) = error else { throw error }
            return Response("", url: miss.url, status: 504)
        } catch is RequestError {
            return nil
        }
    }

    // MARK: The server

    private func answer(to request: LoopbackRequest) -> LoopbackResponse {
        state.withLock { state in
            guard let test = state.test, test.steps.indices.contains(state.number - 1) else { return .closed() }
            let (step, number) = (test.steps[state.number - 1], state.number)
            if let pause = step["response_pause"]?.int { clock.advance(Double(pause)) }
            var status = step["response_status"]?.array?.first?.int ?? 200
            if step["expected_type"]?.string?.hasSuffix("validated") == true {
                let earlier = test.steps[number - 2].fields("response_headers", at: clock.date, base: request.target)
                let before = HTTPHeaders(state.answers[number - 1] ?? earlier)
                let isSame = [
                    (HeaderName("Last-Modified"), HeaderName("If-Modified-Since")), ("ETag", "If-None-Match"),
                ]
                .contains { field, condition in before[field].map { $0 == request.headers[condition] } ?? false }
                if isSame { status = 304 } else { state.wasUnconditional.insert(number) }
            }
            let own = step.fields("response_headers", at: clock.date, base: request.target)
            state.answers[number] = own
            let checked = (step["response_headers"]?.array ?? []).map { $0[2]?.bool ?? true }
            state.seen.append((number, request, zip(own, checked).filter(\.1).map(\.0)))
            var headers = HTTPHeaders(
                [
                    .init(name: "Server-Base-Url", value: request.target),
                    .init(name: "Server-Request-Count", value: "\(state.seen.count)"),
                    .init(name: "Client-Request-Count", value: "\(number)"),
                    .init(name: "Server-Now", value: "\(clock.date.timeIntervalSince1970)"),
                ] + own)
            if headers["Date"] == nil { headers["Date"] = HTTPDate.text(clock.date) ?? "" }
            if headers[.contentType] == nil { headers[.contentType] = "text/plain" }
            if step.isSet("disconnect") { return .closed() }
            let body = Data((step["response_body"]?.string ?? test.id).utf8)
            let response = LoopbackResponse(status: status, headers: headers, body: body)
            // Without a length that the client understands, the body ends with the connection.
            return headers["Transfer-Encoding"] == nil ? response : response.closing()
        }
    }

    // MARK: The expectations

    private func check(_ response: Response<String>, _ step: CacheStep, _ number: Int, _ test: CacheCase) throws {
        // The client's count, since a transport may send a request again when its connection was closed.
        let answered = response.headers["Client-Request-Count"].flatMap { Int($0) }
        switch step["expected_type"]?.string {
        case "cached":
            let isCached = answered.map { $0 < number } ?? (response.status == 304)
            try expect(isCached, "response \(number) does not come from the store")
        case "not_cached":
            try expect(answered == number, "response \(number) comes from the store")
        default: break
        }
        let wasConditional = state.withLock { !$0.wasUnconditional.contains(number) }
        try expect(wasConditional, "request \(number) was not conditional")
        if let expected = step["expected_status"] {
            let isExpected = expected.isNull || response.status == expected.int
            try expect(isExpected, "response \(number) has status \(response.status)")
        } else {
            let expected = step["response_status"]?.array?.first?.int ?? 200
            try expect(response.status == expected, "response \(number) has status \(response.status)")
        }
        try checkFields(of: response, step, number)
        try checkBody(of: response, step, number, test)
    }

    private func checkFields(of response: Response<String>, _ step: CacheStep, _ number: Int) throws {
        let now = Date(timeIntervalSince1970: response.headers["Server-Now"].flatMap { Double($0) } ?? 0)
        for expected in step["expected_response_headers"]?.array ?? [] {
            let parts = expected.array ?? [expected]
            let name = HeaderName(parts[0].string ?? "")
            let found = response.headers[name]
            let isExpected: Bool
            switch (parts.count, parts.count > 1 ? parts[1].string : nil) {
            case (1, _): isExpected = found != nil
            case (3, "="): isExpected = found != nil && found == response.headers[HeaderName(parts[2].string ?? "")]
            case (3, _): isExpected = (found.flatMap { Int($0) } ?? 0) > parts[2].int ?? 0
            default:
                let base = response.headers["Server-Base-Url"] ?? ""
                isExpected = found == step.field(parts, at: now, base: base).value
            }
            try expect(isExpected, "response \(number) has \(name): \(found ?? "nothing")")
        }
        for name in (step["expected_response_headers_missing"]?.array ?? []).compactMap(\.string) {
            let found = response.headers[HeaderName(name)]
            try expect(found == nil, "response \(number) has \(name): \(found ?? "")")
        }
    }

    private func checkBody(of response: Response<String>, _ step: CacheStep, _ number: Int, _ test: CacheCase) throws {
        if step["check_body"]?.bool == false { return }
        let problem = "response \(number) has the body \(response.value.debugDescription)"
        if let text = step["expected_response_text"] {
            try expect(text.isNull || response.value == text.string, problem)
        } else if let text = step["response_body"]?.string {
            try expect(response.value == text, problem)
        } else if ![204, 304].contains(response.status), step.method != .head {
            try expect(response.value == test.id, problem)
        }
    }

    /// Compares what the server got with what it expects.
    private func checkServer(_ test: CacheCase, _ responses: [Response<String>?]) throws {
        var seen = state.withLock(\.seen)[...]
        for (index, step) in test.steps.enumerated() where step["expected_type"]?.string != "cached" {
            let number = index + 1
            let next = seen.popFirst()
            if step["expected_type"]?.string == "not_cached" {
                try expect(next?.number == number, "request \(number) did not reach the server")
            }
            for (type, field) in [("etag_validated", HeaderName.ifNoneMatch), ("lm_validated", .ifModifiedSince)]
            where step["expected_type"]?.string == type {
                let isSent = next?.request.headers[field] != nil
                try expect(isSent, "request \(number) has no \(field)")
            }
            for (list, isExpected) in [("expected_request_headers", true), ("expected_request_headers_missing", false)]
            {
                for field in step[list]?.array ?? [] {
                    let parts = field.array ?? [field]
                    let found = next?.request.headers[HeaderName(parts[0].string ?? "")]
                    let isFound = parts.count > 1 ? found == parts[1].string : found != nil
                    try expect(isFound == isExpected, "request \(number) has \(field): \(found ?? "nothing")")
                }
            }
            for field in next?.sent ?? [] where field.name != "Date" {
                let (sent, found) = (HTTPHeaders(next?.sent ?? [])[field.name], responses[index]?.headers[field.name])
                if responses[index] == nil { continue }
                try expect(found == sent, "response \(number) has \(field.name): \(found ?? "nothing")")
            }
            if let method = step["expected_method"]?.string {
                let found = next?.request.method.rawValue
                try expect(found == method, "request \(number) is \(found ?? "nothing")")
            }
        }
    }
}

/// Throws unless a condition holds.
private func expect(_ holds: Bool, _ problem: @autoclosure () -> String) throws(CacheFailure) {
    if !holds { throw CacheFailure(description: problem()) }
}

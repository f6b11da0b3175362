import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting

/// One case of the suite http-tests/cache-tests: requests, the responses of the server, and what is expected of the cache.
struct CacheCase: Sendable {
    /// Whether a failure violates the standard, wastes a request, or shows a choice that the standard leaves open.
    enum Kind: String { case required, optimal, check }

    let id: String
    let kind: Kind
    /// The cases without whose success this one says nothing.
    let dependencies: [String]
    /// Whether the case concerns private caches: not those of proxies and content delivery networks.
    let isPrivate: Bool
    let requests: [JSONValue]

    init(_ value: JSONValue) {
        id = value["id"]?.string ?? ""
        kind = (value["kind"]?.string).flatMap(Kind.init) ?? .required
        dependencies = (value["depends_on"]?.array ?? []).compactMap(\.string)
        isPrivate = value["browser_skip"]?.bool != true && value["cdn_only"]?.bool != true
        requests = value["requests"]?.array ?? []
    }

    static func all() throws -> [CacheCase] {
        guard let folder = Bundle.module.resourceURL else { return [] }
        let data = try Data(contentsOf: folder.appending(components: "CacheTests", "cases.json"))
        return try [JSONValue](JSONValue(json: data).array ?? []).map(CacheCase.init)
    }
}

/// What became of a case.
enum CacheOutcome: Equatable {
    case passed
    case failed(String)
    /// The case says nothing: what it stands on failed.
    case untested(String)
}

/// The server of a case and what it received.
final class CacheOrigin: Sendable {
    struct Exchange {
        let number: Int
        let method: String
        let headers: HTTPHeaders
        /// The fields that the client should receive.
        let sent: [(String, String)]
    }

    struct State {
        /// The number of the client's request, from 1.
        var number = 0
        var exchanges: [Exchange] = []
        var sent: [Int: [(String, String)]] = [:]
    }

    let test: CacheCase
    let name = UUID().uuidString
    let state = Observed(State())
    private let clock: WallClock

    init(_ test: CacheCase, _ clock: WallClock) {
        self.test = test
        self.clock = clock
    }

    func response(to request: LoopbackRequest) -> LoopbackResponse {
        state.update { state in
            let config = test.requests[state.number - 1]
            clock.advance(config["response_pause"]?.double ?? 0)
            var headers: HTTPHeaders = [
                "Server-Base-Url": request.target, "Server-Request-Count": "\(state.exchanges.count + 1)",
                "Server-Now": "\(Int(clock.date.timeIntervalSince1970))",
            ]
            var checked: [String] = []
            var fixed: [(String, String)] = []
            for field in config["response_headers"]?.array ?? [] {
                let name = field[0]?.string ?? ""
                let value = CacheOrigin.value(of: field, headers, config)
                headers.append(value, for: HeaderName(name))
                fixed.append((name.lowercased(), value))
                if field[2]?.bool != false { checked.append(name) }
            }
            if headers[.contentType] == nil { headers[.contentType] = "text/plain" }
            // What was configured, if the client did not ask for it.
            let earlier = state.sent[state.number - 1] ?? configured(state.number - 1)
            let status = status(for: request, config, earlier)
            state.sent[state.number] = fixed
            state.exchanges.append(
                Exchange(
                    number: state.number, method: request.method.description, headers: request.headers,
                    sent: checked.map { ($0, headers[HeaderName($0)] ?? "") }))
            if config["disconnect"]?.bool == true { return .reset() }
            let body = config["response_body"]?.string ?? name
            return .data([204, 304].contains(status) ? Data() : Data(body.utf8), status: status, headers: headers)
        }
    }

    private func configured(_ number: Int) -> [(String, String)] {
        guard number > 0 else { return [] }
        return (test.requests[number - 1]["response_headers"]?.array ?? []).map {
            ($0[0]?.string?.lowercased() ?? "", $0[1]?.string ?? "")
        }
    }

    /// The status of the case; 304 where a confirmation is expected and asked for, 599 where it is not asked for.
    private func status(for request: LoopbackRequest, _ config: JSONValue, _ earlier: [(String, String)]) -> Int {
        guard config["expected_type"]?.string?.hasSuffix("validated") == true else {
            return config["response_status"]?[0]?.int ?? 200
        }
        let conditions: [(HeaderName, String)] = [("If-Modified-Since", "last-modified"), ("If-None-Match", "etag")]
        let isConfirmed = conditions.contains { condition, validator in
            guard let value = earlier.last(where: { $0.0 == validator })?.1 else { return false }
            return request.headers[condition] == value
        }
        return isConfirmed ? 304 : 599
    }

    /// The value of a field: a number in a date is seconds from now, and locations are below the request's URL.
    static func value(of field: JSONValue, _ headers: HTTPHeaders, _ config: JSONValue) -> String {
        let name = field[0]?.string?.lowercased() ?? ""
        if ["date", "expires", "last-modified"].contains(name), let seconds = field[1]?.int {
            let now = Double(headers["Server-Now"] ?? "") ?? 0
            return HTTPDate.text(Date(timeIntervalSince1970: now + Double(seconds))) ?? ""
        }
        let value = field[1]?.string ?? field[1]?.number?.description ?? ""
        guard ["location", "content-location"].contains(name), config["magic_locations"]?.bool == true else {
            return value
        }
        let base = headers["Server-Base-Url"] ?? ""
        return value.isEmpty ? base : "\(base)/\(value)"
    }
}

/// Runs one case with a client that has an empty store in memory. Pauses advance the clock.
struct CacheRun {
    private struct Failure: Error {
        let isSetup: Bool
        let text: String
    }

    /// A case that ends without a response, as it should.
    private struct Ended: Error {}

    let server: LoopbackServer
    let test: CacheCase
    private let clock = WallClock()

    init(_ test: CacheCase, on server: LoopbackServer) {
        self.test = test
        self.server = server
    }

    func outcome() async -> CacheOutcome {
        clock.advance(1_767_225_600 - clock.date.timeIntervalSince1970)
        let origin = CacheOrigin(test, clock)
        server.on(nil, "/test/\(origin.name)/*") { origin.response(to: $0) }
        server.on(nil, "/test/\(origin.name)") { origin.response(to: $0) }
        var persistence = Persistence(MemoryStore())
        persistence.now = { [clock] in clock.date }
        let client = APIClient(baseURL: server.url, persistence: persistence)
        do {
            var responses: [Response<Data>] = []
            for (index, config) in test.requests.enumerated() {
                origin.state.update { $0.number = index + 1 }
                let response = try await send(config, to: origin, by: client, setup: isSetup(config, "expected_type"))
                responses.append(response)
                try check(response, number: index + 1, config, origin.name)
                if config["pause_after"]?.bool == true { clock.advance(3) }
            }
            try checkExchanges(origin.state.value.exchanges, responses)
            return .passed
        } catch is Ended {
            return .passed
        } catch let failure as Failure {
            return failure.isSetup ? .untested(failure.text) : .failed(failure.text)
        } catch {
            return .untested("\(error)")
        }
    }

    private func send(
        _ config: JSONValue, to origin: CacheOrigin, by client: APIClient, setup: Bool
    ) async throws -> Response<Data> {
        var path = "test/\(origin.name)"
        if let file = config["filename"]?.string { path += "/\(file)" }
        if let query = config["query_arg"]?.string { path += "?\(query)" }
        var headers = HTTPHeaders(
            (config["request_headers"]?.array ?? []).map {
                HTTPHeaders.Field(name: HeaderName($0[0]?.string ?? ""), value: $0[1]?.string ?? "")
            })
        // As the Fetch standard has it.
        if config["cache"]?.string == "no-cache" { headers[.cacheControl] = "max-age=0" }
        let endpoint = Endpoint<Data>(
            HTTPMethod(config["request_method"]?.string ?? "GET"), URLReference(verbatim: path),
            parameters: (config["request_body"]?.string).map { .data(Data($0.utf8), contentType: "text/plain") },
            headers: headers, accepting: Set(200..<600))
        do {
            return try await client.response(endpoint)
        } catch {
            // No stored response is served in place of the lost one.
            if config["disconnect"]?.bool == true, config["expected_type"] == nil { throw Ended() }
            throw Failure(isSetup: setup, text: "\(error)")
        }
    }

    private func isSetup(_ config: JSONValue, _ check: String) -> Bool {
        config["setup"]?.bool == true
            || (config["setup_tests"]?.array ?? []).contains { $0.string == check }
    }

    private func require(_ condition: Bool, setup: Bool, _ text: String) throws {
        if !condition { throw Failure(isSetup: setup, text: text) }
    }

    private func check(_ response: Response<Data>, number: Int, _ config: JSONValue, _ name: String) throws {
        let count = response.headers["Server-Request-Count"].flatMap { Int($0) } ?? 0
        let isTypeSetup = isSetup(config, "expected_type")
        switch config["expected_type"]?.string {
        case "cached": try require(count < number, setup: isTypeSetup, "response \(number) is not stored")
        case "not_cached": try require(count == number, setup: isTypeSetup, "response \(number) is stored")
        default: break
        }
        if let expected = config["expected_status"] {
            try require(
                expected.isNull || expected.int == response.status, setup: isSetup(config, "expected_status"),
                "the status of response \(number) is \(response.status)")
        } else if let expected = config["response_status"]?[0]?.int {
            try require(response.status == expected, setup: true, "the status is \(response.status)")
        } else {
            try require(response.status != 599, setup: isTypeSetup, "request \(number) is not conditional")
            try require(response.status == 200, setup: true, "the status is \(response.status)")
        }
        try checkFields(response, config)
        if config["check_body"]?.bool == false { return }
        let body = String(decoding: response.value, as: UTF8.self)
        if let expected = config["expected_response_text"] {
            try require(
                expected.isNull || expected.string == body, setup: isSetup(config, "expected_response_text"),
                "the body of response \(number) is \(body)")
        } else if let expected = config["response_body"]?.string {
            try require(body == expected, setup: true, "the body is \(body)")
        } else if ![204, 304].contains(response.status), response.method != .head {
            try require(body == name, setup: true, "the body is \(body)")
        }
    }

    private func checkFields(_ response: Response<Data>, _ config: JSONValue) throws {
        let isFieldSetup = isSetup(config, "expected_response_headers")
        for field in config["expected_response_headers"]?.array ?? [] {
            let name = field.string ?? field[0]?.string ?? ""
            let value = response.headers[HeaderName(name)]
            let isRight =
                if field.string != nil {
                    value != nil
                } else if field[1]?.string == "=" {
                    value == response.headers[HeaderName(field[2]?.string ?? "")]
                } else if field[1]?.string == ">" {
                    (value.flatMap { Int($0) } ?? .min) > field[2]?.int ?? 0
                } else {
                    value == CacheOrigin.value(of: field, response.headers, config)
                }
            try require(isRight, setup: isFieldSetup, "\(name) is \(value ?? "missing")")
        }
        for field in config["expected_response_headers_missing"]?.array ?? [] {
            let name = field.string ?? field[0]?.string ?? ""
            let value = response.headers[HeaderName(name)]
            let isWrong = field[1]?.string.map { value?.contains($0) == true } ?? (value != nil)
            try require(
                !isWrong, setup: isSetup(config, "expected_response_headers_missing"), "\(name) is \(value ?? "")")
        }
    }

    private func checkExchanges(_ exchanges: [CacheOrigin.Exchange], _ responses: [Response<Data>]) throws {
        var index = 0
        for (number, config) in test.requests.enumerated() {
            let type = config["expected_type"]?.string
            if type == "cached" { continue }
            guard index < exchanges.count else {
                try require(type == nil, setup: isSetup(config, "expected_type"), "request \(number + 1) was not sent")
                return
            }
            let exchange = exchanges[index]
            index += 1
            let validators: [String: HeaderName] = [
                "etag_validated": "If-None-Match", "lm_validated": "If-Modified-Since",
            ]
            if let validator = type.flatMap({ validators[$0] }) {
                try require(
                    exchange.headers[validator] != nil, setup: isSetup(config, "expected_type"),
                    "request \(number + 1) has no \(validator)")
            }
            for (key, isExpected) in [("expected_request_headers", true), ("expected_request_headers_missing", false)] {
                for field in config[key]?.array ?? [] {
                    let name = field.string ?? field[0]?.string ?? ""
                    let value = exchange.headers[HeaderName(name)]
                    let isThere = field[1]?.string.map { $0 == value } ?? (value != nil)
                    try require(isThere == isExpected, setup: isSetup(config, key), "\(name) is \(value ?? "missing")")
                }
            }
            // The suite does not compare dates, and browsers show no cookies.
            for (name, value) in exchange.sent where !["date", "set-cookie", "set-cookie2"].contains(name.lowercased())
            {
                let received = responses[number].headers[HeaderName(name)]
                try require(received == value, setup: true, "\(name) is \(received ?? "missing"), not \(value)")
            }
            if let method = config["expected_method"]?.string {
                try require(
                    exchange.method == method, setup: isSetup(config, "expected_method"), "the method is another")
            }
        }
    }
}

import ModelMirrorFoundation
import ModelMirrorNetworking

/// A running check of ``TransportConformance``: its server, its transport and its current step.
struct ConformanceProbe: Sendable {
    /// A violation of the contract.
    struct Unmet: Error {
        let sentence: String

        init(_ sentence: String) { self.sentence = sentence }
    }

    private enum Outcome: Sendable {
        case passed
        case failed(String)
        case late
    }

    private struct Step: Sendable {
        var clause = "it began"
        /// How often anything has happened.
        var count = 0
    }

    /// When a check counts as one that hangs.
    struct Patience: Sendable {
        /// How long nothing may happen.
        let limit: Duration
        /// The step from which on this counts; nil for the first.
        var step: String?
    }

    let server: LoopbackServer
    let transport: any Transport
    private let step = Observed(Step())

    init(server: LoopbackServer, transport: any Transport) {
        self.server = server
        self.transport = transport
    }

    /// Runs a check and returns a sentence if it fails. A transport that hangs is abandoned.
    func sentence(for check: TransportConformance.Check, patience: Patience) async throws -> String? {
        try await sentence(patience: patience) { try await perform(check) }
    }

    /// Runs the check in a closure.
    func sentence(patience: Patience, of check: @escaping @Sendable () async throws -> Void) async throws -> String? {
        let outcome = Observed<Outcome?>(nil)
        let run = Task {
            let result: Outcome
            do {
                try await check()
                result = .passed
            } catch let unmet as Unmet {
                result = .failed(unmet.sentence)
            } catch {
                result = .failed("while \(step.value.clause), it threw \"\(error)\"")
            }
            outcome.update { $0 = $0 ?? result }
        }
        let watch = Task {
            do {
                if let clause = patience.step { _ = try await step.wait { $0.clause == clause } }
                var count: Int
                repeat {
                    count = step.value.count
                    try await Task.sleep(for: min(patience.limit, TransportRequest.longestTimeout))
                } while step.value.count != count
            } catch {
                return
            }
            outcome.update { $0 = $0 ?? .late }
        }
        defer {
            run.cancel()
            watch.cancel()
        }
        switch try await outcome.wait(until: { $0 != nil }) {
        case .passed, nil: return nil
        case .failed(let sentence): return sentence
        case .late: return "nothing happened for \(patience.limit) while \(step.value.clause)"
        }
    }

    private func perform(_ check: TransportConformance.Check) async throws {
        switch check {
        case .statusIsNotJudged: try await statusIsNotJudged()
        case .headBeforeBody: try await headBeforeBody()
        case .responseFields: try await responseFields()
        case .requestFields: try await requestFields()
        case .requestTarget: try await requestTarget()
        case .informationalResponses: try await informationalResponses()
        case .emptyBodies: try await emptyBodies()
        case .largeBodies: try await largeBodies()
        case .chunkedBodies: try await chunkedBodies()
        case .backPressure: try await backPressure()
        case .requestBodies: try await requestBodies()
        case .bodiesAfterRedirect: try await bodiesAfterRedirect()
        case .redirectPolicy: try await redirectPolicy()
        case .redirectCredentials: try await redirectCredentials()
        case .cancelledBefore: try await cancelledBefore()
        case .cancelledBeforeHead: try await cancelledBeforeHead()
        case .cancelledInBody: try await cancelledInBody()
        case .cancelledInUpload: try await cancelledInUpload()
        case .cancelledAfter: try await cancelledAfter()
        case .droppedBody: try await droppedBody()
        case .brokenResponses: try await brokenResponses()
        case .brokenHeads: try await brokenHeads()
        case .noHTTP: try await noHTTP()
        case .refusedConnection: try await refusedConnection()
        case .timeout: try await timeout()
        case .concurrency: try await concurrency()
        case .contentCodings: try await contentCodings()
        case .userInfo: try await userInfo()
        case .boundedTimes: try await boundedTimes()
        case .timeoutOfUpload: try await timeoutOfUpload()
        case .timeoutInQueue: try await timeoutInQueue()
        case .uploadProgress: try await uploadProgress()
        }
    }

    /// Sets the current step for failure sentences: a clause after "while".
    func begin(_ clause: String) {
        step.update { step in
            step.clause = clause
            step.count += 1
        }
    }

    /// Records that the current step goes on, which may take long on a busy machine.
    func progress() { step.update { $0.count += 1 } }

    func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) throws {
        if !condition { throw Unmet(sentence()) }
    }

    func expect<Value: Equatable>(_ found: Value, equals expected: Value, _ what: String) throws {
        if found != expected { throw Unmet("\(what) is \(found), expected \(expected)") }
    }

    func request(_ method: HTTPMethod = .get, _ path: String, headers: HTTPHeaders = [:], body: HTTPBody? = nil)
        -> TransportRequest
    {
        TransportRequest(method, server.url(path), headers: headers, body: body)
    }

    /// The response to a request, with its whole body.
    func fetch(_ request: TransportRequest) async throws -> (response: TransportResponse, body: Data) {
        begin("\(request.method) \(request.url.path) was under way")
        let response = try await transport.response(to: request)
        begin("the body of \(request.method) \(request.url.path) was read")
        return (response, try await response.body.collect(limit: 1 << 28))
    }

    /// Fails the check unless the latest request arrived with this body.
    func expectArrival(of body: Data, _ name: String) throws {
        guard server.requests.last?.body != body || !server.refusals.isEmpty else { return }
        let refusal = server.refusals.last.map { "; the server refused a request with \($0)" } ?? ""
        throw Unmet("\(name) did not arrive as it was sent\(refusal)")
    }

    /// The error that a closure throws.
    ///
    /// - Parameter what: The subject of the failure sentence.
    func error<Value>(of what: String, _ body: () async throws -> Value) async throws -> RequestError {
        begin("\(what) was expected to fail")
        do {
            _ = try await body()
        } catch let error as RequestError {
            return error
        } catch let unmet as Unmet {
            throw unmet
        } catch {
            throw Unmet("\(what) throws \"\(error)\", which is not a RequestError")
        }
        throw Unmet("\(what) does not throw")
    }

    /// Fails the check unless a closure throws `.cancelled`.
    func expectCancelled<Value>(_ what: String, _ body: () async throws -> Value) async throws {
        let error = try await error(of: what, body)
        guard case .cancelled = error else { throw Unmet("\(what) throws \"\(error)\", expected cancelled") }
    }

    /// Fails the check unless a request or its body fails with a kind of connection failure.
    func expectConnection(
        _ kind: RequestError.ConnectionFailure.Kind, _ what: String, _ request: TransportRequest
    ) async throws {
        let error = try await error(of: what) {
            try await transport.response(to: request).body.collect(limit: 1 << 28)
        }
        guard case .connection(let failure) = error, failure.kind == kind else {
            throw Unmet("\(what) throws \"\(error)\", expected a connection failure of the kind \(kind)")
        }
    }

    /// Fails the check unless the client closes the connection of the latest request.
    func expectEndOfConnection(_ what: String) async throws {
        begin("the server waited for the connection to end after \(what)")
        let outcome = try await server.exchanges(atLeast: 1).last?.ended()
        try expect(
            outcome == .clientLeft, "after \(what) the exchange ended with \(outcome as Any), expected clientLeft")
    }
}

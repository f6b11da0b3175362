import ModelMirrorFoundation
public import ModelMirrorNetworking

extension TransportConformance {
    /// Checks that a transport that wraps another keeps what the library knows of a request's account, without a network.
    ///
    /// The layer must pass on each request that it was given, or a changed copy, and give no user the response to another's;
    /// answer `identity(for:)` with the inner transport's answer for that request, and its own account if it has one; and declare
    /// the header fields and query items that it adds (`TransportRequest.declaredFields`).
    ///
    /// ```swift
    /// @Test func wraps() async throws {
    ///     #expect(try await TransportConformance.wrappingFailures { base in Stamped(base: base) } == [])
    /// }
    /// ```
    ///
    /// - Parameter makeTransport: Makes the layer around a transport, which answers each request with 200 and `{}`; called several
    ///   times.
    /// - Returns: A sentence with the cure for each violation; empty for a conforming layer.
    /// - Throws: Errors of `makeTransport` and of the layer.
    public static func wrappingFailures(
        _ makeTransport: @Sendable (_ base: any Transport) async throws -> any Transport
    ) async throws -> [String] {
        guard let probe = WrappingProbe() else { return [] }
        var failures = try await probe.identityFailures(makeTransport)
        let bindingFailure = try await probe.bindingFailure(makeTransport)
        // Without the inner identity no sign-in is known either.
        let isKnown = failures.isEmpty || bindingFailure == WrappingProbe.otherRequest
        if isKnown, let bindingFailure { failures.append(bindingFailure) }
        if bindingFailure == WrappingProbe.otherRequest { return failures }
        if let sharingFailure = try await probe.sharingFailure(makeTransport) { return failures + [sharingFailure] }
        return try await failures + probe.declaringFailures(makeTransport)
    }
}

/// The checks of a wrapping transport.
private struct WrappingProbe {
    typealias Make = (_ base: any Transport) async throws -> any Transport

    static let otherRequest =
        "the inner transport got another request than the layer, so that it may be sent for another user; change a copy of the "
        + "request (var request = request) instead of making a TransportRequest"

    private let url: URL

    init?() {
        guard let url = URL(string: "https://api.example.com/conformance") else { return nil }
        self.url = url
    }

    private var endpoint: Endpoint<Data> { .get(.url(url)) }

    // MARK: Identity

    func identityFailures(_ make: Make) async throws -> [String] {
        let plain = InnerTransport()
        let own = try await identity(plain, make)
        let named = try await identity(InnerTransport(.account("alice")), make)
        let unknown = try await identity(InnerTransport(.unknown), make)
        switch own {
        case .none:
            return [(named, TransportIdentity.account("alice")), (unknown, .unknown)].filter { $0 != $1 }.map {
                "identity(for:) is \($0.words) where the inner transport's is \($1.words); return the inner transport's"
            }
        case .account(let name):
            var failures: [String] = []
            if case .account(let names) = named, !names.split(separator: "\n").contains("alice") {
                failures.append(
                    "identity(for:) is \(named.words) where the inner transport's is account \"alice\", so that users of the inner "
                        + "transport share responses; return \"\(name)\" and its account, separated by a line break, or .unknown"
                )
            }
            for found in [named, unknown] where found == .none {
                failures.append(
                    "identity(for:) is none, but account \"\(name)\" over another transport; return both accounts")
            }
            return failures
        case .unknown:
            // A layer that adds a credential of somebody whom it cannot name is right.
            let client = APIClient(transport: try await make(plain), baseURL: url)
            let request = try client.transportRequest(for: endpoint)
            _ = try await client.transport.response(to: request)
            let isUnchanged = plain.received.value.allSatisfy { $0.headers == request.headers && $0.url == request.url }
            guard isUnchanged else { return [] }
            return [
                "identity(for:) is unknown although the layer adds nothing to a request, so that nothing is stored or shared; "
                    + "implement it and return the inner transport's"
            ]
        }
    }

    private func identity(_ inner: InnerTransport, _ make: Make) async throws -> TransportIdentity {
        try await make(inner).identity(for: TransportRequest(.get, url))
    }

    // MARK: Binding

    /// Why a request that started for one user is sent after another has signed in; nil if it is not.
    func bindingFailure(_ make: Make) async throws -> String? {
        if try await sentAfterSwitch(make, account: { $0 }) == true { return WrappingProbe.otherRequest }
        guard try await sentAfterSwitch(make, account: nil) != nil else { return nil }
        return
            "a request that started for one user is sent for the next one; implement identity(for:) and return the "
            + "inner transport's for the same request"
    }

    /// Starts a request, switches the user and sends it.
    ///
    /// - Returns: Whether it arrived with another identity; nil if it did not arrive with the new user's credential.
    private func sentAfterSwitch(
        _ make: Make, account: AuthenticatingTransport<String>.Account?
    ) async throws -> Bool? {
        let inner = InnerTransport()
        let signedIn = try AuthenticatingTransport(
            inner, origins: [url], credential: "alice", adapt: { $0.headers["X-Conformance"] = $1 }, account: account)
        let client = APIClient(transport: try await make(signedIn), baseURL: url)
        let request = try client.transportRequest(for: endpoint)
        signedIn.credential = "bob"
        do {
            _ = try await client.transport.response(to: request)
        } catch RequestError.accountChanged {}
        guard let sent = inner.received.value.first, sent.headers["X-Conformance"] == "bob" else { return nil }
        return sent.identity != request.identity
    }

    // MARK: Sharing

    /// Why the next user's request gets the response to an earlier user's, or is sent as that one; nil if it is not.
    func sharingFailure(_ make: Make) async throws -> String? {
        let inner = InnerTransport()
        let signedIn = try AuthenticatingTransport(
            inner, origins: [url], credential: "alice", adapt: { $0.headers["X-Conformance"] = $1 }, account: { $0 })
        let client = APIClient(transport: try await make(signedIn), baseURL: url)
        _ = try await client.value(endpoint)
        signedIn.credential = "bob"
        do {
            _ = try await client.value(endpoint)
        } catch RequestError.accountChanged {
            return
                "the next user's request is sent as an earlier user's; pass on the request that response(to:) was given"
        }
        if inner.hasBob, try await !sharesTransfers(make) { return nil }
        return
            "the next user gets the response to an earlier user's request; pass on each request, or keep responses by the identity "
            + "of their requests as well"
    }

    /// Whether the next user's request gets the response to an earlier user's that is under way.
    private func sharesTransfers(_ make: Make) async throws -> Bool {
        let gate = Gate()
        let inner = InnerTransport(gate: gate)
        let signedIn = try AuthenticatingTransport(
            inner, origins: [url], credential: "alice", adapt: { $0.headers["X-Conformance"] = $1 }, account: { $0 })
        let client = APIClient(transport: try await make(signedIn), baseURL: url)
        let first = Task { [endpoint] in try await client.value(endpoint) }
        await happens { _ = try await inner.received.wait { !$0.isEmpty } }
        signedIn.credential = "bob"
        let second = Task { [endpoint] in try await client.value(endpoint) }
        // A layer that sends one request at a time sends it once the first has ended.
        await happens { _ = try await inner.received.wait { $0.contains(where: isBob) } }
        gate.open()
        _ = try? await first.value
        do {
            _ = try await second.value
        } catch RequestError.accountChanged {
            // The first user's own, if the second request joined the transfer.
        }
        return !inner.hasBob
    }

    /// Waits for an event, no longer than it takes on a busy machine.
    private func happens(_ event: @escaping @Sendable () async throws -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await event() }
            group.addTask { try? await Task.sleep(for: .seconds(3)) }
            await group.next()
            group.cancelAll()
        }
    }

    // MARK: Declaring

    func declaringFailures(_ make: Make) async throws -> [String] {
        let inner = InnerTransport()
        let names = Observed<[String]>([])
        var client = APIClient(
            transport: try await make(inner), baseURL: url, persistence: Persistence(MemoryStore()))
        client.persistence?.report = { incident, _ in
            if case .undeclared(let undeclared) = incident { names.update { $0 = undeclared } }
        }
        _ = try await client.value(endpoint, policy: .networkOnly)
        var failures = names.value.map { name in
            "it adds \"\(name)\" to a request and does not declare it, so that the response is not stored; insert the name into "
                + "the request's declaredFields, and if it tells the user, return the account in identity(for:)"
        }
        var request = try client.transportRequest(for: endpoint)
        request.headers["X-Outer"] = "1"
        request.declaredFields.insert("X-Outer")
        _ = try await client.transport.response(to: request)
        if !inner.received.value.suffix(1).allSatisfy({ $0.declaredFields.contains("X-Outer") }) {
            failures.append("it replaces the fields that outer layers declared; insert names into declaredFields")
        }
        return failures
    }
}

@Sendable private func isBob(_ request: TransportRequest) -> Bool { request.headers["X-Conformance"] == "bob" }

/// The inner transport of a check.
private struct InnerTransport: Transport {
    let received = Observed<[TransportRequest]>([])
    private let identity: TransportIdentity
    /// Holds back the responses to other users than the last.
    private let gate: Gate?

    init(_ identity: TransportIdentity = .none, gate: Gate? = nil) {
        self.identity = identity
        self.gate = gate
    }

    /// Whether a request of the last user has arrived.
    var hasBob: Bool { received.value.contains(where: isBob) }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        received.update { $0.append(request) }
        let request = try request.prepared()
        if !hasBob { try await gate?.enter() }
        return TransportResponse(
            status: 200, headers: [.contentType: "application/json"], url: request.url,
            body: ResponseBody(Data("{}".utf8)))
    }

    func identity(for request: TransportRequest) -> TransportIdentity { identity }
}

extension TransportIdentity {
    fileprivate var words: String {
        switch self {
        case .none: "none"
        case .account(let name): "account \(name.debugDescription)"
        case .unknown: "unknown"
        }
    }
}

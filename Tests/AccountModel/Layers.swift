import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization

/// A transport of the program's own that adds the key of a session.
private struct Stamping: Transport {
    let base: any Transport
    let world: World
    let holder: Int
    let field: HeaderName
    let isDeclared: Bool

    func identity(for request: TransportRequest) -> TransportIdentity {
        let base = base.identity(for: request)
        guard isDeclared, let session = world.session(holder) else { return base }
        switch base {
        case .none: return .account(session.user)
        case .account(session.user), .unknown: return base
        case .account(let other): return .account("\(session.user)\n\(other)")
        }
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        if let session = world.session(holder) {
            request.headers[field] = session.key
            if isDeclared { request.declaredFields.insert(field) }
        }
        return try await base.response(to: request)
    }
}

/// A transport that does not say for whom it sends.
private struct Silent: Transport {
    let base: any Transport

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await base.response(to: request)
    }
}

/// Notes when requests arrive; changes nothing.
private struct Probe: Transport {
    let base: any Transport
    let arrived: @Sendable (TransportRequest) -> Void

    func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        arrived(request)
        return try await base.response(to: request)
    }
}

/// An interceptor that adds the key of a session, and may name its user.
private struct Keyed: Interceptor {
    let world: World
    let holder: Int
    let field: HeaderName
    let isNamed: Bool

    func adapt(_ request: inout TransportRequest) async throws {
        if let session = world.session(holder) { request.headers[field] = session.key }
    }

    func identity(for request: TransportRequest) -> TransportIdentity {
        guard isNamed else { return .unknown }
        return world.session(holder).map { .account($0.user) } ?? .none
    }
}

private struct RenewalFailure: Error {}

/// The stack of a run.
struct Stack: Sendable {
    let outermost: any Transport
    /// Sets the credentials of authenticating layers.
    let setters: [Int: @Sendable (String?) -> Void]

    init(_ world: World, over last: any Transport, _ server: Server, folder: URL?) throws {
        var transport = last
        var setters: [Int: @Sendable (String?) -> Void] = [:]
        var holder = world.holders.count
        for layer in world.plan.layers.reversed() {
            if layer.holdsCredential { holder -= 1 }
            let base = transport
            switch layer {
            case .retry:
                var policy = RetryPolicy()
                policy.firstDelay = .zero
                policy.longestDelay = .zero
                transport = RetryTransport(base, policy: policy, clock: ManualClock())
            case .coalescing: transport = CoalescingTransport(base)
            case .logging(let curl):
                transport = LoggingTransport(base, level: curl ? .curl : .bodies(max: 1 << 10)) { entry in
                    world.note(entry.text)
                    if let error = entry.error { world.note("\(error)") }
                }
            case .recording:
                guard let folder else { break }
                transport = try RecordingTransport(base, folder: folder.appendingPathComponent("recording"))
            case .tour:
                transport = InterceptingTransport(base, account: .none) { $0.headers["X-Client"] = "tour" }
            case .authentication(let plan):
                let made = try Stack.authentication(plan, base, world, holder, server)
                world.credentials.withLock { $0[holder] = { made.credential } }
                setters[holder] = { made.credential = $0 }
                transport = made
            case .named:
                transport = InterceptingTransport(
                    base, interceptors: [Keyed(world: world, holder: holder, field: "X-User", isNamed: true)])
            case .unnamed:
                transport = InterceptingTransport(
                    base, interceptors: [Keyed(world: world, holder: holder, field: "X-Session", isNamed: false)])
            case .declaring:
                transport = Stamping(base: base, world: world, holder: holder, field: "X-Stamp", isDeclared: true)
            case .careless:
                transport = Stamping(base: base, world: world, holder: holder, field: "X-Careless", isDeclared: false)
            case .authorizing:
                transport = Stamping(base: base, world: world, holder: holder, field: .authorization, isDeclared: false)
            case .silent: transport = Silent(base: base)
            }
            if layer.holdsCredential {
                transport = Probe(base: transport) { [holder] request in
                    guard world.holders[holder].concerns(server.origin(of: request.url)) else { return }
                    if let number = Run.request { world.arrived(number, at: holder) }
                }
            }
        }
        outermost = Probe(base: transport) { request in
            if let number = Run.request { world.bound(number, server.origin(of: request.url)) }
        }
        self.setters = setters
    }

    private static func authentication(
        _ plan: Plan.Authentication, _ base: any Transport, _ world: World, _ holder: Int, _ server: Server
    ) throws -> AuthenticatingTransport<String> {
        let origin = server.origins[plan.origin]
        let refresh: AuthenticatingTransport<String>.Refresh?
        if plan.renewal == .none {
            refresh = nil
        } else {
            refresh = { _, transport in
                let before = world.signIns[holder]
                let url = origin.appendingPathComponent("token")
                do {
                    let response = try await transport.response(to: TransportRequest(.post, url))
                    _ = try await response.body.collect(limit: 1 << 10)
                    guard response.status == 200, plan.renewal != .fails else { throw RenewalFailure() }
                    if plan.renewal == .losesConnection {
                        throw RequestError.connection(.init(.cannotConnect, url: url, reason: "none"))
                    }
                } catch {
                    world.hasFailedRenewal(of: holder)
                    throw error
                }
                let user = before.user ?? Plan.users[Int(world.plan.seed % 2)]
                return world.renewal(
                    of: holder, from: before,
                    as: plan.renewal == .isAnother ? (user == "alice" ? "bob" : "alice") : user)
            }
        }
        let account: AuthenticatingTransport<String>.Account? =
            plan.isNamed ? { @Sendable text in world.withState { $0.secrets[text]?.user } } : nil
        switch plan.style {
        case .bearer:
            return try AuthenticatingTransport(
                base, origins: [origin], token: nil, refresh: refresh, account: account)
        case .header:
            return try AuthenticatingTransport(
                base, origins: [origin], credential: nil,
                adapt: { $0.headers[HeaderName("X-Key-\(plan.origin)")] = $1 }, refresh: refresh, account: account)
        case .query:
            return try AuthenticatingTransport(
                base, origins: [origin], credential: nil,
                adapt: { request, key in
                    request.url = request.url.appending(queryItems: [
                        URLQueryItem(name: "key\(plan.origin)", value: key)
                    ])
                }, refresh: refresh, account: account)
        }
    }
}

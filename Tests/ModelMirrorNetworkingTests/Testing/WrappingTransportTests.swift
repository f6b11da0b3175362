import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("TransportConformance of wrapping transports", .timeLimit(.hung), .network)
struct WrappingTransportTests {
    private let api = URL(string: "https://api.example.com")!

    @Test("The library's layers conform")
    func library() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "wrapping-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let layers: [@Sendable (any Transport) throws -> any Transport] = [
            { RetryTransport($0) }, { CoalescingTransport($0) }, { LoggingTransport($0) { _ in } },
            { ReachabilityTransport($0, isConnected: { true }) },
            { try RecordingTransport($0, folder: folder) }, { InterceptingTransport($0) },
            { InterceptingTransport($0, account: .none) { $0.headers["X-Client"] = "tour" } },
            { InterceptingTransport($0, account: .account("key")) { $0.headers["X-Key"] = "1" } },
            { InterceptingTransport($0) { $0.headers["X-Key"] = "1" } },
            { [api] in try AuthenticatingTransport($0, origins: [api], token: "a", account: { $0 }) },
            { [api] in try AuthenticatingTransport($0, origins: [api], token: "a") },
        ]
        for (index, layer) in layers.enumerated() {
            #expect(try await TransportConformance.wrappingFailures(layer) == [], "\(index)")
        }
    }

    @Test("Layers of a program's own conform, or their fault is described")
    func ownLayers() async throws {
        let otherRequest =
            "the inner transport got another request than the layer, so that it may be sent for another user; change a copy of the "
            + "request (var request = request) instead of making a TransportRequest"
        let nextUser =
            "a request that started for one user is sent for the next one; implement identity(for:) and return the "
            + "inner transport's for the same request"
        for (layer, expected) in [
            (OwnLayer(), []), (OwnLayer(adds: true, declares: true), []),
            (OwnLayer(identity: .joined, adds: true, declares: true), []),
            // A new request.
            (OwnLayer(copies: false), [otherRequest]), (OwnLayer(copies: false, adds: true), [otherRequest]),
            (
                OwnLayer(identity: .missing),
                [
                    "identity(for:) is unknown although the layer adds nothing to a request, so that nothing is stored or shared; "
                        + "implement it and return the inner transport's"
                ]
            ),
            // No identity, whatever the base has.
            (
                OwnLayer(identity: .none),
                [
                    "identity(for:) is none where the inner transport's is account \"alice\"; return the inner transport's",
                    "identity(for:) is none where the inner transport's is unknown; return the inner transport's",
                ]
            ),
            // An account without the base's.
            (
                OwnLayer(identity: .own, adds: true, declares: true),
                [
                    "identity(for:) is account \"tenant\" where the inner transport's is account \"alice\", so that users of the inner "
                        + "transport share responses; return \"tenant\" and its account, separated by a line break, or .unknown"
                ]
            ),
            // The base's identity, asked with another request.
            (OwnLayer(identity: .ofNewRequest), [nextUser]),
            // A key of an unknown account, with and without asking the base.
            (OwnLayer(identity: .missing, adds: true), [nextUser]), (OwnLayer(identity: .unknown, adds: true), []),
            // Fields and query items that are not declared.
            (
                OwnLayer(adds: true),
                ["X-Key", "key"].map { name in
                    "it adds \"\(name)\" to a request and does not declare it, so that the response is not stored; insert the name "
                        + "into the request's declaredFields, and if it tells the user, return the account in identity(for:)"
                }
            ),
            (
                OwnLayer(adds: true, declares: true, replaces: true),
                ["it replaces the fields that outer layers declared; insert names into declaredFields"]
            ),
        ] as [(OwnLayer, [String])] {
            let failures = try await TransportConformance.wrappingFailures { base in
                var layer = layer
                layer.base = base
                return layer.identity == .missing ? WithoutIdentity(layer: layer) : layer
            }
            #expect(failures == expected, "\(layer)")
        }
    }

    @Test("Layers that keep or share what they got do so by account")
    func sharing() async throws {
        let sharedResponse =
            "the next user gets the response to an earlier user's request; pass on each request, or keep responses by the identity "
            + "of their requests as well"
        let layers: [(name: String, make: @Sendable (any Transport) -> any Transport, failures: [String])] = [
            ("responses", { KeepingLayer(base: $0, keeps: .responses) }, [sharedResponse]),
            (
                "the first request for ever", { KeepingLayer(base: $0, keeps: .requests) },
                [
                    "the next user's request is sent as an earlier user's; pass on the request that response(to:) was given"
                ]
            ),
            ("responses by account", { KeepingLayer(base: $0, keeps: .responsesByAccount) }, []),
            ("transfers", { JoiningLayer(base: $0, joins: true) }, [sharedResponse]),
            ("one request at a time", { JoiningLayer(base: $0, joins: false) }, []),
        ]
        for layer in layers {
            #expect(try await TransportConformance.wrappingFailures(layer.make) == layer.failures, "\(layer.name)")
        }
    }

    @Test("A layer that adds nothing to the URL of a request and only fields that name no user need not declare them")
    func harmless() async throws {
        let failures = try await TransportConformance.wrappingFailures { base in
            StampingTransport(base, .userAgent) { "tour" }
        }
        #expect(failures == [])
    }
}

/// A layer with one fault or none.
private struct OwnLayer: Transport {
    enum Identity {
        case ofBase, missing, unknown, none, own, joined, ofNewRequest
    }

    var base: any Transport = MockTransport()
    var identity = Identity.ofBase
    var copies = true
    var adds = false
    var declares = false
    var replaces = false

    init(
        identity: Identity = .ofBase, copies: Bool = true, adds: Bool = false, declares: Bool = false,
        replaces: Bool = false
    ) {
        self.identity = identity
        self.copies = copies
        self.adds = adds
        self.declares = declares
        self.replaces = replaces
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var sent = copies ? request : TransportRequest(request.method, request.url, headers: request.headers)
        if adds {
            sent.headers["X-Key"] = "1"
            sent.url = sent.url.appending(queryItems: [URLQueryItem(name: "key", value: "1")])
        }
        if declares {
            sent.declaredFields = (replaces ? [] : sent.declaredFields).union(["X-Key", "key"])
        }
        return try await base.response(to: sent)
    }

    func identity(for request: TransportRequest) -> TransportIdentity {
        // Asking the base with the request makes its layers take note.
        if identity == .ofNewRequest { return base.identity(for: TransportRequest(request.method, request.url)) }
        return switch (identity, base.identity(for: request)) {
        case (.ofBase, let inner): inner
        case (.missing, _), (.unknown, _): .unknown
        case (.none, _): .none
        case (.own, _), (.joined, .none): .account("tenant")
        case (.joined, .unknown): .unknown
        case (.joined, .account(let name)): .account("tenant\n\(name)")
        case (.ofNewRequest, let inner): inner
        }
    }
}

private struct WithoutIdentity: Transport {
    let layer: OwnLayer

    func response(to request: TransportRequest) async throws -> TransportResponse {
        try await layer.response(to: request)
    }
}

/// A layer that keeps responses or requests by their URL and header fields.
private final class KeepingLayer: Transport {
    enum Kept { case responses, responsesByAccount, requests }

    private let base: any Transport
    private let kept: Kept
    private let bodies = Mutex<[String: Data]>([:])
    private let first = Mutex<TransportRequest?>(nil)

    init(base: any Transport, keeps kept: Kept) {
        self.base = base
        self.kept = kept
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        if kept == .requests {
            let first = first.withLock { first in
                first = first ?? request
                return first ?? request
            }
            return try await base.response(to: first)
        }
        let account = kept == .responsesByAccount ? "\(identity(for: request))" : ""
        let key = "\(request.url) \(request.headers.fields) \(account)"
        if let body = bodies.withLock({ $0[key] }) {
            return TransportResponse(
                status: 200, headers: [.contentType: "application/json"], url: request.url, body: ResponseBody(body))
        }
        var response = try await base.response(to: request)
        let body = try await response.body.collect(limit: 1000)
        bodies.withLock { $0[key] = body }
        response.body = ResponseBody(body)
        return response
    }

    func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
}

/// A layer that joins requests for a URL with one that is under way, or sends them after it.
private actor JoiningLayer: Transport {
    private let base: any Transport
    private let joins: Bool
    private var running: Task<Data, any Error>?

    init(base: any Transport, joins: Bool) {
        self.base = base
        self.joins = joins
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var task = running
        if !joins || task == nil {
            task = Task { [base, running] in
                _ = await running?.result
                return try await base.response(to: request).body.collect(limit: 1000)
            }
            running = task
        }
        let body = try await task?.value ?? Data()
        if joins { running = nil }
        return TransportResponse(
            status: 200, headers: [.contentType: "application/json"], url: request.url, body: ResponseBody(body))
    }

    nonisolated func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
}

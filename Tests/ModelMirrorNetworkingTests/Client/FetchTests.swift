import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Fetch policies", .timeLimit(.hung), .network)
struct FetchTests {
    private let gists = Endpoint<[StoredGist]>.get("https://example.com/gists")

    @Test("cacheElseNetwork asks the network once, then serves the stored response")
    func cacheElseNetwork() async throws {
        let setup = StoringSetup("[{\"id\": 1}]")
        #expect(try await setup.ids() == [1])
        #expect(try await setup.ids() == [1])
        #expect(setup.transport.requests.count == 1)
        // Another repository with the same store finds it, too.
        let other = AbstractRepository<String>(transport: MockTransport(), store: setup.store)
        #expect(try await other.value(gists).map(\.id) == [1])
    }

    @Test("networkOnly asks the network each time and stores the response")
    func networkOnly() async throws {
        let setup = StoringSetup(.sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]"), .failure(.offline)]))
        #expect(try await setup.ids(.networkOnly) == [1])
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(try await setup.ids(.cacheOnly) == [2])
        await #expect {
            _ = try await setup.ids(.networkOnly)
        } throws: { error in
            if case RequestError.connection(let failure) = error { failure.kind == .offline } else { false }
        }
        #expect(setup.transport.requests.count == 3)
    }

    @Test(
        "networkElseCache serves the stored response with the reason if the network or server fails",
        arguments: [
            (.failure(.connectionLost), "lost"), (.failure(.offline), "offline"),
            (.failure(.noConnectivity), "no connectivity"), (.status(408), "408"), (.status(429), "429"),
            (.status(500), "500"), (.json("{}", status: 503), "503"), (.text("<html>"), "content type"),
            (.json(""), "empty"), (.status(204), "empty"), (.json("[{\"id\": \"x\"}]"), "model"),
            (.json("[{"), "model"), (.json("{}"), "model"),
        ] as [(MockResponse, String)])
    func networkElseCache(response: MockResponse, reason: String) async throws {
        let setup = StoringSetup(.sequence([.json("[{\"id\": 1}]"), response, .json("[{\"id\": 2}]")]))
        let policy = FetchPolicy.networkElseCache
        let first = try await setup.repository.response(gists, policy: policy)
        #expect(first.origin == .network)
        #expect(first.fallbackReason == nil)
        let date = setup.clock.date
        setup.clock.advance(10)
        let second = try await setup.repository.response(gists, policy: policy)
        #expect(second.value.map(\.id) == [1])
        #expect(second.status == 200)
        #expect(second.origin == .store(date))
        #expect(word(second.fallbackReason) == reason)
        #expect(setup.told.words == [])
        #expect(try await setup.ids(policy) == [2])
        #expect(setup.transport.requests.count == 3)
    }

    @Test("Reading closures and pages get the reason for serving the stored response")
    func reasonInReading() async throws {
        let responses: [MockResponse] = [.json("[{\"id\": 1}]"), .status(503)]
        let setup = StoringSetup(.sequence(responses + responses))
        let policy = FetchPolicy.networkElseCache
        let hasReason = Endpoint<Bool>.get("https://example.com/gists", reading: { $0.fallbackReason != nil })
        #expect(try await setup.repository.value(hasReason, policy: policy) == false)
        #expect(try await setup.repository.value(hasReason, policy: policy) == true)
        let page = setup.repository.pages(gists).endpoint
        #expect(try await setup.repository.value(page, policy: policy).response.fallbackReason == nil)
        #expect(try await word(setup.repository.value(page, policy: policy).response.fallbackReason) == "503")
    }

    @Test(
        "networkElseCache throws a client error status instead of serving the stored response",
        arguments: [400, 401, 403, 404, 410, 422])
    func networkElseCacheRefused(status: Int) async throws {
        let setup = StoringSetup(.sequence([.json("[{\"id\": 1}]"), .status(status)]))
        #expect(try await setup.ids(.networkElseCache) == [1])
        await #expect {
            _ = try await setup.ids(.networkElseCache)
        } throws: { error in
            if case RequestError.unacceptableStatus(let response) = error { response.status == status } else { false }
        }
    }

    @Test("networkElseCache throws a failure status of the envelope, and if nothing is stored")
    func networkElseCacheEnvelope() async throws {
        let setup = StoringSetup(
            .sequence([
                .failure(.connectionLost), .json(#"{"status": "OK", "items": [{"id": 1}]}"#),
                .json(#"{"status": "FAIL", "items": []}"#), .status(502),
            ]))
        setup.repository.client.configuration.envelope = Envelope(statusKey: "status", success: "OK")
        setup.repository.client.configuration.objectsKey = "items"
        await #expect(throws: RequestError.self) { _ = try await setup.ids(.networkElseCache) }
        #expect(try await setup.ids(.networkElseCache) == [1])
        await #expect {
            _ = try await setup.ids(.networkElseCache)
        } throws: { error in
            if case RequestError.statusFailure(let failure) = error { failure.status == "FAIL" } else { false }
        }
        // A stored response that is too old is not served, and the network's error is thrown.
        setup.clock.advance(11)
        await #expect {
            _ = try await setup.ids(.networkElseCache.maxAge(.seconds(10)))
        } throws: { error in
            if case RequestError.unacceptableStatus(let response) = error { response.status == 502 } else { false }
        }
        #expect(try await setup.ids(.networkElseCache.maxAge(.seconds(11))) == [1])
    }

    private func word(_ error: (any Error)?) -> String {
        guard let error = error as? RequestError else {
            return error is ModelError ? "model" : "\(String(describing: error))"
        }
        return switch error {
        case .connection(let failure): failure.kind == .offline ? "offline" : "lost"
        case .noConnectivity: "no connectivity"
        case .unacceptableStatus(let response): "\(response.status)"
        case .unacceptableContentType: "content type"
        case .emptyBody: "empty"
        default: "\(error)"
        }
    }

    @Test(
        "Each response has its origin, and no fallback reason if no request failed"
    )
    func origins() async throws {
        let setup = StoringSetup(
            .sequence([.json("[{\"id\": 1}]", headers: [.eTag: "\"a\"", "X-Left": "9"]), .status(304)]))
        let network = try await setup.repository.response(gists)
        #expect(network.origin == .network)
        #expect(network.headers["X-Left"] == "9")
        let stored = try await setup.repository.response(gists)
        #expect(stored.origin == .store(setup.clock.date))
        #expect(stored.headers["X-Left"] == "9")
        #expect(stored.metrics == nil)
        #expect(stored.fallbackReason == nil)
        let confirmed = try await setup.repository.response(gists, policy: .networkOnly)
        #expect(confirmed.origin == .confirmedStore)
        #expect(confirmed.status == 200)
        #expect(confirmed.value.map(\.id) == [1])
        #expect(confirmed.fallbackReason == nil)
    }

    @Test("Without a store, cacheOnly throws and every other policy asks the network")
    func withoutStore() async throws {
        let transport = MockTransport()
        transport.on(.get, "/gists", .json("[{\"id\": 1}]"))
        let client = APIClient(transport: transport)
        for order in FetchPolicy.Order.allCases where order != .cacheOnly {
            #expect(try await client.value(gists, policy: FetchPolicy(order)).map(\.id) == [1])
        }
        #expect(transport.requests.count == FetchPolicy.Order.allCases.count - 1)
        var words: [String] = []
        for try await response in client.values(gists) {
            words.append("\(response.value.map(\.id)) \(response.origin)")
        }
        #expect(words == ["[1] network"])
        await expectError(
            "The client that requests https://example.com/gists has no store; choose a policy that uses the network."
        ) { _ = try await client.value(gists, policy: .cacheOnly) }
        #expect(transport.requests.count == FetchPolicy.Order.allCases.count)
    }

    @Test("cacheOnly sends nothing and throws if the stored response is missing or too old")
    func cacheOnly() async throws {
        let setup = StoringSetup("[{\"id\": 1}]")
        await expectError(
            "Nothing is stored for https://example.com/gists; choose a policy that uses the network."
        ) { _ = try await setup.ids(.cacheOnly) }
        #expect(setup.transport.requests.isEmpty)
        #expect(try await setup.ids() == [1])
        // An age below one second is a fraction.
        setup.clock.advance(0.25)
        await expectError(
            "The stored response for https://example.com/gists is 0.25 s old, older than the 0 s allowed; choose a policy that uses "
                + "the network."
        ) { _ = try await setup.ids(.cacheOnly.maxAge(.zero)) }
        setup.clock.advance(89.75)
        #expect(try await setup.ids(.cacheOnly) == [1])
        await expectError(
            "The stored response for https://example.com/gists is 90 s old, older than the 89 s allowed; choose a policy that uses "
                + "the network."
        ) { _ = try await setup.ids(.cacheOnly.maxAge(.seconds(89))) }
    }

    @Test("A fetch without a network and a stored response throws its own error", arguments: [true, false])
    func noConnectivity(isAsked: Bool) async throws {
        let setup = StoringSetup(.failure(.offline))
        if isAsked {
            setup.repository.client.transport = ReachabilityTransport(
                setup.transport, isConnected: { false })
        }
        for policy in [FetchPolicy.cacheElseNetwork, .networkElseCache, .cacheThenNetwork] {
            await expectError(
                "There is no network connection, and nothing is stored for https://example.com/gists; try again when there is one."
            ) { _ = try await setup.ids(policy) }
        }
        #expect(setup.transport.requests.count == (isAsked ? 0 : 3))
        setup.store.save(stored("[{\"id\": 5}]"), for: setup.key)
        #expect(try await setup.ids() == [5])
        #expect(try await setup.ids(.networkElseCache) == [5])
        await expectError(
            "There is no network connection, and the stored response for https://example.com/gists is 100 s old, older than the "
                + "10 s allowed; try again when there is one."
        ) { _ = try await setup.ids(.cacheElseNetwork.maxAge(.seconds(10))) }
        // Any other network failure is thrown unchanged.
        let lost = StoringSetup(.failure(.connectionLost))
        await #expect(throws: RequestError.self) { _ = try await lost.ids() }
    }

    @Test("A stored response is used up to the maximum age, and not if its date is more than a minute ahead")
    func expiry() async throws {
        let setup = StoringSetup(.sequence((1...3).map { .json("[{\"id\": \($0)}]") }))
        let policy = FetchPolicy.cacheElseNetwork.maxAge(.seconds(60))
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(60)
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(-120)
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(120.001)
        #expect(try await setup.ids(policy) == [2])
        #expect(try await setup.ids(policy) == [2])
        #expect(setup.transport.requests.count == 2)
        setup.clock.advance(-60.001)
        #expect(try await setup.ids(.cacheElseNetwork) == [2])
        #expect(try await setup.ids(policy) == [3])
        #expect(try await setup.ids(policy) == [3])
    }

    @Test("A 304 to the stored validators serves the stored response and renews its age")
    func revalidation() async throws {
        let first = MockResponse.json(
            "[{\"id\": 1}]",
            headers: [
                .eTag: "W/\"a,b\"", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", "X-Left": "9", .setCookie: "a=b",
            ])
        let setup = StoringSetup(
            .sequence([
                first, .status(304, headers: [.eTag: "\"a,b\"", "X-Left": "8", .contentType: "text/html"]),
                .json("[{\"id\": 2}]"),
            ]))
        let policy = FetchPolicy.cacheElseNetwork.maxAge(.seconds(60))
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(61)
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(60)
        #expect(try await setup.ids(policy) == [1])
        #expect(setup.transport.requests.count == 2)
        let asked = setup.transport.requests[1].headers
        #expect(asked[.ifNoneMatch] == "W/\"a,b\"")
        #expect(asked[.ifModifiedSince] == "Sun, 06 Nov 1994 08:49:37 GMT")
        let kept = try #require(setup.store.response(for: setup.key))
        #expect((kept.headers[.eTag], kept.headers[.lastModified]) == ("\"a,b\"", "Sun, 06 Nov 1994 08:49:37 GMT"))
        let fields = ["X-Left", .contentType, .setCookie, .contentLength].map { kept.headers[$0] }
        #expect(fields == ["8", "application/json", nil, nil])
        #expect(kept.status == 200)
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.transport.requests[2].headers[.ifNoneMatch] == "\"a,b\"")
    }

    @Test(
        "A 304 with a strong ETag that the stored response does not have is followed by an unconditional request",
        arguments: [
            (HeaderName.eTag, "\"a\"", HeaderName.ifNoneMatch),
            (.lastModified, "Sun, 06 Nov 1994 08:49:37 GMT", .ifModifiedSince),
        ])
    func confirmationOfAnother(validator: HeaderName, value: String, condition: HeaderName) async throws {
        let setup = StoringSetup(
            .sequence([
                .json("[{\"id\": 1}]", headers: [validator: value]), .status(304, headers: [.eTag: "\"b\""]),
                .json("[{\"id\": 2}]", headers: [.eTag: "\"b\""]),
            ]))
        #expect(try await setup.ids(.networkOnly) == [1])
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.transport.requests.map { $0.headers[condition] } == [nil, value, nil])
        let kept = try #require(setup.store.response(for: setup.key))
        #expect(kept.headers[.eTag] == "\"b\"")
        #expect(kept.body == Data("[{\"id\": 2}]".utf8))
    }

    @Test("No validators are added if revalidation is off or the caller has conditions of its own")
    func noRevalidation() async throws {
        let setup = StoringSetup(
            .sequence([.json("[{\"id\": 1}]", headers: [.eTag: "\"a\""]), .json("[]"), .status(304)]))
        _ = try await setup.ids(.networkOnly)
        setup.repository.client.persistence?.revalidates = false
        _ = try await setup.ids(.networkOnly)
        #expect(setup.transport.requests[1].headers[.ifNoneMatch] == nil)
        setup.repository.client.persistence?.revalidates = true
        setup.repository.client.persistence?.key = { _ in "one" }
        setup.store.save(stored("[]", headers: [.eTag: "\"a\""]), for: "one")
        let conditional = Endpoint<[StoredGist]>.get(
            "https://example.com/gists", headers: [.ifNoneMatch: "\"mine\""])
        await #expect(throws: RequestError.self) {
            _ = try await setup.repository.value(conditional, policy: .networkOnly)
        }
        #expect(setup.transport.requests[2].headers[.ifNoneMatch] == "\"mine\"")
    }

    @Test(
        "An unusable stored response is reported, ignored and not revalidated",
        arguments: ["", "[{\"id\": \"x\"}]", "[", "{}"])
    func unusable(body: String) async throws {
        for policy in [FetchPolicy.cacheElseNetwork, .cacheThenNetwork] {
            let setup = StoringSetup("[{\"id\": 2}]")
            setup.store.save(stored(body, headers: [.eTag: "\"a\""]), for: setup.key)
            #expect(try await setup.ids(policy) == [2])
            #expect(setup.transport.requests.map { $0.headers[.ifNoneMatch] } == [nil])
            #expect(setup.told.words == ["unusable"])
            #expect(try await setup.ids(.cacheOnly) == [2])
        }
    }

    @Test("A 304 for an unusable stored response is followed by an unconditional request")
    func unusableConfirmed() async throws {
        let setup = StoringSetup("")
        setup.transport.on(.get, "/gists") { request in
            request.headers[.ifNoneMatch] == nil ? .json("[{\"id\": 2}]") : .status(304)
        }
        setup.store.save(stored("[{", headers: [.eTag: "\"a\""]), for: setup.key)
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.transport.requests.map { $0.headers[.ifNoneMatch] } == ["\"a\"", nil])
        #expect(setup.told.words == ["unusable"])
    }

    @Test("If the unconditional request fails, too, its error ends the call")
    func unusableConfirmedOffline() async throws {
        let setup = StoringSetup("")
        setup.transport.on(.get, "/gists") { request in
            request.headers[.ifNoneMatch] == nil ? .failure(.offline) : .status(304)
        }
        setup.store.save(stored("[{", headers: [.eTag: "\"a\""]), for: setup.key)
        await #expect(throws: RequestError.self) { _ = try await setup.ids(.networkOnly) }
        #expect(setup.transport.requests.count == 2)
        #expect(setup.told.words == ["unusable"])
    }
}

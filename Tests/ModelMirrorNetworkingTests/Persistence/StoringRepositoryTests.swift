import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Fetching by a policy", .timeLimit(.minutes(1)))
struct StoringRepositoryTests {
    private let gists = Resource<[StoredGist]>.objects("https://example.com/gists")

    @Test("cacheElseNetwork: stored once, the network is not asked again")
    func cacheElseNetwork() async throws {
        let setup = StoringSetup("[{\"id\": 1}]")
        #expect(try await setup.ids() == [1])
        #expect(try await setup.ids() == [1])
        #expect(setup.transport.requests.count == 1)
        // Another repository with the same store finds it, too.
        let other = StoringRepository<String>(transport: MockTransport(), store: setup.store)
        #expect(try await other.value(of: gists).map(\.id) == [1])
    }

    @Test("networkOnly: the network is asked each time, and what it gives is stored")
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

    @Test("networkElseCache: the store serves where the network or the server fails, and nowhere else")
    func networkElseCache() async throws {
        let setup = StoringSetup(
            .sequence([
                .json("[{\"id\": 1}]"), .failure(.connectionLost), .status(503), .failure(.noConnectivity),
                .status(404),
                .json("[{\"id\": \"x\"}]"), .json("[{\"id\": 2}]"),
            ]))
        #expect(try await setup.ids(.networkElseCache) == [1])
        #expect(try await setup.ids(.networkElseCache) == [1])
        #expect(try await setup.ids(.networkElseCache) == [1])
        #expect(try await setup.ids(.networkElseCache) == [1])
        await #expect {
            _ = try await setup.ids(.networkElseCache)
        } throws: { error in
            if case RequestError.unacceptableStatus(let response) = error { response.status == 404 } else { false }
        }
        await #expect(throws: ModelError.self) { _ = try await setup.ids(.networkElseCache) }
        #expect(try await setup.ids(.networkElseCache) == [2])
    }

    @Test("cacheOnly: nothing is sent, and what is missing has its own error")
    func cacheOnly() async throws {
        let setup = StoringSetup("[{\"id\": 1}]")
        await expectError(
            "Nothing is stored for https://example.com/gists; ask the network, by another policy."
        ) { _ = try await setup.ids(.cacheOnly) }
        #expect(setup.transport.requests.isEmpty)
        #expect(try await setup.ids() == [1])
        setup.clock.advance(90)
        #expect(try await setup.ids(.cacheOnly) == [1])
        await expectError(
            "What is stored for https://example.com/gists is 90 s old, older than the 89 s allowed; ask the network, by another "
                + "policy."
        ) { _ = try await setup.ids(.cacheOnly.maxAge(.seconds(89))) }
    }

    @Test("No connectivity and nothing stored is an error of its own", arguments: [true, false])
    func noConnectivity(isAsked: Bool) async throws {
        let setup = StoringSetup(.failure(.offline))
        if isAsked { setup.repository.configuration.reachability = FixedReachability(false) }
        for policy in [FetchPolicy.cacheElseNetwork, .networkElseCache, .cacheThenNetwork] {
            await expectError(
                "There is no network connection, and nothing is stored for https://example.com/gists; try again when there is one."
            ) { _ = try await setup.ids(policy) }
        }
        #expect(setup.transport.requests.count == (isAsked ? 0 : 3))
        try setup.store.save(stored("[{\"id\": 5}]"), for: setup.key)
        #expect(try await setup.ids() == [5])
        #expect(try await setup.ids(.networkElseCache) == [5])
        await expectError(
            "There is no network connection, and what is stored for https://example.com/gists is 100 s old, older than the 10 s "
                + "allowed; try again when there is one."
        ) { _ = try await setup.ids(.cacheElseNetwork.maxAge(.seconds(10))) }
        // Another failure of the network stays what it is.
        let lost = StoringSetup(.failure(.connectionLost))
        await #expect(throws: RequestError.self) { _ = try await lost.ids() }
    }

    @Test("What is stored expires by its date: as old as allowed is young enough, and the future is, too")
    func expiry() async throws {
        let setup = StoringSetup(.sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]")]))
        let policy = FetchPolicy.cacheElseNetwork.maxAge(.seconds(60))
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(60)
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(-1e6)
        #expect(try await setup.ids(policy) == [1])
        setup.clock.advance(1e6 + 0.001)
        #expect(try await setup.ids(policy) == [2])
        #expect(try await setup.ids(policy) == [2])
        #expect(setup.transport.requests.count == 2)
    }

    @Test("The validators of what is stored are sent, a 304 is served from the store and makes it young again")
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
        #expect(kept.eTag == "\"a,b\"")
        #expect(kept.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(kept.headers["X-Left"] == "8")
        #expect(kept.headers[.contentType] == "application/json")
        #expect(kept.headers[.setCookie] == nil)
        #expect(kept.headers[.contentLength] == nil)
        #expect(kept.status == 200)
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.transport.requests[2].headers[.ifNoneMatch] == "\"a,b\"")
    }

    @Test("A 304 with the tag of another response confirms nothing: the server has to give all of it")
    func confirmationOfAnother() async throws {
        let setup = StoringSetup(
            .sequence([
                .json("[{\"id\": 1}]", headers: [.eTag: "\"a\""]), .status(304, headers: [.eTag: "\"b\""]),
                .json("[{\"id\": 2}]", headers: [.eTag: "\"b\""]),
            ]))
        #expect(try await setup.ids(.networkOnly) == [1])
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"a\"", nil])
        let kept = try #require(setup.store.response(for: setup.key))
        #expect(kept.eTag == "\"b\"")
        #expect(kept.body == Data("[{\"id\": 2}]".utf8))
    }

    @Test("Without revalidation, and where the caller has conditions, no validators are added")
    func noRevalidation() async throws {
        let setup = StoringSetup(
            .sequence([.json("[{\"id\": 1}]", headers: [.eTag: "\"a\""]), .json("[]"), .status(304)]))
        _ = try await setup.ids(.networkOnly)
        setup.repository.persistence.revalidates = false
        _ = try await setup.ids(.networkOnly)
        #expect(setup.transport.requests[1].headers[.ifNoneMatch] == nil)
        setup.repository.persistence.revalidates = true
        setup.repository.persistence.key = { _ in "one" }
        try setup.store.save(stored("[]", headers: [.eTag: "\"a\""]), for: "one")
        let conditional = Resource<[StoredGist]>.objects(
            "https://example.com/gists", headers: [.ifNoneMatch: "\"mine\""])
        await #expect(throws: RequestError.self) {
            _ = try await setup.repository.value(of: conditional, policy: .networkOnly)
        }
        #expect(setup.transport.requests[2].headers[.ifNoneMatch] == "\"mine\"")
    }

    @Test(
        "What cannot be used counts as nothing, is told, and the server is not asked to confirm it",
        arguments: ["", "[{\"id\": \"x\"}]", "[", "{}"])
    func unusable(body: String) async throws {
        for policy in [FetchPolicy.cacheElseNetwork, .cacheThenNetwork] {
            let setup = StoringSetup("[{\"id\": 2}]")
            try setup.store.save(stored(body, headers: [.eTag: "\"a\""]), for: setup.key)
            #expect(try await setup.ids(policy) == [2])
            #expect(setup.transport.requests.map { $0.headers[.ifNoneMatch] } == [nil])
            #expect(setup.told.words == ["unusable"])
            #expect(try await setup.ids(.cacheOnly) == [2])
        }
    }

    @Test("A server that confirms what cannot be used is asked for all of it")
    func unusableConfirmed() async throws {
        let setup = StoringSetup("")
        setup.transport.on(.get, "/gists") { request in
            request.headers[.ifNoneMatch] == nil ? .json("[{\"id\": 2}]") : .status(304)
        }
        try setup.store.save(stored("[{", headers: [.eTag: "\"a\""]), for: setup.key)
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.transport.requests.map { $0.headers[.ifNoneMatch] } == ["\"a\"", nil])
        #expect(setup.told.words == ["unusable"])
    }
}

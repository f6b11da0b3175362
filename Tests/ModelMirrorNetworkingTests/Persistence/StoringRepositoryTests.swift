import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Fetching by a policy", .timeLimit(.minutes(1)))
struct StoringRepositoryTests {
    private let gists = Resource<[Gist]>.objects("https://example.com/gists")

    @Test("cacheElseNetwork: stored once, the network is not asked again")
    func cacheElseNetwork() async throws {
        let setup = Setup("[{\"id\": 1}]")
        #expect(try await setup.ids() == [1])
        #expect(try await setup.ids() == [1])
        #expect(setup.transport.requests.count == 1)
        // Another repository with the same store finds it, too.
        let other = StoringRepository<String>(transport: MockTransport(), store: setup.store)
        #expect(try await other.value(of: gists).map(\.id) == [1])
    }

    @Test("networkOnly: the network is asked each time, and what it gives is stored")
    func networkOnly() async throws {
        let setup = Setup(.sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]"), .failure(.offline)]))
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
        let setup = Setup(
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
        let setup = Setup("[{\"id\": 1}]")
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
        let setup = Setup(.failure(.offline))
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
        let lost = Setup(.failure(.connectionLost))
        await #expect(throws: RequestError.self) { _ = try await lost.ids() }
    }

    @Test("What is stored expires by its date: as old as allowed is young enough, and the future is, too")
    func expiry() async throws {
        let setup = Setup(.sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]")]))
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
        let setup = Setup(
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
        let setup = Setup(
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
        let setup = Setup(.sequence([.json("[{\"id\": 1}]", headers: [.eTag: "\"a\""]), .json("[]"), .status(304)]))
        _ = try await setup.ids(.networkOnly)
        setup.repository.persistence.revalidates = false
        _ = try await setup.ids(.networkOnly)
        #expect(setup.transport.requests[1].headers[.ifNoneMatch] == nil)
        setup.repository.persistence.revalidates = true
        setup.repository.persistence.key = { _ in "one" }
        try setup.store.save(stored("[]", headers: [.eTag: "\"a\""]), for: "one")
        let conditional = Resource<[Gist]>.objects("https://example.com/gists", headers: [.ifNoneMatch: "\"mine\""])
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
            let setup = Setup("[{\"id\": 2}]")
            try setup.store.save(stored(body, headers: [.eTag: "\"a\""]), for: setup.key)
            #expect(try await setup.ids(policy) == [2])
            #expect(setup.transport.requests.map { $0.headers[.ifNoneMatch] } == [nil])
            #expect(setup.told.words == ["unusable"])
            #expect(try await setup.ids(.cacheOnly) == [2])
        }
    }

    @Test("A server that confirms what cannot be used is asked for all of it")
    func unusableConfirmed() async throws {
        let setup = Setup("")
        setup.transport.on(.get, "/gists") { request in
            request.headers[.ifNoneMatch] == nil ? .json("[{\"id\": 2}]") : .status(304)
        }
        try setup.store.save(stored("[{", headers: [.eTag: "\"a\""]), for: setup.key)
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.transport.requests.map { $0.headers[.ifNoneMatch] } == ["\"a\"", nil])
        #expect(setup.told.words == ["unusable"])
    }

    @Test("A response that fails a check is not stored, and what was stored stays")
    func badIsNotStored() async throws {
        let setup = Setup(
            .sequence([
                .json("[{\"id\": 1}]"), .json("[{\"id\": \"x\"}]"), .json("[1", status: 200), .json("[]", status: 500),
                .text("[]"), .chunks([Data("[]".utf8)], failure: .connectionLost, headers: [.contentType: "text/json"]),
            ]))
        #expect(try await setup.ids(.networkOnly) == [1])
        for _ in 0..<5 { await #expect(throws: (any Error).self) { _ = try await setup.ids(.networkOnly) } }
        #expect(try await setup.ids(.cacheOnly) == [1])
        // An envelope that says no is not stored either.
        let envelope = Setup("{\"status\": \"FAIL\"}")
        envelope.repository.configuration.statusKey = "status"
        envelope.repository.configuration.statusOk = "OK"
        envelope.repository.configuration.objectsKey = "items"
        await #expect(throws: RequestError.self) { _ = try await envelope.ids() }
        #expect(envelope.store.count == 0)
    }

    @Test(
        "What must not be stored is not",
        arguments: [
            MockResponse.json("[]", headers: [.cacheControl: "private, No-Store"]),
            .json("[]", headers: ["Vary": "A, *"]),
            .json("[]", status: 206),
        ])
    func notStored(response: MockResponse) async throws {
        let setup = Setup(response)
        #expect(try await setup.ids() == [])
        #expect(setup.store.count == 0)
    }

    @Test("Requests that are not GET are stored only under a key of one's own")
    func otherMethods() async throws {
        let setup = Setup("[{\"id\": 1}]")
        setup.transport.on(.post, "/search", .json("[{\"id\": 3}]"))
        let search = Resource<[Gist]>.objects("https://example.com/search", method: .post)
        #expect(try await setup.repository.value(of: search).map(\.id) == [3])
        await expectError(
            "Requests such as this one for https://example.com/search are not stored; ask the network, by another policy."
        ) { _ = try await setup.repository.value(of: search, policy: .cacheOnly) }
        setup.repository.persistence.key = { "\($0.method)" }
        #expect(try await setup.repository.value(of: search).map(\.id) == [3])
        #expect(try await setup.repository.value(of: search, policy: .cacheOnly).map(\.id) == [3])
    }

    @Test("Saving that fails fails the call, or is told, as the switch says; an earlier delivery is never taken back")
    func savingFails() async throws {
        struct Full: Error {}
        for (waits, fails) in [(true, true), (true, false), (false, true), (false, false)] {
            let setup = Setup("[{\"id\": 1}]")
            setup.repository.flow.save = { _, _ in throw Full() }
            setup.repository.persistence.waitsForSaving = waits
            setup.repository.persistence.failsWhenSavingFails = fails
            if waits, fails {
                await expectError("The response of https://example.com/gists came, but was not stored: Full().") {
                    _ = try await setup.ids()
                }
                #expect(setup.told.words == [])
            } else {
                #expect(try await setup.ids() == [1])
                await setup.repository.savingFinished()
                #expect(setup.told.words == ["saving"])
            }
        }
    }

    @Test("Objects wait until they are stored, or do not, as the switch says")
    func waiting() async throws {
        let gate = Gate()
        let setup = Setup(.sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]")]))
        let save = setup.repository.flow.save
        let log = Words()
        setup.repository.flow.save = { response, key in
            try await gate.enter()
            try await save(response, key)
            log.add("saved")
        }
        setup.repository.persistence.waitsForSaving = false
        #expect(try await setup.ids(.networkOnly) == [1])
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.store.count == 0)
        gate.open()
        await setup.repository.savingFinished()
        // In the order in which they came.
        #expect(setup.store.response(for: setup.key)?.body == Data("[{\"id\": 2}]".utf8))
        #expect(log.words == ["saved", "saved"])
        setup.repository.persistence.waitsForSaving = true
        _ = try await setup.ids(.networkOnly)
        #expect(log.words == ["saved", "saved", "saved"])
    }

    @Test("A store that cannot be read counts as nothing, and is told")
    func loadingFails() async throws {
        struct Broken: Error {}
        let setup = Setup("[{\"id\": 1}]")
        setup.repository.flow.load = { _ in throw Broken() }
        #expect(try await setup.ids() == [1])
        #expect(setup.told.words == ["loading"])
        await expectError(
            "What is stored for https://example.com/gists cannot be read (Broken()); ask the network, by another policy."
        ) { _ = try await setup.ids(.cacheOnly) }
    }

    @Test("Bad elements are left out or fail the call, alike from the network and the store; all bad is a failure")
    func pruning() async throws {
        let setup = Setup("[{\"id\": 1}, {\"id\": \"x\"}, 7]")
        for policy in [FetchPolicy.networkOnly, .cacheOnly] {
            setup.repository.persistence.prunes = true
            #expect(try await setup.ids(policy) == [1])
            setup.repository.persistence.prunes = false
            let failures = """
                Gist.id at $[1].id (line 1, column 20): expected an integer, found the string "x".
                Gist at $[2] (line 1, column 26): expected an object for Gist, found the number 7.
                """
            let sentence =
                policy == .networkOnly
                ? failures
                : "What is stored for https://example.com/gists cannot be read (\(failures.dropLast())); ask the network, by another "
                    + "policy."
            await expectError(sentence) { _ = try await setup.ids(policy) }
            setup.repository.persistence.prunes = nil
            await expectError(sentence) { _ = try await setup.ids(policy) }
            setup.repository.configuration.mappingOptions.skipsInvalidElements = true
            #expect(try await setup.ids(policy) == [1])
            setup.repository.configuration.mappingOptions.skipsInvalidElements = nil
        }
        setup.repository.persistence.prunes = true
        setup.transport.on(.get, "/gists", .json("[7]"))
        await expectError("Gist at $[0] (line 1, column 2): expected an object for Gist, found the number 7.") {
            _ = try await setup.ids(.networkOnly)
        }
        setup.transport.on(.get, "/gists", .json("[]"))
        #expect(try await setup.ids(.networkOnly) == [])
    }

    @Test("The steps can be replaced one by one")
    func flow() async throws {
        let setup = Setup("[]")
        let log = Words()
        let load = setup.repository.flow.load
        setup.repository.flow.load = { key in
            log.add("load")
            return try await load(key)
        }
        setup.repository.flow.network = { request in
            log.add("network")
            return HTTPResponse(status: 200, url: request.url, body: ResponseBody(Data("[{\"id\": 9}]".utf8)))
        }
        let save = setup.repository.flow.save
        setup.repository.flow.save = { response, key in
            log.add("save")
            try await save(response, key)
        }
        #expect(try await setup.ids() == [9])
        #expect(try await setup.ids() == [9])
        #expect(log.words == ["load", "network", "save", "load"])
        #expect(setup.transport.requests.isEmpty)
        // Without a store, the network is all there is.
        let bare = StoringRepository<String>(transport: setup.transport, store: nil)
        #expect(try await bare.value(of: gists).isEmpty)
        #expect(try await bare.value(of: gists).isEmpty)
        #expect(setup.transport.requests.count == 2)
    }

    @Test("Single objects, dictionaries and values are fetched, too, at keys of their own")
    func kinds() async throws {
        let setup = Setup("{\"a\": {\"id\": 4}, \"n\": 7}")
        let url = "https://example.com/gists"
        for policy in [FetchPolicy.networkOnly, .cacheOnly] {
            #expect(try await setup.repository.value(of: Resource<Gist>.object(url, at: "a"), policy: policy).id == 4)
            #expect(try await setup.repository.value(of: Resource<Int>.value(url, at: "n"), policy: policy) == 7)
            setup.repository.persistence.prunes = true
            let all = Resource<[String: Gist]>.dictionaryOfObjects(url)
            #expect(try await setup.repository.value(of: all, policy: policy).mapValues(\.id) == ["a": 4])
        }
    }

    @Test("Keys tell apart what may be answered differently, and hold no credentials")
    func keys() throws {
        func key(_ url: String, _ headers: HTTPHeaders = [:], _ method: HTTPMethod = .get) throws -> String? {
            Persistence.defaultKey(for: HTTPRequest(method, try #require(URL(string: url)), headers: headers))
        }
        let plain = try #require(try key("https://example.com/a?b=1"))
        #expect(
            plain
                == "GET https://example.com/a?b=1 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b")
        let others = [
            try key("https://example.com/a?b=2"), try key("http://example.com/a?b=1"),
            try key("https://example.com/a?b=1", [.authorization: "Bearer s3cret"]),
            try key("https://example.com/a?b=1", [.authorization: "Bearer s3cret2"]),
            try key("https://example.com/a?b=1", [.acceptLanguage: "de"]),
            try key("https://user:s3cret@example.com/a?b=1"), try key("https://user:s3cret2@example.com/a?b=1"),
            try key("https://s3cret@example.com/a?b=1"),
        ]
        #expect(Set(others + [plain]).count == others.count + 1)
        #expect(others.allSatisfy { $0?.contains("s3cret") == false })
        #expect(try key("https://example.com/a?b=1#c") == plain)
        #expect(
            try key("https://example.com/", ["A": "1", "B": "2"]) == key("https://example.com/", ["b": "2", "a": "1"]))
        #expect(try key("https://example.com/", [:], .post) == nil)
        #expect(try key("https://example.com/", [:], .head) == nil)
    }
}

@Suite("What is stored, then the network's", .timeLimit(.minutes(1)))
struct FetchedValuesTests {
    private let gists = Resource<[Gist]>.objects("https://example.com/gists")

    @Test("The sequence gives what is stored, and then the network's")
    func both() async throws {
        let setup = Setup(.sequence([.json("[{\"id\": 2}]", headers: [.eTag: "\"a\""]), .status(304), .status(500)]))
        let values = setup.repository.values(of: gists)
        #expect(setup.transport.requests.isEmpty)
        #expect(try await words(values) == ["[2] network"])
        #expect(try await words(values) == ["[2] store(\(setup.clock.date))", "[2] confirmedStore"])
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next()?.value.map(\.id) == [2])
        // The network is asked only when the second value is.
        #expect(setup.transport.requests.count == 2)
        await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next()?.value.count == nil)
        #expect(setup.transport.requests.count == 3)
    }

    @Test("With other policies the sequence gives one value")
    func one() async throws {
        let setup = Setup("[{\"id\": 2}]")
        #expect(try await words(setup.repository.values(of: gists, policy: .networkOnly)) == ["[2] network"])
        let stored = "[2] store(\(setup.clock.date))"
        #expect(try await words(setup.repository.values(of: gists, policy: .cacheOnly)) == [stored])
        #expect(try await words(setup.repository.values(of: gists, policy: .cacheElseNetwork)) == [stored])
        #expect(setup.transport.requests.count == 1)
    }

    @Test("A cancelled iteration ends with the error of a cancelled request")
    func cancelled() async throws {
        let setup = Setup(.hanging())
        let repository = setup.repository
        let values = repository.values(of: gists)
        let task = Task { () -> String in
            do {
                for try await _ in values {}
                return "ended"
            } catch {
                return "\(error)"
            }
        }
        _ = try await setup.transport.requests(atLeast: 1)
        task.cancel()
        #expect(await task.value == "The request was cancelled.")
    }

    @Test("The closure for what is stored is called before the other, on the main actor")
    @MainActor
    func closures() async throws {
        let setup = Setup(.sequence([.json("[{\"id\": 2}]"), .json("[{\"id\": 3}]")]))
        try setup.store.save(stored("[{\"id\": 1}]"), for: setup.key)
        let log = Words()
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in
                setup.repository.fetch(gists, policy: .cacheThenNetwork) { getStored in
                    MainActor.assertIsolated()
                    log.add("stored \((try? getStored().map(\.id)) ?? [])")
                } completion: { getGists in
                    MainActor.assertIsolated()
                    log.add("network \((try? getGists().map(\.id)) ?? [])")
                    continuation.resume()
                }
            }
        }
        #expect(log.words == ["stored [1]", "network [2]", "stored [2]", "network [3]"])
    }

    @Test("The closures run on a queue, the first one not where nothing is stored or another policy rules")
    func queue() async throws {
        let setup = Setup("[{\"id\": 2}]")
        let log = Words()
        let queue = DispatchQueue(label: "answers")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 7)
        for policy in [FetchPolicy.cacheThenNetwork, .cacheElseNetwork, .cacheThenNetwork] {
            await withCheckedContinuation { continuation in
                setup.repository.fetch(gists, policy: policy, on: queue) { getStored in
                    #expect(DispatchQueue.getSpecific(key: key) == 7)
                    log.add("stored \((try? getStored().map(\.id)) ?? [])")
                } completion: { getGists in
                    #expect(DispatchQueue.getSpecific(key: key) == 7)
                    log.add("\((try? getGists().map(\.id)) ?? [])")
                    continuation.resume()
                }
            }
        }
        #expect(log.words == ["[2]", "[2]", "stored [2]", "[2]"])
    }

    @Test("A network that fails after what is stored was given ends the call with its error; without that closure, too")
    func networkFails() async throws {
        let setup = Setup(.status(500))
        try setup.store.save(stored("[{\"id\": 1}]"), for: setup.key)
        let log = Words()
        await withCheckedContinuation { continuation in
            setup.repository.fetch(gists, policy: .cacheThenNetwork, on: .global()) { getStored in
                log.add("stored \((try? getStored().map(\.id)) ?? [])")
            } completion: { getGists in
                do { log.add("\(try getGists().map(\.id))") } catch RequestError.unacceptableStatus {
                    log.add("500")
                } catch {}
                continuation.resume()
            }
        }
        #expect(log.words == ["stored [1]", "500"])
        await #expect(throws: RequestError.self) { _ = try await setup.ids(.cacheThenNetwork) }
    }

    @Test("A cancelled fetch calls its completion once, and nothing is stored after it")
    func cancelledFetch() async throws {
        let gate = Gate()
        let setup = Setup(MockResponse.json("[]").held(at: gate))
        let log = Words()
        await withCheckedContinuation { continuation in
            let request = setup.repository.fetch(gists, policy: .networkOnly, on: .global()) { getGists in
                do { _ = try getGists() } catch { log.add("\(error)") }
                continuation.resume()
            }
            Task {
                _ = try await gate.arrivals()
                request.cancel()
                gate.open()
            }
        }
        #expect(log.words == ["The request was cancelled."])
        #expect(setup.store.count == 0)
    }

    @Test("Many fetches of one resource at a time each get objects of their own, and leave one response")
    func concurrency() async throws {
        let setup = Setup("[{\"id\": 1}]")
        let requests = (0..<40).map {
            setup.repository.fetch(gists, policy: $0 % 2 == 0 ? .networkOnly : .cacheElseNetwork)
        }
        for request in requests { #expect(try await request.value().map(\.id) == [1]) }
        #expect(setup.store.count == 1)
        #expect(try await setup.ids(.cacheOnly) == [1])
    }

    private func words(_ values: FetchedValues<[Gist]>) async throws -> [String] {
        var words: [String] = []
        for try await fetched in values {
            let origin =
                switch fetched.origin {
                case .store(let date): "store(\(date))"
                case .confirmedStore: "confirmedStore"
                case .network: "network"
                }
            words.append("\(fetched.value.map(\.id)) \(origin)")
        }
        return words
    }
}

private class Gist: AbstractModel {
    var id = 0

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { true }
}

/// A repository with a mock, a store in memory and a clock.
private struct Setup {
    let transport = MockTransport()
    let store = MemoryStore()
    let clock = WallClock()
    let told = Words()
    let repository: StoringRepository<String>

    init(_ response: MockResponse) {
        transport.on(.get, "/gists", response)
        repository = StoringRepository(transport: transport, store: store)
        repository.persistence.now = { [clock] in clock.date }
        repository.persistence.report = { [told] incident, _ in
            switch incident {
            case .loadingFailed: told.add("loading")
            case .unusable: told.add("unusable")
            case .savingFailed: told.add("saving")
            }
        }
    }

    init(_ json: String) { self.init(.json(json)) }

    /// The key of the gists.
    var key: String {
        let url = URL(string: "https://example.com/gists") ?? URL(filePath: "/")
        return Persistence.defaultKey(for: HTTPRequest(.get, url, headers: repository.configuration.headers)) ?? ""
    }

    func ids(_ policy: FetchPolicy? = nil) async throws -> [Int] {
        try await repository.value(of: Resource<[Gist]>.objects("https://example.com/gists"), policy: policy).map(\.id)
    }
}

/// A clock that a test sets.
private final class WallClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_000_100))

    var date: Date { time.withLock { $0 } }

    func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

private final class Words: Sendable {
    private let entries = Mutex<[String]>([])

    var words: [String] { entries.withLock { $0 } }

    func add(_ word: String) { entries.withLock { $0.append(word) } }
}

/// What was stored 100 seconds before the clock's start.
private func stored(_ json: String, headers: HTTPHeaders = [:]) -> StoredResponse {
    StoredResponse(
        url: URL(string: "https://example.com/gists") ?? URL(filePath: "/"), headers: headers, body: Data(json.utf8),
        date: Date(timeIntervalSince1970: 1_000_000))
}

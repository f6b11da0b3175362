import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Saving of fetched responses", .timeLimit(.hung), .network)
struct SavingTests {
    @Test("A response that fails a check is not stored, and the stored one is kept")
    func badIsNotStored() async throws {
        let setup = StoringSetup(
            .sequence([
                .json("[{\"id\": 1}]"), .json("[{\"id\": \"x\"}]"), .json("[1", status: 200), .json("[]", status: 500),
                .text("[]"), .chunks([Data("[]".utf8)], failure: .connectionLost, headers: [.contentType: "text/json"]),
            ]))
        #expect(try await setup.ids(.networkOnly) == [1])
        for _ in 0..<5 { await #expect(throws: (any Error).self) { _ = try await setup.ids(.networkOnly) } }
        #expect(try await setup.ids(.cacheOnly) == [1])
        // A response whose envelope has a failure status is not stored either.
        let envelope = StoringSetup("{\"status\": \"FAIL\"}")
        envelope.repository.client.configuration.envelope = Envelope(statusKey: "status", success: "OK")
        envelope.repository.client.configuration.objectsKey = "items"
        await #expect(throws: RequestError.self) { _ = try await envelope.ids() }
        #expect(envelope.store.count == 0)
    }

    @Test(
        "Responses with no-store, with Vary: * or with status 206 are not stored",
        arguments: [
            MockResponse.json("[]", headers: [.cacheControl: "private, No-Store"]),
            .json("[]", headers: ["Vary": "A, *"]),
            .json("[]", status: 206),
        ])
    func notStored(response: MockResponse) async throws {
        let setup = StoringSetup(response)
        #expect(try await setup.ids() == [])
        #expect(setup.store.count == 0)
    }

    @Test("Requests other than GET are stored only with a custom key")
    func otherMethods() async throws {
        let setup = StoringSetup("[{\"id\": 1}]")
        setup.transport.on(.post, "/search", .json("[{\"id\": 3}]"))
        let search = Endpoint<[StoredGist]>.post("https://example.com/search")
        #expect(try await setup.repository.value(search).map(\.id) == [3])
        await expectError(
            "The request for https://example.com/search is not stored: it has no key, or its account is unknown; choose a policy that "
                + "uses the network."
        ) { _ = try await setup.repository.value(search, policy: .cacheOnly) }
        setup.repository.client.persistence?.key = { "\($0.method)" }
        #expect(try await setup.repository.value(search).map(\.id) == [3])
        #expect(try await setup.repository.value(search, policy: .cacheOnly).map(\.id) == [3])
    }

    @Test("A failed save fails the call if both settings say so, and is reported otherwise")
    func savingFails() async throws {
        struct Full: Error {}
        for (waits, fails) in [(true, true), (true, false), (false, true), (false, false)] {
            let setup = StoringSetup("[{\"id\": 1}]", over: { SteppedStore(store: $0, save: { _, _ in throw Full() }) })
            setup.repository.client.persistence?.waitsForSaving = waits
            setup.repository.client.persistence?.failsWhenSavingFails = fails
            if waits, fails {
                await expectError("The response from https://example.com/gists arrived but was not stored: Full().") {
                    _ = try await setup.ids()
                }
                #expect(setup.told.words == [])
            } else {
                #expect(try await setup.ids() == [1])
                await setup.repository.client.persistence?.savingFinished()
                #expect(setup.told.words == ["saving"])
            }
        }
    }

    @Test("A response to HEAD does not bring back the one that a response to GET is replacing")
    func headWhileSaving() async throws {
        let (gate, executor) = (Gate(passes: 1), StepExecutor())
        let answers = [1, 2].map { MockResponse.json("[{\"id\": \($0)}]", headers: [.eTag: "\"\($0)\""]) }
        let setup = StoringSetup(.sequence(answers)) { store in
            SteppedStore(
                store: store,
                save: { response, key in
                    try await gate.enter()
                    store.save(response, for: key)
                })
        }
        setup.transport.on(.head, "/gists", .status(200, headers: [.eTag: "\"1\""]))
        #expect(try await setup.ids() == [1])
        let (client, gists) = (setup.repository.client, setup.gists)
        let get = Task { _ = try await client.value(gists, policy: .networkOnly) }
        try await gate.arrivals(atLeast: 2)
        let head = Task(executorPreference: executor) {
            try await client.send(.head("https://example.com/gists", headers: [.accept: "application/json"]))
        }
        await executor.settle()
        gate.open()
        try await get.value
        try await head.value
        #expect(setup.transport.requests.map(\.method) == [.get, .get, .head])
        #expect(try await setup.ids(.cacheOnly) == [2])
    }

    @Test("A response to HEAD does not update one that was requested later")
    func headBeforeGet() async throws {
        let gate = Gate()
        let setup = StoringSetup("[{\"id\": 1}]")
        setup.transport.on(.head, "/gists", .status(200, headers: ["X-Left": "8"]).held(at: gate))
        let client = setup.repository.client
        let head = Task {
            try await client.send(.head("https://example.com/gists", headers: [.accept: "application/json"]))
        }
        try await gate.arrivals()
        setup.clock.advance(2)
        #expect(try await setup.ids() == [1])
        let stored = setup.store.response(for: setup.key)
        #expect(stored?.date == setup.clock.date)
        gate.open()
        try await head.value
        #expect(setup.store.response(for: setup.key) == stored)
    }

    @Test("A response that another process stored for a later request is kept")
    func laterInAnotherProcess() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "saving-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (gate, store) = (Gate(), try FileStore(folder: folder))
        let setup = StoringSetup(.json("[{\"id\": 1}]").held(at: gate)) { _ in store }
        let (client, gists) = (setup.repository.client, setup.gists)
        let fetch = Task { _ = try await client.value(gists, policy: .networkOnly) }
        try await gate.arrivals()
        setup.clock.advance(2)
        let later = StoredResponse(
            url: try client.transportRequest(for: gists).url, headers: [.contentType: "application/json"],
            body: Data("[{\"id\": 2}]".utf8), date: setup.clock.date)
        // Not through a client, as one of the same process would count the save.
        try await FileStore(folder: folder).save(later, for: setup.key)
        gate.open()
        try await fetch.value
        #expect(try await setup.ids(.cacheOnly) == [2])
    }

    @Test("A damaged file is reported once by a request that replaces it")
    func damagedFile() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "saving-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let reports = StoringLog()
        let store = try FileStore(folder: folder, damaged: { reports.add("\($0.reason)") })
        let setup = StoringSetup(.sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]")])) { _ in store }
        #expect(try await setup.ids() == [1])
        try Data("{}".utf8).write(to: store.file(for: setup.key))
        #expect(try await setup.ids() == [2])
        #expect(reports.words == ["otherFormat"])
        #expect(try await setup.ids(.cacheOnly) == [2])
    }

    @Test("By default a failed save is reported and the call succeeds")
    func savingFailsByDefault() async throws {
        struct Full: Error {}
        let setup = StoringSetup("[{\"id\": 1}]", over: { SteppedStore(store: $0, save: { _, _ in throw Full() }) })
        let reports = StoringLog()
        setup.repository.client.persistence?.report = { incident, request in
            if case .savingFailed(let error) = incident { reports.add("\(error) \(request.url)") }
        }
        for count in 1...2 {
            #expect(try await setup.ids() == [1])
            #expect(reports.words == Array(repeating: "Full() https://example.com/gists", count: count))
        }
    }

    @Test("With waitsForSaving a call waits for its save, and otherwise saves finish later in order")
    func waiting() async throws {
        let gate = Gate()
        let log = StoringLog()
        let setup = StoringSetup(.sequence([.json("[{\"id\": 1}]"), .json("[{\"id\": 2}]")])) { store in
            SteppedStore(
                store: store,
                save: { response, key in
                    try await gate.enter()
                    store.save(response, for: key)
                    log.add("saved")
                })
        }
        setup.repository.client.persistence?.waitsForSaving = false
        #expect(try await setup.ids(.networkOnly) == [1])
        #expect(try await setup.ids(.networkOnly) == [2])
        #expect(setup.store.count == 0)
        gate.open()
        await setup.repository.client.persistence?.savingFinished()
        // Responses are saved in the order of arrival.
        #expect(setup.store.response(for: setup.key)?.body == Data("[{\"id\": 2}]".utf8))
        #expect(log.words == ["saved", "saved"])
        setup.repository.client.persistence?.waitsForSaving = true
        _ = try await setup.ids(.networkOnly)
        #expect(log.words == ["saved", "saved", "saved"])
    }

    @Test("A response does not replace one that was requested later and is being saved")
    func savedMeanwhile() async throws {
        let (arriving, saving) = (Gate(), Gate())
        let setup = StoringSetup(
            .sequence([.json("[{\"id\": 1}]").held(at: arriving), .json("[{\"id\": 2}]")])
        ) { store in
            SteppedStore(
                store: store,
                save: { response, key in
                    try await saving.enter()
                    store.save(response, for: key)
                })
        }
        let executor = StepExecutor()
        let (client, gists) = (setup.repository.client, setup.gists)
        let first = Task(executorPreference: executor) {
            try await client.value(gists, policy: .networkOnly).map(\.id)
        }
        try await arriving.arrivals()
        setup.clock.advance(1)
        let second = Task { try await client.value(gists, policy: .networkOnly).map(\.id) }
        try await saving.arrivals()
        arriving.open()
        // The first response is there, and the second one not stored yet.
        await executor.settle()
        saving.pass(1)
        #expect(try await second.value == [2])
        saving.open()
        #expect(try await first.value == [1])
        #expect(try await setup.ids(.cacheOnly) == [2])
    }

    @Test("A failure to load is reported and counts as a miss")
    func loadingFails() async throws {
        struct Broken: Error {}
        let setup = StoringSetup("[{\"id\": 1}]", over: { SteppedStore(store: $0, load: { _ in throw Broken() }) })
        #expect(try await setup.ids() == [1])
        #expect(setup.told.words == ["loading"])
        await expectError(
            "The stored response for https://example.com/gists cannot be read (Broken()); choose a policy that uses the network."
        ) { _ = try await setup.ids(.cacheOnly) }
    }

    @Test("Incidents are described")
    func incidents() {
        struct Full: Error {}
        let incidents: [Persistence.Incident] = [
            .loadingFailed(Full()), .unusable(Full()), .savingFailed(Full()), .unknownIdentity,
            .savingFailed(FileError(call: "write", path: "/a", code: ENOSPC)),
        ]
        #expect(
            incidents.map(\.description) == [
                "The stored response could not be loaded (Full()); it counts as absent.",
                "The stored response cannot be used (Full()); it counts as absent.",
                "The response was not stored (Full()).",
                "The response was neither looked up nor stored, because the account of its request is unknown; set the client's "
                    + "account, or name it in the transport, by account: or identity(for:).",
                "The response was not stored (write failed for /a: No space left on device (errno 28)).",
            ])
    }

    @Test("Invalid elements are skipped or fail the call, alike from the network and the store")
    func pruning() async throws {
        let setup = StoringSetup("[{\"id\": 1}, {\"id\": \"x\"}, 7]")
        for policy in [FetchPolicy.networkOnly, .cacheOnly] {
            setup.repository.client.persistence?.prunes = true
            #expect(try await setup.ids(policy) == [1])
            setup.repository.client.persistence?.prunes = false
            let failures = """
                StoredGist.id at $[1].id (line 1, column 20): expected an integer, found the string "x".
                StoredGist at $[2] (line 1, column 26): expected an object for StoredGist, found the number 7.
                """
            let sentence =
                policy == .networkOnly
                ? "GET https://example.com/gists: \(failures)"
                : "The stored response for https://example.com/gists cannot be read (\(failures.dropLast())); choose a policy that "
                    + "uses the network."
            await expectError(sentence) { _ = try await setup.ids(policy) }
            setup.repository.client.persistence?.prunes = nil
            await expectError(sentence) { _ = try await setup.ids(policy) }
            setup.repository.client.configuration.mappingOptions.skipsInvalidElements = true
            #expect(try await setup.ids(policy) == [1])
            setup.repository.client.configuration.mappingOptions.skipsInvalidElements = nil
        }
        setup.repository.client.persistence?.prunes = true
        setup.transport.on(.get, "/gists", .json("[7]"))
        await expectError(
            "GET https://example.com/gists: StoredGist at $[0] (line 1, column 2): expected an object for StoredGist, found the number 7."
        ) {
            _ = try await setup.ids(.networkOnly)
        }
        setup.transport.on(.get, "/gists", .json("[]"))
        #expect(try await setup.ids(.networkOnly) == [])
        setup.transport.on(.get, "/gists", .json("[1, \"x\", 3]"))
        let numbers = Endpoint<[Int]>.get("https://example.com/gists")
        #expect(try await setup.repository.value(numbers, policy: .networkOnly) == [1, 3])
    }

    @Test("A wrapped store and transport replace the steps of a fetch")
    func steps() async throws {
        let log = StoringLog()
        let setup = StoringSetup("[]") { store in
            SteppedStore(
                store: store,
                load: { key in
                    log.add("load")
                    return store.response(for: key)
                },
                save: { response, key in
                    log.add("save")
                    store.save(response, for: key)
                })
        }
        setup.repository.client.transport = OneGistTransport(log: log)
        #expect(try await setup.ids() == [9])
        #expect(try await setup.ids() == [9])
        #expect(log.words == ["load", "network", "save", "load"])
        #expect(setup.transport.requests.isEmpty)
    }

    @Test("Models, numbers, dictionaries and values of reading closures are fetched and stored")
    func kinds() async throws {
        let setup = StoringSetup("{\"a\": {\"id\": 4}, \"n\": 7}")
        let url: URLReference = "https://example.com/gists"
        let repository = setup.repository
        for policy in [FetchPolicy.networkOnly, .cacheOnly] {
            #expect(try await repository.value(Endpoint<StoredGist>.get(url, at: "a"), policy: policy).id == 4)
            #expect(try await repository.value(Endpoint<Int>.get(url, at: "n"), policy: policy) == 7)
            #expect(
                try await repository.value(Endpoint<Int>.get(url, reading: { $0.value.count }), policy: policy) == 24)
            #expect(try await repository.value(Endpoint<Int?>.get(url, at: "m"), policy: policy) == nil)
            repository.client.persistence?.prunes = true
            let all = Endpoint<[String: StoredGist]>.get(url)
            #expect(try await repository.value(all, policy: policy).mapValues(\.id) == ["a": 4])
        }
    }
}

/// Responds with one gist.
private struct OneGistTransport: Transport {
    let log: StoringLog

    func response(to request: TransportRequest) throws -> TransportResponse {
        let request = try request.prepared()
        log.add("network")
        return TransportResponse(status: 200, url: request.url, body: ResponseBody(Data("[{\"id\": 9}]".utf8)))
    }

    func identity(for request: TransportRequest) -> TransportIdentity { .none }
}

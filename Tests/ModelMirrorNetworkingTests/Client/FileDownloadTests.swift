import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite(.timeLimit(.hung), .network)
struct FileDownloadTests: DownloadSuite {
    let setup: DownloadSetup

    init() throws { setup = try DownloadSetup() }

    @Test(arguments: TransportUnderTest.allCases)
    func downloads(_ kind: TransportUnderTest) async throws {
        serveRanges()
        try Data("old".utf8).write(to: target)
        let told = Mutex<[RequestProgress.Transfer]>([])
        let response = try await download(kind) { progress in told.withLock { $0.append(progress.download) } }
        #expect((response.value, response.url) == (target, server.url("/map")))
        #expect((response.method, response.origin) == (.get, .network))
        #expect((response.status, response.headers[.eTag]) == (200, "\"1\""))
        #expect(try Data(contentsOf: target) == content)
        #expect(try names == ["map.bin"])
        let values = told.withLock { $0 }
        #expect(values.last == RequestProgress.Transfer(bytes: 300_000, total: 300_000))
        #expect(values.last?.fraction == 1)
        #expect(values.map(\.bytes) == values.map(\.bytes).sorted())
        #expect(server.requests[0].headers[.range] == nil)
        #expect(server.requests[0].headers["Accept-Encoding"] == "identity")
    }

    @Test(
        "A download with a closure writes the file, and its request fails with the error",
        arguments: TransportUnderTest.allCases)
    func closure(_ kind: TransportUnderTest) async throws {
        serveRanges()
        let (client, target) = (client(kind), target)
        let response = try await withCheckedThrowingContinuation { continuation in
            client.request(Endpoint<Data>.get("map"), to: target) { getFile in
                continuation.resume(with: Result { try getFile() })
            }
        }
        #expect(response.status == 200)
        #expect(try Data(contentsOf: target) == content)
        let request = client.request(Endpoint<Data>.get("nothing"), to: target) { _ in }
        let error = await #expect(throws: RequestError.self) { _ = try await request.value() }
        #expect(error?.response?.status == 404)
    }

    @Test("A download with a closure waits for a cancelled one to the same file")
    func closureAfterCancelling() async throws {
        let (gate, isReading) = (StubGate(), Observed(false))
        let stub = StubTransport { request in
            let isFirst = !isReading.value
            let body = ResponseBody {
                isReading.update { $0 = true }
                await gate.wait()
                throw RequestError.cancelled
            }
            return TransportResponse(
                status: 200, url: request.url, body: isFirst ? body : ResponseBody(Data("map".utf8)))
        }
        let client = APIClient(transport: stub, baseURL: server.url)
        let first = client.request(Endpoint<Data>.get("map"), to: target) { _ in }
        _ = try await isReading.wait { $0 }
        first.cancel()
        let second = client.request(Endpoint<Data>.get("map"), to: target) { _ in }
        // Its task begins, and would fail at once.
        for _ in 0..<1000 { await Task.yield() }
        #expect(!second.state.isFinished)
        gate.open()
        #expect(try await second.value().status == 200)
        #expect(try Data(contentsOf: target) == Data("map".utf8))
    }

    @Test("A symbolic link to the folder leads to it", arguments: TransportUnderTest.allCases)
    func linkedFolder(_ kind: TransportUnderTest) async throws {
        serveRanges()
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        try await client(kind).download(Endpoint<Data>.get("map"), to: link.appendingPathComponent("map.bin"))
        #expect(try Data(contentsOf: target) == content)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func sendsTheFieldsOfTheClientAndTheEndpoint(_ kind: TransportUnderTest) async throws {
        serveRanges()
        var client = client(kind)
        client.configuration.headers = ["X-Client": "tour", .authorization: "Bearer a"]
        var endpoint = Endpoint<Void>.get("map", query: ["v": 2], headers: ["X-Client": "mine"])
        endpoint.prepare = { $0.headers["X-Signature"] = $0.url.query() }
        try await client.download(endpoint, to: target)
        let request = server.requests[0]
        #expect(request.target == "/map?v=2")
        let fields = ["X-Client", .authorization, "X-Signature"].map { request.headers[$0] }
        #expect(fields == ["mine", "Bearer a", "v=2"])
        #expect(request.headers[.accept]?.contains("json") != true)
        // The value's type is ignored: no JSON is read.
        try FileManager.default.removeItem(at: target)
        try await client.download(Endpoint<[String]>.get("map"), to: target)
        #expect(try Data(contentsOf: target) == content)
        #expect(server.requests[1].headers[.accept]?.contains("json") != true)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func limitsTheFile(_ kind: TransportUnderTest) async throws {
        serveRanges()
        server.on(
            .get, "/endless",
            .streaming { writer in
                for _ in 0..<16 { try writer.write(Data(count: 1 << 16)) }
                try writer.wait(at: Gate())
            })
        for path in ["map", "endless"] {
            let error = await #expect(throws: RequestError.self) { try await self.download(kind, path, limit: 200_000) }
            #expect(error?.exceededBodyLimit == 200_000)
            // A body announced as too large is rejected before a byte is written; otherwise the bytes within the limit are kept.
            let kept = try? Data(contentsOf: partialFile).count
            #expect(path == "map" ? kept == nil : kept.map { (1...200_000).contains($0) } == true)
        }
        // A file of exactly the limit is whole, with an announced length and without one.
        server.on(.get, "/exact", .streaming { writer in try writer.write(Data(count: 200_000)) })
        #expect(try await download(kind, "exact", limit: 200_000).status == 200)
        #expect(try Data(contentsOf: target).count == 200_000)
        #expect(try await download(kind, limit: content.count).status == 200)
        // The body limit does not apply to downloads.
        var client = client(kind)
        client.configuration.bodyLimit = 1000
        try await client.download(Endpoint<Data>.get("map"), to: target)
        #expect(try Data(contentsOf: target) == content)
    }

    // MARK: Targets and endpoints

    @Test(arguments: TransportUnderTest.allCases)
    func reportsTargetsThatCannotBeWritten(_ kind: TransportUnderTest) async throws {
        let missing = folder.appendingPathComponent("none/map.bin")
        let maps = folder.appendingPathComponent("maps")
        let long = folder.appendingPathComponent(String(repeating: "n", count: 256))
        try FileManager.default.createDirectory(at: maps, withIntermediateDirectories: true)
        for (target, error) in [
            (missing, FileError(call: "open", path: missing.path + ".partial", code: ENOENT)),
            (maps, FileError(call: "rename", path: maps.path, code: EISDIR)),
            (long, FileError(call: "open", path: long.path + ".partial", code: ENAMETOOLONG)),
        ] {
            let found = await #expect(throws: error) {
                try await self.client(kind).download(Endpoint<Data>.get("map"), to: target)
            }
            let sentences = [
                missing: "No such file or directory (errno \(ENOENT)); create the folder.",
                long: "File name too long (errno \(ENAMETOOLONG)).",
            ]
            if let sentence = sentences[target] {
                #expect(found.map { "\($0)" } == "open failed for \(target.path).partial: \(sentence)")
            }
        }
        #expect(server.requestCount == 0)
        #expect(try names == ["maps"])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func rejectsEndpointsThatCannotBeDownloaded(_ kind: TransportUnderTest) async throws {
        for endpoint in [
            Endpoint<Data>.post("map"), .get("map", headers: [.range: "bytes=0-"]),
            .get("map", headers: [.ifRange: "\"1\""]),
        ] {
            let error = await #expect(throws: RequestError.self) {
                try await self.client(kind).download(endpoint, to: self.target)
            }
            #expect(error?.invalidRequestReason != nil)
        }
        #expect(server.requestCount == 0)
        #expect(try names == [])
    }

    #if os(Linux)
    /// A limit on the size of files stands in for a full disk: the same call fails, with another code.
    @Test func failsWhenTheDiskIsFull() async throws {
        let target = target
        await #expect(processExitsWith: .success) { [target = target as URL] in
            let server = try LoopbackServer()
            server.on(.get, "/map", .oversized(300_000))
            signal(SIGXFSZ, SIG_IGN)
            let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            var former = rlimit()
            #expect(getrlimit(resource, &former) == 0)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: former.rlim_max)
            #expect(setrlimit(resource, &limit) == 0)
            let client = APIClient(transport: CurlTransport(), baseURL: server.url)
            let error = await #expect(throws: (any Error).self) {
                try await client.download(Endpoint<Data>.get("map"), to: target)
            }
            // The output of the tests may be a file, too.
            #expect(setrlimit(resource, &former) == 0)
            #expect(error.map { "\($0)" } == "write failed for \(target.path).partial: File too large (errno 27).")
        }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }
    #endif
}

import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite(.timeLimit(.hung), .network)
final class FileDownloadTests {
    private let server: LoopbackServer
    private let folder: URL
    private let content = LoopbackResponse.pattern(0..<300_000)

    init() throws {
        server = try LoopbackServer()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("downloads-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var target: URL { folder.appendingPathComponent("map.bin") }
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private var partialFile: URL { folder.appendingPathComponent("map.bin.partial") }

    private func client(_ kind: TransportUnderTest) -> APIClient {
        APIClient(transport: kind.make(), baseURL: server.url)
    }

    private func download(
        _ kind: TransportUnderTest, _ path: String = "map", limit: Int? = nil,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> Response<URL> {
        try await client(kind).download(Endpoint<Data>.get("\(path)"), to: target, limit: limit, progress: progress)
    }

    /// Downloads, and compares the status and the file.
    private func expectDownload(
        _ kind: TransportUnderTest, _ path: String = "map", status: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let response = try await download(kind, path)
        #expect(response.status == status, sourceLocation: sourceLocation)
        #expect(try Data(contentsOf: target) == content, sourceLocation: sourceLocation)
    }

    /// Serves ranges as RFC 9110 specifies.
    private func serveRanges(
        of file: Data? = nil, tag: String? = "\"1\"", modified: String? = nil, cutFirstAt cut: Int? = nil
    ) {
        let content = file ?? content
        let isFirst = Atomic(true)
        server.on(.get, "/map") { request in
            var headers: HTTPHeaders = ["Accept-Ranges": "bytes", "Date": "Sat, 21 Nov 2026 05:46:49 GMT"]
            headers[.eTag] = tag
            headers[.lastModified] = modified
            if isFirst.exchange(false, ordering: .relaxed), let cut {
                return .raw { [headers] writer in
                    let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
                    try writer.write("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(content.count)\r\n\r\n")
                    try writer.write(content.prefix(cut))
                }
            }
            guard let range = request.headers[.range], let fresh = request.headers[.ifRange],
                fresh == tag || fresh == modified
            else { return .data(content, headers: headers) }
            let first = Int(range.dropFirst("bytes=".count).dropLast()) ?? 0
            guard first < content.count else {
                return .status(416, headers: headers.merging([.contentRange: "bytes */\(content.count)"]))
            }
            headers[.contentRange] = "bytes \(first)-\(content.count - 1)/\(content.count)"
            return .data(content.dropFirst(first), status: 206, headers: headers)
        }
    }

    #if os(Linux)
    /// A limit on the size of files stands in for a full disk: the same call fails, with another code.
    @Test("A download with a closure writes the file, and its request reports progress")
    func closure() async throws {
        serveRanges()
        let (client, target) = (client(.curl), target)
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
        arguments: TransportUnderTest.allCases,
        [
            ("\"1\"", nil, "\"1\""), (nil, "Fri, 20 Nov 2026 05:46:49 GMT", "Fri, 20 Nov 2026 05:46:49 GMT"),
            ("\"1\"", "Fri, 20 Nov 2026 05:46:49 GMT", "\"1\""),
        ] as [(String?, String?, String)])
    func resumesWithTheValidator(
        _ kind: TransportUnderTest, _ validators: (tag: String?, modified: String?, expected: String)
    )
        async throws
    {
        let (tag, modified, validator) = validators
        serveRanges(tag: tag, modified: modified, cutFirstAt: 100_000)
        await expectLoss { try await self.download(kind) }
        #expect(try names == ["map.bin.partial", "map.bin.partial.from"])
        let kept = try Data(contentsOf: partialFile).count
        #expect(kept > 0 && kept <= 100_000)

        let first = Mutex<RequestProgress.Transfer?>(nil)
        let response = try await download(kind) { progress in first.withLock { $0 = $0 ?? progress.download } }
        #expect(response.status == 206)
        #expect(server.requests[1].headers[.range] == "bytes=\(kept)-")
        #expect(server.requests[1].headers[.ifRange] == validator)
        #expect(try Data(contentsOf: target) == content)
        #expect(try names == ["map.bin"])
        let told = first.withLock { $0 }
        #expect(told.map { $0.bytes > kept && $0.total == 300_000 } == true)
    }

    /// Of 240 to 255 bytes, the most that a name may have; the partial files have longer names, or begin with a digest.
    @Test(arguments: TransportUnderTest.allCases, [80, 81, 83, 85])
    func resumesAFileWithALongName(_ kind: TransportUnderTest, _ length: Int) async throws {
        let target = folder.appendingPathComponent(String(repeating: "図", count: length))
        serveRanges(cutFirstAt: 100_000)
        await expectLoss { try await self.client(kind).download(Endpoint<Data>.get("map"), to: target) }
        #expect(try names.count == 2)
        #expect(try await client(kind).download(Endpoint<Data>.get("map"), to: target).status == 206)
        #expect(try Data(contentsOf: target) == content)
        #expect(try names == [target.lastPathComponent])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func refusesANameThatNoFileMayHave(_ kind: TransportUnderTest) async throws {
        let target = folder.appendingPathComponent(String(repeating: "n", count: 256))
        let expected = "open failed for \(target.path).partial: File name too long (errno \(ENAMETOOLONG))."
        let error = await #expect(throws: FileError.self) {
            try await self.client(kind).download(Endpoint<Data>.get("map"), to: target)
        }
        #expect("\(try #require(error))" == expected)
        #expect(try names.isEmpty)
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [
            ("W/\"1\"", nil), (nil, nil), (nil, "Sat, 21 Nov 2026 05:46:49 GMT"), ("1", nil),
            (nil, "Sun, 22 Nov 2026 05:46:49 GMT"),
        ] as [(String?, String?)])
    func restartsWithoutAStrongValidator(_ kind: TransportUnderTest, _ validators: (tag: String?, modified: String?))
        async throws
    {
        let (tag, modified) = validators
        serveRanges(tag: tag, modified: modified, cutFirstAt: 100_000)
        await expectLoss { try await self.download(kind) }
        try await expectDownload(kind, status: 200)
        #expect(server.requests[1].headers[.range] == nil)
    }

    /// How a layer adds the key of a user whom it does not name.
    enum Unnamed: CaseIterable, Sendable {
        /// It says that it adds nothing.
        case undeclared
        /// The same, beside a credential without a name.
        case undeclaredBesideUnknown
        /// It says nothing.
        case unknown
    }

    @Test(arguments: TransportUnderTest.allCases, Unnamed.allCases)
    func restartsWithoutAName(_ kind: TransportUnderTest, _ unnamed: Unnamed) async throws {
        serveRanges(cutFirstAt: 100_000)
        var transport: any Transport = kind.make()
        switch unnamed {
        case .undeclared: transport = UndeclaringTransport(base: transport)
        case .undeclaredBesideUnknown:
            transport = UndeclaringTransport(
                base: try AuthenticatingTransport(transport, origins: [server.url], token: "t"))
        case .unknown: transport = InterceptingTransport(transport) { $0.headers["X-Key"] = "k" }
        }
        let client = APIClient(transport: transport, baseURL: server.url)
        await expectLoss { try await client.download(Endpoint<Data>.get("map"), to: self.target) }
        #expect(try await client.download(Endpoint<Data>.get("map"), to: target).status == 200)
        #expect(server.requests.last?.headers[.range] == nil)
        #expect(try Data(contentsOf: target) == content)
    }

    /// Another user's part, of a download that sent no key, is not continued with one.
    @Test(arguments: TransportUnderTest.allCases)
    func restartsForAnUndeclaredKey(_ kind: TransportUnderTest) async throws {
        serveRanges(cutFirstAt: 100_000)
        await expectLoss { try await self.download(kind) }
        let client = APIClient(transport: UndeclaringTransport(base: kind.make()), baseURL: server.url)
        #expect(try await client.download(Endpoint<Data>.get("map"), to: target).status == 200)
        #expect(server.requests.map { $0.headers[.range] == nil } == [true, false, true])
        #expect(try Data(contentsOf: target) == content)
    }

    /// A server may give each key its own file, with a validator that all have.
    @Test(arguments: TransportUnderTest.allCases, ["X-User", "Accept-Language", "Cache-Control", "Pragma"])
    func restartsForOtherHeaderFields(_ kind: TransportUnderTest, _ name: String) async throws {
        serveRanges(cutFirstAt: 100_000)
        let (client, field) = (client(kind), HeaderName(name))
        await expectLoss {
            try await client.download(Endpoint<Data>.get("map", headers: [field: "a"]), to: self.target)
        }
        let resumes = [.cacheControl, "Pragma"].contains(field)
        let response = try await client.download(Endpoint<Data>.get("map", headers: [field: "b"]), to: target)
        #expect(response.status == (resumes ? 206 : 200))
        #expect((server.requests[1].headers[.range] != nil) == resumes)
        #expect(try Data(contentsOf: target) == content)
    }

    /// A partial file that no request continues.
    enum Unusable: CaseIterable, Sendable {
        case withoutDigestOfTheHeaderFields, ofAnotherVersion, ofAnotherURL, tooLong
    }

    @Test(arguments: TransportUnderTest.allCases, Unusable.allCases)
    func restartsBesideAnUnusablePartialFile(_ kind: TransportUnderTest, _ unusable: Unusable) async throws {
        serveRanges()
        let validator: String?
        switch unusable {
        case .withoutDigestOfTheHeaderFields:
            try keep(content.prefix(1000), "\"1\"", digest: false)
            validator = nil
        case .ofAnotherVersion:
            try keep(Data("of another version".utf8), "\"0\"")
            validator = "\"0\""
        case .ofAnotherURL:
            try keep(Data("of another file".utf8), "\"1\"", path: "/other")
            validator = nil
        case .tooLong:
            try keep(content + Data("more".utf8), "\"1\"")
            validator = "\"1\""
        }
        try await expectDownload(kind, status: 200)
        #expect(server.requests[0].headers[.ifRange] == validator)
        #expect((server.requests[0].headers[.range] == nil) == (validator == nil))
    }

    /// Redirects `/latest` to `/map`, each time with another signature.
    private func redirectToSignedLinks() {
        let count = Atomic(0)
        server.on(.get, "/latest") { _ in
            .status(302, headers: ["Location": "/map?signature=\(count.add(1, ordering: .relaxed).newValue)"])
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func resumesFromALinkSignedAnew(_ kind: TransportUnderTest) async throws {
        redirectToSignedLinks()
        serveRanges(cutFirstAt: 100_000)
        await expectLoss { try await self.download(kind, "latest") }
        let response = try await download(kind, "latest")
        #expect(response.status == 206)
        #expect(response.url == server.url("/map?signature=2"))
        #expect(try Data(contentsOf: target) == content)
    }

    /// Two files of a server may have the same tag.
    @Test(arguments: TransportUnderTest.allCases, [(1000, "/former"), (300_000, "/former"), (1000, nil)])
    func restartsWhereARedirectLeadsElsewhere(_ kind: TransportUnderTest, _ kept: (count: Int, place: String?))
        async throws
    {
        try keep(Data(count: kept.count), "\"1\"", path: "/latest", place: kept.place)
        redirectToSignedLinks()
        serveRanges()
        try await expectDownload(kind, "latest", status: 200)
        #expect(server.requests.map { $0.headers[.range] != nil } == [true, true, false, false])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func asksAnotherOriginForTheWholeFile(_ kind: TransportUnderTest) async throws {
        let other = try LoopbackServer()
        defer { other.stop() }
        try keep(content.prefix(1000), "\"1\"")
        server.on(.get, "/map", .redirect(to: other.url("/map").absoluteString))
        other.on(.get, "/map", .data(content, headers: [.eTag: "\"1\""]))
        try await expectDownload(kind, status: 200)
        #expect(server.requests.map { $0.headers[.range] } == ["bytes=1000-"])
        #expect(other.requests.map { $0.headers[.range] } == [nil])
        #expect(other.requests.map { $0.headers[.ifRange] } == [nil])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func asksTheOriginThatHasTheFileAloneForTheRest(_ kind: TransportUnderTest) async throws {
        let other = try LoopbackServer()
        defer { other.stop() }
        try keep(content.prefix(1000), "\"1\"", place: "/map", at: other)
        server.on(.get, "/map", .redirect(to: other.url("/map").absoluteString))
        let headers: HTTPHeaders = [.eTag: "\"1\"", .contentRange: "bytes 1000-299999/300000"]
        other.on(.get, "/map", .data(content.dropFirst(1000), status: 206, headers: headers))
        try await expectDownload(kind, status: 206)
        #expect(server.requests.map { $0.headers[.range] } == [nil])
        #expect(server.requests.map { $0.headers[.ifRange] } == [nil])
        #expect(other.requests.map { $0.headers[.range] } == ["bytes=1000-"])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func resumesByWayOfAnotherOrigin(_ kind: TransportUnderTest) async throws {
        let other = try LoopbackServer()
        defer { other.stop() }
        try keep(content.prefix(1000), "\"1\"", path: "/latest", place: "/map")
        server.on(.get, "/latest", .redirect(to: other.url("/mirrors").absoluteString))
        other.on(.get, "/mirrors", .redirect(to: server.url("/map").absoluteString))
        serveRanges()
        try await expectDownload(kind, "latest", status: 206)
        #expect(server.requests.map { $0.headers[.range] } == ["bytes=1000-", "bytes=1000-"])
        #expect(other.requests.map { $0.headers[.range] } == [nil])
        #expect(other.requests.map { $0.headers[.ifRange] } == [nil])
    }

    /// The same tag, and the same place but for the query, by which the server may also tell files apart.
    @Test(arguments: TransportUnderTest.allCases, [200_000, 300_001])
    func restartsWhereTheFileHasAnotherLength(_ kind: TransportUnderTest, _ length: Int) async throws {
        let other = LoopbackResponse.pattern(1..<length + 1)
        redirectToSignedLinks()
        serveRanges(cutFirstAt: 100_000)
        await expectLoss { try await self.download(kind, "latest") }
        serveRanges(of: other)
        #expect(try await download(kind, "latest").status == 200)
        #expect(server.requests.map { $0.headers[.range] != nil } == [false, false, true, true, false, false])
        #expect(try Data(contentsOf: target) == other)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func restartsWhenTheServerIgnoresRanges(_ kind: TransportUnderTest) async throws {
        try keep(content.prefix(1000), "\"1\"")
        server.on(.get, "/map", .data(content, headers: [.eTag: "\"1\""]))
        try await expectDownload(kind, status: 200)
        #expect(server.requests[0].headers[.range] == "bytes=1000-")
    }

    @Test(
        arguments: TransportUnderTest.allCases,
        [
            "bytes 5-299999/300000", "bytes 1000-1000/*x", "lines 1000-299999/300000", nil,
            // Without the complete length, more bytes may follow.
            "bytes 1000-1999/*",
        ])
    func restartsAfterARangeThatDoesNotFit(_ kind: TransportUnderTest, _ range: String?) async throws {
        try keep(content.prefix(1000), "\"1\"")
        let content = content
        server.on(.get, "/map") { request in
            guard request.headers[.range] != nil else { return .data(content) }
            return .data(content, status: 206, headers: range.map { [.contentRange: $0] } ?? [:])
        }
        try await expectDownload(kind, status: 200)
        #expect(server.requestCount == 2)
    }

    #if os(Linux)
    @Test func restartsWhereNoOtherPlaceIsFree() async throws {
        try keep(content.prefix(1000), "\"1\"")
        let content = content
        server.on(.get, "/map") { request in
            request.headers[.range] == nil ? .data(content) : .data(content, status: 206)
        }
        var options = CurlTransport.Options()
        options.maximumStreamsPerHost = 1
        options.bodyBufferSize = 1024
        options.timeout = .seconds(10)
        let client = APIClient(transport: CurlTransport(options), baseURL: server.url)
        #expect(try await client.download(Endpoint<Data>.get("map"), to: target).status == 200)
        #expect(try Data(contentsOf: target) == content)
    }
    #endif

    @Test(arguments: TransportUnderTest.allCases)
    func finishesACompletePartialFile(_ kind: TransportUnderTest) async throws {
        try keep(content, "\"1\"")
        serveRanges()
        try await expectDownload(kind, status: 416)
        #expect(server.requestCount == 1)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func refusesACompletePartialFileAboveTheLimit(_ kind: TransportUnderTest) async throws {
        try keep(content, "\"1\"")
        serveRanges()
        await #expect(throws: RequestError.self) { try await self.download(kind, limit: self.content.count - 1) }
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test(arguments: TransportUnderTest.allCases, [404, 416, 500, 304])
    func throwsUnacceptableStatuses(_ kind: TransportUnderTest, _ status: Int) async throws {
        server.on(.get, "/map", .text("no", status: status))
        let error = await #expect(throws: RequestError.self) {
            try await self.download(kind)
        }
        guard case .unacceptableStatus(let response)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(response.status == status)
        #expect(response.body == (status == 304 ? Data() : Data("no".utf8)))
        #expect(!response.isBodyCut)
        // No partial file is left behind.
        #expect(try names == [])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func keepsThePartialFileWhenItIsCancelled(_ kind: TransportUnderTest) async throws {
        let gate = Gate()
        let content = content
        server.on(
            .get, "/map",
            .streaming(length: content.count, headers: [.eTag: "\"1\""]) { writer in
                try writer.write(content.prefix(50_000))
                try writer.wait(at: gate)
                try writer.write(content.dropFirst(50_000))
            })
        let received = Observed<Int64>(0)
        let (client, target) = (client(kind), target)
        let endpoint = Endpoint<Data>.get("map")
        let task = Task {
            try await client.download(endpoint, to: target) { progress in
                received.update { $0 = progress.download.bytes }
            }
        }
        _ = try await received.wait { $0 == 50_000 }

        // Meanwhile, a second download to the same file fails.
        let error = await #expect(throws: RequestError.self) { try await client.download(endpoint, to: target) }
        guard case .invalidRequest(let reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason == "another download is writing to \"\(partialFile.path)\"")

        task.cancel()
        let cancelled = await #expect(throws: RequestError.self) { try await task.value }
        guard case .cancelled? = cancelled else {
            Issue.record("\(cancelled as Any)")
            return
        }
        #expect(try Data(contentsOf: partialFile) == content.prefix(50_000))
        serveRanges()
        try await expectDownload(kind, status: 206)
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
            guard case .bodyTooLarge(limit: 200_000)? = error else {
                Issue.record("\(error as Any)")
                continue
            }
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

    @Test(arguments: TransportUnderTest.allCases)
    func reportsAMissingFolder(_ kind: TransportUnderTest) async throws {
        let target = folder.appendingPathComponent("none/map.bin")
        let partial = target.path + ".partial"
        await #expect(throws: FileError(call: "open", path: partial, code: ENOENT)) {
            try await self.client(kind).download(Endpoint<Data>.get("map"), to: target)
        }
        #expect(server.requestCount == 0)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func reportsAFolderInPlaceOfTheTarget(_ kind: TransportUnderTest) async throws {
        let inner = folder.appendingPathComponent("maps")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        await #expect(throws: FileError(call: "rename", path: inner.path, code: EISDIR)) {
            try await self.client(kind).download(Endpoint<Data>.get("map"), to: inner)
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
            guard case .invalidRequest? = error else {
                Issue.record("\(error as Any)")
                continue
            }
        }
        #expect(server.requestCount == 0)
        #expect(try names == [])
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
    func keepsTheWholeBodyOfAnErrorResponse(_ kind: TransportUnderTest) async throws {
        let body = String(repeating: "e", count: 40_000)
        server.on(.get, "/map", .json("{\"message\": \"\(body)\"}", status: 403))
        let error = await #expect(throws: RequestError.self) { try await self.download(kind) }
        guard case .unacceptableStatus(let response)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(response.body == Data("{\"message\": \"\(body)\"}".utf8))
        #expect(!response.isBodyCut)
        #expect(try names == [])
    }

    @Test(arguments: TransportUnderTest.allCases)
    func keepsThePartialFileAfterAnErrorResponse(_ kind: TransportUnderTest) async throws {
        try keep(content.prefix(1000), "\"1\"")
        server.on(.get, "/map", .status(503))
        await #expect(throws: RequestError.self) { try await self.download(kind) }
        #expect(try Data(contentsOf: partialFile) == content.prefix(1000))
        serveRanges()
        try await expectDownload(kind, status: 206)
    }

    @Test(arguments: TransportUnderTest.allCases)
    func callsTheErrorHooks(_ kind: TransportUnderTest) async throws {
        struct Refused: Error, Equatable { let reason: String? }
        server.on(.get, "/map", .json(#"{"reason": "expired", "code": 17}"#, status: 403))
        var client = client(kind)
        client.configuration.errorFromResponse = { response in
            Refused(reason: "\(response.status) \(try response.value(String.self, at: "reason") ?? "")")
        }
        let hooked = client
        await #expect(throws: Refused(reason: "403 expired")) {
            try await hooked.download(Endpoint<Data>.get("map"), to: self.target)
        }
        client.configuration.errorFromResponse = nil
        client.configuration.errorCodeKey = "code"
        client.configuration.errorForCode = { code, _ in Refused(reason: code) }
        let coded = client
        await #expect(throws: Refused(reason: "17")) {
            try await coded.download(Endpoint<Data>.get("map"), to: self.target)
        }
        let repository = RefusingRepository(client: self.client(kind))
        await #expect(throws: RefusingRepository.Refused.self) {
            try await repository.download(Endpoint<Data>.get("map"), to: self.target)
        }
    }

    @Test(arguments: TransportUnderTest.allCases)
    func acceptsTheStatusesOfTheEndpoint(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/map", .data(content, status: 203))
        #expect(try await client(kind).download(Endpoint<Data>.get("map"), to: target).status == 203)
        let error = await #expect(throws: RequestError.self) {
            try await self.client(kind).download(Endpoint<Data>.get("map", accepting: [200]), to: self.target)
        }
        #expect(error?.response?.status == 203)
        server.on(.get, "/map", .data(Data("gone".utf8), status: 404))
        #expect(try await client(kind).download(Endpoint<Data>.get("map", accepting: [404]), to: target).status == 404)
        #expect(try Data(contentsOf: target) == Data("gone".utf8))
    }

    /// Leaves the files of an earlier, interrupted download.
    private func keep(
        _ bytes: Data, _ validator: String, path: String = "/map", place: String? = nil,
        at origin: LoopbackServer? = nil, digest: Bool = true
    ) throws {
        try bytes.write(to: partialFile)
        let url = server.url(path)
        let source = url.absoluteString + (place.map { " " + (origin ?? server).url($0).absoluteString } ?? "")
        let lines = [source, validator] + (digest ? [TransportRequest(.get, url).fieldDigest] : [])
        try Data(lines.joined(separator: "\n").utf8)
            .write(to: folder.appendingPathComponent("map.bin.partial.from"))
    }

    private func expectLoss(_ run: () async throws -> Response<URL>) async {
        let error = await #expect(throws: RequestError.self) { try await run() }
        guard case .connection(let failure)? = error, failure.kind == .connectionLost else {
            Issue.record("\(error as Any)")
            return
        }
    }
}

/// Adds a key, and says that it adds nothing.
private struct UndeclaringTransport: Transport {
    let base: any Transport

    func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.headers["X-Key"] = "k"
        return try await base.response(to: request)
    }

    func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
}

private final class RefusingRepository: AbstractRepository<String> {
    struct Refused: Error {}

    override class func error(from response: Response<Data>) throws -> (any Error)? {
        response.status == 403 ? Refused() : nil
    }
}

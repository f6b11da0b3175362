import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite("Resumed downloads", .timeLimit(.hung), .network)
struct FileDownloadResumingTests: DownloadSuite {
    let setup: DownloadSetup

    init() throws { setup = try DownloadSetup() }

    // MARK: Validators

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

    // MARK: Requests of others

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
        case .undeclared: transport = StampingTransport(transport) { "k" }
        case .undeclaredBesideUnknown:
            let signedIn = try AuthenticatingTransport(transport, origins: [server.url], token: "t")
            transport = StampingTransport(signedIn) { "k" }
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
        let client = APIClient(transport: StampingTransport(kind.make()) { "k" }, baseURL: server.url)
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

    // MARK: Redirects

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

    // MARK: Responses

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

    // MARK: What is kept

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
        #expect(error?.invalidRequestReason == "another download is writing to \"\(partialFile.path)\"")

        task.cancel()
        await expectCancelled(task)
        #expect(try Data(contentsOf: partialFile) == content.prefix(50_000))
        serveRanges()
        try await expectDownload(kind, status: 206)
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
}

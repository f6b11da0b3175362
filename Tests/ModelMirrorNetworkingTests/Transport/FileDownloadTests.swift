import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
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

    private func download(_ path: String = "/map") -> FileDownload {
        FileDownload(TransportRequest(.get, server.url(path)), to: target)
    }

    /// Serves ranges as RFC 9110 says.
    private func serveRanges(tag: String? = "\"1\"", modified: String? = nil, cutFirstAt cut: Int? = nil) {
        let content = content
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

    @Test func downloads() async throws {
        serveRanges()
        try Data("old".utf8).write(to: target)
        let told = Mutex<[FileDownload.Progress]>([])
        var download = download()
        download.progress = { progress in told.withLock { $0.append(progress) } }
        let response = try await download.run(over: URLSessionTransport())
        #expect(response.status == 200)
        #expect(response.headers[.eTag] == "\"1\"")
        #expect(try Data(contentsOf: target) == content)
        #expect(try names == ["map.bin"])
        let values = told.withLock { $0 }
        #expect(values.last == FileDownload.Progress(received: 300_000, total: 300_000))
        #expect(values.last?.fraction == 1)
        #expect(values.map(\.received) == values.map(\.received).sorted())
        #expect(server.requests[0].headers[.range] == nil)
        #expect(server.requests[0].headers["Accept-Encoding"] == "identity")
    }

    @Test(
        arguments: [
            ("\"1\"", nil, "\"1\""), (nil, "Fri, 20 Nov 2026 05:46:49 GMT", "Fri, 20 Nov 2026 05:46:49 GMT"),
            ("\"1\"", "Fri, 20 Nov 2026 05:46:49 GMT", "\"1\""),
        ] as [(String?, String?, String)])
    func goesOn(_ tag: String?, _ modified: String?, _ validator: String) async throws {
        serveRanges(tag: tag, modified: modified, cutFirstAt: 100_000)
        await expectLoss { try await self.download().run(over: URLSessionTransport()) }
        #expect(try names == ["map.bin.partial", "map.bin.partial.from"])
        let kept = try Data(contentsOf: download().partialFile).count
        #expect(kept > 0 && kept <= 100_000)

        let first = Mutex<FileDownload.Progress?>(nil)
        var download = download()
        download.progress = { progress in first.withLock { $0 = $0 ?? progress } }
        let response = try await download.run(over: URLSessionTransport())
        #expect(response.status == 206)
        #expect(server.requests[1].headers[.range] == "bytes=\(kept)-")
        #expect(server.requests[1].headers[.ifRange] == validator)
        #expect(try Data(contentsOf: target) == content)
        #expect(try names == ["map.bin"])
        let told = first.withLock { $0 }
        #expect(told.map { $0.received > kept && $0.total == 300_000 } == true)
    }

    @Test(
        arguments: [
            ("W/\"1\"", nil), (nil, nil), (nil, "Sat, 21 Nov 2026 05:46:49 GMT"), ("1", nil),
        ] as [(String?, String?)])
    func startsAnewWithoutAValidator(_ tag: String?, _ modified: String?) async throws {
        serveRanges(tag: tag, modified: modified, cutFirstAt: 100_000)
        await expectLoss { try await self.download().run(over: URLSessionTransport()) }
        #expect(try await download().run(over: URLSessionTransport()).status == 200)
        #expect(server.requests[1].headers[.range] == nil)
        #expect(try Data(contentsOf: target) == content)
    }

    @Test func startsAnewWhenTheFileHasChanged() async throws {
        try keep(Data("of another version".utf8), "\"0\"")
        serveRanges()
        #expect(try await download().run(over: URLSessionTransport()).status == 200)
        #expect(server.requests[0].headers[.ifRange] == "\"0\"")
        #expect(try Data(contentsOf: target) == content)
    }

    @Test func startsAnewForAnotherURL() async throws {
        try keep(Data("of another file".utf8), "\"1\"", path: "/other")
        serveRanges()
        #expect(try await download().run(over: URLSessionTransport()).status == 200)
        #expect(server.requests[0].headers[.range] == nil)
        #expect(try Data(contentsOf: target) == content)
    }

    @Test func startsAnewFromServersThatIgnoreRanges() async throws {
        try keep(content.prefix(1000), "\"1\"")
        server.on(.get, "/map", .data(content, headers: [.eTag: "\"1\""]))
        #expect(try await download().run(over: URLSessionTransport()).status == 200)
        #expect(server.requests[0].headers[.range] == "bytes=1000-")
        #expect(try Data(contentsOf: target) == content)
    }

    @Test(arguments: ["bytes 5-299999/300000", "bytes 1000-1000/*x", "lines 1000-299999/300000", nil])
    func startsAnewAfterAPartThatDoesNotFit(_ range: String?) async throws {
        try keep(content.prefix(1000), "\"1\"")
        let content = content
        server.on(.get, "/map") { request in
            guard request.headers[.range] != nil else { return .data(content) }
            return .data(content, status: 206, headers: range.map { [.contentRange: $0] } ?? [:])
        }
        #expect(try await download().run(over: URLSessionTransport()).status == 200)
        #expect(server.requestCount == 2)
        #expect(try Data(contentsOf: target) == content)
    }

    @Test func finishesWhatIsWhole() async throws {
        try keep(content, "\"1\"")
        serveRanges()
        #expect(try await download().run(over: URLSessionTransport()).status == 416)
        #expect(try Data(contentsOf: target) == content)
        #expect(server.requestCount == 1)
    }

    @Test func startsAnewWhenThereIsTooMuch() async throws {
        try keep(content + Data("more".utf8), "\"1\"")
        serveRanges()
        #expect(try await download().run(over: URLSessionTransport()).status == 200)
        #expect(try Data(contentsOf: target) == content)
    }

    @Test(arguments: [404, 416, 500, 304])
    func refusesStatuses(_ status: Int) async throws {
        server.on(.get, "/map", .text("no", status: status))
        let error = await #expect(throws: RequestError.self) {
            try await self.download().run(over: URLSessionTransport())
        }
        guard case .unacceptableStatus(let response)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(response.status == status)
        #expect(response.body == (status == 304 ? Data() : Data("no".utf8)))
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test func keepsWhatItHasWhenItIsCancelled() async throws {
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
        var download = download()
        download.progress = { progress in received.update { $0 = progress.received } }
        let task = Task { [download] in try await download.run(over: URLSessionTransport()) }
        _ = try await received.wait { $0 == 50_000 }

        // Meanwhile, nobody else may write there.
        let other = download
        let error = await #expect(throws: RequestError.self) { try await other.run(over: URLSessionTransport()) }
        guard case .invalidRequest(let reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason == "another download writes to \"\(download.partialFile.path)\"")

        task.cancel()
        await #expect(throws: RequestError.self) { try await task.value }
        #expect(try Data(contentsOf: download.partialFile) == content.prefix(50_000))
        serveRanges()
        #expect(try await download.run(over: URLSessionTransport()).status == 206)
        #expect(try Data(contentsOf: target) == content)
    }

    @Test func limitsTheFile() async throws {
        serveRanges()
        server.on(
            .get, "/endless",
            .streaming { writer in
                for _ in 0..<16 { try writer.write(Data(count: 1 << 16)) }
                try writer.wait(at: Gate())
            })
        for path in ["/map", "/endless"] {
            var download = download(path)
            download.limit = 200_000
            let limited = download
            let error = await #expect(throws: RequestError.self) { try await limited.run(over: URLSessionTransport()) }
            guard case .bodyTooLarge(limit: 200_000)? = error else {
                Issue.record("\(error as Any)")
                continue
            }
            let kept = try Data(contentsOf: download.partialFile).count
            #expect(kept <= 200_000)
        }
        try download().discardPartialFile()
        try download().discardPartialFile()
        #expect(try names == [])
    }

    @Test func saysWhatIsWrongWithFolders() async throws {
        let download = FileDownload(
            TransportRequest(.get, server.url("/map")), to: folder.appendingPathComponent("none/map.bin"))
        await #expect(throws: CocoaError.self) { try await download.run(over: URLSessionTransport()) }
        #expect(server.requestCount == 0)
    }

    @Test func refusesRequestsThatAreNoDownloads() async throws {
        for request in [
            TransportRequest(.post, server.url("/map")),
            TransportRequest(.get, server.url("/map"), headers: [.range: "bytes=0-"]),
        ] {
            await #expect(throws: RequestError.self) {
                try await FileDownload(request, to: self.target).run(over: URLSessionTransport())
            }
        }
        #expect(server.requestCount == 0)
    }

    /// Leaves what an earlier run would have.
    private func keep(_ bytes: Data, _ validator: String, path: String = "/map") throws {
        try bytes.write(to: download().partialFile)
        try Data("\(server.url(path).absoluteString)\n\(validator)".utf8)
            .write(to: folder.appendingPathComponent("map.bin.partial.from"))
    }

    private func expectLoss(_ run: () async throws -> TransportResponse) async {
        let error = await #expect(throws: RequestError.self) { try await run() }
        guard case .connection(let failure)? = error, failure.kind == .connectionLost else {
            Issue.record("\(error as Any)")
            return
        }
    }
}

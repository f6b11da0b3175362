import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

/// A server, and a folder for what is downloaded from it.
final class DownloadSetup: Sendable {
    let server: LoopbackServer
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("downloads-\(UUID())")
    let content = LoopbackResponse.pattern(0..<300_000)

    init() throws {
        server = try LoopbackServer()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// What the suites of downloads have in common.
protocol DownloadSuite {
    var setup: DownloadSetup { get }
}

extension DownloadSuite {
    var server: LoopbackServer { setup.server }
    var folder: URL { setup.folder }
    /// The file of the server.
    var content: Data { setup.content }
    var target: URL { folder.appendingPathComponent("map.bin") }
    var partialFile: URL { folder.appendingPathComponent("map.bin.partial") }
    /// The names of the files in the folder.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    func client(_ kind: TransportUnderTest) -> APIClient {
        APIClient(transport: kind.make(), baseURL: server.url)
    }

    func download(
        _ kind: TransportUnderTest, _ path: String = "map", limit: Int? = nil,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> Response<URL> {
        try await client(kind).download(Endpoint<Data>.get("\(path)"), to: target, limit: limit, progress: progress)
    }

    /// Downloads, and compares the status and the file.
    func expectDownload(
        _ kind: TransportUnderTest, _ path: String = "map", status: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let response = try await download(kind, path)
        #expect(response.status == status, sourceLocation: sourceLocation)
        #expect(try Data(contentsOf: target) == content, sourceLocation: sourceLocation)
    }

    /// Serves ranges as RFC 9110 specifies.
    func serveRanges(
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

    /// Leaves the files of an earlier, interrupted download.
    func keep(
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

    func expectLoss(_ run: () async throws -> Response<URL>) async {
        let error = await #expect(throws: RequestError.self) { try await run() }
        #expect(error?.failureKind == .connectionLost)
    }
}

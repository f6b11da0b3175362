import ModelMirrorFoundation
import ModelMirrorNetworking

/// The check of HTTP/2, against a server other than the probe's.
extension ConformanceProbe {
    func http2(_ urls: [URL]) async throws {
        try expect(!urls.isEmpty, "no URL was given")
        var bodies: [Data] = []
        for url in urls {
            let (response, body) = try await fetch(TransportRequest(.get, url))
            try expect(response.status, equals: 200, "the status of \(url)")
            if let version = response.metrics?.httpVersion {
                try expect(version, equals: "2", "the version of HTTP in the metrics of \(url)")
            }
            bodies.append(body)
        }
        server.on(.get, "/", .json("[]"))
        begin("64 requests were under way, a quarter of them cancelled and a quarter with their bodies dropped")
        try await withThrowingTaskGroup(of: Void.self) { [bodies] group in
            for number in 0..<64 {
                let (url, body) = (urls[number % urls.count], bodies[number % urls.count])
                group.addTask {
                    switch number / urls.count % 4 {
                    case 0: try await cancelled(url, body)
                    case 1: _ = try await transport.response(to: TransportRequest(.get, url))
                    default: try await expectBody(body, of: url)
                    }
                }
            }
            // At the same time, a server without HTTP/2.
            group.addTask { try await expectBody(Data("[]".utf8), of: server.url("/")) }
            try await group.waitForAll()
        }
        begin("a request was made after the others had ended")
        for (url, body) in zip(urls, bodies) { try await expectBody(body, of: url) }
    }

    private func expectBody(_ body: Data, of url: URL) async throws {
        let response = try await transport.response(to: TransportRequest(.get, url))
        progress()
        let found = try await response.body.collect(limit: 1 << 28)
        try expect(found == body, "the body of \(url) is another than the first time, when nothing else was under way")
    }

    /// A request that is cancelled at some moment: it either throws `.cancelled` or completes.
    private func cancelled(_ url: URL, _ body: Data) async throws {
        let task = Task { try await expectBody(body, of: url) }
        await Task.yield()
        task.cancel()
        do { try await task.value } catch RequestError.cancelled {}
    }
}

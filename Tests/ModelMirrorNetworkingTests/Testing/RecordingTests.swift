import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("RecordingTransport and ReplayTransport", .timeLimit(.hung), .network)
struct RecordingTests {
    private let mock = MockTransport(chunkSize: 3)
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")

    private func request(_ method: HTTPMethod = .get, _ url: String, body: HTTPBody? = nil) throws -> TransportRequest {
        TransportRequest(method, try #require(URL(string: url)), body: body)
    }

    private func fetch(_ transport: any Transport, _ request: TransportRequest) async throws -> String {
        let response = try await transport.response(to: request)
        return "\(response.status) " + String(decoding: try await response.body.collect(limit: 1000), as: UTF8.self)
    }

    private func reason(_ transport: any Transport, _ request: TransportRequest) async throws -> String? {
        do {
            _ = try await transport.response(to: request)
        } catch RequestError.invalidRequest(let reason) {
            return reason
        }
        return nil
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    @Test("Recorded files can be replayed, and contain no secrets")
    func files() async throws {
        defer { remove() }
        var headers: HTTPHeaders = [.location: "/next?token=s3cret&page=2"]
        headers.append("a=s3cret", for: .setCookie)
        headers.append("b=s3cret", for: .setCookie)
        mock.on(.post, "/users/octo cat", .json("{\"a\":1}", headers: headers))
        let redaction = Redaction(headers: ["X-Api-Key"], queryItems: ["token", "k y"])
        let recording = try RecordingTransport(mock, folder: folder, redaction: redaction)
        var request = try request(
            .post, "https://me:s3cret@x/users/octo%20cat?token=s3cret&q=1%2B1&k%20y=s3cret",
            body: .data(Data("hi".utf8)))
        request.headers = [
            .authorization: "Bearer s3cret", .cookie: "s3cret", "x-api-key": "s3cret", .contentType: "text/plain",
            "X-Open": "1",
        ]
        #expect(try await fetch(recording, request) == "200 {\"a\":1}")
        #expect(recording.unfinished == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(
            names == [
                "0001-POST-users-octo-cat.json", "0001-POST-users-octo-cat.request.txt",
                "0001-POST-users-octo-cat.response.json",
            ])
        let texts = try names.map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
        #expect(!texts.joined().contains("s3cret"))
        #expect(texts[1] == "hi")
        #expect(texts[2] == "{\"a\":1}")
        #expect(
            texts[0] == """
                {
                  "request": {
                    "body": "0001-POST-users-octo-cat.request.txt",
                    "headers": [
                      {
                        "name": "Authorization",
                        "value": "REDACTED"
                      },
                      {
                        "name": "Cookie",
                        "value": "REDACTED"
                      },
                      {
                        "name": "x-api-key",
                        "value": "REDACTED"
                      },
                      {
                        "name": "Content-Type",
                        "value": "text/plain"
                      },
                      {
                        "name": "X-Open",
                        "value": "1"
                      }
                    ],
                    "method": "POST",
                    "url": "https://x/users/octo%20cat?token=REDACTED&q=1%2B1&k%20y=REDACTED"
                  },
                  "response": {
                    "body": "0001-POST-users-octo-cat.response.json",
                    "headers": [
                      {
                        "name": "Location",
                        "value": "/next?token=REDACTED&page=2"
                      },
                      {
                        "name": "Set-Cookie",
                        "value": "REDACTED"
                      },
                      {
                        "name": "Set-Cookie",
                        "value": "REDACTED"
                      },
                      {
                        "name": "Content-Type",
                        "value": "application/json"
                      },
                      {
                        "name": "Content-Length",
                        "value": "7"
                      }
                    ],
                    "status": 200,
                    "url": "https://x/users/octo%20cat?token=REDACTED&q=1%2B1&k%20y=REDACTED"
                  }
                }
                """)
        // A redacted query item matches any value.
        let replay = try ReplayTransport(folder: folder)
        request.url = try #require(URL(string: "https://x/users/octo%20cat?token=other&q=1%2B1&k%20y="))
        #expect(try await fetch(replay, request) == "200 {\"a\":1}")
    }

    @Test("Repeated requests are replayed in order, and only as often as recorded")
    func order() async throws {
        defer { remove() }
        mock.on(.get, "/a", .sequence([.text("one"), .failure(.timedOut), .text("three", status: 503)]))
        mock.on(.get, "/b", .status(204))
        let recording = try RecordingTransport(mock, folder: folder)
        let a = try request(.get, "http://x/a")
        let b = try request(.get, "http://x/b")
        #expect(try await fetch(recording, a) == "200 one")
        await #expect(throws: RequestError.self) { try await recording.response(to: a) }
        #expect(try await fetch(recording, b) == "204 ")
        #expect(try await fetch(recording, a) == "503 three")

        let replay = try ReplayTransport(folder: folder)
        #expect(replay.unused == ["0001-GET-a.json", "0002-GET-a.json", "0003-GET-b.json", "0004-GET-a.json"])
        #expect(try await fetch(replay, b) == "204 ")
        #expect(try await fetch(replay, a) == "200 one")
        let error = await #expect(throws: RequestError.self) { _ = try await replay.response(to: a) }
        #expect(error?.failureKind == .timedOut && error?.failureReason == "simulated by the mock")
        #expect(replay.unused == ["0004-GET-a.json"])
        #expect(try await fetch(replay, a) == "503 three")
        #expect(replay.unused == [])
        #expect(
            try await reason(replay, a)
                == "the recording in \(folder.path) has no answer to GET http://x/a: it was recorded 3 times but "
                + "requested again")
    }

    @Test("A request that was not recorded fails with a list of the recorded ones")
    func unmatched() async throws {
        defer { remove() }
        let empty = try RecordingTransport(mock, folder: folder)
        let before = "the recording in \(folder.path) has no answer to "
        #expect(
            try await reason(ReplayTransport(folder: folder), request(.get, "http://x/a"))
                == before + "GET http://x/a: the recording contains no requests")
        mock.on(nil, "/a", .text("a"))
        _ = try await fetch(empty, request(.post, "http://x/a?b=1", body: .data(Data("1".utf8))))
        let replay = try ReplayTransport(folder: folder)
        #expect(
            try await reason(replay, request(.get, "http://u:p@x/a?b=1"))
                == before + "GET http://x/a?b=1: the recording contains POST http://x/a?b=1")
        #expect(
            try await reason(replay, request(.post, "http://x/a?b=1", body: .data(Data("2".utf8))))
                == before + "POST http://x/a?b=1: it was recorded with another body, see 0001-POST-a.json")
        let relative = try TransportRequest(.get, #require(URL(string: "/a")))
        #expect(try await reason(replay, relative) == "the URL /a is not an absolute http or https URL with a host")
        let careless = try ReplayTransport(folder: folder, comparesBodies: false)
        #expect(try await fetch(careless, request(.post, "http://x/a?b=1", body: .data(Data("2".utf8)))) == "200 a")
    }

    @Test("What an AuthenticatingTransport adds to a URL is shown neither by a mock nor by a replay")
    func credentials() async throws {
        defer { remove() }
        _ = try RecordingTransport(mock, folder: folder)
        for (base, sentence) in try [
            (mock, "the mock has no answer to GET http://x/a?b=1&key=REDACTED; it knows no route"),
            (
                ReplayTransport(folder: folder),
                "the recording in \(folder.path) has no answer to GET http://x/a?b=1&key=REDACTED: the recording contains no requests"
            ),
        ] as [(any Transport, String)] {
            let signedIn = try AuthenticatingTransport(
                base, origins: [#require(URL(string: "http://x"))], credential: "s3cret"
            ) { request, key in
                request.url.append(queryItems: [URLQueryItem(name: "key", value: key)])
            }
            #expect(try await reason(signedIn, request(.get, "http://x/a?b=1")) == sentence)
        }
        #expect(mock.unmatched == ["the mock has no answer to GET http://x/a?b=1&key=REDACTED; it knows no route"])
    }

    @Test("A later recording continues the numbering of the folder")
    func goingOn() async throws {
        defer { remove() }
        mock.on(.get, "/", .sequence([.text("1"), .text("2")]))
        let root = try request(.get, "http://x")
        _ = try await fetch(RecordingTransport(mock, folder: folder), root)
        _ = try await fetch(RecordingTransport(mock, folder: folder), root)
        let replay = try ReplayTransport(folder: folder)
        #expect(replay.unused == ["0001-GET-root.json", "0002-GET-root.json"])
        #expect(try await fetch(replay, root) == "200 1")
        #expect(try await fetch(replay, root) == "200 2")
    }

    @Test("A second recording of one folder at a time overwrites nothing")
    func twoAtOnce() async throws {
        defer { remove() }
        mock.on(.get, "/a", .sequence([.text("1"), .text("2"), .text("3"), .text("4")]))
        mock.on(.get, "/b", .text("b"))
        let a = try request(.get, "http://x/a")
        let (first, second) = (
            try RecordingTransport(mock, folder: folder), try RecordingTransport(mock, folder: folder)
        )
        #expect(try await fetch(first, a) == "200 1")
        let client = APIClient(transport: second)
        await expectError(
            "The request cannot be sent: it cannot be recorded in \(folder.path): 0001-GET-a.json is another recording's; use one "
                + "RecordingTransport for the folder, or a folder for each."
        ) { _ = try await client.value(Endpoint<Data>.get("http://x/a")) }
        #expect((first.unfinished, second.unfinished) == (0, 1))
        #expect(try await fetch(second, request(.get, "http://x/b")) == "200 b")
        #expect(try await fetch(first, a) == "200 3")
        let replay = try ReplayTransport(folder: folder)
        #expect(replay.unused == ["0001-GET-a.json", "0002-GET-a.json", "0002-GET-b.json"])
        #expect(try await fetch(replay, a) == "200 1")
        #expect(try await fetch(replay, a) == "200 3")
        // What a process left that ended while it wrote.
        try Data("old".utf8).write(to: folder.appending(path: "0005-GET-a.response.txt"))
        #expect(try await fetch(RecordingTransport(mock, folder: folder), a) == "200 4")
        #expect(try ReplayTransport(folder: folder).unused.last == "0006-GET-a.json")
    }

    @Test("A response without a body is written although its body is not read")
    func bodiless() async throws {
        defer { remove() }
        let tag: HTTPHeaders = [.eTag: "\"1\""]
        mock.on(.get, "/a", .sequence([.json("1", headers: tag), .status(304, headers: tag)]))
        mock.on(.delete, "/a", .status(204))
        let recording = try RecordingTransport(mock, folder: folder)
        func use(_ transport: any Transport) async throws {
            let client = APIClient(transport: transport, persistence: Persistence(MemoryStore()))
            #expect(try await client.value(Endpoint<Int>.get("http://x/a")) == 1)
            #expect(try await client.response(Endpoint<Int>.get("http://x/a")).origin == .confirmedStore)
            for method in [HTTPMethod.head, .delete] {
                _ = try await transport.response(to: request(method, "http://x/a"))
            }
        }
        try await use(recording)
        #expect(recording.unfinished == 0)
        try await use(ReplayTransport(folder: folder))
    }

    @Test("A folder that cannot be used is reported with its path and the reason")
    func unusableFolder() async throws {
        defer { remove() }
        await expectError("The recording \(folder.path) cannot be read: No such file or directory.") {
            _ = try ReplayTransport(folder: folder)
        }
        try Data().write(to: folder)
        await expectError("The recording \(folder.path) cannot be written: File exists.") {
            _ = try RecordingTransport(mock, folder: folder)
        }
    }

    @Test("A recording is not continued after a number that has no next one")
    func lastNumber() async throws {
        defer { remove() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: folder.appending(path: "\(Int.max)-GET-a.json"))
        await expectError(
            "The recording \(folder.path) cannot be continued: a file in it has the number 9223372036854775807."
        ) {
            _ = try RecordingTransport(mock, folder: folder)
        }
    }

    @Test("A body that is too large or not read to its end is not written")
    func unfinished() async throws {
        defer { remove() }
        mock.on(.get, "/a", .text("abcdef"))
        mock.on(.post, "/a", .status(200))
        let recording = try RecordingTransport(mock, folder: folder, bodyLimit: 5)
        var iterator = try await recording.response(to: request(.get, "http://x/a")).body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("abc".utf8))
        #expect(recording.unfinished == 1)
        let error = await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(error?.exceededBodyLimit == 5)
        #expect(
            try await reason(recording, request(.post, "http://x/a", body: .data(Data("abcdef".utf8))))
                == "the body is larger than the limit of 5 bytes")
        #expect(try ReplayTransport(folder: folder).unused == [])
    }

    @Test("A body in chunks is produced once, so the bytes sent are the bytes written")
    func chunks() async throws {
        defer { remove() }
        mock.on(.post, "/a") { request in .data(request.body) }
        let recording = try RecordingTransport(mock, folder: folder)
        let made = Gate()
        let body = HTTPBody.chunks {
            made.pass()
            var rest: Data? = Data(UUID().uuidString.utf8)
            return {
                defer { rest = nil }
                return rest
            }
        }
        let text = try await fetch(recording, request(.post, "http://x/a", body: body))
        let written = try String(contentsOf: folder.appendingPathComponent("0001-POST-a.request.bin"), encoding: .utf8)
        #expect(text == "200 " + written)
    }

    @Test("An exchange that cannot be written fails the request with the system's reason")
    func removedFolder() async throws {
        mock.on(.get, "/a", .json("1"))
        let client = APIClient(transport: try RecordingTransport(mock, folder: folder))
        remove()
        await expectError(
            "The request cannot be sent: it cannot be recorded in \(folder.path): No such file or directory."
        ) { _ = try await client.value(Endpoint<Int>.get("http://x/a")) }
    }

    @Test(
        "A damaged file is reported with its path and the reason",
        arguments: [
            (
                "{",
                "Invalid JSON at line 1, column 2 (byte 1): expected a key in double quotes or '}', found the end of the document"
            ),
            ("{}", "it has no request with a method and a url"),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\"}}",
                "it has neither a failure nor a response with a status"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\"},\"failure\":{\"kind\":\"x\"}}",
                "its failure has an unknown kind"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\"},\"response\":{\"status\":200,\"body\":\"../../etc/passwd\"}}",
                "the name of its body is a path"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\"},\"response\":{\"status\":200,\"body\":\"gone\"}}",
                "its body file gone cannot be read: No such file or directory"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\",\"headers\":[1]},\"response\":{\"status\":200}}",
                "a header field has no name and value"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\"},\"response\":{\"status\":200,\"headers\":{\"ETag\":\"1\"}}}",
                "its header fields are not an array"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\",\"body\":7},\"response\":{\"status\":200}}",
                "the name of its body is not a string"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\"},\"response\":{\"status\":200,\"url\":7}}",
                "the url of its response is not a string"
            ),
            (
                "{\"request\":{\"method\":\"GET\",\"url\":\"/\"},\"failure\":\"timedOut\",\"response\":{\"status\":200}}",
                "its failure has an unknown kind"
            ),
        ])
    func spoilt(text: String, reason: String) async throws {
        defer { remove() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("0001-GET-a.json")
        try Data(text.utf8).write(to: file)
        await expectError("The recording \(file.path) cannot be read: \(reason).") {
            _ = try ReplayTransport(folder: folder)
        }
    }
}

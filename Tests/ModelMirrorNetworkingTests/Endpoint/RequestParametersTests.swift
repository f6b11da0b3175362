import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

private final class Note: AbstractModel {
    var text = ""
    var ratio = 0.5
}

private struct Point: Encodable {
    var y = 2
    var x = 1
}

@Suite("RequestParameters")
struct RequestParametersTests {
    private func applied(
        _ parameters: RequestParameters, _ method: HTTPMethod = .get, url: String = "https://x.org/a",
        headers: HTTPHeaders = [:]
    ) throws -> TransportRequest {
        var request = TransportRequest(method, try #require(URL(string: url)), headers: headers)
        try parameters.apply(to: &request)
        return request
    }

    private func query(_ parameters: RequestParameters, url: String = "https://x.org/a") throws -> String {
        String(try applied(parameters, url: url).url.absoluteString.dropFirst("https://x.org/a".count))
    }

    private func bodyText(_ request: TransportRequest) throws -> String {
        guard case .data(let data)? = request.body?.content else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    // MARK: Query

    @Test("All but unreserved characters are escaped, in the order of a literal, or by the names of a dictionary")
    func escaping() throws {
        for (parameters, expected) in [
            (["q": "x y&b=c+d", "é": "#?/%~-._"], "?q=x%20y%26b%3Dc%2Bd&%C3%A9=%23%3F%2F%25~-._"),
            (["": "", "a[b]": "1"], "?=&a%5Bb%5D=1"), (["b": 1, "a": 2, "b": 3], "?b=1&a=2&b=3"),
            (.query(ParameterList(["b": 1, "a": 2, "c": 3])), "?a=2&b=1&c=3"),
        ] as [(RequestParameters, String)] {
            #expect(try query(parameters) == expected)
        }
    }

    @Test("Numbers, Booleans, nulls, arrays and objects are written in the given style")
    func styles() throws {
        let list: ParameterList = [
            "n": 0.10, "on": true, "none": JSONValue.null, "tags": ["a", "b c"],
            "owner": .object(["login": "x", "id": 7]), "empty": .array([]),
            "list": [["id": 1]],
        ]
        #expect(
            try query(.query(list)).removingPercentEncoding
                == "?n=0.1&on=true&tags[]=a&tags[]=b c&owner[id]=7&owner[login]=x&list[][id]=1")
        let style = ParameterStyle(arrays: .indices, objects: .dots, booleans: .digits, nulls: .empty)
        #expect(
            try query(.query(list, style: style)).removingPercentEncoding
                == "?n=0.1&on=1&none=&tags[0]=a&tags[1]=b c&owner.id=7&owner.login=x&list[0].id=1")
        #expect(try query(.query(["t": ["a", "b,c"]], style: ParameterStyle(arrays: .repeated))) == "?t=a&t=b%2Cc")
        #expect(try query(.query(["t": ["a", "b,c"]], style: ParameterStyle(arrays: .commas))) == "?t=a,b%2Cc")
    }

    @Test("Arrays and objects are nested as deep as in JSON", arguments: ["%5B%5D", "%5Bm%5D"])
    func depth(name: String) throws {
        func nested(_ levels: Int) -> JSONValue {
            (0..<levels).reduce(1) { value, _ in name == "%5B%5D" ? .array([value]) : .object(["m": value]) }
        }
        let limit = MappingOptions.maximumDepth
        #expect(try query(["p": nested(limit)]) == "?p\(String(repeating: name, count: limit))=1")
        let error = #expect(throws: RequestError.self) { try query(["p": nested(limit + 1)]) }
        #expect(error?.invalidRequestReason == "a parameter is nested deeper than \(limit) levels")
    }

    @Test(
        "The URL's own query and fragment are kept, and an empty list adds no question mark",
        arguments: [
            ("", "?p=1"), ("?", "?p=1"), ("?a=%20b", "?a=%20b&p=1"), ("?a=1&", "?a=1&p=1"), ("#top", "?p=1#top"),
            ("?a=1#top?x", "?a=1&p=1#top?x"),
        ])
    func existing(_ end: String, _ expected: String) throws {
        #expect(try query(["p": 1], url: "https://x.org/a" + end) == expected)
        #expect(try query([:], url: "https://x.org/a" + end) == end)
    }

    // MARK: Bodies

    @Test(
        "A literal goes into the body or the query as the method requires", arguments: [HTTPMethod.post, .put, .patch])
    func byMethod(method: HTTPMethod) throws {
        let request = try applied(["b": .array([1, JSONValue.null]), "a": "é"], method)
        #expect(try bodyText(request) == #"{"b":[1,null],"a":"é"}"#)
        #expect(request.headers[.contentType] == "application/json")
        #expect(request.url.absoluteString == "https://x.org/a")
        #expect(try bodyText(applied([:], method)) == "{}")
        #expect(try applied(["a": 1], .delete).url.absoluteString == "https://x.org/a?a=1")
    }

    @Test("A form is encoded as browsers encode it")
    func form() throws {
        let request = try applied(.form(["user name": "a b&c=d*~", "x": "ü\n"]), .post)
        #expect(try bodyText(request) == "user+name=a+b%26c%3Dd*%7E&x=%C3%BC%0A")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test("JSON is written from values, objects, arrays of objects and Encodable values")
    func json() throws {
        let note = try Note(json: #"{"text": "t"}"#)
        let parameters = RequestParameters.json(note)
        note.text = "changed later"
        for (parameters, written) in [
            (parameters, #"{"text":"t","ratio":0.5}"#), (.json([note]), #"[{"text":"changed later","ratio":0.5}]"#),
            (.json(["b": 1, "a": [true]]), #"{"b":1,"a":[true]}"#),
            (.json(value: ["b": 1, "a": [true]]), #"{"a":[true],"b":1}"#),
            (.json(encodable: Point()), #"{"x":1,"y":2}"#),
        ] as [(RequestParameters, String)] {
            #expect(try bodyText(applied(parameters, .put)) == written)
        }
        let own = try applied(.json(value: .null), .post, headers: [.contentType: "application/vnd.x+json"])
        #expect(own.headers.values(for: .contentType) == ["application/vnd.x+json"])
    }

    @Test("Applying parameters that cannot be written throws and leaves the request unchanged")
    func failures() throws {
        let note = Note()
        note.ratio = .nan
        #expect(throws: ModelError.self) { try applied(.json(note), .post) }
        let missing = URL(fileURLWithPath: "/nowhere/at all")
        let gone = "the file \"/nowhere/at all\" cannot be read as a body: No such file or directory"
        let folder = FileManager.default.temporaryDirectory
        let refused: [(RequestParameters, HTTPMethod, String)] = [
            (
                .json(value: 1), .get,
                "a GET request cannot have a body; send the parameters with .query or use another method"
            ),
            (["a\n": 1, "a\n": 2], .post, #"the parameter "a\n" occurs twice in a JSON object"#),
            (.file(missing, contentType: "text/plain"), .post, gone),
            (.multipart([FormPart(name: "f", file: missing)]), .post, gone),
            (
                .multipart([FormPart(name: "f", file: folder)]), .post,
                "the file \(folder.path.debugDescription) cannot be read as a body: Is a directory"
            ),
            (
                .multipart([FormPart(type: "a\r\nb", name: "f\n", data: Data())]), .post,
                #"the type of the part "f\n" contains a line break or control character"#
            ),
        ]
        for (parameters, method, reason) in refused {
            var request = TransportRequest(method, try #require(URL(string: "https://x.org/")))
            let error = #expect(throws: RequestError.self) { try parameters.apply(to: &request) }
            #expect(error?.invalidRequestReason == reason)
            #expect(request.body == nil && request.headers.fields.isEmpty)
        }
    }

    // MARK: Multipart

    /// All bytes of a body in chunks.
    private func bytes(_ request: TransportRequest) async throws -> String {
        guard let body = request.body, case .chunks = body.content else { return "" }
        var data = Data()
        for try await chunk in body { data.append(chunk) }
        #expect(data.count == request.body?.length)
        return String(decoding: data, as: UTF8.self)
    }

    @Test("Parts are streamed between boundaries with escaped names, and can be read twice")
    func multipart() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("part-\(UUID().uuidString).csv")
        try Data("a,b\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = try applied(
            .multipart(
                [
                    FormPart(name: "ti\"tle\r\n", text: "é"),
                    FormPart(type: .png, name: "image", filename: "a\"b.png", data: Data([0x41])),
                    FormPart(type: .csv, name: "table", filename: "t.csv", file: file),
                ], fields: ["user": "me", "note": "", "tags": ["x", "y"]]), .post, headers: [.contentType: "text/plain"]
        )
        let type = try #require(request.headers[.contentType])
        #expect(type.hasPrefix("multipart/form-data; boundary=Boundary-"))
        let boundary = String(type.dropFirst("multipart/form-data; boundary=".count))
        let expected = """
            --B
            Content-Disposition: form-data; name="user"

            me
            --B
            Content-Disposition: form-data; name="note"


            --B
            Content-Disposition: form-data; name="tags[]"

            x
            --B
            Content-Disposition: form-data; name="tags[]"

            y
            --B
            Content-Disposition: form-data; name="ti%22tle%0D%0A"

            é
            --B
            Content-Disposition: form-data; name="image"; filename="a%22b.png"
            Content-Type: image/png

            A
            --B
            Content-Disposition: form-data; name="table"; filename="t.csv"
            Content-Type: text/csv

            a,b|
            --B--

            """
        let text = expected.replacing("\n", with: "\r\n").replacing("|", with: "\n").replacing(
            "--B", with: "--\(boundary)")
        #expect(try await bytes(request) == text)
        #expect(try await bytes(request) == text)
    }

    @Test("Each request has its own boundary")
    func boundaries() throws {
        let parameters = RequestParameters.multipart([FormPart(name: "a", text: "b")])
        let types = try (0..<10).map { _ in try applied(parameters, .post).headers[.contentType] }
        #expect(Set(types).count == 10)
    }

    @Test("A file that changes its length while it is sent is an error", arguments: ["longer than before", "x"])
    func changedFile(text: String) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("part-\(UUID().uuidString)")
        try Data("before".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = try applied(.multipart([FormPart(name: "f", file: file)]), .post)
        try Data(text.utf8).write(to: file)
        let error = await #expect(throws: RequestError.self) { try await bytes(request) }
        #expect(error?.invalidRequestReason == "the file \(file.path) changed its length while it was sent")
    }

    // MARK: Clients

    @Test("Clients send the parameters of endpoints")
    func client() async throws {
        let mock = MockTransport()
        mock.on(nil, "/notes", .json(#"{"text": "answer"}"#))
        let client = APIClient(transport: mock, baseURL: URL(string: "https://x.org"))
        let found: Note = try await client.value(.get("notes", parameters: ["q": "a b"]))
        #expect(found.text == "answer")
        let sent: Note = try await client.value(.post("notes", query: ["draft": true], parameters: .json(found)))
        #expect(sent.text == "answer")
        let request: Request<Note> = client.request(.put("notes", parameters: ["text": "t"]))
        _ = try await request.value()
        #expect(
            mock.requests.map(\.url.absoluteString) == [
                "https://x.org/notes?q=a%20b", "https://x.org/notes?draft=true", "https://x.org/notes",
            ])
        #expect(
            mock.requests.map(\.text) == ["", #"{"text":"answer","ratio":0.5}"#, #"{"text":"t"}"#])
        #expect(mock.requests.map { $0.headers[.contentType] } == [nil, "application/json", "application/json"])
    }

    @Test("Parameters that cannot be written fail the request, and nothing is sent")
    func badParameters() async throws {
        let mock = MockTransport()
        let client = APIClient(transport: mock, baseURL: URL(string: "https://x.org"))
        var commas = client
        commas.configuration.parameterStyle.arrays = .commas
        let note = Note()
        note.ratio = .infinity
        await #expect(throws: ModelError.self) {
            let _: Note = try await client.value(.post("notes", parameters: .json(note)))
        }
        await expectError(
            "The request cannot be sent: the parameter \"ratio\" cannot be sent: JSON at $: expected a finite number, found inf of "
                + "type Double."
        ) { try await client.send(.get("notes", query: ["ratio": note.ratio])) }
        for parameters in [RequestParameters.query(["é [x]": [[1]]]), .form(["é [x]": [[1]]])] {
            await expectError(
                "The request cannot be sent: the parameter \"é [x]\" is an array of arrays or objects, which commas cannot join."
            ) { try await commas.send(.post("notes", parameters: parameters)) }
        }
        #expect(mock.requests.isEmpty)
    }

    @Test("A multipart body arrives unchanged over a real connection", arguments: TransportUnderTest.allCases)
    func overHTTP(_ kind: TransportUnderTest) async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        server.on(.post, "/upload", .json("{}"))
        try await APIClient(transport: kind.make(), baseURL: server.url).send(
            .post(
                "upload",
                parameters: .multipart([FormPart(type: .text, name: "f", filename: "f.txt", data: Data("hello".utf8))]),
                headers: [.contentType: "text/plain"]))
        let request = try #require(server.requests.first)
        // Only the body knows its boundary, so the given content type is replaced.
        let boundary = try #require(request.headers[.contentType]).dropFirst("multipart/form-data; boundary=".count)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--\(boundary)--\r\n"
        )
    }
}

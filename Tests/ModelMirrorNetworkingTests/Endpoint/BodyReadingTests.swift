import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Reading values of a body", .timeLimit(.hung), .network)
struct BodyReadingTests {
    private let url: URLReference = "https://example.com/x"

    private func client(_ body: String, status: Int = 200, type: String? = "application/json") -> APIClient {
        APIClient(transport: StubTransport(body, status: status, headers: type.map { [.contentType: $0] } ?? [:]))
    }

    // MARK: By the type

    @Test("Single values are read at objectKey, and arrays, dictionaries and sets at objectsKey")
    func kinds() async throws {
        var client = client(
            #"{"one": {"id": "1"}, "number": 7, "all": [{"id": "1"}, {"id": "2"}], "by": {"a": {"id": "3"}}, "set": [1, 1, 2]}"#
        )
        client.configuration.objectKey = "one"
        client.configuration.objectsKey = "all"
        let one: Gist = try await client.value(.get(url))
        #expect(one.id == "1")
        let all: [Gist] = try await client.value(.get(url))
        #expect(all.map(\.id) == ["1", "2"])
        let maybe: Gist? = try await client.value(.get(url))
        #expect(maybe?.id == "1")
        let maybeAll: [Gist]? = try await client.value(.get(url))
        #expect(maybeAll?.count == 2)
        client.configuration.objectKey = "number"
        #expect(try await client.value(Endpoint<Int>.get(url)) == 7)
        client.configuration.objectsKey = "by"
        let by: [String: Gist] = try await client.value(.get(url))
        #expect(by.mapValues(\.id) == ["a": "3"])
        client.configuration.objectsKey = "set"
        #expect(try await client.value(Endpoint<Set<Int>>.get(url)) == [1, 2])
        #expect(try await client.value(Endpoint<[Int]>.get(url)) == [1, 1, 2])
    }

    @Test("Values of many types are read at a path, and wrong ones are reported with their position")
    func values() async throws {
        let client = client(
            #"{"urls": ["https://a.example", "/b"], "level": "high", "size": {"width": 2}, "counts": [1, 2]}"#)
        let urls: [URL] = try await client.value(.get(url, at: "urls"))
        #expect(urls.map(\.absoluteString) == ["https://a.example", "/b"])
        #expect(try await client.value(Endpoint<Level>.get(url, at: "level")) == .high)
        #expect(try await client.value(Endpoint<Size>.get(url, at: "size")).width == 2)
        #expect(try await client.value(Endpoint<Int>.get(url, at: ["counts", 1])) == 2)
        #expect(try await client.value(Endpoint<JSONValue>.get(url, at: "size")) == ["width": 2])
        #expect(try await client.value(Endpoint<Int?>.get(url, at: ["size", "height"])) == nil)
        await expectError(
            "GET https://example.com/x: JSON at $.level (line 1, column 48): expected an integer, found the string \"high\"."
        ) {
            _ = try await client.value(Endpoint<Int>.get(url, at: "level"))
        }
        await expectError(
            "GET https://example.com/x: JSON at $.height (line 1, column 1): expected a value, found no such key or index."
        ) {
            _ = try await client.value(Endpoint<Int>.get(url, at: "height"))
        }
        await expectError(
            "GET https://example.com/x: JSON at $.level (line 1, column 48): expected an object, found the string \"high\"."
        ) {
            _ = try await client.value(Endpoint<Int?>.get(url, at: ["level", "x"]))
        }
        await expectError(
            "Unreadable cannot be mapped: nothing converts it from JSON; make it JSONConvertible or Decodable."
        ) { _ = try await client.value(Endpoint<Unreadable>.get(url)) }
    }

    @Test(
        "An Optional is nil for null, for a missing key and for an empty body",
        arguments: [
            (#"{"at": "2016-01-23T18:30:00Z"}"#, "2016-01-23 18:30:00 +0000"), (#"{"at": null}"#, "nil"), ("{}", "nil"),
            ("", "nil"),
        ])
    func optionals(body: String, expected: String) async throws {
        let date = try await client(body).value(Endpoint<Date?>.get(url, at: "at"))
        #expect(date.map { "\($0)" } ?? "nil" == expected)
        guard expected == "nil" else { return }
        #expect(try await client(body).value(Endpoint<Gist?>.get(url, at: "at")) == nil)
        #expect(try await client(body).value(Endpoint<[Gist]?>.get(url, at: "at")) == nil)
        #expect(try await client(body).value(Endpoint<JSONValue?>.get(url, at: "at")) == nil)
        #expect(try await client(body).value(Endpoint<Data?>.get(url, at: "at")) == nil)
    }

    @Test("An object is created as the subclass that its JSON names")
    func dynamicTypes() async throws {
        let animal: Animal = try await client(#"{"type": "dog", "name": "Rex"}"#).value(.get(url))
        #expect(animal is Dog)
        #expect(animal.name == "Rex")
    }

    @Test("Void ignores any body and any content type")
    func void() async throws {
        for body in ["", "<html>", "{\"done\": tr", "[1]", "\u{0}"] {
            try await client(body, type: "text/html").value(Endpoint<Void>.get(url))
            try await client(body, type: nil).send(.get(url))
        }
    }

    @Test(
        "Data is the raw body, of any content type, even if empty", arguments: ["", "<html>", "{\"a\": ", " [1] \n"])
    func data(body: String) async throws {
        var client = client(body, type: "image/png")
        client.configuration.objectKey = "a"
        client.configuration.objectsKey = "b"
        #expect(try await client.value(Endpoint<Data>.get(url)) == Data(body.utf8))
        #expect(try await client.value(Endpoint<Data?>.get(url)) == (body.isEmpty ? nil : Data(body.utf8)))
    }

    @Test("Bytes are not read as an envelope unless they have a status")
    func dataWithEnvelope() async throws {
        let text = #"{\rtf1\ansi text}"#
        var client = client(text, type: "application/rtf")
        client.configuration.envelope = Envelope(statusKey: "status", success: "OK")
        #expect(try await client.value(Endpoint<Data>.get(url)) == Data(text.utf8))
        #expect(try await client.value(Endpoint<Int>.get(url, reading: { $0.value.count })) == text.utf8.count)
        client.transport = StubTransport(#"{"status": "FAIL"}"#)
        await #expect(throws: RequestError.self) { _ = try await client.value(Endpoint<Data>.get(url)) }
    }

    @Test("Endpoints whose value type is inferred as Any or AbstractModel fail before they are sent")
    func unnamed() async {
        let transport = StubTransport("{}")
        let client = APIClient(transport: transport)
        func sentence(_ type: String) -> String {
            "The request cannot be sent: the type of the value is inferred as \(type); name it, as in "
                + "`let gists: [Gist] = try await …`; for free-form JSON use JSONValue."
        }
        await expectError(sentence("Any")) { _ = try await client.value(Endpoint<Any>.get(url)) }
        await expectError(sentence("Any")) { _ = try await client.value(Endpoint<Any?>.get(url)) }
        await expectError(sentence("Any")) { _ = try await client.value(Endpoint<[Any]>.get(url)) }
        await expectError(sentence("Any")) { _ = try await client.value(Endpoint<[String: Any]>.get(url)) }
        await expectError(sentence("Any")) { _ = try await client.value(Endpoint<[[Any?]]?>.get(url)) }
        await expectError(sentence("AbstractModel")) { _ = try await client.value(Endpoint<AbstractModel>.get(url)) }
        await expectError(sentence("AbstractModel")) { _ = try await client.value(Endpoint<[AbstractModel]>.get(url)) }
        await expectError(sentence("AbstractModel")) { _ = try await client.value(Endpoint<AbstractModel?>.get(url)) }
        await expectError(sentence("AbstractModel")) {
            _ = try await client.value(Endpoint<[String: AbstractModel]>.get(url))
        }
        await expectError(sentence("Any")) { _ = try await client.response(Endpoint<Any>.get(url)) }
        await expectError(sentence("Any")) { _ = try await client.request(Endpoint<Any>.get(url)).value() }
        await expectError(sentence("Any")) { for try await _ in client.values(Endpoint<Any>.get(url)) {} }
        await expectError(sentence("AbstractModel")) {
            for try await _ in client.elements(Endpoint<[AbstractModel]>.get(url)) {}
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("Wrong values, invalid JSON and empty bodies are reported with method, URL and position")
    func faults() async {
        await expectError(
            "GET https://example.com/x: Gist.id at $[1].id (line 3, column 8): expected a string, found the number 5; the option stringsFromNumbers accepts it."
        ) {
            let _: [Gist] = try await client("[\n{\"id\": \"1\"},\n{\"id\": 5}]").value(.get(url))
        }
        await expectError(
            "GET https://example.com/x: Invalid JSON at line 1, column 12 (byte 11): expected ',' or '}', found the end of the document."
        ) { let _: [Gist] = try await client("[{\"id\": \"1\"").value(.get(url)) }
        let sentence =
            "GET https://example.com/x was answered with 204 and an empty body, expected JSON; if the body may be empty, use "
            + "an Optional or send."
        await expectError(sentence) { let _: [Gist] = try await client("", status: 204).value(.get(url)) }
        await expectError(sentence) { let _: Gist = try await client("", status: 204).value(.get(url)) }
        await expectError(sentence) { let _: Int = try await client("", status: 204).value(.get(url)) }
        await expectError(sentence) { let _: Data = try await client("", status: 204).value(.get(url, at: "a")) }
    }

    @Test("Mapping uses the options of the configuration")
    func options() async throws {
        var client = client(#"[{"id": "1"}, 5]"#)
        client.configuration.mappingOptions.skipsInvalidElements = true
        let gists: [Gist] = try await client.value(.get(url))
        #expect(gists.map(\.id) == ["1"])
    }

    // MARK: Reading by a closure

    @Test("The reading closure receives the whole response, of any content type")
    func reading() async throws {
        let client = APIClient(
            transport: StubTransport("a,b", status: 203, headers: [.contentType: "text/csv", "X-A": "1"]))
        let read: String = try await client.value(
            .post(
                url, parameters: .json([:]),
                reading: { response in
                    "\(response.status) \(response.method) \(response.url) \(response.headers["X-A"] ?? "") "
                        + "\(response.origin) \(String(decoding: response.value, as: UTF8.self))"
                }))
        #expect(read == "203 POST https://example.com/x 1 network a,b")
    }

    @Test("An endpoint with accepted statuses reads those and rejects others", arguments: [204, 404, 200])
    func accepting(status: Int) async throws {
        let starred = Endpoint<Bool>.get(url, accepting: [204, 404], reading: { $0.status == 204 })
        guard status != 200 else {
            await expectError("GET https://example.com/x was answered with 200, a status that is not accepted.") {
                _ = try await client("", status: status).value(starred)
            }
            return
        }
        #expect(try await client("", status: status).value(starred) == (status == 204))
        await #expect(throws: RequestError.self) { try await client("", status: 418).send(starred) }
    }

    @Test(
        "With a path, the bytes of the value there are read as they stand in the body",
        arguments: [
            (nil, "\u{FEFF}{\"a\": [ {\"b\" : 1.50} , 2 ], \"k\": \"\\u00e4\"}\n"), (["a"], "[ {\"b\" : 1.50} , 2 ]"),
            (["a", 0], "{\"b\" : 1.50}"), (["a", 0, "b"], "1.50"), (["k"], "\"\\u00e4\""),
        ] as [(JSONPath?, String)])
    func bytes(path: JSONPath?, expected: String) async throws {
        let client = client("\u{FEFF}{\"a\": [ {\"b\" : 1.50} , 2 ], \"k\": \"\\u00e4\"}\n")
        #expect(try await client.value(Endpoint<Data>.get(url, at: path)) == Data(expected.utf8))
        #expect(try await client.value(Endpoint<Data?>.get(url, at: path)) == Data(expected.utf8))
        #expect(try await client.value(Endpoint<Data>.get(url, at: path, reading: { $0.value })) == Data(expected.utf8))
    }

    @Test("A custom decoder reads values of endpoints and routes")
    func decoders() async throws {
        var client = client(#"{"data": {"full_name": "a"}}"#)
        client.baseURL = URL(string: "https://example.com")
        let byURL = Endpoint<Snake>.get(url, at: "data", reading: Snake.read)
        let byRoute = Endpoint<Snake>.route(API.x, at: "data", reading: Snake.read)
        for endpoint in [byURL, byRoute] {
            #expect(try await client.value(endpoint).fullName == "a")
            #expect(try await client.request(endpoint).value().fullName == "a")
        }
    }

    @Test("The reading closure's error is thrown unchanged, and a missing path is a JSON error")
    func errors() async throws {
        let client = client(#"{"data": {"id": 1}}"#)
        await #expect(throws: Refusal(count: 19)) {
            _ = try await client.value(Endpoint<Int>.get(url, reading: { throw Refusal(count: $0.value.count) }))
        }
        await expectError(
            "GET https://example.com/x: JSON at $.data.x (line 1, column 10): expected a value, found no such key or index."
        ) {
            _ = try await client.value(Endpoint<Data>.get(url, at: ["data", "x"]))
        }
    }

    @Test("Each consumer gets its own value, read by another call of the closure")
    func consumers() async throws {
        let calls = WordLog()
        let request = client("a,b\n1,2", type: "text/plain").request(
            Endpoint<[Substring]>.get(
                url,
                reading: { response in
                    calls.add("decoded")
                    return String(decoding: response.value, as: UTF8.self).split(separator: "\n")
                }))
        #expect(try await request.value() == ["a,b", "1,2"])
        #expect(try await request.value() == ["a,b", "1,2"])
        #expect(calls.words == ["decoded", "decoded"])
    }

    @Test("The envelope is checked before the reading closure is called")
    func envelope() async throws {
        var client = client(#"{"status": "FAIL", "data": 1}"#)
        client.configuration.envelope = Envelope(statusKey: "status", success: "OK")
        let endpoint = Endpoint<Int>.get(
            url,
            reading: { _ in
                Issue.record("The closure was called.")
                return 1
            })
        await expectError("GET https://example.com/x was answered with 200 and the envelope's status \"FAIL\".") {
            _ = try await client.value(endpoint)
        }
    }
}

private class Gist: AbstractModel {
    var id = ""

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        property == "id" && value != nil
    }
}

private class Animal: AbstractModel, DynamicTypeModel {
    var name = ""
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self] }
}

private class Dog: Animal {}

private enum Level: String { case low, high }
private struct Size: Decodable { var width: Int }
private struct Unreadable {}

private struct Snake: Decodable {
    var fullName: String

    static func read(_ response: Response<Data>) throws -> sending Snake {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Snake.self, from: response.value)
    }
}

private struct Refusal: Error, Equatable { var count: Int }

private enum API: String, Route { case x }

import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Envelopes and error hooks", .timeLimit(.hung), .network)
struct ResponseCheckTests {
    private let url: URLReference = "https://example.com/items"

    @Test("Values are read at the configured keys if the envelope's status is a success")
    func success() async throws {
        let json = #"{"status": "OK", "object": {"id": 1}, "data": {"items": [{"id": 2}], "a": 5}}"#
        let repository = ItemsRepository(transport: StubTransport(json))
        let one: Item = try await repository.value(.get(url))
        #expect(one.id == 1)
        let many: [Item] = try await repository.value(.get(url))
        #expect(many.map(\.id) == [2])
        try await repository.send(.get(url))
        #expect(try await repository.value(Endpoint<Int>.get(url, at: ["data", "a"])) == 5)
    }

    @Test("A failure status is thrown with message and code, whatever value is expected")
    func failure() async throws {
        let json = #"{"status": "FAIL", "error": {"message": "No items for you", "code": 17.50}}"#
        let repository = ItemsRepository(transport: StubTransport(json))
        let sentence =
            "GET https://example.com/items was answered with 200 and the envelope's status \"FAIL\", code 17.50: "
            + "No items for you."
        await expectError(sentence) { let _: Item = try await repository.value(.get(url)) }
        await expectError(sentence) { let _: [Item] = try await repository.value(.get(url)) }
        await expectError(sentence) { let _: [String: Item] = try await repository.value(.get(url)) }
        await expectError(sentence) { _ = try await repository.value(Endpoint<Int?>.get(url)) }
        await expectError(sentence) { try await repository.send(.get(url)) }
        let failure = try #require(await statusFailure { try await repository.send(.get(url)) })
        #expect((failure.code, failure.message, failure.status) == ("17.50", "No items for you", "FAIL"))
        let response = failure.response
        #expect((response.status, response.body, response.isBodyCut) == (200, Data(json.utf8), false))
    }

    @Test("A byte order mark does not hide the envelope")
    func byteOrderMark() async throws {
        let json = "\u{FEFF} {\"status\": \"FAIL\", \"error\": {\"message\": \"No\"}}"
        let repository = ItemsRepository(transport: StubTransport(json))
        let failure = try #require(await statusFailure { try await repository.send(.get(url)) })
        #expect(failure.status == "FAIL")
        #expect(failure.message == "No")
    }

    @Test("An envelope's failure is read from the whole body, which is kept up to errorBodyLimit")
    func keptBody() async throws {
        let json = #"{"status": "FAIL", "error": {"message": "No"}}"#
        let repository = ItemsRepository(transport: StubTransport(json))
        repository.client.configuration.errorBodyLimit = 9
        let failure = try #require(await statusFailure { try await repository.send(.get(url)) })
        #expect(failure.message == "No")
        #expect(String(decoding: failure.response.body, as: UTF8.self) == #"{"status""#)
        #expect(failure.response.isBodyCut)
    }

    @Test("A failure status is thrown before unreadable objects")
    func order() async {
        let json = #"{"status": "FAIL", "data": {"items": 5}}"#
        let repository = ItemsRepository(transport: StubTransport(json))
        await expectError(
            "GET https://example.com/items was answered with 200 and the envelope's status \"FAIL\"."
        ) { let _: [Item] = try await repository.value(.get(url)) }
    }

    @Test(
        "A missing status, or one of another type, is thrown as an error of the JSON",
        arguments: [
            (
                #"{"data": {"items": []}}"#,
                "JSON at $.status (line 1, column 1): expected a value, found no such key or index."
            ),
            (
                #"{"status": [1], "data": {"items": []}}"#,
                "JSON at $.status (line 1, column 12): expected a string, found an array."
            ),
            ("[]", "Item at $ (line 1, column 1): expected an object, found an array."),
            (
                #"{"status""#,
                "Invalid JSON at line 1, column 10 (byte 9): expected ':' after the key, found the end of the document."
            ),
        ])
    func unreadableStatus(json: String, sentence: String) async {
        let repository = ItemsRepository(transport: StubTransport(json))
        await expectError("GET https://example.com/items: \(sentence)") {
            let _: [Item] = try await repository.value(.get(url))
        }
    }

    @Test("A status that is no case of Status is thrown as a failure, with its message")
    func unknownStatus() async throws {
        let json = #"{"status": "exploded", "error": {"message": "Sorry!"}}"#
        let repository = PhaseRepository(transport: StubTransport(json))
        await expectError(
            "GET https://example.com/items was answered with 200 and the envelope's status \"exploded\": Sorry!"
        ) { try await repository.send(.get(url)) }
    }

    @Test("Statuses are converted by the mapping's coercions")
    func conversions() async throws {
        func client(_ json: String, _ envelope: Envelope) -> APIClient {
            APIClient(transport: StubTransport(json), configuration: .init(envelope: envelope))
        }
        let zero = Envelope(statusKey: ["meta", "code"], success: 0)
        try await client(#"{"meta": {"code": "0"}}"#, zero).send(.get(url))
        try await client(#"{"ok": 1}"#, Envelope(statusKey: "ok", success: true)).send(.get(url))
        try await client(#"{"status": "done"}"#, PhaseRepository.envelope(statusKey: "status", success: .done))
            .send(.get(url))
        try await PhaseRepository(transport: StubTransport(#"{"status": "done"}"#)).send(.get(url))
        await expectError("GET https://example.com/items was answered with 200 and the envelope's status \"1\".") {
            try await client(#"{"meta": {"code": 1}}"#, zero).send(.get(url))
        }
    }

    @Test("Root collections have no envelope, and an envelope in their place is checked")
    func rootCollections() async throws {
        func repository(_ json: String) -> ItemsRepository {
            let repository = ItemsRepository(transport: StubTransport(json))
            repository.client.configuration.objectsKey = nil
            return repository
        }
        let many: [Item] = try await repository(#"[{"id": 1}]"#).value(.get(url))
        #expect(many.map(\.id) == [1])
        let members: [String: Item] = try await repository(#"{"a": {"id": 1}}"#).value(.get(url))
        #expect(members.mapValues(\.id) == ["a": 1])
        await expectError("GET https://example.com/items was answered with 200 and the envelope's status \"FAIL\".") {
            let _: [Item] = try await repository(#"{"status": "FAIL"}"#).value(.get(url))
        }
    }

    @Test("No status is read without an envelope, from an empty body or from a non-object root")
    func unset() async throws {
        let repository = ItemsRepository(transport: StubTransport { TransportResponse(status: 204, url: $0.url) })
        try await repository.send(.get(url))
        #expect(try await repository.value(Endpoint<Int?>.get(url)) == nil)
        let other = ItemsRepository(transport: StubTransport(#"{"status": "FAIL", "object": {"id": 4}}"#))
        other.client.configuration.envelope = nil
        let item: Item = try await other.value(.get(url))
        #expect(item.id == 4)
        for json in ["7", " \n[1]", "\"x\""] {
            try await ItemsRepository(transport: StubTransport(json)).send(.get(url))
        }
    }

    @Test("The envelope of an HTTP error is read, and its body is kept")
    func httpErrors() async throws {
        let json = #"{"error": {"message": "Unknown\nuser", "code": "E7"}}"#
        let repository = ItemsRepository(transport: StubTransport(json, status: 404))
        await expectError(
            "GET https://example.com/items was answered with 404 (Not Found), code E7: Unknown user."
        ) { try await repository.send(.get(url)) }
        let failure = try #require(await statusFailure { try await repository.send(.get(url)) })
        #expect(failure.response.status == 404)
        #expect(failure.status == nil)
        #expect(String(decoding: failure.response.body, as: UTF8.self) == json)

        let page = ItemsRepository(transport: StubTransport("<html>Bad\n gateway</html>", status: 502))
        await expectError(
            "GET https://example.com/items was answered with 502 (Bad Gateway), a status that is not accepted; its body is "
                + "\"<html>Bad gateway</html>\"."
        ) { try await page.send(.get(url)) }
    }

    @Test("errorForCode supplies the error, for accepted and other statuses", arguments: [200, 403])
    func codeHook(status: Int) async {
        let json = #"{"status": "FAIL", "error": {"code": 17}}"#
        let repository = ItemsRepository(transport: StubTransport(json, status: status))
        await #expect(throws: QuotaExceeded(message: nil)) { try await repository.send(.get(url)) }
    }

    @Test("An error model is read for accepted and other statuses", arguments: [200, 403])
    func errorModel(status: Int) async {
        let json = #"{"status": "FAIL", "error": {"code": 9, "reason": "closed"}}"#
        let repository = RefusalRepository(transport: StubTransport(json, status: status))
        await #expect(throws: Refusal(code: 9, reason: "closed")) { try await repository.send(.get(url)) }
    }

    @Test("An error model can be a model class")
    func errorModelClass() async throws {
        let json = #"{"error": {"code": "12", "reason": "late"}}"#
        let repository = ModelErrorRepository(transport: StubTransport(json, status: 409))
        let error = await #expect(throws: APIError.self) { try await repository.send(.get(url)) }
        #expect(error?.code == 12)
        #expect(error?.reason == "late")
    }

    @Test("An envelope without a status asks the error hook for accepted responses, as with GraphQL")
    func errorHook() async throws {
        var client = APIClient(
            transport: StubTransport(#"{"data": {"item": {"id": 1}}, "errors": [{"message": "partly"}]}"#))
        client.configuration = .init(objectKey: ["data", "item"], envelope: .errorHook)
        client.configuration.errorFromResponse = { response in
            try response.value([GraphError].self, at: "errors").map { GraphErrors(status: response.status, errors: $0) }
        }
        await #expect(throws: GraphErrors(status: 200, errors: [GraphError(message: "partly")])) {
            let _: Item = try await client.value(.get(url))
        }
        client.transport = StubTransport(#"{"data": {"item": {"id": 7}}}"#)
        let item: Item = try await client.value(.get(url))
        #expect(item.id == 7)
        // The hook is not called for a root that is no object.
        client.configuration.errorFromResponse = { _ in
            Issue.record("The hook was called.")
            return nil
        }
        client.transport = StubTransport("[7]")
        #expect(try await client.value(Endpoint<[Int]>.get(url)) == [7])
        // Without an envelope the hook is not called for an accepted response.
        client.configuration.envelope = nil
        client.transport = StubTransport(#"{"errors": [{"message": "no"}], "data": {"item": {"id": 8}}}"#)
        #expect(try await client.value(Endpoint<Item>.get(url)).id == 8)
    }

    @Test("The error hook receives the whole response, and an error it throws is thrown")
    func hookArgument() async throws {
        struct Seen: Error, Equatable { var text: String }
        var client = APIClient(transport: StubTransport("no", status: 409, headers: ["X-A": "1"]))
        client.configuration.errorFromResponse = { response in
            throw Seen(
                text: "\(response.method) \(response.url) \(response.status) \(response.headers["X-A"] ?? "") "
                    + String(decoding: response.value, as: UTF8.self))
        }
        await #expect(throws: Seen(text: "PUT https://example.com/items 409 1 no")) {
            try await client.send(.put(url))
        }
    }

    @Test("A missing error model leaves the default error, and an unreadable one does not hide the response")
    func errorModelFallback() async {
        let page = RefusalRepository(transport: StubTransport("<html>", status: 502))
        await expectError(
            "GET https://example.com/items was answered with 502 (Bad Gateway), a status that is not accepted; its body is "
                + "\"<html>\"."
        ) { try await page.send(.get(url)) }
        let elsewhere = RefusalRepository(transport: StubTransport(#"{"error": null}"#, status: 400))
        await expectError(
            "GET https://example.com/items was answered with 400 (Bad Request), a status that is not accepted; its body is "
                + "\"{\"error\": null}\"."
        ) { try await elsewhere.send(.get(url)) }
        let wrong = RefusalRepository(transport: StubTransport(#"{"error": 5}"#, status: 400))
        let error = await #expect(throws: RequestError.self) { try await wrong.send(.get(url)) }
        guard case .unacceptableStatus(let response)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(response.method == .get)
        #expect(response.status == 400)
        guard case .invalidValues(let failures)? = response.mappingError else {
            Issue.record("\(response.mappingError as Any)")
            return
        }
        #expect(failures.map(\.path.description) == ["$.error"])
        #expect(error?.description.contains("; mapping the body for an error failed: ") == true)
    }

    @Test(
        "A problem document is read from a body of its media type that is JSON and whole",
        arguments: [
            (
                "application/problem+json", ##"{"status": 422, "errors": [{"pointer": "#/age", "code": "maximum"}]}"##,
                100, "#/age"
            ),
            ("Application/Problem+JSON ; charset=utf-8", ##"{"errors": [{"pointer": "#/id"}]}"##, 100, "#/id"),
            (" \tApplication/Problem+JSON ; charset=utf-8", ##"{"errors": [{"pointer": "#/id"}]}"##, 100, "#/id"),
            ("application/json", ##"{"errors": [{"pointer": "#/age"}]}"##, 100, nil),
            ("application/problem+json", "Out of order", 100, nil),
            ("application/problem+json", ##"{"errors": [{"pointer": "#/age"}]}"##, 10, nil),
        ])
    func problems(_ mediaType: String, _ body: String, _ limit: Int, _ pointer: String?) async throws {
        let transport = MockTransport()
        transport.on(
            .get, "/items", MockResponse(status: 422, headers: [.contentType: mediaType], body: Data(body.utf8)))
        var client = APIClient(transport: transport)
        client.configuration.errorBodyLimit = limit
        let error = await #expect(throws: RequestError.self) { try await client.send(.get(url)) }
        guard case .unacceptableStatus(let response)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(response.problem?.errors.map(\.pointer) == pointer.map { [$0] })
    }
}

/// The envelope's failure thrown by a call.
private func statusFailure(_ body: () async throws -> Void) async -> RequestError.StatusFailure? {
    do { try await body() } catch RequestError.statusFailure(let failure) { return failure } catch {}
    return nil
}

private class Item: AbstractModel {
    var id = 0
}

private struct GraphError: Decodable, Equatable, Sendable { var message: String }
private struct GraphErrors: Error, Equatable {
    var status: Int
    var errors: [GraphError]
}

private enum Phase: String { case done, waiting }

private struct QuotaExceeded: Error, Equatable { var message: String? }
private struct Refusal: Error, Decodable, Equatable {
    var code: Int
    var reason: String
}

/// Unchecked: it is not changed after it was read.
private final class APIError: AbstractModel, Error, @unchecked Sendable {
    var code = 0
    var reason = ""
}

private class ItemsRepository: AbstractRepository<String> {
    override class var defaultConfiguration: Configuration {
        Configuration(
            objectKey: "object", objectsKey: ["data", "items"], envelope: envelope(statusKey: "status", success: "OK"),
            errorDescriptionKey: ["error", "message"], errorCodeKey: ["error", "code"])
    }

    override class func error(forCode code: String?, message: String?) -> (any Error)? {
        code == "17" ? QuotaExceeded(message: message) : nil
    }
}

private class PhaseRepository: AbstractRepository<Phase> {
    override class var defaultConfiguration: Configuration {
        Configuration(
            envelope: envelope(statusKey: "status", success: .done), errorDescriptionKey: ["error", "message"])
    }
}

private class RefusalRepository: AbstractRepository<String> {
    override class var defaultConfiguration: Configuration {
        Configuration(envelope: envelope(statusKey: "status", success: "OK"))
    }

    override class func error(from response: Response<Data>) throws -> (any Error)? {
        try response.value(Refusal.self, at: "error")
    }
}

private class ModelErrorRepository: AbstractRepository<String> {
    override class func error(from response: Response<Data>) throws -> (any Error)? {
        try response.value(APIError.self, at: "error")
    }
}

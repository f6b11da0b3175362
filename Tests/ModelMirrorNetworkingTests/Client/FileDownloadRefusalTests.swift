import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Downloads whose response is an error.
@Suite("Downloads with an error response", .timeLimit(.hung), .network)
struct FileDownloadRefusalTests: DownloadSuite {
    let setup: DownloadSetup

    init() throws { setup = try DownloadSetup() }

    private func client(_ body: Data, status: Int) -> APIClient {
        let mock = MockTransport(chunkSize: 1000)
        mock.on(.get, "/file", .data(body, status: status, headers: [.contentType: "application/json"]))
        return APIClient(transport: mock, baseURL: URL(string: "https://example.com"))
    }

    private func refusal(_ client: APIClient) async -> RequestError.FailedResponse? {
        do { try await client.download(Endpoint<Data>.get("file"), to: target) } catch RequestError.unacceptableStatus(
            let response)
        { return response } catch {}
        return nil
    }

    @Test("The error body is kept up to errorBodyLimit, and no file is left")
    func wholeBody() async throws {
        let body = Data("{\"text\": \"\(String(repeating: "x", count: 40_000 - 12))\"}".utf8)
        #expect(body.count == 40_000)
        let response = try #require(await refusal(client(body, status: 403)))
        #expect((response.status, response.method) == (403, .get))
        #expect((response.body, response.isBodyCut) == (body, false))
        var short = client(body, status: 403)
        short.configuration.errorBodyLimit = 39_999
        let cut = try #require(await refusal(short))
        #expect(cut.body == body.prefix(39_999))
        #expect(cut.isBodyCut)
        #expect(try names == [])
    }

    @Test(
        "A file that is shorter or longer than announced is refused",
        arguments: [(10, "10 bytes", 14), (10, "10 bytes", 9), (1, "1 byte", 2)])
    func otherLengths(announced: Int, shown: String, length: Int) async throws {
        let mock = MockTransport()
        mock.on(
            .get, "/file", .data(Data(count: length), headers: [.contentLength: "\(announced)"]))
        let client = APIClient(transport: mock, baseURL: URL(string: "https://example.com"))
        await expectError(
            "No complete response from https://example.com/file: the connection was lost before the response was complete (the file "
                + "has \(shown), but \(length) arrived)."
        ) { try await client.download(Endpoint<Data>.get("file"), to: target) }
        #expect(FileManager.default.fileExists(atPath: partialFile.path))
    }

    @Test("A response whose body is not the file leaves the existing file", arguments: [202, 204, 205])
    func otherBodies(status: Int) async throws {
        try Data("old".utf8).write(to: target)
        #expect(await refusal(client(Data(), status: status))?.status == status)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
    }

    @Test(arguments: TransportUnderTest.allCases, [(404, 2), (416, 2), (500, 2), (304, 2), (403, 40_000)])
    func throwsUnacceptableStatuses(_ kind: TransportUnderTest, _ example: (status: Int, length: Int)) async throws {
        let body = String(repeating: "e", count: example.length)
        server.on(.get, "/map", .text(body, status: example.status))
        let error = await #expect(throws: RequestError.self) {
            try await self.download(kind)
        }
        guard case .unacceptableStatus(let response)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(response.status == example.status)
        #expect(response.body == (response.status == 304 ? Data() : Data(body.utf8)))
        #expect(!response.isBodyCut)
        // No partial file is left behind.
        #expect(try names == [])
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

    @Test(arguments: TransportUnderTest.allCases)
    func callsTheErrorHooks(_ kind: TransportUnderTest) async throws {
        struct Refused: Error, Equatable { let reason: String? }
        server.on(.get, "/map", .json(#"{"reason": "expired", "error": {"code": 17}}"#, status: 403))
        var client = client(kind)
        client.configuration.errorFromResponse = { response in
            Refused(reason: "\(response.status) \(try response.value(String.self, at: "reason") ?? "")")
        }
        let hooked = client
        await #expect(throws: Refused(reason: "403 expired")) {
            try await hooked.download(Endpoint<Data>.get("map"), to: self.target)
        }
        client.configuration.errorFromResponse = nil
        client.configuration.errorDescriptionKey = "reason"
        client.configuration.errorCodeKey = ["error", "code"]
        let described = client
        await expectError("GET \(server.url("/map")) was answered with 403 (Forbidden), code 17: expired.") {
            try await described.download(Endpoint<Data>.get("map"), to: self.target)
        }
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
}

private final class RefusingRepository: AbstractRepository<String> {
    struct Refused: Error {}

    override class func error(from response: Response<Data>) throws -> (any Error)? {
        response.status == 403 ? Refused() : nil
    }
}

import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

/// Downloads whose response is an error.
@Suite("Downloads with an error response", .timeLimit(.hung), .network)
struct FileDownloadRefusalTests {
    private let target = FileManager.default.temporaryDirectory.appendingPathComponent("refused-\(UUID())")

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
        #expect(response.status == 403)
        #expect(response.method == .get)
        #expect(response.body == body)
        #expect(!response.isBodyCut)
        var short = client(body, status: 403)
        short.configuration.errorBodyLimit = 39_999
        let cut = try #require(await refusal(short))
        #expect(cut.body == body.prefix(39_999))
        #expect(cut.isBodyCut)
        for file in [target, target.appendingPathExtension("partial")] {
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
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
        try FileManager.default.removeItem(at: target.appendingPathExtension("partial"))
    }

    @Test("A response whose body is not the file leaves the existing file", arguments: [202, 204, 205])
    func otherBodies(status: Int) async throws {
        defer { try? FileManager.default.removeItem(at: target) }
        try Data("old".utf8).write(to: target)
        #expect(await refusal(client(Data(), status: status))?.status == status)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
    }

    @Test("Error hooks and keys of the client read the error body of a download")
    func hooks() async throws {
        var client = client(Data(#"{"error": {"code": 9}, "message": "No"}"#.utf8), status: 403)
        client.configuration.errorDescriptionKey = "message"
        client.configuration.errorCodeKey = ["error", "code"]
        await expectError("GET https://example.com/file was answered with 403 (Forbidden), code 9: No.") {
            try await client.download(Endpoint<Data>.get("file"), to: target)
        }
        client.configuration.errorFromResponse = { try $0.value(Refusal.self, at: "error") }
        await #expect(throws: Refusal(code: 9)) {
            try await client.download(Endpoint<Data>.get("file"), to: target)
        }
    }
}

private struct Refusal: Error, Decodable, Equatable { var code: Int }

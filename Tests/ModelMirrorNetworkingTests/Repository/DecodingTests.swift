import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Values of any decoder", .timeLimit(.minutes(1)))
struct DecodingTests {
    private let mock = MockTransport()
    private let url = "https://example.com/x"
    private let queue = DispatchQueue(label: "answers")

    private func repository() -> AbstractRepository<String> { AbstractRepository(transport: mock) }

    @Test(
        "The closure gets the bytes of the value at the path, as they stand in the body",
        arguments: [
            (nil, "\u{FEFF}{\"a\": [ {\"b\" : 1.50} , 2 ], \"k\": \"\\u00e4\"}\n"), (["a"], "[ {\"b\" : 1.50} , 2 ]"),
            (["a", 0], "{\"b\" : 1.50}"), (["a", 0, "b"], "1.50"), (["k"], "\"\\u00e4\""),
        ] as [(JSONPath?, String)])
    func bytes(path: JSONPath?, expected: String) async throws {
        mock.on(.get, "/x", .json("\u{FEFF}{\"a\": [ {\"b\" : 1.50} , 2 ], \"k\": \"\\u00e4\"}\n"))
        let data = try await repository().decoded(url: url, at: path) { $0 }
        #expect(data == Data(expected.utf8))
    }

    @Test("A decoder of one's own, in three faces, by URL and by route")
    @MainActor
    func faces() async throws {
        mock.on(.get, "/x", .json(#"{"data": {"full_name": "a"}}"#))
        let repository = repository()
        repository.configuration.objectKey = "data"
        repository.baseURL = URL(string: "https://example.com")
        var names = [try await repository.decoded(url: url, decode: Snake.decode).fullName]
        names.append(try await repository.decoded(API.x, decode: Snake.decode).fullName)
        let queued = WordLog()
        await withCheckedContinuation { continuation in
            RequestGroup(
                repository.requestDecoded(url: url, decode: Snake.decode) { get in
                    names.append((try? get().fullName) ?? "failed")
                },
                repository.requestDecoded(API.x) {
                    try Snake.decode($0)
                } completion: { get in
                    names.append((try? get().fullName) ?? "failed")
                },
                repository.requestDecoded(url: url, on: queue, decode: Snake.decode) { get in
                    queued.add((try? get().fullName) ?? "failed")
                },
                repository.requestDecoded(API.x, on: queue, decode: Snake.decode) { get in
                    queued.add((try? get().fullName) ?? "failed")
                }
            ).finished { continuation.resume() }
        }
        #expect(names == ["a", "a", "a", "a"])
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        #expect(queued.words == ["a", "a"])
    }

    @Test("What the decoder throws is the error of the request")
    func errors() async throws {
        mock.on(.get, "/x", .json(#"{"data": {"id": 1}}"#))
        await #expect(throws: Refusal(count: 19)) {
            _ = try await repository().decoded(url: url) { bytes -> Int in throw Refusal(count: bytes.count) }
        }
        let missing = await #expect(throws: ModelError.self) {
            _ = try await repository().decoded(url: url, at: ["data", "x"]) { $0 }
        }
        #expect(
            missing?.description
                == "JSON at $.data.x (line 1, column 10): expected a value to map, found no such key or index.")
    }

    @Test("Bytes that are no JSON, of a type that is accepted; each consumer gets a value of its own")
    func otherFormats() async throws {
        mock.on(.get, "/x", .text("a,b\n1,2"))
        let repository = repository()
        await #expect(throws: RequestError.self) { _ = try await repository.decoded(url: url) { $0 } }
        repository.configuration.acceptedContentTypes = ["text/plain"]
        let calls = WordLog()
        let request = repository.requestDecoded(url: url) { bytes -> [Substring] in
            calls.add("decoded")
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        }
        #expect(try await request.value() == ["a,b", "1,2"])
        #expect(try await request.value() == ["a,b", "1,2"])
        #expect(calls.words == ["decoded", "decoded"])
    }

    @Test("The envelope is checked first")
    func envelope() async throws {
        mock.on(.get, "/x", .json(#"{"status": "FAIL", "data": 1}"#))
        let repository = repository()
        repository.configuration = .init(objectKey: "data", statusKey: "status", statusOk: "OK")
        let error = await #expect(throws: RequestError.self) { _ = try await repository.decoded(url: url) { $0 } }
        guard case .statusFailure(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.status == "FAIL")
    }
}

private struct Snake: Decodable {
    var fullName: String

    static func decode(_ bytes: Data) throws -> sending Snake {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Snake.self, from: bytes)
    }
}

private struct Refusal: Error, Equatable { var count: Int }

private enum API: String, Route { case x }

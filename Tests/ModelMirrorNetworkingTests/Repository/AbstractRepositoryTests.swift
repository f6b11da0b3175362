import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Repositories", .timeLimit(.minutes(1)))
struct AbstractRepositoryTests {
    private let gists = #"[{"id": "1", "comments": 3}, {"id": "2"}]"#

    @Test("The closure runs on the main actor and its function hands the objects over once")
    func mainActorFace() async throws {
        let transport = StubTransport(gists)
        let repository = GistsRepository(transport: transport)
        let outcome: [String] = await withCheckedContinuation { continuation in
            repository.requestGists(of: "octocat") { getGists in
                MainActor.assertIsolated()
                var words: [String] = []
                do {
                    words += try getGists().map { "\($0.id) \($0.comments)" }
                    _ = try getGists()
                } catch {
                    words.append("\(error)")
                }
                continuation.resume(returning: words)
            }
        }
        #expect(
            outcome == [
                "1 3", "2 0",
                "The objects of this closure were taken before; its function hands them over at its first call, so keep what "
                    + "that returns.",
            ])
        #expect(transport.requests.map(\.url.absoluteString) == ["https://api.github.com/users/octocat/gists"])
        #expect(transport.requests.map(\.method) == [.get])
        #expect(transport.requests.map { $0.headers[.accept] } == ["application/json"])
    }

    @Test("The closure of the queue face runs on that queue")
    func queueFace() async throws {
        let repository = GistsRepository(transport: StubTransport(gists))
        let queue = DispatchQueue(label: "answers")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 7)
        let ids: [String] = try await withCheckedThrowingContinuation { continuation in
            repository.requestObjects(.get, url: "https://example.com", on: queue) {
                (getGists: () throws -> sending [Gist]) in
                #expect(DispatchQueue.getSpecific(key: key) == 7)
                continuation.resume(with: Result { try getGists().map(\.id) })
            }
        }
        #expect(ids == ["1", "2"])
    }

    @Test("Objects are made off the main thread")
    @MainActor
    func offMain() async throws {
        let repository = GistsRepository(transport: StubTransport(#"{"id": "1"}"#))
        let object: ThreadProbe = try await repository.object(url: "https://example.com")
        #expect(!object.wasMain)
    }

    @Test("Every kind of call gives its kind of result, in the three faces")
    func kinds() async throws {
        let base = try #require(URL(string: "https://example.com"))
        let transport = StubTransport { request in
            switch request.url.path {
            case "/object": .stub(#"{"id": "1"}"#, url: request.url)
            case "/objects": .stub(#"[{"id": "1"}, {"id": "2"}]"#, url: request.url)
            case "/dictionary": .stub(#"{"a": {"id": "1"}}"#, url: request.url)
            case "/value": .stub("42", url: request.url)
            default: TransportResponse(status: 204, url: request.url)
            }
        }
        let repository = GistsRepository(transport: transport, baseURL: base)
        let gist: Gist = try await repository.object(url: "object")
        #expect(gist.id == "1")
        let gists: [Gist] = try await repository.objects(url: "objects")
        #expect(gists.map(\.id) == ["1", "2"])
        let members: [String: Gist] = try await repository.dictionaryOfObjects(url: "dictionary")
        #expect(members["a"]?.id == "1")
        #expect(try await repository.value(url: "value", as: Int.self) == 42)
        try await repository.success(.delete, url: "success")

        let log = WordLog()
        let group = RequestGroup(
            repository.requestObject(url: "object") { (get: () throws -> sending Gist) in
                log.add("object \((try? get().id) ?? "failed")")
            },
            repository.requestDictionaryOfObjects(url: "dictionary") { (get: () throws -> sending [String: Gist]) in
                log.add("dictionary \((try? get().count) ?? -1)")
            },
            repository.requestValue(url: "value", as: Int.self) { get in log.add("value \((try? get()) ?? -1)") },
            repository.requestSuccess(url: "success") { get in log.add((try? get()) != nil ? "success" : "failed") })
        await ended(group)
        #expect(Set(log.words) == ["object 1", "dictionary 1", "value 42", "success"])

        let queued = WordLog()
        let queue = DispatchQueue(label: "answers")
        let others = RequestGroup(
            repository.requestObject(url: "object", on: queue) { (get: () throws -> sending Gist) in
                queued.add("object \((try? get().id) ?? "failed")")
            },
            repository.requestDictionaryOfObjects(url: "dictionary", on: queue) {
                (get: () throws -> sending [String: Gist]) in queued.add("dictionary \((try? get().count) ?? -1)")
            },
            repository.requestValue(url: "value", as: Int.self, on: queue) { get in
                queued.add("value \((try? get()) ?? -1)")
            },
            repository.requestSuccess(url: "success", on: queue) { get in
                queued.add((try? get()) != nil ? "success" : "failed")
            })
        await withCheckedContinuation { continuation in others.finished(on: queue) { continuation.resume() } }
        #expect(Set(queued.words) == ["object 1", "dictionary 1", "value 42", "success"])
    }

    @Test(
        "Values of any convertible type",
        arguments: [
            ("\"2016-01-23T18:30:00Z\"", "2016-01-23 18:30:00 +0000"), ("null", "nil"), ("", "nil"),
        ])
    func optionalDates(body: String, expected: String) async throws {
        let repository = GistsRepository(transport: StubTransport(body))
        let date: Date? = try await repository.value(url: "https://example.com")
        #expect(date.map { "\($0)" } ?? "nil" == expected)
    }

    @Test("Values: arrays of URLs, enums, free JSON, decodable structures, what is at a path")
    func values() async throws {
        let json = #"{"urls": ["https://a.example", "/b"], "level": "high", "size": {"width": 2}, "counts": [1, 2]}"#
        let repository = GistsRepository(transport: StubTransport(json))
        let url = "https://example.com"
        let urls: [URL] = try await repository.value(url: url, at: "urls")
        #expect(urls.map(\.absoluteString) == ["https://a.example", "/b"])
        #expect(try await repository.value(url: url, at: "level", as: Level.self) == .high)
        #expect(try await repository.value(url: url, at: "size", as: Size.self).width == 2)
        #expect(try await repository.value(url: url, at: ["counts", 1], as: Int.self) == 2)
        #expect(try await repository.value(url: url, at: "size", as: JSONValue.self) == ["width": 2])
        #expect(try await repository.value(url: url, at: ["size", "height"], as: Int?.self) == nil)
        await expectError("JSON at $.level (line 1, column 48): expected an integer, found the string \"high\".") {
            _ = try await repository.value(url: url, at: "level", as: Int.self)
        }
        await expectError("JSON at $.height (line 1, column 1): expected a value to map, found no such key or index.") {
            _ = try await repository.value(url: url, at: "height", as: Int.self)
        }
        await expectError("JSON at $.level (line 1, column 48): expected an object, found the string \"high\".") {
            _ = try await repository.value(url: url, at: ["level", "x"], as: Int?.self)
        }
        await expectError(
            "Unreadable cannot be mapped: nothing converts it from JSON; make it JSONConvertible or Decodable."
        ) { _ = try await repository.value(url: url, as: Unreadable.self) }
    }

    @Test("An object of a class whose JSON names the subclass")
    func dynamicTypes() async throws {
        let repository = GistsRepository(transport: StubTransport(#"{"type": "dog", "name": "Rex"}"#))
        let animal: Animal = try await repository.object(url: "https://example.com")
        #expect(animal is Dog)
        #expect(animal.name == "Rex")
    }

    @Test("Wrong values and broken JSON are thrown as they are, with lines")
    func faults() async {
        let wrong = GistsRepository(transport: StubTransport("[\n{\"id\": \"1\"},\n{\"id\": 5}]"))
        await expectError("Gist.id at $[1].id (line 3, column 8): expected a string, found the number 5.") {
            _ = try await wrong.gists(of: "x")
        }
        let broken = GistsRepository(transport: StubTransport("[{\"id\": \"1\""))
        await expectError(
            "Invalid JSON at line 1, column 12 (byte 11): expected ',' or '}', found the end of the document."
        ) { _ = try await broken.gists(of: "x") }
        let empty = GistsRepository(transport: StubTransport { TransportResponse(status: 204, url: $0.url) })
        await expectError(
            "GET https://api.github.com/users/x/gists was answered with 204 and an empty body, expected JSON; where that may be, "
                + "ask for an Optional or for success alone."
        ) { _ = try await empty.gists(of: "x") }
        let half = GistsRepository(transport: StubTransport("{\"done\": tr"))
        await expectError(
            "Invalid JSON at line 1, column 10 (byte 9): expected a value (an object, array, string, number, true, false or null), "
                + "found 't'."
        ) { try await half.success(url: "https://example.com") }
    }

    @Test("The options of the configuration hold for mapping")
    func options() async throws {
        let repository = GistsRepository(transport: StubTransport(#"[{"id": "1"}, 5]"#))
        repository.configuration.mappingOptions.skipsInvalidElements = true
        #expect(try await repository.gists(of: "x").map(\.id) == ["1"])
    }

    @Test("A URL that cannot be asked for fails the request, not the caller, and nothing is sent")
    func invalidURL() async {
        let transport = StubTransport("[]")
        let repository = GistsRepository(transport: transport)
        let sentence =
            "No URL to ask for can be made of \"gists\"; expected an http or https URL with a host, or a path and a "
            + "repository with a baseURL."
        let told: String = await withCheckedContinuation { continuation in
            repository.requestObjects(url: "gists") { (getGists: () throws -> sending [Gist]) in
                do { continuation.resume(returning: "\(try getGists().count)") } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
        #expect(told == sentence)
        #expect(transport.requests.isEmpty)
    }

    @Test("Without a network nothing is sent, if the repository is told to ask")
    func connectivity() async throws {
        let transport = StubTransport("[]")
        let repository = GistsRepository(transport: transport)
        let reachability = FixedReachability(false)
        repository.configuration.reachability = reachability
        await expectError(
            "There is no network connection, so the request was not sent; try again when there is one."
        ) { _ = try await repository.gists(of: "x") }
        #expect(transport.requests.isEmpty)
        reachability.set(true)
        _ = try await repository.gists(of: "x")
        #expect(transport.requests.count == 1)
    }

    @Test("The fields of a call replace those of the configuration; the rest of it goes along")
    func headers() async throws {
        let transport = StubTransport("[]")
        let repository = GistsRepository(transport: transport)
        repository.configuration.headers["X-Client"] = "tour"
        repository.configuration.timeout = .seconds(3)
        repository.configuration.redirects = .stop
        repository.configuration.allowsExpensiveNetwork = false
        let gists: [Gist] = try await repository.objects(
            url: "https://example.com", headers: ["x-client": "mine", "X-Page": "2"])
        #expect(gists.isEmpty)
        let request = try #require(transport.requests.first)
        #expect(request.headers == [.accept: "application/json", "x-client": "mine", "X-Page": "2"])
        #expect(request.timeout == .seconds(3))
        #expect(request.redirects == .stop)
        #expect(!request.allowsExpensiveNetwork)
    }
}

/// Waits for the end of a group.
func ended(_ group: RequestGroup) async {
    await withCheckedContinuation { continuation in group.finished { continuation.resume() } }
}

/// Expects an error that prints as a sentence.
func expectError(
    _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("Nothing was thrown.", sourceLocation: sourceLocation)
    } catch {
        #expect("\(error)" == sentence, sourceLocation: sourceLocation)
    }
}

private class Gist: AbstractModel {
    var id = ""
    var comments = 0

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        property == "id" && value != nil
    }
}

private class ThreadProbe: AbstractModel {
    var id = ""
    private(set) var wasMain = true

    override class var ignoredProperties: Set<String> { ["wasMain"] }

    override func didMap() throws { wasMain = Thread.isMainThread }
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

private class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        requestObjects(.get, url: "https://api.github.com/users/\(user)/gists", completion: completion)
    }

    func gists(of user: String) async throws -> [Gist] {
        try await objects(.get, url: "https://api.github.com/users/\(user)/gists")
    }
}

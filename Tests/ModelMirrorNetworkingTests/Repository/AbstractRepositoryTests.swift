import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("AbstractRepository", .timeLimit(.hung), .network)
struct AbstractRepositoryTests {
    private let gists = #"[{"id": "1", "comments": 3}, {"id": "2"}]"#

    @Test("A completion runs on the main actor, and its function returns the objects once")
    func ownMethod() async throws {
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
                "1 3", "2 0", "The value was already taken: only the first call returns it, so keep its result.",
            ])
        #expect(transport.requests.map(\.url.absoluteString) == ["https://api.github.com/users/octocat/gists"])
        #expect(transport.requests.map(\.method) == [.get])
        #expect(transport.requests.map { $0.headers[.accept] } == ["application/json"])
    }

    @Test("Apic's methods request an object, objects, a dictionary and a success")
    func apic() async throws {
        let transport = StubTransport { request in
            switch request.url.path {
            case "/object": .stub(#"{"one": {"id": "1"}}"#, url: request.url)
            case "/objects": .stub(#"{"all": [{"id": "1"}, {"id": "2"}]}"#, url: request.url)
            case "/dictionary": .stub(#"{"all": {"a": {"id": "1"}}}"#, url: request.url)
            default: TransportResponse(status: 204, url: request.url)
            }
        }
        let repository = GistsRepository(
            transport: transport, baseURL: URL(string: "https://example.com"),
            configuration: .init(objectKey: "one", objectsKey: "all"))
        let log = WordLog()
        let group = Request.all(
            repository.requestObject(.put, url: "object", parameters: ["a": 1], headers: ["X-A": "1"]) {
                (get: () throws -> sending Gist) in
                log.add("object \((try? get().id) ?? "failed")")
            },
            repository.requestObjects(.get, url: "objects", parameters: ["q": "a b"]) {
                (get: () throws -> sending [Gist]) in
                log.add("objects \((try? get().count) ?? -1)")
            },
            repository.requestDictionaryOfObjects(.get, url: "dictionary") {
                (get: () throws -> sending [String: Gist]) in
                log.add("dictionary \((try? get()["a"]?.id) ?? "failed")")
            },
            repository.requestObject(url: "objects", at: ["all", 1]) { (get: () throws -> sending Gist) in
                log.add("at \((try? get().id) ?? "failed")")
            },
            repository.requestSuccess(.delete, url: "success") { get in
                log.add((try? get()) != nil ? "success" : "failed")
            })
        await ended(group)
        #expect(log.words.sorted() == ["at 2", "dictionary 1", "object 1", "objects 2", "success"])
        #expect(
            Set(transport.requests.map { "\($0.method) \($0.url.absoluteString)" }) == [
                "PUT https://example.com/object", "GET https://example.com/objects?q=a%20b",
                "GET https://example.com/dictionary", "GET https://example.com/objects",
                "DELETE https://example.com/success",
            ])
        let put = try #require(transport.requests.first { $0.method == .put })
        #expect(put.headers["X-A"] == "1")
        guard case .data(let body)? = put.body?.content else { return #expect(Bool(false)) }
        #expect(body == Data(#"{"a":1}"#.utf8))
    }

    @Test("Completions of Apic's methods are called exactly once for a failure and an invalid address")
    func apicFailures() async {
        let transport = StubTransport("no", status: 404)
        let repository = GistsRepository(transport: transport)
        for (url, sentence): (URLReference, String) in [
            (
                "https://example.com/x",
                "GET https://example.com/x was answered with 404 (Not Found), a status that is not accepted; its body is \"no\"."
            ),
            (
                "gists",
                "\"gists\" is not a URL that can be requested; expected an http or https URL with a host, or a path and a client "
                    + "with a baseURL."
            ),
        ] {
            let log = WordLog()
            let group = Request.all(
                repository.requestObject(url: url) { (get: () throws -> sending Gist) in
                    do { log.add("\(try get().id)") } catch { log.add("\(error)") }
                },
                repository.requestObjects(url: url) { (get: () throws -> sending [Gist]) in
                    do { log.add("\(try get().count)") } catch { log.add("\(error)") }
                },
                repository.requestDictionaryOfObjects(url: url) { (get: () throws -> sending [String: Gist]) in
                    do { log.add("\(try get().count)") } catch { log.add("\(error)") }
                },
                repository.requestSuccess(url: url) { get in
                    do { log.add("\(try get())") } catch { log.add("\(error)") }
                })
            await ended(group)
            #expect(log.words == Array(repeating: sentence, count: 4))
        }
        #expect(transport.requests.count == 4)
    }

    @Test("A success of Apic's methods is the network's, also with a stored response")
    func apicSuccess() async {
        let mock = MockTransport()
        mock.on(.get, "/job", .sequence([.json("{}"), .status(503)]))
        let repository = GistsRepository(
            transport: mock, baseURL: URL(string: "https://example.com"), store: MemoryStore())
        let log = WordLog()
        for _ in 0..<2 {
            await ended(
                repository.requestSuccess(url: "job") { get in log.add((try? get()) != nil ? "success" : "failed") })
        }
        #expect(log.words == ["success", "failed"])
        #expect(mock.requests.count == 2)
    }

    // MARK: Configuration

    @Test("A repository uses its class's configuration unless it is given one, and can change it")
    func configuration() async throws {
        let transport = StubTransport(#"{"data": {"id": "1"}, "id": "2"}"#)
        let url: URLReference = "https://example.com/x"
        let own = HookedRepository(transport: transport)
        #expect(try await own.value(Endpoint<Gist>.get(url)).id == "1")
        let given = HookedRepository(transport: transport, configuration: .init())
        #expect(try await given.value(Endpoint<Gist>.get(url)).id == "2")
        given.client.configuration.objectKey = "data"
        #expect(try await given.value(Endpoint<Gist>.get(url)).id == "1")
        given.client.transport = StubTransport(#"{"data": {"id": "3"}}"#)
        #expect(try await given.value(Endpoint<Gist>.get(url)).id == "3")
    }

    @Test("The hooks of a class apply to any client and configuration it is given")
    func classHooks() async throws {
        let transport = StubTransport(#"{"code": 17}"#, status: 400)
        let client = APIClient(transport: transport, configuration: .init(errorCodeKey: "code"))
        let late = HookedRepository()
        late.client = client
        let changed = HookedRepository(transport: transport)
        changed.client.configuration = client.configuration
        let repositories = [
            HookedRepository(client: client),
            HookedRepository(transport: transport, configuration: client.configuration), late,
            changed, OverridingRepository(client: client),
        ]
        for repository in repositories {
            let url: URLReference = "https://example.com/x"
            await #expect(throws: CodeError(code: "17")) { try await repository.send(.get(url)) }
            await #expect(throws: CodeError(code: "17")) {
                try await repository.request(Endpoint<Void>.get(url)).value()
            }
            await #expect(throws: CodeError(code: "17")) {
                for try await _ in repository.elements(Endpoint<[Gist]>.get(url)) {}
            }
            if repository is OverridingRepository { continue }
            await #expect(throws: CodeError(code: "17")) { try await repository.client.send(.get(url)) }
        }
        // The client itself has no hooks.
        await #expect(throws: RequestError.self) { try await client.send(.get("https://example.com/x")) }
    }

    @Test("errorFromResponse precedes errorForCode, and configuration hooks override class hooks")
    func ownHooksWin() async throws {
        let url: URLReference = "https://example.com/x"
        var client = APIClient(
            transport: StubTransport(#"{"code": 17, "reason": "closed"}"#, status: 400),
            configuration: .init(errorCodeKey: "code"))
        func thrown(_ client: APIClient) async -> String {
            do { try await HookedRepository(client: client).send(.get(url)) } catch { return "\(error)" }
            return "nothing"
        }
        #expect(await thrown(client) == "CodeError(code: \"17\")")
        client.configuration.errorForCode = { code, _ in CodeError(code: "mine \(code ?? "")") }
        #expect(await thrown(client) == "CodeError(code: \"mine 17\")")
        client.transport = StubTransport(#"{"code": 17, "reason": "refused"}"#, status: 400)
        #expect(await thrown(client) == "Refusal(reason: \"refused\")")
        client.configuration.errorFromResponse = { _ in nil }
        #expect(await thrown(client) == "CodeError(code: \"mine 17\")")
        client.configuration.errorFromResponse = { _ in Refusal(reason: "mine") }
        #expect(await thrown(client) == "Refusal(reason: \"mine\")")
    }

    @Test("A client shared by two repositories calls the hooks of the one that sends")
    func hooksOfTheRepositoryThatSends() async throws {
        let url: URLReference = "https://example.com/x"
        let transport = StubTransport(#"{"code": 17}"#, status: 400)
        let first = HookedRepository(transport: transport, configuration: .init(errorCodeKey: "code"))
        let second = OtherHookedRepository(client: first.client)
        await #expect(throws: CodeError(code: "17")) { try await first.send(.get(url)) }
        await #expect(throws: CodeError(code: "other 17")) { try await second.send(.get(url)) }
        await #expect(throws: CodeError(code: "other 17")) { try await second.client.send(.get(url)) }
        first.client.configuration = second.client.configuration
        await #expect(throws: CodeError(code: "17")) { try await first.send(.get(url)) }
    }

    @Test("An overridden client is used, together with the hooks of the class")
    func overriddenClient() async throws {
        let repository = OverridingRepository(client: APIClient(transport: StubTransport(gists)))
        let found: [Gist] = try await repository.value(.get("https://example.com/x"))
        #expect(found.count == 2)
        #expect(repository.asked.words.isEmpty == false)
    }
}

private class Gist: AbstractModel {
    var id = ""
    var comments = 0
}

private struct CodeError: Error, Equatable { var code: String }
private struct Refusal: Error, Decodable, Equatable { var reason: String }

private class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(.get("https://api.github.com/users/\(user)/gists"), completion: completion)
    }
}

private class HookedRepository: AbstractRepository<String> {
    override class var defaultConfiguration: Configuration { Configuration(objectKey: "data") }

    override class func error(forCode code: String?, message: String?) -> (any Error)? {
        code.map { CodeError(code: $0) }
    }

    override class func error(from response: Response<Data>) throws -> (any Error)? {
        let refusal = try? response.value(Refusal.self)
        return refusal?.reason == "refused" ? refusal : nil
    }
}

private class OtherHookedRepository: AbstractRepository<Int> {
    override class func error(forCode code: String?, message: String?) -> (any Error)? {
        CodeError(code: "other \(code ?? "")")
    }
}

private final class OverridingRepository: HookedRepository {
    let asked = WordLog()
    private var own: APIClient

    override init(client: APIClient) {
        own = client
        super.init(client: APIClient())
    }

    override var client: APIClient {
        get {
            asked.add("client")
            return own
        }
        set { own = newValue }
    }
}

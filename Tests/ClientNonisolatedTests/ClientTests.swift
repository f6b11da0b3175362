import Foundation
import ModelMirror
import ModelMirrorNetworking
import Observation
import Testing

/// A `Requesting` structure in every place where a program can keep and use one.
@Suite("Clients in actors and tasks", .timeLimit(.minutes(15)))
nonisolated struct ClientTests {
    private let api = GistsAPI.shared

    @Test("Two requests can be started with async let")
    func asyncLet() async throws {
        async let mine = api.gists(of: "octocat")
        async let yours = api.gists(of: "hubot")
        let logins = try await mine.map { $0.user?.login } + yours.map { $0.user?.login }
        #expect(logins == ["octocat", "hubot"])
        async let user: Gist? = api.first(of: "octocat")
        async let isFavourite = api.isFavourite("1")
        #expect(try await user?.user?.login == "octocat")
        #expect(try await isFavourite)
    }

    @Test("Requests in a task group hand over their results")
    func taskGroups() async throws {
        let users = ["a", "b", "c"]
        let api = api
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for user in users { group.addTask { try await api.gists(of: user).count } }
            return try await group.reduce(0, +)
        }
        #expect(counts == 3)
        let logins = try await withThrowingTaskGroup(of: SendingBox<[Gist]>.self) { group in
            for user in users { group.addTask { SendingBox(try await api.gists(of: user)) } }
            var logins: [String] = []
            for try await gists in group { logins += try gists.take().compactMap { $0.user?.login } }
            return logins
        }
        #expect(logins.sorted() == users)
    }

    @Test("The result of a task is handed over at most once")
    func handoff() async throws {
        let api = api
        let task = Task { SendingBox(try await api.gists(of: "octocat")) }
        let gists = try await task.value.take()
        #expect(gists.map { $0.user?.login } == ["octocat"])
        let box = try await task.value
        let error = #expect(throws: RequestError.self) { _ = try box.take() }
        guard case .alreadyTaken = error else { Issue.record("\(String(describing: error))"); return }
    }

    @Test("A static and a global client can be used in a detached task")
    func globals() async throws {
        #expect(try await GistsAPI.shared.gists(of: "octocat").count == 1)
        #expect(try await globalAPI.gists(of: "octocat").count == 1)
        let count = try await Task.detached {
            try await GistsAPI.shared.gists(of: "a").count + globalAPI.gists(of: "b").count
        }.value
        #expect(count == 2)
    }

    @Test("An actor can keep a client and the models that it loads")
    func actors() async throws {
        let cache = GistsCache(api)
        try await cache.load("octocat")
        try await cache.load("hubot")
        #expect(await cache.logins == ["octocat", "hubot"])
        #expect(try await cache.count() == 1)
    }

    @Test("A structure, a client and a repository can sign an account out")
    func signOut() async throws {
        try await api.signOut(account: "octocat")
        try await api.client.signOut(account: "octocat")
        try await GistsRepository(client: api.client).signOut(account: "octocat")
        #expect(try await api.gists(of: "octocat").count == 1)
    }

    @Test("Functions can take some Requesting and any Requesting")
    func existentials() async throws {
        #expect(try await count(api) == 1)
        #expect(try await count(api.client) == 1)
        #expect(try await countAny(api) == 1)
        #expect(try await countAny(GistsRepository(client: api.client)) == 1)
    }

    private func count(_ api: some Requesting) async throws -> Int { try await api.value(.gists(of: "a")).count }

    private func countAny(_ api: any Requesting) async throws -> Int {
        let gists: [Gist] = try await api.value(.get("users/a/gists"))
        return gists.count
    }

    @Test("Custom static endpoints are inferred at the call")
    func ownEndpoints() async throws {
        let gists = try await api.value(.gists(of: "a b", sort: .updated, page: 2))
        #expect(gists.map(\.id) == ["GET https://example.com/users/a%20b/gists?sort=updated&page=2"])
        #expect(try await api.value(.isFavourite("1")))
        let response = try await api.response(.delete(gists[0]))
        #expect(response.method == .delete)
        try await api.send(.delete(gists[0]))
        try await api.favourite("1")
    }

    @Test("A route's environment determines the URL of its request")
    func routes() async throws {
        let list: [Gist] = try await api.value(.route(GistRoute.list(user: "a", page: 3)))
        #expect(list.map(\.id) == ["GET https://test.example.com/users/a/gists?page=3"])
        let made: Gist = try await api.value(.route(GistRoute.create(title: "t").in(.live)))
        #expect(made.id == "POST https://api.example.com/gists")
    }

    @Test("An endpoint reads a Decodable value or uses a reading closure")
    func readings() async throws {
        let client = APIClient(
            transport: FixedTransport(json: #"{"latitude": 1.5, "longitude": 2.5}"#),
            baseURL: URL(string: "https://example.com"))
        #expect(try await client.value(Endpoint<Place>.get("place")).longitude == 2.5)
        #expect(try await client.value(Endpoint<Int>.get("place", reading: { $0.value.count })) == 35)
        let inBackground = try await Task.detached { try await client.value(Endpoint<Place>.get("place")).latitude }
            .value
        #expect(inBackground == 1.5)
    }

    @Test("The client of a repository uses the hooks of its class in several tasks")
    func clientOfRepository() async throws {
        let repository = AccountsRepository(
            transport: FixedTransport(json: #"{"plan": "free", "code": 17, "message": "more money"}"#),
            baseURL: URL(string: "https://example.com"))
        let client = repository.client
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for number in 1...2 {
                group.addTask {
                    do {
                        let _: Account = try await client.value(.get("accounts/\(number)"))
                        return nil
                    } catch { return error }
                }
            }
            return await group.reduce(into: [any Error]()) { errors, error in if let error { errors.append(error) } }
        }
        #expect(errors.count == 2)
        for error in errors { #expect(error as? ConversionError == ConversionError(expected: "more money")) }
        let sum = try await Task.detached {
            let good = client.with(FixedTransport(json: #"{"plan": "pro", "account": {"id": 7}}"#))
            async let first: Account = good.value(.get("accounts/1"))
            async let second: Account = good.value(.get("accounts/2"))
            return try await first.number + second.number
        }.value
        #expect(sum == 14)
    }

    @Test("A view model can use a client with a closure, with handlers and with await")
    @MainActor
    func viewModel() async throws {
        let viewModel = ClientViewModel(.shared)
        try await viewModel.reload()
        #expect(viewModel.gists.compactMap { $0.user?.login } == ["octocat"])
        await withCheckedContinuation { done in viewModel.load("a") { done.resume() } }
        #expect(viewModel.gists.compactMap { $0.user?.login } == ["a"])
        await withCheckedContinuation { done in viewModel.loadByHandlers("b") { done.resume() } }
        #expect(viewModel.gists.compactMap { $0.user?.login } == ["b"])
        try await viewModel.loadBoth()
        #expect(viewModel.gists.compactMap { $0.user?.login } == ["c", "d"])
        await viewModel.loadInTask().value
        #expect(viewModel.gists.compactMap { $0.user?.login } == ["e"])
    }

    @Test("Pages, elements, signals and downloads can be used on the main actor")
    @MainActor
    func sequences() async throws {
        var logins: [String] = []
        for try await page in api.pages(.gists(of: "a"), by: LinkPagination()) {
            logins += page.elements.compactMap { $0.user?.login }
        }
        for try await gist in api.pages(.gists(of: "b"), by: LinkPagination()).elements {
            logins.append(gist.user?.login ?? "")
        }
        for try await gist in api.elements(.gists(of: "c")) { logins.append(gist.user?.login ?? "") }
        for try await gists in api.signal(.gists(of: "d")) { logins += gists.compactMap { $0.user?.login } }
        for try await response in api.values(.gists(of: "e")) { logins += response.value.compactMap { $0.user?.login } }
        let list = Paginator(api.pages(.gists(of: "f"), by: LinkPagination()), identifiedBy: \.id)
        await list.load().value
        logins += list.elements.compactMap { $0.user?.login }
        let reader = api.pages(.gists(of: "g"), by: LinkPagination()).reader()
        logins += try await reader.nextPage().compactMap { $0.user?.login }
        #expect(logins == ["a", "b", "c", "d", "e", "f", "g"])

        let file = FileManager.default.temporaryDirectory.appending(path: "ClientTests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        let response = try await api.download(.gists(of: "a"), to: file) { progress in _ = progress.download.bytes }
        #expect(response.value == file)
        #expect(try [Gist](json: Data(contentsOf: file)).count == 1)
    }
}

nonisolated extension APIClient {
    func with(_ transport: some Transport) -> APIClient {
        var client = self
        client.transport = transport
        return client
    }
}

/// Has a client and shows the gists that it loads.
@MainActor @Observable
final class ClientViewModel {
    private(set) var gists: [Gist] = []
    private(set) var message = ""
    private let api: GistsAPI
    private var request: Request<[Gist]>?

    init(_ api: GistsAPI) { self.api = api }

    func reload() async throws { gists = try await api.gists(of: "octocat") }

    func load(_ user: String, _ done: @escaping @MainActor () -> Void) {
        request?.cancel()
        request = api.request(.gists(of: user)) { getGists in
            do { self.gists = try getGists() } catch { self.message = "\(error)" }
        }.finished { done() }
    }

    func loadByHandlers(_ user: String, _ done: @escaping @MainActor () -> Void) {
        request = api.request(.gists(of: user))
            .success { [weak self] gists in self?.gists = gists }
            .fail { error in self.message = "\(error)" }
            .finished { done() }
    }

    func loadBoth() async throws {
        async let first = api.gists(of: "c")
        async let second = api.gists(of: "d")
        gists = try await first + second
    }

    func loadInTask() -> Task<Void, Never> {
        Task {
            do {
                let gists: [Gist] = try await api.value(.get("users/e/gists"))
                self.gists = gists
            } catch { message = "\(error)" }
        }
    }
}

/// Keeps the gists that it loads.
actor GistsCache {
    private let api: GistsAPI
    private var gists: [Gist] = []
    var logins: [String] { gists.compactMap { $0.user?.login } }

    init(_ api: GistsAPI) { self.api = api }

    func load(_ user: String) async throws { gists += try await api.gists(of: user) }

    func count() async throws -> Int {
        let gists: [Gist] = try await api.client.value(.get("users/x/gists"))
        return gists.count
    }
}

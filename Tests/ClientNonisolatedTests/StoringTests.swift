import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

// A repository with a store, and streams. Only the screen declares its isolation; the same text is compiled in both client
// targets.

class StoredGistsRepository: AbstractRepository<String> {
    func gists(of user: String) -> Endpoint<[Gist]> { .get("https://api.github.com/users/\(user)/gists") }

    @discardableResult
    func fetchGists(
        of user: String, policy: FetchPolicy = .standard,
        completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(gists(of: user), policy: policy, completion: completion)
    }

    @discardableResult
    func fetchGists(
        of user: String, stored: @escaping @MainActor (_ getStored: () throws -> sending [Gist]) -> Void,
        completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(gists(of: user), stored: stored, completion: completion)
    }
}

@MainActor
final class GistsScreen {
    var shown: [Gist] = []
    let repository = StoredGistsRepository(
        transport: FixedTransport(
            json: #"[{"id": "1", "url": "https://example.com", "created_at": "2016-01-23T18:30:00Z"}]"#),
        store: MemoryStore())

    func load() async throws { shown = try await repository.value(repository.gists(of: "octocat")) }

    func refresh() async throws -> [FetchOrigin] {
        var origins: [FetchOrigin] = []
        for try await response in repository.values(repository.gists(of: "octocat")) {
            shown = response.value
            origins.append(response.origin)
        }
        return origins
    }

    func stream() async throws {
        shown = []
        for try await gist in repository.elements(Endpoint<[Gist]>.get("https://example.com")) { shown.append(gist) }
    }

    func loadBoth(_ done: @escaping @MainActor () -> Void) {
        shown = []
        repository.fetchGists(of: "octocat") { getStored in
            self.shown += (try? getStored()) ?? []
        } completion: { getGists in
            self.shown += (try? getGists()) ?? []
            done()
        }
    }
}

@Suite("Repositories with a store", .timeLimit(.minutes(15)))
nonisolated struct StoringTests {
    @Test("A screen on the main actor can load, refresh and stream")
    @MainActor
    func screen() async throws {
        let screen = GistsScreen()
        try await screen.load()
        #expect(screen.shown.map(\.id) == ["1"])
        let origins = try await screen.refresh()
        #expect(origins.count == 2)
        #expect(origins.last == .network)
        if case .store = origins.first {} else { Issue.record("\(origins)") }
        try await screen.stream()
        #expect(screen.shown.map(\.id) == ["1"])
        let count: Int = await withCheckedContinuation { continuation in
            screen.repository.fetchGists(of: "octocat", policy: .cacheOnly) { getGists in
                screen.shown = (try? getGists()) ?? []
                continuation.resume(returning: screen.shown.count)
            }
        }
        #expect(count == 1)
        await withCheckedContinuation { done in screen.loadBoth { done.resume() } }
        #expect(screen.shown.map(\.id) == ["1", "1"])
    }

    @Test("A repository's store is configured through its client")
    func switches() async throws {
        let repository = StoredGistsRepository(transport: FixedTransport(json: "[]"), store: MemoryStore())
        repository.client.persistence?.waitsForSaving = false
        repository.client.persistence?.policy = .networkElseCache
        repository.client.persistence?.report = { incident, request in print(incident, request.url) }
        #expect(try await repository.value(repository.gists(of: "octocat")).count == 0)
        await repository.client.persistence?.savingFinished()
        #expect(try await repository.value(repository.gists(of: "octocat"), policy: .cacheOnly).count == 0)
    }

    @Test("A detached task can create and use a repository with a store")
    func detached() async throws {
        let ids = try await Task.detached {
            let repository = StoredGistsRepository(
                transport: FixedTransport(json: "[]"), store: MemoryStore())
            return try await repository.value(repository.gists(of: "octocat")).count
        }.value
        #expect(ids == 0)
    }
}

import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

// A repository with a store, and streams. Nothing in this file but the screen says anything about isolation; the same text
// is compiled in both client targets.

class StoredGistsRepository: StoringRepository<String> {
    func gists(of user: String) -> Resource<[Gist]> { .objects("https://api.github.com/users/\(user)/gists") }

    @discardableResult
    func fetchGists(
        of user: String, policy: FetchPolicy? = nil,
        completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        fetch(gists(of: user), policy: policy, completion: completion)
    }
}

@MainActor
final class GistsScreen {
    var shown: [Gist] = []
    let repository = StoredGistsRepository(
        transport: FixedTransport(
            json: #"[{"id": "1", "url": "https://example.com", "created_at": "2016-01-23T18:30:00Z"}]"#),
        store: MemoryStore())

    func load() async throws { shown = try await repository.value(of: repository.gists(of: "octocat")) }

    func refresh() async throws -> [FetchOrigin] {
        var origins: [FetchOrigin] = []
        for try await fetched in repository.values(of: repository.gists(of: "octocat")) {
            shown = fetched.value
            origins.append(fetched.origin)
        }
        return origins
    }

    func stream() async throws {
        shown = []
        for try await gist in repository.streamObjects(url: "https://example.com", of: Gist.self) { shown.append(gist) }
    }
}

@Suite("A repository with a store, from either isolation", .timeLimit(.minutes(1)))
nonisolated struct StoringTests {
    @Test("A screen loads, refreshes and streams on the main actor")
    @MainActor
    func screen() async throws {
        let screen = GistsScreen()
        try await screen.load()
        #expect(screen.shown.map(\.id) == ["1"])
        #expect(try await screen.refresh().count == 2)
        try await screen.stream()
        #expect(screen.shown.map(\.id) == ["1"])
        let count: Int = await withCheckedContinuation { continuation in
            screen.repository.fetchGists(of: "octocat", policy: .cacheOnly) { getGists in
                screen.shown = (try? getGists()) ?? []
                continuation.resume(returning: screen.shown.count)
            }
        }
        #expect(count == 1)
    }

    @Test("A detached task has a repository of its own")
    func detached() async throws {
        let ids = try await Task.detached {
            let repository = StoredGistsRepository(
                transport: FixedTransport(json: "[]"), store: MemoryStore())
            return try await repository.value(of: repository.gists(of: "octocat")).count
        }.value
        #expect(ids == 0)
    }
}

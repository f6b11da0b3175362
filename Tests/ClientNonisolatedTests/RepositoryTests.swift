import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("Repositories in actors and tasks", .timeLimit(.minutes(15)))
nonisolated struct RepositoryTests {
    private let gists = """
        [{"id": "1", "url": "u", "created_at": "2016-01-23T18:30:00Z", "comments": 3, "user": {"login": "octocat"}}]
        """

    @Test("A view model on the main actor can load models with a closure and with await")
    @MainActor
    func viewModel() async throws {
        let viewModel = GistsViewModel(GistsRepository(transport: FixedTransport(json: gists)))
        await withCheckedContinuation { continuation in viewModel.load { continuation.resume() } }
        #expect(viewModel.gists.map(\.comments) == [3])
        #expect(viewModel.message == "")
        let other = GistsViewModel(GistsRepository(transport: FixedTransport(json: gists)))
        try await other.reload()
        #expect(other.gists.map(\.id) == ["1"])
    }

    @Test("A view model on the main actor can show the description of a failure")
    @MainActor
    func viewModelWithFailure() async {
        let viewModel = GistsViewModel(
            GistsRepository(transport: FixedTransport(json: #"{"message": "Not Found"}"#, status: 404)))
        await withCheckedContinuation { continuation in viewModel.load { continuation.resume() } }
        #expect(viewModel.gists.isEmpty)
        #expect(
            viewModel.message
                == "GET https://api.github.com/users/octocat/gists was answered with 404 (Not Found), a status that is not "
                + "accepted; its body is \"{\"message\": \"Not Found\"}\".")
    }

    @Test("A view model can keep a repository and call its custom async method")
    @MainActor
    func ownMethod() async throws {
        let transport = FixedTransport(json: #"{"plan": "pro", "account": {"id": 7}}"#)
        let viewModel = AccountViewModel(
            AccountsRepository(transport: transport, baseURL: URL(string: "https://example.com")))
        try await viewModel.reload()
        try await viewModel.reload()
        #expect(viewModel.numbers == [7, 7])
    }

    @Test("A detached task can use a repository with closures and with await")
    func detached() async throws {
        let json = gists
        let words = try await Task.detached {
            let repository = GistsRepository(transport: FixedTransport(json: json))
            let logins: String = await withCheckedContinuation { continuation in
                repository.requestGists(of: "octocat") { getGists in
                    let gists = try? getGists()
                    continuation.resume(returning: gists?.compactMap { $0.user?.login }.joined() ?? "failed")
                }
            }
            let awaited: [Gist] = try await repository.value(.get("https://example.com"))
            let queue = DispatchQueue(label: "client")
            let count: Int = await withCheckedContinuation { continuation in
                repository.request(.get("https://example.com"), on: queue) {
                    (getGists: () throws -> sending [Gist]) in
                    continuation.resume(returning: (try? getGists().count) ?? -1)
                }
            }
            return "\(logins) \(awaited.count) \(count)"
        }.value
        #expect(words == "octocat 1 1")
    }

    @Test("A subclass of a repository can override its hooks and add state")
    func overrides() async throws {
        let base = URL(string: "https://example.com")
        let good = AccountsRepository(
            transport: FixedTransport(json: #"{"plan": "pro", "account": {"id": 7}, "accounts": {"a": {"id": 8}}}"#),
            baseURL: base)
        #expect(try await good.account(7).number == 7)
        let numbers: [Int] = await withCheckedContinuation { continuation in
            good.requestAccounts { get in continuation.resume(returning: (try? get())?.values.map(\.number) ?? []) }
        }
        #expect(numbers == [8])
        #expect(good.asked == 2)
        let coded = AccountsRepository(
            transport: FixedTransport(json: #"{"plan": "free", "code": 17, "message": "more money"}"#), baseURL: base)
        await #expect(throws: ConversionError(expected: "more money")) { _ = try await coded.account(7) }
        let refused = AccountsRepository(
            transport: FixedTransport(json: #"{"refusal": {"reason": "closed"}}"#, status: 423), baseURL: base)
        let refusal = await #expect(throws: Refusal.self) { _ = try await refused.account(7) }
        #expect(refusal?.reason == "closed")
    }
}

/// What a view shows, loaded with a closure or with `await`.
@MainActor
final class GistsViewModel {
    private(set) var gists: [Gist] = []
    private(set) var message = ""
    private let repository: GistsRepository
    private var request: Request<[Gist]>?

    init(_ repository: GistsRepository) { self.repository = repository }

    func load(_ done: @escaping @MainActor () -> Void) {
        request?.cancel()
        request = repository.requestGists(of: "octocat") { getGists in
            do { self.gists = try getGists() } catch { self.message = "\(error)" }
        }.finished { done() }
    }

    func reload() async throws {
        gists = try await repository.value(.get("https://example.com"))
    }
}

/// Keeps a repository and calls its custom async method.
@MainActor
final class AccountViewModel {
    private(set) var numbers: [Int] = []
    private let repository: AccountsRepository

    init(_ repository: AccountsRepository) { self.repository = repository }

    func reload() async throws {
        numbers.append(try await repository.account(7).number)
    }
}

import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

class StoredGist: AbstractModel {
    var id = 0

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { true }
}

/// A repository with a mock, a store in memory and a clock.
struct StoringSetup {
    let transport = MockTransport()
    let store = MemoryStore()
    let clock = WallClock()
    let told = StoringLog()
    let repository: AbstractRepository<String>
    let gists = Endpoint<[StoredGist]>.get("https://example.com/gists")

    /// - Parameter wrap: Wraps the store for the repository.
    init(_ response: MockResponse, over wrap: (MemoryStore) -> any ResponseStore = { $0 }) {
        transport.on(.get, "/gists", response)
        repository = AbstractRepository(transport: transport, store: wrap(store))
        repository.client.persistence?.now = { [clock] in clock.date }
        repository.client.persistence?.report = { [told] incident, _ in
            switch incident {
            case .loadingFailed: told.add("loading")
            case .unusable: told.add("unusable")
            case .savingFailed: told.add("saving")
            case .unknownIdentity: told.add("unknown identity")
            case .undeclared(let names): told.add("undeclared \(names.joined(separator: " "))")
            case .unprepared: told.add("unprepared")
            }
        }
    }

    init(_ json: String, over wrap: (MemoryStore) -> any ResponseStore = { $0 }) { self.init(.json(json), over: wrap) }

    /// The key of the gists.
    var key: String {
        (try? repository.client.transportRequest(for: gists)).flatMap(Persistence.defaultKey) ?? ""
    }

    func ids(_ policy: FetchPolicy = .standard) async throws -> [Int] {
        try await repository.value(gists, policy: policy).map(\.id)
    }
}

extension Persistence {
    /// A store whose responses are served whatever their age, for tests of what is stored.
    static func keeping(_ store: any ResponseStore) -> Persistence { Persistence(store, policy: .cacheElseNetwork) }
}

/// A store in memory whose steps a test replaces.
struct SteppedStore: ResponseStore {
    let store: MemoryStore
    var load: (@Sendable (String) async throws -> StoredResponse?)?
    var save: (@Sendable (StoredResponse, String) async throws -> Void)?

    func response(for key: String) async throws -> StoredResponse? {
        if let load { return try await load(key) }
        return store.response(for: key)
    }
    func save(_ response: StoredResponse, for key: String) async throws {
        if let save { return try await save(response, key) }
        store.save(response, for: key)
    }
    func remove(for key: String) { store.remove(for: key) }
    func removeAll() { store.removeAll() }
}

/// A clock that a test sets.
final class WallClock: Sendable {
    private let time = Mutex(Date(timeIntervalSince1970: 1_000_100))

    var date: Date { time.withLock { $0 } }

    func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

final class StoringLog: Sendable {
    private let entries = Mutex<[String]>([])

    var words: [String] { entries.withLock { $0 } }

    func add(_ word: String) { entries.withLock { $0.append(word) } }
}

/// A response stored 100 seconds before the clock's start.
func stored(_ json: String, headers: HTTPHeaders = [:]) -> StoredResponse {
    StoredResponse(
        url: URL(string: "https://example.com/gists") ?? URL(filePath: "/"), headers: headers, body: Data(json.utf8),
        date: Date(timeIntervalSince1970: 1_000_000))
}

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
    let repository: StoringRepository<String>

    init(_ response: MockResponse) {
        transport.on(.get, "/gists", response)
        repository = StoringRepository(transport: transport, store: store)
        repository.persistence.now = { [clock] in clock.date }
        repository.persistence.report = { [told] incident, _ in
            switch incident {
            case .loadingFailed: told.add("loading")
            case .unusable: told.add("unusable")
            case .savingFailed: told.add("saving")
            }
        }
    }

    init(_ json: String) { self.init(.json(json)) }

    /// The key of the gists.
    var key: String {
        let url = URL(string: "https://example.com/gists") ?? URL(filePath: "/")
        return Persistence.defaultKey(for: TransportRequest(.get, url, headers: repository.configuration.headers)) ?? ""
    }

    func ids(_ policy: FetchPolicy? = nil) async throws -> [Int] {
        try await repository.value(of: Resource<[StoredGist]>.objects("https://example.com/gists"), policy: policy).map(
            \.id)
    }
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

/// What was stored 100 seconds before the clock's start.
func stored(_ json: String, headers: HTTPHeaders = [:]) -> StoredResponse {
    StoredResponse(
        url: URL(string: "https://example.com/gists") ?? URL(filePath: "/"), headers: headers, body: Data(json.utf8),
        date: Date(timeIntervalSince1970: 1_000_000))
}

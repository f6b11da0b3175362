// What the code in documentation comments takes for granted. It is type-checked only.
import Foundation
import ModelMirror
@testable import ModelMirrorNetworking
import ModelMirrorTesting

/// A value of any type.
func some<Value>() -> Value { fatalError() }
func show(_ value: Any, isOld: Bool = false) {}
func report(_ error: any Error) {}
func log(_ text: String) {}
func subject(of token: String) -> String? { nil }
func send(_ request: TransportRequest) async throws -> TransportResponse { some() }

func respond(_ status: Int, _ body: Data, contentType: String) {}

var failure: PropertyFailure { some() }
var missing: [String] {
    get { some() }
    set {}
}
var data: Data { some() }
var pages: [Data] { some() }
var text: String { some() }
var name: String { some() }
var id: String { some() }
var page: Int { some() }
var date: Date { some() }
var since: Date { some() }
var tags: [String] { some() }
var dictionary: [String: Any] { some() }
var gist: Gist { some() }
var reports: [MappingReport] { some() }
var entry: MappingReport.Entry { some() }
var isExact: Bool { some() }
var url: URL { some() }
var api: URL { some() }
var base: URL { some() }
var link: URL { some() }
var folder: URL { some() }
var caches: URL { some() }
var client: APIClient {
    get { some() }
    set {}
}
var configuration: APIClient.Configuration {
    get { some() }
    set {}
}
var transport: any Transport { some() }
var signedIn: AuthenticatingTransport<String> { some() }
var fixtures: URL { some() }

class User: AbstractModel {
    var login = ""
    var name = ""
}
class File: AbstractModel {}
class Gist: AbstractModel {
    var id = ""
    var title = ""
    var ownerLogin = ""
    var description: String?
    var createdAt: Date!
    var born: Date!
    var comments = 0
    var owner: User?
    var login = ""
    var name = ""
    var files: [String: File] = [:]
}
class Item: AbstractModel {}
class Order: AbstractModel {}
class Entry: AbstractModel {}
class Repository: AbstractModel {}
class Animal: AbstractModel {}
class Dog: Animal {}
class Cat: Animal {}
class Event: AbstractModel {}
class Photo: AbstractModel {}
class Film: AbstractModel {}
class ForkPayload: AbstractModel {}
class PushPayload: AbstractModel {}
class Repo: Gist {
    var stars = 0
}
class Post: AbstractModel {}
enum Router: Route, Equatable {
    typealias Environment = Server
    case me
    case posts(for: Date)
    var path: URLReference { some() }
}
enum Server: String, APIEnvironment {
    case live, test
}
final class GistsRepository: AbstractRepository<String> {}
final class PostsRepository: AbstractRepository<String> {}
final class ClosureRepository: AbstractRepository<String> {
    func requestGists(
        of user: String, completion: @escaping @MainActor (() throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> { some() }
    func requestUser(
        _ name: String, completion: @escaping @MainActor (() throws -> sending User) -> Void
    ) -> Request<User> { some() }
}

// MARK: What the blocks of a folder take for granted

extension InJSON {
    struct Buffer {
        func withUnsafeReadableBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
            some()
        }
    }
    static var buffer: Buffer { some() }
    static var value: JSONValue { some() }
}
extension InFormats {
    static var months: [[UInt8]] { some() }
}
extension InConverting {
    class Base: AbstractModel {}
    class Circle: AbstractModel {}
    struct Price {
        var text = ""
        init?(_ text: String) {}
    }
}
extension InModel {
    struct Currency {
        init(_ name: String) {}
    }
    class Base: Repo {
        var age = 0
        var start = 0
        var end = 0
    }
    static var validation: ModelValidation {
        get { some() }
        set {}
    }
}
extension InDrift {
    static var recorded: Data { some() }
    static var today: Data { some() }
}
extension InClient {
    struct Refusal: Error, Decodable {}
    struct Bar {
        var isIndeterminate = false
        var value = 0.0
    }
    static var bar: Bar {
        get { some() }
        set {}
    }
    static var request: Request<[Gist]> { some() }
    static var file: URL { some() }
    struct Spinner {
        func stop() {}
    }
    static var spinner: Spinner { some() }
    static var api: ClosureRepository { some() }
    static var repository: ClosureRepository { some() }
    static var gists: Endpoint<[Gist]> { some() }
    static var user: String { some() }
    static var users: [String] { some() }
}
extension InEndpoint {
    struct Chart {
        init(csv: Data) throws {}
    }
    static var user: String { some() }
    static var model: Gist { some() }
}
extension InLayers {
    struct Saved {
        let token = ""
        func renew(over transport: any Transport) async throws -> String { token }
    }
    struct Session {
        func end() async {}
    }
    struct Key {
        let text = ""
        static func fetch(over transport: any Transport) async throws -> Key { Key() }
    }
    struct Histogram {
        func record(_ time: Duration?, route: String, status: Int) {}
    }
    struct ClientTooOld: Error {}
    static var personalToken: String { some() }
    static var saved: Saved { some() }
    static var session: Session { some() }
    static var key: Key { some() }
    static var histogram: Histogram { some() }
}
extension InPagination {
    static var gists: Endpoint<[Gist]> { some() }
    static var timeline: Endpoint<[Gist]> { some() }
    static var response: PageResponse { some() }
}
extension InPersistence {
    static var persistence: Persistence {
        get { some() }
        set {}
    }
    static var stored: StoredResponse { some() }
}
extension InRepository {
    static var repository: ClosureRepository { some() }
    class Base: AbstractRepository<String> {}
    struct QuotaExceeded: Error {}
}
extension InSignals {
    static var gists: RequestSignal<[Gist]> { some() }
    static var stored: RequestSignal<[Gist]> { some() }
}
extension InStreams {
    static var event: ServerSentEvent { some() }
}
extension InTransport {
    struct Connection {
        func send(_ chunk: Data) async throws {}
    }
    struct File {
        func write(_ chunk: Data) {}
    }
    static var body: ResponseBody { some() }
    static var connection: Connection { some() }
    static var file: File { some() }
    static var incoming: ResponseBody { some() }
    static var length: Int { some() }
    static var currentKey: String { some() }
    static var nextKey: String { some() }
    static var failed: RequestError.FailedResponse { some() }
    static var response: TransportResponse {
        get { some() }
        set {}
    }
    static var request: TransportRequest {
        get { some() }
        set {}
    }
    static var headers: HTTPHeaders {
        get { some() }
        set {}
    }
}
extension InCanned {
    static var mock: MockTransport { some() }
    static var server: LoopbackServer { some() }
    static var gists: String { some() }
}
extension InMock {
    static var mock: MockTransport { some() }
    static var transport: MockTransport { some() }
    static var gists: String { some() }
    static var fixture: URL { some() }
}
extension InRecording {
    static var transport: MockTransport { some() }
}
extension InServer {
    static var server: LoopbackServer { some() }
    static var gists: String { some() }
}
extension InWaiting {
    static var server: LoopbackServer { some() }
}

import FoundationEssentials
import ModelMirror
import ModelMirrorNetworking

class Item: AbstractModel {
    var id = 0
    var name = ""
}

/// Answers each request with what it was, a tag, and the bytes of its body.
struct Echo: Transport {
    func response(to request: TransportRequest) async throws -> TransportResponse {
        let request = try request.prepared()
        var sent = Data()
        if let body = request.body { for try await chunk in body { sent.append(chunk) } }
        let isItem = request.url.path.hasSuffix("item")
        let body = isItem ? #"{"id": 7, "name": "é"}"# : "\"\(request.method) \(request.url) \(sent.count)\""
        return TransportResponse(
            status: 200, headers: [.contentType: "application/json", "ETag": "\"1\""], url: request.url,
            body: ResponseBody(Data(body.utf8)))
    }

    func identity(for request: TransportRequest) -> TransportIdentity { .none }
}

/// The sentence of an error of the library; the code of one of the file system, whose sentence names a path.
func failure(_ work: () async throws -> Void) async -> String {
    do {
        try await work()
        return "no error"
    } catch let error as FileError {
        return "\(error.call) failed with code \(error.code)"
    } catch {
        return "\(error)"
    }
}

func permissions(_ path: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    guard let number = attributes[.posixPermissions] as? any BinaryInteger else { return "none" }
    return String(Int(number), radix: 8)
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1])
let base = URL(string: "https://example.com/v1")
var client = APIClient(transport: Echo(), baseURL: base)

// Addresses and parameters.
let name = "a/b ü"
print(
    try await client.value(
        Endpoint<String>.get("users/\(name)", query: ["q": "x+y é", "at": Date(timeIntervalSince1970: 0)])))
print(try client.transportRequest(for: Endpoint<Void>.get("a?x=1")).url.settingQuery(["x": 2]))
print(try client.transportRequest(for: Endpoint<Void>.get("https://münchen.example/")).url)
print(URL(string: "//other/%C3%A9?a=b#c", relativeTo: base)?.absoluteString ?? "nil")

// Files: sent, stored, downloaded.
let file = folder.appending(path: "sent é.txt")
try Data(repeating: 65, count: 100_000).write(to: file)
print(try await client.value(Endpoint<String>.put("file", parameters: .file(file, contentType: "text/plain"))))
let missing = folder.appending(path: "missing")
print(await failure { _ = try HTTPBody.file(missing).measured() }.replacing(folder.path, with: "…"))
print(await failure { try await client.download(Endpoint<Data>.get("map"), to: missing.appending(path: "map")) })
let map = folder.appending(path: "map")
let download = try await client.download(Endpoint<Data>.get("map"), to: map)
print(download.status, String(decoding: try Data(contentsOf: map), as: UTF8.self))
let stored = folder.appending(path: "stored")
let store = try FileStore(folder: stored)
client.persistence = Persistence(store)
let item: Item = try await client.value(.get("item"))
let again: Item = try await client.value(.get("item"), policy: .cacheOnly)
print(item.name, again.name, try permissions(stored.path))
for name in try FileManager.default.contentsOfDirectory(atPath: stored.path) {
    print(name.utf8.count, try permissions(stored.appending(path: name).path))
}
print(await failure { _ = try FileStore(folder: file) })
print(FileError(call: "open", path: "/a", code: 2))

// The machine's libcurl.
let system = APIClient(baseURL: URL(string: "http://127.0.0.1:1"))
do {
    let item: Item = try await system.value(.get("item"))
    print(item.id)
} catch RequestError.connection(let failure) {
    print(failure.kind, failure.url)
}

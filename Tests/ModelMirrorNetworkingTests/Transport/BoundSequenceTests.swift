import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

private let api = URL(string: "https://api.example.com")!

private class Entry: AbstractModel {
    var id = 0
}

/// What follows from one request is sent under its sign-in; what starts anew is bound anew.
@Suite("Bound sequences", .timeLimit(.hung), .network)
final class BoundSequenceTests: Sendable {
    private let mock = MockTransport()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "bound-\(UUID())")
    private let list = Endpoint<[String]>.get("gists")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func client(
        _ token: String? = "alice-1", named: Bool = true
    ) throws -> (APIClient, AuthenticatingTransport<String>) {
        let account: AuthenticatingTransport<String>.Account? = named ? user : nil
        let signedIn = try AuthenticatingTransport(mock, origins: [api], token: token, account: account)
        return (APIClient(transport: signedIn, baseURL: api), signedIn)
    }

    /// A list whose pages have the credential as their only element, with links in both directions.
    private func serveLinkedPages() {
        mock.on(.get, "/gists") { request in
            let page = Int(request.queryValue("page") ?? "1") ?? 1
            let links = "</gists?page=\(page + 1)>; rel=\"next\", </gists?page=\(page - 1)>; rel=\"prev\""
            return .json("[\"\(request.headers[.authorization] ?? "-")\"]", headers: [.link: links])
        }
    }

    @Test(
        "A request with a closure, and a reader's page, are bound by the call and not by their task",
        arguments: [true, false])
    func calls(named: Bool) async throws {
        mock.echo()
        serveLinkedPages()
        // A task may happen to run in time, so that one attempt proves nothing.
        for _ in 1...20 {
            let (client, signedIn) = try client(named: named)
            let reader = client.pages(list, by: LinkPagination()).reader()
            let request = client.request(seen)
            let page = reader.nextPage { _ in }
            signedIn.credential = "bob-1"
            for attempt in 0...1 {
                do {
                    let sent = attempt == 0 ? try await request.value() : try await page.value()[0]
                    #expect(sent == "Bearer alice-1")
                } catch RequestError.accountChanged {
                }
            }
        }
        #expect(!mock.authorizations.contains("Bearer bob-1"))
    }

    // MARK: Pages

    @Test("Pages and their elements are bound by an iteration; a new one is bound anew", arguments: [true, false])
    func pages(named: Bool) async throws {
        serveLinkedPages()
        let (client, signedIn) = try client(named: named)
        let pages = client.pages(list, by: LinkPagination())
        var iterator = pages.makeAsyncIterator()
        var elements = pages.elements.makeAsyncIterator()
        let page = try #require(try await iterator.next())
        #expect(page.elements == ["Bearer alice-1"])
        #expect(try await elements.next() == "Bearer alice-1")
        signedIn.credential = "bob-1"
        await expectAccountChanged { _ = try await iterator.next() }
        await expectAccountChanged("again") { _ = try await iterator.next() }
        await expectAccountChanged("elements") { _ = try await elements.next() }
        var again = pages.makeAsyncIterator()
        #expect(try await again.next()?.elements == ["Bearer bob-1"])
        #expect(try await again.next()?.elements == ["Bearer bob-1"])
        // A position that was kept.
        var kept = pages.starting(at: page.nextPosition).makeAsyncIterator()
        #expect(try await kept.next()?.elements == ["Bearer bob-1"])
        var searched = pages.matching("json").makeAsyncIterator()
        #expect(try await searched.next()?.elements == ["Bearer bob-1"])
    }

    /// Iterates over pages with a store that has two pages of Bob and the first of Alice, begun by Alice.
    private func storedPages(
        _ policy: FetchPolicy
    ) async throws -> (AuthenticatingTransport<String>, Page<String>, () async throws -> Page<String>?) {
        serveLinkedPages()
        var (client, signedIn) = try client("bob-1")
        client.persistence = Persistence.keeping(MemoryStore())
        let filling = client.pages(list, by: LinkPagination(), policy: .cacheElseNetwork)
        var bobs = filling.makeAsyncIterator()
        for _ in 1...2 { #expect(try await bobs.next()?.elements == ["Bearer bob-1"]) }
        signedIn.credential = "alice-1"
        var alices = filling.makeAsyncIterator()
        #expect(try await alices.next()?.elements == ["Bearer alice-1"])
        var iterator = client.pages(list, by: LinkPagination(), policy: policy).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        return (signedIn, first, { try await iterator.next() })
    }

    @Test(
        "A page that is stored for another account does not continue a list",
        arguments: [FetchPolicy.cacheElseNetwork, .cacheOnly, .cacheThenNetwork], ["bob-1", nil])
    func pagesOfAnother(policy: FetchPolicy, credential: String?) async throws {
        let (signedIn, first, next) = try await storedPages(policy)
        #expect(first.elements == ["Bearer alice-1"])
        signedIn.credential = credential
        await expectAccountChanged { _ = try await next() }
        #expect(mock.requests.count == 3)
    }

    @Test("Pages go on after a renewal and after the same account's credential was set")
    func renewedPages() async throws {
        serveLinkedPages()
        let (client, signedIn) = try client()
        var iterator = client.pages(list, by: LinkPagination()).makeAsyncIterator()
        #expect(try await iterator.next()?.elements == ["Bearer alice-1"])
        signedIn.credential = "alice-2"
        #expect(try await iterator.next()?.elements == ["Bearer alice-2"])
    }

    @Test("A reader is bound in both directions until it restarts")
    func reader() async throws {
        serveLinkedPages()
        let (client, signedIn) = try client()
        let reader = client.pages(list, by: LinkPagination()).reader()
        #expect(try await reader.nextPage() == ["Bearer alice-1"])
        #expect(try await reader.nextPage() == ["Bearer alice-1"])
        #expect(try await reader.previousPage() == ["Bearer alice-1"])
        signedIn.credential = "bob-1"
        await expectAccountChanged("next") { _ = try await reader.nextPage() }
        await expectAccountChanged("previous") { _ = try await reader.previousPage() }
        #expect(mock.requests.count == 3)
        reader.restart()
        #expect(try await reader.nextPage() == ["Bearer bob-1"])
        #expect(try await reader.nextPage() == ["Bearer bob-1"])
    }

    @MainActor
    private func isAccountChanged(_ paginator: Paginator<String>) -> Bool {
        if case RequestError.accountChanged? = paginator.error { true } else { false }
    }

    @Test("A paginator is bound in both directions until it is refreshed or searches", arguments: [true, false])
    @MainActor
    func paginator(searches: Bool) async throws {
        serveLinkedPages()
        let (client, signedIn) = try client()
        let start = try #require(URL(string: "https://api.example.com/gists?page=5"))
        let paginator = Paginator(client.pages(list, by: LinkPagination()).starting(at: .url(start)))
        await paginator.load().value
        await paginator.loadNext().value
        await paginator.loadPrevious().value
        #expect(paginator.elements == ["Bearer alice-1", "Bearer alice-1", "Bearer alice-1"])
        signedIn.credential = "bob-1"
        await paginator.loadNext().value
        #expect(isAccountChanged(paginator))
        await paginator.retry().value
        #expect(isAccountChanged(paginator))
        await paginator.loadPrevious().value
        #expect(isAccountChanged(paginator))
        #expect(mock.requests.count == 3)
        await (searches ? paginator.search("json") : paginator.refresh()).value
        #expect(paginator.error == nil)
        #expect(paginator.elements == ["Bearer bob-1"])
        await paginator.loadNext().value
        #expect(paginator.elements == ["Bearer bob-1", "Bearer bob-1"])
    }

    // MARK: Streams and values

    @Test("Event streams reconnect for the user who opened them, whatever names accounts", arguments: [true, false])
    func events(named: Bool) async throws {
        let clock = ManualClock()
        mock.on(.get, "/events") { request in
            .text(
                "data: \(request.headers[.authorization] ?? "-")\n\n", headers: [.contentType: "text/event-stream"])
        }
        let (client, signedIn) = try client(named: named)
        let arrived = Observed<[String]>([])
        let task = Task {
            for try await event in client.events(.get("events")).reconnecting(clock: clock) {
                arrived.update { $0.append(event.data) }
            }
        }
        try await clock.sleepers(atLeast: 1)
        if named {
            signedIn.credential = "alice-2"
            clock.advance(by: .seconds(10))
            try await clock.sleeps(atLeast: 2)
        }
        signedIn.credential = "bob-1"
        clock.advance(by: .seconds(10))
        await expectAccountChanged(task)
        #expect(arrived.value == (named ? ["Bearer alice-1", "Bearer alice-2"] : ["Bearer alice-1"]))
        #expect(mock.requests.count == arrived.value.count)
        // A new iteration is the new user's.
        var again = client.events(.get("events")).makeAsyncIterator()
        #expect(try await again.next()?.data == "Bearer bob-1")
    }

    @Test("Elements and lines that began before a switch are delivered to their end")
    func streams() async throws {
        let gate = Gate()
        func serve(_ path: String, _ chunks: [String], _ type: String) {
            mock.on(.get, path, .chunks(chunks.map { Data($0.utf8) }, at: gate, headers: [.contentType: type]))
        }
        serve("/elements", ["[{\"id\": 1},", "{\"id\": 2}]"], "application/json")
        serve("/lines", ["{\"id\": 1}\n", "{\"id\": 2}\n"], "application/x-ndjson")
        let (client, signedIn) = try client()
        var elements = client.elements(Endpoint<[Entry]>.get("elements")).makeAsyncIterator()
        var lines = client.lines(Endpoint<[Entry]>.get("lines")).makeAsyncIterator()
        gate.pass(2)
        #expect(try await elements.next()?.id == 1)
        #expect(try await lines.next()?.id == 1)
        signedIn.credential = "bob-1"
        gate.open()
        #expect(try await elements.next()?.id == 2)
        #expect(try await lines.next()?.id == 2)
        #expect(try await elements.next() == nil)
        #expect(try await lines.next() == nil)
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer alice-1"])
    }

    @Test("The network's value is for the user whose stored value was delivered first")
    func values() async throws {
        mock.echo()
        var (client, signedIn) = try client()
        client.persistence = Persistence.keeping(MemoryStore())
        #expect(try await client.value(seen) == "Bearer alice-1")
        var values = client.values(seen).makeAsyncIterator()
        #expect(try await values.next()?.value == "Bearer alice-1")
        signedIn.credential = "bob-1"
        await expectAccountChanged { _ = try await values.next() }
        #expect(mock.requests.count == 1)
        signedIn.credential = "alice-2"
        var again = client.values(seen).makeAsyncIterator()
        #expect(try await again.next()?.value == "Bearer alice-1")
        signedIn.credential = "alice-3"
        #expect(try await again.next()?.value == "Bearer alice-3")
    }

    // MARK: Signals

    @Test(
        "A signal repeats its request for the account of the first, whatever the failure",
        arguments: [401, 503], [true, false])
    func repetitions(status: Int, named: Bool) async throws {
        let gate = Gate()
        mock.on(.get, "/me") { request in
            let credential = request.headers[.authorization] ?? "-"
            return credential == "Bearer alice-1" ? .status(status).held(at: gate) : .json("\"\(credential)\"")
        }
        let (client, signedIn) = try client(named: named)
        let signal = client.signal(seen).map { "seen \($0)" }.flatMapError { throw $0 }.retry(2)
        let task = Task { _ = try await signal.value() }
        try await gate.arrivals()
        signedIn.credential = "bob-1"
        gate.open()
        await expectAccountChanged(task)
        #expect(mock.authorizations == ["Bearer alice-1"])
        // A new observation is the new user's.
        #expect(try await signal.value() == "seen Bearer bob-1")
    }

    @Test("A signal's request is repeated with the new credential of its account, unless that has signed out")
    func repetitionsOfOne() async throws {
        let gate = Gate()
        mock.on(.get, "/me") { request in
            let credential = request.headers[.authorization] ?? "-"
            return credential == "Bearer alice-1" ? .status(503).held(at: gate) : .json("\"\(credential)\"")
        }
        let (client, signedIn) = try client()
        let signal = client.signal(seen).retry(2)
        var task = Task { try await signal.value() }
        try await gate.arrivals()
        signedIn.credential = "alice-2"
        gate.pass()
        #expect(try await task.value == "Bearer alice-2")
        signedIn.credential = "alice-1"
        task = Task { try await signal.value() }
        try await gate.arrivals(atLeast: 2)
        try await client.signOut(account: "alice")
        await expectAccountChanged(task)
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer alice-2", "Bearer alice-1"])
    }

    @Test("A signal of a closure does not call it again once the account has changed")
    func repeatedClosure() async throws {
        let count = Observed(0)
        let signal = RequestSignal<Int> {
            count.update { $0 += 1 }
            throw RequestError.accountChanged
        }
        await expectAccountChanged { _ = try await signal.retry(3).value() }
        #expect(count.value == 1)
    }

    // MARK: Downloads

    /// A file of six bytes whose first download breaks off after three.
    private func serveFile() throws -> URL {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        mock.on(.get, "/file") { request in
            if request.headers[.range] == "bytes=3-" {
                return .data(
                    Data("def".utf8), status: 206, headers: ["Content-Range": "bytes 3-5/6", .eTag: "\"1\""])
            }
            return .chunks(
                [Data("abc".utf8)], failure: .connectionLost, headers: [.eTag: "\"1\"", .contentLength: "6"])
        }
        return folder.appending(path: "file")
    }

    private let file = Endpoint<Data>.get("file")

    private func breakOff(_ client: APIClient, to target: URL) async {
        await #expect(throws: RequestError.self) { try await client.download(self.file, to: target) }
    }

    @Test(
        "A partial file is resumed by its account, and restarted by another or by none",
        arguments: [("alice-2", true), ("bob-1", false), (nil, false)])
    func partialFile(token: String?, resumes: Bool) async throws {
        let target = try serveFile()
        let (client, signedIn) = try client()
        await breakOff(client, to: target)
        signedIn.credential = token
        if resumes {
            try await client.download(file, to: target)
            #expect(try Data(contentsOf: target) == Data("abcdef".utf8))
        } else {
            await breakOff(client, to: target)
        }
        #expect(mock.requests.map { $0.headers[.range] } == [nil, resumes ? "bytes=3-" : nil])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            #expect(!text.contains("alice"), "\(name)")
        }
    }

    @Test(
        "Without accounts, a partial file is resumed by the same sign-in, and restarted by another",
        arguments: [true, false])
    func namelessPartialFile(switches: Bool) async throws {
        let target = try serveFile()
        let (client, signedIn) = try client(named: false)
        await breakOff(client, to: target)
        if switches {
            signedIn.credential = "alice-1"
            await breakOff(client, to: target)
        } else {
            try await client.download(file, to: target)
        }
        #expect(mock.requests.map { $0.headers[.range] } == [nil, switches ? nil : "bytes=3-"])
    }

    @Test("A nameless client's partial file is not resumed by an account")
    func partialFileWithoutAccount() async throws {
        let target = try serveFile()
        let plain = APIClient(transport: mock, baseURL: api)
        await breakOff(plain, to: target)
        await breakOff(try client().0, to: target)
        await breakOff(plain, to: target)
        try await plain.download(file, to: target)
        #expect(mock.requests.map { $0.headers[.range] } == [nil, nil, nil, "bytes=3-"])
    }

    @Test("A download that restarts because the server's file has changed is sent for the same user")
    func restartedDownload() async throws {
        let target = try serveFile()
        let gate = Gate()
        let (client, signedIn) = try client()
        await breakOff(client, to: target)
        mock.on(.get, "/file") { request in
            request.headers[.range] == nil
                ? .data(Data("new".utf8)) : .status(416, headers: ["Content-Range": "bytes */2"]).held(at: gate)
        }
        let task = Task { [file] in _ = try await client.download(file, to: target) }
        try await gate.arrivals()
        signedIn.credential = "bob-1"
        gate.open()
        await expectAccountChanged(task)
        #expect(mock.authorizations == ["Bearer alice-1", "Bearer alice-1"])
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }
}

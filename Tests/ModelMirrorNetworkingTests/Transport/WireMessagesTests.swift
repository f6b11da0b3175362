import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Failures over HTTP have the right error case, and a description that names the cause.
@Suite("Error messages over HTTP", .timeLimit(.hung), .network)
final class WireMessagesTests: Sendable {
    private let server: LoopbackServer
    private let folder = FileManager.default.temporaryDirectory.appending(path: "messages-\(UUID())")

    init() throws {
        server = try LoopbackServer()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private func client(_ kind: TransportUnderTest) -> APIClient {
        APIClient(transport: kind.make(), baseURL: server.url)
    }

    // MARK: Addresses

    @Test("A refused connection to an IPv6 address fails with cannotConnect", arguments: TransportUnderTest.allCases)
    func addressOfIPv6(_ kind: TransportUnderTest) async throws {
        let port = try RefusingPort()
        let number = try #require(port.url.port)
        let url = try #require(URL(string: "http://[::1]:\(number)"))
        let error = await #expect(throws: RequestError.self) {
            try await APIClient(transport: kind.make(), baseURL: url).send(.get("x"))
        }
        withKnownIssue("URLSession on Linux does not tell why") {
            #expect(error?.failureKind == .cannotConnect)
            #expect(
                error?.description.hasPrefix(
                    "No response from \(url)/x: no server accepts connections there; check host and port, and that the "
                        + "server is running") == true, "\(error as Any)")
        } when: {
            kind.isURLSessionOnLinux
        }
    }

    @Test("A path that looks like a scheme is appended to the base URL", arguments: TransportUnderTest.allCases)
    func schemeForPath(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/items:search", .status(204))
        try await client(kind).send(.get("items:search"))
        #expect(server.requests.map(\.target) == ["/items:search"])
        await expectRequestError(
            "\"items:search\" is not a URL that can be requested; expected an http or https URL with a host, or a path and a "
                + "client with a baseURL."
        ) { try await APIClient(transport: kind.make()).send(.get("items:search")) }
    }

    // MARK: Redirects

    @Test(
        "A redirect without a usable Location fails as badResponse", arguments: TransportUnderTest.allCases,
        [
            ("", "the redirect has an empty Location"), ("  ", "the redirect has an empty Location"),
            (
                "ftp://example.com/a",
                "the redirect points at \"ftp://example.com/a\", which is not an http or https URL"
            ),
        ])
    func redirects(_ kind: TransportUnderTest, example: (location: String, reason: String)) async {
        server.on(
            .get, "/moved",
            .raw { [example] in
                try $0.write("HTTP/1.1 302 Found\r\nLocation: \(example.location)\r\nContent-Length: 0\r\n\r\n")
            })
        await withKnownIssue("URLSession on Linux does not read a field of white space") {
            let error = await expectRequestError(
                "No valid response from \(server.url("/moved")): the response cannot be used (\(example.reason))."
            ) { try await client(kind).send(.get("moved")) }
            #expect(error?.failureKind == .badResponse)
        } when: {
            kind.isURLSessionOnLinux && example.location == "  "
        }
    }

    // MARK: Bodies

    @Test(
        "The error for text/plain instead of JSON names the option for JSON and the type for others",
        arguments: TransportUnderTest.allCases
    )
    func contentType(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/text", .text("[1]"))
        await expectRequestError(
            "GET \(server.url("/text")) was answered with 200 and the content type \"text/plain; charset=utf-8\", expected JSON; "
                + "add it to acceptedContentTypes if the body is JSON, or request Data; its body is \"[1]\"."
        ) { _ = try await client(kind).value(.get("text") as Endpoint<[Int]>) }
        var accepting = client(kind)
        accepting.configuration.acceptedContentTypes? += ["text/plain"]
        #expect(try await accepting.value(.get("text") as Endpoint<[Int]>) == [1])
        #expect(try await client(kind).value(.get("text") as Endpoint<Data>) == Data("[1]".utf8))
    }

    @Test("The error for HTML instead of JSON suggests a sign-in or proxy page", arguments: TransportUnderTest.allCases)
    func page(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/page", .text("<html>", headers: [.contentType: "Text/HTML; charset=utf-8"]))
        await expectRequestError(
            "GET \(server.url("/page")) was answered with 200 and the content type \"Text/HTML; charset=utf-8\", expected JSON; "
                + "this is a page, such as that of a sign-in or a proxy: check the address and the credential; its body is "
                + "\"<html>\"."
        ) { _ = try await client(kind).value(.get("page") as Endpoint<[Int]>) }
    }

    @Test(
        "A 204 fails a stream of elements and is an empty stream of lines or events",
        arguments: TransportUnderTest.allCases)
    func emptyStream(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/none", .status(204))
        let error = await expectRequestError(
            "GET \(server.url("/none")) was answered with 204 and an empty body, expected JSON; if the body may be empty, use an "
                + "Optional or send."
        ) { for try await _ in client(kind).elements(Endpoint<[StoredGist]>.get("none")) {} }
        guard case .emptyBody? = error else {
            Issue.record("\(error as Any)")
            return
        }
        // A stream of lines or events may be empty.
        for try await _ in client(kind).lines(Endpoint<[StoredGist]>.get("none")) {
            Issue.record("There are no lines.")
        }
        for try await _ in client(kind).events(.get("none")) { Issue.record("There are no events.") }
    }

    // MARK: Downloads

    @Test(
        "A download with an error status or without a connection leaves no file", arguments: TransportUnderTest.allCases
    )
    func refusedDownload(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/file", .text("No", status: 404))
        let target = folder.appending(path: "map.bin")
        await expectRequestError(
            "GET \(server.url("/file")) was answered with 404 (Not Found), a status that is not accepted; its body is \"No\"."
        ) { try await client(kind).download(Endpoint<Data>.get("file"), to: target) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        server.on(.get, "/closed", .closed())
        for path in ["/closed", "http://127.0.0.1:1/"] as [URLReference] {
            await #expect(throws: RequestError.self) {
                try await client(kind).download(Endpoint<Data>.get(path), to: target)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }
    }

    #if os(Linux)
    @Test(
        "A download whose partial file is a symbolic link or a FIFO is refused", arguments: TransportUnderTest.allCases)
    func partialFile(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/file", .data(Data("1234".utf8)))
        let target = folder.appending(path: "map.bin")
        let partial = target.path + ".partial"
        let other = folder.appending(path: "other")
        try Data("own".utf8).write(to: other)
        try FileManager.default.createSymbolicLink(atPath: partial, withDestinationPath: other.path)
        func description() async -> String? {
            await #expect(throws: FileError.self) {
                try await client(kind).download(Endpoint<Data>.get("file"), to: target)
            }?.description
        }
        #expect(await description() == "open failed for \(partial): Too many levels of symbolic links (errno 40).")
        #expect(try Data(contentsOf: other) == Data("own".utf8))
        try FileManager.default.removeItem(atPath: partial)
        #expect(mkfifo(partial, 0o600) == 0)
        #expect(await description() == "open failed for \(partial): Invalid argument (errno 22).")
        try FileManager.default.removeItem(atPath: partial)
    }
    #endif

    // MARK: Time

    @Test(
        "A passed deadline and a timeout have different messages", arguments: TransportUnderTest.allCases)
    func times(_ kind: TransportUnderTest) async {
        server.on(.get, "/silent", .hanging())
        var late = client(kind)
        late.configuration.deadline = .milliseconds(200)
        await expectRequestError(
            "No response from \(server.url("/silent")): the deadline passed before the response was complete; raise it if the server "
                + "needs longer."
        ) { try await late.send(.get("silent")) }
        var silent = client(kind)
        silent.configuration.timeout = .seconds(1)
        let error = await #expect(throws: RequestError.self) { try await silent.send(.get("silent")) }
        #expect(
            error?.description.hasPrefix(
                "No response from \(server.url("/silent")): no byte arrived within the timeout; raise it if the server needs "
                    + "longer") == true, "\(error as Any)")
        #expect(error?.failureKind == .timedOut)
    }

    // MARK: Fallback to the store

    @Test(
        "networkElseCache serves the stored response for any unusable response, with the reason",
        arguments: [
            "portal", "portal-redirect", "429", "503", "unmappable", "truncated", "reset", "loop", "encoding",
        ])
    func fallback(fault: String) async throws {
        let portal = try LoopbackServer()
        defer { portal.stop() }
        portal.on(.get, "/login", .data(Data("<html>".utf8), headers: [.contentType: "text/html"]))
        let good = LoopbackResponse.json("[{\"id\": 1}]")
        let bad: LoopbackResponse =
            switch fault {
            case "portal": .data(Data("<html>".utf8), headers: [.contentType: "text/html"])
            case "portal-redirect": .redirect(to: portal.url("/login").absoluteString)
            case "429": .status(429)
            case "503": .json("{}", status: 503)
            case "unmappable": .json("[{\"id\": \"x\"}]")
            case "truncated": .truncated("[{\"id\": 1}]", after: 5)
            case "reset": .reset()
            case "loop": .redirect(to: "/me")
            default: .json("[]", headers: ["Content-Encoding": "gzip"])
            }
        server.on(.get, "/me", .sequence([good, bad]))
        let client = APIClient(baseURL: server.url, persistence: Persistence.keeping(MemoryStore()))
        let me = Endpoint<[StoredGist]>.get("me")
        let first = try await client.response(me, policy: .networkElseCache)
        #expect(first.origin == .network)
        #expect(first.fallbackReason == nil)
        let second = try await client.response(me, policy: .networkElseCache)
        #expect(second.value.map(\.id) == [1])
        guard case .store = second.origin else {
            Issue.record("\(second.origin)")
            return
        }
        let reason = try #require(second.fallbackReason)
        #expect(second.fallbackReason is ModelError == (fault == "unmappable"), "\(reason)")
        // Without a stored response the call throws the reason.
        try await client.persistence?.store.removeAll()
        let thrown = await #expect(throws: (any Error).self) {
            _ = try await client.value(me, policy: .networkElseCache)
        }
        #expect("\(thrown as Any)" == "\(Optional(reason) as Any)")
    }

    // MARK: Signing in

    @Test("A token that cannot be refreshed leaves the server's 401, and is reported once", arguments: [true, false])
    func refusedToken(renews: Bool) async throws {
        server.on(.get, "/me", .json("{\"message\": \"Bad credentials\"}", status: 401))
        server.on(.post, "/token", .status(400))
        let refusals = WordLog()
        let refresh: AuthenticatingTransport<String>.Refresh = { [server] _, transport in
            _ = try await APIClient(transport: transport, baseURL: server.url).value(.post("token") as Endpoint<Data>)
            return "new"
        }
        let transport = try AuthenticatingTransport(
            origins: [server.url], token: "old", refresh: renews ? refresh : nil,
            refused: { token, error in refusals.add("\(token ?? "-") \(error == nil ? "no renewal" : "failed")") })
        var client = APIClient(transport: transport, baseURL: server.url)
        client.configuration.errorDescriptionKey = "message"
        for _ in 1...2 {
            let error = await #expect(throws: RequestError.self) { try await client.send(.get("me")) }
            #expect(error?.response?.status == 401)
            #expect(error?.response?.body == Data("{\"message\": \"Bad credentials\"}".utf8))
            let reason =
                renews
                ? "; renewing the credential failed: POST \(server.url("/token")) was answered with 400 (Bad Request), "
                    + "a status that is not accepted" : ""
            #expect(
                error?.description
                    == "GET \(server.url("/me")) was answered with 401 (Unauthorized): Bad credentials\(reason).")
            #expect((error?.response?.renewalError as? RequestError)?.response?.status == (renews ? 400 : nil))
        }
        #expect(refusals.words == [renews ? "old failed" : "old no renewal"])
        #expect(server.requests.map(\.path) == (renews ? ["/me", "/token", "/me"] : ["/me", "/me"]))
    }

    // MARK: Retries

    @Test(
        "Exhausted retries report the last response and the number of attempts", arguments: TransportUnderTest.allCases)
    func exhausted(_ kind: TransportUnderTest) async throws {
        server.on(.get, "/busy", .sequence([.reset(), .status(500), .text("Busy", status: 503)]))
        let client = APIClient(transport: RetryTransport(kind.make(), random: { 0 }), baseURL: server.url)
        let error = await expectRequestError(
            "GET \(server.url("/busy")) was answered with 503 (Service Unavailable) after 3 attempts, a status that is not "
                + "accepted; its body is \"Busy\"."
        ) { try await client.send(.get("busy")) }
        #expect(error?.response?.attempts == 3)
        let port = try RefusingPort()
        let refused = await #expect(throws: RequestError.self) { try await client.send(.get(.url(port.url))) }
        let failure = try #require(refused?.connectionFailure)
        #expect(failure.attempts == 3)
        #expect(failure.kind == .cannotConnect)
    }
}

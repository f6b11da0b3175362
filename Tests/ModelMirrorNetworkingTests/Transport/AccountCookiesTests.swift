import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// One cookie jar for each name.
@Suite("Cookies of accounts", .timeLimit(.hung), .network)
final class AccountCookiesTests: Sendable {
    private let server: LoopbackServer
    /// `HTTPCookieStorage.shared` is the process's.
    private let name = "c\(UUID().uuidString.prefix(8))"

    init() throws {
        server = try LoopbackServer()
        server.on(.post, "/sign-in/:user") { [name] request in
            .status(204, headers: [.setCookie: "\(name)=\(request.parameters["user"] ?? ""); Path=/"])
        }
        server.on(.get, "/me") { [name] request in
            let cookies = (request.headers[.cookie] ?? "").split(separator: "; ").filter { $0.hasPrefix(name) }
            return .json("\"\(cookies.first.map { $0.dropFirst(name.count + 1) } ?? "-")\"")
        }
    }

    deinit { server.stop() }

    private func client(_ transport: any Transport, _ account: String? = nil) -> APIClient {
        var client = APIClient(transport: transport, baseURL: server.url)
        client.account = account
        return client
    }

    private func signIn(_ client: APIClient, as user: String) async throws {
        try await client.send(.post("sign-in/\(user)") as Endpoint<Void>)
    }

    @Test(
        "Each account of the client has its own cookies, which are those of one transport",
        arguments: TransportUnderTest.allCases, [CookiePolicy.session, .shared])
    func accounts(_ kind: TransportUnderTest, _ policy: CookiePolicy) async throws {
        let transport = kind.make { $0.cookies = policy }
        let clients = ["alice", "bob", "carol"].map { client(transport, $0) }
        for (client, user) in zip(clients, ["alice", "bob"]) { try await signIn(client, as: user) }
        #expect(try await clients[0].value(seen) == "alice")
        #expect(try await clients[1].value(seen) == "bob")
        #expect(try await clients[2].value(seen) == "-")
        #expect(try await client(transport).value(seen) == "-")
        #expect(try await client(kind.make { $0.cookies = policy }, "alice").value(seen) == "-")
    }

    @Test(
        "Accounts that layers name have their own cookies, which survive a renewal",
        arguments: TransportUnderTest.allCases)
    func layers(_ kind: TransportUnderTest) async throws {
        let signedIn = try AuthenticatingTransport(
            kind.make { $0.cookies = .session }, origins: [server.url], token: "alice-1", account: user)
        let client = client(signedIn)
        try await signIn(client, as: "alice")
        signedIn.credential = "bob-1"
        #expect(try await client.value(seen) == "-")
        signedIn.credential = "alice-2"
        #expect(try await client.value(seen) == "alice")
    }

    @Test(
        "Without names, each sign-in of a layer has its own cookies, also behind a transport without an identity",
        arguments: TransportUnderTest.allCases, [false, true])
    func nameless(_ kind: TransportUnderTest, isHidden: Bool) async throws {
        let signedIn = try AuthenticatingTransport(
            kind.make { $0.cookies = .session }, origins: [server.url], token: "alice-1")
        let client = client(isHidden ? SilentTransport(base: signedIn) : signedIn)
        try await signIn(client, as: "alice")
        #expect(try await client.value(seen) == "alice")
        signedIn.credential = "bob-1"
        #expect(try await client.value(seen) == "-")
    }

    @Test(
        "The cookies of a request that a renewal signed in are the account's, and those from before are not",
        arguments: TransportUnderTest.allCases, [CookiePolicy.session, .shared])
    func renewal(_ kind: TransportUnderTest, _ policy: CookiePolicy) async throws {
        server.on(.get, "/first") { [name] request in
            let isSignedIn = request.headers[.authorization] != nil
            let cookie = "\(name)=\(isSignedIn ? "alice" : "nobody"); Path=/"
            let isSent = request.headers[.cookie]?.contains(name) == true
            return .json("\"\(isSent)\"", status: isSignedIn ? 200 : 401, headers: [.setCookie: cookie])
        }
        let signedIn = try AuthenticatingTransport(
            kind.make { $0.cookies = policy }, origins: [server.url], token: nil, refresh: { _, _ in "alice-1" },
            account: user)
        let client = client(signedIn)
        #expect(try await client.value(Endpoint<String>.get("first")) == "false")
        #expect(try await client.value(seen) == "alice")
        signedIn.credential = "bob-1"
        #expect(try await client.value(seen) == "-")
        signedIn.credential = "alice-2"
        #expect(try await client.value(seen) == "alice")
        try await client.signOut(account: "alice")
        #expect(try await client.value(seen) == "-")
    }

    @Test(
        "A request's own fields are no name: tokens that change share the cookies of their account",
        arguments: TransportUnderTest.allCases)
    func ownFields(_ kind: TransportUnderTest) async throws {
        var client = client(kind.make { $0.cookies = .session }, "alice")
        client.configuration.headers[.authorization] = "Bearer 1"
        try await signIn(client, as: "alice")
        client.configuration.headers[.authorization] = "Bearer 2"
        #expect(try await client.value(seen) == "alice")
    }

    @Test(
        "Without a name, each token in a request's own fields has its own cookies, and the shared ones under that policy",
        arguments: TransportUnderTest.allCases, [CookiePolicy.session, .shared])
    func ownTokens(_ kind: TransportUnderTest, _ policy: CookiePolicy) async throws {
        let transport = kind.make { $0.cookies = policy }
        let nobody = client(transport)
        var (alice, bob, carol) = (nobody, nobody, nobody)
        alice.configuration.headers[.authorization] = "Bearer alice-1"
        bob.configuration.headers[.authorization] = "Bearer bob-1"
        var url = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: true))
        (url.user, url.password) = ("carol", "secret")
        carol.baseURL = url.url
        for (client, name) in [(nobody, "nobody"), (alice, "alice"), (bob, "bob"), (carol, "carol")] {
            try await signIn(client, as: name)
        }
        var found: [String] = []
        for client in [nobody, alice, bob, carol] { found.append(try await client.value(seen)) }
        #expect(
            found == (policy == .session ? ["nobody", "alice", "bob", "carol"] : ["carol", "carol", "carol", "carol"]))
        // A request's own cookies are sent beside those, also behind a transport without an identity.
        alice.configuration.headers[.cookie] = "own=1"
        alice.transport = SilentTransport(base: transport)
        #expect(try await alice.value(seen) == found[1])
    }

    @Test(
        "The requests of a renewal have the cookies of the account that they name, which signing out removes",
        arguments: TransportUnderTest.allCases)
    func renewalByCookie(_ kind: TransportUnderTest) async throws {
        let sent = Observed<[Bool]>([])
        server.on(.post, "/token/:user") { [name] request in
            let user = request.parameters["user"] ?? ""
            sent.update { $0.append(request.headers[.cookie]?.contains("\(name)=") == true) }
            return .json("\"\(user)-2\"", headers: [.setCookie: "\(name)=\(user); Path=/"])
        }
        server.on(.get, "/mine") { request in
            request.headers[.authorization]?.hasSuffix("-2") == true ? .json("\"ok\"") : .status(401)
        }
        let signedIn = try AuthenticatingTransport(
            kind.make { $0.cookies = .session }, origins: [server.url], token: nil,
            refresh: { [server] refused, transport in
                let name = refused.flatMap(user) ?? "nobody"
                var renewing = APIClient(transport: transport, baseURL: server.url)
                renewing.account = name
                return try await renewing.value(.post("token/\(name)"))
            }, account: user)
        let client = client(signedIn)
        let mine = Endpoint<String>.get("mine")
        for token in ["alice-1", "alice-1", "bob-1", "alice-1"] {
            signedIn.credential = token
            #expect(try await client.value(mine) == "ok")
        }
        #expect(sent.value == [false, true, false, true])
        try await client.signOut(account: "alice")
        signedIn.credential = "alice-1"
        #expect(try await client.value(mine) == "ok")
        #expect(sent.value.last == false)
    }

    @Test(
        "The shared jar serves requests without a name, over all transports",
        arguments: TransportUnderTest.allCases)
    func shared(_ kind: TransportUnderTest) async throws {
        try await signIn(client(kind.make { $0.cookies = .shared }), as: "somebody")
        let transport = kind.make { $0.cookies = .shared }
        #expect(try await client(transport).value(seen) == "somebody")
        #expect(try await client(transport, "alice").value(seen) == "-")
        let named = kind.make {
            $0.cookies = .shared
            $0.account = "alice"
        }
        #expect(try await client(named).value(seen) == "-")
        try await signIn(client(named), as: "alice")
        #expect(try await client(named).value(seen) == "alice")
        #expect(try await client(transport).value(seen) == "somebody")
    }

    // MARK: Pages

    /// Serves a list whose pages set a cookie with the credential that they were requested with.
    ///
    /// - Returns: The page, credential and cookie of each request.
    private func serveList() -> Observed<[String]> {
        let arrived = Observed<[String]>([])
        server.on(.get, "/list") { [name] request in
            let page = Int(request.queryValue("page") ?? "1") ?? 1
            let credential = request.headers[.authorization] ?? "-"
            let cookie = request.headers[.cookie].map { $0.replacingOccurrences(of: "\(name)=", with: "") } ?? "-"
            arrived.update { $0.append("\(page) \(credential) \(cookie)") }
            let headers: HTTPHeaders = [
                .link: "</list?page=\(page + 1)>; rel=\"next\"", .setCookie: "\(name)=\(credential); Path=/",
            ]
            return .json("[\"\(credential)\"]", headers: headers)
        }
        return arrived
    }

    /// A layer that names the account of a session, or none, and adds its name.
    enum Naming: CaseIterable {
        case interceptor, ownTransport

        func make(_ base: any Transport, _ session: Observed<String>) -> any Transport {
            let account: @Sendable () -> TransportIdentity = {
                session.value == "nobody" ? .none : .account(session.value)
            }
            switch self {
            case .interceptor:
                return InterceptingTransport(base, account: account()) { $0.headers[.authorization] = session.value }
            case .ownTransport:
                return StampingTransport(base, .authorization, declares: true, account: account) { session.value }
            }
        }
    }

    @Test(
        "A page that was bound to another account than its list is not sent, also if the list's is back",
        arguments: Naming.allCases, ["bob", "nobody"])
    func returningAccount(_ naming: Naming, other: String) async throws {
        let arrived = serveList()
        for kind in TransportUnderTest.allCases {
            arrived.update { $0 = [] }
            let session = Observed(other)
            let named = naming.make(kind.make { $0.cookies = .session }, session)
            try await signIn(client(named), as: other)
            session.update { $0 = "alice" }
            // Alice is back once a request has been bound.
            var client = client(InterceptingTransport(named, account: .none) { _ in session.update { $0 = "alice" } })
            client.persistence = Persistence.keeping(MemoryStore())
            let list = Endpoint<[String]>.get("list")
            var pages = client.pages(list, by: LinkPagination()).makeAsyncIterator()
            #expect(try await pages.next()?.elements == ["alice"])
            session.update { $0 = other }
            await expectAccountChanged("\(kind)") { _ = try await pages.next() }
            session.update { $0 = other }
            let second = Endpoint<[String]>.get("list", parameters: ["page": 2])
            await #expect(throws: FetchError.self) { try await client.value(second, policy: .cacheOnly) }
            session.update { $0 = "alice" }
            #expect(try await pages.next()?.elements == ["alice"])
            #expect(arrived.value == ["1 alice -", "2 alice alice"])
        }
    }

    @Test(
        "The pages of a layer behind a transport that hides its account have its cookies, and are not stored",
        arguments: TransportUnderTest.allCases, ["silent", "nobody", "shared"])
    func hiddenPages(_ kind: TransportUnderTest, hiding: String) async throws {
        let arrived = serveList()
        let session = Observed("alice")
        let named = Naming.interceptor.make(kind.make { $0.cookies = .session }, session)
        let nobody = StampingTransport(named, declares: true, account: { .none }) { "1" }
        let hidden: any Transport =
            switch hiding {
            case "silent": SilentTransport(base: named)
            case "nobody": nobody
            default: CoalescingTransport(nobody)
            }
        var client = client(hidden)
        client.persistence = Persistence.keeping(MemoryStore())
        let list = client.pages(Endpoint<[String]>.get("list"), by: LinkPagination(), policy: .cacheElseNetwork)
        for user in ["alice", "bob"] {
            session.update { $0 = user }
            var pages = list.makeAsyncIterator()
            for _ in 1...3 { #expect(try await pages.next()?.elements == [user]) }
        }
        #expect(
            arrived.value == [
                "1 alice -", "2 alice alice", "3 alice alice", "1 bob -", "2 bob bob", "3 bob bob",
            ])
    }

    @Test(
        "The pages of a list that began signed out have neither the credential nor the cookies of another's renewal",
        arguments: TransportUnderTest.allCases, [false, true])
    func signedOutPages(_ kind: TransportUnderTest, isHidden: Bool) async throws {
        let arrived = serveList()
        server.on(.get, "/private") { [name] request in
            request.headers[.authorization] == nil
                ? .status(401) : .status(204, headers: [.setCookie: "\(name)=alice; Path=/"])
        }
        let signedIn = try AuthenticatingTransport(
            kind.make { $0.cookies = .session }, origins: [server.url], token: nil, refresh: { _, _ in "alice-1" },
            account: user)
        let client = client(isHidden ? SilentTransport(base: signedIn) : signedIn)
        var pages = client.pages(Endpoint<[String]>.get("list"), by: LinkPagination()).makeAsyncIterator()
        #expect(try await pages.next()?.elements == ["-"])
        try await client.send(.get("private") as Endpoint<Void>)
        #expect(try await client.value(seen) == "alice")
        #expect(try await pages.next()?.elements == ["-"])
        #expect(arrived.value == ["1 - -", "2 - -"])
    }

    @Test("Without a policy, no account has cookies", arguments: TransportUnderTest.allCases)
    func none(_ kind: TransportUnderTest) async throws {
        let alice = client(kind.make(), "alice")
        try await signIn(alice, as: "alice")
        #expect(try await alice.value(seen) == "-")
    }

    @Test(
        "Signing out removes the cookies of an account, alone or joined, and no others",
        arguments: TransportUnderTest.allCases, [CookiePolicy.session, .shared])
    func signingOut(_ kind: TransportUnderTest, _ policy: CookiePolicy) async throws {
        let transport = kind.make { $0.cookies = policy }
        let signedIn = try AuthenticatingTransport(transport, origins: [server.url], token: "alice-1", account: user)
        let (alice, bob, joined) = (client(transport, "alice"), client(transport, "bob"), client(signedIn, "tenant"))
        try await signIn(alice, as: "alice")
        try await signIn(bob, as: "bob")
        try await signIn(joined, as: "joined")
        #expect(try await joined.value(seen) == "joined")
        // A client that has sent nothing yet finds the cookies as well.
        try await client(transport, "alice").signOut(account: "alice")
        #expect(try await alice.value(seen) == "-")
        #expect(try await joined.value(seen) == "-")
        #expect(try await bob.value(seen) == "bob")
        try await signIn(alice, as: "alice")
        #expect(try await alice.value(seen) == "alice")
    }

    @Test("A name with a line break or NUL has cookies of its own", arguments: TransportUnderTest.allCases)
    func unusualNames(_ kind: TransportUnderTest) async throws {
        let transport = kind.make { $0.cookies = .session }
        let zoe = client(transport, "ada\nzoe")
        try await signIn(zoe, as: "zoe")
        try await zoe.signOut(account: "ada")
        #expect(try await zoe.value(seen) == "zoe")
        try await zoe.signOut(account: "ada\nzoe")
        #expect(try await zoe.value(seen) == "-")
        let sharing = kind.make { $0.cookies = .shared }
        try await signIn(client(sharing), as: "somebody")
        let marked = kind.make {
            $0.cookies = .shared
            $0.account = "\0"
        }
        for client in [client(sharing, "\0"), client(marked)] { #expect(try await client.value(seen) == "-") }
    }

    @Test(
        "Accounts whose names differ only in their Unicode form have cookies and sign-outs of their own",
        arguments: TransportUnderTest.allCases)
    func unicodeForms(_ kind: TransportUnderTest) async throws {
        let transport = kind.make { $0.cookies = .session }
        let (one, other) = (client(transport, "jos\u{E9}"), client(transport, "jose\u{301}"))
        try await signIn(one, as: "one")
        #expect(try await other.value(seen) == "-")
        try await other.signOut(account: "jose\u{301}")
        #expect(try await one.value(seen) == "one")
    }

    @Test(
        "The account with the empty name has cookies of its own, which signing out removes",
        arguments: TransportUnderTest.allCases, [CookiePolicy.session, .shared])
    func emptyName(_ kind: TransportUnderTest, _ policy: CookiePolicy) async throws {
        let transport = kind.make { $0.cookies = policy }
        let layer = try AuthenticatingTransport(transport, origins: [server.url], token: "t", account: { _ in "" })
        let own = StampingTransport(transport, declares: true, account: { .account("") }) { "1" }
        let nameless = client(transport)
        try await signIn(nameless, as: "nobody")
        for client in [client(transport, ""), client(layer), client(own)] {
            try await signIn(client, as: "alice")
            #expect(try await client.value(seen) == "alice")
            #expect(try await nameless.value(seen) == "nobody")
            try await client.signOut(account: "")
            #expect(try await client.value(seen) == "-")
        }
        #expect(try await nameless.value(seen) == "nobody")
    }

    @Test("Cookies that arrive after the sign-out are not kept", arguments: TransportUnderTest.allCases)
    func late(_ kind: TransportUnderTest) async throws {
        let gate = Gate()
        server.on(.get, "/late") { [name] _ in
            .streaming(headers: [.setCookie: "\(name)=late; Path=/", .contentType: "application/json"]) { writer in
                try writer.wait(at: gate)
                try writer.write("1")
            }
        }
        let alice = client(kind.make { $0.cookies = .session }, "alice")
        let task = Task { try await alice.value(Endpoint<Int>.get("late")) }
        try await gate.arrivals()
        try await alice.signOut(account: "alice")
        gate.open()
        await expectAccountChanged(task)
        #expect(try await alice.value(seen) == "-")
    }

    /// Who names the account, and whether a transport without an identity is between them.
    struct Name: Sendable {
        var transport: String?
        var client: String?
        var isHidden: Bool
    }

    @Test(
        "An account has a jar, which signing out empties, also behind a transport without an identity",
        arguments: TransportUnderTest.allCases,
        [
            Name(transport: "alice", isHidden: false), Name(transport: "alice", isHidden: true),
            Name(client: "alice", isHidden: true),
        ])
    func oneName(_ kind: TransportUnderTest, _ name: Name) async throws {
        let transport = kind.make {
            $0.cookies = .session
            $0.account = name.transport
        }
        let client = client(name.isHidden ? SilentTransport(base: transport) : transport, name.client)
        try await signIn(client, as: "alice")
        #expect(try await client.value(seen) == "alice")
        try await client.signOut(account: "alice")
        #expect(try await client.value(seen) == "-")
    }

    #if !os(Linux) || FoundationNetworking
    @Test("A URLSessionTransport keeps the cookies of at most 64 names")
    func boundedSessions() async throws {
        let transport = TransportUnderTest.session.make { $0.cookies = .session }
        let (first, second) = (client(transport, "first"), client(transport, "second"))
        try await signIn(first, as: "first")
        try await signIn(second, as: "second")
        for number in 3...64 { _ = try await client(transport, "\(number)").value(seen) }
        #expect(try await first.value(seen) == "first")
        _ = try await client(transport, "one more").value(seen)
        #expect(try await first.value(seen) == "first")
        #expect(try await second.value(seen) == "-")
    }
    #endif

    #if os(Linux)
    @Test("There are at most 1,000 jars with a name; the least recently used one is dropped")
    func bounded() async throws {
        let transport = TransportUnderTest.curl.make { $0.cookies = .session }
        let (first, second) = (client(transport, "first"), client(transport, "second"))
        try await signIn(first, as: "first")
        try await signIn(second, as: "second")
        #expect(CookieJar.limit == 1000)
        for number in 3...CookieJar.limit { _ = try await client(transport, "\(number)").value(seen) }
        #expect(try await first.value(seen) == "first")
        _ = try await client(transport, "one more").value(seen)
        #expect(try await first.value(seen) == "first")
        #expect(try await second.value(seen) == "-")
    }
    #endif
}

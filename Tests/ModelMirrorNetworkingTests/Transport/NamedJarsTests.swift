import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

private let api = URL(string: "https://api.example.com")!

@Suite("Names of cookie jars", .timeLimit(.hung), .network)
struct NamedJarsTests {
    private final class Jar: Sendable {}

    /// The names of the jars of the requests that arrived.
    private let names = Observed<[String]>([])

    /// A server that answers 401 to requests without a token.
    private var stub: StubTransport {
        StubTransport { [names] request in
            names.update { $0.append(request.jarName(nil)) }
            let status = request.headers[.authorization] == nil ? 401 : 200
            return .stub("\"ok\"", status: status, url: request.url)
        }
    }

    // MARK: Jars

    @Test("Each name has a jar of its own, by its bytes, until its account signs out")
    func jars() async {
        let jars = NamedJars(.session, limit: 10, nameless: Jar()) { Jar() }
        let names = [
            "alice", "bob", "alice\nbob", "bob\nalice", "jos\u{E9}", "jose\u{301}", "\u{0}number(1) signedIn(0)",
        ]
        let made = names.map(jars.jar(for:))
        #expect(Set((made + [jars.jar(for: "")]).map(ObjectIdentifier.init)).count == 8)
        #expect(zip(names, made).allSatisfy { jars.jar(for: $0) === $1 })
        await jars.removeCookies(for: "alice")
        #expect(zip(names, made).filter { jars.jar(for: $0) !== $1 }.map(\.0) == ["alice", "alice\nbob", "bob\nalice"])
    }

    @Test(
        "With the policy .shared, a name that is only a sign-in's number has the nameless jar; with .none, each has it")
    func policies() {
        let number = "\u{0}number(1) signedIn(0)"
        let shared = NamedJars(.shared, limit: 10, nameless: Jar()) { Jar() }
        #expect(shared.jar(for: number) === shared.jar(for: ""))
        #expect(shared.jar(for: "\(number)\nalice") !== shared.jar(for: ""))
        #expect(shared.jar(for: "alice") !== shared.jar(for: ""))
        let none = NamedJars(.none, limit: 10, nameless: Jar()) { Jar() }
        #expect(none.jar(for: "alice") === none.jar(for: ""))
    }

    @Test("Jars whose transport is gone are forgotten once others are noted")
    func forgotten() {
        let ledger = AccountLedger()
        func make() -> NamedJars<Jar> { NamedJars(.session, limit: 10, nameless: Jar()) { Jar() } }
        do {
            // Made at once, or one would have the address of another.
            let gone = [make(), make(), make()]
            for jars in gone { ledger.note(jars) }
            withExtendedLifetime(gone) { #expect(ledger.keeperCount == 3) }
        }
        let kept = make()
        for _ in 1...2 { ledger.note(kept) }
        #expect(ledger.keeperCount == 1)
    }

    // MARK: Names

    @Test(
        "A jar has the names of the client's account and of the layer's, once",
        arguments: [
            (nil, "alice-1", "alice"), (nil, "bob-1", "bob"), ("alice", "alice-1", "alice"),
            ("tenant", "alice-1", "tenant\nalice"), ("alice", "tenant-1", "alice\ntenant"), ("alice", nil, "alice"),
            ("bob", nil, "bob"), (nil, nil, ""),
        ] as [(String?, String?, String)])
    func accounts(client account: String?, token: String?, name: String) async throws {
        let signedIn = try AuthenticatingTransport(stub, origins: [api], token: token, account: user)
        var client = APIClient(transport: signedIn, baseURL: api)
        client.account = account
        _ = try? await client.value(seen)
        #expect(names.value == [name])
    }

    @Test("Without an account, each sign-in has a name of its own")
    func signIns() async throws {
        let signedIn = try AuthenticatingTransport(stub, origins: [api], token: "alice-1")
        let client = APIClient(transport: signedIn, baseURL: api)
        for token in ["alice-1", "alice-2", "alice-2"] {
            signedIn.credential = token
            _ = try await client.value(seen)
        }
        #expect(Set(names.value).count == 3)
        #expect(!names.value.contains(where: RequestBinding.isAccount))
    }

    /// Who names the requests of a client whose outer layer begins its sign-in by a renewal for alice.
    struct Naming: Sendable {
        var client: String?
        /// Whether the outer layer names its account.
        var isNamed = true
        /// The account of a layer inside.
        var inner: String?
        /// The name of the jar after the renewal, unless a transport hides the layers; nil if it contains a number.
        var jar: String?

        static let all = [
            Naming(jar: "alice"),
            Naming(client: "alice", jar: "alice"),
            Naming(client: "tenant", jar: "tenant\nalice"),
            Naming(client: "tenant", isNamed: false, jar: "tenant"),
            Naming(isNamed: false),
            Naming(inner: "alice", jar: "alice"),
            Naming(inner: "carol", jar: "alice\ncarol"),
            Naming(client: "tenant", inner: "carol", jar: "tenant\nalice\ncarol"),
            Naming(client: "tenant", isNamed: false, inner: "carol", jar: "tenant\ncarol"),
            Naming(isNamed: false, inner: "carol"),
        ]
    }

    @Test(
        "A renewal that begins the sign-in uses the jar that later requests use",
        arguments: Naming.all, ["", "shared", "hidden"])
    func renewal(_ naming: Naming, over wrapper: String) async throws {
        var base: any Transport = stub
        if let inner = naming.inner {
            base = try AuthenticatingTransport(
                base, origins: [api], credential: "\(inner)-1", adapt: { $0.headers["X-Key"] = $1 }, account: user)
        }
        let account: AuthenticatingTransport<String>.Account? = naming.isNamed ? user : nil
        let signedIn = try AuthenticatingTransport(
            base, origins: [api], token: nil, refresh: { _, _ in "alice-1" }, account: account)
        let transport: any Transport =
            switch wrapper {
            case "shared": CoalescingTransport(signedIn)
            case "hidden": SilentTransport(base: signedIn)
            default: signedIn
            }
        var client = APIClient(transport: transport, baseURL: api)
        client.account = naming.client
        for _ in 0..<2 { #expect(try await client.value(seen) == "ok") }
        let names = names.value
        try #require(names.count == 3)
        if naming.client == nil { #expect(names[0] != names[1]) }
        #expect(names[1] == names[2])
        if let jar = naming.jar, wrapper != "hidden" { #expect(names[1] == jar) }
    }

    @Test("A retry uses the jar of the renewal before it, also of a shared transfer's", arguments: [false, true])
    func retry(isShared: Bool) async throws {
        let statuses = Observed([200, 503, 401])
        let stub = StubTransport { [names] request in
            names.update { $0.append(request.jarName(nil)) }
            return .stub("\"ok\"", status: statuses.update { $0.removeLast() }, url: request.url)
        }
        let signedIn = try AuthenticatingTransport(
            stub, origins: [api], token: nil, refresh: { _, _ in "alice-1" }, account: user)
        let (clock, base) = (ManualClock(), isShared ? CoalescingTransport(signedIn) as any Transport : signedIn)
        var client = APIClient(transport: RetryTransport(base, clock: clock, random: { 1 }), baseURL: api)
        client.account = "tenant"
        let asking = client
        let task = Task { try await asking.value(seen) }
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(60))
        #expect(try await task.value == "ok")
        #expect(names.value == ["tenant", "tenant\nalice", "tenant\nalice"])
    }
}

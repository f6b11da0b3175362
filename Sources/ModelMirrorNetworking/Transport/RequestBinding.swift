import ModelMirrorFoundation
import Synchronization

/// The account and the sign-ins that a request is bound to. Made when a request starts; its copies share it.
///
///     client ── bind ──▶ identity(for:) through the layers ──▶ each notes its sign-in here
///                                                               │
///     response(to:) ── layer ── layer ── last transport         ▼
///                        └─ compares its own sign-in, just before it sends
///                                          └─ prepared(): compares the accounts of transports that note nothing,
///                                             and notes the fields that nobody declared
///
/// Requests that follow from one another (pages, reconnections) have a binding each, over one sequence: sign-ins and revocation
/// are the sequence's, names and fields each request's own.
final class RequestBinding: Sendable {
    /// The sign-in of one layer.
    enum SignIn: Hashable, Sendable {
        /// No credential; the number counts the layer's sign-ins and sign-outs.
        case signedOut(Int)
        case signedIn(Int)
        /// The account that an interceptor states.
        case stated(TransportIdentity)

        /// What the sign-in adds to the name of the cookie jar: the account's names, or the number of a sign-in without one.
        func names(of layer: Layer, _ identity: TransportIdentity) -> [String] {
            guard identity == .unknown, self != .stated(.unknown) else { return identity.names }
            return ["\(Draft.mark)\(layer) \(self)"]
        }
    }

    /// A transport, or all of the program's own, whose sign-ins are compared.
    enum Layer: Hashable, Sendable {
        /// An authenticating or intercepting transport, by its number.
        case number(UInt64)
        /// All transports of the program's own, for the server that they send to.
        case others(Origin)
    }

    /// Why the response must be neither stored nor shared.
    enum Obstacle: Hashable, Sendable {
        /// A layer sent the request for an account that the identity does not contain.
        case account
        /// A layer added these fields or query items and did not declare them.
        case undeclared([String])
    }

    /// What a layer, a transport or the client adds to the name of the cookie jar: names of accounts, or the number of a sign-in. The layer
    /// is nil for those who hold no credential, and hidden if it noted its sign-in only when it sent.
    fileprivate typealias Naming = (layer: Layer?, names: [String], isHidden: Bool)

    fileprivate struct State {
        // Of the sequence.
        var signIns: [Layer: SignIn] = [:]
        /// Called when the account signs out; nil once it has.
        var handlers: [UInt64: @Sendable () -> Void]? = [:]
        // Of the request.
        /// The sign-ins when it was bound.
        var bound: [Layer: SignIn] = [:]
        /// From the outermost layer to the innermost: the order of names tells accounts apart.
        var namings: [Naming] = []
        var isPrepared = false
        var isUnsavable = false
        var hasHiddenLayers = false
        var obstacle: Obstacle?
        var keepers: [ObjectIdentifier: any CookieKeeper] = [:]

        var isRevoked: Bool { handlers == nil }

        /// The names of the cookie jar. The client's account replaces the names that layers do not know.
        func jarNames(isNamed: Bool) -> [String] {
            namings.reduce(into: []) { all, naming in
                all.addNames(naming.names.filter { !isNamed || naming.isHidden || !$0.hasPrefix(Draft.mark) })
            }
        }
    }

    /// Numbers for layers and handlers, each used once.
    private static let numbers = Atomic<UInt64>(0)

    static func newNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

    static func newLayer() -> Layer { .number(newNumber()) }

    /// The account set by the client.
    let account: String?
    /// The identity of the request.
    let identity: TransportIdentity
    /// The parts of the request when it was bound.
    private let fields: HTTPHeaders
    private let url: URL
    /// The transport that the request is bound over, for layers that send it longer than its client waits; nil once it is released. Weak,
    /// since a transport that keeps its requests would otherwise keep itself.
    let bound: @Sendable () -> BoundTransport?
    /// Whether some layer is unknown and the client's account names it, so that undeclared fields are that account's.
    private let namesUnknown: Bool
    private let first: RequestBinding?
    /// The request whose transfer this is, if several share it.
    private let original: RequestBinding?
    /// Where the request is found when its account signs out; empty if it cannot have one and its transport keeps no cookies.
    let ledgers: [AccountLedger]
    private let state: Mutex<State>

    /// Binds a request: asks each layer of a transport for its identity, and lets it note its sign-in.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - transport: The transport.
    ///   - account: The client's account.
    ///   - earlier: The binding of a request that this one follows from.
    ///   - ledgers: Where running requests of an account are found when it signs out.
    init(
        _ request: TransportRequest, over transport: BoundTransport, account: String?,
        following earlier: RequestBinding?, ledgers: [AccountLedger]
    ) {
        let draft = Draft(account)
        let stated = draft.identity(of: request, over: transport.transport)
        var noted = draft.noted
        let others = Layer.others(Origin(request.url))
        // Without an account, the program's own transports note nothing.
        if stated != .unknown, noted.signIns[others] == nil { noted.signIns[others] = .stated(.none) }
        noted.bound = noted.signIns
        self.account = account
        bound = { [weak transport] in transport }
        namesUnknown = account != nil && stated == .unknown
        identity =
            switch account {
            case nil: request.fieldIdentity.joined(with: stated)
            // With the names that other layers noted.
            case .some where stated == .unknown: .account(noted.jarNames(isNamed: true).joined(separator: "\n"))
            case let account?: .account(account).ofOneName.joined(with: stated)
            }
        fields = request.headers
        url = request.url
        first = earlier?.sequence
        original = nil
        self.ledgers = identity == .none && noted.keepers.isEmpty ? [] : ledgers
        state = Mutex(noted)
        for ledger in self.ledgers { noted.keepers.values.forEach(ledger.note) }
        // One that is refused notes nothing.
        guard let earlier, let first, !replacesAccount(of: earlier) else { return }
        let isSame = first.state.withLock { state in
            defer { state.signIns.merge(noted.signIns) { noted, _ in noted } }
            return noted.signIns.allSatisfy { layer, present in state.signIns[layer].map { $0 == present } ?? true }
        }
        // Another account's stored response must not continue the sequence.
        if !isSame { state.withLock { $0.obstacle = .account } }
    }

    deinit {
        for ledger in ledgers { ledger.leave(ObjectIdentifier(self)) }
    }

    /// The binding that holds the state of the whole sequence.
    private var sequence: RequestBinding { first ?? self }

    // MARK: Sign-ins

    /// Whether the request has another account than an earlier one of its sequence: named by another transport, whose layers are not
    /// compared with these, or by the program's own layers at another server.
    func replacesAccount(of earlier: RequestBinding) -> Bool {
        [earlier, earlier.sequence].contains { earlier in
            let isSame = bound() === earlier.bound()
            let (own, former) = (names(ofOthers: isSame), earlier.names(ofOthers: isSame))
            return !own.allSatisfy(former.hasName) && !former.allSatisfy(own.hasName)
        }
    }

    private func names(ofOthers: Bool) -> [String] {
        state.withLock { state in
            guard ofOthers else { return state.jarNames(isNamed: true) }
            guard case .stated(let account)? = state.bound[.others(Origin(url))] else { return [] }
            return account.names
        }
    }

    /// The sign-in under which a layer first saw the sequence; notes the present one if it had not.
    ///
    /// - Parameters:
    ///   - layer: The layer.
    ///   - present: Its present sign-in.
    ///   - own: Its present identity.
    /// - Throws: ``RequestError/accountChanged`` if a hidden layer names an account in place of one that the sequence's first request has.
    func signIn(of layer: Layer, noting present: SignIn, _ own: TransportIdentity) throws(RequestError) -> SignIn {
        let noted = sequence.state.withLock { state in
            defer { state.signIns[layer] = state.signIns[layer] ?? present }
            return state.signIns[layer]
        }
        state.withLock { state in
            // Of each request, since the names of the sequence's first one are not those of the others.
            guard state.bound[layer] == nil else { return }
            state.bound[layer] = present
            // A transport around the layer did not pass its identity on.
            state.hasHiddenLayers = true
            if namesUnknown { return }
            state.namings.append((layer, present.names(of: layer, own), true))
            let isCovered = identity != .unknown && identity.joined(with: own) == identity
            if !isCovered { state.obstacle = state.obstacle ?? .account }
        }
        // What follows from the request is bound to it, however it was sent.
        if noted == nil { original?.note([layer: present]) }
        if let first = (original ?? self).first, hasHiddenLayers, replacesAccount(of: first) { throw .accountChanged }
        return noted ?? present
    }

    /// Whether a layer's present sign-in is that of the sequence, and the one under which the request was bound: an account may change
    /// and change back in between.
    func isBound(to present: SignIn, of layer: Layer) -> Bool {
        let noted = [sequence.state.withLock { $0.signIns[layer] }, state.withLock { $0.bound[layer] }]
        return noted.allSatisfy { $0 ?? present == present }
    }

    private func note(_ signIns: [Layer: SignIn]) {
        sequence.state.withLock { $0.signIns.merge(signIns) { noted, _ in noted } }
    }

    /// Lets the request go on under another sign-in of a layer. Its response is neither stored nor shared.
    func adopt(_ present: SignIn, of layer: Layer, _ identity: TransportIdentity) {
        for binding in [self, original].compactMap(\.self) {
            binding.sequence.state.withLock { $0.signIns[layer] = present }
            binding.state.withLock { $0.obstacle = $0.obstacle ?? .account }
            binding.rename(layer, by: present, identity)
        }
    }

    /// Names the cookie jar by a sign-in of a layer, in the place of the one under which the request was bound.
    func rename(_ layer: Layer, by signIn: SignIn, _ identity: TransportIdentity) {
        let names = signIn.names(of: layer, identity)
        state.withLock { state in
            for index in state.namings.indices where state.namings[index].layer == layer {
                state.namings[index].names = names
            }
        }
    }

    /// The sign-ins of the sequence.
    var signIns: [Layer: SignIn] { sequence.state.withLock(\.signIns) }

    /// A digest that tells the owners of files apart; without a name, those of other sign-ins and other runs of the program.
    var owner: String {
        let text: String
        switch identity {
        case .none: return ""
        case .account(let name): text = name
        case .unknown:
            let signIns = signIns
            // Whose key an unknown interceptor adds is not known, not even whether it is the same.
            let isKnown = !signIns.isEmpty && !signIns.values.contains(.stated(.unknown))
            let texts = signIns.map { "\($0.key) \($0.value)" }.sorted()
            text = isKnown ? "\(RequestBinding.run) \(texts)" : UUID().uuidString
        }
        return SHA256Digest(of: text).hexadecimal
    }

    private static let run = UUID()

    // MARK: Cookies

    /// The name of the cookie jar: the account set by the client and those of layers; empty if there are none.
    fileprivate var jarName: String { state.withLock { $0.jarNames(isNamed: account != nil).joined(separator: "\n") } }

    /// What a request without any name has cookies by: the `Authorization` field or the URL's user that it began with.
    fileprivate var fieldJarName: String? {
        let started = TransportRequest(.get, url, headers: fields.without([.cookie]))
        return started.fieldIdentity.names.first.map { Draft.mark + $0 }
    }

    /// Whether a jar's name contains that of an account, rather than numbers of sign-ins or a credential alone.
    static func isAccount(_ name: String) -> Bool { name.split(separator: "\n").contains { !$0.hasPrefix(Draft.mark) } }

    /// Notes a transport that keeps cookies, for signing out, unless it was asked when the request was bound: a transport around it
    /// may not have done so.
    func note(_ keeper: any CookieKeeper) {
        let isNew = state.withLock { $0.keepers.updateValue(keeper, forKey: ObjectIdentifier(keeper)) == nil }
        if isNew { for ledger in ledgers { ledger.note(keeper) } }
    }

    // MARK: Preparing

    /// Notes that a transport prepared the request, and the fields and query items that no layer declared.
    ///
    /// - Throws: ``RequestError/accountChanged`` once the account has signed out, if a layer has another sign-in than when it passed the
    ///   request on, or if a transport of the program's own names another account.
    func prepare(_ request: TransportRequest) throws(RequestError) {
        try checkRevoked()
        // A shared transfer whose response is for its first request alone ends with that.
        if obstacle == .account { try original?.checkRevoked() }
        guard request.hasPresentSignIns else { throw .accountChanged }
        try checkOthers(request)
        let undeclared = undeclaredNames(of: request)
        state.withLock { state in
            state.isPrepared = true
            if !undeclared.isEmpty, state.obstacle == nil { state.obstacle = .undeclared(undeclared) }
        }
    }

    /// Compares the accounts of the program's own transports, which note nothing, with those under which the request was bound.
    private func checkOthers(_ request: TransportRequest) throws(RequestError) {
        guard identity != .unknown, !namesUnknown, let transport = bound()?.transport else { return }
        var probe = request
        probe.url = url
        probe.headers = fields
        let draft = Draft(account)
        guard draft.identity(of: probe, over: transport) != .unknown else { return }
        let layer = Layer.others(Origin(url))
        guard isBound(to: draft.noted.signIns[layer] ?? .stated(.none), of: layer) else { throw .accountChanged }
    }

    /// The fields and query items that a request has since it was bound, and that no layer declared.
    func undeclaredNames(of request: TransportRequest) -> [String] {
        if namesUnknown { return [] }
        var names = request.headers.fields(addedTo: fields)
            .filter { !request.declares($0) && !TransportRequest.namesNoUser($0.name) }.map(\.name.description)
        names += request.url.itemNames(addedTo: url).filter { !request.declaredFields.contains(HeaderName($0)) }
        if request.url.hasUserInfo, request.url.user() != url.user() || request.url.password() != url.password(),
            !request.declaredFields.contains(.authorization)
        {
            names.append("the URL's user")
        }
        return names
    }

    /// Whether a transport has called ``TransportRequest/prepared()``.
    var isPrepared: Bool { state.withLock(\.isPrepared) }

    /// Why the response must be neither stored nor shared; nil if it may be.
    var obstacle: Obstacle? { state.withLock(\.obstacle) }

    /// Whether a layer noted its sign-in only when it sent, so that equal bindings may have different ones.
    var hasHiddenLayers: Bool { state.withLock(\.hasHiddenLayers) }

    /// A binding for a transfer that several requests share: a sign-out of one of them does not end it.
    init(sharing other: RequestBinding) {
        account = other.account
        identity = other.identity
        fields = other.fields
        url = other.url
        namesUnknown = other.namesUnknown
        bound = other.bound
        first = nil
        original = other
        ledgers = []
        let (bound, namings) = other.state.withLock { ($0.bound, $0.namings) }
        state = Mutex(State(signIns: other.signIns, bound: bound, namings: namings))
    }

    /// Adopts what a shared transfer has learned about the account.
    func absorb(_ other: RequestBinding) {
        let (isPrepared, obstacle, keepers) = other.state.withLock { ($0.isPrepared, $0.obstacle, $0.keepers) }
        for keeper in keepers.values { note(keeper) }
        note(other.signIns)
        state.withLock { state in
            state.isPrepared = state.isPrepared || isPrepared
            state.obstacle = state.obstacle ?? obstacle
        }
    }

    // MARK: Signing out

    /// Whether the request is sent for an account: it was bound to it, or a layer noted it when it sent.
    func isSent(for account: TransportIdentity) -> Bool {
        let name = jarName
        return identity.contains(account) || !name.isEmpty && TransportIdentity.account(name).contains(account)
    }

    /// Whether the account of the sequence has signed out.
    var isRevoked: Bool { sequence.state.withLock(\.isRevoked) }

    /// - Throws: ``RequestError/accountChanged`` once the account has signed out.
    func checkRevoked() throws(RequestError) { if isRevoked { throw .accountChanged } }

    /// Runs a short step, which a sign-out waits for.
    func checkRevoked<Value>(_ step: () throws -> Value) throws -> Value {
        try sequence.state.withLock { state in
            if state.isRevoked { throw RequestError.accountChanged }
            return try step()
        }
    }

    /// Whether the response may be saved; not for one bound before the account's responses were removed.
    var isUnsavable: Bool { state.withLock(\.isUnsavable) || isRevoked }

    /// Only requests that a ledger finds are revoked.
    fileprivate var isRevocable: Bool { !ledgers.isEmpty || first?.ledgers.isEmpty == false }

    /// Ends the sequence, and calls the handlers.
    func revoke() {
        let handlers = sequence.state.withLock { $0.handlers.take() ?? [:] }
        for handler in handlers.values { handler() }
    }

    func forbidSaving() { state.withLock { $0.isUnsavable = true } }

    /// Calls a closure when the account signs out, at once if it has.
    ///
    /// - Returns: The number by which ``removeHandler(_:)`` removes it.
    @discardableResult
    func onRevoke(_ handler: @escaping @Sendable () -> Void) -> UInt64 {
        guard isRevocable else { return 0 }
        let number = RequestBinding.newNumber()
        let isLate = sequence.state.withLock { state in
            state.handlers?[number] = handler
            return state.isRevoked
        }
        if isLate { handler() }
        return number
    }

    func removeHandler(_ number: UInt64) { sequence.state.withLock { $0.handlers?[number] = nil } }
}

extension RequestBinding? {
    /// Runs work that ends with ``RequestError/accountChanged`` if the account signs out meanwhile.
    ///
    /// Requests that cannot be revoked run in the calling task.
    func run<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
        guard let self, self.isRevocable else { return try await work() }
        try self.checkRevoked()
        let task = Task(operation: work)
        let handler = self.onRevoke { task.cancel() }
        defer { self.removeHandler(handler) }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        try self.checkRevoked()
        return try result.get()
    }
}

extension RequestBinding {
    /// Collects the sign-ins and names of the layers while a request is being bound.
    final class Draft: Sendable {
        /// The beginning of a jar's name that is only the number of a sign-in without a name.
        static let mark = "\u{0}"

        private let account: String?
        /// The sign-ins, and the names and keepers that layers and transports of the library noted.
        private let state = Mutex(State())

        /// - Parameter account: The client's account.
        init(_ account: String?) {
            self.account = account.flatMap { TransportIdentity.account($0).ofOneName.names.first }
        }

        /// Asks a transport and those inside it.
        fileprivate func identity(of request: TransportRequest, over transport: any Transport) -> TransportIdentity {
            var probe = request
            probe.draft = self
            let identity = transport.identity(for: probe)
            state.withLock { state in
                let others = identity.names.filter { !state.jarNames(isNamed: false).hasName($0) }
                guard !others.isEmpty else { return }
                state.namings.append((nil, others, false))
                state.signIns[.others(Origin(request.url))] = .stated(.account(others.joined(separator: "\n")))
            }
            return identity
        }

        fileprivate var noted: State {
            var noted = state.withLock { $0 }
            if let account { noted.namings.insert((nil, [account], false), at: 0) }
            return noted
        }

        /// Notes the sign-in of a layer.
        func note(_ signIn: SignIn, of layer: Layer, _ identity: TransportIdentity) {
            state.withLock { state in
                state.signIns[layer] = signIn
                state.namings.append((layer, signIn.names(of: layer, identity), false))
            }
        }

        /// Notes the account of a transport that keeps cookies or has a certificate.
        func note(_ identity: TransportIdentity, _ keeper: (any CookieKeeper)?) {
            state.withLock { state in
                state.namings.append((nil, identity.names, false))
                if let keeper { state.keepers[ObjectIdentifier(keeper)] = keeper }
            }
        }

        /// Whether an account is known for which cookies can be kept apart.
        var isNamed: Bool { account != nil || state.withLock { !$0.jarNames(isNamed: true).isEmpty } }
    }
}

extension TransportRequest {
    /// The name of the cookie jar in a transport with an account of its own; empty if there is none.
    func jarName(_ own: TransportIdentity?) -> String {
        // The transport's own, if the request was bound before that changed, or by a layer that did not pass its identity on.
        let names = [binding?.jarName, own?.names.joined(separator: "\n"), binding?.fieldJarName]
        return names.compactMap(\.self).first { !$0.isEmpty } ?? ""
    }
}

/// A transport that requests are bound over, held by the client or layer that sends them.
final class BoundTransport: Sendable {
    let transport: any Transport

    init(_ transport: any Transport) { self.transport = transport }
}

/// A transport that keeps cookies in a jar for each name.
protocol CookieKeeper: AnyObject, Sendable {
    /// Removes the cookies of an account, alone or joined with others.
    func removeCookies(for account: String) async
}

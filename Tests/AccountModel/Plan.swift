/// What happens in one run: a stack of layers, clients over it, and the program's steps, with events while the server handles
/// requests.
struct Plan: Sendable {
    var seed: UInt64
    /// The outermost first.
    var layers: [LayerPlan]
    var wire: Wire
    var store: Store
    var clients: [ClientPlan]
    var steps: [Step]
    /// Events at the server's k-th request, from 1.
    var triggers: [Int: [Event]]

    enum Wire: Sendable { case memory, loopback(cookies: Cookies) }
    enum Cookies: String, Sendable { case none, session, shared }
    enum Store: String, Sendable { case none, memory, disk }

    /// A layer that holds a credential has the number of its place among them.
    enum LayerPlan: Hashable, Sendable {
        case retry
        case coalescing
        case logging(curl: Bool)
        case recording
        case tour
        case authentication(Authentication)
        /// An interceptor that names the account of a session.
        case named
        /// An interceptor that stamps a session's key and says nothing.
        case unnamed
        /// A transport of the program's own that declares its field and names the account.
        case declaring
        /// One that adds a field with the key of a session, and returns its base's identity.
        case careless
        /// One that sets `Authorization`, and returns its base's identity.
        case authorizing
        /// One that adds nothing, and has no identity.
        case silent
    }

    struct Authentication: Hashable, Sendable {
        var origin: Int
        var isNamed: Bool
        var style: Style
        var renewal: Renewal

        enum Style: String, Sendable { case bearer, header, query }
        enum Renewal: String, Sendable { case none, works, fails, losesConnection, isAnother }
    }

    struct ClientPlan: Sendable {
        var account: String?
        /// A copy of the first client, or a client of its own.
        var isCopy: Bool
        var isStoring: Bool
    }

    indirect enum Step: Sendable {
        case request(RequestPlan)
        case event(Event)
    }

    struct RequestPlan: Sendable {
        var kind: Kind
        var client: Int
        var resource: Int
        var origin = 0
        var policy: Policy = .cacheElseNetwork

        enum Kind: String, Sendable, CaseIterable { case value, delete, values, elements, pages, events, download }
        enum Policy: String, Sendable {
            case cacheControl, cacheElseNetwork, networkOnly, networkElseCache, cacheThenNetwork, cacheOnly
        }
    }

    indirect enum Event: Sendable {
        /// A credential for a user, nil to sign out; for a layer by its place among those that hold one.
        case set(Int, String?)
        case signOut(client: Int, String)
        case removeAll(client: Int, String)
        /// Cancels the request by its place among the running ones.
        case cancel(Int)
        case start(RequestPlan)
        case answer(Answer)
        case restartStore
    }

    enum Answer: Hashable, Sendable {
        case status(Int)
        /// To the other origin, or to the same one; with the request's query.
        case redirect(other: Bool, echo: Bool)
        /// No response.
        case lost
        /// The body ends in the middle.
        case cut
        /// The link to the next page points to the other origin.
        case otherOrigin
    }
}

extension Plan {
    static let users = ["alice", "bob"]

    /// A random plan.
    init(seed: UInt64, allows: (loopback: Bool, disk: Bool)) {
        var random = SplitMix64(seed: seed)
        self.seed = seed
        var layers: [LayerPlan] = []
        func authentication(_ origin: Int, _ random: inout SplitMix64) -> LayerPlan {
            .authentication(
                Authentication(
                    origin: origin, isNamed: random.chance(70), style: random.one(of: [.bearer, .header, .query]),
                    renewal: random.one(of: [.none, .works, .works, .works, .fails, .losesConnection, .isAnother])))
        }
        if random.chance(45) { layers.append(.retry) }
        if random.chance(35) { layers.append(.coalescing) }
        if random.chance(10) { layers.append(.coalescing) }
        if random.chance(12) { layers.append(.logging(curl: random.chance(50))) }
        if random.chance(75) { layers.append(authentication(0, &random)) }
        if random.chance(25) { layers.append(authentication(1, &random)) }
        if random.chance(20) { layers.append(.tour) }
        if random.chance(20) { layers.append(.named) }
        if random.chance(6) { layers.append(.unnamed) }
        if random.chance(15) { layers.append(.declaring) }
        if random.chance(10) { layers.append(.careless) }
        if random.chance(8) { layers.append(.authorizing) }
        if random.chance(5) { layers.append(.silent) }
        layers.shuffle(using: &random)
        wire = .memory
        store = random.chance(80) ? .memory : .none
        if allows.disk, random.chance(5) { store = .disk }
        if allows.disk, random.chance(3) { layers.insert(.recording, at: random.below(layers.count + 1)) }
        if allows.loopback, random.chance(4) {
            wire = .loopback(cookies: random.one(of: [.none, .session, .session, .shared]))
        }
        self.layers = layers
        let clientCount = random.one(of: [1, 1, 2, 2, 3])
        clients = (0..<clientCount).map { number in
            ClientPlan(
                account: random.chance(30) ? random.one(of: Plan.users) : nil,
                isCopy: number > 0 && random.chance(50), isStoring: random.chance(90))
        }
        let holders = layers.filter(\.holdsCredential).count
        let clients = clientCount
        func request(_ random: inout SplitMix64) -> RequestPlan {
            let kind: RequestPlan.Kind = random.one(of: [
                .value, .value, .value, .value, .value, .value, .delete, .values, .elements, .pages, .pages, .events,
                .download, .download,
            ])
            return RequestPlan(
                kind: kind, client: random.below(clients), resource: random.below(2),
                origin: random.chance(12) ? 1 : 0,
                policy: random.one(of: [
                    .cacheElseNetwork, .cacheElseNetwork, .cacheElseNetwork, .networkOnly, .networkElseCache,
                    .cacheThenNetwork, .cacheControl, .cacheControl,
                ]))
        }
        func change(_ random: inout SplitMix64) -> Event {
            guard holders > 0 else { return .signOut(client: random.below(clients), random.one(of: Plan.users)) }
            return .set(random.below(holders), random.one(of: ["alice", "alice", "bob", "bob", nil]))
        }
        steps = []
        for holder in 0..<holders where random.chance(85) {
            // Mostly the same user everywhere.
            steps.append(.event(.set(holder, random.chance(80) ? "alice" : "bob")))
        }
        let isCalm = random.chance(35)
        for _ in 0..<(2 + random.below(4)) {
            if random.chance(35) {
                steps.append(
                    .event(
                        isCalm
                            ? .answer(random.one(of: [.status(401), .status(503)]))
                            : random.one(of: [
                                change(&random), change(&random),
                                .signOut(client: random.below(clients), random.one(of: Plan.users)),
                                .removeAll(client: random.below(clients), random.one(of: Plan.users)), .restartStore,
                                .restartStore,
                            ])))
            }
            let next = request(&random)
            if next.kind == .download, random.chance(60) {
                // To be resumed, perhaps by another user.
                steps += [.event(.answer(.cut)), .request(next)]
                if !isCalm, random.chance(30) { steps.append(.event(change(&random))) }
            }
            steps.append(.request(next))
            if random.chance(40) { steps.append(.request(next)) }
        }
        triggers = [:]
        for _ in 0..<random.below(6) {
            let place = 1 + random.below(8)
            let event: Event
            switch random.below(100) {
            case 0..<25 where !isCalm: event = change(&random)
            case 25..<33 where !isCalm:
                event = .signOut(client: random.below(clients), random.one(of: Plan.users))
            case 33..<36 where !isCalm:
                event = .removeAll(client: random.below(clients), random.one(of: Plan.users))
            case 36..<41 where !isCalm: event = .cancel(random.below(3))
            case 41..<62:
                let own = steps.compactMap { if case .request(let plan) = $0 { plan } else { nil } }
                event = .start(random.chance(60) ? random.one(of: own) : request(&random))
            default:
                event = .answer(
                    random.one(of: [
                        .status(401), .status(401), .status(401), .status(403), .status(503), .status(503),
                        .redirect(other: true, echo: false), .redirect(other: true, echo: true),
                        .redirect(other: false, echo: true), .lost, .cut, .otherOrigin,
                    ]))
            }
            triggers[place, default: []].append(event)
        }
    }
}

extension Plan.LayerPlan {
    var holdsCredential: Bool {
        switch self {
        case .authentication, .named, .unnamed, .declaring, .careless, .authorizing: true
        case .retry, .coalescing, .logging, .recording, .tour, .silent: false
        }
    }
}

extension Plan: CustomStringConvertible {
    var description: String {
        var lines = ["seed \(seed), wire \(wire), store \(store)", "layers, the outermost first:"]
        var holder = 0
        for layer in layers {
            lines.append("  \(layer)" + (layer.holdsCredential ? " (holder \(holder))" : ""))
            if layer.holdsCredential { holder += 1 }
        }
        for (number, client) in clients.enumerated() { lines.append("client \(number): \(client)") }
        lines += steps.map { "  \($0)" }
        for (place, events) in triggers.sorted(by: { $0.key < $1.key }) {
            lines.append("  at the server's request \(place): \(events)")
        }
        return lines.joined(separator: "\n")
    }

    /// Plans with a part less.
    var smaller: [Plan] {
        var plans: [Plan] = []
        for index in steps.indices {
            var plan = self
            plan.steps.remove(at: index)
            plans.append(plan)
        }
        for (place, events) in triggers {
            for index in events.indices {
                var plan = self
                plan.triggers[place]?.remove(at: index)
                if plan.triggers[place]?.isEmpty == true { plan.triggers[place] = nil }
                plans.append(plan)
            }
        }
        for index in layers.indices {
            var plan = self
            plan.remove(layer: index)
            plans.append(plan)
        }
        for index in clients.indices where clients[index].account != nil {
            var plan = self
            plan.clients[index].account = nil
            plans.append(plan)
        }
        if case .loopback = wire {
            var plan = self
            plan.wire = .memory
            plans.append(plan)
        }
        return plans
    }

    /// Removes a layer, with the events that set its credential.
    private mutating func remove(layer index: Int) {
        if layers[index].holdsCredential {
            let holder = layers[..<index].filter(\.holdsCredential).count
            func renumbered(_ event: Event) -> Event? {
                guard case .set(let other, let user) = event else { return event }
                return other == holder ? nil : .set(other > holder ? other - 1 : other, user)
            }
            steps = steps.compactMap { step in
                guard case .event(let event) = step else { return step }
                return renumbered(event).map { .event($0) }
            }
            triggers = triggers.mapValues { $0.compactMap(renumbered) }.filter { !$0.value.isEmpty }
        }
        layers.remove(at: index)
    }
}

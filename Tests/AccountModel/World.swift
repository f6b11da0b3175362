import Foundation
import ModelMirrorNetworking
import Synchronization

/// What really happened in a run: who was signed in when, what the server saw, and what was returned to whom.
///
/// The order of all that is the world's time, which moves with each entry.
final class World: Sendable {
    /// The sign-in of a layer: the user, and a number that changes with each sign-in and sign-out.
    struct SignIn: Hashable {
        var user: String?
        var number: Int
    }

    /// A layer that holds a credential.
    struct Holder: Sendable {
        let layer: Plan.LayerPlan
        /// Whether a layer without an identity is around it.
        let isHidden: Bool

        var authentication: Plan.Authentication? {
            if case .authentication(let authentication) = layer { authentication } else { nil }
        }

        /// Whether the layer says whose its credential is.
        var isNamed: Bool {
            switch layer {
            case .authentication(let authentication): authentication.isNamed
            case .named, .declaring: true
            default: false
            }
        }

        /// Whether the library can know under which sign-in the layer sends.
        var isBound: Bool { authentication != nil || isNamed }

        /// Whether the layer adds what it neither declares nor has an account for.
        var isUndeclared: Bool { layer == .careless || layer == .authorizing }

        /// Whether redirects and texts must not carry its credential anywhere.
        var isSecret: Bool {
            switch layer {
            case .authentication, .named, .unnamed, .authorizing: true
            default: false
            }
        }

        func concerns(_ origin: Int) -> Bool { authentication.map { $0.origin == origin } ?? true }
    }

    /// A text by which the server recognizes a user.
    struct Secret {
        let text: String
        /// The layer; nil for a cookie.
        let holder: Int?
        let user: String?
        let signIn: Int
        /// The signed-out state that a renewal ended.
        let renewed: Int?
        let time: Int
        /// Of a cookie: the request in whose response it was set, and the server.
        var request = -1
        var origin = -1
        var firstOrigin = -1
    }

    /// A request as the server saw it.
    struct Seen {
        let number: Int
        let time: Int
        /// The program's request; nil for a renewal.
        let request: Int?
        let origin: Int
        /// Where the transport sent it before redirects.
        let firstOrigin: Int
        let resource: String
        let secrets: [Secret]
        let isRange: Bool
        var status = 0
        var isLost = false
        var isCut = false
        var replied = Int.max

        var isRedirected: Bool { origin != firstOrigin }
    }

    /// A value that the program got.
    struct Answer {
        let seen: Int
        let isStored: Bool
        let time: Int
    }

    /// A request of the program.
    struct Request {
        let number: Int
        let plan: Plan.RequestPlan
        let account: String?
        let group: Int
        let store: Int?
        let started: Int
        let atStart: [SignIn]
        /// When it reached the outermost layer, by origin.
        var bound: [Int: (time: Int, signIns: [SignIn])] = [:]
        /// When it reached a layer that holds a credential.
        var arrived: [Int: (time: Int, signIn: SignIn)] = [:]
        var answers: [Answer] = []
        var ended: Int?
        var error: (any Error)?
        var cancelled: Int?
        var file: Data?
        var isFound = false
        var urls: [URL] = []
    }

    struct Revocation {
        let account: String
        let group: Int
        let store: Int?
        let endsRequests: Bool
        let started: Int
        var returned: Int?
    }

    struct State {
        var time = 0
        var number = 0
        var signIns: [SignIn]
        /// The number of the last sign-out of each layer.
        var signedOut: [Int]
        /// The keys of sessions.
        var keys: [Int: String] = [:]
        /// When a layer had begun a sign-in or a sign-out: more than once for each, around the moment.
        var history: [[(time: Int, signIn: SignIn)]]
        /// When the program, or a renewal with another's credential, changed the user of a layer.
        var changes: [[Int]]
        var renewals: [(holder: Int, time: Int, hasWorked: Bool)] = []
        var sameNames: [(holder: Int, time: Int)] = []
        var secrets: [String: Secret] = [:]
        var seen: [Seen] = []
        var requests: [Request] = []
        var tasks: [Int: Task<Void, Never>] = [:]
        var revocations: [Revocation] = []
        var nextAnswers: [Plan.Answer] = []
        var marks: [String: UInt8] = [:]
        var texts: [String] = []
        var problems: [String] = []
    }

    let plan: Plan
    let holders: [Holder]
    private let state: Mutex<State>
    /// Returns the credential of an authenticating layer.
    let credentials = Mutex<[Int: @Sendable () -> String?]>([:])

    /// The number of the run, which makes secrets unique.
    private let run: Int

    init(_ plan: Plan, run: Int) {
        self.plan = plan
        self.run = run
        var isHidden = false
        var holders: [Holder] = []
        for layer in plan.layers {
            if layer == .silent { isHidden = true }
            if layer.holdsCredential { holders.append(Holder(layer: layer, isHidden: isHidden)) }
        }
        self.holders = holders
        state = Mutex(
            State(
                signIns: holders.map { _ in SignIn(user: nil, number: 0) }, signedOut: holders.map { _ in 0 },
                history: holders.map { _ in [] },
                changes: holders.map { _ in [] }))
    }

    func withState<Result>(_ body: (inout State) -> sending Result) -> sending Result {
        state.withLock { state in
            state.time += 1
            return body(&state)
        }
    }

    // MARK: Sign-ins

    /// Under which sign-ins the layers are now.
    var signIns: [SignIn] {
        let read = credentials.withLock { $0 }
        let texts = read.mapValues { $0() }
        return state.withLock { state in
            for (holder, text) in texts {
                let secret = text.flatMap { state.secrets[$0] }
                state.signIns[holder] = SignIn(user: secret?.user, number: secret?.signIn ?? state.signedOut[holder])
            }
            return state.signIns
        }
    }

    /// Sets the credential of a layer: `apply` is called with it, unless the layer asks for a session's.
    func set(_ user: String?, of holder: Int, _ apply: (String?) -> Void) {
        let present = signIns[holder]
        let layer = holders[holder]
        let isSame = user == present.user && (user == nil || layer.authentication == nil || layer.isNamed)
        let (key, next) = withState { state in
            var next = SignIn(user: user, number: present.number)
            if !isSame {
                state.number += 1
                next.number = state.number
                if user == nil { state.signedOut[holder] = next.number }
                state.changes[holder].append(state.time)
            } else if user != nil {
                state.sameNames.append((holder, state.time))
            }
            state.history[holder].append((state.time, next))
            let key = user.map { secret(&state, holder, $0, next.number, nil) }
            state.keys[holder] = key
            state.signIns[holder] = next
            return (key, next)
        }
        apply(key)
        withState { state in
            state.history[holder].append((state.time, next))
            if !isSame { state.changes[holder].append(state.time) }
        }
    }

    /// Registers the credential that a renewal returns.
    func renewal(of holder: Int, from before: SignIn, as user: String) -> String {
        withState { state in
            var next = SignIn(user: user, number: before.number)
            let isOther = before.user != nil && before.user != user && holders[holder].isNamed
            if before.user == nil || isOther {
                state.number += 1
                next.number = state.number
                state.history[holder].append((state.time, next))
                if isOther { state.changes[holder].append(state.time) }
            }
            state.renewals.append((holder, state.time, true))
            return secret(&state, holder, user, next.number, before.user == nil ? before.number : nil)
        }
    }

    func hasFailedRenewal(of holder: Int) { withState { $0.renewals.append((holder, $0.time, false)) } }

    /// The user and the key of a session, for layers that are no authenticating transports.
    func session(_ holder: Int) -> (user: String, key: String)? {
        state.withLock { state in
            guard let user = state.signIns[holder].user, let key = state.keys[holder] else { return nil }
            return (user, key)
        }
    }

    private func secret(
        _ state: inout State, _ holder: Int?, _ user: String?, _ signIn: Int, _ renewed: Int?
    ) -> String {
        // Letters and digits, so that it is found in any text.
        let text = "zq\(state.secrets.count)x\(run)y"
        state.secrets[text] = Secret(
            text: text, holder: holder, user: user, signIn: signIn, renewed: renewed, time: state.time)
        return text
    }

    // MARK: Requests

    func begin(_ plan: Plan.RequestPlan, account: String?, group: Int, store: Int?) -> Int {
        let signIns = signIns
        return withState { state in
            state.requests.append(
                Request(
                    number: state.requests.count, plan: plan, account: account, group: group, store: store,
                    started: state.time, atStart: signIns))
            return state.requests.count - 1
        }
    }

    /// Notes that a request has reached the outermost layer.
    func bound(_ number: Int, _ origin: Int) {
        let signIns = signIns
        withState { state in
            if state.requests[number].bound[origin] == nil {
                state.requests[number].bound[origin] = (state.time, signIns)
            }
        }
    }

    /// Notes that a request has reached a layer that holds a credential.
    func arrived(_ number: Int, at holder: Int) {
        let signIns = signIns
        withState { state in
            if state.requests[number].arrived[holder] == nil {
                state.requests[number].arrived[holder] = (state.time, signIns[holder])
            }
        }
    }

    func answer(_ number: Int, _ seen: Int, isStored: Bool) {
        withState { $0.requests[number].answers.append(Answer(seen: seen, isStored: isStored, time: $0.time)) }
    }

    func end(_ number: Int, _ error: (any Error)?) {
        withState { state in
            state.requests[number].ended = state.time
            state.requests[number].error = error
            state.tasks[number] = nil
        }
    }

    func cancel(_ place: Int) {
        let task = withState { state -> Task<Void, Never>? in
            let running = state.tasks.keys.sorted()
            guard !running.isEmpty else { return nil }
            let number = running[place % running.count]
            state.requests[number].cancelled = state.time
            return state.tasks[number]
        }
        task?.cancel()
    }

    func note(_ text: String) { state.withLock { $0.texts.append(text) } }

    func broken(_ rule: String) { state.withLock { $0.problems.append(rule) } }

    // MARK: The server

    /// The secrets in a text.
    static func words(_ text: some StringProtocol) -> [Substring] {
        guard text.contains("zq") else { return [] }
        return Substring(text).split { !($0.isLetter || $0.isNumber) }.filter { $0.hasPrefix("zq") }
    }

    func see(
        _ fields: [String], request: Int?, origin: Int, firstOrigin: Int, resource: String, isRange: Bool
    ) -> Seen {
        withState { state in
            let words = fields.flatMap { World.words($0) }
            let secrets = words.compactMap { state.secrets[String($0)] }
            let seen = Seen(
                number: state.seen.count, time: state.time, request: request, origin: origin, firstOrigin: firstOrigin,
                resource: resource, secrets: secrets, isRange: isRange)
            state.seen.append(seen)
            return seen
        }
    }

    func reply(_ seen: Seen) {
        withState { state in
            var seen = seen
            seen.replied = state.time
            state.seen[seen.number] = seen
        }
    }

    func cookie(for request: Int, _ seen: Seen) -> String {
        withState { state in
            let text = secret(&state, nil, nil, 0, nil)
            state.secrets[text]?.request = request
            state.secrets[text]?.origin = seen.origin
            state.secrets[text]?.firstOrigin = seen.firstOrigin
            return text
        }
    }

    /// The byte that a download consists of: one for all that the server knows of the sender.
    func mark(_ seen: Seen) -> UInt8 {
        withState { state in
            var parts = seen.secrets.compactMap { secret -> String? in
                guard let number = secret.holder else { return nil }
                let holder = holders[number]
                // Equal names are one, whichever layer gave them.
                if holder.isNamed { return secret.user }
                return "\(number) " + (holder.authentication == nil ? secret.user ?? "" : String(secret.signIn))
            }
            if let account = seen.request.flatMap({ state.requests[$0].account }) { parts.append(account) }
            let sender = Set(parts).sorted().joined(separator: ",")
            if let mark = state.marks[sender] { return mark }
            let mark = UInt8(65 + state.marks.count)
            state.marks[sender] = mark
            return mark
        }
    }
}

import Foundation
import ModelMirrorNetworking

/// The promises, checked after a run.
struct Rules {
    private let plan: Plan
    private let holders: [World.Holder]
    private let state: World.State
    private let hasRetry: Bool
    private let hasCoalescing: Bool
    private let cookies: Plan.Cookies
    private var keepsCookies: Bool { cookies != .none }

    init(_ world: World) {
        plan = world.plan
        holders = world.holders
        state = world.withState { $0 }
        hasRetry = plan.layers.contains(.retry)
        hasCoalescing = plan.layers.contains(.coalescing)
        cookies = if case .loopback(let cookies) = plan.wire { cookies } else { .none }
    }

    func check() throws(Broken) {
        if let problem = state.problems.first { throw Broken(problem) }
        for seen in state.seen {
            try checkHome(of: seen)
            guard let number = seen.request else { continue }
            let request = state.requests[number]
            if let difference = difference(seen, request) {
                throw Broken("sent: request \(number) (\(request.plan)) was sent as somebody else: \(difference)")
            }
            try checkCookies(of: seen, request)
        }
        for request in state.requests {
            try checkConsistency(of: request)
            try checkEnd(of: request)
            for answer in request.answers {
                if answer.isStored {
                    try checkStored(answer, request)
                } else {
                    try checkShared(answer, request)
                }
            }
            try checkFile(of: request)
            try checkRevocations(request)
        }
        try checkTexts()
        _ = try gains()
    }

    // MARK: For whom

    /// The sign-ins under which a layer may have seen a request first.
    private func permitted(_ holder: Int, _ request: World.Request) -> Set<World.SignIn> {
        var signIns: Set<World.SignIn> = [request.atStart[holder]]
        var end = request.ended ?? .max
        if holders[holder].isHidden {
            if let arrived = request.arrived[holder] {
                end = arrived.time
                signIns.insert(arrived.signIn)
            }
        } else if let bound = request.bound.filter({ holders[holder].concerns($0.key) }).values.min(by: {
            $0.time < $1.time
        }) {
            end = bound.time
            signIns.insert(bound.signIns[holder])
        }
        // Transports of the program's own are told apart by the servers that they send to, unless they name another user at each.
        if holders[holder].layer == .declaring {
            let canBegin = signIns.contains { $0.user == nil || isNamedOtherwise($0.user, holders[holder], request) }
            for (origin, bound) in request.bound
            where origin != request.plan.origin && (canBegin || bound.signIns[holder].user == nil) {
                end = max(end, bound.time)
                signIns.insert(bound.signIns[holder])
            }
        }
        for entry in state.history[holder] where entry.time > request.started && entry.time <= end {
            signIns.insert(entry.signIn)
        }
        return signIns
    }

    /// The numbers of the sign-ins under which an authenticating layer may send a request.
    private func admitted(_ permitted: Set<World.SignIn>, _ holder: Int, _ request: World.Request) -> Set<Int> {
        var numbers = Set(permitted.map(\.number))
        for secret in state.secrets.values where secret.holder == holder && secret.time > request.started {
            // The renewal that a signed-out request waited for.
            if let renewed = secret.renewed, permitted.contains(World.SignIn(user: nil, number: renewed)) {
                numbers.insert(secret.signIn)
            }
        }
        return numbers
    }

    /// Whether the program changed the user of a layer back and forth, which a name cannot tell.
    private func wentBack(_ holder: Int, _ request: World.Request) -> Bool {
        let end = request.ended ?? .max
        let numbers = state.history[holder].filter { $0.time > request.started && $0.time <= end }.map(\.signIn.number)
        return Set(numbers).count > 1
    }

    /// Whether the name that a transport of the program's own gives is lost beside a layer that is unknown, or a transport with
    /// cookies, which is unknown without a name.
    private func isCollapsed(_ holder: World.Holder, _ request: World.Request) -> Bool {
        holder.layer == .declaring && (hasUnknownLayer(request) || keepsCookies)
    }

    /// Why a request as the server saw it is not the program's request; nil if it is.
    private func difference(_ seen: World.Seen, _ request: World.Request) -> String? {
        for (number, holder) in holders.enumerated() where holder.isBound && holder.concerns(seen.firstOrigin) {
            if isCollapsed(holder, request) { continue }
            let permitted = permitted(number, request)
            let secrets = seen.secrets.filter { $0.holder == number }
            let isAmbiguous = holder.layer == .declaring && wentBack(number, request)
            for secret in secrets {
                let isSame =
                    holder.authentication == nil
                    ? permitted.contains { $0.user == secret.user } || isNamedOtherwise(secret.user, holder, request)
                    : admitted(permitted, number, request).contains(secret.signIn)
                if !isSame, !isAmbiguous {
                    return "\(holder.layer) sent \(secret.user ?? "nobody") (\(secret.signIn)), not one of \(permitted)"
                }
            }
            let isOverridden = holder.authentication?.style == .bearer && plan.layers.contains(.authorizing)
            // Equal names are one, so that another layer may stand for a transport of the program's own.
            if holder.layer == .declaring { continue }
            if secrets.isEmpty, !seen.isRedirected, !permitted.contains(where: { $0.user == nil }), !isOverridden {
                return "\(holder.layer) sent no credential, not one of \(permitted)"
            }
        }
        return nil
    }

    /// Whether the name that a transport of the program's own gives is also another layer's or the client's.
    private func isNamedOtherwise(_ user: String?, _ holder: World.Holder, _ request: World.Request) -> Bool {
        guard holder.layer == .declaring else { return false }
        if request.account == user { return true }
        return holders.enumerated().contains { number, other in
            other.isNamed && other.layer != .declaring && permitted(number, request).contains { $0.user == user }
        }
    }

    /// All that is sent for one request is sent under one sign-in.
    private func checkConsistency(of request: World.Request) throws(Broken) {
        let own = state.seen.filter { $0.request == request.number }
        for (number, holder) in holders.enumerated() where holder.isBound && !isCollapsed(holder, request) {
            let secrets = own.flatMap(\.secrets).filter { $0.holder == number }
            let isSame =
                holder.authentication == nil
                ? Set(secrets.map(\.user)).count < 2 || wentBack(number, request) || holder.layer == .declaring
                : Set(secrets.map(\.signIn)).count < 2
            if !isSame {
                throw Broken(
                    "mixed: request \(request.number) (\(request.plan)) was sent under several sign-ins of \(holder.layer)"
                )
            }
        }
    }

    /// The names that are known of a request; several sets if it began while something changed.
    ///
    /// - Parameters:
    ///   - origin: That of one part of the request; nil for all.
    ///   - hidden: Whether to include those that are known once it is sent: the names of layers behind one that does not pass them on,
    ///     and of renewals under which it may go on.
    private func names(_ request: World.Request, at origin: Int? = nil, hidden: Bool = false) -> Set<Set<String>> {
        var all: Set<Set<String>> = [Set([request.account].compactMap { $0 })]
        for (number, holder) in holders.enumerated()
        where holder.isNamed && origin.map({ holder.concerns($0) }) ?? concerns(holder, request)
            && !(holder.layer == .declaring && hasUnknownLayer(request)) && (hidden || !holder.isHidden)
        {
            let users = Set(
                permitted(number, request).map(\.user) + (hidden ? renewals(number, request).map(\.user) : []))
            all = Set(all.flatMap { names in users.map { names.union([$0].compactMap { $0 }) } })
        }
        return all
    }

    /// The credentials of renewals under which a request that began signed out may have gone on, even if nothing was sent with them.
    private func renewals(_ holder: Int, _ request: World.Request) -> [World.Secret] {
        let permitted = permitted(holder, request)
        return state.secrets.values.filter { secret in
            secret.holder == holder
                && secret.renewed.map { permitted.contains(World.SignIn(user: nil, number: $0)) } == true
        }
    }

    private func concerns(_ holder: World.Holder, _ request: World.Request) -> Bool {
        Set(request.bound.keys).union([request.plan.origin]).contains { holder.concerns($0) }
    }

    /// Whether no layer could name the request's account, or some could not.
    private func isUnknown(_ request: World.Request) -> Bool {
        hasUnknownLayer(request)
            || keepsCookies
                && (names(request).contains([]) || request.account == nil && plan.layers.contains(.declaring))
    }

    private func hasUnknownLayer(_ request: World.Request) -> Bool {
        if plan.layers.contains(.silent) || plan.layers.contains(.unnamed) { return true }
        for (number, holder) in holders.enumerated() where concerns(holder, request) {
            guard let authentication = holder.authentication else { continue }
            for signIn in permitted(number, request) {
                if signIn.user == nil ? authentication.renewal != .none : !authentication.isNamed { return true }
            }
        }
        return false
    }

    // MARK: Credentials stay at home

    private func checkHome(of seen: World.Seen) throws(Broken) {
        for secret in seen.secrets {
            guard let number = secret.holder else {
                if secret.origin != seen.origin { throw Broken("leaked: a cookie to another origin: \(seen)") }
                continue
            }
            let holder = holders[number]
            let isHome = holder.authentication.map { $0.origin == seen.origin } ?? !seen.isRedirected
            if holder.isSecret, !isHome {
                throw Broken("leaked: the credential of \(holder.layer) to another origin: \(seen)")
            }
        }
    }

    private func checkTexts() throws(Broken) {
        var texts = state.texts
        for request in state.requests {
            texts += request.urls.map(\.absoluteString)
            if let error = request.error { texts += ["\(error)", error.localizedDescription] }
        }
        for text in texts where text.contains("zq") {
            for word in World.words(text) {
                guard let secret = state.secrets[String(word)] else { continue }
                if secret.holder.map({ holders[$0].isSecret }) ?? true {
                    let layer = secret.holder.map { "\(holders[$0].layer)" } ?? "a cookie"
                    throw Broken("shown: the credential of \(layer) in: \(text)")
                }
            }
        }
    }

    private func checkCookies(of seen: World.Seen, _ request: World.Request) throws(Broken) {
        // Unknown inside of it, the transport with cookies hides the name that this one gives.
        if plan.layers.contains(.declaring) { return }
        for secret in seen.secrets where secret.holder == nil && secret.request != request.number {
            let issued = state.requests[secret.request]
            let own = jars(request, at: seen.firstOrigin)
            let others = jars(issued, at: secret.firstOrigin)
            if own.isDisjoint(with: others) {
                throw Broken("cookie: of \(others) sent with a request of \(own)")
            }
            // Sign-ins without a name have jars of their own, but not in place of the shared one, which the program chose.
            if cookies == .session, request.account == nil, issued.account == nil {
                for (number, holder) in holders.enumerated() where holder.authentication?.isNamed == false {
                    guard holder.concerns(seen.firstOrigin), holder.concerns(secret.firstOrigin) else { continue }
                    let (mine, theirs) = (permitted(number, request), permitted(number, issued))
                    // The response to a request that a renewal signed in keeps its cookies in the jar of the new sign-in.
                    let renewed = Set(renewals(number, issued).map(\.signIn))
                    if mine.count == 1, theirs.count == 1,
                        mine.allSatisfy({ $0.user != nil && !renewed.contains($0.number) }),
                        mine.map(\.number) != theirs.map(\.number)
                    {
                        throw Broken("cookie: of the sign-in \(theirs) sent with a request of \(mine)")
                    }
                }
            }
            for revocation in state.revocations where revocation.endsRequests {
                // A later part of a sequence may have been bound only after the sign-out.
                guard let returned = revocation.returned, request.started > returned,
                    issued.bound[secret.firstOrigin]?.time ?? issued.started < revocation.started,
                    isConcerned(issued, by: revocation), mustNames(issued).contains(revocation.account)
                else { continue }
                throw Broken("cookie: of \(revocation.account) sent after the sign-out")
            }
        }
    }

    /// The names of the jars that a request may use: a hidden layer's name is noted where it sends, unless the client names what is unknown,
    /// and a renewal's name takes the place of a request that began signed out.
    private func jars(_ request: World.Request, at origin: Int) -> Set<Set<String>> {
        names(request, at: origin).union(names(request, at: origin, hidden: true))
    }

    // MARK: Answers

    private func checkShared(_ answer: World.Answer, _ request: World.Request) throws(Broken) {
        let seen = state.seen[answer.seen]
        if let difference = difference(seen, request) {
            throw Broken(
                "answered: request \(request.number) (\(request.plan)) got somebody else's answer: \(difference)")
        }
        guard let number = seen.request, number != request.number else { return }
        let other = state.requests[number]
        if other.cancelled == nil, other.ended ?? .max < request.started {
            throw Broken("answered: request \(request.number) got an answer from before it began")
        }
        if request.account != other.account, isUnknown(request) || isUnknown(other) {
            throw Broken("shared: between clients of \(other.account ?? "") and \(request.account ?? "")")
        }
        let (own, others) = (names(request, at: seen.firstOrigin), names(other, at: seen.firstOrigin))
        if own.isDisjoint(with: others) { throw Broken("shared: between \(others) and \(own)") }
        try checkUndeclared(seen, other, "shared")
    }

    private func checkUndeclared(_ seen: World.Seen, _ request: World.Request, _ rule: String) throws(Broken) {
        let isNamed = request.account != nil && isUnknown(request)
        for secret in seen.secrets {
            guard let number = secret.holder else { continue }
            let holder = holders[number]
            if holder.isUndeclared, !isNamed {
                throw Broken("\(rule): an answer to the undeclared key of \(holder.layer)")
            }
            if holder.layer == .unnamed, request.account == nil { throw Broken("\(rule): an answer to an unnamed key") }
            if holder.authentication?.isNamed == false, request.account == nil {
                throw Broken("\(rule): an answer for a credential without a name")
            }
            let permitted = permitted(number, request)
            // The pages after the one that waited for the renewal are those of its sign-in.
            let isLaterPage = rule == "shared" && request.plan.kind == .pages
            if holder.authentication != nil, permitted.allSatisfy({ $0.user == nil }), !isLaterPage {
                throw Broken("\(rule): an answer to a request that began signed out and went on under a renewal")
            }
        }
    }

    private func checkStored(_ answer: World.Answer, _ request: World.Request) throws(Broken) {
        let seen = state.seen[answer.seen]
        guard let number = seen.request else { return }
        let other = state.requests[number]
        if names(request).isDisjoint(with: names(other)) {
            throw Broken("stored: an answer of \(names(other)) is readable for \(names(request))")
        }
        for secret in seen.secrets {
            guard let number = secret.holder, holders[number].isNamed, let user = secret.user,
                !isCollapsed(holders[number], other), !holders[number].isHidden
            else { continue }
            if !names(request).contains(where: { $0.contains(user) }) {
                throw Broken("stored: an answer to \(user)'s credential is readable for \(names(request))")
            }
        }
        try checkUndeclared(seen, other, "stored")
        for revocation in state.revocations where revocation.store != nil {
            guard let returned = revocation.returned, request.started > returned, other.started < revocation.started,
                mustNames(other).contains(revocation.account)
            else { continue }
            throw Broken("stored: an answer of \(revocation.account) from before the sign-out is readable after it")
        }
    }

    private func checkFile(of request: World.Request) throws(Broken) {
        guard let file = request.file, let first = file.first else { return }
        // The client's account names what the layers do not, now or when the file was begun.
        if request.account != nil,
            state.requests.contains(where: {
                $0.plan.kind == .download && $0.account == request.account && isUnknown($0)
            })
                || holders.contains(where: { $0.authentication?.isNamed == false })
        {
            return
        }
        if holders.contains(where: { isCollapsed($0, request) }) { return }
        // The other origin gets no credential, for whomever the download is.
        if state.seen.contains(where: { $0.resource == resource(of: request.plan) && $0.isRedirected }) { return }
        if file.contains(where: { $0 != first }) {
            throw Broken("file: a download continues another user's: \(String(decoding: file, as: UTF8.self))")
        }
    }

    // MARK: Ends

    /// Whether a sign-out concerns the requests of a client.
    private func isConcerned(_ request: World.Request, by revocation: World.Revocation) -> Bool {
        request.group == revocation.group || request.store != nil && revocation.store != nil
    }

    /// The names to which a request was certainly bound.
    private func mustNames(_ request: World.Request) -> Set<String> {
        if isUnknown(request) { return Set([request.account].compactMap { $0 }) }
        let all = names(request)
        return all.count == 1 ? all.first ?? [] : []
    }

    /// Whether some part of a request was certainly bound to a name before.
    private func wasBound(_ request: World.Request, to account: String, before time: Int) -> Bool {
        request.bound.contains { origin, bound in
            guard bound.time < time else { return false }
            return isUnknown(request)
                ? request.account == account : names(request, at: origin).allSatisfy { $0.contains(account) }
        }
    }

    private func checkRevocations(_ request: World.Request) throws(Broken) {
        for revocation in state.revocations where revocation.endsRequests {
            guard let returned = revocation.returned, isConcerned(request, by: revocation),
                wasBound(request, to: revocation.account, before: revocation.started)
            else { continue }
            // Others may share the transfer.
            if hasCoalescing, plan.clients.count > 1 { continue }
            for answer in request.answers where !answer.isStored && answer.time > returned {
                if state.seen[answer.seen].replied > returned {
                    throw Broken("sign-out: request \(request.number) of \(revocation.account) got an answer after it")
                }
            }
            // Over a real connection it may have been on its way.
            if case .loopback = plan.wire { continue }
            for seen in state.seen where seen.request == request.number && seen.time > returned {
                throw Broken("sign-out: request \(request.number) of \(revocation.account) was sent after it")
            }
        }
    }

    private func checkEnd(of request: World.Request) throws(Broken) {
        guard let ended = request.ended else { throw Broken("lost: request \(request.number) never ended") }
        guard let error = request.error else {
            let single: Set<Plan.RequestPlan.Kind> = [.value]
            if single.contains(request.plan.kind), request.answers.count != 1 {
                throw Broken("twice: request \(request.number) got \(request.answers.count) answers")
            }
            return
        }
        let window = state.seen.filter { seen in
            guard seen.resource == resource(of: request.plan), seen.time <= ended else { return false }
            if seen.replied >= request.started { return true }
            // Of a transfer that the request joined later.
            return hasCoalescing && seen.request.map { state.requests[$0].ended ?? .max >= request.started } ?? false
        }
        // Where transfers are shared, bodies are collected before the head is returned.
        let failures = window.count { $0.isLost || $0.status == 503 || hasCoalescing && $0.isCut }
        let isExplained: Bool
        switch error {
        case RequestError.accountChanged: isExplained = isChanged(request, ended)
        case RequestError.cancelled: isExplained = request.cancelled != nil
        case RequestError.unacceptableStatus(let response):
            switch response.status {
            case 401: isExplained = isRefused(window, ended)
            case 503: isExplained = !hasRetry || failures >= 3
            default: isExplained = window.contains { $0.status == response.status }
            }
        case RequestError.connection:
            isExplained =
                window.contains(where: \.isCut) || (!hasRetry || failures >= 3) && window.contains(where: \.isLost)
        case RequestError.invalidRequest:
            isExplained =
                request.plan.kind == .download
                && state.requests.contains { other in
                    other.number != request.number && other.plan.kind == .download
                        && other.plan.client == request.plan.client
                        && other.plan.resource == request.plan.resource && other.plan.origin == request.plan.origin
                        && other.started < ended && (other.ended ?? .max) > request.started
                }
        case FetchError.nothingStored: isExplained = request.plan.policy == .cacheOnly
        default: isExplained = false
        }
        if !isExplained {
            throw Broken("refused: request \(request.number) (\(request.plan)) failed without a reason: \(error)")
        }
    }

    private func resource(of request: Plan.RequestPlan) -> String {
        let kinds: [Plan.RequestPlan.Kind: String] = [
            .value: "r", .values: "r", .delete: "x", .elements: "a", .pages: "p", .events: "e", .download: "d",
        ]
        return "\(kinds[request.kind] ?? "")/\(request.resource)"
    }

    /// Whether the account of a request changed while it ran.
    private func isChanged(_ request: World.Request, _ ended: Int) -> Bool {
        for (number, holder) in holders.enumerated() where holder.isBound && concerns(holder, request) {
            if state.changes[number].contains(where: { $0 >= request.started && $0 <= ended }) { return true }
        }
        return state.revocations.contains { revocation in
            let isBound =
                names(request, hidden: true).contains { $0.contains(revocation.account) }
                // The name of a transport of the program's own is known at an origin without a layer that is unknown.
                || request.bound.count > 1
                    && holders.enumerated().contains { number, holder in
                        holder.layer == .declaring
                            && permitted(number, request).contains { $0.user == revocation.account }
                    }
            return revocation.endsRequests && isConcerned(request, by: revocation) && isBound
                && revocation.started <= ended
                && (revocation.returned ?? .max) >= request.started
        }
    }

    /// Whether a 401 had to be passed on to the caller.
    private func isRefused(_ window: [World.Seen], _ ended: Int) -> Bool {
        let refusals = window.filter { $0.status == 401 }
        if refusals.count != 1 { return refusals.count > 1 }
        let refusal = refusals[0]
        if refusal.isRedirected { return true }
        for (number, holder) in holders.enumerated() {
            guard let authentication = holder.authentication, authentication.origin == refusal.origin else { continue }
            if authentication.renewal == .none { return true }
            if authentication.style == .bearer, plan.layers.contains(.authorizing) { return true }
            return state.renewals.contains { $0.holder == number && !$0.hasWorked && $0.time <= ended }
        }
        return true
    }

    // MARK: Gains

    /// Checks that what can be served from the store is, and counts what happened.
    func gains() throws(Broken) -> Shares {
        var shares = Shares()
        shares.runs = 1
        shares.requests = state.requests.count
        let isCalm =
            state.revocations.isEmpty && state.requests.allSatisfy { $0.cancelled == nil }
            && !plan.triggers.values.joined().contains { if case .set = $0 { true } else { false } }
            && state.requests.filter { $0.plan.policy != .cacheOnly }.allSatisfy { request in
                !holders.indices.contains { number in
                    state.changes[number].contains { $0 >= request.started && $0 <= request.ended ?? .max }
                }
            }
        if isCalm { shares.calmRuns = 1 }
        for request in state.requests {
            switch request.error {
            case nil: if isCalm { shares.calmSuccesses += 1 }
            case RequestError.accountChanged?: shares.changed += 1
            case FetchError.nothingStored?: break
            default: if isCalm { shares.calmFailures += 1 }
            }
            shares.shared += request.answers.count { !$0.isStored && state.seen[$0.seen].request != request.number }
            try checkServed(request, &shares)
        }
        shares.seen = state.seen.count
        shares.renewals = state.renewals.count(where: \.hasWorked)
        shares.failedRenewals = state.renewals.count { !$0.hasWorked }
        shares.resumed = state.seen.count(where: \.isRange)
        shares.redirected = state.seen.count(where: \.isRedirected)
        shares.cookies = state.seen.count { $0.secrets.contains { $0.holder == nil } }
        shares.signOuts = state.revocations.count
        shares.continued = state.requests.count { request in
            holders.indices.contains { number in
                state.seen.contains { seen in
                    seen.request == request.number && seen.secrets.contains { $0.holder == number && $0.renewed != nil }
                } && permitted(number, request).allSatisfy { $0.user == nil }
            }
        }
        return shares
    }

    private func checkServed(_ request: World.Request, _ shares: inout Shares) throws(Broken) {
        guard request.plan.kind == .value, [.cacheElseNetwork, .cacheOnly].contains(request.plan.policy),
            request.store != nil, request.cancelled == nil
        else { return }
        for earlier in state.requests[..<request.number].reversed() {
            guard let answer = answerToStore(of: earlier, for: request) else { continue }
            let seen = state.seen[answer.seen]
            let ended = request.ended ?? .max
            if case RequestError.accountChanged? = request.error, isChanged(request, ended) { return }
            guard request.answers.first?.isStored == true else {
                throw Broken(
                    "unserved: request \(request.number) (\(request.plan)) is not served from the store, which has the answer to \(earlier.number)"
                )
            }
            let span = earlier.started...request.started
            shares.served += 1
            if state.renewals.contains(where: { $0.hasWorked && span.contains($0.time) }) { shares.afterRenewal += 1 }
            if state.sameNames.contains(where: { span.contains($0.time) }) { shares.afterSameName += 1 }
            if seen.secrets.contains(where: { $0.holder.map { holders[$0].layer == .declaring } ?? false }) {
                shares.declared += 1
            }
            if request.account != nil { shares.ofClients += 1 }
            if seen.secrets.contains(where: { $0.holder.map { holders[$0].isNamed } ?? false }) { shares.named += 1 }
            return
        }
    }

    /// The answer that an earlier request got and that is stored for a later one.
    private func answerToStore(of earlier: World.Request, for request: World.Request) -> World.Answer? {
        guard [.value, .values].contains(earlier.plan.kind), earlier.error == nil, earlier.store != nil,
            let ended = earlier.ended, ended < request.started, earlier.account == request.account,
            earlier.plan.resource == request.plan.resource, earlier.plan.origin == request.plan.origin,
            let answer = earlier.answers.last, !answer.isStored
        else { return nil }
        if isUnknown(earlier), earlier.account == nil { return nil }
        for (number, holder) in holders.enumerated() where concerns(holder, earlier) || concerns(holder, request) {
            let (own, others) = (permitted(number, request), permitted(number, earlier))
            guard own.count == 1, others.count == 1, own.first?.user == others.first?.user else { return nil }
            if state.changes[number].contains(where: { $0 >= earlier.started && $0 <= ended }) { return nil }
            if holder.isUndeclared, others.first?.user != nil { return nil }
            // It, or the request whose transfer it shared, went on under a renewal; a redirect may have dropped the credential.
            let sender = state.seen[answer.seen].request
            if holder.authentication != nil, others.first?.user == nil,
                state.seen.contains(where: { $0.request == sender && $0.secrets.contains { $0.holder == number } })
            {
                return nil
            }
        }
        for revocation in state.revocations
        where revocation.started <= request.ended ?? .max && (revocation.returned ?? .max) >= earlier.started {
            if names(earlier).contains(where: { $0.contains(revocation.account) }) { return nil }
        }
        return answer
    }
}

/// How often something happened in all runs.
struct Shares: Sendable {
    var runs = 0
    var calmRuns = 0
    var requests = 0
    var seen = 0
    var calmSuccesses = 0
    var calmFailures = 0
    var changed = 0
    var served = 0
    var named = 0
    var afterRenewal = 0
    var afterSameName = 0
    var declared = 0
    var ofClients = 0
    var shared = 0
    var renewals = 0
    var failedRenewals = 0
    var continued = 0
    var resumed = 0
    var redirected = 0
    var cookies = 0
    var signOuts = 0

    static func += (left: inout Shares, right: Shares) {
        for path: WritableKeyPath<Shares, Int> in [
            \.runs, \.calmRuns, \.requests, \.seen, \.calmSuccesses, \.calmFailures, \.changed, \.served, \.named,
            \.afterRenewal, \.afterSameName, \.declared, \.ofClients, \.shared, \.renewals, \.failedRenewals,
            \.continued, \.resumed, \.redirected, \.cookies, \.signOuts,
        ] {
            left[keyPath: path] += right[keyPath: path]
        }
    }
}

extension Shares: CustomStringConvertible {
    var description: String {
        """
        \(runs) runs, \(requests) requests of the program, \(seen) at the servers
          without a switch: \(calmRuns) runs, \(calmSuccesses) requests succeeded, \(calmFailures) got a failure of the server
          ended with accountChanged: \(changed)
          expected from the store and served from it: \(served), of them for a named credential \(named), after a renewal \
        \(afterRenewal), after the same name again \(afterSameName), with a declared stamp \(declared), for a client's account \(ofClients)
          shared transfers: \(shared); renewals: \(renewals) and \(failedRenewals) failed; signed out, went on under the renewal: \(continued)
          resumed downloads: \(resumed); redirects to the other origin: \(redirected); requests with cookies: \(cookies); sign-outs: \(signOuts)
        """
    }
}

import Synchronization

/// The requests that run for each account, the responses being saved, and the cookie jars: what a sign-out has to end.
///
/// A client and its copies have one, and so has each store.
final class AccountLedger: Sendable {
    private struct State {
        var running: [ObjectIdentifier: @Sendable () -> RequestBinding?] = [:]
        /// The responses that are being saved.
        var saves: [UInt64: (key: String, identity: TransportIdentity, task: Task<Void, any Error>)] = [:]
        var keepers: [ObjectIdentifier: @Sendable () -> (any CookieKeeper)?] = [:]
        /// The accounts whose responses are being removed.
        var revoked: [TransportIdentity] = []
    }

    private let state = Mutex(State())
    /// Counts revocations, so that a request bound during one is bound again.
    private let revocations = Atomic(0)
    /// Counts the saves that have ended.
    let saves = Atomic(0)
    private let hasPrinted = Atomic(false)

    var generation: Int { revocations.load(ordering: .acquiring) }

    /// Adds a request.
    ///
    /// - Returns: false if an account was revoked since a generation; the request must be bound again.
    func enter(_ binding: RequestBinding, since generation: Int) -> Bool {
        state.withLock { state in
            guard self.generation == generation else { return false }
            state.running[ObjectIdentifier(binding)] = { [weak binding] in binding }
            return true
        }
    }

    /// Adds a transport that keeps cookies, and forgets those that are gone.
    func note(_ keeper: any CookieKeeper) {
        state.withLock { state in
            if state.keepers[ObjectIdentifier(keeper)]?() != nil { return }
            state.keepers = state.keepers.filter { $0.value() != nil }
            state.keepers[ObjectIdentifier(keeper)] = { [weak keeper] in keeper }
        }
    }

    /// The number of transports noted.
    var keeperCount: Int { state.withLock { $0.keepers.count } }

    /// Removes a request that has ended.
    func leave(_ binding: ObjectIdentifier) { state.withLock { $0.running[binding] = nil } }

    /// Ends the requests of an account, if asked for, forbids their responses to be saved, and waits for those that are being saved.
    /// Until ``endRevocation(of:)``, new requests of the account find no stored response.
    func revoke(_ account: String, endsRequests: Bool) async {
        let account = TransportIdentity.account(account)
        let candidates = state.withLock { state in
            revocations.add(1, ordering: .releasing)
            state.revoked.append(account)
            return state.running.values.compactMap { $0() }
        }
        // Outside the lock, where the last reference to a binding may go.
        for binding in candidates where binding.isSent(for: account) {
            binding.forbidSaving()
            if endsRequests { binding.revoke() }
        }
        let saves = state.withLock { $0.saves.values.filter { $0.identity.contains(account) }.map(\.task) }
        for save in saves { _ = await save.result }
    }

    /// Ends a revocation, once the account's stored responses have been removed.
    func endRevocation(of account: String) {
        state.withLock { state in
            if let place = state.revoked.firstIndex(of: .account(account)) { state.revoked.remove(at: place) }
        }
    }

    /// Whether stored responses of a request's account are being removed. The server could confirm one that is still there, and it
    /// would be stored again.
    func isRevoking(_ binding: RequestBinding?) -> Bool {
        state.withLock { $0.revoked.contains { binding?.identity.contains($0) == true } }
    }

    /// Saves a response, unless it was bound before its account was revoked, after those that are being saved under its key. It goes on
    /// if the calling task is cancelled.
    ///
    /// - Throws: Errors of the closure.
    func save(
        for binding: RequestBinding?, under key: String, _ save: @escaping @Sendable () async throws -> Void
    ) async throws {
        let number = RequestBinding.newNumber()
        let task: Task<Void, any Error>? = state.withLock { state in
            // Under the lock, so that a revocation either forbids it or waits for it.
            if binding?.isUnsavable == true { return nil }
            let earlier = state.saves.values.filter { $0.key == key }.map(\.task)
            let task = Task {
                for save in earlier { _ = await save.result }
                try await save()
                saves.add(1, ordering: .releasing)
            }
            state.saves[number] = (key, binding?.identity ?? .none, task)
            return task
        }
        defer { state.withLock { $0.saves[number] = nil } }
        try await task?.value
    }

    /// Removes the cookies of an account from all transports that its requests went through.
    func removeCookies(for account: String) async {
        let keepers = state.withLock { $0.keepers.values.compactMap { $0() } }
        for keeper in keepers { await keeper.removeCookies(for: account) }
    }

    /// Whether nothing has been printed on behalf of this ledger; true once.
    func isFirstToPrint() -> Bool { !hasPrinted.exchange(true, ordering: .relaxed) }
}

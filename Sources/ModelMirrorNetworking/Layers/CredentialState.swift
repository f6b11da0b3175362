/// The state of an ``AuthenticatingTransport``'s credential.
///
/// Renewals are counted, including failed ones. A renewal that ended after a request was sent applies to that request, so a late
/// 401 or a late failure does not start another one.
struct CredentialState<Credential: Sendable> {
    /// A credential with its account: a name that survives renewals; nil if unknown.
    struct Named: Sendable {
        let credential: Credential
        let account: TransportIdentity?

        init(_ credential: Credential, _ account: ((Credential) -> String?)?) {
            self.credential = credential
            self.account = account?(credential).map { TransportIdentity.account($0).ofOneName }
        }
    }

    /// A credential with the state's counters at the time it was read.
    struct Snapshot: Sendable {
        fileprivate(set) var named: Named?
        /// How many renewals had ended, and how often the credential had been set.
        fileprivate(set) var renewalCount = 0
        /// Whose credential it is. The program begins a sign-in with a credential of another account, and ends it with nil; a
        /// credential of the same account and a renewal continue it.
        fileprivate(set) var signIn: RequestBinding.SignIn
        /// The signed-out state that a renewal ended by beginning the sign-in; nil if the program began it.
        fileprivate(set) var renewed: RequestBinding.SignIn?

        var credential: Credential? { named?.credential }

        /// Without the credential, as a request is sent that began before the renewal. A 401 is then answered with the credential.
        var withoutCredential: Snapshot { Snapshot(renewalCount: renewalCount - 1, signIn: signIn, renewed: renewed) }

        /// Whether a request of a sign-in may go on: it is the present one, or the renewal that began that ended it.
        func continues(_ earlier: RequestBinding.SignIn) -> Bool { signIn == earlier || renewed == earlier }
    }

    enum Retry {
        /// Send it again with this credential.
        case send(Snapshot)
        /// Wait for a renewal, and start it if it is new.
        case wait(SharedTask<Snapshot>, waiter: Int, isNew: Bool)
        /// Return the 401.
        ///
        /// - Parameters:
        ///   - error: Why the credential could not be renewed; nil without a renewal.
        ///   - isNew: Whether the rejection has not been reported yet.
        case giveUp(error: (any Error)?, isNew: Bool)
    }

    private(set) var snapshot: Snapshot
    private var renewal: SharedTask<Snapshot>?
    private var failure: (any Error)?
    /// Whether the credential was rejected and will not be renewed.
    private var isRefused = false

    init(_ named: Named?) { snapshot = Snapshot(named: named, signIn: named == nil ? .signedOut(0) : .signedIn(0)) }

    /// The running renewal, to wait for it: a credential being renewed is not used.
    func joined() -> (renewal: SharedTask<Snapshot>, waiter: Int)? {
        renewal.flatMap { renewal in renewal.join().map { (renewal, $0) } }
    }

    mutating func retry(afterRefusalOf refused: Snapshot, canRenew: Bool) -> Retry {
        // The renewal of another sign-in, and its error, are not the request's, which fails once it is to be sent again.
        guard snapshot.continues(refused.signIn) else { return .send(snapshot) }
        if let (renewal, waiter) = joined() { return .wait(renewal, waiter: waiter, isNew: false) }
        if refused.renewalCount != snapshot.renewalCount {
            return failure.map { .giveUp(error: $0, isNew: false) } ?? .send(snapshot)
        }
        guard canRenew, !isRefused else {
            defer { isRefused = true }
            return .giveUp(error: failure, isNew: !isRefused)
        }
        let renewal = SharedTask<Snapshot>()
        self.renewal = renewal
        return .wait(renewal, waiter: renewal.firstWaiter, isNew: true)
    }

    /// Applies the outcome of a renewal, and returns the result for those waiting: the present credential if it was set meanwhile.
    mutating func end(
        _ renewal: SharedTask<Snapshot>, with outcome: Result<Named, any Error>
    ) -> Result<Snapshot, any Error> {
        guard self.renewal === renewal else { return .success(snapshot) }
        self.renewal = nil
        switch outcome {
        case .success(let new):
            let old = snapshot.named
            let isOther = old?.account != nil && new.account != nil && old?.account != new.account
            set(new, isSame: old != nil && !isOther, renewed: old == nil ? snapshot.signIn : nil)
            return .success(snapshot)
        case .failure(let error):
            snapshot.renewalCount += 1
            failure = error
            isRefused = !error.isTransient
            return .failure(error)
        }
    }

    /// Sets the credential from outside, and returns the running renewal that is now obsolete.
    mutating func replace(with new: Named?) -> (obsolete: SharedTask<Snapshot>?, snapshot: Snapshot) {
        let account = snapshot.named?.account
        let isSame = snapshot.named == nil ? new == nil : account != nil && account == new?.account
        set(new, isSame: isSame, renewed: nil)
        return (renewal.take(), snapshot)
    }

    /// - Parameter isSame: Whether the credential continues the sign-in.
    private mutating func set(_ new: Named?, isSame: Bool, renewed: RequestBinding.SignIn?) {
        snapshot.named = new
        snapshot.renewalCount += 1
        failure = nil
        isRefused = false
        if isSame { return }
        // Sign-ins are numbered by the count, which no two of them have in common.
        snapshot.signIn = new == nil ? .signedOut(snapshot.renewalCount) : .signedIn(snapshot.renewalCount)
        snapshot.renewed = renewed
    }
}

extension Error {
    /// Whether the error is unrelated to the credential: no connection, or cancelled.
    var isTransient: Bool {
        switch self as any Error {
        case RequestError.connection, RequestError.noConnectivity, RequestError.cancelled: true
        // From a client with a store.
        case FetchError.noConnectivity: true
        default: self is CancellationError
        }
    }
}

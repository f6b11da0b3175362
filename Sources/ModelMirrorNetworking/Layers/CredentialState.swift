/// The state of an ``AuthenticatingTransport``'s credential.
///
/// Renewals are counted, including failed ones. A renewal that ended after a request was sent applies to that request, so a late
/// 401 or a late failure does not start another one.
struct CredentialState<Credential: Sendable> {
    /// A credential with its account: a name that survives renewals; nil if unknown.
    struct Named: Sendable {
        let credential: Credential
        let account: TransportIdentity?

        init(credential: Credential, account: String?) {
            self.credential = credential
            self.account = account.map { .account($0) }
        }
    }

    /// A credential with the state's counters at the time it was read.
    struct Snapshot: Sendable {
        let named: Named?
        /// How many renewals had ended.
        let renewalCount: Int
        /// Whose credential it is. The program begins a sign-in with a credential of another account, and ends it with nil; a
        /// credential of the same account and a renewal continue it.
        let signIn: RequestBinding.SignIn
        /// The signed-out state that a renewal ended by beginning the sign-in; nil if the program began it.
        let renewed: RequestBinding.SignIn?

        var credential: Credential? { named?.credential }

        /// Without the credential, as a request is sent that began before the renewal. A 401 is then answered with the credential.
        var withoutCredential: Snapshot {
            Snapshot(named: nil, renewalCount: renewalCount - 1, signIn: signIn, renewed: renewed)
        }
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

    private var named: Named?
    private(set) var renewal: SharedTask<Snapshot>?
    private var renewalCount = 0
    private var signInCount = 0
    private var signIn: RequestBinding.SignIn
    private var renewed: RequestBinding.SignIn?
    private var failure: (any Error)?
    /// Whether the credential was rejected and will not be renewed.
    private var isRefused = false

    init(_ named: Named?) {
        self.named = named
        signIn = named == nil ? .signedOut(0) : .signedIn(0)
    }

    var credential: Credential? { named?.credential }

    var snapshot: Snapshot { Snapshot(named: named, renewalCount: renewalCount, signIn: signIn, renewed: renewed) }

    /// The running renewal, to wait for it: a credential being renewed is not used.
    func joined() -> (renewal: SharedTask<Snapshot>, waiter: Int)? {
        renewal.flatMap { renewal in renewal.join().map { (renewal, $0) } }
    }

    mutating func retry(afterRefusalOf refused: Snapshot, canRenew: Bool) -> Retry {
        if let (renewal, waiter) = joined() { return .wait(renewal, waiter: waiter, isNew: false) }
        if refused.renewalCount != renewalCount {
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

    /// Applies the outcome of a renewal, and returns the result for those waiting; nil if the credential was set meanwhile.
    mutating func end(
        _ renewal: SharedTask<Snapshot>, with outcome: Result<Named, any Error>
    ) -> Result<Snapshot, any Error>? {
        guard self.renewal === renewal else { return nil }
        self.renewal = nil
        renewalCount += 1
        switch outcome {
        case .success(let new):
            if let named {
                let isOther = named.account != nil && new.account != nil && named.account != new.account
                if isOther { beginSignIn(new, renewed: nil) }
            } else {
                beginSignIn(new, renewed: signIn)
            }
            named = new
            failure = nil
            isRefused = false
            return .success(snapshot)
        case .failure(let error):
            failure = error
            isRefused = !error.isTransient
            return .failure(error)
        }
    }

    /// Sets the credential from outside, and returns the running renewal that is now obsolete.
    mutating func replace(with new: Named?) -> (obsolete: SharedTask<Snapshot>?, snapshot: Snapshot) {
        defer { renewal = nil }
        let account = named?.account
        let isSame = named == nil ? new == nil : account != nil && account == new?.account
        if !isSame { beginSignIn(new, renewed: nil) }
        named = new
        renewalCount += 1
        failure = nil
        isRefused = false
        return (renewal, snapshot)
    }

    private mutating func beginSignIn(_ new: Named?, renewed: RequestBinding.SignIn?) {
        signInCount += 1
        signIn = new == nil ? .signedOut(signInCount) : .signedIn(signInCount)
        self.renewed = renewed
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

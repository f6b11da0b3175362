/// The state of an ``AuthenticatingTransport``'s credential.
///
/// Renewals are counted, including failed ones. A renewal that ended after a request was sent applies to that request, so a late
/// 401 or a late failure does not start another one.
struct CredentialState<Credential: Sendable> {
    /// A credential with the state's counters at the time it was read.
    struct Snapshot: Sendable {
        let credential: Credential?
        /// How many renewals had ended.
        let renewalCount: Int
        /// How often the credential had been set from outside.
        let replacementCount: Int
    }

    enum Start {
        case send(Snapshot)
        /// Wait for a running renewal.
        case wait(SharedTask<Snapshot>, waiter: Int)
    }

    enum Retry {
        /// Send it again with this credential.
        case send(Snapshot)
        /// Wait for a running renewal.
        case wait(SharedTask<Snapshot>, waiter: Int)
        /// Start this renewal of a rejected credential and wait for it.
        case renew(SharedTask<Snapshot>, refused: Credential?)
        /// Return the 401.
        ///
        /// - Parameters:
        ///   - error: Why the credential could not be renewed; nil without a renewal.
        ///   - isNew: Whether the rejection has not been reported yet.
        case giveUp(error: (any Error)?, isNew: Bool)
    }

    private(set) var credential: Credential?
    private(set) var renewal: SharedTask<Snapshot>?
    private var renewalCount = 0
    private var replacementCount = 0
    private var failure: (any Error)?
    /// Whether the credential was rejected and will not be renewed.
    private var isRefused = false

    init(_ credential: Credential?) { self.credential = credential }

    var snapshot: Snapshot {
        Snapshot(credential: credential, renewalCount: renewalCount, replacementCount: replacementCount)
    }

    /// The next step of a request that has not been sent. A credential being renewed is not used.
    func start() -> Start {
        if let renewal, let waiter = renewal.join() { return .wait(renewal, waiter: waiter) }
        return .send(snapshot)
    }

    mutating func retry(afterRefusalOf refused: Snapshot, canRenew: Bool) -> Retry {
        if let renewal, let waiter = renewal.join() { return .wait(renewal, waiter: waiter) }
        if refused.renewalCount != renewalCount {
            return failure.map { .giveUp(error: $0, isNew: false) } ?? .send(snapshot)
        }
        guard canRenew, !isRefused else {
            defer { isRefused = true }
            return .giveUp(error: failure, isNew: !isRefused)
        }
        let renewal = SharedTask<Snapshot>()
        self.renewal = renewal
        return .renew(renewal, refused: refused.credential)
    }

    /// Applies the outcome of a renewal, and returns the result for those waiting; nil if the credential was set meanwhile.
    mutating func end(
        _ renewal: SharedTask<Snapshot>, with outcome: Result<Credential, any Error>
    ) -> Result<Snapshot, any Error>? {
        guard self.renewal === renewal else { return nil }
        self.renewal = nil
        renewalCount += 1
        switch outcome {
        case .success(let credential):
            self.credential = credential
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
    mutating func replace(with credential: Credential?) -> (obsolete: SharedTask<Snapshot>?, snapshot: Snapshot) {
        defer { renewal = nil }
        self.credential = credential
        renewalCount += 1
        replacementCount += 1
        failure = nil
        isRefused = false
        return (renewal, snapshot)
    }
}

extension Error {
    /// Whether the error is unrelated to the credential: no connection, or cancelled.
    var isTransient: Bool {
        switch self as? RequestError {
        case .connection, .noConnectivity, .cancelled: true
        case nil: self is CancellationError
        default: false
        }
    }
}

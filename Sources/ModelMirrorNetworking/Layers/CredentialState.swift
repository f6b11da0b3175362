/// What an ``AuthenticatingTransport`` knows about its credential.
///
/// Renewals are counted, failed ones too. The outcome of a renewal that ended after a request was sent holds for that
/// request, so neither a late 401 nor a late failure leads to another renewal.
struct CredentialState<Credential: Sendable> {
    /// A credential, and what had happened when it was looked at.
    struct Issue: Sendable {
        let credential: Credential?
        /// How many renewals had ended.
        let renewalCount: Int
        /// How often the credential had been set from outside.
        let replacementCount: Int
    }

    /// What a request does before it is sent.
    enum Start {
        case send(Issue)
        /// It waits for a renewal that is under way.
        case wait(Flight<Issue>, seat: Int)
    }

    /// What a request does after a 401.
    enum Retry {
        /// It is sent again with this.
        case send(Issue)
        /// It waits for a renewal that is under way.
        case wait(Flight<Issue>, seat: Int)
        /// It starts this renewal of a refused credential and waits for it.
        case renew(Flight<Issue>, refused: Credential?)
        /// The 401 is the result.
        ///
        /// - Parameters:
        ///   - error: Why the credential could not be renewed; nil if nothing renews it.
        ///   - isNews: Whether nobody was told yet that the credential is refused.
        case giveUp(error: (any Error)?, isNews: Bool)
    }

    private(set) var credential: Credential?
    private(set) var flight: Flight<Issue>?
    private var renewalCount = 0
    private var replacementCount = 0
    private var failure: (any Error)?
    /// Whether the credential was refused and will not be renewed.
    private var isRefused = false

    init(_ credential: Credential?) { self.credential = credential }

    /// The present credential.
    var issue: Issue {
        Issue(credential: credential, renewalCount: renewalCount, replacementCount: replacementCount)
    }

    /// What a request does that has not been sent: a credential that is being renewed is not sent any more.
    func start() -> Start {
        if let flight, let seat = flight.takeSeat() { return .wait(flight, seat: seat) }
        return .send(issue)
    }

    /// What a request does that was answered with 401.
    mutating func retry(afterRefusalOf refused: Issue, canRenew: Bool) -> Retry {
        if let flight, let seat = flight.takeSeat() { return .wait(flight, seat: seat) }
        if refused.renewalCount != renewalCount {
            return failure.map { .giveUp(error: $0, isNews: false) } ?? .send(issue)
        }
        guard canRenew, !isRefused else {
            defer { isRefused = true }
            return .giveUp(error: failure, isNews: !isRefused)
        }
        let flight = Flight<Issue>()
        self.flight = flight
        return .renew(flight, refused: refused.credential)
    }

    /// Takes the outcome of a renewal, and gives what those who wait for it get; nil if the flight has been replaced.
    mutating func end(_ flight: Flight<Issue>, with outcome: Result<Credential, any Error>) -> Result<Issue, any Error>?
    {
        guard self.flight === flight else { return nil }
        self.flight = nil
        renewalCount += 1
        switch outcome {
        case .success(let credential):
            self.credential = credential
            failure = nil
            isRefused = false
            return .success(issue)
        case .failure(let error):
            failure = error
            isRefused = !error.isTransient
            return .failure(error)
        }
    }

    /// Takes a credential from outside, and gives the renewal that it makes needless.
    mutating func replace(with credential: Credential?) -> (needless: Flight<Issue>?, issue: Issue) {
        defer { flight = nil }
        self.credential = credential
        renewalCount += 1
        replacementCount += 1
        failure = nil
        isRefused = false
        return (flight, issue)
    }
}

extension Error {
    /// Whether the error says nothing about the credential: no connection, or cancelled.
    var isTransient: Bool {
        switch self as? RequestError {
        case .connection, .noConnectivity, .cancelled: true
        case nil: self is CancellationError
        default: false
        }
    }
}

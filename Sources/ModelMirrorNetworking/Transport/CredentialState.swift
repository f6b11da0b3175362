/// What an ``AuthenticatingTransport`` knows about its credential.
///
/// Refreshes are counted, ended and failed ones too. What a refresh that ended after a request was sent has led to holds
/// for that request; so neither a late 401 nor a late failure leads to another refresh.
struct CredentialState<Credential: Sendable> {
    /// A credential, and how many refreshes had ended when it was looked at.
    struct Issue: Sendable {
        let credential: Credential?
        let refreshCount: Int
    }

    /// What a request does next.
    enum Step {
        /// It is sent with this.
        case send(Issue)
        /// It waits for a refresh that is under way.
        case wait(Flight<Issue>, seat: Int)
        /// It begins this refresh of a refused credential and waits for it.
        case refresh(Flight<Issue>, refused: Credential?)
        /// It fails.
        case fail(any Error)
    }

    private(set) var credential: Credential?
    private(set) var flight: Flight<Issue>?
    private var refreshCount = 0
    private var failure: (any Error)?

    init(_ credential: Credential?) { self.credential = credential }

    private var issue: Issue { Issue(credential: credential, refreshCount: refreshCount) }

    /// What a request does that has not been sent: a credential that is being refreshed is not sent any more.
    func stepBeforeSending() -> Step {
        if let flight, let seat = flight.takeSeat() { return .wait(flight, seat: seat) }
        return .send(issue)
    }

    /// What a request does that was answered with 401.
    mutating func step(afterRefusalOf refused: Issue) -> Step {
        if let flight, let seat = flight.takeSeat() { return .wait(flight, seat: seat) }
        if refused.refreshCount != refreshCount { return failure.map { .fail($0) } ?? .send(issue) }
        let flight = Flight<Issue>()
        self.flight = flight
        return .refresh(flight, refused: refused.credential)
    }

    /// Takes what a refresh has led to, and gives what those who wait for it get; nil if the flight has been replaced.
    mutating func end(_ flight: Flight<Issue>, with outcome: Result<Credential, any Error>) -> Result<Issue, any Error>?
    {
        guard self.flight === flight else { return nil }
        self.flight = nil
        refreshCount += 1
        switch outcome {
        case .success(let credential):
            self.credential = credential
            failure = nil
            return .success(issue)
        case .failure(let error):
            failure = error
            return .failure(error)
        }
    }

    /// Takes a credential from outside, and gives the refresh that it makes needless.
    mutating func replace(with credential: Credential?) -> (needless: Flight<Issue>?, issue: Issue) {
        defer { flight = nil }
        self.credential = credential
        refreshCount += 1
        failure = nil
        return (flight, issue)
    }
}

import ModelMirror

/// The account that a ``Transport`` sends a request for: everything outside the request itself by which a server distinguishes
/// two senders.
///
/// Stores and ``CoalescingTransport`` keep the responses of different identities apart. A request is bound to its identity when it
/// starts (``TransportRequest/identity``), together with the sign-in of each layer that holds a credential. A layer that would send
/// it under another sign-in throws ``RequestError/accountChanged`` instead.
///
/// ```swift
/// struct Stamped: Transport {
///     let base: any Transport
///     func response(to request: TransportRequest) async throws -> TransportResponse { … }
///     func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
/// }
/// ```
public enum TransportIdentity: Hashable, Sendable {
    /// No account: the transport adds nothing that identifies a user.
    case none
    /// An account, by a name that outlives its tokens, such as the user's id. It is part of store keys. A line break separates names
    /// that were joined.
    case account(String)
    /// The transport cannot tell. Responses are neither stored nor shared.
    case unknown

    /// The identity of a request to which two layers add credentials. Equal names are one.
    func joined(with other: TransportIdentity) -> TransportIdentity {
        switch (self, other) {
        case (.none, let only), (let only, .none): return only
        case (.unknown, _), (_, .unknown): return .unknown
        case (.account, .account):
            var all = names
            all.addNames(other.names)
            return .account(all.joined(separator: "\n"))
        }
    }

    /// The names that were joined; none if there is no account, or an unknown one.
    var names: [String] {
        guard case .account(let name) = self else { return [] }
        // By bytes: a carriage return and a line break are one Character. The empty name is escaped, since nothing names no account.
        return name.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            $0.isEmpty ? "\u{1}" : String(Substring($0))
        }
    }

    /// The identity of one name that the program chose: what would separate it, or begin the mark of a jar, is escaped.
    var ofOneName: TransportIdentity {
        let special: [Unicode.Scalar] = ["\0", "\u{1}", "\n"]
        // Nearly no name has one, and names are asked for with each request.
        guard case .account(let name) = self, name.unicodeScalars.contains(where: special.contains) else { return self }
        let escaped = name.unicodeScalars.map { special.contains($0) ? "\u{1}\($0.value)." : String($0) }
        return .account(escaped.joined())
    }

    /// Whether an account that signs out, one name or several that were joined, is among the names that were joined.
    func contains(_ account: TransportIdentity) -> Bool {
        [account, account.ofOneName].contains { $0.names.allSatisfy(names.hasName) }
    }
}

/// Names are compared by their bytes, as in store keys: a server may tell apart what Unicode does not.
extension TransportIdentity: ComparedByIdentity {
    package var comparedValue: [[UInt8]?] {
        switch self {
        case .none: []
        case .account(let name): [Array(name.utf8)]
        case .unknown: [nil]
        }
    }
}

extension [String] {
    /// Whether a name is among these names, by its bytes.
    func hasName(_ name: String) -> Bool { contains { $0.utf8.elementsEqual(name.utf8) } }

    /// Appends the names that are not among these.
    mutating func addNames(_ names: [String]) { self += names.filter { !hasName($0) } }
}

extension TransportRequest {
    /// The account that the request was started for; nil until a client or the first layer that needs it binds the request.
    public var identity: TransportIdentity? { binding?.identity }

    /// Binds the request to the account and the sign-ins under which a transport would send it now, unless it is bound.
    ///
    /// - Parameters:
    ///   - transport: The transport, which the caller holds until the request has ended.
    ///   - account: The client's account.
    ///   - earlier: The binding of a request that this one follows from.
    ///   - ledgers: Where running requests of an account are found when it signs out.
    mutating func bind(
        over transport: BoundTransport, account: String? = nil, following earlier: RequestBinding? = nil,
        in ledgers: [AccountLedger] = []
    ) {
        while binding == nil {
            let generations = ledgers.map(\.generation)
            let candidate = RequestBinding(
                self, over: transport, account: account, following: earlier, ledgers: ledgers)
            // Bound again if an account signed out meanwhile.
            if zip(candidate.ledgers, generations).allSatisfy({ $0.enter(candidate, since: $1) }) {
                binding = candidate
            }
        }
    }

    /// Binds the request as a layer does that gets it from no client, unless it is bound.
    ///
    /// - Returns: What the layer holds until the request has ended.
    mutating func bind(over transport: any Transport) -> BoundTransport? {
        guard binding == nil else { return nil }
        let bound = BoundTransport(transport)
        bind(over: bound)
        return bound
    }

    /// The identity in the request's own fields.
    ///
    /// Such fields count as an account named by the first half of their SHA-256 digest. A token cannot be recovered from it, but
    /// guesses can be tested: where store keys are readable, a short password is not safe.
    var fieldIdentity: TransportIdentity {
        let user = url.hasUserInfo ? "user: \(url.user() ?? ""):\(url.password() ?? "")" : nil
        let credential = headers[.authorization].map { "authorization: \($0)" } ?? user
        let secrets = [credential, headers[.cookie].map { "cookie: \($0)" }].compactMap(\.self)
        guard !secrets.isEmpty else { return .none }
        return .account(String(SHA256Digest(of: secrets.joined(separator: "\n")).hexadecimal.prefix(32)))
    }
}

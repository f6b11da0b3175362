import Foundation

/// Who a ``Transport`` sends a request for: all that lets a server tell two senders of the same request apart and that is
/// not in the request itself.
///
/// Stores and ``CoalescingTransport`` keep the answers of different identities apart. A client asks for it once, when a
/// request starts, and binds it to the request (``TransportRequest/identity``). A transport that would send the request for
/// somebody else, because another user signed in meanwhile, throws ``RequestError/accountChanged`` instead.
///
/// ```swift
/// struct Stamped: Transport {
///     let base: any Transport
///     func response(to request: TransportRequest) async throws -> TransportResponse { … }
///     func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }
/// }
/// ```
public enum TransportIdentity: Hashable, Sendable {
    /// Nobody in particular: the transport adds nothing that identifies a user.
    case none
    /// An account, by a name that outlives its tokens, such as the user's id. Stores use it in their keys.
    case account(String)
    /// The transport cannot tell. Answers are neither stored nor shared.
    case unknown

    /// The identity of a request that two layers add something to.
    func joined(with other: TransportIdentity) -> TransportIdentity {
        switch (self, other) {
        case (.none, let only), (let only, .none): only
        case (.unknown, _), (_, .unknown): .unknown
        case (.account(let first), .account(let second)): .account("\(first)\n\(second)")
        }
    }
}

extension TransportRequest {
    /// The identity of this request when a transport sends it: the account that the client names, else that of the transport, joined with that of the request's own
    /// `Authorization` and `Cookie` fields or the user in its URL.
    ///
    /// Such fields count as an account named by the first half of their SHA-256 digest. It cannot be turned back into a
    /// token, but a guess can be tested against it: where a store's keys can be read, a short password is not safe.
    func identity(over transport: any Transport) -> TransportIdentity {
        if let account { return .account(account) }
        return fieldIdentity.joined(with: transport.identity(for: self))
    }

    /// Binds the request to the identity it has now over a transport, unless it is bound already.
    mutating func bindIdentity(over transport: any Transport) {
        if identity == nil { identity = self.identity(over: transport) }
    }

    /// Checks that a transport would still send this request for those it is bound to. A request that is unbound or bound
    /// to ``TransportIdentity/unknown`` passes.
    ///
    /// - Throws: ``RequestError/accountChanged``.
    func checkIdentity(over transport: any Transport) throws(RequestError) {
        guard let bound = identity, bound != .unknown else { return }
        guard identity(over: transport) == bound else { throw .accountChanged }
    }

    /// What the request's own fields say about the sender.
    var fieldIdentity: TransportIdentity {
        var secrets: [String] = []
        if let value = headers[.authorization] {
            secrets.append("authorization: \(value)")
        } else if url.user != nil || url.password != nil {
            secrets.append("user: \(url.user ?? ""):\(url.password ?? "")")
        }
        if let value = headers[.cookie] { secrets.append("cookie: \(value)") }
        guard !secrets.isEmpty else { return .none }
        let digest = SHA256Digest(of: Data(secrets.joined(separator: "\n").utf8))
        return .account(String(digest.hexadecimal.prefix(32)))
    }
}

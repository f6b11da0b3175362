#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The account that a ``Transport`` sends a request for: everything outside the request itself by which a server distinguishes
/// two senders.
///
/// Stores and ``CoalescingTransport`` keep the responses of different identities apart. A client reads the identity once, when a
/// request starts, and binds it to the request (``TransportRequest/identity``). A transport that would send the request for another
/// account, because another user signed in meanwhile, throws ``RequestError/accountChanged`` instead.
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
    /// An account, by a name that outlives its tokens, such as the user's id. It is part of store keys.
    case account(String)
    /// The transport cannot tell. Responses are neither stored nor shared.
    case unknown

    /// The identity of a request to which two layers add credentials.
    func joined(with other: TransportIdentity) -> TransportIdentity {
        switch (self, other) {
        case (.none, let only), (let only, .none): only
        case (.unknown, _), (_, .unknown): .unknown
        case (.account(let first), .account(let second)): .account("\(first)\n\(second)")
        }
    }
}

extension TransportRequest {
    /// The identity of this request over a transport: the client's account, else the transport's, joined with that of the
    /// request's `Authorization` and `Cookie` fields and the user in its URL.
    ///
    /// Such fields count as an account named by the first half of their SHA-256 digest. A token cannot be recovered from it, but
    /// guesses can be tested: where store keys are readable, a short password is not safe.
    func identity(over transport: any Transport) -> TransportIdentity {
        if let account { return .account(account) }
        return fieldIdentity.joined(with: transport.identity(for: self))
    }

    /// Binds the request to its current identity over a transport, unless it is already bound.
    mutating func bindIdentity(over transport: any Transport) {
        if identity == nil { identity = self.identity(over: transport) }
    }

    /// Checks that a transport would still send this request for the identity it is bound to. A request that is unbound or
    /// bound to ``TransportIdentity/unknown`` passes.
    ///
    /// - Throws: ``RequestError/accountChanged``.
    func checkIdentity(over transport: any Transport) throws(RequestError) {
        guard let bound = identity, bound != .unknown else { return }
        guard identity(over: transport) == bound else { throw .accountChanged }
    }

    /// The identity in the request's own fields.
    var fieldIdentity: TransportIdentity {
        var secrets: [String] = []
        if let value = headers[.authorization] {
            secrets.append("authorization: \(value)")
        } else if url.hasUserInfo {
            secrets.append("user: \(url.user() ?? ""):\(url.password() ?? "")")
        }
        if let value = headers[.cookie] { secrets.append("cookie: \(value)") }
        guard !secrets.isEmpty else { return .none }
        let digest = SHA256Digest(of: Data(secrets.joined(separator: "\n").utf8))
        return .account(String(digest.hexadecimal.prefix(32)))
    }
}

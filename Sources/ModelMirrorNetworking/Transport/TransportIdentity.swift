/// For whom a ``Transport`` sends a request: what a server can tell two senders of one request apart by, beside the request.
///
/// Stores and ``CoalescingTransport`` keep the answers of different identities apart. It is asked for once, when a request
/// starts, and bound to it (``TransportRequest/identity``): a transport that would send the request under another one, since
/// somebody else signed in meanwhile, throws ``RequestError/accountChanged``.
public enum TransportIdentity: Hashable, Sendable {
    /// For nobody in particular: the transport adds nothing that names a user.
    case none
    /// For an account, by a name that outlives its tokens, such as the user's id. It becomes part of the keys of stores.
    case account(String)
    /// The transport cannot tell. What is unknown is neither stored nor shared.
    case unknown
}

#if !os(Linux) || FoundationNetworking
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The sessions of a ``URLSessionTransport``: one with its cookies for each name, and one for requests without a name.
final class NamedSessions: CookieKeeper {
    struct Session: Sendable {
        let transfers: TransferSession
        #if canImport(FoundationNetworking)
        let cookies: SessionCookies?
        #endif

        init(
            _ options: URLSessionTransport.Options, _ configuration: URLSessionConfiguration,
            _ delegate: (any URLSessionTaskDelegate)?
        ) {
            #if canImport(FoundationNetworking)
            cookies = SessionCookies(takenFrom: configuration)
            #endif
            transfers = TransferSession(options, configuration, delegate)
        }
    }

    /// The most sessions with a name; the least recently used ones are closed.
    private static let limit = 64

    /// Whether requests of different names have different cookies.
    let separatesAccounts: Bool
    private let options: URLSessionTransport.Options
    private let nameless: Session
    private let named = Mutex(RecencyList<String, Session>(limit: limit))

    /// - Parameters:
    ///   - configuration: The configuration of the nameless session.
    ///   - delegate: Its delegate.
    ///   - options: The options of all sessions.
    ///   - separatesAccounts: Whether each name has a session of its own, with cookies in memory.
    init(
        _ configuration: URLSessionConfiguration, _ delegate: (any URLSessionTaskDelegate)?,
        _ options: URLSessionTransport.Options, separatesAccounts: Bool
    ) {
        self.options = options
        self.separatesAccounts = separatesAccounts
        nameless = Session(options, configuration, delegate)
    }

    func session(for name: String) -> Session {
        guard separatesAccounts, options.cookies == .shared ? RequestBinding.isAccount(name) : !name.isEmpty else {
            return nameless
        }
        return named.withLock { named in
            if let session = named.use(name) { return session }
            var own = options
            own.cookies = .session
            let session = Session(own, .transport(own), nil)
            named.insert(session, for: name)
            return session
        }
    }

    func removeCookies(for account: String) async {
        let parts = TransportIdentity.account(account).names
        named.withLock { named in
            for name in named.keys where TransportIdentity.account(name).contains(parts) { named.remove(name) }
        }
    }
}
#endif

import Synchronization

/// What a transport keeps cookies in: a jar for each account name, and one for requests without a name.
final class NamedJars<Jar: Sendable>: CookieKeeper {
    /// How cookies are handled; with ``CookiePolicy/none``, requests of all names have the nameless jar.
    let policy: CookiePolicy
    private let nameless: Jar
    private let make: @Sendable () -> Jar
    private let named: Mutex<RecencyList<TransportIdentity, Jar>>

    /// - Parameters:
    ///   - limit: The most jars with a name; the least recently used ones are dropped.
    ///   - make: Makes a jar with a name.
    init(_ policy: CookiePolicy, limit: Int, nameless: Jar, make: @escaping @Sendable () -> Jar) {
        self.policy = policy
        self.nameless = nameless
        self.make = make
        named = Mutex(RecencyList(limit: limit))
    }

    /// The jar of a name.
    func jar(for name: String) -> Jar {
        let isNamed = policy == .shared ? RequestBinding.isAccount(name) : !name.isEmpty
        guard policy != .none, isNamed else { return nameless }
        return named.withLock { named in
            if let jar = named.use(.account(name)) { return jar }
            let jar = make()
            named.insert(jar, for: .account(name))
            return jar
        }
    }

    func removeCookies(for account: String) async {
        let account = TransportIdentity.account(account)
        named.withLock { named in
            for name in named.keys where name.contains(account) { named.remove(name) }
        }
    }
}

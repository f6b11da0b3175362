#if os(Linux)
import CurlCalls
import Synchronization

/// The cookie jars of a ``CurlTransport``: one for each name, and one for requests without a name.
final class CookieJars: CookieKeeper {
    /// The most jars with a name; the least recently used ones are emptied.
    static let limit = 1000

    /// The nameless jar of all transports with the policy `.shared`.
    private static let shared = Mutex<CookieJar?>(nil)

    private let library: CurlLibrary
    private let isShared: Bool
    private let jars = Mutex(RecencyList<String, CookieJar>(limit: limit))

    /// The jars for a policy; nil if it keeps no cookies.
    init?(_ policy: CookiePolicy, _ library: CurlLibrary) {
        if policy == .none { return nil }
        self.library = library
        isShared = policy == .shared
    }

    /// The jar of a name; nil if memory runs out.
    func jar(for name: String) -> CookieJar? {
        if isShared, !RequestBinding.isAccount(name) {
            return CookieJars.shared.withLock { jar in
                if jar == nil { jar = CookieJar(library) }
                return jar
            }
        }
        return jars.withLock { jars in
            if let jar = jars.use(name) { return jar }
            guard let jar = CookieJar(library) else { return nil }
            jars.insert(jar, for: name)
            return jar
        }
    }

    func removeCookies(for account: String) async {
        let parts = TransportIdentity.account(account).names
        jars.withLock { jars in
            for name in jars.keys where TransportIdentity.account(name).contains(parts) { jars.remove(name) }
        }
    }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Cookies in memory, stored and selected by libcurl (RFC 6265, with a public suffix list if it was built with one).
///
/// It must outlive the handles that use it: an exchange holds it until its handle is freed.
// @unchecked: used by the threads of engines, guarded by its locks.
final class CookieJar: @unchecked Sendable {
    let handle: CurlLibrary.Handle
    private let library: CurlLibrary
    /// One lock for each kind of shared data, of which libcurl has fewer than 16.
    private let locks: UnsafeMutablePointer<pthread_mutex_t>
    private static let lockCount = 16

    fileprivate init?(_ library: CurlLibrary) {
        guard let handle = library.shareInit() else { return nil }
        self.library = library
        self.handle = handle
        locks = .allocate(capacity: CookieJar.lockCount)
        for index in 0..<CookieJar.lockCount { pthread_mutex_init(locks + index, nil) }
        // CURLSHOPT_USERDATA: the locks, which are freed after the handle.
        _ = curl_calls_set_pointer(library.shareSet, handle, 5, locks)
        _ = curl_calls_set_lock_functions(
            library.shareSet, handle,
            { _, data, _, context in
                pthread_mutex_lock(CookieJar.lock(data, context))
            },
            { _, data, context in
                pthread_mutex_unlock(CookieJar.lock(data, context))
            })
        // CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE.
        _ = curl_calls_set_long(library.shareSet, handle, 1, 2)
    }

    deinit {
        _ = library.shareCleanup(handle)
        for index in 0..<CookieJar.lockCount { pthread_mutex_destroy(locks + index) }
        locks.deallocate()
    }

    private static func lock(_ data: Int32, _ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<
        pthread_mutex_t
    > {
        // libcurl passes back the pointer it was given, which is not nil.
        context.unsafelyUnwrapped.assumingMemoryBound(to: pthread_mutex_t.self) + Int(data) % lockCount
    }
}
#endif

#if os(Linux)
import CurlCalls
import ModelMirrorFoundation

/// Cookies in memory, stored and selected by libcurl (RFC 6265, with a public suffix list if it was built with one).
///
/// It must outlive the handles that use it: an exchange holds it until its handle is freed.
// @unchecked: used by the threads of engines, guarded by its locks.
final class CookieJar: @unchecked Sendable {
    let handle: CurlLibrary.Handle
    /// The most jars with a name of a transport.
    static let limit = 1000

    /// The nameless jar of all transports with the policy `.shared`.
    private static let shared = CurlLibrary.shared.flatMap(CookieJar.init)

    private let library: CurlLibrary
    /// One lock for each kind of shared data, of which libcurl has fewer than 16.
    private let locks: Locks
    private static let lockCount = 16
    private typealias Locks = UnsafeMutablePointer<pthread_mutex_t>

    /// The jars of a transport; nil if it keeps no cookies. A jar is nil if memory runs out.
    static func jars(_ policy: CookiePolicy, _ library: CurlLibrary) -> NamedJars<CookieJar?>? {
        if policy == .none { return nil }
        let nameless = policy == .shared ? shared : CookieJar(library)
        return NamedJars(policy, limit: limit, nameless: nameless) { CookieJar(library) }
    }

    private init?(_ library: CurlLibrary) {
        guard let handle = library.shareInit() else { return nil }
        self.library = library
        self.handle = handle
        locks = .allocate(capacity: CookieJar.lockCount)
        for index in 0..<CookieJar.lockCount { pthread_mutex_init(locks + index, nil) }
        // CURLSHOPT_USERDATA: the locks, which are freed after the handle.
        _ = curl_calls_set_pointer(library.shareSet, handle, 5, locks)
        _ = curl_calls_set_lock_functions(
            library.shareSet, handle, { _, data, _, context in pthread_mutex_lock(CookieJar.lock(data, context)) },
            { _, data, context in pthread_mutex_unlock(CookieJar.lock(data, context)) })
        // CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE.
        _ = curl_calls_set_long(library.shareSet, handle, 1, 2)
    }

    deinit {
        _ = library.shareCleanup(handle)
        for index in 0..<CookieJar.lockCount { pthread_mutex_destroy(locks + index) }
        locks.deallocate()
    }

    private static func lock(_ data: Int32, _ context: UnsafeMutableRawPointer?) -> Locks {
        // libcurl passes back the pointer it was given, which is not nil.
        context.unsafelyUnwrapped.assumingMemoryBound(to: pthread_mutex_t.self) + Int(data) % lockCount
    }
}
#endif

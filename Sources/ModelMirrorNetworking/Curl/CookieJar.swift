#if os(Linux)
import CurlCalls
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Cookies in memory, stored and selected by libcurl (RFC 6265, with a public suffix list if it was built with one).
///
/// It must outlive the handles that use it: an engine's loop holds it until its last handle is freed.
// @unchecked: a session's jar is used only by one engine's thread; the shared one by several, guarded by its locks.
final class CookieJar: @unchecked Sendable {
    private static let shared = Mutex<CookieJar?>(nil)

    let handle: CurlLibrary.Handle
    private let library: CurlLibrary
    /// One lock for each kind of shared data, of which libcurl has fewer than 16.
    private let locks: UnsafeMutablePointer<pthread_mutex_t>
    private static let lockCount = 16

    /// The jar for a policy; nil for none.
    static func jar(for policy: CookiePolicy, _ library: CurlLibrary) -> CookieJar? {
        switch policy {
        case .none: nil
        case .session: CookieJar(library)
        case .shared:
            shared.withLock { jar in
                if jar == nil { jar = CookieJar(library) }
                return jar
            }
        }
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

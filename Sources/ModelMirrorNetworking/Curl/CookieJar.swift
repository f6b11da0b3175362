#if os(Linux)
import CurlCalls
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Cookies in memory, kept and chosen by libcurl (RFC 6265, with the list of public suffixes where it was built with one).
///
/// It has to outlive the handles that use it: an engine's loop holds it until its last handle is gone.
// @unchecked: one engine's thread uses a jar of its own; the shared one is used by several, with its locks.
final class CookieJar: @unchecked Sendable {
    private static let shared = Mutex<CookieJar?>(nil)

    let handle: CurlLibrary.Handle
    private let library: CurlLibrary
    /// libcurl locks each kind of data that is shared, of which there are fewer than 16.
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
        // CURLSHOPT_USERDATA: the locks, which go after the handle.
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
        // libcurl gives back what it was given, which is not nil.
        context.unsafelyUnwrapped.assumingMemoryBound(to: pthread_mutex_t.self) + Int(data) % lockCount
    }
}
#endif

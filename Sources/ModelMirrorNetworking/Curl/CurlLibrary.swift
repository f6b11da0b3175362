#if os(Linux)
import CurlCalls
import ModelMirrorFoundation

/// The functions of the installed libcurl and zlib, loaded when they are first needed.
///
/// Only libcurl's public C interface is used, which has been stable since 2006. Version 7.68 is required, recognized by
/// `curl_multi_wakeup`; anything newer is optional.
// @unchecked: constant addresses of functions that may be called on any thread.
struct CurlLibrary: @unchecked Sendable {
    typealias Handle = UnsafeMutableRawPointer
    typealias List = UnsafeMutableRawPointer
    typealias Inflation = UnsafeMutablePointer<curl_calls_inflation>

    let easyInit: @convention(c) () -> Handle?
    let easyCleanup: @convention(c) (Handle) -> Void
    let easyPause: @convention(c) (Handle, Int32) -> Int32
    let listAppend: @convention(c) (List?, UnsafePointer<CChar>) -> List?
    let listFree: @convention(c) (List?) -> Void
    let multiInit: @convention(c) () -> Handle?
    let multiCleanup: @convention(c) (Handle) -> Int32
    let multiAdd: @convention(c) (Handle, Handle) -> Int32
    let multiRemove: @convention(c) (Handle, Handle) -> Int32
    let multiPerform: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
    let multiPoll:
        @convention(c) (Handle, UnsafeMutableRawPointer?, UInt32, Int32, UnsafeMutablePointer<Int32>?) -> Int32
    let multiWakeup: @convention(c) (Handle) -> Int32
    let multiRead: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<curl_calls_message>?
    let shareInit: @convention(c) () -> Handle?
    let shareCleanup: @convention(c) (Handle) -> Int32
    /// Variadic: called only through `CurlCalls`.
    let easySet, easyGet, multiSet, shareSet: UnsafeMutableRawPointer
    /// Whether a session of OpenSSL holds bytes that have not been read, and how many one of GnuTLS does; nil without that library.
    let openSSLPending: (@convention(c) (Handle) -> Int32)?
    let gnuTLSPending: (@convention(c) (Handle) -> Int)?
    /// The version, such as `7.88.1`.
    let version: String
    /// The version as one number, such as `0x075801`.
    let versionNumber: UInt32
    /// Whether the library, before 8.19, may lose an HTTP/2 response to a request that the server does not read, and does not report
    /// each refused stream.
    var losesEarlyAnswers: Bool { versionNumber < 0x08_13_00 }
    /// Whether it resolves names without blocking the thread that uses it.
    var resolvesAsynchronously: Bool
    /// Whether its TLS is that of GnuTLS.
    let usesGnuTLS: Bool
    /// Nil without zlib; then no compression is requested.
    let inflating: InflateFunctions?

    // @unchecked: as above.
    struct InflateFunctions: @unchecked Sendable {
        let begin: @convention(c) (Inflation, Int32, UnsafePointer<CChar>, Int32) -> Int32
        let inflate: @convention(c) (Inflation, Int32) -> Int32
        let end: @convention(c) (Inflation) -> Int32
    }

    /// The installed library; nil if there is none, or it is older than 7.68.
    static let shared = CurlLibrary(named: ["libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"])

    /// The first library found under these names; nil if there is none, or it is too old.
    init?(named names: [String]) {
        let versionInfo: @convention(c) (Int32) -> UnsafePointer<curl_calls_version>?
        guard let functions = Functions(named: names) else { return nil }
        do {
            let globalInit: @convention(c) (Int) -> Int32 = try functions("curl_global_init")
            // CURL_GLOBAL_ALL. Calls are counted, so other users of the library may call it too.
            guard globalInit(3) == 0 else { return nil }
            versionInfo = try functions("curl_version_info")
            easyInit = try functions("curl_easy_init")
            easyCleanup = try functions("curl_easy_cleanup")
            easyPause = try functions("curl_easy_pause")
            listAppend = try functions("curl_slist_append")
            listFree = try functions("curl_slist_free_all")
            multiInit = try functions("curl_multi_init")
            multiCleanup = try functions("curl_multi_cleanup")
            multiAdd = try functions("curl_multi_add_handle")
            multiRemove = try functions("curl_multi_remove_handle")
            multiPerform = try functions("curl_multi_perform")
            multiPoll = try functions("curl_multi_poll")
            multiWakeup = try functions("curl_multi_wakeup")
            multiRead = try functions("curl_multi_info_read")
            shareInit = try functions("curl_share_init")
            shareCleanup = try functions("curl_share_cleanup")
            easySet = try functions("curl_easy_setopt")
            easyGet = try functions("curl_easy_getinfo")
            multiSet = try functions("curl_multi_setopt")
            shareSet = try functions("curl_share_setopt")
            // Functions of the libraries that libcurl is linked with.
            openSSLPending = try? functions("SSL_has_pending")
            gnuTLSPending = try? functions("gnutls_record_check_pending")
        } catch {
            return nil
        }
        let info = versionInfo(0)?.pointee
        version = info?.version.map { String(cString: $0) } ?? ""
        // CURL_VERSION_ASYNCHDNS.
        resolvesAsynchronously = (info?.features ?? 0) & 1 << 7 != 0
        versionNumber = info?.number ?? 0
        usesGnuTLS = info?.tls.map { String(cString: $0) }?.hasPrefix("GnuTLS") ?? false
        inflating = try? Functions(named: ["libz.so.1"]).map { functions in
            InflateFunctions(
                begin: try functions("inflateInit2_"), inflate: try functions("inflate"),
                end: try functions("inflateEnd"))
        }
        // After the global start, which registers the cleanup of OpenSSL: handlers run in reverse order.
        CurlEngine.endAtExit()
    }

    /// Looks up functions, each as the type that its library documents.
    private struct Functions {
        struct Missing: Error {}

        private let library: UnsafeMutableRawPointer

        /// Opens the first library found under some names; nil if there is none.
        init?(named names: [String]) {
            guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else { return nil }
            self.library = library
        }

        func callAsFunction<Function>(_ name: String) throws(Missing) -> Function {
            guard let function = dlsym(library, name) else { throw Missing() }
            return unsafeBitCast(function, to: Function.self)
        }
    }
}
#endif

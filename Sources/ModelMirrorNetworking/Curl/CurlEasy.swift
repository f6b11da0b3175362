#if os(Linux)
import CurlCalls

/// An easy handle of libcurl, for one request. Used only on the engine's thread.
struct CurlEasy {
    /// Options with a number.
    enum Number: Int32 {
        case verbose = 41
        case noBody = 44
        case upload = 46
        case freshConnection = 74
        case forbidsReuse = 75
        case httpVersion = 84
        case bufferSize = 98
        case noSignal = 99
        case connectTimeoutMilliseconds = 156
        case decodesContent = 158
        case protocols = 181
        case pathAsIs = 234
        case pipeWait = 237
        case suppressConnectHeaders = 265
        case acceptsHTTP09 = 285
        case quickExit = 322
    }

    /// Options with a string, which libcurl copies.
    enum Text: Int32 {
        case url = 10002
        case proxy = 10004
        case cookie = 10022
        case clientCertificate = 10025
        case clientKeyPassword = 10026
        case cookieFile = 10031
        case method = 10036
        case certificateAuthority = 10065
        case clientCertificateType = 10086
        case clientKey = 10087
        case certificateAuthorityFolder = 10097
        case noProxy = 10177
        case pinnedPublicKey = 10230

        /// The options about which servers to trust, and about the client's certificate.
        static let ofTLS: Set<Text> = [
            .certificateAuthority, .clientCertificate, .clientCertificateType, .clientKey, .clientKeyPassword,
            .pinnedPublicKey,
        ]
    }

    /// Options with an address, which must stay valid for as long as the handle has it.
    enum Pointer: Int32 {
        case writeContext = 10001
        case readContext = 10009
        case errorBuffer = 10010
        case headers = 10023
        case headerContext = 10029
        case debugContext = 10095
        case share = 10100
        case readyContext = 10313
    }

    /// Options with a function.
    enum DataFunction: Int32 {
        case write = 20011
        case read = 20012
        case header = 20079
    }

    /// Information about a transfer: numbers.
    enum Count: Int32 {
        case requestSize = 0x20000C
        case httpConnectCode = 0x200016
        case newConnections = 0x20001A
        case httpVersion = 0x20002E
    }

    /// Information about a transfer: 64-bit numbers, times in microseconds.
    enum Size: Int32 {
        case uploaded = 0x600007
        case downloaded = 0x600008
        case totalTime = 0x600032
        case nameLookupTime = 0x600033
        case connectTime = 0x600034
        case firstByteTime = 0x600036
        case secureTime = 0x600038
    }

    /// An option, or a value of it, that this libcurl does not accept. Without it, the request would be a different one.
    struct Refusal: Error {
        let option: Text
        let code: Int32
    }

    let library: CurlLibrary
    let handle: CurlLibrary.Handle

    func set(_ option: Number, _ value: Int) {
        _ = curl_calls_set_long(library.easySet, handle, option.rawValue, value)
    }

    func set(_ option: Text, _ value: String?) throws(Refusal) {
        let code = curl_calls_set_pointer(library.easySet, handle, option.rawValue, value)
        if code != 0 { throw Refusal(option: option, code: code) }
    }

    func set(_ option: Pointer, _ value: UnsafeMutableRawPointer?) {
        _ = curl_calls_set_pointer(library.easySet, handle, option.rawValue, value)
    }

    func set(_ option: DataFunction, _ value: curl_calls_data_function) {
        _ = curl_calls_set_data_function(library.easySet, handle, option.rawValue, value)
    }

    /// Sets the function called when a connection is ready and nothing has been sent. Ignored before libcurl 7.80.
    func setReadyFunction(_ value: curl_calls_ready_function) {
        _ = curl_calls_set_ready_function(library.easySet, handle, 20312, value)
    }

    /// Sets the function called with libcurl's texts.
    func setDebugFunction(_ value: curl_calls_debug_function) {
        _ = curl_calls_set_debug_function(library.easySet, handle, 20094, value)
    }

    /// Makes sockets that processes started by the program do not inherit.
    func setOpenSocket() { _ = curl_calls_set_open_socket(library.easySet, handle) }

    /// Sets the length of the body to send, in bytes; -1 if unknown.
    func setUploadLength(_ length: Int64) { _ = curl_calls_set_size(library.easySet, handle, 30115, length) }

    subscript(_ info: Count) -> Int { number(info.rawValue) }

    subscript(_ info: Size) -> Int64 { number(info.rawValue) }

    /// The socket of the HTTP/1 connection that libcurl keeps after the transfer; nil if it keeps none. An HTTP/2 connection carries
    /// several responses at once.
    var keptSocket: Int32? {
        // CURLINFO_ACTIVESOCKET.
        let socket: Int32 = number(0x50002C)
        return socket >= 0 && 1...2 ~= self[.httpVersion] ? socket : nil
    }

    /// Whether the connection that is ready for the request has ended, or holds bytes that no request asked for.
    ///
    /// - Parameter socket: Its socket.
    func isOutOfStep(_ socket: Int32) -> Bool {
        guard curl_calls_is_quiet(socket) != 0 else { return true }
        // CURLINFO_TLS_SSL_PTR: TLS may have read more from the socket than libcurl has read from it.
        var tls: UnsafePointer<curl_calls_tls>?
        guard curl_calls_get(library.easyGet, handle, 0x40002D, &tls) == 0, let tls = tls?.pointee,
            let session = tls.session
        else { return false }
        switch tls.backend {
        // CURLSSLBACKEND_OPENSSL and CURLSSLBACKEND_GNUTLS.
        case 1: return library.openSSLPending?(session) != 0
        case 2: return library.gnuTLSPending?(session) != 0
        // Other libraries are not asked, and might.
        default: return true
        }
    }

    private func number<Number: FixedWidthInteger>(_ info: Int32) -> Number {
        var value: Number = 0
        return curl_calls_get(library.easyGet, handle, info, &value) == 0 ? value : 0
    }
}
#endif

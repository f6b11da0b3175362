/// The default transport of clients and wrapping transports.
///
/// On Apple platforms it is ``URLSessionTransport``. On Linux it is `CurlTransport`, because a server's response can crash a
/// process that uses `URLSession` there; if libcurl is not found, it is ``URLSessionTransport``.
public enum SystemTransport {
    /// One transport for the whole program, which shares its connections.
    public static var shared: any Transport {
        #if os(Linux)
        sharedCurl ?? URLSessionTransport.shared
        #else
        URLSessionTransport.shared
        #endif
    }

    #if os(Linux)
    private static let sharedCurl = CurlTransport.isAvailable ? CurlTransport() : nil
    #endif
}

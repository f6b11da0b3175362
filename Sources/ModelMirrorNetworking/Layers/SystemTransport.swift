/// The transport that clients and wrapping transports use unless they are given one.
///
/// On Apple platforms it is ``URLSessionTransport``. On Linux it is `CurlTransport`, since a server can end a process that uses
/// `URLSession` there; where no libcurl is found, it is ``URLSessionTransport``, too.
public enum SystemTransport {
    /// One transport for the whole program, whose connections are shared and kept.
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

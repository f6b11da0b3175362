/// The default transport of clients and wrapping transports.
///
/// On Apple platforms it is ``URLSessionTransport``. On Linux it is `CurlTransport`, because a server's response can crash a
/// process that uses `URLSession` there. If libcurl is not found, each request fails with an error that says so; with the
/// package trait `FoundationNetworking`, ``URLSessionTransport`` is used instead.
public enum SystemTransport {
    /// One transport for the whole program, which shares its connections.
    public static var shared: any Transport {
        #if os(Linux)
        sharedOnLinux
        #else
        URLSessionTransport.shared
        #endif
    }

    #if os(Linux)
    private static let sharedOnLinux = transport(over: .shared)

    /// The transport for a machine with this libcurl, or without one.
    static func transport(over library: CurlLibrary?) -> any Transport {
        #if FoundationNetworking
        if library == nil { return URLSessionTransport.shared }
        #endif
        return CurlTransport(CurlTransport.Options(), over: library)
    }
    #endif
}

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

    /// A transport with TLS options, and with connections of its own.
    ///
    /// ```swift
    /// var tls = TLSOptions()
    /// tls.certificateAuthorities = Bundle.main.url(forResource: "authority", withExtension: "pem")
    /// let client = APIClient(transport: SystemTransport.make(tls: tls), baseURL: base)
    /// ```
    ///
    /// On Linux, it needs libcurl, also with the package trait `FoundationNetworking`.
    ///
    /// - Parameters:
    ///   - tls: Which servers are trusted, and the client's certificate.
    ///   - account: The account that a client certificate stands for. Without it, nothing that is sent with a client certificate is
    ///     stored or shared.
    public static func make(tls: TLSOptions, account: String? = nil) -> any Transport {
        #if os(Linux)
        var options = CurlTransport.Options()
        options.account = account
        options.tls = tls
        return CurlTransport(options)
        #else
        var options = URLSessionTransport.Options()
        if let account { options.account = { .account(account) } }
        options.tls = tls
        return URLSessionTransport(options)
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

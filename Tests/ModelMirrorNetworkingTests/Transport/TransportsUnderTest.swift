import Foundation
import ModelMirrorNetworking

/// The built-in transports. Tests with it as an argument run over all that the platform and the package trait provide.
enum TransportUnderTest: String, CaseIterable, Sendable {
    case session, curl

    static var allCases: [TransportUnderTest] {
        #if !os(Linux)
        [.session]
        #elseif FoundationNetworking
        [.session, .curl]
        #else
        [.curl]
        #endif
    }

    /// Whether it has the limitations that SECURITY.md lists.
    var isURLSessionOnLinux: Bool {
        #if os(Linux)
        self == .session
        #else
        false
        #endif
    }

    /// The options that all of them have.
    struct Settings: Sendable {
        var deadline: Duration?
        var redirects: TransportRequest.RedirectPolicy = .follow(limit: 20)
        var cookies: CookiePolicy = .none
        var timeout: Duration?
        var bufferSize: Int?
        var requestsPerHost: Int?
        /// The account of the transport.
        var account: String?
    }

    /// A transport with its own connections.
    func make(_ change: (inout Settings) -> Void = { _ in }) -> any Transport {
        var settings = Settings()
        change(&settings)
        switch self {
        #if !os(Linux) || FoundationNetworking
        case .session: return TransportUnderTest.session(settings)
        #endif
        #if os(Linux)
        case .curl: return TransportUnderTest.curl(settings)
        #endif
        #if !os(Linux) || !FoundationNetworking
        default: preconditionFailure("\(self) is none of allCases here")
        #endif
        }
    }

    #if !os(Linux) || FoundationNetworking
    private static func session(_ settings: Settings) -> any Transport {
        var options = URLSessionTransport.Options()
        options.deadline = settings.deadline
        options.redirects = settings.redirects
        options.cookies = settings.cookies
        if let timeout = settings.timeout { options.timeout = timeout }
        if let size = settings.bufferSize { options.bodyBufferSize = size }
        if let count = settings.requestsPerHost { options.maximumConnectionsPerHost = count }
        if let account = settings.account { options.account = { .account(account) } }
        return URLSessionTransport(options)
    }
    #endif

    #if os(Linux)
    private static func curl(_ settings: Settings) -> any Transport {
        var options = CurlTransport.Options()
        options.deadline = settings.deadline
        options.redirects = settings.redirects
        options.cookies = settings.cookies
        if let timeout = settings.timeout { options.timeout = timeout }
        if let size = settings.bufferSize { options.bodyBufferSize = size }
        if let count = settings.requestsPerHost { options.maximumRequestsPerHost = count }
        options.account = settings.account
        options.proxy = .none
        return CurlTransport(options)
    }
    #endif
}

extension Transport {
    /// The body of a response to GET as text.
    func text(_ url: URL) async throws -> String {
        let response = try await response(to: TransportRequest(.get, url))
        return String(decoding: try await response.body.collect(limit: 1 << 20), as: UTF8.self)
    }
}

#if !os(Linux) || FoundationNetworking
#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The transport of Apple platforms, over `URLSession`; available on Linux with the package trait `FoundationNetworking`.
///
/// ```swift
/// let transport = URLSessionTransport()
/// let response = try await transport.response(to: TransportRequest(.get, url))
/// let data = try await response.body.collect(limit: 1 << 20)
/// ```
///
/// - The head is returned as soon as it arrives, and the body follows. A slow reader slows the sender down, except on Linux.
///   Dropping the body, or cancelling the task, ends the transfer.
/// - Redirects are followed by the rules of RFC 9110 section 15.4, sending the body again where they require it.
/// - Nothing is cached, and no status is an error.
/// - A body shorter than its `Content-Length` fails with `.connectionLost`.
/// - User and password in a URL are sent as basic credentials, unless the request has an `Authorization` field.
/// - A body without a `Content-Type` is sent as `application/octet-stream`.
///
/// Connections are kept open between requests and closed when the transport is released; bodies being read by then can be
/// read to the end.
///
/// On Linux:
/// - A sender cannot be held back. Unread bytes beyond ``Options/bodyBufferSize`` go to a temporary file; more than
///   ``Options/bodySpoolLimit`` there fail the request.
/// - All sessions of a program share one queue. While one receives without a pause, as from a server on the same machine,
///   the others wait. A cancelled task continues at once, but its connection ends later.
/// - A response that breaks off between its status line and the end of its head can crash the program, in
///   FoundationNetworking itself.
/// - A request body in chunks, or of a file, is collected before it is sent, in a temporary file unless it is small, and sent
///   with its length.
/// - A redirect without a usable `Location` has no body, and bodies of other redirects are held in memory.
/// - A cookie is sent to the host that set it alone, whatever its `Domain`: there is no list of public suffixes.
/// - `HTTPCookieStorage.shared` loses the attribute `Secure` when the program ends. Cookies of this transport keep it; those that other
///   code stored are sent over http by a later run.
/// - ``TransportRequest/allowsExpensiveNetwork`` has no effect.
public final class URLSessionTransport: Transport {
    /// A shared transport with the default options, used by default on Apple platforms. Its connections are kept while the
    /// program runs.
    public static let shared = URLSessionTransport()

    private let options: Options
    /// The additional header fields of a user's configuration, nil without one; a request's own fields replace those of the same name.
    private let additionalFields: HTTPHeaders?
    /// One session for each account name, with its cookies, and one for requests without a name.
    private let sessions: NamedJars<TransferSession>

    /// A transport with its own connections.
    public convenience init(_ options: Options = Options()) { self.init(options, .transport(options)) }

    /// A transport over a configuration of your own, for what the options do not offer: proxies, additional fields,
    /// protocol classes.
    ///
    /// Cookies and the connection limit come from the configuration, not from the options. Nothing is cached, whatever the
    /// configuration says, since stores do that; its timeouts are reduced to ``TransportRequest/longestTimeout``. Since it may add
    /// anything to a request, nothing is stored or shared without ``Options/account``. Its additional header fields are treated
    /// like a request's own: credentials among them are dropped on a redirect to another origin.
    ///
    /// A delegate receives:
    ///
    /// - challenges that ``Options/tls`` does not answer, by the session's or the task's method. Cancelling a TLS challenge fails
    ///   the request with ``RequestError/ConnectionFailure/Kind/notSecure``;
    /// - metrics, tasks that are created or wait for connectivity, sent bytes, completion, and the end of the session.
    ///
    /// It is not asked about redirects, bodies and caching, and gets no data. Its methods are called one at a time: on the
    /// session's delegate queue, or on Linux on one queue for all transports. `URLSession` calls the one for a created task apart from
    /// these: at once, on any thread. On Linux, the delegate gets only sent bytes, completion and the end of the session:
    /// `URLSession` measures nothing there, and asks for credentials only after a 401 has been delivered.
    ///
    /// ```swift
    /// final class Judge: NSObject, URLSessionTaskDelegate {
    ///     func urlSession(
    ///         _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ///     ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { … }
    /// }
    /// let transport = URLSessionTransport(configuration: .ephemeral, delegate: Judge())
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: The configuration, which is copied.
    ///   - options: The other options. Their cookies and connection limit are ignored.
    ///   - delegate: The delegate, which is retained until the session has ended. Defaults to none.
    public convenience init(
        configuration: URLSessionConfiguration, options: Options = Options(),
        delegate: (any URLSessionTaskDelegate)? = nil
    ) {
        let configuration = URLSessionConfiguration.transport(configuration)
        self.init(options, configuration, delegate, configuration.takeAdditionalFields())
    }

    /// - Parameter additionalFields: Those of a user's configuration; nil without one.
    private init(
        _ options: Options, _ configuration: URLSessionConfiguration, _ delegate: (any URLSessionTaskDelegate)? = nil,
        _ additionalFields: HTTPHeaders? = nil
    ) {
        self.options = options
        self.additionalFields = additionalFields
        let cookies = additionalFields == nil ? options.cookies : .none
        let nameless = TransferSession(options, configuration, delegate)
        sessions = NamedJars(cookies, limit: 64, nameless: nameless) {
            var own = options
            own.cookies = .session
            return TransferSession(own, .transport(own))
        }
    }

    /// Sends a request and returns the head of the response; the body follows.
    ///
    /// - Throws: ``RequestError``: `.invalidRequest` before anything is sent, and for a body that cannot be produced;
    ///   `.accountChanged`; `.connection`; `.tooManyRedirects`; `.cancelled`.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.timeout = request.timeout ?? options.timeout
        request = try request.prepared()
        request.binding?.note(sessions)
        #if canImport(FoundationNetworking)
        guard options.tls == TLSOptions() else {
            throw RequestError.invalidRequest(
                "URLSession on Linux has no TLS options; leave URLSessionTransport.Options.tls as it is, or use "
                    + "CurlTransport")
        }
        #endif
        if let additionalFields {
            request.headers = additionalFields.merging(request.headers)
            try request.validate()
        }
        request.setDeadline(after: options.deadline)
        return try await request.beforeDeadline { [request] in try await self.send(request) }
    }

    private func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        #if canImport(FoundationNetworking)
        let spooled = try await SpooledBody.of(request.body, memoryLimit: options.bodyBufferSize)
        defer { withExtendedLifetime(spooled) {} }
        if let spooled { request.body = spooled.body }
        #endif
        let session = sessions.jar(for: request.jarName(options.identity))
        return try await request.followingRedirects(request.redirects ?? options.redirects) { request, _ in
            #if canImport(FoundationNetworking)
            let request = session.cookies?.adding(to: request) ?? request
            #endif
            let transfer = Transfer(request, options)
            try await transfer.awaitHead { session.start(transfer) }
            #if canImport(FoundationNetworking)
            if let head = transfer.head { session.cookies?.take(head.headers, from: request.url) }
            #endif
            return transfer
        }
    }

    /// The result of ``Options/account``; without it `.none`, or `.unknown` if a client certificate or a configuration was given, or if
    /// cookies are kept and neither the client nor a layer names an account to keep them apart by.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        let own = options.identity
        request.draft?.note(own ?? .none, sessions)
        if let own { return own }
        if additionalFields != nil || options.tls.clientCertificate != nil { return .unknown }
        return sessions.policy == .none || request.draft?.isNamed == true ? .none : .unknown
    }
}
#endif

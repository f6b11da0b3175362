#if os(Linux)
/// The transport of Linux, over the installed libcurl.
///
/// ```swift
/// let transport = CurlTransport()
/// let response = try await transport.response(to: TransportRequest(.get, url))
/// let data = try await response.body.collect(limit: 1 << 20)
/// ```
///
/// - libcurl 7.68 or later is loaded when the first transport is made; it is not needed to build the program.
/// - The head is returned as soon as it arrives, and the body follows. A slow reader slows the sender down: at most about
///   ``Options/bodyBufferSize`` bytes are held in memory, and over HTTP/2, while other requests use the connection, up to 32 MB by
///   libcurl (1 GB in 7.68, 10 MB from 8.2). Dropping the body, or cancelling the task, ends the transfer.
/// - A request body is produced while it is sent, at most about 64 KiB ahead.
/// - Redirects are followed by the rules of RFC 9110 section 15.4, sending the body again where they require it.
/// - HTTP/2 is used where a server offers it over TLS.
/// - A request that the server did not process is sent again, at most 16 times: a stream that the server refused (RFC 9113 section
///   8.7), or a request of which nothing had left when a reused connection broke. libcurl before 8.19 reports a refused stream
///   only after a GOAWAY, and before 7.88 not at all, except of a connection's first stream. If a reused connection breaks without
///   a response, a request with an idempotent method is sent again twice at most. No other request is sent twice. An older libcurl
///   sends a request again on each kept connection that turns out to be dead: before 7.88 an idempotent one without a body over
///   TLS, before 7.80 any. A body is sent from its beginning each time. ``TransportMetrics/resendCount`` counts,
///   ``TransportMetrics/resendReason`` says why.
/// - gzip and deflate are requested, except with `Range`, and decoded. A truncated body fails with `.connectionLost`, any other
///   coding that was not requested with `.badResponse`. A request with its own `Accept-Encoding` gets gzip and deflate decoded,
///   and any other coding unchanged, unless it asks for `identity`.
/// - Header lines may be folded, and values may be Latin-1. Trailers are ignored. A `Content-Length` or `Transfer-Encoding` in a form that
///   libcurl does not recognize (folded, a space before the colon), and a transfer coding other than `chunked` fail with `.badResponse`.
/// - libcurl sends about 8 kB of kept cookies with a request. If there are more, it leaves out the others, and the request's own.
/// - Nothing is cached, and no status is an error.
/// - User and password in a URL are sent as basic credentials, unless the request has an `Authorization` field.
/// - A request without a `User-Agent` gets ``Options/userAgent``.
/// - A body without a `Content-Type` is sent as `application/octet-stream`.
/// - ``TransportRequest/allowsExpensiveNetwork`` has no effect.
///
/// Connections are kept open between requests and closed when the transport is released; bodies being read by then can be
/// read to the end. A request is not sent on an HTTP/1 connection that holds bytes which no request asked for, but on a new one.
public final class CurlTransport: Transport {
    private let options: Options
    private let jars: NamedJars<CookieJar?>?
    private let engine: Result<CurlEngine, RequestError>

    /// Whether a usable libcurl is installed. Without it, every request fails with an error that says so.
    public static var isAvailable: Bool { CurlLibrary.shared?.resolvesAsynchronously ?? false }

    /// The installed libcurl, such as `libcurl 7.88.1`, for reports; empty without one.
    package static var libraryDescription: String { CurlLibrary.shared.map { "libcurl \($0.version)" } ?? "" }

    /// A transport with its own connections.
    public convenience init(_ options: Options = Options()) { self.init(options, over: .shared) }

    init(_ options: Options, over library: CurlLibrary?) {
        self.options = options
        let jars = library.flatMap { CookieJar.jars(options.cookies, $0) }
        self.jars = jars
        // Without an asynchronous resolver, one slow name server would hold up every request.
        let isBlocking = library?.resolvesAsynchronously == false
        let engine = isBlocking ? nil : library.flatMap { CurlEngine($0, options, jars) }
        self.engine = engine.map { .success($0) } ?? .failure(isBlocking ? Self.blocking : Self.unavailable)
    }

    deinit { _ = try? engine.get().post { $0.close() } }

    /// The account in ``Options/account``; without it `.none`, or `.unknown` if a client certificate was given, or if cookies are kept
    /// and neither the client nor a layer names an account to keep them apart by.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        let own = options.identity ?? .none
        request.draft?.note(own, jars)
        if own != .none { return own }
        if options.tls.clientCertificate != nil { return .unknown }
        return options.cookies == .none || request.draft?.isNamed == true ? .none : .unknown
    }

    /// Sends a request and returns the head of the response; the body follows.
    ///
    /// - Throws: ``RequestError``: `.invalidRequest` before anything is sent, and for a body that cannot be produced;
    ///   `.accountChanged`; `.connection`; `.tooManyRedirects`; `.cancelled`.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        // The engine closes with the transport, which must not happen before all its requests have started.
        defer { withExtendedLifetime(self) {} }
        var request = request
        request.timeout = request.timeout ?? options.timeout
        if let agent = options.userAgent, request.headers[.userAgent] == nil { request.headers[.userAgent] = agent }
        request = try request.prepared()
        if let jars { request.binding?.note(jars) }
        let engine = try engine.get()
        request.setDeadline(after: options.deadline)
        if request.exceedsDeadline() { throw request.deadlinePassed }
        if let body = request.body, body.length == 0 {
            // libcurl would not ask for its bytes.
            try await request.finished { for try await _ in body {} }
            request.body = .data(.init())
        }
        let policy = request.redirects ?? options.redirects
        var response = try await request.followingRedirects(policy) { request, redirectCount in
            let transfer = CurlTransfer(request, options, redirectCount: redirectCount, engine: engine)
            try await transfer.send()
            return transfer
        }
        try decode(&response, request)
        return response
    }

    /// Sets up the decoding of a body if its head declares an encoding.
    private func decode(_ response: inout TransportResponse, _ request: TransportRequest) throws(RequestError) {
        guard let codings = response.headers[.contentEncoding]?.lowercased(), request.method != .head,
            response.status != 204, response.status != 304
        else { return }
        let names = codings.separated(by: ",").filter { $0 != "identity" }
        guard let name = names.first else { return }
        if names.count == 1, let functions = CurlLibrary.shared?.inflating,
            let body = ContentDecoder.decoding(response, name, functions)
        {
            response.body = body
        } else if request.headers[.acceptEncoding] ?? "identity" == "identity" {
            // Passed on unchanged if the request asked for it; a download asks for none.
            throw .connection(
                .badResponse, to: response.url, "the body is encoded as \(codings.quotation), which was not asked for")
        }
    }

    /// The error with a libcurl that would block.
    private static let blocking: RequestError = .invalidRequest(
        "the installed libcurl resolves names synchronously, so that one request would hold up all others; install a libcurl with "
            + "its threaded resolver or c-ares, or pass another transport")

    /// The error without libcurl.
    private static let unavailable: RequestError = {
        #if FoundationNetworking
        let trait = ""
        #else
        let trait = "enable ModelMirror's package trait FoundationNetworking, "
        #endif
        return .invalidRequest(
            "no libcurl of version 7.68 or later is found; install libcurl, \(trait)or pass another transport")
    }()
}
#endif

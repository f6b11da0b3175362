#if os(Linux)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The transport of Linux, over the libcurl of the machine.
///
/// ```swift
/// let transport = CurlTransport()
/// let response = try await transport.response(to: TransportRequest(.get, url))
/// let data = try await response.body.collect(limit: 1 << 20)
/// ```
///
/// - libcurl 7.68 or later is found when the first transport is made; nothing has to be there when the program is built.
/// - The head is given as soon as it is there, and the body follows. A reader that is slow slows the sender down: at most
///   about ``Options/bodyBufferSize`` bytes lie in memory. Dropping the body, or cancelling the task, ends the transfer.
/// - A body is made while it is sent, at most about 64 kB ahead.
/// - Redirects are followed by the rules of RFC 9110 section 15.4, and bodies are sent again.
/// - HTTP/2 is used where a server offers it over TLS. A connection that was kept and breaks without a response is replaced,
///   for idempotent methods; nothing else is ever sent twice.
/// - Bodies in gzip and deflate are asked for and decoded; one that breaks off is `.connectionLost`, any other coding that
///   was not asked for is `.badResponse`. A request with its own `Accept-Encoding` gets what it asked for: gzip and deflate
///   decoded, the rest as it is.
/// - A head may be folded, and its values may be Latin-1. Trailers are ignored.
/// - Nothing is cached, and a status is not judged.
/// - User and password in a URL are sent as basic credentials, unless the request has an `Authorization`.
/// - A body without a `Content-Type` is sent as `application/octet-stream`.
/// - ``TransportRequest/allowsExpensiveNetwork`` has no effect.
///
/// Connections are kept open between requests and closed when the transport goes away; bodies that are being read then
/// are read to their end.
public final class CurlTransport: Transport {
    private let options: Options
    private let engine: CurlEngine?

    /// Whether this machine has a libcurl that can be used. Without it, every request fails with a sentence that says so.
    public static var isAvailable: Bool { CurlLibrary.shared != nil }

    /// A transport with its own connections.
    public convenience init(_ options: Options = Options()) { self.init(options, over: .shared) }

    init(_ options: Options, over library: CurlLibrary?) {
        self.options = options
        engine = library.flatMap { CurlEngine($0, options) }
    }

    deinit { engine?.post(.close) }

    /// For nobody in particular, unless cookies or a client certificate say more.
    public func identity(for request: TransportRequest) -> TransportIdentity {
        if let account = options.account { return .account(account) }
        return options.cookies == .none && options.tls.clientCertificate == nil ? .none : .unknown
    }

    /// Sends a request and gives the head of the response, with the body to follow.
    ///
    /// - Throws: ``RequestError``: `.invalidRequest` before anything is sent, and for a body that cannot be made;
    ///   `.connection`; `.tooManyRedirects`; `.cancelled`.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        // The engine ends with the transport, which must not be while requests of it are still to be started.
        defer { withExtendedLifetime(self) {} }
        try request.checkIdentity(over: self)
        var request = request
        request.timeout = request.timeout ?? options.timeout
        request = try request.prepared()
        guard let engine else { throw CurlTransport.unavailable }
        request.setDeadline(after: options.deadline)
        if request.exceedsDeadline() { throw request.deadlinePassed }
        let start = Date()
        var redirectCount = 0
        while true {
            let (transfer, head) = try await exchange(request, redirectCount, engine)
            // From here on, an error ends the transfer, too.
            let body = CurlBody(transfer)
            guard
                let next = try request.redirected(
                    status: head.status, headers: head.headers, policy: request.redirects ?? options.redirects,
                    count: redirectCount)
            else {
                try decode(body, head, request)
                var response = TransportResponse(
                    status: head.status, headers: head.headers, url: request.url, body: ResponseBody(body))
                response.metrics = { transfer.metrics?.since(start) }
                return response
            }
            redirectCount += 1
            await body.drain()
            request = next
        }
    }

    /// Sends a request, and an idempotent one again where a connection that was kept broke without a response.
    private func exchange(
        _ request: TransportRequest, _ redirectCount: Int, _ engine: CurlEngine
    ) async throws -> (CurlTransfer, CurlTransfer.Head) {
        var attempt = 1
        while true {
            let transfer = CurlTransfer(
                request, options, redirectCount: redirectCount, needsFreshConnection: attempt > 1, engine: engine)
            do throws(CurlTransfer.Failure) {
                return (transfer, try await transfer.head())
            } catch {
                guard error.isUnanswered, request.method.isIdempotent, attempt < CurlTransport.attemptLimit else {
                    throw error.error
                }
            }
            attempt += 1
        }
    }

    /// Sees to it that a body is decoded, if its head says that it is encoded.
    private func decode(_ body: CurlBody, _ head: CurlTransfer.Head, _ request: TransportRequest) throws(RequestError) {
        guard let codings = head.headers["Content-Encoding"]?.lowercased(), request.method != .head,
            head.status != 204, head.status != 304
        else { return }
        let names = codings.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard let name = names.first else { return }
        if names.count == 1, body.decode(name) { return }
        // Handed on as it is to those who asked for it.
        if request.headers["Accept-Encoding"] != nil { return }
        throw .connection(
            .badResponse, to: request.url,
            "the body is encoded as \(codings.debugDescription), which was not asked for")
    }

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

    /// How often a request is sent at most.
    private static let attemptLimit = 3
}
#endif

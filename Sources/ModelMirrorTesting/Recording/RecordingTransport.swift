public import ModelMirrorFoundation
public import ModelMirrorNetworking
import Synchronization

/// Forwards requests to another transport and writes each one with its response to a folder, without the secrets of a `Redaction`.
///
/// ```swift
/// let folder = URL(fileURLWithPath: "Tests/Fixtures/octocat")
/// let recording = try RecordingTransport(SystemTransport.shared, folder: folder)
/// // … run against the real server once; from then on:
/// let replay = try ReplayTransport(folder: folder)
/// ```
///
/// Bodies are written unchanged: record with an account that has nothing to hide.
///
/// An exchange is written when the body of its response has been read to the end, at once if there can be none (HEAD, 204, 304), or
/// when its connection fails before the head. If the body is dropped, fails or is cancelled, the exchange is not written and counts
/// in ``unfinished``. An exchange that cannot be written fails the request, so that no recording is silently incomplete.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let folder: URL
    private let redaction: Redaction
    private let bodyLimit: Int
    private let numbers: Mutex<Int>
    private let open = Mutex(0)

    /// Starts or continues a recording.
    ///
    /// - Parameters:
    ///   - base: The transport that sends.
    ///   - folder: The folder for the files, created if needed. Existing exchanges stay, and new ones are numbered after
    ///     them. Two recordings at a time need two folders: an exchange whose file the other one has written fails.
    ///   - redaction: The header fields and query items whose values are replaced, besides those of `Redaction()`, request fields
    ///     named like a credential (`X-API-Key`) and what an `AuthenticatingTransport` adds. An API key in another field or in the
    ///     query is written unless it is named.
    ///   - bodyLimit: The largest body of a request or response in bytes. A larger one fails the request.
    /// - Throws: An error that names the folder and the system's reason.
    public init(
        _ base: any Transport = SystemTransport.shared, folder: URL, redaction: Redaction = Redaction(),
        bodyLimit: Int = 1 << 26
    ) throws {
        self.base = base
        self.folder = folder
        self.redaction = redaction
        self.bodyLimit = bodyLimit
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw RecordingFault(folder, cannotBe: "written", error.clause)
        }
        let last = try RecordedExchange.lastNumber(in: folder)
        guard last < Int32.max else {
            throw RecordingFault(folder, cannotBe: "continued", "a file in it has the number \(last)")
        }
        numbers = Mutex(last)
    }

    /// The number of exchanges begun but not written: those still running, dropped or failed.
    public var unfinished: Int { open.withLock(\.self) }

    /// Forwards a request and records it.
    ///
    /// - Throws: Errors of the other transport; `RequestError.invalidRequest` if the request's body is too large or the
    ///   exchange cannot be recorded. Reading a response body that is too large throws `.bodyTooLarge`.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        let number = numbers.withLock { number in
            number += 1
            return number
        }
        open.withLock { $0 += 1 }
        var request = request
        let redaction = redaction.merging(request.secrets)
        let body = try await request.body?.collect(limit: bodyLimit) ?? Data()
        if case .chunks? = request.body?.content {
            // Sends the recorded bytes, in case the chunks differ the second time.
            request.body = .chunks(length: request.body?.length) {
                var rest: Data? = body
                return {
                    defer { rest = nil }
                    return rest
                }
            }
        }
        func recorded(_ answer: RecordedExchange.Answer) -> RecordedExchange {
            RecordedExchange(
                method: request.method, url: redaction.redacted(request.url),
                headers: redaction.redacted(request.headers),
                body: body, answer: answer)
        }
        var response: TransportResponse
        do {
            response = try await base.response(to: request)
        } catch RequestError.connection(let failure) {
            try write(recorded(.failure(failure.kind, reason: failure.reason)), number)
            throw RequestError.connection(failure)
        }
        let exchange = recorded(
            .response(
                status: response.status, headers: redaction.redacted(response.headers),
                url: redaction.redacted(response.url), body: Data()))
        response.body = ResponseBody(
            RecordingBody(response.body, limit: bodyLimit) { [self] body in
                var exchange = exchange
                if case .response(let status, let headers, let url, _) = exchange.answer {
                    exchange.answer = .response(status: status, headers: headers, url: url, body: body)
                }
                try write(exchange, number)
            })
        if request.method == .head || [204, 304].contains(response.status) {
            // Nobody need read a body that is not there, as of a 304 that confirms a stored response.
            response.body = ResponseBody(try await response.body.collect(limit: bodyLimit))
        }
        return response
    }

    /// The inner transport's identity.
    public func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }

    private func write(_ exchange: RecordedExchange, _ number: Int) throws {
        do {
            try exchange.write(to: folder, number: number)
        } catch {
            throw RequestError.invalidRequest("it cannot be recorded in \(folder.path): \(error.clause)")
        }
        open.withLock { $0 -= 1 }
    }
}

/// Forwards the chunks of a body and keeps them until the body is complete.
private final class RecordingBody: ResponseBody.Source {
    private let body: ResponseBody
    private let limit: Int
    private let finish: @Sendable (Data) throws -> Void
    private let kept = Mutex<Data?>(Data())

    init(_ body: ResponseBody, limit: Int, finish: @escaping @Sendable (Data) throws -> Void) {
        self.body = body
        self.limit = limit
        self.finish = finish
    }

    func nextChunk() async throws -> Data? {
        if let chunk = try await body.nextChunk() {
            let isTooLarge = kept.withLock { kept in
                kept?.append(chunk)
                return (kept?.count ?? 0) > limit
            }
            if isTooLarge { throw RequestError.bodyTooLarge(limit: limit) }
            return chunk
        }
        let whole = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        if let whole { try finish(whole) }
        return nil
    }
}

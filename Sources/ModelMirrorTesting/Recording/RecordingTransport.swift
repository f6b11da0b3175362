public import Foundation
public import ModelMirrorNetworking
import Synchronization

/// Passes requests on to another transport, and writes each with its response to a folder, secrets left out.
///
/// ```swift
/// let folder = URL(fileURLWithPath: "Tests/Fixtures/octocat")
/// let recording = try RecordingTransport(URLSessionTransport(), folder: folder)
/// // … run against the real server once; from then on:
/// let replay = try ReplayTransport(folder: folder)
/// ```
///
/// Bodies are written as they are: record with an account that has nothing to hide.
///
/// An exchange is written when the body of its response has been read to the end, or when its connection fails before the
/// head. One whose body is dropped, broken off or cancelled is not written; ``unfinished`` counts them. An exchange that
/// cannot be written fails the request, so that a recording is never silently incomplete.
public final class RecordingTransport: Transport {
    private let base: any Transport
    private let folder: URL
    private let redaction: Redaction
    private let bodyLimit: Int
    private let numbers: Mutex<Int>
    private let open = Mutex(0)

    /// Begins or goes on with a recording.
    ///
    /// - Parameters:
    ///   - base: What sends the requests.
    ///   - folder: Where they are written; it is made if it is not there. Exchanges that it has already stay, and those
    ///     to come are numbered after them.
    ///   - redaction: What is not written.
    ///   - bodyLimit: The largest body to record, in bytes, of request and response each. A larger one fails the
    ///     request.
    /// - Throws: What the file system says.
    public init(
        _ base: any Transport = SystemTransport.shared, folder: URL, redaction: Redaction = Redaction(),
        bodyLimit: Int = 1 << 26
    ) throws {
        self.base = base
        self.folder = folder
        self.redaction = redaction
        self.bodyLimit = bodyLimit
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        numbers = Mutex(try RecordedExchange.files(in: folder).last?.number ?? 0)
    }

    /// How many exchanges have begun and are not written: under way, or never to be finished.
    public var unfinished: Int { open.withLock(\.self) }

    /// Passes a request on and records it.
    ///
    /// - Throws: What the other transport throws; ``RequestError/bodyTooLarge(limit:)`` and
    ///   ``RequestError/invalidRequest(_:)`` if the exchange cannot be recorded.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        let number = numbers.withLock { number in
            number += 1
            return number
        }
        open.withLock { $0 += 1 }
        var request = request
        let body = try await request.body?.collect(limit: bodyLimit) ?? Data()
        if case .chunks? = request.body?.content {
            // What is sent is what is written, even if the chunks came out differently a second time.
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
        return response
    }

    /// That of the transport inside.
    public func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }

    private func write(_ exchange: RecordedExchange, _ number: Int) throws {
        do {
            try exchange.write(to: folder, number: number)
        } catch {
            throw RequestError.invalidRequest("it cannot be recorded in \(folder.path): \(error)")
        }
        open.withLock { $0 -= 1 }
    }
}

/// Passes the chunks of a body on and keeps them, until all are there.
private final class RecordingBody: ResponseBody.Source {
    private let body: ResponseBody
    private let limit: Int
    private let finish: @Sendable (Data) throws -> Void
    /// What came so far; nil once it is finished.
    private let kept = Mutex<Data?>(Data())

    init(_ body: ResponseBody, limit: Int, finish: @escaping @Sendable (Data) throws -> Void) {
        self.body = body
        self.limit = limit
        self.finish = finish
    }

    func nextChunk() async throws -> Data? {
        var iterator = body.makeAsyncIterator()
        if let chunk = try await iterator.next() {
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

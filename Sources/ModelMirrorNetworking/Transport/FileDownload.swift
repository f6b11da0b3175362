public import Foundation

/// A download to a file, over any ``Transport``, that goes on where an earlier one stopped.
///
/// ```swift
/// var download = FileDownload(TransportRequest(.get, url), to: folder.appendingPathComponent("map.bin"))
/// download.progress = { print($0.fraction ?? 0) }
/// try await download.run(over: transport)
/// ```
///
/// The bytes go to a partial file beside the target, `map.bin.partial`, which is moved over the target when it is whole,
/// so the target is never half a file. When a download fails or its task is cancelled, the partial file stays, and the next
/// run asks for the rest (RFC 9110 section 14): `Range` with `If-Range`, so that a resource that has changed comes whole.
/// That takes a strong `ETag`, or a `Last-Modified` earlier than the `Date` (section 13.1.5); `map.bin.partial.from` holds it.
/// Without one, and from a server that answers with the whole, a run starts anew.
///
/// One run at a time may write to a target, also counting those of other processes.
public struct FileDownload: Sendable {
    /// How far a download has come.
    public struct Progress: Sendable, Hashable {
        /// How many bytes the partial file has, those of earlier runs included.
        public let received: Int64
        /// How many it will have; nil if the server does not say.
        public let total: Int64?

        /// Progress.
        public init(received: Int64, total: Int64?) {
            self.received = received
            self.total = total
        }

        /// How far it has come, from 0 to 1; nil if the server does not say how many bytes there are.
        public var fraction: Double? {
            total.map { $0 > 0 ? min(1, Double(received) / Double($0)) : 1 }
        }
    }

    /// What to ask for: GET, without `Range` and `If-Range`, which are the download's. `Accept-Encoding: identity` is added,
    /// since ranges count bytes as they are sent.
    public var request: TransportRequest
    /// Where the file goes; an earlier file there is replaced.
    public var target: URL
    /// The most bytes that the file may have; nil for any.
    public var limit: Int?
    /// Called after each write, from the task of the run, in order.
    public var progress: (@Sendable (Progress) -> Void)?

    /// A download.
    public init(_ request: TransportRequest, to target: URL) {
        self.request = request
        self.target = target
    }

    /// Where the bytes go until they are whole.
    public var partialFile: URL { target.appendingToName(".partial") }

    /// Forgets what earlier runs have downloaded.
    ///
    /// - Throws: What the file system says; nothing if there is no such file.
    public func discardPartialFile() throws {
        try PartialFile.remove(partialFile)
        try PartialFile.remove(PartialFile.validatorFile(of: partialFile))
    }

    /// Downloads the file, or what is missing of it.
    ///
    /// - Returns: The head of the last response, 200 or 206, or 416 when nothing was missing; its body is empty.
    /// - Throws: ``RequestError``: what the transport throws; `.unacceptableStatus` for a status but 200 and 206, with up to
    ///   64 KiB of the body; `.bodyTooLarge`; `.invalidRequest` for another method than GET, for a `Range` in the request,
    ///   and while another run writes to the target. Errors of the file system come as they are.
    @discardableResult
    public func run(over transport: any Transport) async throws -> TransportResponse {
        guard request.method == .get else {
            throw RequestError.invalidRequest("a download is a GET request, not \(request.method)")
        }
        guard request.headers[.range] == nil, request.headers[.ifRange] == nil else {
            throw RequestError.invalidRequest("Range and If-Range are the download's to set; leave them out")
        }
        let partial = try PartialFile(partialFile, source: request.url.withoutUserInfo)
        var response = try await transport.response(to: partial.request(for: request))
        var step = try FileDownload.step(after: response, partial)
        if step == .startAnew {
            try partial.restart()
            response = try await transport.response(to: partial.request(for: request))
            step = try FileDownload.step(after: response, partial)
        }
        switch step {
        case .append(let total): try await write(response, to: partial, total: total)
        case .replace:
            try partial.restart()
            try await write(response, to: partial, total: response.expectedLength)
        case .finish: break
        case .startAnew, .refuse: throw await FileDownload.refusal(response, of: request)
        }
        try partial.move(to: target)
        return TransportResponse(status: response.status, headers: response.headers, url: response.url)
    }

    private func write(_ response: TransportResponse, to partial: PartialFile, total: Int64?) async throws {
        try partial.keepValidator(of: response)
        if let limit, let total, total > Int64(limit) { throw RequestError.bodyTooLarge(limit: limit) }
        for try await chunk in response.body {
            if let limit, partial.length + Int64(chunk.count) > Int64(limit) {
                throw RequestError.bodyTooLarge(limit: limit)
            }
            try partial.append(chunk)
            progress?(Progress(received: partial.length, total: total))
        }
        if let total, partial.length != total {
            throw RequestError.connection(
                RequestError.ConnectionFailure(
                    .connectionLost, url: request.url.withoutUserInfo,
                    reason: "the file has \(partial.length) of the \(total) bytes that it should have"))
        }
    }
}

extension URL {
    /// This file URL with text added to the file's name.
    func appendingToName(_ text: String) -> URL {
        deletingLastPathComponent().appendingPathComponent(lastPathComponent + text)
    }
}

public import Foundation

extension Requesting {
    /// Downloads a body to a file, and resumes where an earlier download stopped.
    ///
    /// ```swift
    /// try await client.download(Endpoint<Data>.get("maps/7"), to: folder.appending(path: "map.bin")) { progress in
    ///     print(progress.download.fraction ?? 0)
    /// }
    /// ```
    ///
    /// The bytes go to a partial file beside the target, `map.bin.partial`, which is moved over the target when it is whole,
    /// so the target is never half a file. When a download fails or its task is cancelled, the partial file stays, and the next
    /// one asks for the rest (RFC 9110 section 14): `Range` with `If-Range`, so that a resource that has changed comes whole.
    /// That takes a strong `ETag`, or a `Last-Modified` earlier than the `Date` (section 13.1.5); `map.bin.partial.from` holds it.
    /// Without one, and from a server that answers with the whole, a download starts anew; removing the partial file does the same.
    /// A download that is refused leaves no partial file.
    ///
    /// One download at a time may write to a target, also counting those of other processes. The limit of bodies does not hold; the
    /// content type is not checked.
    ///
    /// - Parameters:
    ///   - endpoint: A GET, whatever its value, without `Range` and `If-Range`, which are the download's.
    ///   - target: Where the file goes; an earlier file there is replaced.
    ///   - limit: The most bytes that the file may have; nil for any.
    ///   - progress: Called after each write, from the task of the download, in order; bytes of earlier runs count.
    /// - Returns: The last response: status (200 or 206, or 416 when nothing was missing), header fields and the target.
    /// - Throws: ``RequestError``, or the error that a hook makes of a refusal; `.bodyTooLarge`; `.invalidRequest` for another method
    ///   than GET, and while another download writes to the target. Errors of the file system come as they are.
    @discardableResult
    nonisolated(nonsending) public func download<Value>(
        _ endpoint: Endpoint<Value>, to target: URL, limit: Int? = nil,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> Response<URL> {
        let download = FileDownload(
            endpoint: endpoint.ignoringBody, client: sender, target: target, limit: limit, progress: progress)
        do {
            return try await download.run()
        } catch is CancellationError {
            throw RequestError.cancelled
        }
    }
}

/// One download to a file.
struct FileDownload: Sendable {
    let endpoint: Endpoint<Void>
    let client: APIClient
    let target: URL
    let limit: Int?
    let progress: (@Sendable (RequestProgress) -> Void)?

    /// Downloads the file, or what is missing of it.
    @concurrent
    func run() async throws -> Response<URL> {
        let request = try client.transportRequest(for: endpoint, isStream: true)
        guard request.method == .get else {
            throw RequestError.invalidRequest("a download is a GET request, not \(request.method)")
        }
        guard request.headers[.range] == nil, request.headers[.ifRange] == nil else {
            throw RequestError.invalidRequest("Range and If-Range are the download's to set; leave them out")
        }
        let exchange = Exchange(client, for: endpoint)
        let partial = try PartialFile(target.appendingToName(".partial"), source: request.url.withoutUserInfo)
        var response = try await exchange.send(partial.request(for: request)) { _ in }
        var step = try step(after: response, partial, accepting: exchange.acceptedStatus)
        if step == .startAnew {
            try partial.restart()
            response = try await exchange.send(partial.request(for: request)) { _ in }
            step = try self.step(after: response, partial, accepting: exchange.acceptedStatus)
        }
        switch step {
        case .append(let total): try await write(response, to: partial, total: total)
        case .replace:
            try partial.restart()
            try await write(response, to: partial, total: response.expectedLength)
        case .finish: break
        case .startAnew, .refuse:
            try partial.removeIfEmpty()
            throw try await exchange.refusal(of: response, to: request) { _ in }
        }
        try partial.move(to: target)
        return Response(
            target, method: request.method, url: response.url, status: response.status, headers: response.headers,
            metrics: response.metrics())
    }

    private func write(_ response: TransportResponse, to partial: PartialFile, total: Int64?) async throws {
        if let limit, let total, total > Int64(limit) {
            try partial.removeIfEmpty()
            throw RequestError.bodyTooLarge(limit: limit)
        }
        try partial.keepValidator(of: response)
        for try await chunk in response.body {
            if let limit, partial.length + Int64(chunk.count) > Int64(limit) {
                throw RequestError.bodyTooLarge(limit: limit)
            }
            try partial.append(chunk)
            progress?(RequestProgress(download: .init(bytes: partial.length, total: total)))
        }
        if let total, partial.length != total {
            throw RequestError.connection(
                RequestError.ConnectionFailure(
                    .connectionLost, url: response.url.withoutUserInfo,
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

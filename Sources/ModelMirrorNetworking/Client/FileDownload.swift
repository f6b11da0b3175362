public import ModelMirrorFoundation
import Synchronization

extension Requesting {
    /// Downloads a body to a file, resuming an earlier download where it stopped.
    ///
    /// ```swift
    /// try await client.download(Endpoint<Data>.get("maps/7"), to: folder.appending(path: "map.bin")) { progress in
    ///     print(progress.download.fraction ?? 0)
    /// }
    /// ```
    ///
    /// The bytes are written to a partial file beside the target, `map.bin.partial`, which replaces the target once complete; the
    /// target is never incomplete. When a download fails or its task is cancelled, the partial file stays, and the next download
    /// requests the rest (RFC 9110 section 14) with `Range` and `If-Range`, so that a changed resource is sent whole. This needs a
    /// strong `ETag`, or a `Last-Modified` earlier than the `Date` (section 13.1.5), kept in `map.bin.partial.from`. Without one,
    /// if the server sends the whole file, a part without the file's length or with another one than before, or if a redirect leads to
    /// another path or origin (its query may be a new signature), the download restarts; removing the partial file also restarts it,
    /// and so does a download for another account, or whose endpoint and client give it other header fields, except `Cache-Control`
    /// and `Pragma`. Without a name for the account (`TransportIdentity.unknown`), only downloads of the same sign-in resume each
    /// other, while the program runs. A download that received no bytes leaves no partial file. In place of a target's name that is too
    /// long for these endings, of 243 to 255 bytes, they follow its digest.
    ///
    /// Only one download at a time may write to a target, across processes; it waits for requests with a closure that were cancelled and
    /// still write. `bodyLimit` and `acceptedContentTypes` do not apply.
    ///
    /// - Parameters:
    ///   - endpoint: A GET with any value, without `Range` and `If-Range`, which the download sets.
    ///   - target: The file to write; an existing file is replaced.
    ///   - limit: The largest file in bytes; nil for no limit.
    ///   - progress: Called after each write, in order, from the download's task; its bytes include those of earlier downloads.
    /// - Returns: The last response: status (200 or 206, or 416 if nothing was missing), header fields and the target.
    /// - Throws: ``RequestError``, or the error that a hook makes from a refused response; `.bodyTooLarge`; `.invalidRequest` for a
    ///   method other than GET, and while another download writes to the target; ``FileError``.
    @discardableResult
    nonisolated(nonsending) public func download<Value>(
        _ endpoint: Endpoint<Value>, to target: URL, limit: Int? = nil,
        progress: (@Sendable (RequestProgress) -> Void)? = nil
    ) async throws -> Response<URL> {
        let download = try FileDownload(endpoint, by: sender, to: target, limit: limit)
        return try await mappingErrors(\.asRequestError) {
            let earlier = FileDownload.closures.withLock { $0[FileDownload.place(of: target)] ?? [] }
            return try await download.run(after: earlier, progress)
        }
    }

    /// Begins a download to a file; its closure runs on the main actor. All else is as for ``download(_:to:limit:progress:)``.
    ///
    /// ```swift
    /// client.request(Endpoint<Data>.get("maps/7"), to: file) { getResponse in … }.progress { print($0.download.fraction ?? 0) }
    /// ```
    ///
    /// - Parameters:
    ///   - endpoint: A GET with any value.
    ///   - target: The file to write.
    ///   - limit: The largest file in bytes; nil for no limit.
    ///   - completion: Called exactly once, on the main actor. Its function returns the last response, with the target.
    /// - Returns: The request, for cancelling and adding handlers.
    @discardableResult
    public func request<Value>(
        _ endpoint: Endpoint<Value>, to target: URL, limit: Int? = nil,
        completion: @escaping @MainActor (_ getFile: () throws -> sending Response<URL>) -> Void
    ) -> Request<Response<URL>> {
        let download = Result { try FileDownload(endpoint, by: sender, to: target, limit: limit) }
        let request = Request<Response<URL>>()
        request.complete(completion)
        let place = FileDownload.place(of: target)
        FileDownload.closures.withLock { closures in
            let earlier = closures[place] ?? []
            let task = request.begin { life in
                let download = try download.get()
                download.request.binding?.onRevoke { [weak life] in life?.cancel(with: .accountChanged) }
                let response = try await download.run(after: earlier) { progress in life.update { $0 = progress } }
                return RequestProduct(response) { response }
            }
            closures[place] = earlier + [(request.life, task)]
            Task {
                await task.value
                FileDownload.closures.withLock { closures in
                    closures[place]?.removeAll { $0.task == task }
                    if closures[place]?.isEmpty == true { closures[place] = nil }
                }
            }
        }
        return request
    }
}

struct FileDownload: Sendable {
    let request: TransportRequest
    let exchange: Exchange
    let target: URL
    /// The largest file in bytes.
    let limit: Int

    init<Value>(_ endpoint: Endpoint<Value>, by client: APIClient, to target: URL, limit: Int?) throws {
        let endpoint = endpoint.ignoringBody
        request = try client.transportRequest(for: endpoint, isStream: true)
        exchange = Exchange(client, for: endpoint)
        self.target = target
        self.limit = limit ?? .max
    }

    typealias Progress = @Sendable (RequestProgress) -> Void

    /// A download with a closure.
    typealias Closure = (life: RequestLife, task: Task<Void, Never>)

    /// Those whose tasks run, by target. One that was cancelled holds its partial file until its task ends.
    fileprivate static let closures = Mutex<[URL: [Closure]]>([:])

    fileprivate static func place(of target: URL) -> URL { target.absoluteURL.standardizedFileURL }

    /// - Parameter earlier: The downloads to the same target; those that were cancelled are waited for.
    @concurrent
    func run(after earlier: [Closure], _ progress: Progress?) async throws -> Response<URL> {
        for closure in earlier where closure.life.hasEnded { await closure.task.value }
        try Task.checkCancellation()
        return try await request.binding.run { try await whole(progress) }
    }

    private func whole(_ progress: Progress?) async throws -> Response<URL> {
        guard request.method == .get else {
            throw RequestError.invalidRequest("a download is a GET request, not \(request.method)")
        }
        guard request.headers[.range] == nil, request.headers[.ifRange] == nil else {
            throw RequestError.invalidRequest("a download sets Range and If-Range itself; leave them out")
        }
        // Otherwise it would fail only once all bytes are there.
        if let status = try? OpenFile.status(of: target, followsLink: false), status.st_mode & S_IFMT == S_IFDIR {
            throw FileError(call: "rename", path: target.path, code: EISDIR)
        }
        let partial = try PartialFile(target.appendingToName(".partial"), for: request)
        var isComplete = false
        // With no bytes there is nothing to resume.
        defer { if !isComplete { try? partial.removeIfEmpty() } }
        var response = try await exchange.send(partial.request(for: request))
        var step = try step(after: response, partial)
        // A download without a known account must not continue another user's file.
        if request.binding?.obstacle != nil, partial.isResumed, step != .refuse { step = .restart }
        if step == .restart {
            // Its place is free for the next request.
            response.body = ResponseBody(Data())
            try partial.restart()
            response = try await exchange.send(partial.request(for: request))
            step = try self.step(after: response, partial)
        }
        switch step {
        case .append(let total): try await write(response, to: partial, total: total, progress)
        case .replace:
            try partial.restart()
            if request.binding?.obstacle == nil { try partial.keepValidator(of: response) }
            try await write(response, to: partial, total: response.expectedLength, progress)
        case .finish: if partial.length > Int64(limit) { throw RequestError.bodyTooLarge(limit: limit) }
        case .restart, .refuse: throw try exchange.configuration.error(for: await exchange.failedResponse(response))
        }
        try partial.synchronize()
        try Task.checkCancellation()
        // In one step with respect to a sign-out, which may come from another thread.
        try request.binding?.checkRevoked { try partial.move(to: target) } ?? partial.move(to: target)
        isComplete = true
        return response.collected(target)
    }

    private func write(
        _ response: TransportResponse, to partial: PartialFile, total: Int64?, _ progress: Progress?
    ) async throws {
        if let total, total > Int64(limit) { throw RequestError.bodyTooLarge(limit: limit) }
        for try await chunk in response.body {
            if partial.length + Int64(chunk.count) > Int64(limit) { throw RequestError.bodyTooLarge(limit: limit) }
            try partial.append(chunk)
            progress?(RequestProgress(download: .init(bytes: partial.length, total: total)))
        }
        if let total, partial.length != total {
            throw RequestError.connection(
                .connectionLost, to: response.url, "the file has \(total.bytes), but \(partial.length) arrived")
        }
    }
}

extension FileDownload {
    enum Step: Equatable {
        /// The body is the missing part, or its beginning, of a file with this length.
        case append(total: Int64)
        /// The body is the whole file.
        case replace
        /// The partial file is already complete.
        case finish
        /// The partial file does not match the server's.
        case restart
        /// The response is not the file.
        case refuse
    }

    /// How to handle the response to the request for the rest of a partial file.
    ///
    /// - Throws: `.connection` with the kind `.badResponse` for a partial response to a request for the whole file.
    func step(after response: TransportResponse, _ partial: PartialFile) throws(RequestError) -> Step {
        let range = response.contentRange
        switch response.status {
        case 206:
            guard partial.isResumed else {
                throw .connection(
                    .badResponse, to: response.url,
                    "the server sent a part of the file although the whole was requested")
            }
            // Without the file's length, the part might not be the last.
            guard let range, range.bytes?.lowerBound == partial.length, let total = range.total, partial.fits(response)
            else { return .restart }
            return .append(total: total)
        case 416:
            guard partial.isResumed else { return .refuse }
            return range?.total == partial.length && partial.fits(response) ? .finish : .restart
        // The body of these is not the file; that of 203 is, as a proxy changed it (RFC 9110 section 15.3).
        case 202, 204, 205: return .refuse
        case let status: return exchange.acceptedStatus.contains(status) ? .replace : .refuse
        }
    }
}

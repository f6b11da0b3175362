import ModelMirrorFoundation

/// The file that a ``FileDownload`` writes to until it is complete, with the source of its bytes.
///
///     map.bin.partial        the bytes so far
///     map.bin.partial.from   the URL of the request and, after spaces, the place that answered and the file's length if it is known;
///                            the validator of those bytes; digests of the request's header fields and, if there is one, of the
///                            account's name, one per line
///
/// Used by one task; the file is locked against other downloads for the lifetime of this object.
final class PartialFile {
    private let url: URL
    private var validatorFile: URL { url.appendingToName(".from") }
    private let source: URL
    /// The digests of the header fields and the account's name.
    private let senderLines: [String]
    private let file: OpenFile
    /// The validator of the bytes that are there; what answered, after redirects: a URL without its query, which changes with each link
    /// that is signed; the length of the whole file, since other files may have the same tag. Nil if the whole file is requested.
    private var origin: (validator: String, place: String, total: Int64?)?
    private(set) var length: Int64

    /// Opens or creates the file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - request: The request for the whole file. A partial file from another URL, with other header fields or of another account is
    ///     emptied.
    /// - Throws: `RequestError.invalidRequest` if another download writes to it; `FileError`.
    init(_ url: URL, for request: TransportRequest) throws {
        self.url = url
        source = request.url.withoutUserInfo
        let owner = request.binding?.owner ?? ""
        senderLines = [request.fieldDigest] + (owner.isEmpty ? [] : [owner])
        file = try OpenFile.updatingOrCreating(url)
        // A download that ended after this one opened the file has moved it away.
        guard file.lock(), file.isFile(at: url) else {
            throw RequestError.invalidRequest("another download is writing to \(url.path.debugDescription)")
        }
        length = Int64(try file.seekToEnd())
        let text = try? AtomicFile.bytes(of: validatorFile, headCount: 1 << 16)
        let lines = text.map { String(decoding: $0, as: UTF8.self) }?
            .split(separator: "\n", omittingEmptySubsequences: false)
        let urls = lines?.first?.split(separator: " ") ?? []
        // Version 1.0.0 wrote neither place nor length.
        if length > 0, let lines, lines.count >= 2, urls.first == source.absoluteString[...],
            let last = URL(string: String(urls[min(1, urls.count - 1)])), lines[2...].elementsEqual(senderLines, by: ==)
        {
            origin = (String(lines[1]), PartialFile.place(of: last), urls.dropFirst(2).first.flatMap { Int64($0) })
        } else {
            try restart()
        }
    }

    /// Unlocks before closing: a process being spawned at this moment may hold a copy of the descriptor, and with it the lock.
    deinit { file.unlock() }

    /// Whether only the missing bytes are requested.
    var isResumed: Bool { origin != nil }

    func request(for request: TransportRequest) -> TransportRequest {
        var request = request
        request.headers[.acceptEncoding] = "identity"
        guard let origin else { return request }
        return request.adding(
            validators: [.range: "bytes=\(length)-", .ifRange: origin.validator],
            of: URL(string: origin.place) ?? source)
    }

    /// Whether a response is part of the same resource: from the same place, since a validator says nothing of another resource, of the
    /// same length and with the same validator. Without one it is, since `If-Range` was sent.
    func fits(_ response: TransportResponse) -> Bool {
        guard let (validator, place, total) = origin, place == PartialFile.place(of: response.url),
            total == nil || total == response.contentRange?.total
        else { return false }
        let field: HeaderName = validator.hasPrefix("\"") ? .eTag : .lastModified
        return response.headers[field].map { $0 == validator } ?? true
    }

    func restart() throws {
        origin = nil
        try OpenFile.remove(validatorFile)
        if length > 0 { try file.empty() }
        length = 0
    }

    /// Records the source of the bytes to come, after a restart, so that a later download can resume.
    func keepValidator(of response: TransportResponse) throws {
        guard let validator = PartialFile.validator(of: response) else { return }
        let place = PartialFile.place(of: response.url) + (response.expectedLength.map { " \($0)" } ?? "")
        let lines = ["\(source.absoluteString) \(place)", validator] + senderLines
        // In place, since a temporary file would have a longer name. One that is not complete fits no request.
        try OpenFile.creating(validatorFile).write(Data(lines.joined(separator: "\n").utf8))
    }

    func removeIfEmpty() throws {
        guard length == 0 else { return }
        try OpenFile.remove(validatorFile)
        try OpenFile.remove(url)
    }

    func append(_ chunk: Data) throws {
        try file.write(chunk)
        length += Int64(chunk.count)
    }

    func synchronize() throws { try file.synchronize() }

    /// Moves the file to the target, replacing an existing file atomically.
    func move(to target: URL) throws {
        try OpenFile.move(url, to: target)
        try OpenFile.remove(validatorFile)
    }

    private static func place(of url: URL) -> String { String(url.withoutUserInfo.partsAroundQuery.start) }

    /// The value for `If-Range`: a strong entity tag, or a date earlier than the response's.
    private static func validator(of response: TransportResponse) -> String? {
        let encoding = response.headers[.contentEncoding] ?? "identity"
        guard encoding.lowercased() == "identity" else { return nil }
        if let tag = response.headers[.eTag] {
            return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count >= 2 ? tag : nil
        }
        // The resource may have changed again within the same second (RFC 9110 section 8.8.2.2).
        guard let modified = response.headers.date(.lastModified), let date = response.headers.date("Date"),
            modified < date
        else { return nil }
        return response.headers[.lastModified]
    }
}

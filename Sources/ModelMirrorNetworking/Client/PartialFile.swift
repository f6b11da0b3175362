import Foundation

/// The file that a ``FileDownload`` writes to until it is whole, and what it is a part of.
///
///     map.bin.partial        the bytes so far
///     map.bin.partial.from   the URL and the validator that they came with, a line each
///
/// Used by one task; the file is locked against other runs for as long as this object lives.
final class PartialFile {
    private let url: URL
    private let source: URL
    private let file: FileHandle
    private var validator: String?
    /// How many bytes it has.
    private(set) var length: Int64

    /// Opens the file, or makes it.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - source: What it is to be a part of. If it is a part of something else, it is emptied.
    /// - Throws: `RequestError.invalidRequest` if another run writes to it; what the file system says.
    init(_ url: URL, source: URL) throws {
        self.url = url
        self.source = source
        if !FileManager.default.fileExists(atPath: url.path) {
            // Tells a folder that does not exist from one that cannot be written to.
            try Data().write(to: url, options: .withoutOverwriting)
        }
        file = try FileHandle(forUpdating: url)
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0, PartialFile.isOpen(file, at: url) else {
            throw RequestError.invalidRequest("another download writes to \(url.path.debugDescription)")
        }
        length = Int64(try file.seekToEnd())
        let lines = (try? String(contentsOf: PartialFile.validatorFile(of: url), encoding: .utf8))?
            .split(separator: "\n", omittingEmptySubsequences: false)
        if length > 0, let lines, lines.count == 2, lines[0] == source.absoluteString {
            validator = String(lines[1])
        } else {
            try restart()
        }
    }

    /// Unlocks before the file is closed: a process that is being started at this moment may hold a copy of the descriptor, and
    /// with it the lock, for a while longer.
    deinit { _ = flock(file.fileDescriptor, LOCK_UN) }

    /// Whether an open file is still the one at a place: a run that ended after it was opened has moved it away.
    private static func isOpen(_ file: FileHandle, at url: URL) -> Bool {
        var opened = stat()
        var there = stat()
        guard fstat(file.fileDescriptor, &opened) == 0 else { return false }
        guard url.withUnsafeFileSystemRepresentation({ $0.map { stat($0, &there) } }) == 0 else { return false }
        return opened.st_ino == there.st_ino && opened.st_dev == there.st_dev
    }

    /// Where the validator of a partial file is.
    static func validatorFile(of url: URL) -> URL { url.appendingToName(".from") }

    /// Removes a file, if it is there.
    static func remove(_ url: URL) throws {
        do {
            try FileManager.default.removeItem(at: url)
        } catch CocoaError.fileNoSuchFile {
            return
        }
    }

    /// Whether only what is missing is asked for.
    var isResumed: Bool { validator != nil && length > 0 }

    /// The request for what is missing.
    func request(for request: TransportRequest) -> TransportRequest {
        var request = request
        request.headers["Accept-Encoding"] = "identity"
        if isResumed {
            request.headers[.range] = "bytes=\(length)-"
            request.headers[.ifRange] = validator
        }
        return request
    }

    /// Whether a response is about what this is a part of. One that says nothing about it fits, since `If-Range` was sent.
    func fits(_ response: TransportResponse) -> Bool {
        guard let validator else { return false }
        let field: HeaderName = validator.hasPrefix("\"") ? .eTag : .lastModified
        return response.headers[field].map { $0 == validator } ?? true
    }

    /// Empties the file.
    func restart() throws {
        validator = nil
        try PartialFile.remove(PartialFile.validatorFile(of: url))
        try file.truncate(atOffset: 0)
        try file.seek(toOffset: 0)
        length = 0
    }

    /// Notes what the bytes to come are a part of, so that a later run can go on.
    func keepValidator(of response: TransportResponse) throws {
        guard !isResumed, let validator = PartialFile.validator(of: response) else { return }
        try Data("\(source.absoluteString)\n\(validator)".utf8).write(
            to: PartialFile.validatorFile(of: url), options: .atomic)
        self.validator = validator
    }

    /// Removes the file if nothing is in it.
    func removeIfEmpty() throws {
        guard length == 0 else { return }
        try PartialFile.remove(PartialFile.validatorFile(of: url))
        try PartialFile.remove(url)
    }

    /// Adds bytes at the end.
    func append(_ chunk: Data) throws {
        try file.write(contentsOf: chunk)
        length += Int64(chunk.count)
    }

    /// Moves the file over another, in one step.
    func move(to target: URL) throws {
        try file.synchronize()
        let result = url.withUnsafeFileSystemRepresentation { from in
            target.withUnsafeFileSystemRepresentation { to in
                guard let from, let to else { return Int32(-1) }
                return rename(from, to)
            }
        }
        guard result == 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSFilePathErrorKey: target.path,
                    NSUnderlyingErrorKey: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO),
                ])
        }
        try PartialFile.remove(PartialFile.validatorFile(of: url))
    }

    /// What `If-Range` can hold: a strong entity tag, or a date that is older than the response.
    private static func validator(of response: TransportResponse) -> String? {
        let encoding = response.headers["Content-Encoding"] ?? "identity"
        guard encoding.lowercased() == "identity" else { return nil }
        if let tag = response.headers[.eTag] {
            return tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count >= 2 ? tag : nil
        }
        // Of the same second, there may have been a change since; RFC 9110 section 8.8.2.2.
        guard let modified = response.headers[.lastModified], let date = response.headers["Date"], date != modified
        else {
            return nil
        }
        return modified
    }
}

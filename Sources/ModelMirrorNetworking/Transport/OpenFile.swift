public import ModelMirror
public import ModelMirrorFoundation

/// An open file, accessed with system calls, because FoundationEssentials, used on Linux, has no `FileHandle`.
///
/// Closed when the last reference is released. Use it from one task at a time. Failed calls throw a ``FileError``.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Standard error, which is never closed.
    private static let standardError = OpenFile(descriptor: STDERR_FILENO, path: "the standard error")

    /// Writes a line to standard error. Failures are ignored, since there is nowhere to report them.
    static func report(_ line: String) { try? standardError.write(Data("\(line)\n".utf8)) }

    /// Opens a file for reading, also through a symbolic link.
    static func reading(_ url: URL) throws(FileError) -> OpenFile { try opened(url, O_RDONLY) }

    /// Opens a file of this package for reading. A symbolic link is refused, as it is by those for files below: another user could have
    /// put it there.
    static func readingOwn(_ url: URL) throws(FileError) -> OpenFile { try opened(url, O_RDONLY | O_NOFOLLOW) }

    /// Opens a folder, also through a symbolic link.
    static func folder(_ url: URL) throws(FileError) -> OpenFile { try opened(url, O_RDONLY, kind: S_IFDIR) }

    /// Opens an existing file for reading and writing.
    static func updating(_ url: URL) throws(FileError) -> OpenFile { try opened(url, O_RDWR | O_NOFOLLOW) }

    /// Opens a file for reading and writing, and creates it if it does not exist.
    static func updatingOrCreating(_ url: URL) throws(FileError) -> OpenFile {
        try opened(url, O_RDWR | O_CREAT | O_NOFOLLOW, 0o666)
    }

    /// Creates a file that only its owner can access; throws `EEXIST` if it exists.
    static func creating(_ url: URL) throws(FileError) -> OpenFile { try opened(url, O_RDWR | O_CREAT | O_EXCL, 0o600) }

    /// Opens a file of a kind; throws `EINVAL` if it is of another, which is not waited for: opening a FIFO would block.
    private static func opened(
        _ url: URL, _ mode: Int32, _ rights: mode_t = 0, kind: mode_t = S_IFREG
    ) throws(FileError) -> OpenFile {
        let descriptor = try call("open", url) { open($0, mode | O_CLOEXEC | O_NONBLOCK, rights) }
        let file = OpenFile(descriptor: descriptor, path: url.path)
        var status = stat()
        _ = try file.call("fstat") { fstat(descriptor, &status) }
        try check(status, is: kind, "open", url)
        return file
    }

    private static func check(_ status: stat, is kind: mode_t, _ call: String, _ url: URL) throws(FileError) {
        let found = status.st_mode & S_IFMT
        if found == kind { return }
        throw FileError(
            call: call, path: url.path, code: found == S_IFDIR ? EISDIR : kind == S_IFDIR ? ENOTDIR : EINVAL)
    }

    // MARK: Reading and writing

    /// The next bytes, as many as wanted; fewer only at the end.
    func read(_ wanted: Int) throws(FileError) -> Data {
        var bytes = Data(count: wanted)
        var count = 0
        while count < wanted {
            let start = count
            let done = try call("read") {
                bytes.withUnsafeMutableBytes { buffer in
                    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
                    return systemRead(descriptor, rest.baseAddress, rest.count)
                }
            }
            if done == 0 { break }
            count += done
        }
        return count == wanted ? bytes : bytes.prefix(count)
    }

    /// Writes all bytes.
    func write(_ bytes: Data) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = try call("write") {
                rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Moves to the end, and returns the length in bytes.
    func seekToEnd() throws(FileError) -> Int { Int(try call("lseek") { lseek(descriptor, 0, SEEK_END) }) }

    /// Moves to an offset in bytes.
    func seek(to offset: Int) throws(FileError) { _ = try call("lseek") { lseek(descriptor, off_t(offset), SEEK_SET) } }

    /// Truncates the file to zero bytes, and moves to the beginning.
    func empty() throws(FileError) {
        _ = try call("ftruncate") { ftruncate(descriptor, 0) }
        try seek(to: 0)
    }

    /// Waits until all bytes, or a folder's entries, are on the disk. On Apple platforms `fsync` would leave them in the
    /// drive's cache.
    func synchronize() throws(FileError) {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        _ = try call("fsync") { fsync(descriptor) }
    }

    // MARK: Locks

    /// Locks the file exclusively; returns false at once if it is locked elsewhere.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Locks the file exclusively, after waiting for other locks to be released.
    func lockWaiting() throws(FileError) { _ = try call("flock") { flock(descriptor, LOCK_EX) } }

    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Whether this is still the file at a URL: another one may have replaced it since it was opened.
    func isFile(at url: URL) -> Bool {
        var opened = stat()
        guard fstat(descriptor, &opened) == 0, let there = try? OpenFile.status(of: url, followsLink: false) else {
            return false
        }
        return opened.st_ino == there.st_ino && opened.st_dev == there.st_dev
    }

    // MARK: Files that are not open

    /// The status of a file or folder, from `stat`.
    static func status(of url: URL, followsLink: Bool = true) throws(FileError) -> stat {
        var status = stat()
        _ = try call("stat", url) { followsLink ? stat($0, &status) : lstat($0, &status) }
        return status
    }

    /// The length in bytes of a readable regular file, without opening it.
    static func length(of url: URL) throws(FileError) -> Int {
        let status = try status(of: url)
        try check(status, is: S_IFREG, "read", url)
        _ = try call("access", url) { access($0, R_OK) }
        return Int(status.st_size)
    }

    /// Moves a file to a target, replacing an existing file atomically.
    static func move(_ url: URL, to target: URL) throws(FileError) {
        _ = try call("rename", target) { target in url.withPath { rename($0, target) } }
    }

    /// Removes a file, if there is one.
    static func remove(_ url: URL) throws(FileError) {
        _ = try FileError.unlessAbsent { () throws(FileError) in try call("unlink", url) { unlink($0) } }
    }

    /// Sets a file's access and modification times to now. Failures are ignored.
    static func touch(_ url: URL) {
        _ = try? call("utimensat", url) { utimensat(AT_FDCWD, $0, nil, AT_SYMLINK_NOFOLLOW) }
    }

    // MARK: Calls

    /// The result of a system call, repeated while signals interrupt it.
    private func call<Count: SignedInteger>(_ name: String, _ body: () -> Count) throws(FileError) -> Count {
        try OpenFile.call(name, path, body)
    }

    private static func call<Count: SignedInteger>(
        _ name: String, _ path: String, _ body: () -> Count
    ) throws(FileError) -> Count {
        while true {
            let result = body()
            if result >= 0 { return result }
            if errno != EINTR { throw FileError(call: name, path: path, code: errno) }
        }
    }

    private static func call(
        _ name: String, _ url: URL, _ body: (UnsafePointer<CChar>) -> Int32
    ) throws(FileError) -> Int32 {
        guard url.isFileURL else { throw FileError(call: name, path: url.absoluteString, code: EINVAL) }
        return try call(name, url.path) { url.withPath(body) }
    }
}

// System calls under names that the methods above do not shadow.
private let systemRead: @Sendable (Int32, UnsafeMutableRawPointer?, Int) -> Int = read
private let systemWrite: @Sendable (Int32, UnsafeRawPointer?, Int) -> Int = write

extension URL {
    /// Calls the system with the path of a file; fails with `EINVAL` if there is none.
    fileprivate func withPath(_ call: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        withUnsafeFileSystemRepresentation { path in
            if let path { return call(path) }
            errno = EINVAL
            return -1
        }
    }

    /// The file beside this one whose name has more text. Where file systems would not take that, 255 bytes, a digest stands for the name.
    func appendingToName(_ text: String) -> URL {
        let rest = 255 - lastPathComponent.utf8.count
        let isTooLong = rest >= 0 && rest < text.utf8.count
        let name = isTooLong ? SHA256Digest(of: lastPathComponent).hexadecimal : lastPathComponent
        return deletingLastPathComponent().appendingPathComponent(name + text)
    }
}

/// A failed file system call: in a ``FileStore`` or a download. A request body that cannot be read from its file is
/// ``RequestError/invalidRequest(_:)``.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError, SentenceError {
    /// The name of the call, such as `open` or `write`.
    public let call: String
    /// The path of the file.
    public let path: String
    /// The value of `errno`.
    public let code: Int32

    /// A failed call.
    public init(call: String, path: String, code: Int32) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// The result of a call; nil if there is no such file.
    static func unlessAbsent<Result>(_ call: () throws(FileError) -> Result) throws(FileError) -> Result? {
        do throws(FileError) {
            return try call()
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Runs a call of Foundation on a folder; its errors become those of a system call.
    static func of<Result>(_ call: String, _ folder: URL, _ work: () throws -> Result) throws(FileError) -> Result {
        do {
            return try work()
        } catch {
            // Not `errno`, which may have changed since the call.
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code ?? .EINVAL
            throw FileError(call: call, path: folder.path, code: code.rawValue)
        }
    }

    /// The system's name for the code: `No space left on device`.
    var reason: String { String(cString: strerror(code)) }

    /// One sentence: `write failed for /tmp/map.bin.partial: No space left on device (errno 28).`
    public var description: String {
        // Callers handle the lack of a file that they only read. One that is created lacks its folder.
        let advice = call == "open" && code == ENOENT ? "; create the folder" : ""
        return "\(call) failed for \(path): \(reason) (errno \(code))\(advice)."
    }
}

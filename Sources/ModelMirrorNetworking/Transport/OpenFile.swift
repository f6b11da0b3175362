#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// An open file, accessed with system calls, because FoundationEssentials, used on Linux, has no `FileHandle`.
///
/// It is closed with its last reference. For one task at a time. Failed calls throw a `CocoaError` with the path and the
/// `POSIXError` as the underlying error.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Standard error, which is never closed.
    static let standardError = OpenFile(descriptor: STDERR_FILENO, path: "the standard error")

    /// Opens a file for reading.
    static func reading(_ url: URL) throws(CocoaError) -> OpenFile { try opened(url, O_RDONLY, isRead: true) }

    /// Opens an existing file for reading and writing.
    static func updating(_ url: URL) throws(CocoaError) -> OpenFile { try opened(url, O_RDWR, isRead: false) }

    private static func opened(_ url: URL, _ mode: Int32, isRead: Bool) throws(CocoaError) -> OpenFile {
        guard url.isFileURL else { throw CocoaError(isRead ? .fileReadUnsupportedScheme : .fileWriteUnsupportedScheme) }
        let descriptor = repeated { url.withFilePath { open($0, mode | O_CLOEXEC) } }
        guard descriptor >= 0 else { throw CocoaError(errno, path: url.path, isRead: isRead) }
        return OpenFile(descriptor: descriptor, path: url.path)
    }

    /// The length in bytes of a readable regular file, without opening it.
    static func length(of url: URL) throws(CocoaError) -> Int {
        guard url.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
        var status = stat()
        guard url.withFilePath({ stat($0, &status) }) == 0 else {
            throw CocoaError(errno, path: url.path, isRead: true)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CocoaError(.fileReadUnknown) }
        guard url.withFilePath({ access($0, R_OK) }) == 0 else {
            throw CocoaError(errno, path: url.path, isRead: true)
        }
        return Int(status.st_size)
    }

    /// The next bytes, at most `count`; nil at the end.
    func read(upToCount count: Int) throws(CocoaError) -> Data? {
        var bytes = Data(count: count)
        let done = OpenFile.repeated {
            bytes.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
        }
        guard done >= 0 else { throw CocoaError(errno, path: path, isRead: true) }
        return done == 0 ? nil : bytes.prefix(done)
    }

    /// Writes all bytes.
    func write(_ bytes: Data) throws(CocoaError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = OpenFile.repeated {
                rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            }
            guard written >= 0 else { throw CocoaError(errno, path: path, isRead: false) }
            rest = rest.dropFirst(written)
        }
    }

    /// Moves to the end, and returns the length in bytes.
    func seekToEnd() throws(CocoaError) -> Int { try seek(0, SEEK_END) }

    func seekToStart() throws(CocoaError) { _ = try seek(0, SEEK_SET) }

    private func seek(_ offset: Int, _ origin: Int32) throws(CocoaError) -> Int {
        let result = lseek(descriptor, off_t(offset), origin)
        guard result >= 0 else { throw CocoaError(errno, path: path, isRead: true) }
        return Int(result)
    }

    /// Truncates the file to no bytes, and moves to the beginning.
    func empty() throws(CocoaError) {
        try check(OpenFile.repeated { ftruncate(descriptor, 0) })
        try seekToStart()
    }

    /// Waits until all bytes are on the disk.
    func synchronize() throws(CocoaError) { try check(OpenFile.repeated { fsync(descriptor) }) }

    private func check(_ result: Int32) throws(CocoaError) {
        guard result == 0 else { throw CocoaError(errno, path: path, isRead: false) }
    }

    /// Locks the file exclusively; returns false at once if it is locked elsewhere.
    func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Whether this is still the file at a URL: another one may have replaced it since it was opened.
    func isFile(at url: URL) -> Bool {
        var opened = stat()
        var there = stat()
        guard fstat(descriptor, &opened) == 0, url.withFilePath({ stat($0, &there) }) == 0 else { return false }
        return opened.st_ino == there.st_ino && opened.st_dev == there.st_dev
    }

    /// Moves a file to a target, replacing an existing file atomically.
    static func move(_ url: URL, to target: URL) throws(CocoaError) {
        guard url.withFilePath({ from in target.withFilePath { rename(from, $0) } }) == 0 else {
            throw CocoaError(errno, path: target.path, isRead: false)
        }
    }

    /// Repeats a call while signals interrupt it.
    private static func repeated<Count: SignedInteger>(_ call: () -> Count) -> Count {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }
}

// System calls under names that the methods above do not hide.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

extension URL {
    /// Calls a closure with the path; returns -1 and sets `EINVAL` for a URL without one.
    fileprivate func withFilePath(_ call: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        withUnsafeFileSystemRepresentation { path in
            if let path { return call(path) }
            errno = EINVAL
            return -1
        }
    }
}

extension CocoaError {
    /// The error that Foundation would throw for an `errno`.
    fileprivate init(_ code: Int32, path: String, isRead: Bool) {
        // The values of Foundation's constants, which FoundationEssentials does not export.
        var details: [String: Any] = ["NSFilePath": path]
        if let cause = POSIXErrorCode(rawValue: code) { details["NSUnderlyingError"] = POSIXError(cause) }
        self.init(CocoaError.code(of: code, isRead: isRead), userInfo: details)
    }

    /// Why a file could not be used, as a clause. Without the rest of Foundation, the error's description is no sentence.
    var reason: String {
        if let cause = userInfo["NSUnderlyingError"] as? POSIXError {
            return String(cString: strerror(cause.code.rawValue))
        }
        return switch code {
        case .fileReadUnsupportedScheme, .fileWriteUnsupportedScheme: "its URL is not a file URL"
        case .fileReadUnknown: "it is not a regular file"
        default: "\(self)"
        }
    }

    private static func code(of code: Int32, isRead: Bool) -> Code {
        switch code {
        case ENOENT: isRead ? .fileReadNoSuchFile : .fileNoSuchFile
        case EACCES, EPERM: isRead ? .fileReadNoPermission : .fileWriteNoPermission
        case ENAMETOOLONG: isRead ? .fileReadInvalidFileName : .fileWriteInvalidFileName
        case EFBIG where isRead: .fileReadTooLarge
        case ENOSPC, EDQUOT: isRead ? .fileReadUnknown : .fileWriteOutOfSpace
        case EROFS: isRead ? .fileReadUnknown : .fileWriteVolumeReadOnly
        default: isRead ? .fileReadUnknown : .fileWriteUnknown
        }
    }
}

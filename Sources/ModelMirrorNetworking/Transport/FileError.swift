public import ModelMirror

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
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

    /// Whether there is no such file.
    var isAbsence: Bool { code == ENOENT }

    /// The system's name for the code: `No space left on device`.
    var reason: String { String(cString: strerror(code)) }

    /// One sentence: `write failed for /tmp/map.bin.partial: No space left on device (errno 28).`
    public var description: String { "\(call) failed for \(path): \(reason) (errno \(code))." }
}

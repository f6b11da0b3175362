public import Foundation

/// Why a store could not keep or read something.
public enum StoreError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
    /// The response alone is larger than the whole store may be. Both counts are bytes.
    case tooLarge(size: Int, limit: Int)
    /// A call of the file system failed; the code is its `errno`.
    case file(call: String, path: String, code: Int32)

    /// One sentence.
    public var description: String {
        switch self {
        case .tooLarge(let size, let limit):
            "The response takes \(size) bytes, more than the \(limit) of the whole store; raise its limit or do not keep it."
        case .file(let call, let path, let code):
            "\(call) failed for the stored response at \(path): \(String(cString: strerror(code))) (errno \(code))."
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}

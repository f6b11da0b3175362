public import Foundation
public import ModelMirror

/// Why a stream gave no more, where it is neither the connection nor the JSON.
public enum StreamError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// A part of the stream is larger than allowed, so that it is not kept in memory.
    case tooLarge(Part, limit: Int)
    /// Two tasks read one iterator at a time.
    case readByTwoTasks

    /// A part of a stream.
    public struct Part: Hashable, Sendable {
        /// The kinds of part.
        public enum Kind: String, Sendable {
            /// An element of an array.
            case element
            /// A line.
            case line
            /// An event.
            case event
            /// What stands around the elements, or a key or a value in it.
            case envelope
        }

        /// What it is.
        public let kind: Kind
        /// Its place in the document; `$[3]` for the fourth line or event.
        public let path: JSONPath
        /// The line in the stream, from 1, on which it begins.
        public let line: Int
        /// Bytes from the start of the stream to its first byte.
        public let offset: Int
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .tooLarge(let part, let limit):
            "The \(part.kind.rawValue) at \(part.path) (line \(part.line), byte \(part.offset)) is larger than the limit of "
                + "\(limit) bytes; raise the limit if such are expected."
        case .readByTwoTasks: "Two tasks read one stream at a time; give each a stream of its own."
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}

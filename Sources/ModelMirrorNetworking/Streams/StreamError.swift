public import ModelMirror
public import ModelMirrorFoundation

/// Why a stream failed, other than an error of the connection or the JSON.
public enum StreamError: Error, Sendable, CustomStringConvertible, LocalizedError, SentenceError {
    /// A part of the stream is larger than the limit, in bytes.
    case tooLarge(Part, limit: Int)
    /// Two tasks used one iterator at the same time.
    case readByTwoTasks

    /// A part of a stream.
    public struct Part: Hashable, Sendable {
        /// The kind of a part.
        public enum Kind: Sendable {
            /// An element of an array.
            case element
            /// A line.
            case line
            /// An event.
            case event
            /// The document around the elements, or a key or value in it.
            case envelope
        }

        /// The kind of the part.
        public let kind: Kind
        /// The path of the part in the document; `$[3]` for the fourth line or event.
        public let path: JSONPath
        /// The line of its start in the stream, from 1.
        public let line: Int
        /// The offset of its first byte in the stream, from 0.
        public let offset: Int
    }

    static func tooLarge(_ kind: Part.Kind, at path: JSONPath, _ place: ErrorPlace, limit: Int) -> StreamError {
        .tooLarge(Part(kind: kind, path: path, line: place.line, offset: place.offset), limit: limit)
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .tooLarge(let part, let limit):
            "The \(part.kind) at \(part.path) (line \(part.line), byte \(part.offset)) is larger than the limit of "
                + "\(limit.bytes); raise the limit if such sizes are expected."
        case .readByTwoTasks: "Two tasks are reading one stream; give each its own."
        }
    }
}

public import Foundation

/// A file of a ``FileStore`` that does not hold what was saved, so that it counts as nothing. The next response that is saved
/// for the key takes its place.
public struct DamagedStoredFile: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with a file.
    public enum Reason: String, Error, Sendable {
        /// Its bytes are not those that were written: cut off, longer, or changed.
        case changed
        /// It was not written by this version of ModelMirror, or not by ModelMirror.
        case otherFormat
        /// It is whole, but another key's: it was renamed or copied.
        case otherKey
    }

    /// The file.
    public let file: URL
    /// The key that was asked for.
    public let key: String
    /// What is wrong.
    public let reason: Reason

    /// One sentence.
    public var description: String {
        let clause =
            switch reason {
            case .changed: "its bytes are not those that were written"
            case .otherFormat: "it is in another format"
            case .otherKey: "it was written for another key"
            }
        return "The stored response at \(file.path) is not used: \(clause); it is fetched and stored anew."
    }
}

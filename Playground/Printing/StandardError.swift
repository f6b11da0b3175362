import Foundation

/// The stream for what is not a result.
enum StandardError {
    /// Writes a text and a line feed.
    static func write(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

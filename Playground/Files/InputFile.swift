import Foundation

/// A file that was named on the command line.
struct InputFile {
    let path: String

    /// All of its bytes.
    func read() throws(UnreadableFile) -> Data {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw UnreadableFile(path: path, reason: "it is a directory")
        }
        // Foundation would take the empty path for the current directory.
        if path.isEmpty { throw UnreadableFile(path: path, reason: "there is no such file") }
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileReadInvalidFileName {
            throw UnreadableFile(path: path, reason: "there is no such file")
        } catch CocoaError.fileReadNoPermission {
            throw UnreadableFile(path: path, reason: "you are not allowed to")
        } catch {
            throw UnreadableFile(path: path, reason: "the system reported an error while reading it")
        }
    }
}

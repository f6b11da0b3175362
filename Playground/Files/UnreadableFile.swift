/// A file that could not be read, and why: one sentence.
struct UnreadableFile: Error, CustomStringConvertible {
    let path: String
    /// The end of the sentence, without a full stop.
    let reason: String

    var description: String { "Cannot read “\(path)”: \(reason)." }
}

import Foundation

/// A JSON document that comes with the program, from the folder `Resources`.
enum SampleDocument: String {
    case gists
    case brokenGists = "broken-gists"
    case questions
    case repositories1 = "repositories-1"
    case repositories2 = "repositories-2"

    /// All of its bytes.
    func read() throws(UnreadableFile) -> Data {
        guard let url = Bundle.module.url(forResource: rawValue, withExtension: "json") else {
            throw UnreadableFile(path: "\(rawValue).json", reason: "it did not come with the program")
        }
        return try InputFile(path: url.path).read()
    }
}

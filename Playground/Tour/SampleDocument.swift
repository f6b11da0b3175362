import Foundation

/// A JSON document that comes with the program, from the folder `Resources`.
enum SampleDocument: String {
    case gists
    case brokenGists = "broken-gists"
    case questions
    case repositories1 = "repositories-1"
    case repositories2 = "repositories-2"

    /// All of its bytes.
    func read() throws -> Data {
        guard let url = Bundle.module.url(forResource: rawValue, withExtension: "json") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try Data(contentsOf: url)
    }
}

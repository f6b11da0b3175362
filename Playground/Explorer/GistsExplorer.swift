import Foundation
import ModelMirror
import ModelMirrorNetworking

/// Fetches and prints a user's gists from a server that speaks GitHub's format.
struct GistsExplorer {
    let user: String
    let base: String

    /// What is wrong with the address that was typed.
    struct BadAddress: Error, CustomStringConvertible {
        let text: String
        var description: String {
            "\(text.debugDescription) is no address of a server; write it like https://api.github.com"
        }
    }

    /// - Throws: ``BadAddress``, and what the request ends with.
    @MainActor func run() async throws {
        guard let url = URL(string: base), let scheme = url.scheme, ["http", "https"].contains(scheme), url.host != nil
        else { throw BadAddress(text: base) }
        let gists: [Gist] = try await APIClient(baseURL: url).value(.get("users/\(user)/gists"))
        print(gists.isEmpty ? "\(user) has no gists" : Listing.gists(gists))
    }
}

import Foundation
import ModelMirror
import ModelMirrorNetworking

extension TourStep {
    static let store = TourStep(
        "The second run is served from the store",
        explanation: """
            What was fetched is kept in files, and a policy says who is asked first: if nothing is said, the store, else
            the network. A server that is asked again may answer 304: nothing has changed, the store serves.
            """,
        code: """
            let client = APIClient(baseURL: server, persistence: Persistence(try FileStore(folder: folder)))
            let gists = Endpoint<[Gist]>.get("users/octocat/gists")
            try await client.value(gists)                           // the network
            try await client.value(gists)                           // the store
            try await client.value(gists, policy: .networkOnly)     // 304, and the store
            """
    ) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ModelMirrorTour-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await TourServer.run { server in
            let gists = Endpoint<[Gist]>.get("users/octocat/gists")
            var lines: [String] = []
            for policy in [FetchPolicy.cacheElseNetwork, .cacheElseNetwork, .networkOnly] {
                // A new client each time, as a new run of the program has.
                let client = APIClient(
                    baseURL: server.url, persistence: Persistence(try FileStore(folder: folder)))
                let count = try await client.value(gists, policy: policy).count
                lines.append("\(policy.order): \(count) gists, requests up to now: \(server.requestCount)")
            }
            return (lines + [server.log]).joined(separator: "\n")
        }
    }
}

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
            let repository = StoringRepository<String>(baseURL: server, store: try FileStore(folder: folder))
            let gists = Resource<[Gist]>.objects("users/octocat/gists")
            try await repository.value(of: gists)                           // the network
            try await repository.value(of: gists)                           // the store
            try await repository.value(of: gists, policy: .networkOnly)     // 304, and the store
            """
    ) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ModelMirrorTour-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await TourServer.run { server in
            let gists = Resource<[Gist]>.objects("users/octocat/gists")
            var lines: [String] = []
            for policy in [FetchPolicy.cacheElseNetwork, .cacheElseNetwork, .networkOnly] {
                // A new repository each time, as a new run of the program has.
                let repository = StoringRepository<String>(
                    baseURL: server.url, store: try FileStore(folder: folder))
                let count = try await repository.value(of: gists, policy: policy).count
                lines.append("\(policy.order): \(count) gists, requests up to now: \(server.requestCount)")
            }
            return (lines + [server.log]).joined(separator: "\n")
        }
    }
}

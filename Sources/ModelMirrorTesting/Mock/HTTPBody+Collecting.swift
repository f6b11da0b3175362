import Foundation
import ModelMirrorNetworking

extension HTTPBody {
    /// All bytes of the body, as a transport would send them.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to take.
    ///   - progress: Called with the count of bytes so far and of all, if known.
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a body that cannot be made or read, of another length than it
    ///   says, or above the limit; `.cancelled`.
    func collect(
        limit: Int = .max, progress: (Int, Int?) -> Void = { _, _ in }
    ) async throws(RequestError) -> Data {
        let body = try measured()
        var collected = Data()
        for try await chunk in body {
            guard chunk.count <= limit - collected.count else {
                throw .invalidRequest("the body is larger than \(limit) bytes, the most that is kept")
            }
            collected.append(chunk)
            progress(collected.count, body.length)
        }
        return collected
    }
}

import ModelMirrorNetworking

/// Fetches gists from a server that speaks GitHub's format.
class GistsRepository: AbstractRepository<String> {
    @discardableResult
    func requestGists(
        of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
    ) -> Request<[Gist]> {
        request(.get("users/\(user)/gists"), completion: completion)
    }
}

extension GistsRepository {
    /// The class above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        class GistsRepository: AbstractRepository<String> {
            @discardableResult
            func requestGists(
                of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
            ) -> Request<[Gist]> {
                request(.get("users/\\(user)/gists"), completion: completion)
            }
        }
        """

    /// Requests a user's gists and waits until the closure was called.
    ///
    /// - Returns: what `text` makes of the gists, or the error's own words.
    @MainActor
    func outcome(of user: String, _ text: @escaping @MainActor ([Gist]) -> String) async -> String {
        await withCheckedContinuation { continuation in
            requestGists(of: user) { getGists in
                do {
                    continuation.resume(returning: text(try getGists()))
                } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
    }
}

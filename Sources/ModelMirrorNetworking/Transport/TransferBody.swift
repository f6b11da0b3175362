import Foundation

/// The body of a ``Transfer`` for its reader; ends the transfer when the last reader goes.
final class TransferBody: ResponseBody.Source {
    private let transfer: Transfer

    init(_ transfer: Transfer) { self.transfer = transfer }

    deinit { transfer.cancel() }

    func nextChunk() async throws -> Data? { try await transfer.nextChunk() }

    /// Reads to the end, so that the connection can be used again, or at most so many bytes. What becomes of a body that
    /// nobody wants is no matter.
    func drain(limit: Int) async {
        var count = 0
        while count <= limit, let chunk = try? await nextChunk() { count += chunk.count }
    }
}

#if os(Linux)
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a ``CurlTransfer`` for its reader, decompressed; ends the transfer when the last reference is released.
final class CurlBody: ResponseBody.Source {
    private let transfer: CurlTransfer
    private let decoder = Mutex<ContentDecoder?>(nil)

    init(_ transfer: CurlTransfer) { self.transfer = transfer }

    deinit { transfer.cancel() }

    /// Decodes everything read from now on; returns false if the coding is not supported.
    func decode(_ coding: String) -> Bool {
        guard let functions = CurlLibrary.shared?.inflating else { return false }
        return decoder.withLock { decoder in
            decoder = ContentDecoder(coding, functions)
            return decoder != nil
        }
    }

    func nextChunk() async throws -> Data? {
        guard decoder.withLock({ $0 != nil }) else { return try await transfer.nextChunk() }
        while true {
            if let piece = try decodedPiece() { return piece }
            guard let bytes = try await transfer.nextChunk() else {
                guard decoder.withLock({ $0?.isWhole ?? true }) else {
                    throw RequestError.connection(
                        .connectionLost, to: transfer.request.url, "the compressed body ended before it was whole")
                }
                return nil
            }
            decoder.withLock { $0?.add(bytes) }
        }
    }

    private func decodedPiece() throws(RequestError) -> Data? {
        do {
            return try decoder.withLock { try $0?.next() }
        } catch {
            transfer.cancel()
            throw .connection(
                .badResponse, to: transfer.request.url, "the body is not compressed as its Content-Encoding says")
        }
    }
}
#endif

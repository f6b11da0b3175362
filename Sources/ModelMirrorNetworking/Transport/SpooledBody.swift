#if canImport(FoundationNetworking)
import Foundation

/// The chunks of a body in one piece, since FoundationNetworking cannot take them one by one: its streams have to have
/// something to read whenever they are asked, on the queue that serves all sessions of the program.
///
/// In memory if they are few bytes, else in a temporary file, which goes when this object goes. It serves the redirects of
/// a request, too.
final class SpooledBody: Sendable {
    /// The chunks as data or as a file.
    let body: HTTPBody
    private let file: URL?

    private init(_ body: HTTPBody, file: URL? = nil) {
        self.body = body
        self.file = file
    }

    /// Makes all chunks of a body of chunks; nil for any other. Stops when the task is cancelled.
    ///
    /// - Throws: `.invalidRequest` for a body that cannot be made, has another length than it says, or cannot be written;
    ///   `.cancelled`.
    static func of(_ body: HTTPBody?, memoryLimit: Int) async throws(RequestError) -> SpooledBody? {
        guard let body, case .chunks = body.content else { return nil }
        var chunks = body.makeAsyncIterator()
        var data = Data()
        while let chunk = try await chunks.next() {
            data.append(chunk)
            guard data.count > memoryLimit else { continue }
            let file = FileManager.default.temporaryDirectory
                .appendingPathComponent("modelmirror-upload-\(UUID().uuidString)")
            do {
                let length = try await write(data, &chunks, to: file)
                return SpooledBody(HTTPBody(content: .file(file), length: length), file: file)
            } catch {
                // What matters is the error, not whether the file was made.
                try? FileManager.default.removeItem(at: file)
                throw error
            }
        }
        return SpooledBody(.data(data))
    }

    deinit {
        // In the system's folder for files that may be left behind.
        if let file { try? FileManager.default.removeItem(at: file) }
    }

    private static func write(
        _ start: Data, _ chunks: inout HTTPBody.AsyncIterator, to file: URL
    ) async throws(RequestError) -> Int {
        do {
            try start.write(to: file, options: .withoutOverwriting)
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            var count = Int(try handle.seekToEnd())
            while let chunk = try await chunks.next() {
                try handle.write(contentsOf: chunk)
                count += chunk.count
            }
            return count
        } catch let error as RequestError {
            throw error
        } catch {
            throw .invalidRequest("the body cannot be written to a temporary file: \(error)")
        }
    }
}
#endif

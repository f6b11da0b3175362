import Foundation
import ModelMirrorNetworking

extension HTTPBody {
    /// All bytes of the body.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to take.
    ///   - progress: Called with the count of bytes so far and of all, if known.
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a body of another length than it says, or above the limit; what
    ///   the body itself throws.
    func collect(limit: Int = .max, progress: (Int, Int?) -> Void = { _, _ in }) throws -> Data {
        var collected = Data()
        func add(_ data: Data, of total: Int?) throws {
            collected.append(data)
            guard collected.count <= limit else {
                throw RequestError.invalidRequest("its body is larger than \(limit) bytes")
            }
            if let length, collected.count > length {
                throw RequestError.invalidRequest("its body is longer than the \(length) bytes that it says")
            }
            progress(collected.count, total)
        }
        switch content {
        case .data(let data): try add(data, of: data.count)
        case .file(let url):
            let data = try Data(contentsOf: url)
            try add(data, of: data.count)
        case .chunks(let begin):
            let next = try begin()
            while let chunk = try next() {
                if Task.isCancelled { throw RequestError.cancelled }
                try add(chunk, of: length)
            }
        }
        if let length, collected.count < length {
            throw RequestError.invalidRequest("its body has \(collected.count) bytes, it says \(length)")
        }
        return collected
    }
}

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
    func collect(limit: Int = .max, progress: (Int, Int?) -> Void = { _, _ in }) throws(RequestError) -> Data {
        switch content {
        case .data(let data):
            try check(data.count, limit, isAtEnd: true)
            progress(data.count, data.count)
            return data
        case .file(let url):
            let data: Data
            do {
                data = try Data(contentsOf: url)
            } catch {
                throw .invalidRequest("the file \(url.path.debugDescription) cannot be read as a body: \(error)")
            }
            try check(data.count, limit, isAtEnd: true)
            progress(data.count, data.count)
            return data
        case .chunks(let begin):
            var collected = Data()
            let next = try made { try begin() }
            while let chunk = try made(next) {
                if Task.isCancelled { throw .cancelled }
                collected.append(chunk)
                try check(collected.count, limit, isAtEnd: false)
                progress(collected.count, length)
            }
            try check(collected.count, limit, isAtEnd: true)
            return collected
        }
    }

    private func made<Value>(_ make: () throws -> Value) throws(RequestError) -> Value {
        do {
            return try make()
        } catch {
            throw .invalidRequest("the body cannot be made: \(error)")
        }
    }

    private func check(_ count: Int, _ limit: Int, isAtEnd: Bool) throws(RequestError) {
        if count > limit { throw .invalidRequest("the body is larger than \(limit) bytes, the most that is kept") }
        guard let length, isAtEnd ? count != length : count > length else { return }
        throw .invalidRequest(
            "the body says that it has \(length) bytes and gives \(isAtEnd ? "" : "at least ")\(count)")
    }
}

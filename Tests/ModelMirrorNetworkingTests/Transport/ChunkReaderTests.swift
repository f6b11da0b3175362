import Foundation
import Testing

@testable import ModelMirrorNetworking

struct ChunkReaderTests {
    @Test func givesChunksAndThenNil() throws {
        let reader = ChunkReader(texts(["ab", "", "c"]), length: 3)
        #expect(try reader.next() == Data("ab".utf8))
        #expect(try reader.next() == Data())
        #expect(try reader.next() == Data("c".utf8))
        #expect(try reader.next() == nil)
        #expect(try reader.next() == nil)
    }

    @Test func fillsBuffers() throws {
        let reader = ChunkReader(texts(["abcde", "", "f"]), length: nil)
        var read: [String] = []
        try withUnsafeTemporaryAllocation(byteCount: 2, alignment: 1) { buffer in
            while case let count = try reader.read(into: buffer), count > 0 {
                read.append(String(decoding: buffer[..<count], as: UTF8.self))
            }
        }
        #expect(read == ["ab", "cd", "e", "f"])
    }

    @Test(arguments: [
        (4, "the body says that it has 4 bytes, and gives at least 5"),
        (6, "the body says that it has 6 bytes, and gives 5"),
    ])
    func refusesOtherLengths(_ length: Int, _ reason: String) throws {
        let reader = ChunkReader(texts(["abc", "de"]), length: length)
        var error: RequestError?
        do {
            while try reader.next() != nil {}
        } catch let caught {
            error = caught
        }
        guard case .invalidRequest(reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test func saysWhatTheClosureThrows() throws {
        struct Spilled: Error {}
        let reader = ChunkReader({ { throw Spilled() } }, length: nil)
        let error = #expect(throws: RequestError.self) { try reader.next() }
        guard case .invalidRequest("the body cannot be made: Spilled()")? = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    private func texts(_ texts: [String]) -> @Sendable () throws -> HTTPBody.ChunkProducer {
        {
            var rest = texts[...]
            return { rest.popFirst().map { Data($0.utf8) } }
        }
    }
}

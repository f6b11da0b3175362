import Foundation
import ModelMirrorNetworking
import Testing

struct HTTPBodyTests {
    @Test("Chunks are produced in order without empty ones, again for each iteration")
    func chunks() async throws {
        let body = HTTPBody.chunks(length: 3, texts(["ab", "", "c"]))
        for _ in 1...2 {
            var chunks = body.makeAsyncIterator()
            #expect(try await chunks.next() == Data("ab".utf8))
            #expect(try await chunks.next() == Data("c".utf8))
            #expect(try await chunks.next() == nil)
            #expect(try await chunks.next() == nil)
        }
    }

    @Test("Many small chunks are read in linear time", .timeLimit(.hung))
    func manyChunks() async throws {
        let body = HTTPBody.chunks {
            var rest = 100_000
            return {
                rest -= 1
                return rest < 0 ? nil : Data([7])
            }
        }
        var count = 0
        for try await chunk in body { count += chunk.count }
        #expect(count == 100_000)
    }

    @Test("Data is one chunk, or none if it is empty")
    func data() async throws {
        #expect(try await all(.data(Data("abc".utf8))) == ["abc"])
        #expect(try await all(.data(Data())) == [])
    }

    @Test("A file is read in pieces, and has its length once it is measured")
    func file() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 7, count: 65_537).write(to: file)
        let body = try HTTPBody.file(file).measured()
        #expect(HTTPBody.file(file).length == nil)
        #expect(body.length == 65_537)
        var counts: [Int] = []
        for try await chunk in body { counts.append(chunk.count) }
        #expect(counts == [65_536, 1])
        try Data().write(to: file)
        #expect(try HTTPBody.file(file).measured().length == 0)
        let reason = await reason { _ = try await all(body) }
        #expect(reason == "the file \(file.path) changed its length while it was sent")
    }

    @Test("A file that cannot be read as a body is named in the error")
    func unreadableFiles() async throws {
        let missing = HTTPBody.file(URL(fileURLWithPath: "/nowhere/x"))
        let folder = FileManager.default.temporaryDirectory
        let web = try #require(URL(string: "https://example.com/a"))
        for (body, path, reason) in [
            (missing, "/nowhere/x", "No such file or directory"), (.file(folder), folder.path, "Is a directory"),
            (.file(web), "/a", "its URL is not a file URL"),
        ] {
            #expect(
                await self.reason { _ = try body.measured() }
                    == "the file \(path.debugDescription) cannot be read as a body: \(reason)")
        }
        #expect(
            await reason { _ = try await all(missing) }
                == "the file \"/nowhere/x\" cannot be read as a body: No such file or directory")
    }

    @Test(
        "A body of another length than declared fails before a byte too many",
        arguments: [(4, ["abc"], "produces at least 5"), (6, ["abc", "de"], "produces 5")])
    func otherLengths(length: Int, given: [String], found: String) async {
        var chunks = HTTPBody.chunks(length: length, texts(["abc", "de"])).makeAsyncIterator()
        var taken: [String] = []
        let message = await reason {
            while let chunk = try await chunks.next() { taken.append(String(decoding: chunk, as: UTF8.self)) }
        }
        #expect(taken == given)
        #expect(message == "the body declares \(length) bytes and \(found)")
        // The iteration has ended.
        var isOver = false
        _ = await reason { isOver = try await chunks.next() == nil }
        #expect(isOver)
    }

    @Test("An error thrown by a body's closure is part of the reason")
    func thrown() async {
        struct Spilled: Error {}
        for body in [HTTPBody.chunks { { throw Spilled() } }, .chunks { throw Spilled() }] {
            #expect(await reason { _ = try await all(body) } == "the body cannot be made: Spilled()")
        }
    }

    @Test("A cancelled task gets no chunk")
    func cancelled() async throws {
        let task = Task { [self] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: RequestError.self) { try await all(.data(Data("a".utf8))) }
        }
        guard case .cancelled? = await task.value else {
            Issue.record("The task was not cancelled.")
            return
        }
    }

    private func all(_ body: HTTPBody) async throws -> [String] {
        var texts: [String] = []
        for try await chunk in body { texts.append(String(decoding: chunk, as: UTF8.self)) }
        return texts
    }

    private func reason(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return ""
        } catch RequestError.invalidRequest(let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }

    private func texts(_ texts: [String]) -> @Sendable () throws -> HTTPBody.ChunkProducer {
        {
            var rest = texts[...]
            return { rest.popFirst().map { Data($0.utf8) } }
        }
    }
}

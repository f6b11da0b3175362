import Foundation
import ModelMirrorNetworking
import Testing

struct HTTPBodyTests {
    @Test("chunks come in their order, empty ones left out, and anew with each iteration")
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

    @Test("the last of many chunks takes no longer than the first", .timeLimit(.minutes(1)))
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

    @Test("data is one chunk, none if it is empty")
    func data() async throws {
        #expect(try await all(.data(Data("abc".utf8))) == ["abc"])
        #expect(try await all(.data(Data())) == [])
    }

    @Test("a file comes in pieces, with its length once it is measured")
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
        #expect(await reason { _ = try await all(body) } == "the body declares 65537 bytes and produces 0")
    }

    @Test("a file that cannot be read is named")
    func missingFile() async {
        let missing = HTTPBody.file(URL(fileURLWithPath: "/nowhere/x"))
        for found in [
            await reason { _ = try missing.measured() }, await reason { _ = try await all(missing) },
        ] {
            #expect(found == "the file \"/nowhere/x\" cannot be read as a body: No such file or directory")
        }
    }

    @Test("what is no regular file is no body")
    func irregularFile() async throws {
        let folder = FileManager.default.temporaryDirectory
        let web = try #require(URL(string: "https://example.com/a"))
        #expect(
            await reason { _ = try HTTPBody.file(folder).measured() }
                == "the file \(folder.path.debugDescription) cannot be read as a body: Is a directory")
        #expect(
            await reason { _ = try HTTPBody.file(web).measured() }
                == "the file \"/a\" cannot be read as a body: its URL is not a file URL")
    }

    @Test("an incoming body can be forwarded")
    func forwarded() async throws {
        let incoming = ResponseBody(Data("abc".utf8))
        let body = HTTPBody.chunks {
            var chunks = incoming.makeAsyncIterator()
            return { try await chunks.next() }
        }
        #expect(try await all(body) == ["abc"])
    }

    @Test(
        "other lengths are refused before a byte too many",
        arguments: [(4, ["abc"], "produces at least 5"), (6, ["abc", "de"], "produces 5")])
    func otherLengths(length: Int, given: [String], found: String) async {
        var chunks = HTTPBody.chunks(length: length, texts(["abc", "de"])).makeAsyncIterator()
        var taken: [String] = []
        let message = await reason {
            while let chunk = try await chunks.next() { taken.append(String(decoding: chunk, as: UTF8.self)) }
        }
        #expect(taken == given)
        #expect(message == "the body declares \(length) bytes and \(found)")
        // It is over then.
        var isOver = false
        _ = await reason { isOver = try await chunks.next() == nil }
        #expect(isOver)
    }

    @Test("what a closure throws is in the reason")
    func thrown() async {
        struct Spilled: Error {}
        for body in [HTTPBody.chunks { { throw Spilled() } }, .chunks { throw Spilled() }] {
            #expect(await reason { _ = try await all(body) } == "the body cannot be made: Spilled()")
        }
    }

    @Test("a cancelled task gets no chunk")
    func cancelled() async throws {
        let task = Task { [self] in
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: RequestError.self) { try await all(.data(Data("a".utf8))) }
        }
        guard case .cancelled? = await task.value else {
            Issue.record("not cancelled")
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

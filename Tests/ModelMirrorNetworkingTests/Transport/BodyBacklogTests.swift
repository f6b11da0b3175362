import Foundation
import Testing

@testable import ModelMirrorNetworking

struct BodyBacklogTests {
    @Test func joinsSmallChunksInMemory() throws {
        var backlog = BodyBacklog(memoryLimit: 10)
        #expect(try backlog.removeFirst() == nil)
        try backlog.append(Data("abc".utf8))
        try backlog.append(Data("defghij".utf8))
        #expect(backlog.memoryCount == 10)
        #expect(backlog.spooledCount == 0)
        #expect(try backlog.removeFirst() == Data("abcdefghij".utf8))
        #expect(backlog.memoryCount + backlog.spooledCount == 0)
        #expect(try backlog.removeFirst() == nil)
    }

    @Test func returnsLargeChunksInMemoryInOrder() throws {
        var backlog = BodyBacklog(memoryLimit: 1 << 20)
        let chunks = [1 << 14, 1, 1 << 14].map { Data(repeating: UInt8(truncatingIfNeeded: $0), count: $0) }
        for chunk in chunks { try backlog.append(chunk) }
        for chunk in chunks { #expect(try backlog.removeFirst() == chunk) }
        #expect(try backlog.removeFirst() == nil)
    }

    @Test func keepsOneChunkOverTheLimitInMemory() throws {
        var backlog = BodyBacklog(memoryLimit: 2)
        try backlog.append(Data("abc".utf8))
        #expect(backlog.memoryCount == 3)
        try backlog.append(Data("d".utf8))
        #expect(backlog.memoryCount == 3)
        #expect(backlog.spooledCount == 1)
    }

    @Test("A chunk that fits in memory waits behind the last byte in the file")
    func waitsBehindTheFile() throws {
        var backlog = BodyBacklog(memoryLimit: 2)
        for text in ["ab", "c"] { try backlog.append(Data(text.utf8)) }
        #expect(try backlog.removeFirst() == Data("ab".utf8))
        try backlog.append(Data("d".utf8))
        #expect(backlog.memoryCount == 0)
        #expect(try backlog.removeFirst() == Data("cd".utf8))
    }

    @Test(arguments: [1, 7, 100, 5000])
    func returnsSpooledChunksInOrder(_ readsPerRound: Int) throws {
        var generator = SystemRandomNumberGenerator()
        var backlog = BodyBacklog(memoryLimit: 1000)
        var sent = Data()
        var received = Data()
        for round in 0..<200 {
            let chunk = Data(
                (0..<Int.random(in: 1...700, using: &generator)).map { UInt8(truncatingIfNeeded: $0 + round) })
            sent.append(chunk)
            try backlog.append(chunk)
            #expect(backlog.memoryCount <= 1000)
            #expect(backlog.memoryCount + backlog.spooledCount == sent.count - received.count)
            guard round % 10 == 9 else { continue }
            for _ in 0..<readsPerRound { received.append(try backlog.removeFirst() ?? Data()) }
        }
        while let chunk = try backlog.removeFirst() { received.append(chunk) }
        #expect(received == sent)
        #expect(backlog.memoryCount + backlog.spooledCount == 0)
    }

    #if os(Linux)
    @Test("A file that became shorter is an error, not an endless body")
    func shortenedFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("backlog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var backlog = BodyBacklog(memoryLimit: 1, folder: folder)
        for text in ["a", "bcd"] { try backlog.append(Data(text.utf8)) }
        #expect(try backlog.removeFirst() == Data("a".utf8))
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").map { "/proc/self/fd/\($0)" }
        let file = try #require(
            links.first {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: $0))?.hasPrefix(folder.path) == true
            })
        try #require(FileHandle(forWritingAtPath: file)).truncate(atOffset: 0)
        #expect(throws: FileError(call: "read", path: folder.path, code: EIO)) { try backlog.removeFirst() }
    }
    #endif

    @Test func leavesNoVisibleFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("backlog-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var backlog = BodyBacklog(memoryLimit: 0, folder: folder)
        try backlog.append(Data("a".utf8))
        try backlog.append(Data("b".utf8))
        #expect(backlog.spooledCount == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        #expect(try backlog.removeFirst() == Data("a".utf8))
        #expect(try backlog.removeFirst() == Data("b".utf8))
    }
}

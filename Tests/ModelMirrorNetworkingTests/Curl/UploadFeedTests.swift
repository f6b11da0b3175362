#if os(Linux)
import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite(.timeLimit(.hung), .network)
struct UploadFeedTests {
    @Test func readsABodyInMemory() {
        let feed = UploadFeed(.data(Data("abcde".utf8)), report: nil)
        feed.begin { Issue.record("A body in memory resumes.") }
        #expect(read(feed, 3) == "abc")
        #expect(read(feed, 3) == "de")
        #expect(read(feed, 3) == "end")
        #expect(read(UploadFeed(.data(Data()), report: nil), 3) == "end")
    }

    /// Chunks are produced only after the first read, and little more than was read.
    @Test func producesChunksOnDemand() async throws {
        let made = Observed(0)
        let resumed = Observed(0)
        let body = HTTPBody.chunks {
            {
                made.update { $0 += 1 }
                return Data(repeating: 0x61, count: 1 << 14)
            }
        }
        let feed = UploadFeed(body, report: nil)
        feed.begin { resumed.update { $0 += 1 } }
        #expect(made.value == 0)
        #expect(read(feed, 10) == "later")
        _ = try await resumed.wait { $0 == 1 }
        _ = try await made.wait { $0 == 4 }
        #expect(read(feed, 10) == "aaaaaaaaaa")
        _ = try await made.wait { $0 == 5 }
        feed.close()
        #expect(read(feed, 10) == "later")
        #expect(made.value == 5)
    }

    /// A chunk that is being produced when the feed is closed is not sent.
    @Test func dropsAChunkThatComesAfterTheEnd() async throws {
        let ended = Observed(0)
        let feeds = Mutex<UploadFeed?>(nil)
        let body = HTTPBody.chunks {
            let production = Production { ended.update { $0 += 1 } }
            return {
                withExtendedLifetime(production) { feeds.withLock { $0 }?.close() }
                return Data("late".utf8)
            }
        }
        let feed = UploadFeed(body, report: nil)
        feeds.withLock { $0 = feed }
        feed.begin { Issue.record("A closed feed resumes.") }
        #expect(read(feed, 10) == "later")
        _ = try await ended.wait { $0 == 1 }
        #expect(read(feed, 10) == "later")
    }

    /// Tells when a body is no longer produced.
    private final class Production: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    /// A request that is sent again sends its body from the beginning, and reports its progress anew.
    @Test(arguments: [
        HTTPBody.data(Data("abcde".utf8)), .chunks { { nil } }, .chunks(length: 5, twoChunks), .chunks(twoChunks),
    ])
    func startsABodyAnew(_ body: HTTPBody) async throws {
        let sent = Observed<[Int64]>([])
        let resumed = Observed(0)
        let feed = UploadFeed(body) { count, _ in sent.update { $0.append(count) } }
        feed.begin { resumed.update { $0 += 1 } }
        var text = ""
        for start in 0..<4 {
            if start > 0 { feed.restart() }
            text = ""
            var portion = ""
            while portion != "end", !(start == 1 && text.count >= 2) {
                let before = resumed.value
                portion = read(feed, 2)
                if portion == "later" {
                    _ = try await resumed.wait { $0 > before }
                } else if portion != "end" {
                    text += portion
                }
            }
        }
        let length = text.count
        #expect(["", "abcde"].contains(text))
        if length > 0 { _ = try await sent.wait { $0.filter { $0 == 5 }.count == 3 } }
        feed.close()
        feed.restart()
        #expect(read(feed, 2) == "later")
    }

    private static let twoChunks: @Sendable () throws -> HTTPBody.ChunkProducer = {
        var rest = ["abc", "de"][...]
        return { rest.popFirst().map { Data($0.utf8) } }
    }

    @Test func readsManySmallChunksTogether() async throws {
        let made = Observed(0)
        let body = HTTPBody.chunks {
            {
                defer { made.update { $0 += 1 } }
                return Data("\(made.value % 10)".utf8)
            }
        }
        let feed = UploadFeed(body, report: nil)
        feed.begin {}
        #expect(read(feed, 10) == "later")
        _ = try await made.wait { $0 == 1 << 16 }
        let digits = (0..<60_000).map { "\($0 % 10)" }.joined()
        #expect(read(feed, 7) == digits.prefix(7))
        #expect(read(feed, 59_993) == digits.dropFirst(7))
        feed.close()
    }

    @Test func reportsTheEndAndFailures() async throws {
        let resumed = Observed(0)
        let feed = UploadFeed(.chunks { { nil } }, report: nil)
        feed.begin { resumed.update { $0 += 1 } }
        if read(feed, 10) == "later" { _ = try await resumed.wait { $0 == 1 } }
        #expect(read(feed, 10) == "end")

        let failing = UploadFeed(.chunks { { throw RequestError.noConnectivity } }, report: nil)
        failing.begin { resumed.update { $0 += 1 } }
        if read(failing, 10) == "later" { _ = try await resumed.wait { $0 == 2 } }
        #expect(read(failing, 10) == "failed")
        guard case .noConnectivity? = failing.failure else {
            Issue.record("\(failing.failure as Any)")
            return
        }
    }

    /// Whether their length is known or not, so that they leave at once.
    @Test func measuresShortChunks() async throws {
        let resumed = Observed(0)
        let feed = UploadFeed(.chunks(UploadFeedTests.twoChunks), report: nil)
        feed.begin { resumed.update { $0 += 1 } }
        #expect(feed.lengthSoFar == nil)
        while !feed.isPrimed() { _ = try await resumed.wait { $0 >= 1 } }
        #expect(feed.lengthSoFar == 5)
        #expect(read(feed, 10) == "abcde")
        #expect(read(feed, 10) == "end")
        feed.restart()
        #expect(feed.lengthSoFar == nil)
        feed.close()
        #expect(UploadFeed(.chunks(length: 5, UploadFeedTests.twoChunks), report: nil).lengthSoFar == 5)
    }

    /// Otherwise the server would take the bytes sent so far for the whole body.
    @Test func reportsNoEndOnceItIsClosed() {
        let feed = UploadFeed(.data(Data("abc".utf8)), report: nil)
        #expect(read(feed, 2) == "ab")
        feed.close()
        #expect(read(feed, 2) == "later")
    }

    private func read(_ feed: UploadFeed, _ count: Int) -> String {
        withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { space in
            switch feed.read(into: space) {
            case .bytes(let count): String(decoding: space[..<count], as: UTF8.self)
            case .later: "later"
            case .end: "end"
            case .failed: "failed"
            }
        }
    }
}
#endif

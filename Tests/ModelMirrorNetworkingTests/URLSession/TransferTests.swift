#if !os(Linux) || FoundationNetworking
import Foundation
import ModelMirrorTesting
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import ModelMirrorNetworking

/// How a transfer handles a delegate's calls, without a session.
struct TransferTests {
    private let transfer = Transfer(
        TransportRequest(.get, URL(string: "http://example.com/")!), URLSessionTransport.Options())

    @Test func returnsTheChunksAndThenNil() async throws {
        transfer.receive(head(["Content-Length": "3"]))
        transfer.receive(Data("ab".utf8))
        transfer.receive(Data())
        transfer.receive(Data("c".utf8))
        transfer.finish(nil, nil)
        #expect(try await transfer.nextChunk() == Data("abc".utf8))
        #expect(try await transfer.nextChunk() == nil)
        #expect(try await transfer.nextChunk() == nil)
    }

    @Test("The session of the options does not limit the timeouts of requests")
    func leavesTimeoutsToRequests() {
        var options = URLSessionTransport.Options()
        options.timeout = .seconds(1)
        let configuration = URLSessionConfiguration.transport(options)
        #expect(configuration.timeoutIntervalForRequest == 1_000_000_000)
        #expect(configuration.timeoutIntervalForResource == 1_000_000_000)
    }

    /// Platforms differ in whether they report it.
    @Test func failsForAShortBody() async throws {
        transfer.receive(head(["Content-Length": "4"]))
        transfer.receive(Data("abc".utf8))
        transfer.finish(nil, nil)
        #expect(try await transfer.nextChunk() == Data("abc".utf8))
        await expectFailure(.connectionLost, "the response ended after 3 of the 4 bytes that its head announced")
        await expectFailure(.connectionLost, "the response ended after 3 of the 4 bytes that its head announced")
    }

    @Test(
        arguments: [
            (200, ["Content-Length": "4", "Content-Encoding": "gzip"]), (204, ["Content-Length": "4"]),
            (304, ["Content-Length": "4"]), (200, ["Content-Length": "4", "Transfer-Encoding": "chunked"]), (200, [:]),
            (200, ["Content-Length": "four"]),
        ] as [(Int, HTTPHeaders)])
    func acceptsAShortBodyWhereItsLengthDoesNotCount(_ status: Int, _ headers: HTTPHeaders) async throws {
        transfer.receive(TransferHead(status: status, headers: headers))
        transfer.finish(nil, nil)
        #expect(try await transfer.nextChunk() == nil)
    }

    @Test func failsWithoutAHead() async throws {
        transfer.finish(nil, nil)
        await expectFailure(.badResponse, "the response has no head")
    }

    @Test func dropsUnreadChunksWhenItIsCancelled() async throws {
        transfer.receive(head([:]))
        transfer.receive(Data("a".utf8))
        transfer.cancel()
        transfer.receive(Data("b".utf8))
        transfer.finish(nil, nil)
        await expectCancelled()
        await expectCancelled()
    }

    @Test func keepsItsFirstEnd() async throws {
        transfer.receive(head([:]))
        transfer.finish(nil, nil)
        transfer.cancel()
        transfer.end(.failure(.noConnectivity))
        transfer.finish(CocoaError(.fileNoSuchFile), nil)
        #expect(try await transfer.nextChunk() == nil)
    }

    @Test func rejectsASecondReader() async throws {
        transfer.receive(head([:]))
        let transfer = transfer
        let first = Task { try await transfer.nextChunk() }
        // The first of the two waits, the other is rejected; the scheduler decides which is first.
        let second = Task { try await transfer.nextChunk() }
        let results = await withTaskGroup(of: Result<Data?, any Error>.self) { group in
            group.addTask { await first.result }
            group.addTask { await second.result }
            let refused = await group.next()
            transfer.receive(Data("a".utf8))
            return [refused, await group.next()]
        }
        #expect(throws: RequestError.self) { try results[0]?.get() }
        #expect(try results[1]?.get() == Data("a".utf8))
    }

    @Test func endsWhenTheReadingTaskIsCancelled() async throws {
        transfer.receive(head([:]))
        let transfer = transfer
        let task = Task { try await transfer.nextChunk() }
        task.cancel()
        await #expect(throws: RequestError.self) { try await task.value }
        #expect(transfer.hasEnded)
    }

    /// The end of a body's stream is the end of the body for a platform that has not stopped yet.
    @Test(arguments: [false, true])
    func cancelsItsWriterOnceThePlatformIsDone(_ isWhole: Bool) {
        let writers = (0..<2).map { _ in Task<Void, Never> { try? await Gate().enter() } }
        transfer.adopt(writers[0])
        #expect(!writers[0].isCancelled)
        transfer.adopt(writers[1])
        #expect(writers.map(\.isCancelled) == [true, false])
        if isWhole { transfer.receive(head([:])) } else { transfer.cancel() }
        #expect(!writers[1].isCancelled)
        transfer.finish(isWhole ? nil : URLError(.cancelled), nil)
        #expect(writers[1].isCancelled)
    }

    private func head(_ headers: HTTPHeaders) -> TransferHead { TransferHead(status: 200, headers: headers) }

    private func expectFailure(_ kind: RequestError.ConnectionFailure.Kind, _ reason: String) async {
        let error = await #expect(throws: RequestError.self) { try await transfer.nextChunk() }
        #expect(error?.failureKind == kind)
        #expect(error?.failureReason == reason)
    }

    private func expectCancelled() async {
        let error = await #expect(throws: RequestError.self) { try await transfer.nextChunk() }
        guard case .cancelled? = error else {
            Issue.record("\(error as Any)")
            return
        }
    }
}
#endif

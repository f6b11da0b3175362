import Dispatch
import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

@Suite("RequestProgress", .timeLimit(.hung), .network)
struct RequestProgressTests {
    private let url: URLReference = "https://example.com/x"

    @Test(
        "Progress is reported after each chunk, with a fraction if the length is announced", arguments: [true, false])
    func download(isAnnounced: Bool) async throws {
        let gates = [StubGate(), StubGate(), StubGate()]
        let transport = StubTransport { request in
            let asked = WordLog()
            let body = ResponseBody {
                asked.add("chunk")
                let number = asked.words.count
                guard number <= 3 else { return nil }
                await gates[number - 1].wait()
                return Data(["[1", ",2", "]"][number - 1].utf8)
            }
            return TransportResponse(
                status: 200, headers: isAnnounced ? [.contentLength: "5"] : [:], url: request.url, body: body)
        }
        let client = APIClient(transport: transport)
        let told = Observed<[RequestProgress.Transfer]>([])
        let (notices, notice) = AsyncStream<Int64>.makeStream()
        let request = client.request(Endpoint<[Int]>.get(url)).progress { progress in
            MainActor.assertIsolated()
            told.update { $0.append(progress.download) }
            notice.yield(progress.download.bytes)
        }
        #expect(request.progress.download.bytes == 0)
        var iterator = notices.makeAsyncIterator()
        for (index, bytes) in [2, 4, 5].enumerated() {
            gates[index].open()
            while let next = await iterator.next(), next < bytes {}
        }
        #expect(try await request.value() == [1, 2])
        await ended(request)
        let last = RequestProgress.Transfer(bytes: 5, total: 5)
        #expect(request.progress.download == last)
        #expect(last.fraction == 1)
        let all = told.value
        let total: Int64? = isAnnounced ? 5 : nil
        #expect(all.contains(.init(bytes: 2, total: total)))
        #expect(all.first { $0.bytes == 4 }?.fraction == (isAnnounced ? 0.8 : nil))
    }

    @Test("A slow observer receives the latest progress, and none after the end")
    func coalescing() async throws {
        let transport = StubTransport { request in
            let chunks = Array(repeating: Data(" ".utf8), count: 999) + [Data("7".utf8)]
            return TransportResponse(status: 200, url: request.url, body: .chunks(chunks))
        }
        let queue = DispatchQueue(label: "slow")
        queue.suspend()
        let told = WordLog()
        let gate = StubGate()
        let held = StubTransport { request in
            await gate.wait()
            return try await transport.response(to: request)
        }
        let request = APIClient(transport: held).request(Endpoint<Int>.get(url))
        request.progress(on: queue) { progress in told.add("\(progress.download.bytes)") }
        gate.open()
        #expect(try await request.value() == 7)
        queue.resume()
        await withCheckedContinuation { continuation in request.finished(on: queue) { continuation.resume() } }
        #expect(told.words == ["1000"])
        request.progress(on: queue) { _ in Issue.record("There is no progress after the end.") }
    }

    @Test("Sent bytes that are reported late are not passed on after the call has returned")
    func lateReport() async throws {
        let report = Mutex<(@Sendable (Int64, Int64?) -> Void)?>(nil)
        let transport = StubTransport { request in
            report.withLock { $0 = request.uploadProgress }
            request.uploadProgress?(1, 2)
            return .stub("7", url: request.url)
        }
        let told = Observed<[RequestProgress.Transfer]>([])
        let value = try await APIClient(transport: transport).value(
            Endpoint<Int>.post(url, parameters: .data(Data(count: 2), contentType: "text/plain"))
        ) { progress in
            told.update { $0.append(progress.upload) }
        }
        #expect(value == 7)
        let all = told.value
        #expect(all.contains(.init(bytes: 1, total: 2)))
        let reportSent = try #require(report.withLock { $0 })
        reportSent(2, 2)
        #expect(told.value == all)
    }

    @Test("A handler that is added late receives the progress made before")
    func lateHandler() async throws {
        let gate = StubGate()
        let transport = StubTransport { request in
            let asked = WordLog()
            let body = ResponseBody {
                asked.add("chunk")
                if asked.words.count == 1 { return Data("7".utf8) }
                await gate.wait()
                return nil
            }
            return TransportResponse(status: 200, url: request.url, body: body)
        }
        let queue = DispatchQueue(label: "handlers")
        let request = APIClient(transport: transport).request(Endpoint<Int>.get(url))
        let first = await withCheckedContinuation { continuation in
            request.progress(on: queue) { progress in
                if progress.download.bytes == 1 { continuation.resume(returning: progress) }
            }
        }
        let late = await withCheckedContinuation { continuation in
            request.progress(on: queue) { progress in continuation.resume(returning: progress) }
        }
        #expect(late == first)
        request.cancel()
        gate.open()
    }

    @Test(
        "The fraction of a transfer is at most 1, and nil without a total",
        arguments: [
            (RequestProgress.Transfer(bytes: 3), nil), (.init(bytes: 1, total: 4), 0.25),
            (.init(bytes: 9, total: 4), 1),
            (.init(bytes: 0, total: 0), 1), (.init(bytes: 0, total: 1), 0),
        ] as [(RequestProgress.Transfer, Double?)])
    func fractions(transfer: RequestProgress.Transfer, expected: Double?) {
        #expect(transfer.fraction == expected)
    }
}

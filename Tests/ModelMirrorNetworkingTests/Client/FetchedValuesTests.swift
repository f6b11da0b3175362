import Dispatch
import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

@Suite("Fetching the stored value, then the network's", .timeLimit(.hung), .network)
struct FetchedValuesTests {
    private let gists = Endpoint<[StoredGist]>.get("https://example.com/gists")

    @Test("The sequence yields the stored value, then the network's")
    func both() async throws {
        let setup = StoringSetup(
            .sequence([.json("[{\"id\": 2}]", headers: [.eTag: "\"a\""]), .status(304), .status(500)]))
        let values = setup.repository.values(gists)
        #expect(setup.transport.requests.isEmpty)
        #expect(try await words(values) == ["[2] network"])
        #expect(try await words(values) == ["[2] store(\(setup.clock.date))", "[2] confirmedStore"])
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next()?.value.map(\.id) == [2])
        // The network is asked only when the second value is.
        #expect(setup.transport.requests.count == 2)
        await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next()?.value.count == nil)
        #expect(setup.transport.requests.count == 3)
    }

    @Test("The consumer's time with the stored value does not count against the deadline")
    func deadline() async throws {
        let setup = StoringSetup("[{\"id\": 2}]")
        setup.store.save(stored("[{\"id\": 1}]"), for: setup.key)
        setup.repository.client.configuration.deadline = .seconds(5000)
        let begin = ContinuousClock.now
        var iterator = setup.repository.values(gists).makeAsyncIterator()
        #expect(try await iterator.next()?.value.map(\.id) == [1])
        let delivered = ContinuousClock.now
        while delivered.duration(to: .now) <= begin.duration(to: delivered) { await Task.yield() }
        let continued = ContinuousClock.now
        #expect(try await iterator.next()?.value.map(\.id) == [2])
        let deadline = try #require(setup.transport.requests.first?.request.deadline)
        #expect(deadline >= begin + .seconds(5000) + delivered.duration(to: continued))
    }

    @Test("With policies other than cacheThenNetwork the sequence yields one value")
    func one() async throws {
        let setup = StoringSetup("[{\"id\": 2}]")
        #expect(try await words(setup.repository.values(gists, policy: .networkOnly)) == ["[2] network"])
        let stored = "[2] store(\(setup.clock.date))"
        #expect(try await words(setup.repository.values(gists, policy: .cacheOnly)) == [stored])
        #expect(try await words(setup.repository.values(gists, policy: .cacheElseNetwork)) == [stored])
        #expect(setup.transport.requests.count == 1)
    }

    @Test("Cancelling the iterating task ends the sequence with RequestError.cancelled")
    func cancelled() async throws {
        let setup = StoringSetup(.hanging())
        let repository = setup.repository
        let values = repository.values(gists)
        let task = Task { () -> String in
            do {
                for try await _ in values {}
                return "ended"
            } catch {
                return "\(error)"
            }
        }
        _ = try await setup.transport.requests(atLeast: 1)
        task.cancel()
        #expect(await task.value == "The request was cancelled.")
    }

    @Test("The closure for the stored value is called before the completion, on the main actor")
    @MainActor
    func closures() async throws {
        let setup = StoringSetup(.sequence([.json("[{\"id\": 2}]"), .json("[{\"id\": 3}]")]))
        setup.store.save(stored("[{\"id\": 1}]"), for: setup.key)
        let log = StoringLog()
        for _ in 0..<2 {
            await withCheckedContinuation { continuation in
                setup.repository.request(gists) { getStored in
                    MainActor.assertIsolated()
                    log.add("stored \((try? getStored().map(\.id)) ?? [])")
                } completion: { getGists in
                    MainActor.assertIsolated()
                    log.add("network \((try? getGists().map(\.id)) ?? [])")
                    continuation.resume()
                }
            }
        }
        #expect(log.words == ["stored [1]", "network [2]", "stored [2]", "network [3]"])
    }

    @Test("The closure for the stored value is called only by cacheThenNetwork with a stored response")
    func queue() async throws {
        let setup = StoringSetup("[{\"id\": 2}]")
        let log = StoringLog()
        let queue = DispatchQueue(label: "answers")
        let key = DispatchSpecificKey<Int>()
        queue.setSpecific(key: key, value: 7)
        for policy in [FetchPolicy.cacheThenNetwork, .cacheElseNetwork, .cacheThenNetwork] {
            await withCheckedContinuation { continuation in
                setup.repository.request(gists, on: queue, policy: policy) { getStored in
                    #expect(DispatchQueue.getSpecific(key: key) == 7)
                    log.add("stored \((try? getStored().map(\.id)) ?? [])")
                } completion: { getGists in
                    #expect(DispatchQueue.getSpecific(key: key) == 7)
                    log.add("\((try? getGists().map(\.id)) ?? [])")
                    continuation.resume()
                }
            }
        }
        #expect(log.words == ["[2]", "[2]", "stored [2]", "[2]"])
    }

    @Test("A network failure after the stored value is thrown, also without a closure for the value")
    func networkFails() async throws {
        let setup = StoringSetup(.status(500))
        setup.store.save(stored("[{\"id\": 1}]"), for: setup.key)
        let log = StoringLog()
        await withCheckedContinuation { continuation in
            setup.repository.request(gists, on: .global(), policy: .cacheThenNetwork) { getStored in
                log.add("stored \((try? getStored().map(\.id)) ?? [])")
            } completion: { getGists in
                do { log.add("\(try getGists().map(\.id))") } catch RequestError.unacceptableStatus {
                    log.add("500")
                } catch {}
                continuation.resume()
            }
        }
        #expect(log.words == ["stored [1]", "500"])
        await #expect(throws: RequestError.self) { _ = try await setup.ids(.cacheThenNetwork) }
    }

    @Test("A cancelled fetch calls its completion once and stores nothing")
    func cancelledFetch() async throws {
        let gate = Gate()
        let setup = StoringSetup(MockResponse.json("[]").held(at: gate))
        let log = StoringLog()
        await withCheckedContinuation { continuation in
            let request = setup.repository.request(gists, on: .global(), policy: .networkOnly) { getGists in
                do { _ = try getGists() } catch { log.add("\(error)") }
                continuation.resume()
            }
            Task {
                _ = try await gate.arrivals()
                request.cancel()
                gate.open()
            }
        }
        #expect(log.words == ["The request was cancelled."])
        #expect(setup.store.count == 0)
    }

    @Test("Concurrent fetches of one resource each get their own objects and store one response")
    func concurrency() async throws {
        let setup = StoringSetup("[{\"id\": 1}]")
        let requests = (0..<40).map {
            setup.repository.request(gists, policy: $0 % 2 == 0 ? .networkOnly : .cacheElseNetwork)
        }
        for request in requests { #expect(try await request.value().map(\.id) == [1]) }
        #expect(setup.store.count == 1)
        #expect(try await setup.ids(.cacheOnly) == [1])
    }

    private func words(_ values: some AsyncSequence<Response<[StoredGist]>, any Error>) async throws -> [String] {
        var words: [String] = []
        for try await response in values {
            let origin =
                switch response.origin {
                case .store(let date): "store(\(date))"
                case .confirmedStore: "confirmedStore"
                case .network: "network"
                }
            words.append("\(response.value.map(\.id)) \(origin)")
        }
        return words
    }
}

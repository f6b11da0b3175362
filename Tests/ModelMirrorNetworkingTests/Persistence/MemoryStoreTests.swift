import Foundation
import ModelMirrorNetworking
import Testing

@Suite("MemoryStore", .timeLimit(.hung), .network)
struct MemoryStoreTests {
    @Test("The response saved last for a key is returned until it is removed")
    func savesAndRemoves() throws {
        let store = MemoryStore()
        #expect(store.response(for: "a") == nil)
        store.save(response("1"), for: "a")
        store.save(response("2"), for: "b")
        store.save(response("3"), for: "a")
        #expect(store.response(for: "a") == response("3"))
        #expect(store.response(for: "b") == response("2"))
        #expect(store.count == 2)
        store.remove(for: "a")
        store.remove(for: "a")
        #expect(store.response(for: "a") == nil)
        store.removeAll()
        #expect(store.response(for: "b") == nil)
        #expect(store.byteCount == 0)
    }

    @Test("The least recently used responses are evicted, and no more than needed")
    func leastRecentlyUsed() throws {
        let store = MemoryStore()
        #expect(store.limit == 16 << 20)
        store.save(response("123"), for: "a")
        let size = store.byteCount
        #expect(size == 3 + 1 + "https://example.com/".utf8.count + MemoryStore.overhead)
        let bounded = MemoryStore(limit: 3 * size + 1)
        for key in ["a", "b", "c"] { bounded.save(response("123"), for: key) }
        #expect(bounded.response(for: "a") != nil)
        bounded.save(response("123"), for: "d")
        #expect(["a", "b", "c", "d"].filter { bounded.response(for: $0) != nil } == ["a", "c", "d"])
        // Saving counts as a use, and replaces the old response before anything is evicted.
        bounded.save(response("1234"), for: "a")
        #expect(bounded.byteCount == 3 * size + 1)
        bounded.save(response("12345"), for: "a")
        #expect(["a", "c", "d"].filter { bounded.response(for: $0) != nil } == ["a", "d"])
        #expect(bounded.byteCount == 2 * size + 2)
    }

    @Test("A response larger than the store is not kept and removes the old one for its key")
    func tooLarge() {
        let store = MemoryStore(limit: 300)
        store.save(response("1"), for: "a")
        let size = store.byteCount
        store.save(response("1" + String(repeating: "x", count: 300 - size)), for: "a")
        #expect(store.byteCount == 300)
        store.save(response("1" + String(repeating: "x", count: 301 - size)), for: "a")
        #expect(store.response(for: "a") == nil)
        #expect(store.byteCount == 0)
    }

    @Test("Removing matching keys frees their bytes and keeps the other keys")
    func removesMatching() async {
        let store = MemoryStore()
        store.save(response("1"), for: "b")
        let size = store.byteCount
        for key in ["a1", "a2"] { store.save(response("12"), for: key) }
        await store.removeAll { $0.hasPrefix("a") }
        #expect(store.response(for: "a1") == nil)
        #expect(store.response(for: "b") == response("1"))
        #expect(store.byteCount == size)
        #expect(store.count == 1)
    }

    @Test("Keys that differ only in their normalization are different")
    func normalization() async {
        let store = MemoryStore()
        store.save(response("1"), for: "\u{E9}")
        #expect(store.response(for: "e\u{301}") == nil)
        store.save(response("2"), for: "e\u{301}")
        #expect(store.response(for: "\u{E9}") == response("1"))
        store.remove(for: "\u{E9}")
        #expect(store.response(for: "e\u{301}") == response("2"))
        await store.removeAll { $0.utf8.count == 3 }
        #expect(store.count == 0)
    }

    @Test("The closure that selects keys to remove can read the store")
    func removalByResponse() async {
        let store = MemoryStore()
        for key in ["short", "long"] { store.save(response(key), for: key) }
        await store.removeAll { store.response(for: $0)?.body.count == 4 }
        #expect(store.response(for: "long") == nil)
        #expect(store.response(for: "short") == response("short"))
    }

    @Test("Random operations agree with a list as the reference implementation")
    func model() throws {
        var random = Numbers(state: 7)
        let unit = 1 + 20 + MemoryStore.overhead
        let store = MemoryStore(limit: unit * 5 + 40)
        var expected: [(key: String, size: Int)] = []
        var isEqual = true
        for _ in 0..<4000 where isEqual {
            let key = String(UnicodeScalar(UInt8(97 + random.next(9))))
            let place = expected.firstIndex { $0.key == key }
            switch random.next(4) {
            case 0:
                store.remove(for: key)
                if let place { expected.remove(at: place) }
            case 1:
                let length = random.next(40)
                store.save(response(String(repeating: "x", count: length)), for: key)
                if let place { expected.remove(at: place) }
                expected.append((key, unit + length))
                while expected.reduce(0, { $0 + $1.size }) > store.limit { expected.removeFirst() }
            default:
                isEqual = (store.response(for: key) != nil) == (place != nil)
                if let place { expected.append(expected.remove(at: place)) }
            }
            isEqual = isEqual && store.count == expected.count
            isEqual = isEqual && store.byteCount == expected.reduce(0) { $0 + $1.size }
        }
        #expect(isEqual)
    }

    @Test("Concurrent tasks keep the store within its limit and its entries whole")
    func concurrency() async throws {
        let store = MemoryStore(limit: 4000)
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<200 {
                        let key = "\((task + round) % 12)"
                        store.save(response(String(repeating: key, count: 9)), for: key)
                        if let found = store.response(for: key),
                            found.body != Data(String(repeating: key, count: 9).utf8)
                        {
                            Issue.record("The body of \(key) is another key's.")
                        }
                    }
                }
            }
        }
        #expect(store.byteCount <= 4000)
        #expect(store.count > 5)
    }
}

private func response(_ text: String) -> StoredResponse {
    StoredResponse(url: example, body: Data(text.utf8), date: Date(timeIntervalSince1970: 0))
}

private let example = URL(string: "https://example.com/") ?? URL(filePath: "/")

/// Pseudorandom numbers, the same in each run.
private struct Numbers {
    var state: UInt64

    mutating func next(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}

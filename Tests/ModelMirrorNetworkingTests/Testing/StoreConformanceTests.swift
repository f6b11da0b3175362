import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

struct StoreConformanceTests {
    @Test func memoryStore() async throws {
        #expect(try await StoreConformance.failures { MemoryStore() } == [])
    }

    @Test func fileStore() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("StoreConformance-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let failures = try await StoreConformance.failures {
            try FileStore(folder: folder.appendingPathComponent("\(UUID())"))
        }
        #expect(failures == [])
    }

    @Test(arguments: [
        (FaultyStore.Fault.keepsFirst, [StoreConformance.Check.anyBody, .replaced, .anyKey]),
        (.foldsCase, [.anyKey]), (.dropsHeaders, [.savedWhole, .concurrency]),
        (.keepsRemoved, [.removed, .someRemoved]),
        (.throwsForLongKeys, [.anyKey]), (.replacesSlashes, [.anyKey, .someRemoved]), (.trims, [.anyKey]),
        (.keepsEnds, [.anyKey]),
        (.joinsFields, [.savedWhole]), (.keepsBodies, [.concurrency]),
    ]) func faultsAreFound(fault: FaultyStore.Fault, checks: [StoreConformance.Check]) async throws {
        let failures = try await StoreConformance.failures { FaultyStore(fault) }
        #expect(failures.map(\.check) == checks)
    }

    @Test func failuresAreDescribed() async throws {
        let failures = try await StoreConformance.failures(of: [.savedWhole]) { FaultyStore(.dropsHeaders) }
        #expect(
            failures.map(\.description) == [
                "savedWhole: for the key \"a\" the store has a response 203 of https://example.com/a?b=%20 with 0 header fields, "
                    + "2 bytes, of 700000000.123456, expected a response 203 of https://example.com/a?b=%20 with 5 header fields, "
                    + "2 bytes, of 700000000.123456"
            ])
        let mixed = try await StoreConformance.failures(of: [.anyKey, .concurrency]) { FaultyStore(.keepsEnds) }
        #expect(
            mixed.map(\.description) == [
                "anyKey: for the key \"kkkkkkkkk…kkkkkkkkk\" the store has the response of the key \"2kkkkkkkk…kkkkkkkkk\", expected "
                    + "its own response"
            ])
        let split = try await StoreConformance.failures(of: [.concurrency]) { FaultyStore(.keepsBodies) }
        #expect(
            split.map { $0.sentence.replacing(/key [0-3]/, with: "key") } == [
                "the response of \"key\" has the header fields of one response and the body of another"
            ])
        let thrown = try await StoreConformance.failures(of: [.anyKey]) { FaultyStore(.throwsForLongKeys) }
        #expect(thrown.map(\.sentence) == ["the store threw \"TooLong()\""])
        #expect(thrown.map { ($0 as any Error).localizedDescription } == ["anyKey: the store threw \"TooLong()\""])
    }
}

/// A store with a fault.
actor FaultyStore: ResponseStore {
    enum Fault {
        case keepsFirst, foldsCase, dropsHeaders, keepsRemoved, throwsForLongKeys, replacesSlashes, trims, keepsEnds,
            joinsFields, keepsBodies
    }

    struct TooLong: Error {}

    private let fault: Fault
    private var responses: [String: StoredResponse] = [:]

    init(_ fault: Fault) { self.fault = fault }

    private func name(_ key: String) -> String {
        switch fault {
        case .foldsCase: key.lowercased()
        case .replacesSlashes: key.replacing("/", with: "_")
        case .trims: key.trimmingCharacters(in: .whitespaces)
        case .keepsEnds: String(key.suffix(255))
        default: key
        }
    }

    func response(for key: String) -> StoredResponse? { responses[name(key)] }

    func save(_ response: StoredResponse, for key: String) throws {
        if fault == .throwsForLongKeys, key.count > 255 { throw TooLong() }
        if fault == .keepsFirst, responses[name(key)] != nil { return }
        var response = response
        if fault == .dropsHeaders { response.headers = [:] }
        if fault == .joinsFields {
            for field in response.headers.fields { response.headers[field.name] = response.headers[field.name] }
        }
        // The body alone is kept, if the next one looks like it.
        if fault == .keepsBodies, let old = responses[key], old.body.first == response.body.first {
            response.body = old.body
        }
        responses[name(key)] = response
    }

    func remove(for key: String) { if fault != .keepsRemoved { responses[name(key)] = nil } }

    func removeAll() { responses = [:] }

    func removeAll(where matches: @escaping @Sendable (_ key: String) -> Bool) {
        if fault != .keepsRemoved { responses = responses.filter { !matches($0.key) } }
    }
}

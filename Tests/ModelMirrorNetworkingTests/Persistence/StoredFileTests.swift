import Foundation
import Testing

@testable import ModelMirrorNetworking

@Suite("StoredFile")
struct StoredFileTests {
    @Test("A truncated file and any changed byte are detected")
    func damage() throws {
        let url = try #require(URL(string: "https://example.com/") as URL?)
        let response = StoredResponse(
            url: url, headers: ["A": "b"], body: Data("body".utf8), date: Date(timeIntervalSince1970: 1))
        let whole = try StoredFile.bytes(of: response, for: "key")
        #expect(try StoredFile.response(from: whole, for: "key") == response)
        #expect(throws: DamagedStoredFile.Reason.otherKey) { try StoredFile.response(from: whole, for: "Key") }
        #expect(reason(whole + [0]) == .changed)
        // A slice, whose indices do not begin at zero.
        #expect(try StoredFile.response(from: (Data([1]) + whole).dropFirst(), for: "key") == response)
        var reasons: [DamagedStoredFile.Reason?] = []
        for count in 0..<whole.count { reasons.append(reason(whole.prefix(count))) }
        #expect(reasons == Array(repeating: .changed, count: whole.count))
        reasons = []
        for place in 0..<whole.count {
            var changed = whole
            changed[place] ^= 1 << UInt8(place % 8)
            reasons.append(reason(changed))
        }
        let line = StoredFile.format.count
        #expect(reasons[..<line].allSatisfy { $0 == .otherFormat })
        #expect(reasons[line...].allSatisfy { $0 == .changed })
    }

    private func reason(_ bytes: Data) -> DamagedStoredFile.Reason? {
        do throws(DamagedStoredFile.Reason) {
            _ = try StoredFile.response(from: bytes, for: "key")
            return nil
        } catch {
            return error
        }
    }
}

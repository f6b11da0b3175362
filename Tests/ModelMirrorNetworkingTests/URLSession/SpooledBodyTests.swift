#if canImport(FoundationNetworking) && (!os(Linux) || FoundationNetworking)
import Foundation
import Testing

@testable import ModelMirrorNetworking

struct SpooledBodyTests {
    @Test func returnsNilForOtherBodies() async throws {
        #expect(try await SpooledBody.of(nil, memoryLimit: 10) === nil)
        #expect(try await SpooledBody.of(.data(Data()), memoryLimit: 10) === nil)
    }

    @Test func keepsFewBytesInMemory() async throws {
        let spooled = try #require(try await SpooledBody.of(chunks(["ab", "", "cd"]), memoryLimit: 4))
        guard case .data(let data) = spooled.body.content else {
            Issue.record("\(spooled.body)")
            return
        }
        #expect(data == Data("abcd".utf8))
    }

    @Test func putsManyBytesIntoATemporaryFile() async throws {
        var file: URL?
        do {
            let spooled = try #require(try await SpooledBody.of(chunks(["ab", "cde", "f"]), memoryLimit: 4))
            guard case .file(let url) = spooled.body.content else {
                Issue.record("\(spooled.body)")
                return
            }
            file = url
            #expect(try Data(contentsOf: url) == Data("abcdef".utf8))
            #expect(spooled.body.length == 6)
        }
        let path = try #require(file?.path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [0, 100])
    func rejectsOtherLengths(_ memoryLimit: Int) async {
        let error = await #expect(throws: RequestError.self) {
            try await SpooledBody.of(chunks(["ab", "c"], length: 4), memoryLimit: memoryLimit)
        }
        guard case .invalidRequest("the body declares 4 bytes and produces 3")? = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    @Test("A file is copied, since it may change while it is sent", arguments: [0, 100])
    func copiesAFile(_ memoryLimit: Int) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("spooled-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("abc".utf8).write(to: file)
        let body = try HTTPBody.file(file).measured()
        let spooled = try #require(try await SpooledBody.of(body, memoryLimit: memoryLimit))
        try Data("abcdef".utf8).write(to: file)
        var bytes = Data()
        for try await chunk in spooled.body { bytes += chunk }
        #expect(bytes == Data("abc".utf8))
        #expect(spooled.body.length == 3)
        let error = await #expect(throws: RequestError.self) {
            try await SpooledBody.of(body, memoryLimit: memoryLimit)
        }
        guard case .invalidRequest(let reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason == "the file \(file.path) changed its length while it was sent")
    }

    private func chunks(_ texts: [String], length: Int? = nil) -> HTTPBody {
        .chunks(length: length) {
            var rest = texts[...]
            return { rest.popFirst().map { Data($0.utf8) } }
        }
    }
}

#endif

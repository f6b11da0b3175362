import Foundation
import Testing

@testable import ModelMirrorNetworking

final class OpenFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("open-file-\(UUID())")
    private var url: URL { folder.appendingPathComponent("é \"1\"") }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("reads in pieces up to the end, and writes what is added")
    func readsAndWrites() throws {
        try Data("abcde".utf8).write(to: url)
        let file = try OpenFile.updating(url)
        #expect(try file.read(upToCount: 3) == Data("abc".utf8))
        #expect(try file.read(upToCount: 3) == Data("de".utf8))
        #expect(try file.read(upToCount: 3) == nil)
        try file.write(Data("fg".utf8))
        #expect(try file.seekToEnd() == 7)
        #expect(try OpenFile.length(of: url) == 7)
        try file.seekToStart()
        #expect(try file.read(upToCount: 9) == Data("abcdefg".utf8))
        try file.empty()
        try file.write(Data("z".utf8))
        try file.synchronize()
        #expect(try Data(contentsOf: url) == Data("z".utf8))
    }

    @Test("a second one cannot lock what a first has locked")
    func locks() throws {
        try Data().write(to: url)
        let first = try OpenFile.updating(url)
        let second = try OpenFile.updating(url)
        #expect(first.lock())
        #expect(!second.lock())
        first.unlock()
        #expect(second.lock())
    }

    @Test("a file that was moved away is another than the one at its place")
    func moves() throws {
        try Data("a".utf8).write(to: url)
        let file = try OpenFile.reading(url)
        #expect(file.isFile(at: url))
        let target = folder.appendingPathComponent("b")
        try OpenFile.move(url, to: target)
        #expect(!file.isFile(at: url))
        #expect(file.isFile(at: target))
        try Data("c".utf8).write(to: url)
        #expect(!file.isFile(at: url))
    }

    @Test("what the system refuses is the error that Foundation throws")
    func refusals() throws {
        try Data().write(to: url)
        let missing = folder.appendingPathComponent("missing")
        let long = folder.appendingPathComponent(String(repeating: "a", count: 300))
        let web = try #require(URL(string: "https://example.com/a"))
        expect(.fileReadNoSuchFile, ENOENT, missing.path) { _ = try OpenFile.reading(missing) }
        expect(.fileNoSuchFile, ENOENT, missing.path) { _ = try OpenFile.updating(missing) }
        expect(.fileReadNoSuchFile, ENOENT, missing.path) { _ = try OpenFile.length(of: missing) }
        expect(.fileReadInvalidFileName, ENAMETOOLONG, long.path) { _ = try OpenFile.reading(long) }
        expect(.fileWriteUnknown, EISDIR, folder.path) { _ = try OpenFile.updating(folder) }
        expect(.fileReadUnknown, EISDIR, folder.path) { _ = try OpenFile.reading(folder).read(upToCount: 1) }
        expect(.fileReadUnknown, nil, nil) { _ = try OpenFile.length(of: self.folder) }
        expect(.fileReadUnsupportedScheme, nil, nil) { _ = try OpenFile.reading(web) }
        expect(.fileNoSuchFile, ENOENT, url.path) { try OpenFile.move(missing, to: self.url) }
        expect(.fileWriteUnknown, EBADF, url.path) { try OpenFile.reading(self.url).write(Data("a".utf8)) }
    }

    private func expect(
        _ code: CocoaError.Code, _ cause: Int32?, _ path: String?, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: () throws -> Void
    ) {
        let error = #expect(throws: CocoaError.self, sourceLocation: sourceLocation) { try call() }
        #expect(error?.code == code, sourceLocation: sourceLocation)
        #expect(error?.userInfo["NSFilePath"] as? String == path, sourceLocation: sourceLocation)
        #expect(
            (error?.userInfo["NSUnderlyingError"] as? POSIXError)?.code.rawValue == cause,
            sourceLocation: sourceLocation)
    }
}

import Foundation
import Testing

@testable import ModelMirrorNetworking

final class OpenFileTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("open-file-\(UUID())")
    private var url: URL { folder.appendingPathComponent("é \"1\"") }

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("A file is read in pieces to its end, and written at its position")
    func readsAndWrites() throws {
        try Data("abcde".utf8).write(to: url)
        let file = try OpenFile.updating(url)
        #expect(try file.read(3) == Data("abc".utf8))
        #expect(try file.read(3) == Data("de".utf8))
        #expect(try file.read(3) == Data())
        try file.write(Data("fg".utf8))
        #expect(try file.seekToEnd() == 7)
        #expect(try OpenFile.length(of: url) == 7)
        try file.seek(to: 0)
        #expect(try file.read(9) == Data("abcdefg".utf8))
        try file.empty()
        try file.write(Data("z".utf8))
        try file.synchronize()
        #expect(try Data(contentsOf: url) == Data("z".utf8))
    }

    @Test("A file that is locked cannot be locked again until it is unlocked")
    func locks() throws {
        try Data().write(to: url)
        let first = try OpenFile.updating(url)
        let second = try OpenFile.updating(url)
        #expect(first.lock())
        #expect(!second.lock())
        first.unlock()
        #expect(second.lock())
    }

    @Test("A moved file is not the one at its former path")
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

    @Test("A failing system call is reported with its name, the path and the code")
    func refusals() throws {
        try Data().write(to: url)
        let missing = folder.appendingPathComponent("missing")
        let long = folder.appendingPathComponent(String(repeating: "a", count: 300))
        let web = try #require(URL(string: "https://example.com/a"))
        expect("open", ENOENT, missing.path) { _ = try OpenFile.reading(missing) }
        expect("open", ENOENT, missing.path) { _ = try OpenFile.updating(missing) }
        expect("stat", ENOENT, missing.path) { _ = try OpenFile.length(of: missing) }
        expect("open", ENAMETOOLONG, long.path) { _ = try OpenFile.reading(long) }
        expect("open", EISDIR, folder.path) { _ = try OpenFile.updating(folder) }
        expect("open", EEXIST, url.path) { _ = try OpenFile.creating(self.url) }
        expect("open", EISDIR, folder.path) { _ = try OpenFile.reading(folder) }
        expect("open", EINVAL, "/dev/null") { _ = try OpenFile.reading(URL(filePath: "/dev/null")) }
        expect("read", EISDIR, folder.path) { _ = try OpenFile.length(of: self.folder) }
        expect("read", EINVAL, "/dev/null") { _ = try OpenFile.length(of: URL(filePath: "/dev/null")) }
        expect("open", EINVAL, "https://example.com/a") { _ = try OpenFile.reading(web) }
        expect("rename", ENOENT, url.path) { try OpenFile.move(missing, to: self.url) }
        expect("write", EBADF, url.path) { try OpenFile.reading(self.url).write(Data("a".utf8)) }
        try OpenFile.remove(missing)
    }

    @Test("A full disk is described in one sentence")
    func fullDisk() {
        let error = FileError(call: "write", path: "/a", code: ENOSPC)
        #expect(error.description == "write failed for /a: No space left on device (errno 28).")
    }

    @Test("A file in a folder that does not exist is described with what to do")
    func missingFolder() {
        let file = folder.appendingPathComponent("none/a")
        let error = #expect(throws: FileError.self) { try OpenFile.updatingOrCreating(file) }
        let reason = "No such file or directory (errno \(ENOENT))"
        #expect(error?.description == "open failed for \(file.path): \(reason); create the folder.")
    }

    private func expect(
        _ name: String, _ code: Int32, _ path: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ call: () throws -> Void
    ) {
        #expect(throws: FileError(call: name, path: path, code: code), sourceLocation: sourceLocation) { try call() }
    }

    /// None is waited for: opening a FIFO blocks until another process opens its other end.
    @Test("An own file that is a link, a FIFO or a folder is refused")
    func otherKinds() throws {
        let (file, link, pipe) = (
            folder.appendingPathComponent("file"), folder.appendingPathComponent("link"),
            folder.appendingPathComponent("pipe")
        )
        try Data("a".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(mkfifo(pipe.path, 0o600) == 0)
        func code(_ body: () throws -> OpenFile) -> Int32? {
            do {
                _ = try body()
                return nil
            } catch {
                return (error as? FileError)?.code
            }
        }
        let ways: [(URL) throws -> OpenFile] = [
            { try OpenFile.readingOwn($0) }, { try OpenFile.updating($0) }, { try OpenFile.updatingOrCreating($0) },
        ]
        for way in ways {
            let codes = [file, link, pipe, folder].map { url in code { try way(url) } }
            #expect(codes == [nil, ELOOP, EINVAL, EISDIR])
        }
        #expect([link, pipe].map { url in code { try OpenFile.reading(url) } } == [nil, EINVAL])
        #expect([folder, file].map { url in code { try OpenFile.folder(url) } } == [nil, ENOTDIR])
    }
}

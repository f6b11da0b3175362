import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("FileStore", .serialized, .timeLimit(.hung), .network)
struct FileStoreTests {
    @Test("A saved response is read back unchanged, also by another store of the folder")
    func roundTrip() async throws {
        let folder = try Folder()
        let response = StoredResponse(
            status: 203, url: example, headers: [.eTag: #"W/"ä\""#, "X-A": "1", "x-a": "2", .contentType: ""],
            body: Data([0, 255, 10, 13]), date: Date(timeIntervalSinceReferenceDate: 0.1 + 0.2))
        try await folder.store().save(response, for: "a")
        #expect(try await folder.store().response(for: "a") == response)
        #expect(try await folder.store().response(for: "A") == nil)
        #expect(folder.damage.isEmpty)
        let store = try folder.store()
        try await store.save(text("2"), for: "a")
        #expect(try await store.response(for: "a") == text("2"))
        try await store.save(text(""), for: "b")
        #expect(try await store.response(for: "b") == text(""))
        try await store.remove(for: "a")
        try await store.remove(for: "a")
        #expect(try await store.response(for: "a") == nil)
        try Data().write(to: folder.url.appending(path: "of someone else"))
        try await store.removeAll()
        #expect(try await store.response(for: "b") == nil)
        #expect(try folder.names() == ["of someone else"])
    }

    @Test("A symbolic link to the folder leads to it")
    func linkedFolder() async throws {
        let folder = try Folder()
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        try await FileStore(folder: link).save(text("1"), for: "a")
        #expect(try await folder.store().response(for: "a") == text("1"))
    }

    @Test("A folder that cannot be created is named with the reason")
    func impossibleFolder() throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "file")
        try Data().write(to: file)
        let (path, inside) = (file.path, file.appending(path: "store"))
        for (url, text) in [
            (file, "mkdir failed for \(path): File exists (errno 17)."),
            (inside, "mkdir failed for \(path)/store: Not a directory (errno 20)."),
            (URL(string: "https://example.com/store"), "mkdir failed for /store: Invalid argument (errno 22)."),
        ] {
            let error = #expect(throws: FileError.self) { _ = try FileStore(folder: try #require(url)) }
            #expect(error?.description == text)
        }
    }

    @Test(
        "Keys cannot lead out of the folder, and different keys have different files",
        arguments: [
            "", "..", "../../etc/passwd", "/etc/passwd", "a/b", "a\0b", "nul", "a\n",
            String(repeating: "k", count: 9999),
        ]
    )
    func keys(key: String) async throws {
        let folder = try Folder()
        let store = try folder.store()
        try await store.save(text("other"), for: key + "2")
        try await store.save(text(key), for: key)
        #expect(try await store.response(for: key) == text(key))
        #expect(try await store.response(for: key + "2") == text("other"))
        let names = try folder.names()
        #expect(names.count == 2)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{64}\.response/) != nil })
    }

    @Test("A key has the same file name in every process, and only its user may read the file")
    func stableName() async throws {
        let folder = try Folder()
        let store = try folder.store()
        let file = store.file(for: "abc")
        #expect(
            file.lastPathComponent == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.response")
        try await store.save(text("1"), for: "abc")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test("A truncated, extended, changed or foreign file is a reported miss")
    func damage() async throws {
        let folder = try Folder()
        let store = try folder.store()
        try await store.save(text("body"), for: "key")
        let file = store.file(for: "key")
        let whole = try Data(contentsOf: file)
        var changed = whole
        changed[whole.count / 2] ^= 1
        for (bytes, reason) in [
            (Data(), .changed), (whole.dropLast(), .changed), (whole + [0], .changed), (changed, .changed),
            (Data("{}".utf8), .otherFormat),
        ] as [(Data, DamagedStoredFile.Reason)] {
            try bytes.write(to: file)
            #expect(try await store.response(for: "key") == nil)
            #expect(folder.damage.map(\.localizedDescription) == folder.damage.map(\.description))
            #expect(folder.takeDamage() == [DamagedStoredFileWords(file, "key", reason)])
        }
        // The next response replaces the damaged file.
        try await store.save(text("new"), for: "key")
        #expect(try await store.response(for: "key") == text("new"))
        #expect(folder.takeDamage() == [])
    }

    @Test("A file larger than memory is a reported miss and is not read", arguments: [true, false])
    func hugeFile(beginsWell: Bool) async throws {
        let folder = try Folder()
        let store = try folder.store()
        try await store.save(text("body"), for: "key")
        let file = store.file(for: "key")
        if !beginsWell { try Data("{}".utf8).write(to: file) }
        let handle = try FileHandle(forWritingTo: file)
        // A sparse file, which takes no space on the disk.
        try handle.truncate(atOffset: 1 << 42)
        try handle.close()
        #expect(try await store.response(for: "key") == nil)
        #expect(folder.takeDamage() == [DamagedStoredFileWords(file, "key", beginsWell ? .changed : .otherFormat)])
        try await store.save(text("new"), for: "key")
        #expect(try await store.response(for: "key") == text("new"))
    }

    #if os(Linux)
    @Test(
        "A file that is a symbolic link or a FIFO is a reported miss, and a save replaces it", arguments: [true, false])
    func noRegularFile(isLink: Bool) async throws {
        let folder = try Folder()
        let store = try folder.store()
        try await store.save(text("body"), for: "key")
        let file = store.file(for: "key")
        let other = folder.url.appending(path: "other")
        try FileManager.default.moveItem(at: file, to: other)
        if isLink {
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
        } else {
            #expect(mkfifo(file.path, 0o600) == 0)
        }
        #expect((try? await store.response(for: "key")) == nil)
        let bytes = try Data(contentsOf: other)
        try await store.save(text("new"), for: "key")
        #expect(try await store.response(for: "key") == text("new"))
        #expect(try Data(contentsOf: other) == bytes)
    }
    #endif

    @Test("A stored date out of range or NaN makes a response old without trapping")
    func strangeDates() async throws {
        let folder = try Folder()
        let store = try folder.store()
        let now = Date(timeIntervalSince1970: 0)
        for seconds in [-1e30, 1e30, -.infinity, .infinity, .nan] {
            var response = text("body")
            response.date = Date(timeIntervalSinceReferenceDate: seconds)
            try await store.save(response, for: "key")
            let found = try #require(try await store.response(for: "key"))
            let request = TransportRequest(.get, found.url)
            let freshness = Freshness(of: found, for: request, .cacheElseNetwork.maxAge(.seconds(60)), at: now)
            #expect(freshness.age == 9e18)
            #expect(!freshness.isFresh)
            let controlled = Freshness(of: found, for: request, .cacheControl, at: now)
            #expect(!controlled.isFresh)
            #expect(controlled.age == 9e18)
        }
    }

    @Test("An intact file under the name of another key is a reported miss")
    func renamed() async throws {
        let folder = try Folder()
        let store = try folder.store()
        try await store.save(text("1"), for: "a")
        try FileManager.default.moveItem(at: store.file(for: "a"), to: store.file(for: "b"))
        #expect(try await store.response(for: "b") == nil)
        #expect(folder.damage.map(\.reason) == [.otherKey])
        #expect(
            folder.damage.map(\.description) == [
                "The stored response at \(store.file(for: "b").path) is not used: it was written for another key; it is fetched "
                    + "and stored anew."
            ])
    }

    @Test("Errors of reading and writing name the system call and the path")
    func errors() async throws {
        let folder = try Folder()
        let store = try folder.store()
        let file = store.file(for: "a")
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        await #expect(throws: FileError(call: "open", path: file.path, code: EISDIR)) {
            _ = try await store.response(for: "a")
        }
        await #expect(throws: FileError.self) { try await store.save(text("1"), for: "a") }
        // The temporary file that could not be renamed was removed.
        #expect(try folder.names() == [file.lastPathComponent])
        try FileManager.default.removeItem(at: folder.url)
        try Data().write(to: folder.url)
        await #expect(throws: FileError.self) { try await store.save(text("1"), for: "a") }
        await #expect(throws: FileError(call: "open", path: file.path, code: ENOTDIR)) {
            _ = try await store.response(for: "a")
        }
        await #expect(throws: FileError(call: "readdir", path: folder.url.path, code: ENOTDIR)) {
            try await store.removeAll()
        }
    }

    @Test("A removed folder is created and prepared again by the next save")
    func removedFolder() async throws {
        let parent = try Folder()
        let inner = parent.url.appending(path: "a/b")
        let prepared = Mutex<[String]>([])
        let store = try FileStore(
            folder: inner, prepare: { folder in prepared.withLock { $0.append(folder.lastPathComponent) } })
        try FileManager.default.removeItem(at: parent.url)
        #expect(try await store.response(for: "key") == nil)
        #expect(try await store.byteCount() == 0)
        try await store.remove(for: "key")
        try await store.removeAll { _ in true }
        try await store.removeAll()
        #expect(prepared.withLock(\.self) == ["b"])
        try await store.save(text("1"), for: "key")
        #expect(try await store.response(for: "key") == text("1"))
        #expect(prepared.withLock(\.self) == ["b", "b"])
    }

    @Test("A read does not wait for a running write")
    func readingWhileWriting() async throws {
        let folder = try Folder()
        try await folder.store().save(text("1"), for: "a")
        let (begun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
        let store = try FileStore(
            folder: folder.url, damaged: { _ in },
            checkpoint: { step in
                guard step == .created else { return }
                begun.open()
                // A read that waits would find the new response.
                _ = mayEnd.wait(timeout: .now() + 10)
            })
        async let saving: Void = store.save(text("2"), for: "a")
        try await begun.enter()
        #expect(try await store.response(for: "a") == text("1"))
        mayEnd.signal()
        try await saving
        #expect(try await store.response(for: "a") == text("2"))
    }

    @Test("Above the limit, the least recently used files are removed")
    func limit() async throws {
        let folder = try Folder()
        let unlimited = try folder.store()
        for key in ["a", "b", "c"] { try await unlimited.save(text("123"), for: key) }
        let size = try await unlimited.byteCount() / 3
        let store = try FileStore(folder: folder.url, limit: 3 * size)
        for (age, key) in ["a", "b", "c"].enumerated() {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(age))], ofItemAtPath: store.file(for: key).path)
        }
        // Reading counts as a use.
        #expect(try await store.response(for: "a") != nil)
        try await store.save(text("123"), for: "d")
        #expect(try await keys(["a", "b", "c", "d"], in: store) == ["a", "c", "d"])
        #expect(try await store.byteCount() == 3 * size)
        // A response larger than the limit is not kept, and removes the old one for its key.
        try await store.save(text(String(repeating: "x", count: 3 * size)), for: "a")
        #expect(try await keys(["a", "b", "c", "d"], in: store) == ["c", "d"])
        try await FileStore(folder: folder.url, limit: 0).save(text(""), for: "c")
        #expect(try await keys(["c", "d"], in: unlimited) == ["d"])
    }

    @Test("A file with a date after 2262 counts as used last")
    func distantDates() async throws {
        let folder = try Folder()
        let store = try folder.store()
        for key in ["a", "b"] { try await store.save(text("123"), for: key) }
        let size = try await store.byteCount() / 2
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e10)], ofItemAtPath: store.file(for: "a").path)
        #expect(try await store.byteCount() == 2 * size)
        try await FileStore(folder: folder.url, limit: 2 * size).save(text("123"), for: "c")
        #expect(try await keys(["a", "b", "c"], in: store) == ["a", "c"])
    }

    @Test("Two processes that write into one folder keep it within the limit")
    func limitOfTwoProcesses() async throws {
        let folder = try Folder()
        let path = folder.url.path
        let limit = 100_000
        async let other: Void = writeMany(to: folder.url, named: "a", limit: limit)
        await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
            try await writeMany(to: URL(filePath: path), named: "b", limit: limit)
        }
        try await other
        let store = try folder.store()
        try await FileStore(folder: folder.url, limit: limit).save(text(""), for: "last")
        #expect(try await store.byteCount() <= limit)
        #expect(try await store.byteCount() > limit / 2)
        var found = 0
        for name in ["a", "b"] {
            for number in 0..<60 where try await store.response(for: "\(name)\(number)") != nil { found += 1 }
        }
        #expect(found > 0)
        #expect(folder.damage.isEmpty)
    }

    @Test("Removing matching keys affects every store of the folder, removes damaged files and keeps the other keys")
    func removesMatching() async throws {
        let folder = try Folder()
        let store = try folder.store()
        for key in ["a 1", "a 2", "b 1"] { try await store.save(text(key), for: key) }
        try Data("damaged".utf8).write(to: store.file(for: "a 3"))
        try await folder.store().removeAll { $0.hasPrefix("a ") }
        #expect(try await keys(["a 1", "a 2", "b 1"], in: store) == ["b 1"])
        #expect(try folder.names().count == 1)
    }

    private func keys(_ keys: [String], in store: FileStore) async throws -> [String] {
        var found: [String] = []
        for key in keys where try await store.response(for: key) != nil { found.append(key) }
        return found
    }

    @Test("Concurrent readers and writers of one key read whole responses")
    func concurrency() async throws {
        let folder = try Folder()
        let stores = [try folder.store(), try folder.store(), try folder.store()]
        let body = { @Sendable (digit: Int) in String(repeating: "\(digit)", count: 5000) }
        try await stores[0].save(text(body(0)), for: "key")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for round in 0..<8 { try await store.save(text(body(number * 3 + round % 3)), for: "key") }
                }
                group.addTask {
                    for _ in 0..<8 {
                        let found = try #require(try await store.response(for: "key"))
                        #expect(found.body.count == 5000)
                        #expect(Set(found.body).count == 1)
                    }
                }
                group.addTask { for _ in 0..<8 { _ = try folder.store() } }
            }
            try await group.waitForAll()
        }
        #expect(folder.damage.isEmpty)
        #expect(try folder.names().count == 1)
    }

    #if os(macOS) || os(Linux)
    @Test(
        "A process killed during a write leaves the old or the new response whole",
        arguments: AtomicFile.Step.allCases)
    func killed(step: AtomicFile.Step) async throws {
        let folder = try Folder()
        let old = text("old")
        try await folder.store().save(old, for: "key")
        let path = folder.url.path
        let name = "\(step)"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, name = name as String] in
            let store = try FileStore(
                folder: URL(filePath: path), damaged: { _ in },
                checkpoint: { step in
                    if "\(step)" == name { kill(getpid(), SIGKILL) }
                })
            try await store.save(text(newBody), for: "key")
        }
        let isLeft = step != .renamed
        #expect(try folder.names().count == (isLeft ? 2 : 1))
        let store = try folder.store()
        #expect(try await store.response(for: "key") == (isLeft ? old : text(newBody)))
        #expect(folder.damage.isEmpty)
        // The next store has removed the leftover file.
        #expect(try folder.names() == [store.file(for: "key").lastPathComponent])
        try await store.save(text("newer"), for: "key")
        #expect(try await store.response(for: "key") == text("newer"))
    }

    @Test("A process killed at any moment of repeated writes leaves one of the responses whole", arguments: 0..<4)
    func killedAnywhere(round: Int) async throws {
        let folder = try Folder()
        let path = folder.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let store = try FileStore(folder: URL(filePath: path))
            try await store.save(text(newBody), for: "key")
            Thread.detachNewThread {
                usleep(useconds_t(3000 + 1700 * round))
                kill(getpid(), SIGKILL)
            }
            while true {
                try await store.save(text(newBody + "2"), for: "key")
                try await store.save(text(newBody), for: "key")
            }
        }
        let found = try await folder.store().response(for: "key")
        #expect(found == text(newBody) || found == text(newBody + "2"))
        #expect(folder.damage.isEmpty)
        #expect(try folder.names().count == 1)
    }
    #endif

    @Test("A file that another process is writing is not removed as a leftover")
    func lockedIsNotLeftover() async throws {
        let folder = try Folder()
        let names = Mutex<[Int]>([])
        let store = try FileStore(
            folder: folder.url, damaged: { _ in },
            checkpoint: { step in
                guard step == .created || step == .synchronized else { return }
                _ = try? folder.store()
                names.withLock { $0.append((try? folder.names().count) ?? -1) }
            })
        try await store.save(text("1"), for: "key")
        #expect(names.withLock { $0 } == [1, 1])
        #expect(try await store.response(for: "key") == text("1"))
    }
}

/// A folder that is removed at the end, and the damage that its stores reported.
private final class Folder: Sendable {
    let url: URL
    private let told = Mutex<[DamagedStoredFile]>([])

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "ModelMirror-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func store() throws -> FileStore {
        try FileStore(folder: url) { damage in self.told.withLock { $0.append(damage) } }
    }

    var damage: [DamagedStoredFile] { told.withLock { $0 } }

    func takeDamage() -> [DamagedStoredFileWords] {
        told.withLock { told in
            defer { told = [] }
            return told.map { DamagedStoredFileWords($0.file, $0.key, $0.reason) }
        }
    }

    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
}

private struct DamagedStoredFileWords: Hashable {
    let path: String
    let key: String
    let reason: DamagedStoredFile.Reason

    init(_ file: URL, _ key: String, _ reason: DamagedStoredFile.Reason) {
        path = file.path
        self.key = key
        self.reason = reason
    }
}

/// Saves 60 responses of 5,000 bytes in a store with a limit.
@Sendable private func writeMany(to folder: URL, named name: String, limit: Int) async throws {
    let store = try FileStore(folder: folder, limit: limit)
    for number in 0..<60 { try await store.save(text(String(repeating: name, count: 5000)), for: "\(name)\(number)") }
}

/// Large enough to be written in several pieces.
private let newBody = String(repeating: "new", count: 70_000)

private func text(_ text: String) -> StoredResponse {
    StoredResponse(url: example, body: Data(text.utf8), date: Date(timeIntervalSince1970: 1))
}

private let example = URL(string: "https://example.com/") ?? URL(filePath: "/")

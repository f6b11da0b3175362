import Foundation
import ModelMirror
import Testing

/// One file of the corpus in the folder `Conformance`, whose README says what the names mean.
private struct CorpusFile: Sendable, CustomTestStringConvertible {
    /// Folder and name.
    let testDescription: String
    let bytes: [UInt8]
    let isAccepted: Bool
    /// Whether the file means something else inside another document.
    let isRootOnly: Bool

    init(folder: String, file: URL) throws {
        let name = file.deletingPathExtension().lastPathComponent
        let words = folder == "defined" ? name : "\(folder)-\(name)"
        testDescription = "\(folder)/\(name)"
        bytes = Array(try FileHandle(forReadingFrom: file).readToEnd() ?? Data())
        isAccepted = words.hasPrefix("accept-")
        isRootOnly = words.hasPrefix("accept-root-") || words.hasPrefix("reject-root-")
    }

    /// All files of a folder, by name.
    static func all(in folder: String) throws -> [CorpusFile] {
        let directory = try #require(Bundle.module.resourceURL).appending(components: "Conformance", folder)
        return try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .map { try CorpusFile(folder: folder, file: $0) }
    }

    /// All files whose meaning does not change inside another document.
    static func embeddable(in folder: String) throws -> [CorpusFile] { try all(in: folder).filter { !$0.isRootOnly } }

    /// The file as a member that is followed by another one: `{"skipped": …, "kept": 1}`.
    var embedded: [UInt8] { Array(#"{"skipped": "#.utf8) + bytes + Array(#", "kept": 1}"#.utf8) }
}

/// Knows only the second member.
private final class Passing: AbstractModel {
    var kept = 0
}

/// Reads both members.
private final class Taking: AbstractModel {
    var skipped = JSONValue.string("not read")
    var kept = 0
}

@Suite("Conformance corpus")
struct ConformanceTests {
    private static let folders = ["accept", "defined", "reject"]

    @Test("Every folder of the conformance corpus has its files", arguments: zip(folders, [98, 30, 173]))
    func isComplete(folder: String, count: Int) throws {
        #expect(try CorpusFile.all(in: folder).count >= count)
    }

    @Test("A corpus file is accepted or rejected as a whole document", arguments: try folders.flatMap(CorpusFile.all))
    private func root(file: CorpusFile) {
        let error = syntaxError(in: file.bytes)
        #expect((error == nil) == file.isAccepted, "\(error?.description ?? "accepted")")
        // Again in a buffer where the address sanitizer sees a read beyond the end.
        #expect(syntaxError(in: ExactBytes(file.bytes)) == error)
    }

    @Test(
        "A corpus file is accepted or rejected as a skipped member, and as the value of a property",
        arguments: try folders.flatMap(CorpusFile.embeddable))
    private func member(file: CorpusFile) {
        var kept = 0
        let error = syntaxError { () throws(ModelError) in kept = try Passing(json: file.embedded).kept }
        #expect((error == nil) == file.isAccepted, "\(error?.description ?? "accepted")")
        #expect(kept == (file.isAccepted ? 1 : 0))
        var object: Taking?
        #expect(syntaxError { () throws(ModelError) in object = try Taking(json: file.embedded) } == error)
        #expect(object?.kept == (file.isAccepted ? 1 : nil))
        #expect(object?.skipped == (try? JSONValue(json: file.bytes)))
        let exact = ExactBytes(file.embedded)
        #expect(syntaxError { () throws(ModelError) in try Passing(json: exact) } == error)
        #expect(syntaxError { () throws(ModelError) in try Taking(json: exact) } == error)
    }
}

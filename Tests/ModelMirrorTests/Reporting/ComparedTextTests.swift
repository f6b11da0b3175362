import Foundation
import Testing

/// Nothing decides by a text that was written for people.
@Suite("Compared texts")
struct ComparedTextTests {
    @Test("No source compares expected, found, reason or a description with a text")
    func sources() throws {
        let sources = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
                "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        #expect(files.count > 100)
        let words = "expected|found|reason|description|errorDescription|sentence|message|localizedDescription"
        let comparison = try Regex(
            "[A-Za-z_$0-9.?!]*\\.(?:\(words))(?:\\(\\))? ?(?:==|!=|~=) ?[^ ,)]+"
                + "|[A-Za-z_$0-9.?!]*\\.(?:\(words))[?!]?\\.(?:hasPrefix|hasSuffix|contains)\\([^)]*\\)?"
                + "|switch [A-Za-z_$0-9.?!]*\\.(?:\(words)) \\{")
        var found: Set<String> = []
        for file in files {
            let name = String(file.path.dropFirst(sources.path.count + 1))
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let code = line.drop { $0 == " " }
                guard !code.hasPrefix("//") else { continue }
                for match in code.matches(of: comparison) {
                    let text = String(code[match.range])
                    // `issue.found` is an enum.
                    if text.hasSuffix(" .value") || text.hasSuffix("== nil") { continue }
                    found.insert("\(name): \(text)")
                }
            }
        }
        #expect(found.sorted() == [])
    }
}

import ModelMirror
import Testing

private class Post: AbstractModel {
    var createdAt = ""
    var replyCount = 0
    var authorName: String?
    var avatar = ""
    var isPinned = false

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] {
        [
            "createdAt": "created.at", "authorName": .path("author", "full name"),
            "avatar": ["avatarImage", PropertyKey("avatar-url")],
        ]
    }
}

private class Quoted: AbstractModel {
    var quote = 0
    var backslash = 0
    var control = 0
    var accent = 0
    var empty = 0

    override class var propertyKeys: [String: PropertyKey] {
        ["quote": "a\"b", "backslash": "a\\b", "control": "a\u{1}b", "accent": "é", "empty": ""]
    }
}

private class NoKey: AbstractModel {
    var id = 0

    override class var propertyKeys: [String: PropertyKey] { ["id": []] }
}

private class IndexFirst: AbstractModel {
    var id = 0

    override class var propertyKeys: [String: PropertyKey] { ["id": ["id", .path(0, "id")]] }
}

private class EmptyPath: AbstractModel {
    var id = 0

    override class var propertyKeys: [String: PropertyKey] { ["id": .path()] }
}

@Suite("propertyKeys")
struct PropertyKeyTests {
    @Test("Explicit keys are exempt from the key strategy")
    func explicitKeys() throws {
        let (post, report) = try Post.mapReporting(
            json: """
                {"created.at": "today", "reply_count": 3, "author": {"full name": "A"}, "avatar-url": "x",
                 "is_pinned": true}
                """)
        #expect(post.createdAt == "today")
        #expect(post.replyCount == 3)
        #expect(post.authorName == "A")
        #expect(post.avatar == "x")
        #expect(post.isPinned)
        #expect(report.entries.isEmpty)
    }

    @Test(
        "A property with an explicit key is not read under other keys",
        arguments: [
            #"{"createdAt": "x"}"#, #"{"created_at": "x"}"#, #"{"created": {"at": "x"}}"#, #"{"author_name": "x"}"#,
            #"{"avatar": "x"}"#, #"{"avatar_image": "x"}"#,
        ])
    func otherSpellings(document: String) throws {
        let options = MappingOptions(reportsMissingOptionals: true)
        let report = try Post.mapReporting(json: document, options: options).report
        #expect(report.entries.filter { $0.kind == .missing }.count == 5)
        #expect(report.entries.filter { $0.kind == .unknownKey }.count == 1)
    }

    @Test("Keys can contain any characters, escaped in the document or not")
    func anyCharacters() throws {
        let quoted = try Quoted(json: #"{"a\"b": 1, "a\\b": 2, "a\u0001b": 3, "\u00e9": 4, "": 5}"#)
        #expect([quoted.quote, quoted.backslash, quoted.control, quoted.accent, quoted.empty] == [1, 2, 3, 4, 5])
        #expect(try Quoted(json: #"{"é": 4, "a\u0022b": 1}"#).accent == 4)
        let report = try Quoted.mapReporting(json: "{}").report
        #expect(
            report.entries.map { "\($0.path)" }
                == [#"$["a\"b"]"#, #"$["a\\b"]"#, #"$["a\u0001b"]"#, "$.é", #"$[""]"#])
    }

    @Test("An empty property key or a path that begins with an index makes the class invalid")
    func noKeyToBeginWith() {
        let sentence = "cannot be mapped: propertyKeys gives id no key to begin with; a path starts with a key."
        let none = #expect(throws: ModelError.self) { try NoKey(json: "{}") }
        #expect(none?.description == "NoKey \(sentence)")
        #expect(none?.modelFault?.property == "id")
        let index = #expect(throws: ModelError.self) { try IndexFirst(json: "{}") }
        #expect(index?.description == "IndexFirst \(sentence)")
        let empty = #expect(throws: ModelError.self) { try EmptyPath(json: "{}") }
        #expect(empty?.description == "EmptyPath \(sentence)")
    }

    @Test("Property keys are equal if they mean the same, however they are written")
    func equality() {
        #expect(PropertyKey("a") == "a")
        #expect(PropertyKey("a") == ["a"])
        #expect(PropertyKey.path("a") == "a")
        #expect(PropertyKey("a.b") != .path("a", "b"))
        #expect(["a", ["b", .path("c", 0)]] as PropertyKey == ["a", "b", .path("c", 0)])
    }
}

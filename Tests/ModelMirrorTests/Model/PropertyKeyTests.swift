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
        #expect((post.createdAt, post.replyCount, post.authorName, post.avatar) == ("today", 3, "A", "x"))
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

    @Test(
        "An empty property key or a path that begins with an index makes the class invalid",
        arguments: [NoKey.self, IndexFirst.self, EmptyPath.self] as [AbstractModel.Type])
    func noKeyToBeginWith(_ model: AbstractModel.Type) {
        let error = #expect(throws: ModelError.self) { try model.init(json: "{}") }
        #expect(
            error?.description
                == "\(model) cannot be mapped: propertyKeys gives id no key to begin with; a path starts with a key.")
        #expect(error?.modelFault?.property == "id")
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

import ModelMirror
import Testing

private class User: AbstractModel {
    var avatar: String? = "default"
    var score = 7

    override class var propertyKeys: [String: PropertyKey] {
        ["avatar": ["avatar", "avatar_url", .path("images", 0, "url")], "score": ["points", "score"]]
    }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return HookProbe.current?.answer == .fails
    }
}

private class Pet: AbstractModel {
    var name = ""
    var owner: Owner?

    override class var propertyKeys: [String: PropertyKey] { ["owner": ["keeper", "owner"]] }
}

private class Owner: AbstractModel {
    var id = 0

    override func didMap() throws { HookProbe.current?.note("didMap \(id)") }
}

@Suite("Aliases")
struct AliasTests {
    @Test(
        "The first listed key that is present wins, in any document order",
        arguments: [
            (#"{"avatar": "1"}"#, "1"),
            (#"{"avatar_url": "2"}"#, "2"),
            (#"{"images": [{"url": "3"}]}"#, "3"),
            (#"{"avatar": "1", "avatar_url": "2", "images": [{"url": "3"}]}"#, "1"),
            (#"{"images": [{"url": "3"}], "avatar_url": "2", "avatar": "1"}"#, "1"),
            (#"{"images": [{"url": "3"}], "avatar_url": "2"}"#, "2"),
            (#"{"avatar": null, "avatar_url": "2"}"#, nil),
            (#"{"avatar_url": "2", "avatar": null}"#, nil),
            (#"{"avatar_url": null, "images": [{"url": "3"}]}"#, nil),
            (#"{"images": null, "avatar_url": "2"}"#, "2"),
            (#"{"images": null}"#, nil),
            (#"{"images": []}"#, "default"),
            (#"{"images": [{}]}"#, "default"),
            ("{}", "default"),
        ] as [(String, String?)])
    func precedence(document: String, avatar: String?) throws {
        #expect(try User(json: document).avatar == avatar)
    }

    @Test("A preferred key with an invalid value is not replaced by a later alias")
    func preferredIsBad() throws {
        let probe = HookProbe()
        let (user, report) = try User.mapReporting(
            json: #"{"avatar_url": "2", "avatar": 5, "score": 1, "points": "x"}"#, options: probe.options())
        #expect((user.avatar, user.score) == ("default", 7))
        #expect(probe.calls == ["avatar = Int 5", #"score = String "x""#])
        #expect(
            report.lines == [
                "skipped: User.avatar at $.avatar_url (line 1, column 16): expected no second key, since a "
                    + #"preferred one is present, found the string "2"."#,
                "fallback: User.avatar at $.avatar (line 1, column 31): expected a string, found the number 5.",
                "skipped: User.score at $.score (line 1, column 43): expected no second key, since a preferred one "
                    + "is present, found the number 1.",
                #"fallback: User.score at $.points (line 1, column 56): expected an integer, found the string "x"."#,
            ])
    }

    @Test("A null under the preferred key keeps a non-Optional default and calls shouldFail with nil")
    func preferredIsNull() throws {
        let probe = HookProbe()
        let user = try User(json: #"{"score": 1, "points": null, "avatar": ""}"#, options: probe.options())
        #expect(user.score == 7)
        #expect(probe.calls == ["score = nil"])
    }

    @Test("If all aliases are missing, the first is reported and shouldFail is called once")
    func missing() throws {
        let probe = HookProbe(.fails)
        let error = #expect(throws: ModelError.self) { try User(json: "{\n}", options: probe.options()) }
        #expect(probe.calls == ["avatar = nil", "score = nil"])
        #expect(
            error?.lines == [
                "User.avatar at $.avatar (line 1, column 1): expected a string, found no such key.",
                "User.score at $.points (line 1, column 1): expected an integer, found no such key.",
            ])
    }

    @Test(
        "Among duplicates of the winning key, the last convertible value wins",
        arguments: [
            (#"{"points": 1, "points": 2, "score": 3}"#, 2), (#"{"points": "x", "score": 3, "points": 2}"#, 2),
            (#"{"points": 1, "points": "x"}"#, 1), (#"{"points": 1, "points": null, "score": 3}"#, 1),
            (#"{"score": "x", "score": 3}"#, 3),
        ])
    func duplicates(document: String, score: Int) throws {
        #expect(try User(json: document).score == score)
    }

    @Test("Strict mapping rejects a duplicate of the winning key")
    func strictDuplicate() {
        #expect(
            Thrown.lines {
                try User(json: #"{"avatar": "a", "points": 1, "points": 2}"#, options: .strict)
            } == [
                "User.score at $.points (line 1, column 40): expected each key once, "
                    + #"found the key "points" with a second value for score."#
            ])
    }

    @Test("Only the value of the winning key is mapped")
    func onlyTheWinner() throws {
        let probe = HookProbe()
        let pet = try Pet(json: #"{"owner": {"id": 2}, "keeper": {"id": 1}}"#, options: probe.options())
        #expect(pet.owner?.id == 1)
        #expect(probe.calls == ["didMap 1"])
    }
}

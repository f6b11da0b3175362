import ModelMirror
import Testing

private struct Opaque { var text = "" }

private class Account: AbstractModel {
    var name = "default"
    var cache: String? = "default"
    var token = "default"
    var seen = "default"
    var both = "default"
    var opaque = Opaque()
    var action: (() -> Void)?

    override class var ignoredProperties: Set<String> { ["cache", "opaque", "action"] }
    override class var readOnlyProperties: Set<String> { ["seen", "both"] }
    override class var writeOnlyProperties: Set<String> { ["token", "both"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return false
    }
}

private class Nested: AbstractModel {
    var id = 0

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { true }
}

private class Demanding: AbstractModel {
    var text: String!
    var number = 0
    var list: [Int] = []
    var nested: Nested?
    var free: String!

    override class var requiredProperties: Set<String> { ["text", "number", "list", "nested"] }
}

@Suite("Ignored, read-only, write-only and required properties")
struct PropertyRoleTests {
    @Test("Ignored and write-only properties are not read; read-only properties are")
    func direction() throws {
        let probe = HookProbe()
        let (account, report) = try Account.mapReporting(
            json: """
                {"name": "1", "cache": null, "token": "3", "seen": "4", "both": "5", "opaque": {}, "action": []}
                """, options: probe.options())
        #expect((account.name, account.cache, account.token, account.seen) == ("1", "default", "default", "4"))
        #expect(account.both == "default")
        #expect(account.action == nil)
        #expect(probe.calls == [])
        #expect(report.lines.filter { !$0.contains("action") } == [])
    }

    @Test("Properties that are not read call no hook and are not reported as missing")
    func notAsked() throws {
        let probe = HookProbe()
        let report = try Account.mapReporting(json: "{}", options: probe.options()).report
        #expect(probe.calls == ["name = nil", "seen = nil"])
        #expect(report.entries.map { "\($0.kind) \($0.property ?? "")" } == ["missing name", "missing seen"])
    }

    @Test("The value of a property that is not read must be valid JSON")
    func syntax() {
        #expect(Thrown.error { try Account(json: #"{"cache": [1,]}"#) }?.syntaxError?.offset == 13)
    }

    @Test(
        "A required property fails if it is missing, null or invalid, even in an element",
        arguments: [
            (#""number": 1, "list": [], "nested": {"id": 1}"#, "Demanding.text at $.text", "no such key"),
            (#""text": null, "number": 1, "list": [], "nested": {"id": 1}"#, "Demanding.text at $.text", "null"),
            (#""text": 5, "number": 1, "list": [], "nested": {"id": 1}"#, "Demanding.text at $.text", "the number 5"),
            (
                #""text": "", "number": null, "list": [], "nested": {"id": 1}"#, "Demanding.number at $.number",
                "null"
            ),
            (
                #""text": "", "number": 1, "list": [1, null], "nested": {"id": 1}"#, "Demanding.list at $.list[1]",
                "null"
            ),
            (#""text": "", "number": 1, "list": [], "nested": null"#, "Demanding.nested at $.nested", "null"),
            (#""text": "", "number": 1, "list": [], "nested": {}"#, "Nested.id at $.nested.id", "no such key"),
        ])
    func required(members: String, place: String, found: String) throws {
        let error = #expect(throws: ModelError.self) { try Demanding(json: "{\(members)}") }
        let failure = try #require(error?.valueFailures.first)
        #expect(error?.valueFailures.count == 1)
        #expect("\(failure.model).\(failure.property ?? "") at \(failure.path)" == place)
        #expect(failure.found == found)
    }

    @Test("An implicitly unwrapped property is not required by default")
    func implicitlyUnwrapped() throws {
        let object = try Demanding(json: #"{"text": "a", "number": 1, "list": [2], "nested": {"id": 3}}"#)
        #expect((object.text, object.nested?.id, object.free) == ("a", 3, nil))
    }
}

import Foundation
import ModelMirrorExploring
import Testing

@MainActor struct InspectCommandTests {
    @Test func thePropertyTable() async {
        let result = await CommandLineFixture().run("inspect", "Shop")
        #expect(
            result.output == """
                Shop: 4 properties

                property  key                  type     reads                                      required  ignored
                id        id                   String   a string                                   yes
                openedAt  opened_at, openedAt  Date?    a date in ISO 8601 or "y-MM-dd HH:mm:ssZ"
                items     items                [Item]?  an array
                note      note                 String   a string                                             yes
                """)
    }

    @Test func rules() async {
        let result = await CommandLineFixture().run("inspect", "Item")
        #expect(
            result.output == """
                Item: 6 properties

                property  key                 type                 reads               rule               ignored
                name      name, $.info.title  String               a string
                count     count               Int                  an integer                             not written
                seen      seen                Date?                seconds since 1970  .secondsSince1970
                tags      tags                [String: [Int]]      an object
                extra     all other keys      [String: JSONValue]  an object

                token is not mapped: it is a let, which is never written; use private(set) var
                """)
    }
}

@MainActor struct DriftCommandTests {
    private let fixture = CommandLineFixture(files: [
        "old.json": #"{"items": [{"owner": {"login": "a"}, "old": 1}]}"#,
        "new.json": #"{"items": [{"owner": {"login": 1}, "new": true}]}"#,
    ])

    @Test func changes() async {
        let result = await fixture.run("drift", "old.json", "new.json")
        #expect(
            result.output == """
                appeared      $.items[].new: absent -> boolean
                disappeared   $.items[].old: number -> absent
                changed type  $.items[].owner.login: string -> number

                3 changes: 1 appeared, 1 disappeared, 1 changed type
                """)
        #expect(result.status == 1)
    }

    @Test func noChange() async {
        #expect(await fixture.run("drift", "old.json", "old.json") == CommandResult(output: "no drift"))
    }
}

@MainActor struct SchemaCommandTests {
    @Test func theSchema() async throws {
        let result = await CommandLineFixture().run("schema", "Shop")
        let schema = try Shop.jsonSchema().jsonData(options: [.pretty, .sortedKeys])
        #expect(result == CommandResult(output: String(decoding: schema, as: UTF8.self)))
        #expect(result.output.contains(#""$schema": "https://json-schema.org/draft/2020-12/schema""#))
    }
}

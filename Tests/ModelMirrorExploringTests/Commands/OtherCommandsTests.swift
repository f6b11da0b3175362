import ModelMirrorExploring
import Testing

@MainActor struct InspectCommandTests {
    @Test(arguments: [
        (
            "Shop",
            """
            Shop: 4 properties

            property  key                  type     reads                                      required  ignored
            id        id                   String   a string                                   yes
            openedAt  opened_at, openedAt  Date?    a date in ISO 8601 or "y-MM-dd HH:mm:ssZ"
            items     items                [Item]?  an array
            note      note                 String   a string                                             yes
            """
        ),
        (
            "Item",
            """
            Item: 6 properties

            property  key                 type                 reads               rule               ignored
            name      name, $.info.title  String               a string
            count     count               Int                  an integer                             not written
            seen      seen                Date?                seconds since 1970  .secondsSince1970
            tags      tags                [String: [Int]]      an object
            extra     all other keys      [String: JSONValue]  an object

            token is not mapped: it is a let, which is never written; use private(set) var
            """
        ),
    ]) func thePropertyTableAndItsRulesArePrinted(name: String, table: String) async {
        #expect(await CommandLineFixture().run("inspect", name).output == table)
    }
}

@MainActor struct DriftCommandTests {
    nonisolated static let fault =
        "2:8: not JSON: expected a value (an object, array, string, number, true, false or null), found the end of the document"

    private let fixture = CommandLineFixture(files: [
        "old.json": #"{"items": [{"owner": {"login": "a"}, "old": 1}]}"#,
        "new.json": #"{"items": [{"owner": {"login": 1}, "new": true}]}"#,
        "a.json": #"{"id": 7}"#, "log": "{\"id\": 1}\n{\"id\": 2}\n",
        "broken": "{\"id\": 1}\n{\"id\": \n{\"id\": 2}\n", "one": "{\"id\": 1\n{\"id\": 1}\n",
    ])

    @Test(arguments: [
        (
            "old.json", "new.json",
            CommandResult(
                output: """
                    appeared      $.items[].new: absent -> boolean
                    disappeared   $.items[].old: number -> absent
                    changed type  $.items[].owner.login: string -> number

                    3 changes: 1 appeared, 1 disappeared, 1 changed type
                    """, status: 1)
        ),
        ("old.json", "old.json", CommandResult(output: "no drift")),
        // Lines are one list, also where only one of them is a document.
        ("log", "log", CommandResult(output: "no drift")), ("a.json", "log", CommandResult(output: "no drift")),
        (
            "broken", "one",
            CommandResult(
                output: "no drift",
                error:
                    "broken:\(fault)\none:1:9: not JSON: expected ',' or '}', found the end of the document",
                status: 1)
        ),
    ]) func changesAreListedAndCounted(old: String, new: String, result: CommandResult) async {
        #expect(await fixture.run("drift", old, new) == result)
    }
}

@MainActor struct SchemaCommandTests {
    @Test func theSchemaIsPrinted() async throws {
        let result = await CommandLineFixture().run("schema", "Shop")
        let schema = try Shop.jsonSchema().jsonData(options: [.pretty, .sortedKeys])
        #expect(result == CommandResult(output: String(decoding: schema, as: UTF8.self)))
        #expect(result.output.contains(#""$schema": "https://json-schema.org/draft/2020-12/schema""#))
    }
}

import ModelMirror
import Testing

@testable import ModelMirrorExploring

struct ShowTests {
    @Test func documentsAreTrees() throws {
        let document: JSONValue = ["b": [["x": 1], [], "a\n"], "a": ["c": nil, "d": [:]]]
        #expect(
            ShownValue.text(of: document) == #"""
                a: 
                  c: null
                  d: {}
                b: [3]
                  0: 
                    x: 1
                  1: []
                  2: "a\n"
                """#)
        #expect(ShownValue.text(of: JSONValue.number(7)) == "7")
        #expect(ShownValue.text(of: JSONValue.string("\u{9B}2J")) == #""\u009b2J""#)
    }

    @Test func listsOfPlainObjectsAreTables() throws {
        let values = try JSONQuery("$[*]").values(in: #"[{"id": 1, "name": "a"}, {"id": 20}]"#)
        #expect(ShownValue.text(of: values) == "id  name\n1   \"a\"\n20")
    }

    @Test func modelsStatisticsAndDriftAreShown() throws {
        let item = Item()
        item.name = "x"
        #expect(ShownValue.text(of: item).hasPrefix("Item\n"))
        #expect(ShownValue.text(of: item).contains("\nname: \"x\""))
        #expect(ShownValue.text(of: DocumentStatistics(json: "[1]")).hasPrefix("1 document, 3 bytes\n"))
        #expect(ShownValue.text(of: DocumentDrift(from: ["a": 1], to: [:])).hasPrefix("disappeared  $.a"))
        #expect(ShownValue.text(of: 7) == "7")
    }

    @Test func redactedPropertiesAreNotShown() {
        let secret = Secret()
        secret.name = "x"
        secret.password = "s3cret"
        for value in [secret, [secret]] as [Any] {
            #expect(ShownValue.text(of: value) == #"Secret(name: "x")"#)
        }
    }

    @Test func longAndDeepValuesAreCut() throws {
        let long = JSONValue.array((0..<1_000).map { .string("\($0)" + String(repeating: "x", count: 200)) })
        let lines = ShownValue.text(of: long).split(separator: "\n")
        #expect(lines.count == 201 && lines.last == "… 801 more lines")
        #expect(lines.allSatisfy { $0.count <= 120 })
        let deep = try JSONValue(json: String(repeating: "[", count: 500) + String(repeating: "]", count: 500))
        let levels = ShownValue.text(of: deep).split(separator: "\n")
        #expect(levels.count == 201 && levels.last == "… 300 more lines")
        let rows = ShownValue.text(of: JSONValue.array((0..<1_000).map { ["id": .number(JSONNumber($0))] }))
            .split(separator: "\n")
        #expect(rows.count == 200 && rows[198] == "197" && rows.last == "… 802 more rows")
    }
}

private final class Secret: AbstractModel {
    var name = ""
    var password = ""
    override class var redactedProperties: Set<String> { ["password"] }
}

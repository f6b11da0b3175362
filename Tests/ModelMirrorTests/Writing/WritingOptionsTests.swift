import Foundation
import ModelMirror
import Testing

private class Owner: AbstractModel {
    var name: String?
    var id = 7
}

private class Repo: AbstractModel {
    var url = "a/b"
    var stars: Int?
    var owner: Owner? = Owner()
    var tags: [String] = []
    var files: [String: Int?] = ["b/": nil, "a": 1]
    var payload: Owner? = Owner()

    override class var propertyKeys: [String: PropertyKey] { ["url": "x/y", "stars": "Stars"] }
    override class var propertyConverters: [String: any Converter] { ["payload": .embeddedJSON] }
}

private class Needy: AbstractModel {
    var id: String?
    var name: String! = "n"
    var count = 0
    var nested: Needy?

    override class var requiredProperties: Set<String> { ["id", "name", "count"] }
}

@Suite("Writing options")
struct WritingOptionsTests {
    @Test(
        "Each writing option has its effect, and all combine",
        arguments: [
            (
                [],
                #"{"x/y":"a/b","owner":{"id":7},"tags":[],"files":{"a":1,"b/":null},"payload":"{\"id\":7}"}"#
            ),
            (
                .sortedKeys,
                #"{"files":{"a":1,"b/":null},"owner":{"id":7},"payload":"{\"id\":7}","tags":[],"x/y":"a/b"}"#
            ),
            (
                .nulls,
                #"{"x/y":"a/b","Stars":null,"owner":{"name":null,"id":7},"tags":[],"files":{"a":1,"b/":null},"#
                    + #""payload":"{\"name\":null,\"id\":7}"}"#
            ),
            (
                .escapedSlashes,
                #"{"x\/y":"a\/b","owner":{"id":7},"tags":[],"files":{"a":1,"b\/":null},"payload":"{\"id\":7}"}"#
            ),
            (
                [.sortedKeys, .nulls],
                #"{"Stars":null,"files":{"a":1,"b/":null},"owner":{"id":7,"name":null},"#
                    + #""payload":"{\"id\":7,\"name\":null}","tags":[],"x/y":"a/b"}"#
            ),
            (
                .strict,
                #"{"x/y":"a/b","owner":{"id":7},"tags":[],"files":{"a":1,"b/":null},"payload":"{\"id\":7}"}"#
            ),
            (
                // One line for each member; embedded JSON stays compact.
                .pretty,
                """
                {
                  "x/y": "a/b",
                  "owner": {
                    "id": 7
                  },
                  "tags": [],
                  "files": {
                    "a": 1,
                    "b/": null
                  },
                  "payload": "{\\"id\\":7}"
                }
                """
            ),
            (
                [.pretty, .sortedKeys, .nulls, .escapedSlashes, .strict],
                """
                {
                  "Stars": null,
                  "files": {
                    "a": 1,
                    "b\\/": null
                  },
                  "owner": {
                    "id": 7,
                    "name": null
                  },
                  "payload": "{\\"id\\":7,\\"name\\":null}",
                  "tags": [],
                  "x\\/y": "a\\/b"
                }
                """
            ),
        ] as [(WritingOptions, String)])
    func options(options: WritingOptions, expected: String) throws {
        #expect(try Repo().jsonString(options: options) == expected)
    }

    @Test("Every combination of writing options round-trips", arguments: 0..<32)
    func readBack(bits: Int) throws {
        let repo = Repo()
        repo.owner?.name = "/\u{1}"
        let data = try repo.jsonData(options: WritingOptions(rawValue: bits))
        #expect(try Repo(json: data, options: .strict).isEqual(to: repo))
    }

    @Test("An object without values is written as {}, pretty or not", arguments: [[], WritingOptions.pretty])
    func nothing(options: WritingOptions) throws {
        #expect(try Empty().jsonString(options: options) == "{}")
    }

    // MARK: strict

    @Test("Strict writing rejects nil required properties, including nested ones")
    func strict() throws {
        let needy = Needy()
        needy.nested = Needy()
        needy.nested?.id = "1"
        needy.nested?.name = nil
        #expect(try needy.jsonString() == #"{"name":"n","count":0,"nested":{"id":"1","count":0}}"#)
        let error = try #require(throws: ModelError.self) { try needy.jsonData(options: .strict) }
        #expect(
            error.lines == [
                "Needy.id at $.id: expected a string, found nil.",
                "Needy.name at $.nested.name: expected a string, found nil.",
            ])
        #expect(error.valueFailures.map(\.line) == [nil, nil])
        #expect(error.valueFailures.map(\.offset) == [nil, nil])
    }

    @Test("Strict writing rejects nil required properties in arrays and embedded JSON, and writes objects without any")
    func strictInside() throws {
        let needy = Needy()
        needy.id = "1"
        #expect(try needy.jsonString(options: .strict) == #"{"id":"1","name":"n","count":0}"#)
        let error = try #require(throws: ModelError.self) {
            try [needy, Needy()].jsonData(options: [.strict, .nulls, .sortedKeys])
        }
        #expect(error.lines == ["Needy.id at $[1].id: expected a string, found nil."])

        let holder = Holder()
        holder.needy = Needy()
        let inside = try #require(throws: ModelError.self) { try holder.jsonData(options: .strict) }
        #expect(inside.valueFailures.map(\.path) == [["needy"]])
        #expect("\(inside)".contains("Needy.id at $.id: expected a string, found nil."))
    }
}

private class Empty: AbstractModel {
    var nothing: Int?
}

private class Holder: AbstractModel {
    var needy: Needy?

    override class var propertyConverters: [String: any Converter] { ["needy": .embeddedJSON] }
}

import Foundation
import ModelMirror
import Testing

private struct Reason: Error, CustomStringConvertible { let description: String }

private class User: AbstractModel {
    var id = 0
    var name: String?
    var born: Date?
    var page: URL?
    var size: UInt8 = 0
    var score = 0.0
    var admin = false
}

private class Gist: AbstractModel {
    var id = ""
    var owner: User?
}

private class Page: AbstractModel {
    var gists: [Gist] = []
    var total = 0
    var message: String?

    override func didMap() throws { if let message { throw Reason(description: message) } }
}

@Suite("PropertyFailure")
struct PropertyFailureTests {
    @Test("A failure has model, property, path, line, column, offset, expected and found")
    func parts() throws {
        let document = """
            {
              "total": 4,
              "gists": [
                {"id": "1"}, {"id": "2"},
                {"id": "3"},
                {
                  "id": "4",
                  "owner": { "id": "x" }
                }
              ]
            }
            """
        let error = #expect(throws: ModelError.self) { try Page(json: document, options: .strict) }
        #expect(error?.valueFailures.count == 1)
        let failure = try #require(error?.valueFailures.first)
        #expect((failure.model, failure.property, failure.path) == ("User", "id", ["gists", 3, "owner", "id"]))
        #expect((failure.line, failure.column) == (8, 24))
        #expect(failure.offset == document.utf8.count - "\"x\" }\n    }\n  ]\n}".utf8.count)
        #expect((failure.expected, failure.found) == ("an integer", #"the string "x""#))
        #expect(failure.underlying == nil)
        #expect(
            failure.description
                == #"User.id at $.gists[3].owner.id (line 8, column 24): expected an integer, found the string "x"."#)
    }

    @Test("A missing key has the position of its object and the path of the key")
    func missingKey() throws {
        class Required: AbstractModel {
            var id = 0
            override class var requiredProperties: Set<String> { ["id"] }
        }
        let error = #expect(throws: ModelError.self) { try [Required](json: "[{\"id\": 1},\n\n  {\"ID\": 2}]") }
        let failure = try #require(error?.valueFailures.first)
        #expect(failure.path == [1, "id"])
        #expect([failure.line, failure.column, failure.offset] == [3, 3, 15])
        #expect(failure.found == #"no such key; the object has "ID""#)
        #expect(
            failure.description
                == #"Required.id at $[1].id (line 3, column 3): expected an integer, found no such key; the object has "ID"."#
        )
    }

    @Test(
        "Lines end with LF, CR LF or CR; columns count Unicode scalars, offsets count bytes",
        arguments: [
            ("{\"total\":[]}", 1, 10, 9),
            ("\n\n{\"total\":[]}", 3, 10, 11),
            ("\r\n\r\n{\"total\":[]}", 3, 10, 13),
            ("\r\r{\"total\":[]}", 3, 10, 11),
            ("\n\r\n\r{\"total\":\n[]}", 5, 1, 14),
            ("\t{\t\"total\"\t:\t[]}", 1, 14, 13),
            ("{\"é\":1,\"total\":[]}", 1, 16, 16),
            ("{\"👨‍👩‍👧\":1,\"total\":[]}", 1, 20, 32),
            ("{\"e\u{301}\":1,\"total\":[]}", 1, 17, 17),
            ("{\"\\u00e9\\n\":1,\"total\":[]}", 1, 23, 22),
        ])
    func places(document: String, line: Int, column: Int, offset: Int) throws {
        let error = #expect(throws: ModelError.self) { try Page(json: document, options: .strict) }
        let failure = try #require(error?.valueFailures.first)
        #expect([failure.line, failure.column, failure.offset] == [line, column, offset])
        #expect("\(failure.path)" == "$.total")
    }

    @Test(
        "A failure describes the expected and the found value",
        arguments: [
            (#""id": 1.5"#, "an integer", "the number 1.5"),
            (#""id": null"#, "an integer", "null"),
            (#""id": true"#, "an integer", "true"),
            (#""id": 1e400"#, "an integer from -9223372036854775808 to 9223372036854775807", "the number 1e400"),
            (
                #""id": 9223372036854775808"#, "an integer from -9223372036854775808 to 9223372036854775807",
                "the number 9223372036854775808"
            ),
            (#""id": -9.3e18"#, "an integer from -9223372036854775808 to 9223372036854775807", "the number -9.3e18"),
            (#""name": 5"#, "a string", "the number 5"),
            (#""name": {"a": 1}"#, "a string", "an object"),
            (#""name": []"#, "a string", "an array"),
            (#""admin": "true""#, "true or false", #"the string "true""#),
            (#""score": "1""#, "a number", #"the string "1""#),
            (#""score": 1e400"#, "a number that Double can hold", "the number 1e400"),
            (#""size": 256"#, "an integer from 0 to 255", "the number 256"),
            (#""size": -1"#, "an integer from 0 to 255", "the number -1"),
            (#""page": """#, "a URL", #"the string """#),
            (
                #""born": "2011-02-30T11:22:33Z""#,
                #"a date in ISO 8601 or "y-MM-dd HH:mm:ssZ" whose day and time exist"#,
                #"the string "2011-02-30T11:22:33Z""#
            ),
            (#""id": "a\"b\\\n\u0001""#, "an integer", #"the string "a\"b\\\n\u0001""#),
            (#""id": "\u00e9""#, "an integer", #"the string "é""#),
        ])
    func expectedAndFound(member: String, expected: String, found: String) throws {
        let error = #expect(throws: ModelError.self) { try User(json: "{\(member)}", options: .strict) }
        let failure = try #require(error?.valueFailures.first)
        #expect((failure.expected, failure.found) == (expected, found))
    }

    @Test("The found value is shortened to 60 characters", arguments: [60, 61, 5000])
    func shortened(length: Int) throws {
        let text = String(repeating: "é", count: length)
        let string = #expect(throws: ModelError.self) { try User(json: #"{"id": "\#(text)"}"#, options: .strict) }
        let kept = String(repeating: "é", count: 60)
        #expect(string?.valueFailures.first?.found == "the string \"\(kept)\"" + (length > 60 ? "…" : ""))

        let digits = String(repeating: "7", count: length)
        let number = #expect(throws: ModelError.self) { try User(json: #"{"id": \#(digits)}"#, options: .strict) }
        #expect(
            number?.valueFailures.first?.found
                == "the number " + String(repeating: "7", count: 60) + (length > 60 ? "…" : ""))
    }

    @Test(
        "The description ends with the underlying error and a single full stop",
        arguments: [
            ("the server is right", "the server is right."), ("it ends.", "it ends."), ("really?", "really?"),
            ("no!", "no!"), ("", "."),
        ])
    func underlying(reason: String, end: String) throws {
        let error = #expect(throws: ModelError.self) {
            try Page(json: #"{"total": 1, "gists": [], "message": "\#(reason)"}"#)
        }
        let failure = try #require(error?.valueFailures.first)
        #expect((failure.underlying as? Reason)?.description == reason)
        #expect(
            failure.description
                == "Page at $ (line 1, column 1): expected an object that didMap accepts, found an object: \(end)")
    }

    @Test("A failure without position and property is still one sentence")
    func withoutPlace() throws {
        let error = #expect(throws: ModelError.self) { try Page(dictionary: ["total": 1, "message": "no"]) }
        #expect(error?.description == "Page at $: expected an object that didMap accepts, found an object: no.")
        let nested = #expect(throws: ModelError.self) {
            try Page(dictionary: ["total": 1, "gists": [["id": "1", "owner": ["id": "x"]]]], options: .strict)
        }
        #expect(
            nested?.description
                == #"User.id at $.gists[0].owner.id: expected an integer, found the string "x"."#)
    }
}

import Foundation
import ModelMirror
import Testing

// The class of Apic's README in today's Swift, and an API's response.

private class User: AbstractModel {
    var login = ""
    var siteAdmin = false

    override class var keyStrategy: KeyStrategy { .snakeCase }
}

private class File: AbstractModel {
    var filename = ""
    var language: String?
    var size = 0
    var rawURL: URL?

    override class var propertyKeys: [String: PropertyKey] { ["rawURL": "raw_url"] }
}

private class Gist: AbstractModel {
    var id: String!
    var url: URL!
    var `public` = true
    var createdAt: Date!
    var comments = 0
    var user: User?
    var files: [String: File] = [:]

    override class var propertyKeys: [String: PropertyKey] { ["createdAt": "created_at"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        ["id", "url", "createdAt"].contains(property)
    }
}

private let answer = """
    [
      {
        "url": "https://api.github.com/gists/aa5a315d61ae9438b18d",
        "id": "aa5a315d61ae9438b18d",
        "public": false,
        "created_at": "2010-04-14T02:15:15Z",
        "comments": 3,
        "user": {"login": "octocat", "id": 1, "site_admin": true},
        "files": {
          "hello_world.rb": {
            "filename": "hello_world.rb", "language": "Ruby", "size": 167,
            "raw_url": "https://gist.githubusercontent.com/octocat/raw/hello_world.rb"
          },
          "notes.txt": {"filename": "notes.txt", "language": null, "size": 12}
        }
      },
      {
        "id": "2", "url": "https://api.github.com/gists/2", "created_at": "2016-01-23 18:30:00+0100",
        "comments": "many", "user": null, "files": {}
      }
    ]
    """

@Suite("The README's gists")
struct GistExampleTests {
    @Test("An array of models is mapped from the bytes of a response")
    func gists() throws {
        let gists = try [Gist](json: Data(answer.utf8))

        #expect((gists.map(\.id), gists.map(\.public)) == (["aa5a315d61ae9438b18d", "2"], [false, true]))
        let dates = [1_271_211_315, 1_453_570_200].map { Date(timeIntervalSince1970: $0) }
        #expect((gists.map(\.createdAt), gists.map(\.comments)) == (dates, [3, 0]))
        #expect(gists.map(\.user?.login) == ["octocat", nil])
        #expect(gists.map { $0.files.keys.sorted() } == [["hello_world.rb", "notes.txt"], []])

        #expect(gists[0].url == URL(string: "https://api.github.com/gists/aa5a315d61ae9438b18d"))
        #expect(gists[0].user?.siteAdmin == true)
        #expect(gists[1].user == nil)
        let file = gists[0].files["hello_world.rb"]
        #expect((file?.size, file?.rawURL?.lastPathComponent) == (167, "hello_world.rb"))
        #expect(gists[0].files["notes.txt"]?.language == nil)
    }

    @Test("One model is mapped from a string or a dictionary")
    func gist() throws {
        let gist = try Gist(json: answer, at: [1])
        #expect(gist.id == "2")

        let same = try Gist(dictionary: [
            "id": "1", "url": "https://api.github.com/gists/1", "created_at": "2016-01-23T18:30:00Z", "comments": 7,
        ])
        #expect((same.id, same.createdAt, same.comments) == ("1", Date(timeIntervalSince1970: 1_453_573_800), 7))
    }

    @Test("Models are mapped from an envelope and as a dictionary by name")
    func envelope() throws {
        let items = try [Gist](json: #"{"status": "ok", "data": {"items": \#(answer)}}"#, at: ["data", "items"])
        #expect(items.map(\.id) == ["aa5a315d61ae9438b18d", "2"])
        let files = try [String: File](json: answer, at: [0, "files"])
        #expect(files["hello_world.rb"]?.language == "Ruby")
    }

    @Test("mapReporting reports the deviations that the mapping tolerated")
    func report() throws {
        let (gists, report) = try [Gist].mapReporting(json: answer)
        #expect(gists.count == 2)
        #expect(
            report.description == """
                unknownKey: User at $[0].user.id (line 8, column 40): expected a key of User, found the key "id".
                missing: Gist.public at $[1].public (line 17, column 3): expected true or false, found no such key.
                fallback: Gist.comments at $[1].comments (line 19, column 17): expected an integer, \
                found the string "many".
                """)
    }

    @Test("All failures are reported at once, each with path, line and column")
    func failures() throws {
        let bad = """
            [
              {"id": "1", "url": "https://api.github.com/gists/1", "created_at": "2016-01-23T18:30:00Z"},
              {"id": 2, "url": "", "created_at": "2011-02-30T11:22:33Z"},
              {"url": "https://api.github.com/gists/3", "created_at": null, "id": "3"}
            ]
            """
        do throws(ModelError) {
            let gists = try [Gist](json: bad)
            Issue.record("\(gists.count) gists were mapped")
        } catch {
            #expect(
                error.description == """
                    Gist.id at $[1].id (line 3, column 10): expected a string, found the number 2; the option stringsFromNumbers accepts it.
                    Gist.url at $[1].url (line 3, column 20): expected a URL, found the string "".
                    Gist.createdAt at $[1].created_at (line 3, column 38): expected a date in ISO 8601 or \
                    "y-MM-dd HH:mm:ssZ" whose day and time exist, found the string "2011-02-30T11:22:33Z".
                    Gist.createdAt at $[2].created_at (line 4, column 59): expected a date in ISO 8601 or \
                    "y-MM-dd HH:mm:ssZ", found null.
                    """)
        }
        let skipping = MappingOptions(skipsInvalidElements: true)
        #expect(try [Gist](json: bad, options: skipping).map(\.id) == ["1"])
    }

    @Test("A call can request strict mapping")
    func strict() {
        #expect(
            Thrown.text { try [Gist](json: answer, options: .strict) }
                == "Gist.comments at $[1].comments (line 19, column 17): expected an integer, found the string "
                + #""many"."#
        )
    }
}

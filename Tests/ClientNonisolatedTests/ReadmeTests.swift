import Foundation
import ModelMirror
import Testing

@Suite("README examples")
struct ReadmeTests {
    private static let document = """
        {"id": "1", "url": "https://api.github.com/gists/1", "public": false, "created_at": "2016-01-23T18:30:00Z", "comments": 3,
        "user": {"login": "octocat", "siteAdmin": true}, "files": {"a.txt": {"filename": "a.txt", "size": 12}}}
        """

    private func check(_ gist: Gist) {
        #expect(gist.id == "1")
        #expect(gist.url.absoluteString == "https://api.github.com/gists/1")
        #expect(gist.public == false)
        #expect(gist.createdAt == Date(timeIntervalSince1970: 1_453_573_800))
        #expect(gist.comments == 3)
        #expect(gist.user?.login == "octocat")
        #expect(gist.user?.siteAdmin == true)
        #expect(gist.files.mapValues(\.size) == ["a.txt": 12])
    }

    @Test("A model is mapped from a string, Data, bytes or a dictionary")
    func object() throws {
        check(try Gist(json: Self.document))
        check(try Gist(json: Data(Self.document.utf8)))
        check(try Gist(json: Array(Self.document.utf8)))
        check(
            try Gist(
                dictionary: [
                    "id": "1", "url": "https://api.github.com/gists/1", "public": false,
                    "created_at": "2016-01-23T18:30:00Z",
                    "comments": 3, "user": ["login": "octocat", "siteAdmin": true],
                    "files": ["a.txt": ["filename": "a.txt", "size": 12]],
                ]))
    }

    @Test("Arrays and dictionaries of models are mapped at the root and inside an envelope")
    func collections() throws {
        let gists = try [Gist](json: "[\(Self.document), \(Self.document)]")
        #expect(gists.count == 2)
        for gist in gists { check(gist) }
        check(try #require(try [String: Gist](json: "{\"k\": \(Self.document)}")["k"]))
        check(try [Gist](json: "{\"data\": {\"items\": [\(Self.document)]}}", at: ["data", "items"])[0])
        let path: JSONPath = ["data", 0]
        check(try Gist(json: "{\"data\": [\(Self.document)]}", at: path))
    }

    @Test("mapReporting reports the deviations that the mapping tolerated")
    func report() throws {
        let (gist, report) = try Gist.mapReporting(
            json: #"{"id": "1", "url": "u", "created_at": "2016-01-23T18:30:00Z", "comments": "many", "stars": 5}"#)
        #expect(gist.comments == 0)
        #expect(
            report.description == """
                missing: Gist.public at $.public (line 1, column 1): expected true or false, found no such key.
                missing: Gist.files at $.files (line 1, column 1): expected an object, found no such key.
                fallback: Gist.comments at $.comments (line 1, column 75): expected an integer, found the string "many".
                unknownKey: Gist at $.stars (line 1, column 92): expected a key of Gist, found the key "stars".
                """)
    }

    @Test("All failures are thrown at once, each with path, line and column")
    func failures() {
        let error = #expect(throws: ModelError.self) {
            try [Gist](json: "[{\"id\": 1, \"url\": \"u\",\n \"created_at\": \"2011-02-30T11:22:33Z\"}]")
        }
        #expect(
            error?.description == """
                Gist.id at $[0].id (line 1, column 9): expected a string, found the number 1; the option stringsFromNumbers accepts it.
                Gist.createdAt at $[0].created_at (line 2, column 16): expected a date in ISO 8601 or \
                "y-MM-dd HH:mm:ssZ" whose day and time exist, found the string "2011-02-30T11:22:33Z".
                """)
    }

    @Test("A model uses rules, enums, a JSONConvertible type and a converter")
    func account() throws {
        let account = try Account(
            json: """
                {"id": 7, "visibility": "friends", "plan": "gold", "balance": 12.34, "limit": 5.5, "born": 86400,
                "extra": {"note": 8}, "html_url": "https://example.com"}
                """)
        #expect(account.number == 7)
        #expect(account.visibility == .friends)
        #expect(account.plan == .other)
        #expect(account.balance == Money(cents: 1234))
        #expect(account.limit == 550)
        #expect(account.born == Date(timeIntervalSince1970: 86400))
        #expect(account.note == "8")
        #expect(account.htmlURL?.absoluteString == "https://example.com")

        let error = #expect(throws: ModelError.self) {
            try Account(json: #"{"visibility": "nobody", "balance": "much", "limit": []}"#, options: .strict)
        }
        #expect(
            error?.description == """
                Account.number at $.number (line 1, column 1): expected an integer, found no such key.
                Account.visibility at $.visibility (line 1, column 16): expected a string that is a raw value of Visibility, \
                found the string "nobody".
                Account.balance at $.balance (line 1, column 37): expected an amount, found the string "much".
                Account.limit at $.limit (line 1, column 54): expected an amount, found an array.
                """)
    }

    @Test("Subclasses are chosen by a type name")
    func dynamicTypes() throws {
        let animals = try [Animal](
            json:
                #"[{"type": "dog", "name": "Rex", "isGood": false}, {"type": "cat", "lives": 7}, {"type": "cow", "name": "C"}]"#
        )
        #expect(animals.map { "\(type(of: $0))" } == ["Dog", "Cat", "Animal"])
        #expect(animals.map(\.name) == ["Rex", "", "C"])
        #expect((animals[0] as? Dog)?.isGood == false)
        #expect((animals[1] as? Cat)?.lives == 7)
    }

    @Test("An observable model is mapped")
    func observable() throws {
        let article = try Article(json: #"{"title": "t", "likes": 3, "author": {"login": "a"}}"#)
        #expect(article.title == "t")
        #expect(article.likes == 3)
        #expect(article.author?.login == "a")
    }

    @Test("Hooks can replace invalid values, assign properties and reject a model")
    func hooks() throws {
        let booking = try Booking(json: #"{"start": 5, "end": "late", "seat": "4a"}"#)
        #expect(booking.asked == ["end: late"])
        #expect(booking.end == 6)
        #expect(booking.length == 1)
        #expect(booking.seat == AnyHashable("4a"))

        let missing = #expect(throws: ModelError.self) { try Booking(json: #"{"end": 6, "seat": 4}"#) }
        #expect(
            missing?.description == """
                Booking.start at $.start (line 1, column 1): expected an integer, found no such key.
                """)
        let invalid = #expect(throws: ModelError.self) { try Booking(json: #"{"start": 6, "end": 5, "seat": "4a"}"#) }
        #expect(
            invalid?.description
                == "Booking.end at $.end (line 1, column 21): expected a time after start, found the number 5.")
    }

    @Test("A class with a custom initializer is mapped")
    func ownInitializer() throws {
        #expect(Point(x: 1, y: 2).y == 2)
        #expect(try Point(json: #"{"x": 3, "y": 4}"#).y == 4)
    }

    @Test("assign(rawValue:toProperty:) sets one property")
    func assign() throws {
        let account = try Account(json: #"{"id": 7}"#)
        try account.assign(rawValue: 2.5, toProperty: "limit")
        #expect(account.limit == 250)
    }
}

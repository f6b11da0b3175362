import Foundation
import ModelMirror
import Testing

private class Thing: AbstractModel {
    var zeta = 1
    var alpha = "first"
    var note: String?
}

private class Book: Thing {
    var pages = 300
    var beta: Double? = 0.5
    private(set) var secret = "kept"
}

private enum Suit: String { case hearts, spades }
private enum Rank: Int { case ace = 1, king = 13 }

private struct Money: JSONConvertible, Equatable {
    var cents: Int
    init(cents: Int) { self.cents = cents }
    init(json: JSONValue) throws {
        guard let text = json.string, let cents = Int(text) else { throw ConversionError(expected: "an amount") }
        self.cents = cents
    }
    func json() throws -> JSONValue { .string(String(cents)) }
}

private struct Point: Codable { var x = 1, y = 2 }

private class Shelf: AbstractModel {
    var flag = true
    var suit = Suit.spades
    var rank: Rank? = .king
    var numbers = [3, 1, 2]
    var optionals: [Int?] = [1, nil]
    var set: Set<Int> = [10, 9, 100]
    var texts: Set<String> = ["b", "a", "ä"]
    var byName = ["b": 1, "a": 2, "ä": 3, "B": 4]
    var byNumber = [10: "ten", 9: "nine", -1: "less"]
    var byRank: [Rank: Bool] = [.ace: true]
    var nested: [String: [[Int]]] = ["x": [[1], []]]
    var book: Thing? = Book()
    var books: [Thing] = [Thing()]
    var price = Money(cents: 150)
    var point = Point()
    var free: JSONValue = ["b": [1, nil], "a": true]
    var anything: Any = ["k": [1, "x", false] as [Any]] as [String: Any]
    var date = Date(timeIntervalSince1970: 1_453_573_800)
    var url = URL(string: "https://example.com/a?b=c")
    var uuid = UUID(uuid: (0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255))
    var data = Data([1, 2, 255])
    var color = RGBAColor(red: 1, green: 0, blue: 0)
    var zone = TimeZone(identifier: "Europe/Paris")
    var locale = Locale(identifier: "de_DE")
    var letter: Character = "é"
    var part: Substring = "abc".dropFirst()
    var exact: JSONNumber = 7
    var contiguous: ContiguousArray<Bool> = [true, false]
}

private class Renamed: AbstractModel {
    var createdAt = Date(timeIntervalSince1970: 0)
    var htmlURL = "u"
    var title = "t"
    var quoted = 1
    var empty = 2

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] {
        ["title": ["headline", "title", .path("meta", "title")], "quoted": "a \"key\"\n", "empty": ""]
    }
}

private class Roles: AbstractModel {
    var plain = 1
    var ignored = 2
    var onlyRead = 3
    var onlyWritten = 4
    let constant = 5
    weak var owner: AbstractModel?
    lazy var late = 6
    var computed: Int { 7 }

    override class var ignoredProperties: Set<String> { ["ignored"] }
    override class var readOnlyProperties: Set<String> { ["onlyRead"] }
    override class var writeOnlyProperties: Set<String> { ["onlyWritten"] }
}

private class Converted: AbstractModel {
    var born: Date? = Date(timeIntervalSince1970: 1.5)
    var seen = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 60)]
    var when = ["x": Date(timeIntervalSince1970: 0.25)]
    var day = Date(timeIntervalSince1970: 86_400)
    var header = Date(timeIntervalSince1970: 784_111_777)
    var first = Date(timeIntervalSince1970: 0)
    var bytes = Data([171, 205])
    var tint = RGBAColor(red: 1, green: 0, blue: 0, alpha: 0)
    var inner: Thing? = Thing()
    var list: [Int]? = [1, 2]

    override class var propertyConverters: [String: any Converter] {
        [
            "born": .secondsSince1970, "seen": .array(of: .secondsSince1970), "when": .millisecondsSince1970,
            "header": .httpDate, "first": .any([.format("yyyy"), .iso8601]), "bytes": .hex, "tint": .argbHex,
            "inner": .embeddedJSON, "list": .embeddedJSON,
        ]
    }
    override class var propertyDateFormats: [String: String] { ["day": "dd.MM.yyyy"] }
}

private class Accented: AbstractModel {
    var é = 1
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
}

private class AccentedFlat: AbstractModel {
    var é = 1
    var others: [String: Int] = [:]
    override class var flattenedProperties: Set<String> { ["others"] }
}

private class Snaked: AbstractModel {
    var userName = "me"
    var oldID = 1
    var secretText = ""
    var rest: [String: JSONValue] = [:]
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var unknownKeysProperty: String? { "rest" }
    override class var readOnlyProperties: Set<String> { ["oldID"] }
    override class var ignoredProperties: Set<String> { ["secretText"] }
}

private final class Flexible: Snaked {
    override class var keyStrategy: KeyStrategy { .flexible }
}

private class SnakedFlat: AbstractModel {
    var userName = "me"
    var others: [String: String] = [:]
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var flattenedProperties: Set<String> { ["others"] }
}

@Suite("Writing models as JSON")
struct ModelWritingTests {
    @Test("A kept member is written unless its key, told apart by bytes, is one from which a property is read")
    func keptMembers() throws {
        // Not compared as strings, which are equal if they are canonically equivalent.
        let json = "{\"é\":5,\"e\u{301}\":6}"
        #expect(try Accented(json: json).jsonData() == Data(json.utf8))
        #expect(try AccentedFlat(json: json).jsonData() == Data(json.utf8))
        let rest: [String: JSONValue] = [
            "user_name": 1, "userName": 2, "USER_NAME": 3, "oldID": 4, "secret_text": 5, "userName2": 6,
        ]
        let snaked = Snaked()
        snaked.rest = rest
        #expect(try snaked.jsonString() == #"{"user_name":"me","USER_NAME":3,"secret_text":5,"userName2":6}"#)
        let flexible = Flexible()
        flexible.rest = rest
        #expect(try flexible.jsonString() == #"{"userName":"me","secret_text":5,"userName2":6}"#)
        let flat = SnakedFlat()
        flat.others = ["userName": "other", "user_name": "third", "more": "x"]
        #expect(try flat.jsonString() == #"{"user_name":"me","more":"x"}"#)
    }

    @Test("Properties are written in declared order, superclass first, and nil is omitted")
    func declaredOrder() throws {
        #expect(try Thing().jsonString() == #"{"zeta":1,"alpha":"first"}"#)
        #expect(try Book().jsonString() == #"{"zeta":1,"alpha":"first","pages":300,"beta":0.5,"secret":"kept"}"#)
        let book: Thing = Book()
        book.note = "n"
        #expect(
            try book.jsonString() == #"{"zeta":1,"alpha":"first","note":"n","pages":300,"beta":0.5,"secret":"kept"}"#)
    }

    @Test("Every kind of value is written in its JSON form")
    func everyKind() throws {
        let expected = """
            {"flag":true,"suit":"spades","rank":13,"numbers":[3,1,2],"optionals":[1,null],"set":[10,100,9],\
            "texts":["a","b","ä"],"byName":{"B":4,"a":2,"b":1,"ä":3},"byNumber":{"-1":"less","10":"ten","9":"nine"},\
            "byRank":{"1":true},"nested":{"x":[[1],[]]},\
            "book":{"zeta":1,"alpha":"first","pages":300,"beta":0.5,"secret":"kept"},\
            "books":[{"zeta":1,"alpha":"first"}],"price":"150","point":{"x":1,"y":2},"free":{"a":true,"b":[1,null]},\
            "anything":{"k":[1,"x",false]},"date":"2016-01-23T18:30:00Z","url":"https://example.com/a?b=c",\
            "uuid":"00112233-4455-6677-8899-AABBCCDDEEFF","data":"AQL/","color":"#FF0000","zone":"Europe/Paris",\
            "locale":"de_DE","letter":"é","part":"bc","exact":7,"contiguous":[true,false]}
            """
        #expect(try Shelf().jsonString() == expected)
    }

    @Test("Written keys follow the strategy, the rules and the first alias, and are escaped")
    func keys() throws {
        let expected =
            #"{"created_at":"1970-01-01T00:00:00Z","html_url":"u","headline":"t","a \"key\"\n":1,"":2}"#
        #expect(try Renamed().jsonString() == expected)
    }

    @Test("Ignored, read-only and unmappable properties are not written; write-only ones are")
    func roles() throws {
        #expect(try Roles().jsonString() == #"{"plain":1,"onlyWritten":4}"#)
    }

    @Test("Converters write values that they read back equal")
    func converters() throws {
        let expected =
            #"{"born":1.5,"seen":[0,60],"when":{"x":250},"day":"02.01.1970","#
            + #""header":"Sun, 06 Nov 1994 08:49:37 GMT","first":"1970","bytes":"abcd","tint":"#
            + ##""#00FF0000","inner":"{\"zeta\":1,\"alpha\":\"first\"}","list":"[1,2]"}"##
        #expect(try Converted().jsonString() == expected)
        let read = try Converted(json: expected, options: .strict)
        #expect(try read.jsonString() == expected)
        #expect(read.isEqual(to: Converted()))
    }

    // MARK: The forms of the result

    @Test("jsonData, jsonString, jsonValue and jsonDictionary agree")
    func forms() throws {
        let shelf = Shelf()
        // The JSON has no type name, so a Book would be read as a Thing.
        shelf.book = Thing()
        let text = try shelf.jsonString()
        #expect(try shelf.jsonData() == Data(text.utf8))
        #expect(try shelf.jsonValue() == JSONValue(json: text))
        let dictionary = try shelf.jsonDictionary()
        let again = try Shelf(dictionary: dictionary, options: .strict)
        #expect(try again.jsonString() == text)
    }

    @Test("jsonDictionary holds plain Swift values")
    func dictionary() throws {
        let dictionary = try Shelf().jsonDictionary()
        #expect(dictionary["flag"] as? Bool == true)
        #expect(dictionary["numbers"] as? [Int] == [3, 1, 2])
        #expect(dictionary["suit"] as? String == "spades")
        #expect(dictionary["rank"] as? Int == 13)
        #expect((dictionary["book"] as? [String: Any])?["beta"] as? Double == 0.5)
        let optionals = try #require(dictionary["optionals"] as? [Any])
        #expect(optionals.count == 2 && optionals[0] as? Int == 1 && optionals[1] as? JSONValue == .null)
        #expect(try Thing().jsonDictionary().keys.sorted() == ["alpha", "zeta"])
        #expect(try Thing().jsonDictionary(options: .nulls)["note"] as? JSONValue == .null)
    }

    @Test("Arrays of models are written as arrays, dictionaries as objects sorted by key")
    func collections() throws {
        let book = Book()
        book.zeta = 2
        let list = [Thing(), book]
        #expect(
            try String(decoding: list.jsonData(), as: UTF8.self)
                == #"[{"zeta":1,"alpha":"first"},{"zeta":2,"alpha":"first","pages":300,"beta":0.5,"secret":"kept"}]"#)
        let members = ["b": Thing(), "a\"": book, "B": Thing()]
        #expect(
            try String(decoding: members.jsonData(), as: UTF8.self)
                == #"{"B":{"zeta":1,"alpha":"first"},"a\"":{"zeta":2,"alpha":"first","pages":300,"beta":0.5,"#
                + #""secret":"kept"},"b":{"zeta":1,"alpha":"first"}}"#)
        #expect(try String(decoding: [Thing]().jsonData(), as: UTF8.self) == "[]")
        #expect(try String(decoding: [String: Thing]().jsonData(options: .pretty), as: UTF8.self) == "{}")
        let pretty = """
            [
              {
                "alpha": "first",
                "note": null,
                "zeta": 1
              }
            ]
            """
        #expect(
            try String(decoding: [Thing()].jsonData(options: [.pretty, .sortedKeys, .nulls]), as: UTF8.self) == pretty)
        #expect(
            try String(decoding: ["k": Thing()].jsonData(options: [.sortedKeys, .nulls]), as: UTF8.self)
                == #"{"k":{"alpha":"first","note":null,"zeta":1}}"#)
    }

    @Test(
        "A JSONValue is written with sorted keys, and with the given options",
        arguments: [
            ("null", [], "null"), ("true", [], "true"), (#" "a\/b" "#, [], #""a/b""#), ("-0.50", [], "-0.50"),
            ("[ ]", [], "[]"),
            (#"{"b": 1, "a": {"d": [], "c": null}, "B": ""}"#, [], #"{"B":"","a":{"c":null,"d":[]},"b":1}"#),
            (
                #"{"b": ["/", null], "a": []}"#, [.pretty, .escapedSlashes],
                """
                {
                  "a": [],
                  "b": [
                    "\\/",
                    null
                  ]
                }
                """
            ),
        ] as [(String, WritingOptions, String)])
    func values(json: String, options: WritingOptions, expected: String) throws {
        #expect(try String(decoding: JSONValue(json: json).jsonData(options: options), as: UTF8.self) == expected)
    }
}

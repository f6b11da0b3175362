import Foundation
import ModelMirror
import Testing

private class User: AbstractModel {
    var name = ""
    var age = 0
}

/// Observers, computed properties, converters, aliases and paths.
private class Gist: AbstractModel {
    var id = "none" {
        willSet { events.append("will \(newValue)") }
        didSet { events.append("did \(oldValue) \(id)") }
    }
    var title: String? = "untitled"
    var created: Date?
    var seen = Date(timeIntervalSince1970: 0)
    var ownerLogin = ""
    var firstTag: Int?
    var user = User()
    var users: [User] = []
    var left = "left"
    private(set) var hidden = 1
    var events: [String] = []

    /// In cents.
    var price = 0
    var euros: Double {
        get { Double(price) / 100 }
        set { price = Int((newValue * 100).rounded()) }
    }
    var userName: String {
        get { user.name }
        set { user.name = newValue }
    }

    override class var keyPathTable: KeyPathTable? {
        [
            "id": \Gist.id,
            ["title", "name"]: \Gist.title,
            "created_at": KeyPathMapping(\Gist.created, using: .secondsSince1970),
            "Seen": \Gist.seen,
            .path("owner", "login"): \Gist.ownerLogin,
            .path("tags", 0): \Gist.firstTag,
            "user": \Gist.user,
            "users": \Gist.users,
            "euros": \Gist.euros,
            "nick": \Gist.user.name,
            "hidden_number": \Gist.hidden,
        ]
    }
    override class var propertyDateFormats: [String: String] { ["seen": "dd.MM.yyyy"] }
    // Without effect.
    override class var keyStrategy: KeyStrategy { .pascalCase }
    override class var propertyKeys: [String: PropertyKey] { ["id": "ID", "left": "l", "nonsense": "n"] }
}

@Suite("keyPathTable")
struct KeyPathTableTests {
    private let json =
        #"{"id": "1", "name": "n", "created_at": 60.5, "Seen": "02.01.1970", "owner": {"login": "octocat"}, "tags": [7], "#
        + #""user": {"name": "u", "age": 3}, "users": [{"name": "v"}], "euros": 1.5, "hidden_number": 5, "left": "no", "events": []}"#

    @Test("keyPathTable reads aliases, paths, converters, computed properties and nested models")
    func reading() throws {
        let (gist, report) = try Gist.mapReporting(json: json, options: MappingOptions(reportsMissingOptionals: true))
        #expect(gist.id == "1" && gist.title == "n" && gist.created == Date(timeIntervalSince1970: 60.5))
        #expect(gist.seen == Date(timeIntervalSince1970: 86_400) && gist.ownerLogin == "octocat" && gist.firstTag == 7)
        #expect(gist.user.name == "u" && gist.user.age == 3 && gist.users.map(\.name) == ["v"])
        #expect(gist.euros == 1.5 && gist.price == 150 && gist.hidden == 5)
        #expect(gist.left == "left")
        #expect(
            report.lines == [
                "missing: Gist.nick at $.nick (line 1, column 1): expected a string, found no such key.",
                "missing: User.age at $.users[0].age (line 1, column 155): expected an integer, found no such key.",
                #"unknownKey: Gist at $.left (line 1, column 213): expected a key of Gist, found the key "left"."#,
                #"unknownKey: Gist at $.events (line 1, column 229): expected a key of Gist, found the key "events"."#,
            ])
    }

    @Test("Property observers are called with the new and the old value")
    func observers() throws {
        let gist = try Gist(json: #"{"id": "1"}"#)
        #expect(gist.events == ["will 1", "did none 1"])
        try gist.update(json: #"{"id": "2"}"#)
        try gist.assign(rawValue: "3", toProperty: "id")
        #expect(gist.events == ["will 1", "did none 1", "will 2", "did 1 2", "will 3", "did 2 3"])
        try gist.update(json: #"{"id": null}"#)
        #expect(gist.events.count == 6)
    }

    @Test("keyPathTable entries are written in order, with converters and paths reversed")
    func writing() throws {
        let gist = try Gist(json: json)
        #expect(
            try gist.jsonString()
                == #"{"id":"1","title":"n","created_at":60.5,"Seen":"02.01.1970","owner":{"login":"octocat"},"tags":[7],"#
                + #""user":{"name":"u","age":3},"users":[{"name":"v","age":0}],"euros":1.5,"nick":"u","hidden_number":5}"#
        )
        #expect(try Gist(json: gist.jsonData(), options: .strict).isEqual(to: gist))
    }

    @Test("A key path can lead through a nested model")
    func chained() throws {
        let gist = try Gist(json: #"{"nick": "via"}"#)
        #expect(gist.user.name == "via")
    }

    @Test("Only the entries of keyPathTable are compared and copied")
    func comparing() throws {
        let (one, two) = (try Gist(json: json), try Gist(json: json))
        two.left = "other"
        two.events = []
        #expect(one.isEqual(to: two))
        let copy = try two.copy()
        #expect(copy.isEqual(to: two) && copy.left == "left" && copy.user !== two.user && copy.user.age == 3)
        #expect(copy.events == ["will 1", "did none 1"])
        two.price = 151
        #expect(!one.isEqual(to: two))
    }

    @Test("Computed properties that create new objects on each access are copied separately")
    func temporaries() throws {
        let object = Temporaries()
        let copy = try object.copy()
        #expect(copy.one == 1 && copy.two == 2 && copy.three == 3)
    }

    @Test(
        "Storing into a property during an inout access to it ends the process",
        arguments: ["update", "merge", "assign"])
    func exclusivity(_ call: String) async throws {
        let result = await #expect(
            processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]
        ) { [call = call as String] in
            let object = Base()
            func use(_ a: inout Int) throws {
                switch call {
                case "update": try object.update(json: #"{"a": 2}"#)
                case "merge": try object.merge(patch: #"{"a": 2}"#)
                default: try object.assign(rawValue: 2, toProperty: "a")
                }
                a += 1
            }
            try use(&object.a)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Fatal access conflict detected."))
    }

    // MARK: Names

    @Test(
        "Hooks name an entry by the stored property it resembles, otherwise by its key or given name"
    )
    func names() throws {
        let object = Named()
        #expect(throws: Never.self) {
            try object.update(
                json:
                    #"{"html_url": 1, "Count": "x", "count2": "x", "other": {}, "a": {"deep-value": "x"}, "b": ["x"], "given": "x"}"#
            )
        }
        #expect(object.asked == ["htmlURL", "count", "count2", "other", "deepValue", "b", "mine"])
    }

    @Test("Errors and assign(rawValue:toProperty:) use the same names of entries as hooks")
    func namesInErrors() throws {
        #expect(
            Thrown.lines {
                try Named(json: #"{"html_url": 1, "given": 2, "a": {"deep-value": "x"}}"#, options: .strict)
            } == [
                "Named.htmlURL at $.html_url (line 1, column 14): expected a string, found the number 1; the option stringsFromNumbers accepts it.",
                "Named.mine at $.given (line 1, column 26): expected true or false, found the number 2.",
                #"Named.deepValue at $.a["deep-value"] (line 1, column 49): expected an integer, found the string "x"."#,
            ])
        let named = Named()
        try named.assign(rawValue: "u", toProperty: "htmlURL")
        try named.assign(rawValue: true, toProperty: "mine")
        try named.assign(rawValue: 5, toProperty: "count2")
        #expect(named.htmlURL == "u" && named.flag && named.plain == 5)
        let unknown = try #require(throws: ModelError.self) { try named.assign(rawValue: 1, toProperty: "plain") }
        #expect(unknown.modelFault?.property == "plain")
        #expect(unknown.description.hasPrefix(#"Named cannot be mapped: it has no property "plain" to assign"#))
    }

    @Test("Rules apply to the entries of keyPathTable by name")
    func roles() throws {
        let object = try Roles(json: #"{"a": 2, "b": 3, "c": 4, "d": 5}"#, options: .strict)
        #expect(object.a == 1 && object.b == 3 && object.c == 1 && object.d == 6)
        #expect(try object.jsonString() == #"{"c":1,"d":5}"#)
        #expect(
            Thrown.lines { try Roles(json: "{}") } == [
                "Roles.d at $.d (line 1, column 1): expected a value for AddingOne, found no such key."
            ])
    }

    // MARK: Inheritance

    @Test("A subclass inherits, extends or replaces its superclass's keyPathTable")
    func inheritance() throws {
        #expect(try Heir(json: #"{"a": 2, "b": 3, "c": 4}"#).jsonString() == #"{"a":2}"#)
        #expect(try Adding(json: #"{"a": 2, "b": 3, "c": 4}"#).jsonString() == #"{"a":2,"b":3}"#)
        #expect(try AddingMore(json: #"{"a": 2, "b": 3, "c": 4}"#).jsonString() == #"{"a":2,"b":3,"c":4}"#)
        #expect(try Alone(json: #"{"a": 2, "b": 3, "c": 4}"#).jsonString() == #"{"c":4}"#)
        #expect(try Automatic(json: #"{"a": 2, "b": 3, "c": 4}"#).jsonString() == #"{"a":2,"c":4}"#)
    }

    @Test("keyPathTable maps a class that hides from reflection, with inherited rules")
    func hidden() throws {
        #expect(try Hiding(json: #"{"id": 1, "name": "n"}"#).jsonString() == #"{"id":1,"name":"n"}"#)
        #expect(
            Thrown.lines { try Hiding(json: "{}") } == [
                "Hiding.id at $.id (line 1, column 1): expected an integer, found no such key.",
                "Hiding.name at $.name (line 1, column 1): expected a string, found no such key.",
            ])
    }

    @Test("keyPathTable maps a class whose stored properties cannot be mapped")
    func computedOnly() throws {
        #expect(try Computed(json: #"{"value": 5}"#, options: .strict).jsonString() == #"{"value":6}"#)
    }

    @Test("An empty keyPathTable maps nothing")
    func empty() throws {
        let object = try Nothing(json: #"{"a": 5}"#, options: .strict)
        #expect(object.a == 1)
        #expect(try object.jsonString() == "{}")
    }

    @Test("Entries that share a key are all read, and the first is written")
    func sharedKey() throws {
        let object = try Sharing(json: #"{"id": 7}"#)
        #expect(object.number == 7 && object.value == 7)
        #expect(try object.jsonString() == #"{"id":7}"#)
    }
}

private class Temporaries: AbstractModel {
    var one = 1, two = 2, three = 3

    private static func user(_ age: Int) -> User {
        let user = User()
        user.age = age
        return user
    }
    var first: User {
        get { Self.user(one) }
        set { one = newValue.age }
    }
    var second: User {
        get { Self.user(two) }
        set { two = newValue.age }
    }
    var others: [User] {
        get { [Self.user(three)] }
        set { three = newValue[0].age }
    }

    override class var keyPathTable: KeyPathTable? {
        ["first": \Temporaries.first, "second": \Temporaries.second, "others": \Temporaries.others]
    }
}

private class Named: AbstractModel {
    var htmlURL = ""
    var count = 0
    var plain = 0
    /// Of another type than the entry that resembles it.
    var other = ""
    var number = 0
    var deepValue = 0
    var flag = false
    private(set) var asked: [String] = []

    override class var keyPathTable: KeyPathTable? {
        [
            "html_url": \Named.htmlURL, "Count": \Named.count, "count2": \Named.plain, "other": \Named.number,
            .path("a", "deep-value"): \Named.deepValue, .path("b", 0): \Named.computed,
            "given": KeyPathMapping(\Named.flag, name: "mine"),
        ]
    }
    var computed: Int {
        get { 0 }
        set {}
    }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        asked.append(property)
        return false
    }
}

private struct AddingOne: Converter {
    func value(from json: JSONValue) throws -> Int { (json.int ?? 0) + 1 }
    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(value - 1)) }
}

private class Roles: AbstractModel {
    var a = 1, b = 1, c = 1, d = 1

    override class var keyPathTable: KeyPathTable? { ["a": \Roles.a, "b": \Roles.b, "c": \Roles.c, "d": \Roles.d] }
    override class var ignoredProperties: Set<String> { ["a"] }
    override class var readOnlyProperties: Set<String> { ["b"] }
    override class var writeOnlyProperties: Set<String> { ["c"] }
    override class var requiredProperties: Set<String> { ["d"] }
    override class var propertyConverters: [String: any Converter] { ["d": AddingOne()] }
}

private class Base: AbstractModel {
    var a = 1
    override class var keyPathTable: KeyPathTable? { ["a": \Base.a] }
}

private class Heir: Base { var b = 1 }

private class Adding: Base {
    var b = 1
    override class var keyPathTable: KeyPathTable? { super.keyPathTable?.adding(["b": \Adding.b]) }
}

private class AddingMore: Adding {
    var c = 1
    override class var keyPathTable: KeyPathTable? { super.keyPathTable?.adding(["c": \AddingMore.c]) }
}

private class Alone: Base {
    var c = 1
    override class var keyPathTable: KeyPathTable? { ["c": \Alone.c] }
}

private class Automatic: Base {
    var c = 1
    override class var keyPathTable: KeyPathTable? { nil }
}

private class Identified: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["id"] }
}

private class Hiding: Identified, CustomReflectable {
    var name = ""
    var customMirror: Mirror { Mirror(self, children: [], ancestorRepresentation: .suppressed) }
    override class var requiredProperties: Set<String> { ["name"] }
    override class var keyPathTable: KeyPathTable? { ["id": \Hiding.id, "name": \Hiding.name] }
}

private class Computed: AbstractModel {
    private lazy var stored = 0
    var value: Int {
        get { stored + 1 }
        set { stored = newValue }
    }

    override class var keyPathTable: KeyPathTable? { ["value": \Computed.value] }
}

private class Nothing: AbstractModel {
    var a = 1
    override class var keyPathTable: KeyPathTable? { [:] }
}

private class Sharing: AbstractModel {
    var number = 0
    var value: JSONValue = nil
    override class var keyPathTable: KeyPathTable? {
        ["id": \Sharing.number, "id": KeyPathMapping(\Sharing.value, name: "raw")]
    }
}

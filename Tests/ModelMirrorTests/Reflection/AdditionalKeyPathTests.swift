import Foundation
import ModelMirror
import Synchronization
import Testing

#if canImport(Observation)
import Observation
#endif

private struct Size {
    var width = 0
    var height = 0
}

/// A wrapper with a setter that counts, as `@Published` has one that publishes.
private final class Counter { var stores = 0 }

@propertyWrapper private struct Counted<Value> {
    private var value: Value
    let counter = Counter()
    init(wrappedValue: Value) { value = wrappedValue }
    var wrappedValue: Value {
        get { value }
        set {
            counter.stores += 1
            value = newValue
        }
    }
}

private class User: AbstractModel {
    var first = ""
    var last = ""
    var size = Size()
    var created = Date(timeIntervalSince1970: 0)
    @Counted var nickName = "none"

    var fullName: String {
        get { "\(first) \(last)" }
        set {
            let parts = newValue.split(separator: " ")
            (first, last) = (parts.first.map { String($0) } ?? "", parts.last.map { String($0) } ?? "")
        }
    }
    var initials: String { "\(first.prefix(1))\(last.prefix(1))" }
    /// Zero stands for nil in JSON.
    var rank: Int? {
        get { storedRank == 0 ? nil : storedRank }
        set { storedRank = newValue ?? 0 }
    }
    var storedRank = 0

    var storesOfName: Int { _nickName.counter.stores }

    override class var ignoredProperties: Set<String> { ["size", "storedRank"] }
    override class var additionalKeyPaths: KeyPathTable {
        [
            "full_name": \User.fullName,
            "w": \User.size.width,
            .path("box", "height"): KeyPathMapping(\User.size.height, name: "height"),
            "initials": \User.initials,
            "rank": \User.rank,
            "nick_name": \User.nickName,
            "created_at": KeyPathMapping(\User.created, using: .secondsSince1970, name: "created"),
        ]
    }
}

private final class Guest: User {
    var visits = 0
    override class var additionalKeyPaths: KeyPathTable { ["w2": KeyPathMapping(\User.size.width, name: "w")] }
    override class var requiredProperties: Set<String> { ["height"] }
}

private class Stranger: AbstractModel { var number = 1 }

private class Foreign: AbstractModel {
    var number = 1
    override class var additionalKeyPaths: KeyPathTable { ["n": \Stranger.number] }
}

/// Its mirror shows a class beside the hierarchy as the superclass.
private class Posing: Real, CustomReflectable {
    var own = 2
    override class var additionalKeyPaths: KeyPathTable { ["n": \Leaf.number] }

    var customMirror: Mirror {
        Mirror(self, children: ["own": own], ancestorRepresentation: .customized { Mirror(reflecting: Leaf()) })
    }
}

private class Real: AbstractModel { var number = 1 }

/// Only the mirror of such a class stays where the standard library expects that of a superclass.
private class Leaf: AbstractModel, CustomLeafReflectable {
    var number = 1
    var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

private class Twice: AbstractModel {
    var number = 1
    override class var additionalKeyPaths: KeyPathTable { ["number": \Twice.number, "Number": \Twice.number] }
}

private class Listed: User {
    override class var keyPathTable: KeyPathTable? { ["first": \User.first] }
    override class var additionalKeyPaths: KeyPathTable { ["full_name": \User.fullName] }
}

private class Snake: AbstractModel {
    var firstName = ""
    var count = 0
    var doubled: Int {
        get { count * 2 }
        set { count = newValue / 2 }
    }
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var ignoredProperties: Set<String> { ["count"] }
    override class var additionalKeyPaths: KeyPathTable { ["Twice": KeyPathMapping(\Snake.doubled, name: "doubled")] }
}

#if canImport(Observation)
@Observable private final class Watched: AbstractModel {
    var title = ""
    var count = 0
    required init() {}
    override class var additionalKeyPaths: KeyPathTable { ["title": \Watched.title, "count": \Watched.count] }
}

@Observable private final class HalfWatched: AbstractModel {
    var title = ""
    var count = 0
    required init() {}
    override class var additionalKeyPaths: KeyPathTable { ["title": \HalfWatched.title] }
}
#endif

@Suite("additionalKeyPaths")
struct AdditionalKeyPathTests {
    private let json =
        #"{"first":"x","last":"y","created_at":1000,"nick_name":"Lady","full_name":"Ada King","w":3,"box":{"height":4},"initials":"??","rank":null}"#

    @Test("additionalKeyPaths read through setters, beside the other properties")
    func reading() throws {
        let (user, report) = try User.mapReporting(json: json)
        #expect((user.first, user.last, user.size.width, user.size.height) == ("Ada", "King", 3, 4))
        #expect((user.created, user.nickName, user.storesOfName) == (Date(timeIntervalSince1970: 1000), "Lady", 1))
        #expect(user.rank == nil)
        // A property that is only written takes its key all the same.
        #expect(report.entries.isEmpty, "\(report)")
    }

    @Test("additionalKeyPaths write through getters")
    func writing() throws {
        let user = try User(json: json)
        #expect(
            try user.jsonString()
                == #"{"first":"Ada","last":"King","created_at":1000,"nick_name":"Lady","full_name":"Ada King","w":3,"box":{"height":4},"initials":"AK"}"#
        )
    }

    @Test("Errors and rules use the name of an entry")
    func names() throws {
        let error = #expect(throws: ModelError.self) { try Guest(json: #"{"full_name": 1}"#, options: .strict) }
        #expect(error?.valueFailures.map(\.property) == ["height", "full_name"])
        #expect(error?.valueFailures.map(\.path.description) == ["$.box.height", "$.full_name"])
    }

    @Test("A subclass adds to the additionalKeyPaths of its superclass, or replaces entries by name")
    func inheritance() throws {
        let guest = try Guest(json: #"{"w2": 8, "w": 1, "box": {"height": 2}, "visits": 5, "full_name": "A B"}"#)
        #expect((guest.size.width, guest.visits, guest.last) == (8, 5, "B"))
    }

    @Test("Updates use setters, and are rolled back through them")
    func update() throws {
        let user = try User(json: json)
        try user.update(json: #"{"full_name": "Eva Lind", "nick_name": "E"}"#)
        #expect((user.first, user.last, user.storesOfName) == ("Eva", "Lind", 2))
        #expect(throws: ModelError.self) { try user.update(json: #"{"w": 9, "first": 1}"#, options: .strict) }
        #expect(user.size.width == 3)
    }

    @Test("The key strategy applies only to the other properties")
    func strategy() throws {
        let options = MappingOptions(unknownKeys: .failures)
        let snake = try Snake(json: #"{"first_name": "a", "Twice": 8}"#, options: options)
        #expect((snake.firstName, snake.count) == ("a", 4))
        #expect(throws: ModelError.self) { try Snake(json: #"{"twice": 8}"#, options: options) }
        #expect(try Set(snake.jsonValue().object?.keys.map { $0 } ?? []) == ["first_name", "Twice"])
    }

    @Test("additionalKeyPaths extend keyPathTable")
    func table() throws {
        #expect(try Listed(json: #"{"first": "A", "full_name": "B C"}"#).first == "B")
    }

    @Test(
        "A key path of another class and two entries with one name make the class invalid",
        arguments: [
            (Foreign.self, "a key path of Stranger, which is neither Foreign nor a superclass of it"),
            (Posing.self, "a key path of Leaf, which is neither Posing nor a superclass of it"),
            (Twice.self, "two entries called number; give one of them a name in a KeyPathMapping"),
        ] as [(AbstractModel.Type, String)])
    func mistakes(_ model: AbstractModel.Type, _ reason: String) throws {
        #expect(
            try Refusal.sentence(of: model) == "\(model) cannot be mapped: additionalKeyPaths has \(reason).")
    }

    @Test("The schema has the entries that can be read")
    func schema() throws {
        let properties = try #require(User.jsonSchema()["$defs"]?["User"]?["properties"]?.object)
        #expect(Set(properties.keys) == ["first", "last", "created_at", "nick_name", "full_name", "w", "box", "rank"])
    }

    #if canImport(Observation)
    @Test("Observers notice updates if all observed properties are listed")
    func observation() throws {
        let watched = try Watched(json: #"{"title": "a"}"#)
        let changes = Mutex(0)
        withObservationTracking {
            _ = watched.title
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        try watched.update(json: #"{"title": "b"}"#)
        #expect(changes.withLock(\.self) == 1)
        #expect(watched.title == "b")
        #expect(throws: ModelError.self) { try HalfWatched(json: "{}").update(json: #"{"count": 1}"#) }
    }
    #endif
}

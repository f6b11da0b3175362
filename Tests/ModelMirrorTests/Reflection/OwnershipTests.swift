import ModelMirror
import Synchronization
import Testing

/// A store is one assignment: the old value is released once and the new one retained once, even if the mapping fails.
@Suite("Ownership of stored values")
struct OwnershipTests {
    @Test("A default is released when a value is stored, and the value with its object")
    func valueReplacesDefault() throws {
        try Ledger.run { ledger in
            let model = try Owner(json: #"{"plain": 1, "optional": 2, "after": 3}"#)
            #expect(ledger.alive == ["json 1", "json 2", "list", "second"])
            #expect(isKnownUniquelyReferenced(&model.plain))
            #expect(isKnownUniquelyReferenced(&model.optional!))
            #expect(model.after == 3)
        }
    }

    @Test("null releases the default of an Optional")
    func nullReplacesDefault() throws {
        try Ledger.run { ledger in
            let model = try Owner(json: #"{"optional": null}"#)
            #expect(model.optional == nil)
            #expect(ledger.alive == ["list", "plain", "second"])
        }
    }

    @Test("Each value of a duplicate key is released when the next one is stored")
    func duplicateKeys() throws {
        try Ledger.run { ledger in
            let model = try Owner(json: #"{"plain": 1, "plain": 2, "plain": 3, "optional": 4, "optional": 5}"#)
            #expect((model.plain.name, model.optional?.name) == ("json 3", "json 5"))
            #expect(ledger.alive == ["json 3", "json 5", "list", "second"])
            #expect(
                ledger.ended == ["plain", "json 1", "json 2", "optional", "json 4"])
            #expect(isKnownUniquelyReferenced(&model.plain))
            #expect(isKnownUniquelyReferenced(&model.optional!))
        }
    }

    @Test("A rejected value leaves the default retained once")
    func refusedValue() throws {
        try Ledger.run { ledger in
            let model = try Owner(json: #"{"plain": "one", "optional": [], "list": 5}"#)
            #expect((model.plain.name, model.optional?.name) == ("plain", "optional"))
            #expect(ledger.alive == ["list", "optional", "plain", "second"])
            #expect(isKnownUniquelyReferenced(&model.plain))
            #expect(isKnownUniquelyReferenced(&model.optional!))
        }
    }

    @Test("References in collections, structures, enums, existentials and tuples are retained once")
    func references() throws {
        try Ledger.run { ledger in
            let model = try Shapes(
                json: """
                    {"list": [1, "bad", 2], "members": {"a": 3, "b": null, "c": 4}, "structure": 5, "choice": 6,
                    "existential": 7, "anything": 8, "object": 9, "pair": 10}
                    """)
            #expect(
                ledger.alive == [
                    "json 1", "json 10", "json 2", "json 3", "json 4", "json 5", "json 6", "json 7", "json 9",
                ])
            #expect(model.anything as? Int == 8)
            #expect(isKnownUniquelyReferenced(&model.list[0]))
            #expect(isKnownUniquelyReferenced(&model.members["a"]!))
            #expect(isKnownUniquelyReferenced(&model.structure.item))
            #expect(isKnownUniquelyReferenced(&model.pair.1))
            model.existential = nil
            model.object = nil
            model.choice = .none
            #expect(ledger.alive == ["json 1", "json 10", "json 2", "json 3", "json 4", "json 5"])
        }
    }

    @Test("Nested models own their values")
    func nested() throws {
        try Ledger.run { ledger in
            let model = try Nest(json: #"{"child": {"plain": 1}, "children": [{"plain": 2}, {"optional": 3}, 4]}"#)
            #expect(isKnownUniquelyReferenced(&model.child))
            #expect(isKnownUniquelyReferenced(&model.children[1]))
            model.children = []
            #expect(ledger.alive == ["json 1", "list", "optional", "second"])
        }
    }

    @Test(
        "A mapping that fails releases everything that it has created",
        arguments: [
            #"{"plain": 1, "optional": 2, "list": [3, 4], "needed": 5}"#,
            #"{"plain": 1, "optional": 2, "list": [3, 4]}"#,
            #"{"plain": 1, "plain": 2, "list": [3], "list": [4], "needed": "x", "thrown": 1}"#,
            #"{"plain": 1, "optional": 2, "list": [3, 4"#,
            #"{"plain": 1, "optional": 2, "list": [3, 4], "needed": "x"} x"#,
            #"{"plain": 1, "child": {"plain": 2, "child": {"plain": 3, "needed": null}, "needed": "x"}, "needed": "x"}"#,
        ])
    func failure(_ json: String) {
        Ledger.run { ledger in
            #expect(throws: ModelError.self) { try Demanding(json: json) }
            #expect(throws: ModelError.self) { try [Demanding](json: "[\(json)]") }
            #expect(throws: ModelError.self) { try [String: Demanding](json: "{\"key\": \(json)}") }
            #expect(ledger.alive == [])
            #expect(ledger.made > 0)
        }
    }

    @Test("A skipped element is released, and the others are kept")
    func skippedElements() throws {
        try Ledger.run { ledger in
            let json = #"[{"plain": 1, "needed": "x"}, {"plain": 2, "needed": 3}, {"plain": 4, "needed": "y"}]"#
            let models = try [Demanding](json: json, options: MappingOptions(skipsInvalidElements: true))
            #expect(models.map(\.plain.name) == ["json 1", "json 4"])
            // Optimized code releases what is no longer used.
            withExtendedLifetime(models) {
                #expect(ledger.alive.filter { $0.hasPrefix("json") } == ["json 1", "json 4"])
            }
        }
    }

    @Test("Values whose JSONConvertible initializer throws are released")
    func throwingConverter() throws {
        try Ledger.run { ledger in
            let model = try Owner(json: #"{"plain": -1, "optional": -2, "list": [-3, 4, -5]}"#)
            #expect(model.list.map(\.name) == ["json 4"])
            #expect(ledger.alive == ["json 4", "optional", "plain"])
        }
    }

    @Test("The old value is deinitialized after the new one is stored")
    func oldValueSeesNewValue() throws {
        let log = Log()
        let model = try Log.$current.withValue(log) { try Watched(json: #"{"value": 1, "after": 5}"#) }
        #expect(log.lines == ["0 ends, 1 is there"])
        #expect((model.value.number, model.after) == (1, 5))
    }

    @Test("An old value can change its object while it is deinitialized")
    func oldValueChangesModel() throws {
        let log = Log()
        let model = try Log.$current.withValue(log) { try Rewritten(json: #"{"value": 1, "after": 5}"#) }
        #expect((model.value.number, model.after) == (77, 5))
        #expect(log.lines == ["0 ends", "1 ends"])
    }

    @Test("Two properties with the same key each get a value of their own")
    func sharedMember() throws {
        try Ledger.run { ledger in
            let model = try Twins(json: #"{"item": 1}"#)
            #expect(model.first !== model.second)
            #expect(ledger.alive == ["json 1", "json 1"])
            #expect(isKnownUniquelyReferenced(&model.first))
            #expect(isKnownUniquelyReferenced(&model.second))
        }
    }

    @Test("Long strings, arrays and dictionaries are independent of the document's bytes")
    func independentOfDocument() throws {
        let text = String(repeating: "long enough for storage ", count: 40)
        let models = try (0..<50).map { number in
            var document = Array(
                #"{"text": "\#(number) \#(text)", "list": ["\#(text)", "\#(number)"], "map": {"\#(text)": 1}}"#.utf8)
            let model = try Texts(json: document)
            // The model's values must not refer to the document's bytes.
            for index in document.indices { document[index] = 0 }
            return model
        }
        for (number, model) in models.enumerated() {
            #expect(model.text == "\(number) \(text)")
            #expect(model.list == [text, "\(number)"])
            #expect(model.map == [text: 1])
        }
    }
}

// MARK: Ledger

/// Records the lifetimes of the `Item`s of one test.
private final class Ledger: Sendable {
    @TaskLocal static var current: Ledger?
    private let items = Mutex<(made: Int, alive: [String], ended: [String])>((0, [], []))

    var made: Int { items.withLock { $0.made } }
    var alive: [String] { items.withLock { $0.alive.sorted() } }
    var ended: [String] { items.withLock { $0.ended } }

    func begin(_ name: String) {
        items.withLock {
            $0.made += 1
            $0.alive.append(name)
        }
    }

    func end(_ name: String) {
        let wasAlive = items.withLock { items in
            items.ended.append(name)
            guard let index = items.alive.firstIndex(of: name) else { return false }
            items.alive.remove(at: index)
            return true
        }
        #expect(wasAlive, "\(name) ended twice")
    }

    /// Runs a test with a ledger of its own and checks that no item is left at the end.
    static func run(_ body: (Ledger) throws -> Void) rethrows {
        let ledger = Ledger()
        try Ledger.$current.withValue(ledger) { try body(ledger) }
        #expect(ledger.alive == [])
        #expect(ledger.ended.count == ledger.made)
    }
}

private protocol Named: AnyObject {
    var name: String { get }
}

/// An object that is in the ledger from its initialization to its deinitialization.
private final class Item: Named, JSONConvertible {
    let name: String
    private let ledger = Ledger.current

    init(_ name: String) {
        self.name = name
        ledger?.begin(name)
    }

    init(json: JSONValue) throws {
        guard let number = json.int else { throw ConversionError(expected: "a number") }
        name = "json \(number)"
        ledger?.begin(name)
        // Objects that throw are released, too.
        if number < 0 { throw ConversionError(expected: "a positive number") }
    }

    func json() throws -> JSONValue { .string(name) }

    deinit { ledger?.end(name) }
}

// MARK: Models

private final class Owner: AbstractModel {
    var plain = Item("plain")
    var optional: Item? = Item("optional")
    var list = [Item("list"), Item("second")]
    var after = 0
}

private struct Structure: JSONConvertible {
    var count = 1
    var item = Item("structure")
    init() {}
    init(json: JSONValue) throws { item = try Item(json: json) }
    func json() throws -> JSONValue { .null }
}

private enum Choice: JSONConvertible {
    case none
    case one(Item)
    indirect case nested(Choice)
    init(json: JSONValue) throws { self = .nested(.one(try Item(json: json))) }
    func json() throws -> JSONValue { .null }
}

private struct Through<Value>: Converter {
    let make: @Sendable (Item) -> Value
    func value(from json: JSONValue) throws -> Value { make(try Item(json: json)) }
    func json(from value: Value) throws -> JSONValue { .null }
}

private final class Shapes: AbstractModel {
    var list: [Item] = [Item("default list")]
    var members: [String: Item] = ["x": Item("default member")]
    var structure = Structure()
    var choice = Choice.nested(.one(Item("default choice")))
    var existential: (any Named)? = Item("default existential")
    var anything: Any = Item("default anything")
    var object: AnyObject? = Item("default object")
    var pair: (Int, Item) = (0, Item("default pair"))

    override class var propertyConverters: [String: any Converter] {
        [
            "existential": Through<any Named> { $0 }, "object": Through<AnyObject> { $0 },
            "pair": Through<(Int, Item)> { (1, $0) },
        ]
    }
}

private final class Nest: AbstractModel {
    var child = Owner()
    var children: [Owner] = [Owner(), Owner()]
}

private final class Demanding: AbstractModel {
    var plain = Item("plain")
    var optional: Item?
    var list: [Item] = []
    var child: Demanding?
    var needed = ""
    var thrown = 0
    override class var requiredProperties: Set<String> { ["needed"] }
    override class var mappingOptions: MappingOptions { MappingOptions(strict: true) }
    override func didMap() throws {
        if thrown > 0 { throw ConversionError(expected: "nothing") }
    }
}

private final class Twins: AbstractModel {
    var first = Item("first")
    var second = Item("second")
    override class var propertyKeys: [String: PropertyKey] { ["first": "item", "second": "item"] }
}

private final class Texts: AbstractModel {
    var text = ""
    var list: [String] = []
    var map: [String: Int] = [:]
}

/// What the values that watch their model have seen.
private final class Log: Sendable {
    @TaskLocal static var current: Log?
    private let content = Mutex<[String]>([])
    var lines: [String] { content.withLock { $0 } }
    func add(_ line: String) { content.withLock { $0.append(line) } }
}

private class WatchingValue: JSONConvertible {
    let number: Int
    let log = Log.current
    init(_ number: Int) { self.number = number }
    required init(json: JSONValue) throws { number = json.int ?? -1 }
    func json() throws -> JSONValue { .null }
}

/// A value whose deinitializer reads the property that held it.
private final class Reader: WatchingValue {
    unowned(unsafe) var model: Watched?
    deinit {
        if let model { log?.add("\(number) ends, \(model.value.number) is there") }
    }
}

private final class Watched: AbstractModel {
    var value: Reader
    var after = 0

    required init() {
        value = Reader(0)
        super.init()
        value.model = self
    }

    override func didMap() { value.model = nil }
}

/// A value whose deinitializer replaces the value that took its place.
private final class Writer: WatchingValue {
    unowned(unsafe) var model: Rewritten?
    deinit {
        log?.add("\(number) ends")
        if let model { model.value = Writer(77) }
    }
}

private final class Rewritten: AbstractModel {
    var value: Writer
    var after = 0

    required init() {
        value = Writer(0)
        super.init()
        value.model = self
    }
}

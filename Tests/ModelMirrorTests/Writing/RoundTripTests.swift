import Foundation
import ModelMirror
import Testing

/// The number of objects generated for each class.
private let rounds: Int = {
    #if DEBUG
    15
    #else
    150
    #endif
}()

// MARK: User-defined types

private enum Suit: String, RandomlyMade {
    case hearts, spades
    case odd = "\"odd\" \\ one\n"

    static func random(_ generator: inout SeededGenerator) -> Suit { generator.oneOf([.hearts, .spades, .odd]) }
}

private enum Level: Int8, CaseIterable, RandomlyMade {
    case low = -128, middle = 0, high = 127

    static func random(_ generator: inout SeededGenerator) -> Level { generator.oneOf(allCases) }
}

private struct Flags: OptionSet, Hashable, RandomlyMade {
    let rawValue: UInt16

    static func random(_ generator: inout SeededGenerator) -> Flags { Flags(rawValue: .random(&generator)) }
}

private struct Money: JSONConvertible, Hashable, RandomlyMade {
    let cents: Int

    init(cents: Int) { self.cents = cents }

    init(json: JSONValue) throws {
        guard let cents = json.object?["cents"]?.string.flatMap({ Int($0) }) else {
            throw ConversionError(expected: "cents")
        }
        self.cents = cents
    }

    func json() throws -> JSONValue { ["cents": .string(String(cents))] }

    static func random(_ generator: inout SeededGenerator) -> Money { Money(cents: .random(&generator)) }
}

private struct Place: Codable, Hashable, RandomlyMade {
    var latitude: Double
    var name: String?
    var tags: [String]

    static func random(_ generator: inout SeededGenerator) -> Place {
        // Foundation's decoder loses the sign of -0 and reads `1e+308` less exactly than we do.
        Place(
            latitude: Double(Int.random(in: -9000...9000, using: &generator)) / 64, name: .random(&generator),
            tags: .random(&generator))
    }
}

private struct Seed: InitializableWithDictionary, Encodable, Hashable, RandomlyMade {
    var id: Int

    init(id: Int) { self.id = id }

    init(dictionary: [String: Any]) throws { id = dictionary["id"] as? Int ?? 0 }

    static func random(_ generator: inout SeededGenerator) -> Seed { Seed(id: .random(&generator)) }
}

private final class Leaf: AbstractModel, ModelHashable, RandomlyMade {
    var name = ""
    var weight: Double?
    var next: Leaf?

    static func random(_ generator: inout SeededGenerator) -> Leaf {
        let leaf = Leaf()
        leaf.name = .random(&generator)
        leaf.weight = .random(&generator)
        if generator.happens(onceIn: 3) { leaf.next = .random(&generator) }
        return leaf
    }
}

private class Animal: AbstractModel, DynamicTypeModel, ModelHashable {
    var age = 0

    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self, "cat": Cat.self] }
}

private final class Dog: Animal { var name = "" }
private final class Cat: Animal { var lives: UInt8? }

/// A dynamic type, wrapped so that it can generate random values.
private class Pet: AbstractModel, ModelHashable, RandomlyMade {
    var animal: Animal?
    var all: [Animal] = []

    private static func animal(_ generator: inout SeededGenerator) -> Animal {
        let animal = generator.oneOf([Animal(), Dog(), Cat()])
        animal.age = .random(&generator)
        (animal as? Dog)?.name = .random(&generator)
        (animal as? Cat)?.lives = .random(&generator)
        return animal
    }

    static func random(_ generator: inout SeededGenerator) -> Self {
        let pet = Self()
        pet.animal = generator.happens(onceIn: 3) ? nil : animal(&generator)
        pet.all = (0..<Int.random(in: 0...3, using: &generator)).map { _ in animal(&generator) }
        return pet
    }
}

// MARK: Classes with properties of every shape

/// Every container of one type.
private class Shapes<Value: RandomlyMade & Hashable>: AbstractModel {
    var optional: Value?
    var array: [Value] = []
    var optionals: [Value?] = []
    var contiguous: ContiguousArray<Value> = []
    var set: Set<Value> = []
    var optionalSet: Set<Value>?
    var table: [String: Value] = [:]
    var tableOfOptionals: [String: Value?]? = nil
    var grid: [[Value]] = []
    var deep: [String: [[String: [Value?]]]] = [:]
    var sets: [Set<Value>] = []
    var setOfArrays: Set<[Value]> = []
    var nested: Shapes<Value>?

    func fill(_ generator: inout SeededGenerator, depth: Int = 0) {
        optional = .random(&generator)
        array = .random(&generator)
        optionals = .random(&generator)
        contiguous = .random(&generator)
        set = .random(&generator)
        optionalSet = .random(&generator)
        table = .random(&generator)
        tableOfOptionals = .random(&generator)
        grid = .random(&generator)
        if depth == 0 { deep = .random(&generator) }
        sets = .random(&generator)
        setOfArrays = .random(&generator)
        if depth < 2, generator.happens(onceIn: 2) {
            nested = Shapes()
            nested?.fill(&generator, depth: depth + 1)
        }
    }

    /// The names of properties that differ.
    func differences(from other: Shapes<Value>) -> [String] {
        var names: [String] = []
        func compare<Member: RandomlyMade>(_ name: String, _ member: (Shapes<Value>) -> Member) {
            if !member(self).isSame(as: member(other)) { names.append(name) }
        }
        compare("optional", \.optional)
        compare("array", \.array)
        compare("optionals", \.optionals)
        compare("contiguous", \.contiguous)
        compare("set", \.set)
        compare("optionalSet", \.optionalSet)
        compare("table", \.table)
        compare("tableOfOptionals", \.tableOfOptionals)
        compare("grid", \.grid)
        compare("deep", \.deep)
        compare("sets", \.sets)
        compare("setOfArrays", \.setOfArrays)
        switch (nested, other.nested) {
        case (let nested?, let others?): names += nested.differences(from: others).map { "nested." + $0 }
        case (nil, nil): break
        default: names.append("nested")
        }
        return names
    }
}

/// Dictionaries with one type of keys.
private class Keyed<Key: RandomlyMade & Hashable>: AbstractModel {
    var values: [Key: Int] = [:]
    var nested: [Key: [Key: String]]?
}

/// A property of every type, with keys and converters of all kinds.
private class Everything: AbstractModel {
    var string = ""
    var substring: Substring = ""
    var character: Character = "a"
    var int = 0, int8: Int8 = 0, int16: Int16 = 0, int32: Int32 = 0, int64: Int64 = 0, int128: Int128 = 0
    var uint: UInt = 0, uint8: UInt8 = 0, uint16: UInt16 = 0, uint32: UInt32 = 0, uint64: UInt64 = 0,
        uint128: UInt128 = 0
    var double = 0.0, float: Float = 0
    var bool = false
    var decimal: Decimal = 0
    var date = Date(timeIntervalSince1970: 0)
    var url: URL!
    var color = RGBAColor(red: 0, green: 0, blue: 0)
    var data = Data()
    var uuid = UUID()
    var zone = TimeZone.gmt
    var locale = Locale(identifier: "en")
    var suit = Suit.hearts
    var level = Level.low
    var flags: Flags = []
    var money = Money(cents: 0)
    var place = Place(latitude: 0, name: nil, tags: [])
    var seed = Seed(id: 0)
    var leaf = Leaf()
    var pet: Pet!
    var number: JSONNumber = 0
    var value: JSONValue = nil
    var any: Any = 0
    var table: [String: Any] = [:]
    var list: [Any]?
    // Other forms.
    var seconds = Date(timeIntervalSince1970: 0)
    var milliseconds: [Date?] = []
    var header: Date?
    var day = Date(timeIntervalSince1970: 0)
    var hex = Data()
    var argb: RGBAColor?
    var embedded: [Leaf]?
    var embeddedValue: JSONValue = [:]
    // Other keys.
    var fromPath = ""
    var besideIt: Int?
    var fromIndex: [Bool]? = nil
    var alias: Int?
    var `public` = false
    var nested: Everything?

    override class var propertyConverters: [String: any Converter] {
        [
            "seconds": .secondsSince1970, "milliseconds": .millisecondsSince1970, "header": .httpDate, "hex": .hex,
            "argb": .argbHex, "embedded": .embeddedJSON, "embeddedValue": .embeddedJSON,
        ]
    }
    override class var propertyDateFormats: [String: String] { ["day": "yyyy-MM-dd"] }
    override class var propertyKeys: [String: PropertyKey] {
        [
            "fromPath": .path("a \"b\"", "c", "d"), "besideIt": .path("a \"b\"", "e"),
            "fromIndex": .path("items", 2, "x"),
            "alias": ["first", "second"], "string": "", "int": "\u{1}\\",
        ]
    }

    func fill(_ generator: inout SeededGenerator, depth: Int = 0) {
        (string, substring, character) = (.random(&generator), .random(&generator), .random(&generator))
        (int, int8, int16) = (.random(&generator), .random(&generator), .random(&generator))
        (int32, int64, int128) = (.random(&generator), .random(&generator), .random(&generator))
        (uint, uint8, uint16) = (.random(&generator), .random(&generator), .random(&generator))
        (uint32, uint64, uint128) = (.random(&generator), .random(&generator), .random(&generator))
        (double, float, bool, decimal) = (
            .random(&generator), .random(&generator), .random(&generator), .random(&generator)
        )
        (date, url, color, data) = (.random(&generator), .random(&generator), .random(&generator), .random(&generator))
        (uuid, zone, locale) = (.random(&generator), .random(&generator), .random(&generator))
        (suit, level, flags) = (.random(&generator), .random(&generator), .random(&generator))
        (money, place, seed) = (.random(&generator), .random(&generator), .random(&generator))
        (leaf, pet) = (.random(&generator), .random(&generator))
        (number, value) = (.random(&generator), .random(&generator))
        // Plain values, with only numbers that are read back as Int or Double.
        func plain(_ value: JSONValue) -> Any { (try? JSONValue(any: value.any))?.any ?? JSONValue.null }
        let freeForm = JSONValue.random(&generator)
        any = freeForm.isNull ? 0 : plain(freeForm)
        table = [String: JSONValue].random(&generator).mapValues(plain)
        list = [JSONValue]?.random(&generator)?.map(plain)
        seconds = Date(
            timeIntervalSince1970: Double(Int.random(in: -1_000_000_000...9_000_000_000, using: &generator)) / 4)
        milliseconds = [Int32?].random(&generator).map { $0.map { Date(timeIntervalSince1970: Double($0) / 1000) } }
        header = Date(timeIntervalSince1970: Double(Int.random(in: -1_000_000_000...9_000_000_000, using: &generator)))
        day = Date(timeIntervalSince1970: 86_400 * Double(Int.random(in: -10_000...100_000, using: &generator)))
        (hex, argb, embedded) = (.random(&generator), .random(&generator), .random(&generator))
        embeddedValue = .random(&generator)
        (fromPath, besideIt, fromIndex) = (.random(&generator), .random(&generator), .random(&generator))
        (alias, `public`) = (.random(&generator), .random(&generator))
        if depth < 2, generator.happens(onceIn: 2) {
            nested = Everything()
            nested?.fill(&generator, depth: depth + 1)
        }
    }
}

private class Defaulted: AbstractModel {
    var count: Int? = 1
}

// MARK: Round trips

@Suite("Round trips")
struct RoundTripTests {
    private static let options: [WritingOptions] = [
        [], .pretty, .sortedKeys, .nulls, .escapedSlashes, [.pretty, .sortedKeys, .nulls, .escapedSlashes],
    ]

    /// Writes an object, reads it back strictly, and expects an equal object that is written as the same bytes.
    private func check<Model: AbstractModel>(_ object: Model, _ options: WritingOptions) throws -> Model {
        let data = try object.jsonData(options: options)
        let read = try Model.mapReporting(json: data, options: .strict).object
        let text = String(decoding: data, as: UTF8.self)
        #expect(read.isEqual(to: object) && object.isEqual(to: read), "\(text)")
        let again = try read.jsonData(options: options)
        #expect(again == data, "\(text)")
        return read
    }

    private func check<Value: RandomlyMade & Hashable>(shapesOf type: Value.Type) throws {
        var generator = SeededGenerator(seed: 22)
        for round in 0..<rounds {
            let shapes = Shapes<Value>()
            shapes.fill(&generator)
            let read = try check(shapes, Self.options[round % Self.options.count])
            #expect(read.differences(from: shapes) == [])
            // A changed object must not be equal, or the check above would prove nothing.
            if let first = shapes.array.first {
                read.array = shapes.array + [first]
                #expect(!read.isEqual(to: shapes))
            }
        }
    }

    private static let shapeChecks: [(name: String, check: @Sendable (RoundTripTests) throws -> Void)] = [
        ("String", { try $0.check(shapesOf: String.self) }), ("Substring", { try $0.check(shapesOf: Substring.self) }),
        ("Character", { try $0.check(shapesOf: Character.self) }), ("Int", { try $0.check(shapesOf: Int.self) }),
        ("Int8", { try $0.check(shapesOf: Int8.self) }), ("Int16", { try $0.check(shapesOf: Int16.self) }),
        ("Int32", { try $0.check(shapesOf: Int32.self) }), ("Int64", { try $0.check(shapesOf: Int64.self) }),
        ("Int128", { try $0.check(shapesOf: Int128.self) }), ("UInt", { try $0.check(shapesOf: UInt.self) }),
        ("UInt8", { try $0.check(shapesOf: UInt8.self) }), ("UInt16", { try $0.check(shapesOf: UInt16.self) }),
        ("UInt32", { try $0.check(shapesOf: UInt32.self) }), ("UInt64", { try $0.check(shapesOf: UInt64.self) }),
        ("UInt128", { try $0.check(shapesOf: UInt128.self) }), ("Double", { try $0.check(shapesOf: Double.self) }),
        ("Float", { try $0.check(shapesOf: Float.self) }), ("Bool", { try $0.check(shapesOf: Bool.self) }),
        ("Decimal", { try $0.check(shapesOf: Decimal.self) }), ("Date", { try $0.check(shapesOf: Date.self) }),
        ("URL", { try $0.check(shapesOf: URL.self) }), ("RGBAColor", { try $0.check(shapesOf: RGBAColor.self) }),
        ("Data", { try $0.check(shapesOf: Data.self) }), ("UUID", { try $0.check(shapesOf: UUID.self) }),
        ("TimeZone", { try $0.check(shapesOf: TimeZone.self) }), ("Locale", { try $0.check(shapesOf: Locale.self) }),
        ("String enum", { try $0.check(shapesOf: Suit.self) }), ("Int8 enum", { try $0.check(shapesOf: Level.self) }),
        ("OptionSet", { try $0.check(shapesOf: Flags.self) }),
        ("JSONConvertible", { try $0.check(shapesOf: Money.self) }),
        ("Codable", { try $0.check(shapesOf: Place.self) }),
        ("InitializableWithDictionary", { try $0.check(shapesOf: Seed.self) }),
        ("model", { try $0.check(shapesOf: Leaf.self) }), ("dynamic types", { try $0.check(shapesOf: Pet.self) }),
        ("JSONNumber", { try $0.check(shapesOf: JSONNumber.self) }),
        ("JSONValue", { try $0.check(shapesOf: JSONValue.self) }),
        ("array", { try $0.check(shapesOf: [Int].self) }),
        ("dictionary", { try $0.check(shapesOf: [String: Bool].self) }),
    ]

    @Test("Every type in every container round-trips", arguments: shapeChecks.indices)
    func shapes(number: Int) throws {
        try Self.shapeChecks[number].check(self)
    }

    private func check<Key: RandomlyMade & Hashable>(keysOf type: Key.Type) throws {
        var generator = SeededGenerator(seed: 23)
        for round in 0..<rounds {
            let keyed = Keyed<Key>()
            keyed.values = .random(&generator)
            keyed.nested = .random(&generator)
            let read = try check(keyed, Self.options[round % Self.options.count])
            #expect(read.values == keyed.values && read.nested == keyed.nested)
        }
    }

    @Test("Dictionaries with every type of key round-trip")
    func keys() throws {
        try check(keysOf: String.self)
        try check(keysOf: Int.self)
        try check(keysOf: Int8.self)
        try check(keysOf: Int16.self)
        try check(keysOf: Int32.self)
        try check(keysOf: Int64.self)
        try check(keysOf: Int128.self)
        try check(keysOf: UInt.self)
        try check(keysOf: UInt8.self)
        try check(keysOf: UInt16.self)
        try check(keysOf: UInt32.self)
        try check(keysOf: UInt64.self)
        try check(keysOf: UInt128.self)
        try check(keysOf: UUID.self)
        try check(keysOf: Suit.self)
        try check(keysOf: Level.self)
    }

    @Test("A model of all types, keys, converters and nesting round-trips")
    func everything() throws {
        var generator = SeededGenerator(seed: 24)
        for round in 0..<rounds * 10 {
            let object = Everything()
            object.fill(&generator)
            let read = try check(object, Self.options[round % Self.options.count])
            #expect(read.double.isSame(as: object.double) && read.float.isSame(as: object.float))
            #expect(read.string.isSame(as: object.string) && read.date == object.date && read.decimal == object.decimal)
            #expect(read.number.isSame(as: object.number) && read.value == object.value)
            #expect(read.leaf == object.leaf && read.pet == object.pet && read.leaf !== object.leaf)
            #expect(read.money == object.money && read.place == object.place && read.seed == object.seed)
            #expect(read.embedded == object.embedded && read.fromPath.isSame(as: object.fromPath))
        }
    }

    @Test("A deep copy and an object mapped from jsonValue() equal the original")
    func copies() throws {
        var generator = SeededGenerator(seed: 25)
        for _ in 0..<rounds * 4 {
            let object = Everything()
            object.fill(&generator)
            let copy = try object.copy()
            #expect(copy.isEqual(to: object) && copy !== object)
            let bytes = try object.jsonData()
            #expect(try copy.jsonData() == bytes)
            let made = try Everything(json: object.jsonValue(), options: .strict)
            // Numbers from a JSONValue may be written with other digits.
            made.number = object.number
            made.value = object.value
            (made.any, made.table, made.list) = (object.any, object.table, object.list)
            made.nested = object.nested
            #expect(made.isEqual(to: object))
        }
    }

    @Test("A nil in place of a default round-trips only if nulls are written")
    func defaults() throws {
        let object = Defaulted()
        object.count = nil
        #expect(try Defaulted(json: object.jsonData()).count == 1)
        #expect(try Defaulted(json: object.jsonData(options: .nulls)).count == nil)
    }

    @Test("Arrays and dictionaries of models round-trip")
    func collections() throws {
        var generator = SeededGenerator(seed: 26)
        for _ in 0..<rounds {
            let list = [Leaf].random(&generator)
            let data = try list.jsonData()
            #expect(try [Leaf](json: data, options: .strict) == list)
            #expect(try [Leaf](json: data, options: .strict).jsonData() == data)
            let members = [String: Leaf].random(&generator)
            let object = try members.jsonData(options: .pretty)
            #expect(try [String: Leaf](json: object, options: .strict) == members)
            #expect(try [String: Leaf](json: object, options: .strict).jsonData(options: .pretty) == object)
        }
    }

    @Test("Random JSONValues round-trip")
    func values() throws {
        var generator = SeededGenerator(seed: 27)
        for round in 0..<rounds * 20 {
            let value = JSONValue.random(&generator)
            let data = try value.jsonData(options: Self.options[round % Self.options.count])
            let isEqual = try JSONValue(json: data) == value
            #expect(isEqual)
            #expect(try JSONValue(json: data).jsonData(options: Self.options[round % Self.options.count]) == data)
        }
    }
}

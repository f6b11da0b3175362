import ModelMirror
import Testing

/// Classes of every shape: where they are declared, what they inherit, what they are generic over, how large they are.
@Suite("Class shapes")
struct ClassShapeTests {
    @Test("A private class is mapped with properties of all access levels")
    func accessLevels() throws {
        let model = try Access(
            json: #"{"open": 1, "hidden": 2, "shared": 3, "settable": 4, "inner": 5, "everyone": 6, "unchecked": 7}"#)
        #expect(model.sum == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test("Classes in functions, in other types and in generic types are mapped")
    func nestedClasses() throws {
        final class Local: AbstractModel {
            var number = 0
            var inner: Inner?
            final class Inner: AbstractModel { var number = 0 }
        }
        let local = try Local(json: #"{"number": 1, "inner": {"number": 2}}"#)
        #expect((local.number, local.inner?.number) == (1, 2))
        #expect(
            Thrown.text { try Local(json: #"{"number": "x"}"#, options: .strict) }
                == "Local.number at $.number (line 1, column 12): expected an integer, found the string \"x\".")

        #expect(try Outer.Middle.Innermost(json: #"{"number": 3}"#).number == 3)
        let text = try GenericOuter<String>.Nested(json: #"{"number": 4, "value": "y", "after": 5}"#)
        #expect((text.number, text.value, text.after) == (4, "y", 5))
        let wide = try GenericOuter<Double>.Nested(json: #"{"number": 4, "value": 2.5, "after": 5}"#)
        #expect((wide.number, wide.value, wide.after) == (4, 2.5, 5))
    }

    @Test("A generic class is mapped with its own fields for each type argument")
    func generic() throws {
        let numbers = try Page<Int>(
            json: #"{"before": 1, "first": 2, "items": [3, 4], "lookup": {"a": 5}, "after": 6}"#)
        #expect((numbers.before, numbers.first, numbers.items, numbers.lookup) == (1, 2, [3, 4], ["a": 5]))
        #expect(numbers.after == 6)
        let bytes = try Page<UInt8>(json: #"{"first": 300, "items": [3, 300], "after": 6}"#)
        #expect((bytes.first, bytes.items, bytes.after) == (nil, [3], 6))
        let models = try Page<Leaf>(json: #"{"first": {"number": 1}, "items": [{"number": 2}], "after": 6}"#)
        #expect((models.first?.number, models.items.map(\.number), models.after) == (1, [2], 6))
        let pages = try Page<Page<String>>(json: #"{"first": {"first": "x"}, "items": [{"items": ["y"]}], "after": 6}"#)
        #expect((pages.first?.first, pages.items[0].items, pages.after) == ("x", ["y"], 6))
    }

    @Test("A generic class can store its type argument without an Optional")
    func genericValue() throws {
        let small = try Pair<Bool, UInt16>(json: #"{"first": true, "second": 2, "last": 3}"#)
        #expect((small.first, small.second, small.last) == (true, 2, 3))
        let large = try Pair<String, [Int]>(json: #"{"first": "a", "second": [2], "last": 3}"#)
        #expect((large.first, large.second, large.last) == ("a", [2], 3))
    }

    @Test("A subclass of a specialized generic class maps the inherited fields")
    func inheritedGeneric() throws {
        let model = try IntegerPage(
            json: #"{"before": 1, "first": 2, "items": [3], "lookup": {"k": 4}, "after": 5, "own": 6, "more": "m"}"#)
        #expect((model.before, model.first, model.items, model.lookup, model.after) == (1, 2, [3], ["k": 4], 5))
        #expect((model.own, model.more) == (6, "m"))
    }

    @Test("A generic subclass of a generic class maps the fields of both classes")
    func genericSubclass() throws {
        let model = try Keyed<UInt8, String>(json: #"{"before": 1, "items": ["x"], "after": 2, "key": 3, "end": 4}"#)
        #expect((model.before, model.items, model.after, model.key, model.end) == (1, ["x"], 2, 3, 4))
        let deep = try Deep<Int>(json: #"{"before": 1, "items": [{"number": 7}], "key": "k", "end": 4, "own": [5]}"#)
        #expect((deep.before, deep.items.map(\.number), deep.key, deep.end, deep.own) == (1, [7], "k", 4, [5]))
    }

    @Test("Messages name generic classes with their type arguments")
    func genericNames() throws {
        #expect(
            Thrown.text { try Page<Int>(json: #"{"after": "x"}"#, options: .strict) }
                == "Page<Int>.after at $.after (line 1, column 11): expected an integer from 0 to 255, found the string \"x\"."
        )
        #expect(
            try Refusal.sentence(of: Page<any Hidden>.self) == nil)
        #expect(
            Thrown.text { try Page<any Hidden>(json: #"{"first": 1}"#) }
                == "Page<Hidden> cannot be mapped: nothing converts its property first of type Hidden?; declare it as Any? or JSONValue?, give it a converter in "
                + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                + "assign(undefinedValue:forProperty:), or name it in ignoredProperties.")
    }

    @Test("A class that is generic over a parameter pack is mapped")
    func variadic() throws {
        let model = try Variadic<Int, String>(json: #"{"before": 1, "after": 2}"#)
        #expect((model.before, model.counts, model.after) == (1, [0, 0], 2))
    }

    @Test("Properties of ten levels of inheritance are mapped, superclass first")
    func deepInheritance() throws {
        let (model, report) = try Level9.mapReporting(json: "{}")
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "missing $.a", "missing $.b", "missing $.c", "missing $.d", "missing $.e", "missing $.f",
            ])
        #expect(report.entries.allSatisfy { $0.model == "Level9" })
        #expect(model.f == 0)
        let filled = try Level9(json: #"{"f": 6, "e": "5", "d": 4, "c": true, "b": 2, "a": 1}"#)
        #expect((filled.a, filled.b, filled.c, filled.d, filled.e, filled.f) == (1, 2, true, 4, "5", 6))
    }

    @Test("Private properties with the same name in a class and its superclass make it invalid")
    func equalNames() throws {
        #expect(
            try Refusal.sentence(of: Shadowing.self)
                == "Shadowing cannot be mapped: two classes of its chain have a property number, and no rule can tell them apart; rename "
                + "one, or ignore both.")
    }

    @Test("Properties with the same name in a class and its superclass can be ignored")
    func equalNamesIgnored() throws {
        #expect(try ShadowingIgnored(json: #"{"number": 5, "shown": 6}"#).numbers == [1, 2, 6])
    }

    @Test("Directly and mutually recursive classes are mapped")
    func recursive() throws {
        let model = try Tree(
            json: """
                {"number": 1, "left": {"number": 2}, "children": [{"number": 3, "children": [{"number": 4}]}],
                "named": {"x": {"number": 5}}, "forest": {"trees": [{"number": 6, "forest": {"trees": []}}]}}
                """)
        #expect((model.number, model.left?.number, model.children[0].children[0].number) == (1, 2, 4))
        #expect((model.named["x"]?.number, model.forest?.trees[0].number) == (5, 6))
        #expect(model.forest?.trees[0].forest?.trees.count == 0)
    }

    @Test("Sendable, Identifiable and Hashable models are mapped by their fields")
    func conformances() throws {
        let model = try Conforming(json: #"{"id": "1", "number": 2}"#)
        #expect((model.id, model.number) == ("1", 2))
    }

    @Test("A class without stored properties is mapped and written")
    func empty() throws {
        for model in [Empty.self, EmptyBelowEmpty.self, FullBelowEmpty.self, EmptyBelowFull.self]
            as [AbstractModel.Type]
        {
            #expect(try Refusal.sentence(of: model) == nil)
        }
        let (wire, report) = try Wire.mapReporting(json: #"{"e": {}, "list": [{"at": 1}, {}]}"#)
        #expect(wire.list.count == 2)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.list[0].at"])
        #expect(try wire.copy().isEqual(to: wire))
        #expect(try wire.jsonString() == #"{"e":{},"list":[{},{}]}"#)
        #expect(try FullBelowEmpty(json: #"{"number": 3}"#).number == 3)
    }
}

// MARK: Models

private final class Access: AbstractModel {
    var `open` = 0
    private var hidden = 0
    fileprivate var shared = 0
    private(set) var settable = 0
    internal var inner = 0
    /// As public as anything in a private class.
    public var everyone = 0
    nonisolated(unsafe) var unchecked = 0
    var sum: [Int] { [`open`, hidden, shared, settable, inner, everyone, unchecked] }
}

private enum Outer {
    struct Middle {
        final class Innermost: AbstractModel { var number = 0 }
    }
}

private struct GenericOuter<Value> {
    final class Nested: AbstractModel {
        var number: UInt8 = 0
        var value: Value?
        var after: UInt8 = 0
    }
}

private final class Leaf: AbstractModel { var number = 0 }

private protocol Hidden {}

private class Page<Item>: AbstractModel {
    var before: UInt8 = 0
    var first: Item?
    var items: [Item] = []
    var lookup: [String: Item] = [:]
    var after: UInt8 = 0
}

private final class IntegerPage: Page<Int> {
    var own: UInt8 = 0
    var more = ""
}

private class Keyed<Key, Item>: Page<Item> {
    var key: Key?
    var end: UInt8 = 0
}

private final class Deep<Own>: Keyed<String, Leaf> {
    var own: [Own] = []
}

private protocol Startable {
    init()
}
extension Bool: Startable {}
extension UInt16: Startable {}
extension String: Startable {}
extension Array: Startable {}

private final class Pair<First: Startable, Second: Startable>: AbstractModel {
    var first = First()
    var second = Second()
    var last: UInt8 = 0
}

private final class Variadic<each Value>: AbstractModel {
    var before = 0
    var values: (repeat [each Value])
    var after = 0
    var counts: [Int] {
        var counts: [Int] = []
        repeat counts.append((each values).count)
        return counts
    }
    required init() {
        values = (repeat [each Value]())
        super.init()
    }
}

private class Level0: AbstractModel { var a: UInt8 = 0 }
private class Level1: Level0 {}
private class Level2: Level1 { var b: UInt64 = 0 }
private class Level3: Level2 { var c = false }
private class Level4: Level3 {}
private class Level5: Level4 {}
private class Level6: Level5 { var d: UInt8 = 0 }
private class Level7: Level6 { var e = "" }
private class Level8: Level7 {}
private final class Level9: Level8 { var f = 0 }

private class Shadowed: AbstractModel {
    private var number = 1
}
private final class Shadowing: Shadowed {
    private var number = 2
}

private class Hiding: AbstractModel {
    private var number = 1
    var outer: Int { number }
}
private final class ShadowingIgnored: Hiding {
    private var number = 2
    var shown = 0
    override class var ignoredProperties: Set<String> { ["number"] }
    var numbers: [Int] { [outer, number, shown] }
}

private final class Tree: AbstractModel {
    var number = 0
    var left: Tree?
    var children: [Tree] = []
    var named: [String: Tree] = [:]
    var forest: Forest?
}

private final class Forest: AbstractModel {
    var trees: [Tree] = []
}

private final class Conforming: AbstractModel, @unchecked Sendable, Identifiable, Hashable {
    var id = ""
    var number = 0
    static func == (one: Conforming, other: Conforming) -> Bool { one.id == other.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

private class Empty: AbstractModel {}
private final class EmptyBelowEmpty: Empty {}
private final class FullBelowEmpty: Empty { var number = 1 }
private final class EmptyBelowFull: Level0 {}
private final class Wire: AbstractModel {
    var e = Empty()
    var list: [Empty] = []
}

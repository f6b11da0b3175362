import Testing

@testable import ModelMirror

/// A class cluster: an initializer in a protocol extension may return an object of another class.
private protocol Cluster {
    static func member() -> Any
}

extension Cluster {
    init(making member: Int) { self = Self.member() as! Self }
}

private class Shape: AbstractModel, Cluster {
    /// The objects that the next initializers return.
    nonisolated(unsafe) static var next: [Shape] = []
    var name = ""

    init(itself: Void) { super.init() }
    required convenience init() { self.init(making: 0) }

    class func member() -> Any { Shape.next.isEmpty ? Shape(itself: ()) : Shape.next.removeFirst() }
}

/// Has a property beyond the end of a `Shape`.
private class Round: Shape {
    var radius = 1.5
    override class func member() -> Any { Round(itself: ()) }
}

private class Figure: AbstractModel {
    var title = "figure"
    var count = 7
    required init() {}
}

/// Its mirror claims that it is a structure.
@propertyWrapper private final class Disguised: CustomReflectable {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    var customMirror: Mirror { Mirror(self, children: ["wrappedValue": wrappedValue], displayStyle: .struct) }
}
@propertyWrapper private enum DisguisedEnum: CustomReflectable {
    case wrappedValue(Int)
    init(wrappedValue: Int) { self = .wrappedValue(wrappedValue) }
    var wrappedValue: Int {
        get { if case .wrappedValue(let value) = self { value } else { 0 } }
        set { self = .wrappedValue(newValue) }
    }
    var customMirror: Mirror { Mirror(self, children: ["wrappedValue": wrappedValue], displayStyle: .struct) }
}

private class Boxes: AbstractModel {
    @Disguised var number = 0
    var canaries = [7, 0, 9]
    var canary = 0
}
private class EnumBoxes: AbstractModel {
    @DisguisedEnum var number = 0
    var canary = 0
}

private protocol Formatter { func text() -> String }
private struct PlainFormatter: Formatter { func text() -> String { "plain" } }

private class Formatting: AbstractModel {
    var id = 0
    private var _formatter: any Formatter = PlainFormatter()
    private var _any: Any = PlainFormatter()
    private var _error: any Error = CancellationError()
    var formatter: any Formatter { _formatter }
}

private class Occurrence: AbstractModel {
    enum `Type`: String, Codable { case opened, closed }
    var id = 0
    var type: Occurrence.`Type` = .opened
    var other: Occurrence.`Type`?
}

private class Prepared: AbstractModel {
    var count = 1
    var name = ""
    required init() {
        super.init()
        _ = try? update(json: #"{"name":"default"}"#)
        _ = try? assign(rawValue: 7, toProperty: "count")
        _ = try? merge(patch: #"{"name":"merged"}"#)
    }
}

private class Assigned: AbstractModel {
    var count = 1
    required init() {
        super.init()
        _ = try? assign(rawValue: 7, toProperty: "count")
    }
}
private class Filled: AbstractModel {
    var count = 1
    required init() {
        super.init()
        _ = try? update(dictionary: ["count": 8])
    }
}

/// Tuples of what the arguments are: a single one is no tuple.
private final class Pack<each Value>: AbstractModel {
    var before = 1
    var values: (repeat (each Value)?)
    var after = 2
    required init() {
        values = (repeat (nil as (each Value)?))
        super.init()
    }
}

/// Updates, writes and copies itself while it ends, with the properties of its subclass.
private class Ending: AbstractModel {
    nonisolated(unsafe) static var lines: [String] = []
    var text = "a text that is longer than fifteen bytes"
    var isCopy = false
    deinit {
        guard !isCopy else { return }
        do {
            try update(
                json: #"{"text":"another text of more than fifteen bytes","tail":["another one of more than fifteen"]}"#
            )
            let copy = try copy()
            copy.isCopy = true
            Ending.lines.append("\(try jsonString()) \(copy.isEqual(to: self))")
        } catch {
            Ending.lines.append("\(error)")
        }
    }
    override class var ignoredProperties: Set<String> { ["isCopy"] }
}
private final class EndingSubclass: Ending {
    var tail = ["an element that is longer than fifteen bytes"]
}

/// Its values, hooks and elements change the object that they are read for.
private final class Restless: AbstractModel {
    nonisolated(unsafe) static weak var current: Restless?
    var text = "a text that is longer than fifteen bytes"
    var value = Meddler()
    var meddlers: Set<Meddler> = []
    var items: [Item] = [Item(), Item()]
    var named = ["a": Item()]
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        items.removeAll()
        _ = try? update(json: #"{"text":"from the hook, of more than fifteen bytes","named":{"b":{}}}"#)
        return false
    }
    static func meddle() {
        current?.items = []
        current?.named.removeAll()
        _ = try? current?.update(json: #"{"text":"from a value, of more than fifteen bytes","meddlers":[]}"#)
        _ = try? current?.copy()
    }

    final class Item: AbstractModel {
        var number = 0
        var items: [Item] = []
        override func didMap() throws {
            Restless.meddle()
            if number == 13 { throw CancellationError() }
        }
    }

    struct Meddler: Codable, Hashable {
        var number = 0
        init() {}
        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            Restless.meddle()
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
        static func == (one: Meddler, other: Meddler) -> Bool {
            Restless.current?.items = []
            return one.number == other.number
        }
        func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
}

/// Its initializer makes no object.
private final class Single: AbstractModel, Cluster {
    nonisolated(unsafe) static let only = Single(itself: ())
    var text = ""
    var list: [String] = []
    var child: Single?
    init(itself: Void) { super.init() }
    required convenience init() { self.init(making: 0) }
    static func member() -> Any { only }
}

private class Varying: AbstractModel, DynamicTypeModel {
    nonisolated(unsafe) static var isAsked = false
    var kind = ""
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] {
        defer { Varying.isAsked = true }
        return Varying.isAsked ? ["x": Figure.self] : ["x": VaryingSubclass.self]
    }
}
private final class VaryingSubclass: Varying { var more = "" }

@Suite("Soundness")
struct SoundnessTests {
    @Test("A wrapper whose mirror claims that it is a structure is never written")
    func disguisedWrappers() throws {
        let boxes = #expect(throws: ModelError.self) { try Boxes(json: #"{"number":123456}"#) }
        #expect(
            "\(try #require(boxes))".hasPrefix(
                "Boxes cannot be mapped: _number looks like the storage of a property wrapper, and its type Disguised ")
        )
        let enums = try EnumBoxes(json: #"{"number":123456,"canary":3}"#)
        #expect(enums.number == 0 && enums.canary == 3)
    }

    @Test("An existential property with a leading underscore is not mistaken for a wrapper")
    func existentials() throws {
        let formatting = try Formatting(json: #"{"id":1}"#)
        #expect(formatting.id == 1 && formatting.formatter.text() == "plain")
    }

    @Test("An enum named Type is not mistaken for a metatype")
    func typesCalledType() throws {
        let occurrence = try Occurrence(json: #"{"id":1,"type":"closed","other":"closed"}"#, options: .strict)
        #expect(occurrence.type == .closed && occurrence.other == .closed)
        #expect(try occurrence.jsonString() == #"{"id":1,"type":"closed","other":"closed"}"#)
    }

    @Test("An object can be updated in its own initializer")
    func updatesInInit() throws {
        let prepared = try Prepared(json: #"{"count":2}"#)
        #expect(prepared.count == 2 && prepared.name == "merged")
        #expect(Prepared().count == 7 && Assigned().count == 7 && Filled().count == 8)
    }

    @Test("A table belongs to the object's own class, whatever its initializer returns")
    func tables() throws {
        let reference = TableReference()
        let plain = Shape(itself: ())
        let round = Round(itself: ())
        #expect(try reference.table(for: round, madeAs: Round.self).model == Round.self)
        #expect(try reference.table(for: Round(itself: ()), madeAs: Shape.self).model == Round.self)
        // The reference has cached the table of another class.
        #expect(throws: InvalidModel.self) { try reference.table(for: plain, madeAs: Round.self) }
        #expect(throws: InvalidModel.self) { try reference.table(for: Figure(), madeAs: Shape.self) }
        #expect(try reference.table(for: plain, madeAs: Shape.self).model == Shape.self)
    }

    @Test("An array of a class cluster is mapped with the tables of its objects' own classes")
    func cluster() throws {
        // Building their tables creates objects of its own.
        _ = try Round(itself: ()).copy().isEqual(to: Shape(itself: ()).copy())
        _ = try [Shape](json: "[{}]")
        Shape.next = [Round(itself: ()), Round(itself: ()), Shape(itself: ()), Round(itself: ())]
        let (shapes, report) = try JSONMapper.mapReporting(
            [Shape].self, from: #"[{"radius":1},{"radius":2},{"radius":3,"name":"x"},{"radius":4}]"#)
        #expect(shapes.map { ($0 as? Round)?.radius } == [1, 2, nil, 4])
        #expect(shapes[2].name == "x")
        #expect(report.entries.filter { $0.kind == .unknownKey }.map { "\($0.path)" } == ["$[2].radius"])
        Shape.next = [Round(itself: ())]
        #expect(throws: ModelError.self) { try shapes[2].copy() }
        Shape.next = []
    }

    @Test("A property of a pack has the type of its arguments")
    func packs() throws {
        let json = #"{"before":3,"values":7,"after":4}"#
        let number = try Pack<Int>(json: json)
        let value: Int? = number.values
        #expect(value == 7 && number.before == 3 && number.after == 4)
        let function = try Pack<() -> Int>(json: json)
        #expect(function.before == 3 && function.after == 4)
        let none: Pack<> = try Pack(json: json)
        #expect(none.before == 3 && none.after == 4)
        let pair = #expect(throws: ModelError.self) { try Pack<Int, String>(json: json) }
        #expect("\(try #require(pair))".contains("property values of type (Optional<Int>, Optional<String>)"))
    }

    @Test("An object can be updated, written and copied in its deinit, also in that of a superclass")
    func endingObjects() {
        Ending.lines = []
        _ = Ending()
        _ = EndingSubclass()
        #expect(
            Ending.lines == [
                #"{"text":"another text of more than fifteen bytes"} true"#,
                #"{"text":"another text of more than fifteen bytes","tail":["another one of more than fifteen"]} true"#,
            ])
    }

    @Test("Values, hooks and elements can change the object that is being mapped")
    func changingObjects() throws {
        let json = """
            {"text":5,"items":[{"number":1,"items":[{"number":2},{"number":13}]},{"number":13},5],"named":{"a":{"number":1}},
            "value":4,"meddlers":[1,2,3,4,5,6,7,8,9],"items":[{"number":3}]}
            """
        // Not as arguments, since cases that run at once would change the object of each other.
        for options in [MappingOptions(), MappingOptions(updatesNestedInPlace: true), .strict] {
            let object = Restless()
            Restless.current = object
            for _ in 0..<5 {
                object.items = [Restless.Item(), Restless.Item()]
                _ = try? object.update(json: json, options: options)
                object.items = [Restless.Item(), Restless.Item()]
                _ = try? object.merge(patch: json, options: options)
                _ = try? Restless(json: json, options: options)
            }
            Restless.current = nil
            #expect(try object.copy().isEqual(to: object) && object.text.hasSuffix("fifteen bytes"))
        }
    }

    @Test("Mapping fills the one object that an initializer always returns")
    func oneObject() throws {
        let all = try [Single](json: #"[{"text":"a","list":["x"]},{"child":{"text":"b"}},{"list":["y"]}]"#)
        #expect(all.allSatisfy { $0 === Single.only } && all.count == 3)
        #expect(Single.only.child === Single.only && Single.only.text == "b" && Single.only.list == ["y"])
        let copy = try Single.only.copy()
        #expect(copy === Single.only && copy.text == "b")
        try copy.update(
            json: #"{"child":{"text":"c"},"text":"d"}"#, options: MappingOptions(updatesNestedInPlace: true))
        #expect(copy.text == "d")
        Single.only.child = nil
    }

    @Test("A class whose type names change between calls creates no object of an unrelated class")
    func varyingTypes() throws {
        let error = #expect(throws: ModelError.self) { try [Varying](json: #"[{"kind":"x"},{"kind":"x"}]"#) }
        #expect(
            "\(try #require(error))"
                == #"VaryingSubclass cannot be mapped: dynamicTypes gives "x" the class Figure, which is not a subclass of "#
                + "VaryingSubclass.")
    }
}

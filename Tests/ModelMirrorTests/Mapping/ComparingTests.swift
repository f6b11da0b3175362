import Foundation
import ModelMirror
import Testing

private class Node: AbstractModel, ModelHashable {
    var id = 0
    var list: [Node] = []
    var table: [String: Node] = [:]
    var set: Set<Node> = []
    var next: Node?
    var note: String?
    var cache = 0
    override class var ignoredProperties: Set<String> { ["cache"] }

    convenience init(_ id: Int, next: Node? = nil) {
        self.init()
        (self.id, self.next) = (id, next)
    }
}

private final class Leaf: Node { var color = "green" }

private final class ByID: AbstractModel {
    var id = 0
    var name = ""
    override func isEqual(to other: AbstractModel) -> Bool { (other as? ByID)?.id == id }
    override func copy() throws(ModelError) -> Self {
        let copy = try super.copy()
        copy.name += " (copy)"
        return copy
    }
}

private struct Opaque { var id = 0 }
private final class Mark {}
private final class Opaques: AbstractModel, ModelHashable {
    var list: [Opaque] = []
    var byName: [String: Opaque] = [:]
    var optional: [Opaque]?
    var maybe: [Opaque?] = [nil]
    var one: Opaque?
    var marks: [Mark] = []
    var id = 0
}

private class Ping: AbstractModel, ModelHashable {}
private final class Pings: AbstractModel {
    var byName: [String: Ping] = [:]
    var last: Ping?
}

/// Defines `==` and `hash(into:)` by one property only.
private final class Named: AbstractModel, Hashable {
    var id = 0
    var seen = 0
    static func == (left: Named, right: Named) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
private final class Around: AbstractModel, ModelHashable {
    var set: Set<Named> = []
    var optional: Named?
    var nested: [String: [Named?]] = [:]
}

/// Defines `==` by one property only, and leaves `hash(into:)` to `ModelHashable`.
private final class Numbered: AbstractModel, ModelHashable {
    var id = 0
    var seen = 0
    static func == (left: Numbered, right: Numbered) -> Bool { left.id == right.id }
}
private final class Numbers: AbstractModel {
    var one = Numbered()
    var many: [Numbered] = []
    var byName: [String: Numbered] = [:]
}

private final class Part: AbstractModel { var size = 0 }
private struct Wrapped { var part: Part }
private struct RawPart: RawRepresentable { var rawValue: Part }
private final class Wrapping: AbstractModel, ModelHashable {
    var wrapped = Wrapped(part: Part())
    var raw = RawPart(rawValue: Part())
    var list: [RawPart] = []
    override class var propertyConverters: [String: any Converter] {
        ["wrapped": AnyConverter<Wrapped>.converting(Part.self, { Wrapped(part: $0) }, back: { $0.part })]
    }
}

/// Copies another object whenever it is made.
private final class Stamped: AbstractModel {
    nonisolated(unsafe) static let template = Node(1, next: Node(2))
    let own: Node?
    var shared: Node?
    var parts: [Stamped] = []

    required init() {
        own = try? Stamped.template.copy()
        super.init()
    }
}

@Suite("Equality, copies and hashes of models")
struct ComparingTests {
    @Test("Collections of a non-Equatable type are equal if empty or holding identical objects")
    func opaque() throws {
        let (one, two) = (Opaques(), Opaques())
        #expect(one == two && one.hashValue == two.hashValue && Set([one, two]).count == 1)
        #expect(try one.copy() == one)
        two.one = Opaque()
        #expect(one != two)
        two.one = nil
        (one.optional, two.optional) = ([], [])
        (one.marks, two.marks) = ([Mark()], [Mark()])
        #expect(one != two)
        two.marks = one.marks
        #expect(one == two)
        let copy = try one.copy()
        #expect(copy == one && copy.marks[0] === one.marks[0])
        two.optional = nil
        #expect(one != two)
        two.optional = []
        two.byName = ["a": Opaque()]
        #expect(one != two)
        two.byName = [:]
        two.maybe = []
        #expect(one != two)
        // Their elements cannot be compared, so the collections count as different.
        (one.list, two.list, two.maybe) = ([Opaque()], [Opaque()], [nil])
        #expect(one != two)
    }

    @Test("Values made of models by a converter or as a raw value are equal if the models are")
    func wrapped() throws {
        let json = #"{"wrapped": {"size": 1}, "raw": {"size": 2}, "list": [{"size": 3}]}"#
        let one = try Wrapping(json: json)
        #expect(try one == Wrapping(json: json) && one == one.copy())
        #expect(try Set([one, Wrapping(json: json)]).count == 1)
        for change in [#"{"wrapped": {}}"#, #"{"raw": {"size": 4}}"#, #"{"list": [{"size": 4}]}"#] {
            let two = try Wrapping(json: json)
            try two.update(json: change)
            #expect(one != two)
        }
    }

    @Test("Objects of a class without properties compare equal and are copied, mapped and patched")
    func empty() throws {
        #expect(Set([Ping(), Ping()]).count == 1)
        let ping = Ping()
        #expect(try ping.copy() == ping && ping.copy() !== ping)
        let pings = try Pings(json: #"{"byName": {"a": {}}, "last": {"at": 1}}"#)
        #expect(pings.byName["a"] == Ping() && pings.last == Ping())
        let before = try pings.copy()
        #expect(before.isEqual(to: pings))
        try pings.update(json: #"{"last": null}"#)
        #expect(try pings.mergePatch(since: before) == ["last": nil])
        try pings.merge(patch: #"{"byName": {"b": {}}, "last": {}}"#)
        #expect(pings.byName.keys.sorted() == ["a", "b"] && pings.last != nil)
    }

    @Test("Custom == and hash of a nested class are used in sets, Optionals and collections")
    func ownEquality() {
        func named(_ id: Int, seen: Int) -> Named {
            let named = Named()
            (named.id, named.seen) = (id, seen)
            return named
        }
        let (one, two) = (Around(), Around())
        (one.set, two.set) = ([named(1, seen: 1), named(2, seen: 1)], [named(2, seen: 2), named(1, seen: 3)])
        (one.optional, two.optional) = (named(3, seen: 1), named(3, seen: 2))
        (one.nested, two.nested) = (["a": [named(4, seen: 1), nil]], ["a": [named(4, seen: 2), nil]])
        #expect(one == two && one.hashValue == two.hashValue)
        two.optional = named(4, seen: 1)
        #expect(one != two)
        two.optional = named(3, seen: 1)
        two.set = [named(1, seen: 1)]
        #expect(one != two)
    }

    @Test("Custom == of a nested ModelHashable class is used for plain properties and in collections")
    func ownEqualityOfModelHashable() throws {
        let (one, two) = (Numbers(), Numbers())
        one.one.seen = 1
        one.many = [Numbered()]
        two.many = [Numbered()]
        two.many[0].seen = 2
        two.byName = ["a": Numbered()]
        one.byName = ["a": Numbered()]
        one.byName["a"]?.seen = 5
        #expect(one.isEqual(to: two))
        two.one.id = 1
        #expect(!one.isEqual(to: two))
    }

    @Test("Objects are equal if all their properties, including nested models, are equal")
    func equality() {
        let (one, two) = (Node(1, next: Node(2)), Node(1, next: Node(2)))
        #expect(one.isEqual(to: two) && one == two && one.hashValue == two.hashValue)
        two.next?.note = "x"
        #expect(one != two)
        two.next?.note = nil
        two.list = [Node(3)]
        #expect(one != two)
        one.list = [Node(3)]
        #expect(one == two)
        one.table = ["a": Node(4)]
        two.table = ["b": Node(4)]
        #expect(one != two)
    }

    @Test("Equality excludes ignored properties; a subclass never equals its superclass")
    func exceptions() {
        let (one, two) = (Node(1), Node(1))
        two.cache = 7
        #expect(one == two)
        #expect(!Node(1).isEqual(to: Leaf(1)) && !Leaf(1).isEqual(to: Node(1)))
        #expect(Set([one, two, Node(2)]).count == 2)
    }

    @Test("Comparing cyclic graphs terminates and finds equal structure")
    func cycles() {
        func ring(_ ids: [Int]) -> Node {
            let nodes = ids.map { Node($0) }
            for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % nodes.count] }
            return nodes[0]
        }
        let rings = [ring([1, 2, 3]), ring([1, 2, 3]), ring([1, 2, 4])]
        #expect(rings[0] == rings[1])
        #expect(rings[0] != rings[2])
        for start in rings { cut(start) }
    }

    /// Breaks the cycle, so that its objects are released.
    private func cut(_ start: Node) { start.next = nil }

    @Test("Graphs with heavily shared objects are compared in linear time")
    func shared() {
        func ladder() -> Node { (1...60).reduce(Node(0)) { below, id in Node(id, sharing: below) } }
        #expect(ladder() == ladder())
    }

    @Test("A copy is deep: it equals the original and shares no nested model with it")
    func copy() throws {
        let original = Node(1, next: Node(2))
        original.list = [Node(3)]
        original.table = ["a": Node(4)]
        original.set = [Node(5)]
        original.cache = 7
        let copy = try original.copy()
        #expect(copy == original && copy !== original)
        #expect(copy.next !== original.next && copy.list[0] !== original.list[0])
        #expect(copy.table["a"] !== original.table["a"] && copy.set.first !== original.set.first)
        #expect(copy.cache == 7)
        copy.next?.id = 9
        #expect(original.next?.id == 2)
    }

    @Test("A copy keeps the dynamic class, shared references and cycles")
    func shapeOfCopies() throws {
        let leaf = Leaf(1)
        leaf.color = "red"
        let shared = Node(2)
        let node: Node = leaf
        node.list = [shared, shared]
        node.next = node
        let copy = try node.copy()
        #expect((copy as? Leaf)?.color == "red")
        #expect(copy.list[0] === copy.list[1] && copy.list[0] !== shared)
        #expect(copy.next === copy)
        (copy.next, node.next) = (nil, nil)
    }

    @Test("Copies made by an initializer are independent of the copy in progress")
    func copiesOfInitializers() throws {
        let original = Stamped()
        original.parts = [Stamped(), Stamped()]
        for stamped in [original] + original.parts { stamped.shared = Stamped.template }
        let copy = try original.copy()
        let all = [copy] + copy.parts
        #expect(all.map { $0.shared === copy.shared } == [true, true, true] && copy.shared !== Stamped.template)
        // Each object has its own copy, which the copy of the object around neither takes nor changes.
        let copies =
            all.compactMap(\.own) + all.compactMap { $0.own?.next }
            + [copy.shared, copy.shared?.next].compactMap(\.self)
        #expect(copies.map(\.id) == [1, 1, 1, 2, 2, 2, 1, 2])
        #expect(Set(copies.map(ObjectIdentifier.init)).count == 8)
    }

    @Test("Overridden isEqual(to:) and copy() are used for nested objects")
    func overriding() throws {
        final class Holder: AbstractModel { var item: ByID? }
        let (one, two) = (ByID(), ByID())
        (one.name, two.name) = ("a", "b")
        let (left, right) = (Holder(), Holder())
        (left.item, right.item) = (one, two)
        #expect(left.isEqual(to: right))
        #expect(try left.copy().item?.name == "a (copy)")
    }
}

extension Node {
    fileprivate convenience init(_ id: Int, sharing node: Node) {
        self.init(id)
        list = [node, node]
    }
}

@Suite("Copies with changes")
struct ChangedCopyTests {
    @Test("copy with a closure changes only the copy, which has the object's class")
    func changed() throws {
        let leaf = Leaf(1, next: Node(2))
        let copy = try leaf.copy {
            $0.id = 3
            $0.next?.id = 4
        }
        #expect([copy.id, copy.next?.id, leaf.id, leaf.next?.id] == [3, 4, 1, 2])
        let node: Node = leaf
        #expect(try node.copy { $0.note = "x" } is Leaf)
        #expect(try ByID().copy { $0.name += "!" }.name == " (copy)!")
    }

    @Test("An error thrown by the closure is rethrown")
    func thrown() {
        #expect(throws: CancellationError.self) { try Node(1).copy { _ in throw CancellationError() } }
    }
}

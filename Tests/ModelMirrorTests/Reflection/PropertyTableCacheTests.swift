import Synchronization
import Testing

@testable import ModelMirror

@Suite("Cache of property tables")
struct PropertyTableCacheTests {
    @Test("All threads get the same table for a class")
    func oneTable() async throws {
        let tables = try await withThrowingTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try (0..<8).map { _ in ObjectIdentifier(try PropertyTableCache.table(for: Shared())) }
                }
            }
            return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion($1) }
        }
        #expect(tables == [ObjectIdentifier(try PropertyTableCache.table(for: Shared()))])
        #expect(Shared.builds.load(ordering: .relaxed) >= 1)
        let builds = Shared.builds.load(ordering: .relaxed)
        _ = try Shared(json: "{}")
        #expect(Shared.builds.load(ordering: .relaxed) == builds)
    }

    @Test("All threads get the same writing plan for a class")
    func onePlan() async throws {
        let table = try PropertyTableBuilder(Referenced()).makeTable()
        let plans = await withTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<64 { group.addTask { (0..<8).map { _ in ObjectIdentifier(table.order) } } }
            return await group.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion($1) }
        }
        #expect(plans == [ObjectIdentifier(table.order)])
    }

    @Test("A writing order is released with its table, and not before")
    func planIsReleased() throws {
        weak var order: WritingOrder?
        do {
            let table = try PropertyTableBuilder(Referenced()).makeTable()
            order = table.order
            #expect(order != nil)
            #expect(table.order === order)
        }
        #expect(order == nil)
    }

    @Test("A table reference gives all threads the table of the cache")
    func reference() async throws {
        let reference = TableReference()
        let tables = try await withThrowingTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try (0..<8).map { _ in
                        ObjectIdentifier(try reference.table(for: Referenced(), madeAs: Referenced.self))
                    }
                }
            }
            return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.formUnion($1) }
        }
        let table = try PropertyTableCache.table(for: Referenced())
        #expect(tables == [ObjectIdentifier(table)])
        #expect(reference.known === table)
        // Calls with different rules share one, which remembers nothing.
        let shared = TableReference(isShared: true)
        #expect(try shared.table(for: Referenced(), madeAs: Referenced.self) === table)
        #expect(shared.known == nil)
    }

    @Test("Threads that map a class concurrently for the first time get complete objects")
    func concurrentMapping() async throws {
        let json =
            #"{"number": 1, "text": "x", "child": {"number": 2}, "list": [{"number": 3}], "named": {"k": {"number": 4}}}"#
        let sums = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let model = try Concurrent(json: json)
                    return model.number + (model.child?.number ?? 0) + model.list[0].number
                        + (model.named["k"]?.number ?? 0)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 10, count: 64))
    }

    @Test("Every class, subclass and generic specialization has its own table")
    func ownTables() throws {
        let tables = [
            try PropertyTableCache.table(for: Base()), try PropertyTableCache.table(for: Derived()),
            try PropertyTableCache.table(for: Generic<Int>()), try PropertyTableCache.table(for: Generic<String>()),
        ]
        #expect(Set(tables.map { ObjectIdentifier($0) }).count == 4)
        #expect(tables.map { "\($0.model)" } == ["Base", "Derived", "Generic<Int>", "Generic<String>"])
        #expect(tables.map { $0.rows.map(\.name) } == [["number"], ["number", "own"], ["value"], ["value"]])
    }

    @Test("A class keeps the error of its enum, whose cases are read only once")
    func refusedEnum() throws {
        let errors = (0..<2).map { _ in #expect(throws: ModelError.self) { try Twofold(json: "{}") }?.description }
        let sentence = #"Mark cannot be mapped: its enumCases cannot be used: two cases have the name "1"."#
        #expect(errors == [sentence, sentence])
        #expect(Twofold.builds.load(ordering: .relaxed) == 1)
    }

    @Test("An invalid class keeps its error, and its rules are read only once")
    func refusedClass() throws {
        let sentence =
            "Refused cannot be mapped: requiredProperties names \"nmber\", which is not a stored property of Refused (did you mean "
            + "\"number\"?)."
        #expect(try Refusal.sentence(of: Refused.self) == sentence)
        #expect(Refused.builds.load(ordering: .relaxed) == 1)
        #expect(try Refusal.sentence(of: Refused.self) == sentence)
        #expect(Thrown.text { try Refused(json: #"{"number": 1}"#) } == sentence)
        #expect(Thrown.text { try [Refused](json: "[{}]") } == sentence)
        let cached = #expect(throws: InvalidModel.self) { try PropertyTableCache.table(for: Refused()) }
        #expect(cached?.description == sentence)
        #expect(Refused.builds.load(ordering: .relaxed) == 1)
    }

    @Test("An invalid nested class fails only a mapping that creates an object of it")
    func refusedNestedClass() throws {
        #expect(try Outer(json: #"{"number": 1}"#).number == 1)
        #expect(try Outer(json: #"{"number": 1, "inner": null}"#).inner == nil)
        #expect(try Outer(json: #"{"number": 1, "list": []}"#).number == 1)
        for json in [#"{"inner": {}}"#, #"{"list": [{}]}"#, #"{"number": 1, "inner": {"number": 1}}"#] {
            #expect(
                Thrown.text { try Outer(json: json) }
                    == "Inner cannot be mapped: requiredProperties names \"missing\", which is not a stored property of Inner."
            )
        }
    }

    @Test("A class's rules can map other classes without a deadlock", .timeLimit(.minutes(15)))
    func rulesMapOtherClasses() throws {
        let model = try Asking(json: #"{"chosen": 5}"#)
        #expect(model.number == 5)
        #expect(try Configuration(json: #"{"key": "x"}"#).key == "x")
    }

    @Test("A subclass's object in a property of its superclass's type uses the subclass's table")
    func subclassInProperty() throws {
        let model = try Holding(
            json: #"{"first": {"kind": "wide", "width": 3}, "second": {"kind": "plain", "width": 4}}"#)
        #expect((model.first as? Wide)?.width == 3)
        #expect(model.second.map { "\(type(of: $0))" } == "Dynamic")
    }
}

// MARK: Models

private final class Shared: AbstractModel {
    static let builds = Atomic(0)
    var number = 0
    override class var propertyKeys: [String: PropertyKey] {
        builds.add(1, ordering: .relaxed)
        return [:]
    }
}

private final class Referenced: AbstractModel { var number = 0 }

private final class Concurrent: AbstractModel {
    var number = 0
    var text = ""
    var child: Concurrent?
    var list: [Concurrent] = []
    var named: [String: Concurrent] = [:]
}

private class Base: AbstractModel { var number = 0 }
private final class Derived: Base { var own = 0 }
private final class Generic<Value>: AbstractModel { var value: Value? }

private final class Twofold: AbstractModel {
    static let builds = Atomic(0)
    enum Mark: MappedEnum {
        case a, b
        static var enumCases: EnumCases<Mark> {
            builds.add(1, ordering: .relaxed)
            return .outside([.case(.a, "1"), .case(.b, 1)])
        }
    }
    var mark: Mark?
}

private final class Refused: AbstractModel {
    static let builds = Atomic(0)
    var number = 0
    override class var requiredProperties: Set<String> {
        builds.add(1, ordering: .relaxed)
        return ["nmber"]
    }
}

private final class Outer: AbstractModel {
    var number = 0
    var inner: Inner?
    var list: [Inner] = []
}

private final class Inner: AbstractModel {
    var number = 0
    override class var requiredProperties: Set<String> { ["missing"] }
}

private final class Configuration: AbstractModel { var key = "" }

private final class Asking: AbstractModel {
    var number = 0
    override class var propertyKeys: [String: PropertyKey] {
        let configuration = try? Configuration(json: #"{"key": "chosen"}"#)
        return ["number": PropertyKey(configuration?.key ?? "none")]
    }
}

private class Dynamic: AbstractModel, DynamicTypeModel {
    var kind = ""
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["wide": Wide.self] }
}
private final class Wide: Dynamic { var width = 0 }

private final class Holding: AbstractModel {
    var first = Dynamic()
    var second: Dynamic?
}

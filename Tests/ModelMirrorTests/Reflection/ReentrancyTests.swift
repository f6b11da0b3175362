import ModelMirror
import Synchronization
import Testing

private class Talking: AbstractModel, CustomReflectable {
    var a = 0

    nonisolated(unsafe) static var error: String?

    var customMirror: Mirror {
        do { _ = try jsonData() } catch { Talking.error = "\(error)" }
        return Mirror(self, children: ["a": a])
    }
}

private class Mapping: AbstractModel {
    nonisolated(unsafe) static var error: String?
    var a = 0

    override class var propertyKeys: [String: PropertyKey] {
        do { _ = try Mapping(json: #"{"a": 1}"#) } catch { Mapping.error = "\(error)" }
        return ["a": "b"]
    }
}

/// Its rules map objects of the class before its table knows the key of the type name.
private class Choosing: AbstractModel, DynamicTypeModel {
    var kind = ""

    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["chosen": Chosen.self] }
    override class var propertyKeys: [String: PropertyKey] {
        _ = try? [Choosing](json: #"[{"type": "chosen"}]"#)
        return ["kind": "type"]
    }
}

private final class Chosen: Choosing {}

private class Endless: AbstractModel, CustomReflectable {
    var a = 0

    var customMirror: Mirror {
        let children = repeatElement((label: String?.none, value: 0 as Any), count: .max)
        return Mirror(self, children: Mirror.Children(children))
    }
}

private final class EndlessChild: Endless { var b = 0 }

/// Its mirror has two children the first times that they are counted, and another number from then on.
private final class Changing<let times: Int, let later: Int>: AbstractModel, CustomReflectable {
    var a = 0
    var b = 0

    var customMirror: Mirror {
        Mirror(self, children: ChangingChildren(first: a, second: b, times: times, later: later))
    }
}

private struct ChangingChildren: Collection {
    let first: Int
    let second: Int
    let times: Int
    let later: Int
    let startIndex = 0
    private let counter = Counter()
    var endIndex: Int { counter.asked.add(1, ordering: .relaxed).newValue > times ? later : 2 }
    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> Mirror.Child { index == 0 ? ("a", first) : ("b", second) }

    private final class Counter: Sendable {
        let asked = Atomic(0)
    }

    init(first: Int, second: Int, times: Int, later: Int) {
        (self.first, self.second, self.times, self.later) = (first, second, times, later)
    }
}

/// Runs a closure when it is created.
private class Part: AbstractModel {
    @TaskLocal static var making: (@Sendable () -> Void)?

    required init() {
        super.init()
        Part.making?()
    }
}

private class Whole: AbstractModel {
    var text = "old"
    var part: Part?
}

private struct Shared: @unchecked Sendable { let whole: Whole }

@Suite("Reentrant calls")
struct ReentrancyTests {
    @Test("A customMirror or rule that maps its own class gets an error, and the class is mapped")
    func ownTable() throws {
        #expect(try Talking(json: #"{"a": 1}"#).a == 1)
        #expect(try Mapping(json: #"{"b": 2}"#).a == 2)
        let reason = "its customMirror or one of its rules maps, copies or writes an object of the class itself"
        #expect(Talking.error == "Talking cannot be mapped: \(reason).")
        #expect(Mapping.error == "Mapping cannot be mapped: \(reason).")
        #expect(try Choosing(json: #"{"type": "a"}"#).kind == "a")
        #expect(try [Choosing](json: #"[{"type": "chosen"}]"#).first is Chosen)
    }

    @Test("A customMirror with too many children to count makes the class invalid")
    func endlessMirror() {
        #expect(throws: ModelError.self) { try EndlessChild(json: "{}") }
        #expect(throws: ModelError.self) { try Endless(json: "{}") }
    }

    @Test("A mirror whose number of children changes is rejected unless it shows the stored properties")
    func changingMirrors() {
        func areMapped(_ classes: [AbstractModel.Type]) -> [Bool] {
            classes.map { (try? $0.init(json: #"{"a":1,"b":2}"#)) != nil }
        }
        let growing = areMapped([
            Changing<0, 5>.self, Changing<1, 5>.self, Changing<2, 5>.self, Changing<3, 5>.self, Changing<4, 5>.self,
            Changing<5, 5>.self,
        ])
        #expect(growing == [false, false, true, true, true, true])
        let shrinking = areMapped([
            Changing<0, 0>.self, Changing<1, 0>.self, Changing<2, 0>.self, Changing<3, 0>.self, Changing<4, 0>.self,
            Changing<5, 0>.self,
        ])
        #expect(shrinking == [false, false, true, true, true, true])
    }

    @Test("A task that is started inside copy() makes independent copies")
    func taskInsideOfCopy() async throws {
        let whole = Whole()
        whole.part = Part()
        let shared = Shared(whole: whole)
        let (opened, gate) = AsyncStream<Void>.makeStream()
        let task = Mutex<Task<Bool, any Error>?>(nil)
        let start: @Sendable () -> Void = {
            let made = Task {
                for await _ in opened {}
                // The task inherits the closure, which would start another task, and that another.
                let copy = try Part.$making.withValue(nil) { try shared.whole.copy() }
                return copy.text == "new" && shared.whole.isEqual(to: copy)
            }
            task.withLock { $0 = made }
        }
        let copy = try Part.$making.withValue(start) { try whole.copy() }
        #expect(copy.text == "old" && copy.part !== whole.part)
        whole.text = "new"
        gate.finish()
        let made = try #require(task.withLock { $0 })
        #expect(try await made.value)
    }
}

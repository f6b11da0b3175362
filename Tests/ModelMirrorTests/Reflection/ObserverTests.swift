import ModelMirror
import Observation
import Synchronization
import Testing

/// Values are stored directly, without property observers, setters of wrappers and Observation; `didMap()` follows.
@Suite("Storing without observers")
struct ObserverTests {
    @Test("Mapping does not call willSet and didSet")
    func propertyObservers() throws {
        let model = try Observed(json: #"{"number": 5, "text": "y", "maybe": null, "child": {"number": 2}}"#)
        #expect((model.number, model.text, model.maybe, model.child.number, model.calls) == (5, "y", nil, 2, []))
        model.number = 6
        model.text = "z"
        #expect(model.calls == ["willSet 6", "didSet 5", "text y"])
    }

    @Test("Mapping does not call a subclass's observers of an inherited property")
    func overriddenObservers() throws {
        let model = try Overriding(json: #"{"number": 5}"#)
        #expect((model.number, model.inner) == (5, 0))
        model.number = 6
        #expect(model.inner == 1)
    }

    @Test("Mapping a property wrapper as a whole does not call its setter")
    func wrapperSetter() throws {
        let model = try Clamping(json: #"{"_percent": 250}"#)
        #expect(model.percent == 250)
        model.percent = 300
        #expect(model.percent == 100)
    }

    @Test("assign(rawValue:toProperty:) does not notify Observation")
    func observation() throws {
        let notified = Atomic(0)
        let model = ObservableModel()
        withObservationTracking {
            _ = model.title
        } onChange: {
            notified.add(1, ordering: .relaxed)
        }
        try model.assign(rawValue: "new", toProperty: "title")
        #expect(model.title == "new")
        #expect(notified.load(ordering: .relaxed) == 0)
        model.title = "newer"
        #expect(notified.load(ordering: .relaxed) == 1)
    }

    @Test("didMap is called after all stores, and the properties it sets are observed")
    func didMap() throws {
        let model = try Counting(json: #"{"before": 1, "after": 2}"#)
        #expect((model.seen, model.total, model.changes) == ([1, 2], 3, 1))
    }
}

// MARK: Models

private final class Observed: AbstractModel {
    var number = 1 {
        willSet { calls.append("willSet \(newValue)") }
        didSet { calls.append("didSet \(oldValue)") }
    }
    var text = "x" {
        didSet { calls.append("text \(oldValue)") }
    }
    var maybe: Int? = 3 {
        didSet { calls.append("maybe") }
    }
    var child = Plain() {
        didSet { calls.append("child") }
    }
    var calls: [String] = []
}

private class Plain: AbstractModel {
    var number = 1
}

private final class Overriding: Plain {
    var inner = 0
    override var number: Int {
        didSet { inner += 1 }
    }
}

@propertyWrapper
private struct Percent: Decodable {
    private var value = 0
    var wrappedValue: Int {
        get { value }
        set { value = min(newValue, 100) }
    }
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Int.self) }
}

private final class Clamping: AbstractModel {
    @Percent var percent = 50
    override class var propertyKeys: [String: PropertyKey] { ["_percent": "_percent"] }
}

@Observable
private final class ObservableModel: AbstractModel {
    var title = "old"
}

private final class Counting: AbstractModel {
    var before = 0
    var after = 0
    var seen: [Int] = []
    var total = 0 {
        didSet { changes += 1 }
    }
    var changes = 0
    override class var ignoredProperties: Set<String> { ["seen", "total", "changes"] }
    override func didMap() {
        seen = [before, after]
        total = before + after
    }
}

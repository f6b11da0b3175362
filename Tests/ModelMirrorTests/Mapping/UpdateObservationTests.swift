import Foundation
import ModelMirror
import Observation
import Synchronization
import Testing

@Observable private class Unlisted: AbstractModel {
    var count = 1
}

private class Heir: Unlisted {
    var own = 1
}

private class Holder: AbstractModel {
    var unlisted: Unlisted? = Unlisted()
    var list: [Unlisted] = []
}

private struct UpdateRefusal: Error {}

@Observable private class Listed: AbstractModel {
    var count = 1
    var name: String? = "old"
    var tags = ["old"]
    var inner: Inner? = Inner()
    var other = 1

    override class var keyPathTable: KeyPathTable? {
        [
            "count": \Listed.count, "name": \Listed.name, "tags": \Listed.tags, "inner": \Listed.inner,
            "other": \Listed.other,
        ]
    }

    override func didMap() throws { if other == 13 { throw UpdateRefusal() } }
}

@Observable private class Inner: AbstractModel {
    var value = 1

    override class var keyPathTable: KeyPathTable? { ["value": \Inner.value] }
}

/// Observes properties and counts how often each is about to change.
private final class Observer: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    func observe<Root: AnyObject, Value>(_ name: String, _ root: Root, _ path: KeyPath<Root, Value>) {
        nonisolated(unsafe) let (root, path) = (root, path)
        withObservationTracking {
            _ = root[keyPath: path]
        } onChange: { [self] in
            counts.withLock { $0[name, default: 0] += 1 }
            observe(name, root, path)
        }
    }

    var seen: [String: Int] { counts.withLock { $0 } }
}

@Suite("Updating observable models")
struct UpdateObservationTests {
    private let observationFault =
        "Unlisted has a mistake: it is @Observable and its observers would not notice an update; list its observed "
        + "properties in additionalKeyPaths."

    @Test("Updating an observable model without a keyPathTable, or a subclass of it, throws invalidModel")
    func unlisted() throws {
        let object = Unlisted()
        let error = try #require(throws: ModelError.self) { try object.update(json: #"{"count": 2}"#) }
        #expect((error.description, error.modelFault?.property) == (observationFault, nil))
        #expect(throws: ModelError.self) { try object.update(json: "{}") }
        #expect(throws: ModelError.self) { try object.update(dictionary: ["count": 2]) }
        #expect(object.count == 1)
        #expect(try Unlisted(json: #"{"count": 2}"#).count == 2)
        let heir = Heir()
        #expect(
            Thrown.text { try heir.update(json: #"{"own": 2}"#) }
                == observationFault.replacing("Unlisted", with: "Heir"))
        #expect(heir.own == 1)
    }

    @Test("A nested observable model without a keyPathTable is replaced, not updated in place")
    func nested() throws {
        let holder = Holder()
        let first = holder.unlisted
        try holder.update(json: #"{"unlisted": {"count": 2}, "list": [{"count": 3}]}"#)
        #expect(holder.unlisted?.count == 2 && holder.unlisted !== first && holder.list[0].count == 3)
        let second = holder.unlisted
        #expect(
            Thrown.text {
                try holder.update(
                    json: #"{"unlisted": {"count": 4}, "list": []}"#, options: .init(updatesNestedInPlace: true))
            } == observationFault)
        #expect(holder.unlisted === second && second?.count == 2 && holder.list.count == 1)
    }

    private func observed() -> (Listed, Observer) {
        let (object, observer) = (Listed(), Observer())
        observer.observe("count", object, \.count)
        observer.observe("name", object, \.name)
        observer.observe("tags", object, \.tags)
        observer.observe("inner", object, \.inner)
        observer.observe("other", object, \.other)
        return (object, observer)
    }

    @Test(
        "Observers of each stored property are notified once, and no others",
        arguments: [
            ("{}", [:]), (#"{"count": 2}"#, ["count": 1]), (#"{"name": null}"#, ["name": 1]),
            (#"{"count": 2, "count": 3}"#, ["count": 1]), (#"{"tags": ["a", 1]}"#, ["tags": 1]),
            (#"{"name": "new", "other": 2, "inner": {"value": 2}}"#, ["name": 1, "other": 1, "inner": 1]),
            (#"{"count": "x", "unknown": 1}"#, [:]),
        ])
    func listed(json: String, counts: [String: Int]) throws {
        let (object, observer) = observed()
        try object.update(json: json)
        #expect(observer.seen == counts)
    }

    @Test(
        "Observers are not notified of an update that fails before values are stored",
        arguments: [#"{"count": 2, "name": "new""#, #"{"count": 2} x"#, #"{"count": 2, "tags": null}"#])
    func failure(json: String) throws {
        let (object, observer) = observed()
        #expect(throws: ModelError.self) { try object.update(json: json, options: .strict) }
        #expect(observer.seen == [:])
    }

    @Test("Observers are notified again when an update that didMap rejects is rolled back")
    func takenBack() throws {
        let (object, observer) = observed()
        #expect(throws: ModelError.self) { try object.update(json: #"{"count": 2, "other": 13}"#) }
        #expect(observer.seen == ["count": 2, "other": 2])
        #expect(object.count == 1 && object.other == 1)
    }

    @Test("An in-place update notifies the observers of the nested object")
    func inPlace() throws {
        let (object, observer) = observed()
        let inner = try #require(object.inner)
        observer.observe("value", inner, \.value)
        try object.update(json: #"{"inner": {"value": 5}}"#, options: MappingOptions(updatesNestedInPlace: true))
        #expect(observer.seen == ["value": 1])
        #expect(object.inner === inner && inner.value == 5)
    }
}

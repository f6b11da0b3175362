import ModelMirror
import Testing

/// `let`, `weak`, `unowned` and `unowned(unsafe)` properties and the compiler's own storage are never written, and no rule but
/// `ignoredProperties` can name them.
@Suite("Fields that are never written")
struct UnwritableFieldTests {
    @Test("A let keeps its value, which the optimizer may have inlined")
    func letIsNotWritten() throws {
        let (model, report) = try Constants.mapReporting(
            json: #"{"before": 10, "number": 20, "text": "y", "child": {"before": 7}, "optional": 5, "after": 20}"#)
        #expect((model.before, model.number, model.text) == (10, 5, "x"))
        #expect(model.child == nil)
        #expect(model.optional == nil)
        #expect(model.sum == 5 + 10)
        #expect(model.after == 20)
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.number", "unknownKey $.text", "unknownKey $.child", "unknownKey $.optional",
            ])
    }

    @Test("Weak and unowned references are not written")
    func weakIsNotWritten() throws {
        let target = Target()
        let (model, report) = try Target.$current.withValue(target) {
            try References.mapReporting(
                json: """
                    {"before": 10, "weakly": {"number": 1}, "safely": {"number": 2}, "unsafely": {"number": 3},
                    "maybe": {"number": 4}, "after": 20}
                    """)
        }
        #expect(model.before == 10)
        #expect(model.weakly === target)
        #expect(model.safely === target)
        #expect(model.unsafely === target)
        #expect(model.maybe === target)
        #expect(target.number == 0)
        #expect(model.after == 20)
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.weakly", "unknownKey $.safely", "unknownKey $.unsafely", "unknownKey $.maybe",
            ])
    }

    @Test("A weak or unowned reference to a released object is never read")
    func danglingReferencesAreNotRead() throws {
        // Reading an unowned reference after its object's end stops the program.
        let (model, report) = try Dangling.mapReporting(
            json: #"{"before": 10, "weakly": {}, "safely": {}, "maybe": {}, "unsafely": {}, "after": 20}"#)
        #expect(model.before == 10)
        #expect(model.weakly == nil)
        #expect(model.after == 20)
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.weakly", "unknownKey $.safely", "unknownKey $.maybe", "unknownKey $.unsafely",
            ])
    }

    @Test("A lazy property is not written and computes its value on first access")
    func lazyIsNotWritten() throws {
        let (model, report) = try Lazy.mapReporting(
            json: #"{"base": 10, "twice": 1, "$__lazy_storage_$_twice": 2, "after": 20}"#)
        #expect((model.base, model.after, model.twice) == (10, 20, 20))
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.twice", "unknownKey $.$__lazy_storage_$_twice",
            ])
    }

    @Test(
        "A rule that names a property that is never written makes the class invalid, and the message says why",
        arguments: [
            (KeyedConstant.self, "propertyKeys", "number", "a let, which is never written; use private(set) var"),
            (Naming<Weakly>.self, rule, "weakly", reference), (Naming<Safely>.self, rule, "safely", reference),
            (Naming<Unsafely>.self, rule, "unsafely", reference), (Naming<Maybe>.self, rule, "maybe", reference),
            (RequiredLazy.self, rule, "twice", "not a stored property of RequiredLazy"),
            (
                RequiredLazyStorage.self, rule, "$__lazy_storage_$_twice",
                "not a stored property of RequiredLazyStorage"
            ),
        ] as [(AbstractModel.Type, String, String, String)])
    func rules(_ model: AbstractModel.Type, _ rule: String, _ property: String, _ reason: String) throws {
        #expect(
            try Refusal.sentence(of: model)
                == "\(model) cannot be mapped: \(rule) names \"\(property)\", which is \(reason).")
    }

    private static let rule = "requiredProperties"
    private static let reference = "weak or unowned, which is never written; assign it in didMap()"

    @Test("Computed, static and class properties are not mapped")
    func computedIsNoField() throws {
        let (model, report) = try Computed.mapReporting(json: #"{"base": 10, "twice": 3, "shared": 4, "kind": 5}"#)
        #expect((model.base, model.twice) == (10, 20))
        #expect(Computed.shared == 1)
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "unknownKey $.twice", "unknownKey $.shared", "unknownKey $.kind",
            ])
    }
}

// MARK: Models

private final class Constants: AbstractModel {
    var before = 1
    let number = 5
    let text = "x"
    let child: Settable? = nil
    let optional: Int? = nil
    var after = 2
    var sum: Int { number + before }
}

private final class Settable: AbstractModel {
    private(set) var number = 5
}

private class Constant: AbstractModel {
    var before = 1
    let number = 5
}
private final class KeyedConstant: Constant {
    override class var propertyKeys: [String: PropertyKey] { ["number": "n"] }
}

private final class Target: AbstractModel, @unchecked Sendable {
    @TaskLocal static var current = Target()
    var number = 0
}

private final class References: AbstractModel {
    var before = 1
    weak var weakly: Target? = Target.current
    unowned var safely: Target = Target.current
    unowned(unsafe) var unsafely: Target = Target.current
    unowned var maybe: Target? = Target.current
    var after = 2
}

private final class Dangling: AbstractModel {
    var before = 1
    weak var weakly: Target?
    unowned var safely: Target
    unowned var maybe: Target?
    unowned(unsafe) var unsafely: Target
    var after = 2

    required init() {
        let target = Target()
        weakly = target
        safely = target
        maybe = target
        unsafely = target
        super.init()
    }
}

private protocol Name {
    static var property: String { get }
}
private enum Weakly: Name { static var property: String { "weakly" } }
private enum Safely: Name { static var property: String { "safely" } }
private enum Unsafely: Name { static var property: String { "unsafely" } }
private enum Maybe: Name { static var property: String { "maybe" } }

private final class Naming<Property: Name>: AbstractModel {
    var number = 1
    weak var weakly: Target?
    unowned var safely: Target = Target.current
    unowned(unsafe) var unsafely: Target = Target.current
    unowned var maybe: Target?
    override class var requiredProperties: Set<String> { [Property.property] }
}

private class Lazy: AbstractModel {
    var base = 1
    lazy var twice = base * 2
    var after = 2
}
private final class RequiredLazy: Lazy {
    override class var requiredProperties: Set<String> { ["twice"] }
}
private final class RequiredLazyStorage: Lazy {
    override class var requiredProperties: Set<String> { ["$__lazy_storage_$_twice"] }
}

private final class Computed: AbstractModel {
    static let shared = 1
    class var kind: Int { 2 }
    var base = 1
    var twice: Int {
        get { base * 2 }
        set { base = newValue / 2 }
    }
}

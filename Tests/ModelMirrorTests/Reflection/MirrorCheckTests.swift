import ModelMirror
import Synchronization
import Testing

/// The runtime's fields are compared with what `Mirror` shows of the first object; if they disagree, the class is invalid.
@Suite("Comparison of fields with Mirror")
struct MirrorCheckTests {
    @Test(
        "A customMirror without exactly the stored properties makes the class invalid",
        arguments: [
            Fewer.self, Opaque.self, More.self,
            // Hides the superclass.
            Suppressing.self,
            // Inherits the mirror of its superclass, which is mapped itself.
            Unfaithful.self,
            // Shows another value.
            Elsewhere.self,
        ] as [AbstractModel.Type])
    func hidden(_ model: AbstractModel.Type) throws {
        #expect(
            try Refusal.sentence(of: model)
                == "\(model) cannot be mapped: its customMirror does not show its stored properties as they are; remove it or list "
                + "the properties in keyPathTable.")
    }

    @Test(
        "A customMirror that shows another name, order, value, type or object makes the class invalid",
        arguments: [
            (Renamed.self, "number"), (Unlabeled.self, "number"), (Reordered.self, "number"),
            (LyingValue.self, "text"),
            (LyingType.self, "text"), (LyingOptional.self, "maybe"), (LyingObject.self, "child"),
            (LyingOptionalObject.self, "child"),
            // Inherits the property that is shown wrongly.
            (BelowLiar.self, "text"),
        ] as [(AbstractModel.Type, String)])
    func disagreement(_ model: AbstractModel.Type, _ property: String) throws {
        #expect(
            try Refusal.sentence(of: model)
                == "\(model) cannot be mapped: Mirror and the runtime disagree about \(property) (a customMirror may hide it); "
                + "remove the customMirror or list the properties in keyPathTable.")
    }

    @Test("A customMirror that shows all stored properties as they are is accepted")
    func faithful() throws {
        let (model, report) = try Faithful.mapReporting(json: #"{"number": 2, "text": "y"}"#)
        #expect((model.number, model.text) == (2, "y"))
        #expect(report.description == "nothing to report")
    }

    @Test("A customMirror can show different values for properties that are never written")
    func unwritableIsNotCompared() throws {
        #expect(try Harmless(json: #"{"number": 2}"#).number == 2)
    }

    @Test("Mirror children of properties that are never mapped are not read")
    func untouchedChildrenAreNotRead() throws {
        let model = try Guarded(json: #"{"number": 2}"#)
        #expect(model.number == 2)
    }

    @Test("A custom description or debugDescription does not affect the mapping")
    func printedForms() throws {
        let model = try Printed(json: #"{"number": 2, "description": "d", "debugDescription": 3}"#)
        #expect(model.number == 2)
        #expect("\(model)" == "printed")
    }

    @Test("A default value that does not equal itself is accepted")
    func notANumber() throws {
        let (model, report) = try NotANumber.mapReporting(
            json: #"{"double": 1.5, "float": 2.5, "maybe": 3.5, "list": [4.5], "never": 1}"#)
        #expect((model.double, model.float, model.maybe, model.list, model.never.number) == (1.5, 2.5, 3.5, [4.5], 1))
        #expect(report.description == "nothing to report")
        let untouched = try NotANumber(json: "{}")
        #expect(untouched.double.isNaN)
        #expect(untouched.float.isSignalingNaN)
        #expect(untouched.maybe?.isNaN == true)
    }

    @Test("The comparison accepts defaults that differ per object and creates no extra objects")
    func changingDefaults() throws {
        #expect(try Changing(json: #"{"text": "a"}"#).number == 1)
        #expect(try Changing(json: #"{"text": "b"}"#).number == 2)
    }

    @Test("AbstractModel itself cannot be mapped")
    func rootClass() throws {
        #expect(
            try Refusal.sentence(of: AbstractModel.self)
                == "AbstractModel cannot be mapped: it is the base class, which has no properties; map a subclass.")
    }
}

// MARK: Models

private final class Fewer: AbstractModel, CustomReflectable {
    var number = 1
    var text = "x"
    var customMirror: Mirror { Mirror(self, children: ["number": number]) }
}

private final class Opaque: AbstractModel, CustomReflectable {
    var number = 1
    var customMirror: Mirror { Mirror(self, children: []) }
}

private final class More: AbstractModel, CustomReflectable {
    var number = 1
    var customMirror: Mirror { Mirror(self, children: ["number": number, "twice": number * 2]) }
}

private final class Suppressing: AbstractModel, CustomReflectable {
    var number = 1
    var customMirror: Mirror { Mirror(self, children: ["number": number], ancestorRepresentation: .suppressed) }
}

private class Faithful: AbstractModel, CustomReflectable {
    var number = 1
    var text = "x"
    var customMirror: Mirror { Mirror(self, children: ["number": number, "text": text]) }
}

private final class Unfaithful: Faithful {
    var more = 1
}

private final class Elsewhere: AbstractModel, CustomReflectable {
    var number = 1
    var customMirror: Mirror { Mirror(reflecting: (number: number, 2)) }
}

private final class Renamed: AbstractModel, CustomReflectable {
    var number = 1
    var text = "x"
    var customMirror: Mirror { Mirror(self, children: ["nummer": number, "text": text]) }
}

private final class Unlabeled: AbstractModel, CustomReflectable {
    var number = 1
    var text = "x"
    var customMirror: Mirror { Mirror(self, unlabeledChildren: [number, text] as [Any]) }
}

private final class Reordered: AbstractModel, CustomReflectable {
    var number = 1
    var other = 1
    var customMirror: Mirror { Mirror(self, children: ["other": other, "number": number]) }
}

private final class LyingValue: AbstractModel, CustomReflectable {
    var number = 1
    var text = "x"
    var customMirror: Mirror { Mirror(self, children: ["number": number, "text": "y"]) }
}

private final class LyingType: AbstractModel, CustomReflectable {
    var number = 1
    var text = "x"
    var customMirror: Mirror { Mirror(self, children: ["number": number, "text": Substring(text)]) }
}

private final class LyingOptional: AbstractModel, CustomReflectable {
    var maybe: Int? = 1
    var customMirror: Mirror { Mirror(self, children: ["maybe": 1]) }
}

private final class LyingObject: AbstractModel, CustomReflectable {
    var child = Printed()
    var customMirror: Mirror { Mirror(self, children: ["child": Printed()]) }
}

private final class LyingOptionalObject: AbstractModel, CustomReflectable {
    var child: Printed? = Printed()
    var customMirror: Mirror { Mirror(self, children: ["child": Optional(Printed()) as Any]) }
}

private class Liar: AbstractModel, CustomReflectable {
    var text = "x"
    var customMirror: Mirror { Mirror(self, children: ["text": "y"]) }
}

private final class BelowLiar: Liar {
    var number = 1
    override var customMirror: Mirror {
        Mirror(self, children: ["number": number], ancestorRepresentation: .customized { super.customMirror })
    }
}

private final class Harmless: AbstractModel, CustomReflectable {
    var number = 1
    let constant = 2
    var action: () -> Void = {}
    var customMirror: Mirror { Mirror(self, children: ["number": number, "constant": 3, "action": "nothing"]) }
}

/// A list of children of which only the first may be read.
private struct GuardedChildren: RandomAccessCollection {
    let first: Mirror.Child
    let startIndex = 0
    let endIndex = 3
    subscript(index: Int) -> Mirror.Child {
        precondition(index == 0, "a child that must not be read was read")
        return first
    }
}

private final class Guarded: AbstractModel, CustomReflectable {
    var number = 1
    let constant = 2
    var action: () -> Void = {}
    var customMirror: Mirror { Mirror(self, children: GuardedChildren(first: ("number", number))) }
}

private class Printed: AbstractModel, CustomStringConvertible, CustomDebugStringConvertible {
    var number = 1
    var description: String { "printed" }
    var debugDescription: String { "printed for debugging" }
}

/// A type whose values equal nothing, not even themselves.
private struct Never: Equatable, JSONConvertible {
    var number = 0
    init() {}
    init(json: JSONValue) throws { number = json.int ?? 0 }
    func json() throws -> JSONValue { .null }
    static func == (_: Never, _: Never) -> Bool { false }
}

private final class NotANumber: AbstractModel {
    var double = Double.nan
    var float = Float.signalingNaN
    var maybe: Double? = .nan
    var list: [Double] = [.nan]
    var never = Never()
}

private final class Changing: AbstractModel {
    private static let count = Atomic(0)
    var number: Int
    var text = ""
    required init() {
        number = Changing.count.add(1, ordering: .relaxed).newValue
        super.init()
    }
}

import Testing

@testable import ModelMirror

private struct Noncopyable: ~Copyable { var handle = 1 }

private struct Phantom<Value: ~Copyable> { var count = 3 }

extension Phantom: Equatable where Value: Copyable {}

private final class Reference<Value: ~Copyable> { var count = 3 }

private struct Conditional<Value: ~Copyable>: ~Copyable { var count = 2 }

extension Conditional: Copyable where Value: Copyable {}

private class Generic: AbstractModel {
    var id = 0
    var phantom: Phantom<Noncopyable>?
    var reference: Reference<Noncopyable>?
    var pointer: UnsafeMutablePointer<Noncopyable>?
    var conditional: Conditional<Int>?
    override class var ignoredProperties: Set<String> { ["phantom", "reference", "pointer", "conditional"] }
}

private class Owning: AbstractModel {
    var id = 0
    var owned: Noncopyable?
    var other: Conditional<Noncopyable>?
    var last = 0
}

private protocol Seeded: ~Copyable { init() }

extension Noncopyable: Seeded {}

private class Holder<Value: ~Copyable & Seeded>: AbstractModel {
    var id = 0
    var value = Value()
    var other: Value?
    var last = 1
}

private final class RequiringValue: Holder<Noncopyable> {
    override class var requiredProperties: Set<String> { ["value"] }
}

private final class RequiringOther: Holder<Noncopyable> {
    override class var requiredProperties: Set<String> { ["other"] }
}

private final class IgnoringValue: Holder<Noncopyable> {
    override class var ignoredProperties: Set<String> { ["value", "other"] }
}

private final class RequiringOwned: Owning {
    override class var requiredProperties: Set<String> { ["owned"] }
}

private protocol Described: ~Copyable { var text: String { get } }

extension Noncopyable: Described { var text: String { "\(handle)" } }

/// The runtime must not report these as `Any`, whose values are copied.
private class AnyOwning: AbstractModel {
    var id = 0
    var any: any ~Copyable = Noncopyable()
    var other: (any ~Copyable)?
    var described: any Described & ~Copyable = Noncopyable()
    var last = 0
}

private final class RequiringAny: AnyOwning {
    override class var requiredProperties: Set<String> { ["any"] }
}

@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
private final class Inline<let count: Int>: AbstractModel {
    var before: UInt8 = 1
    var numbers = InlineArray<count, UInt16>(repeating: 3)
    var after: UInt8 = 2
    var owned: InlineArray<2, Noncopyable> = [Noncopyable(), Noncopyable()]
    var functions: InlineArray<2, () -> Int> = [{ 4 }, { 5 }]
    var last = 3
    override class var ignoredProperties: Set<String> { ["numbers", "functions"] }
}

@Suite("Fields of noncopyable types")
struct NoncopyableFieldTests {
    @Test("A property of a noncopyable type argument is left unchanged")
    func noncopyableProperties() throws {
        let holder = try Holder<Noncopyable>(json: #"{"id":1,"value":2,"other":null,"last":3}"#)
        #expect(holder.id == 1 && holder.last == 3 && holder.value.handle == 1)
        #expect(try holder.copy().last == 3)
        #expect("\(holder)".hasSuffix("(id: 1, last: 3)"))
    }

    @Test("A rule that names a noncopyable property makes the class invalid")
    func noncopyablePropertiesInRules() throws {
        #expect(
            try Refusal.sentence(of: RequiringValue.self)
                == #"RequiringValue cannot be mapped: requiredProperties names "value", which is of the noncopyable type "#
                + "Noncopyable, which cannot be mapped.")
        #expect(
            try Refusal.sentence(of: RequiringOther.self)
                == #"RequiringOther cannot be mapped: requiredProperties names "other", which is of the noncopyable type "#
                + "Optional<Noncopyable>, which cannot be mapped.")
        #expect(try Refusal.sentence(of: IgnoringValue.self) == nil)
        // Only an argument of a generic class has a type that the runtime names.
        #expect(
            try Refusal.sentence(of: RequiringOwned.self)
                == #"RequiringOwned cannot be mapped: requiredProperties names "owned", which has the type (), and functions "#
                + "and metatypes cannot be mapped; assign it in didMap().")
    }

    @Test("Models with properties of noncopyable generic types are mapped, updated and copied")
    func noncopyableArguments() throws {
        let generic = try Generic(json: #"{"id":1}"#)
        (generic.phantom, generic.reference, generic.conditional) = (Phantom(), Reference(), Conditional())
        try generic.update(json: #"{"id":2}"#)
        let copy = try generic.copy()
        #expect(copy.reference === generic.reference && copy.phantom?.count == 3 && copy.conditional?.count == 2)
        #expect(copy.id == 2 && !"\(generic)".isEmpty)
        _ = copy.isEqual(to: generic)
        let owning = try Owning(json: #"{"id":1,"last":2,"owned":3,"other":null}"#)
        #expect(owning.id == 1 && owning.last == 2)
        owning.owned = Noncopyable()
        owning.other = Conditional()
        try owning.update(json: #"{"id":5}"#)
        #expect(try owning.copy().id == 5 && owning.isEqual(to: owning.copy()) && owning.last == 2)
        #expect("\(owning)" == "Owning(id: 5, last: 2)")
    }

    @Test("A noncopyable existential is left unchanged")
    func noncopyableExistentials() throws {
        let owning = try AnyOwning(json: #"{"id":1,"any":[2],"other":null,"described":{},"last":2}"#)
        #expect(owning.id == 1 && owning.last == 2 && owning.described.text == "1")
        #expect(try owning.copy().isEqual(to: owning) && "\(owning)" == "AnyOwning(id: 1, last: 2)")
        #expect(
            try Refusal.sentence(of: RequiringAny.self)
                == #"RequiringAny cannot be mapped: requiredProperties names "any", which has the type (), and functions "#
                + "and metatypes cannot be mapped; assign it in didMap().")
    }

    @Test("Inline arrays, also of functions and noncopyable elements, are left unchanged")
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    func inlineArrays() throws {
        let inline = try Inline<5>(json: #"{"before":7,"after":8,"owned":[1],"last":9}"#)
        #expect(inline.before == 7 && inline.after == 8 && inline.last == 9)
        #expect(inline.numbers[4] == 3 && inline.owned[1].handle == 1)
        try inline.update(json: #"{"after":10,"last":11}"#)
        #expect(inline.after == 10 && inline.last == 11 && inline.functions[1]() == 5)
        #expect(try Inline<0>(json: #"{"before":7,"last":9}"#).last == 9)
    }
}

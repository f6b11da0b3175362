import ModelMirror
import Testing

/// A type without a conversion.
private struct Point: Equatable {
    var x = 0
    var y = 0
}

private struct BadPoint: Error, CustomStringConvertible { let description = "a point has two numbers" }

private class Unprepared: AbstractModel {
    var id = 0
    var place = Point()
    var maybe: Point?
}

private class Prepared: AbstractModel {
    var place = Point(x: 7, y: 7)
    var maybe: Point? = Point(x: 7, y: 7)

    override class var propertyKeys: [String: PropertyKey] { ["maybe": ["point", .path("geo", "point")]] }

    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        HookProbe.current?.note("assign \(property) = \(HookProbe.text(value))")
        guard let numbers = value as? [Int], numbers.count == 2 else { throw BadPoint() }
        let point = Point(x: numbers[0], y: numbers[1])
        if property == "place" { place = point } else { maybe = point }
    }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return HookProbe.current?.answer == .fails
    }
}

private class Calling: AbstractModel {
    var place = Point()

    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        try super.assign(undefinedValue: value, forProperty: property)
    }
}

private class Parent: AbstractModel {
    var children: [Unprepared] = []
}

@Suite("assign(undefinedValue:forProperty:)")
struct UndefinedValueTests {
    /// The reason for a property, with its type as in source code.
    private static func sentence(_ property: String, _ type: String) -> String {
        "nothing converts its property \(property) of type \(type); give it a converter in propertyConverters, make the type "
            + "JSONConvertible or Decodable, assign it in assign(undefinedValue:forProperty:), or name it in ignoredProperties."
    }
    private static let sentence = sentence("place", "Point")

    @Test("By default, a value for a type without a conversion throws invalidModel with all remedies")
    func byDefault() {
        let error = #expect(throws: ModelError.self) { try Unprepared(json: #"{"id": 1, "place": [1, 2]}"#) }
        #expect(error?.modelFault?.description == "Unprepared cannot be mapped: \(Self.sentence)")
        #expect((error?.modelFault?.model, error?.modelFault?.property) == ("Unprepared", "place"))
        #expect(
            Thrown.text { try Unprepared(json: #"{"maybe": 1}"#) }
                == "Unprepared cannot be mapped: \(Self.sentence("maybe", "Point?"))")
    }

    @Test("invalidModel is thrown from a call of super and from an object in a collection")
    func superAndNested() {
        #expect(
            Thrown.error { try Calling(json: #"{"place": 1}"#) }?.modelFault?.description
                == "Calling cannot be mapped: \(Self.sentence)")
        #expect(
            Thrown.error { try Parent(json: #"{"children": [{"place": 5}]}"#) }?.modelFault?.description
                == "Unprepared cannot be mapped: \(Self.sentence)")
    }

    @Test("A missing key or null for a type without a conversion does not throw invalidModel")
    func withoutValue() throws {
        let (object, report) = try Unprepared.mapReporting(json: #"{"id": 1, "place": null, "maybe": null}"#)
        #expect((object.place, object.maybe) == (Point(), nil))
        #expect(
            report.lines == [
                "fallback: Unprepared.place at $.place (line 1, column 20): expected a value of type Point, found null."
            ])
        #expect(try Unprepared(json: #"{"id": 1}"#).id == 1)
    }

    @Test("An override receives a plain Swift value, and its assignment is kept")
    func override() throws {
        let probe = HookProbe()
        let object = try Prepared(json: #"{"geo": {"point": [3, 4]}, "place": [1, 2]}"#, options: probe.options())
        #expect(object.place == Point(x: 1, y: 2))
        #expect(object.maybe == Point(x: 3, y: 4))
        #expect(probe.calls == ["assign place = [Int 1, Int 2]", "assign maybe = [Int 3, Int 4]"])
    }

    @Test("A null sets an Optional to nil without a call of the override")
    func null() throws {
        let probe = HookProbe()
        let object = try Prepared(json: #"{"place": null, "point": null}"#, options: probe.options())
        #expect(object.place == Point(x: 7, y: 7))
        #expect(object.maybe == nil)
        #expect(probe.calls == ["place = nil", "maybe = nil"])
    }

    @Test("An error thrown by an override makes the value invalid, and shouldFail decides")
    func throwing() throws {
        let probe = HookProbe()
        let document = #"{"place": [1], "point": [1, 2]}"#
        let (object, report) = try Prepared.mapReporting(json: document, options: probe.options())
        #expect(object.place == Point(x: 7, y: 7))
        let sentence =
            "Prepared.place at $.place (line 1, column 11): expected a value of type Point, found an array: a point "
            + "has two numbers."
        #expect(report.lines == ["fallback: " + sentence])
        #expect(
            probe.calls == ["assign place = [Int 1]", "assign maybe = [Int 1, Int 2]", "place = [Int 1]"])
        for options in [HookProbe(.fails).options(), .strict] {
            let error = #expect(throws: ModelError.self) { try Prepared(json: document, options: options) }
            #expect(error?.lines == [sentence])
            #expect(error?.valueFailures.first?.underlying is BadPoint)
        }
    }
}

import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

private struct Part: Encodable, Hashable {
    var size = 1
    var since: Date? = Date(timeIntervalSince1970: 60)
}

private struct Source: Decodable, Hashable { var size = 1 }

private final class Order: AbstractModel {
    var id = 7
    var part = Part()
    var optional: Part?
    var parts = [Part(size: 2, since: nil)]
    var byName: [String: Part?] = ["a": Part(size: 3, since: nil), "b": nil]

    override class var writeOnlyProperties: Set<String> { ["part", "optional", "parts", "byName"] }
    override class var mappingOptions: MappingOptions { MappingOptions(dates: .secondsSince1970) }
}

private final class Both: AbstractModel {
    var part: Part?
}

private final class Assigning: AbstractModel {
    var part = Part()
    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        part.size = value as? Int ?? 0
    }
}

private final class Reading: AbstractModel {
    var sources: [Source] = []
    var other: Source?
    override class var readOnlyProperties: Set<String> { ["other"] }
}

private struct Opaque {}

private final class Unwritable: AbstractModel {
    var opaque = Opaque()
    var pairs: [Opaque] = []
    override class var writeOnlyProperties: Set<String> { ["opaque"] }
    override func assign(undefinedValue value: Any?, forProperty property: String) throws {}
}

@Suite("Types that are only encodable, or only decodable")
struct OneWayTypeTests {
    @Test("An encodable type is written by the rules of the class, in any collection")
    func written() throws {
        let order = Order()
        #expect(
            try order.jsonString()
                == #"{"id":7,"part":{"since":60,"size":1},"parts":[{"size":2}],"byName":{"a":{"size":3},"b":null}}"#)
        try order.update(json: #"{"id": 8}"#)
        let copy = try order.copy()
        #expect(copy.isEqual(to: order))
        copy.part.size = 9
        #expect(!copy.isEqual(to: order))
        #expect(try JSONMapper.jsonString(of: [Part(size: 5, since: nil)]) == #"[{"size":5}]"#)
        #expect(ModelCheck.check(Order.self) == [])
    }

    @Test("A property that is only encodable is read if its class assigns it")
    func reading() throws {
        let error = #expect(throws: ModelError.self) { try Both(json: #"{"part": 1}"#) }
        #expect(
            error?.description
                == "Both cannot be mapped: nothing converts its property part of type Part?; give it a converter in propertyConverters, make the type JSONConvertible or Decodable, assign it in assign(undefinedValue:forProperty:), or name it in ignoredProperties."
        )
        let assigned = try Assigning(json: #"{"part": 5}"#)
        #expect(try assigned.jsonString() == #"{"part":{"since":"1970-01-01T00:01:00Z","size":5}}"#)
        let root = #expect(throws: ModelError.self) { try JSONMapper.value([Part].self, from: "[]") }
        #expect(
            root?.description
                == "Array<Part> cannot be mapped: nothing converts it from JSON; make it JSONConvertible or Decodable.")
    }

    @Test("ModelCheck reports properties that cannot be written")
    func check() {
        func cure(_ property: String, _ type: String) -> String {
            "\(property) cannot be written, since \(type) has no JSON form; make it JSONConvertible or Encodable, give it a "
                + "converter in propertyConverters, or name it in readOnlyProperties"
        }
        #expect(ModelCheck.check(Reading.self).map(\.reason) == [cure("sources", "Source")])
        #expect(
            ModelCheck.check(Unwritable.self, assigned: ["pairs"]).map(\.reason) == [
                cure("opaque", "Opaque"), cure("pairs", "Array<Opaque>"),
            ])
    }
}

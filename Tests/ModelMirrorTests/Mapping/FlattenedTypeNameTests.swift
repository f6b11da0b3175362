import ModelMirror
import Testing

private class Shape: AbstractModel, DynamicTypeModel {
    var id = 0
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self] }
}

private final class Circle: Shape { var radius = 0.0 }

private class Vehicle: AbstractModel, DynamicTypeModel {
    var wheels = 0
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] {
        ["any": Vehicle.self, "bus": Bus.self, "truck": Truck.self]
    }
}

private final class Bus: Vehicle { var seats = 0 }

private final class Truck: Vehicle { var load = 0 }

private class Trip: AbstractModel {
    var id = 0
    var vehicle: Vehicle?

    override class var flattenedProperties: Set<String> { ["vehicle"] }
}

private class Drawing: AbstractModel {
    var title = ""
    var shape: Shape?

    override class var flattenedProperties: Set<String> { ["shape"] }
}

private class Sized: AbstractModel {
    var radius = 0.0
    var shape: Shape?

    override class var flattenedProperties: Set<String> { ["shape"] }
    override class var sharedKeys: Set<String> { ["radius"] }
}

private class HeldSized: AbstractModel {
    var shape: Shape?
    var payload: AbstractModel?

    override class var flattenedProperties: Set<String> { ["shape"] }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["payload": DynamicPropertyTypes(named: "radius", payloads)]
    }
}

private class Framed: AbstractModel {
    var radius = 0.0
    var drawing = Drawing()

    override class var flattenedProperties: Set<String> { ["drawing"] }
    override class var sharedKeys: Set<String> { ["radius"] }
}

private class Figure: AbstractModel, DynamicTypeModel {
    var id = 0
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["round": Round.self, "square": SquareFigure.self] }
}

private final class SquareFigure: Figure { var side = 0.0 }

private class Round: Figure {
    override class var typeNameProperty: String { "roundness" }
    override class var dynamicTypes: [String: AbstractModel.Type] { ["ellipse": Ellipse.self] }
}

private final class Ellipse: Round { var axis = 0.0 }

private class Poster: AbstractModel {
    var figure: Figure?
    override class var flattenedProperties: Set<String> { ["figure"] }
}

private final class Forked: AbstractModel { var name = "" }

private let payloads = ["fork": Forked.self] as [String: AbstractModel.Type]

private class Header: AbstractModel {
    var id = ""
    var type = ""
}

private class TypeFirst: AbstractModel {
    var type = ""
    var id = ""
}

private class Enveloped<Head: AbstractModel>: AbstractModel {
    var header = Head()
    var payload: AbstractModel? = Forked()

    override class var flattenedProperties: Set<String> { ["header"] }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["payload": DynamicPropertyTypes(named: "type", payloads)]
    }
}

private class NamedInside: AbstractModel {
    var header = Header()
    var payload: AbstractModel? = Forked()

    override class var flattenedProperties: Set<String> { ["header"] }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["payload": DynamicPropertyTypes(named: .path("id", "type"), payloads)]
    }
}

@Suite("Flattened models with type names")
struct FlattenedTypeNameTests {
    @Test("A member of the object around selects the class of a flattened model")
    func oneClass() throws {
        let json = #"{"title":"a","kind":"circle","id":1,"radius":2.5}"#
        let drawing = try Drawing(json: json, options: MappingOptions(unknownKeys: .failures))
        #expect((drawing.shape as? Circle)?.radius == 2.5)
        #expect(try Drawing(json: try drawing.jsonString()).isEqual(to: drawing))
        #expect(try drawing.jsonString(options: .sortedKeys) == #"{"id":1,"kind":"circle","radius":2.5,"title":"a"}"#)
    }

    @Test("The type name in the object around can select any subclass or the class itself")
    func severalClasses() throws {
        for json in [
            #"{"id":1,"kind":"truck","wheels":6,"load":3}"#, #"{"id":1,"kind":"bus","wheels":4,"seats":9}"#,
            #"{"id":1,"kind":"any","wheels":2}"#,
        ] {
            let trip = try Trip(json: json, options: .untrusted)
            #expect(try trip.jsonString() == json)
        }
        #expect(try Trip(json: #"{"kind": "truck"}"#).vehicle is Truck)
    }

    @Test("Keys of classes that were not selected are unknown keys")
    func otherKeys() throws {
        let options = MappingOptions(unknownKeys: .failures)
        let poster = try Poster(json: #"{"kind":"round","roundness":"ellipse","axis":2,"id":1}"#, options: options)
        #expect((poster.figure as? Ellipse)?.axis == 2)
        #expect(try Poster(json: poster.jsonString(), options: options).isEqual(to: poster))
        let (_, report) = try Poster.mapReporting(json: #"{"kind":"square","side":1,"axis":2,"id":1}"#)
        #expect(report.entries.map(\.path.description) == ["$.axis"])
        #expect(report.entries.map(\.code) == ["additionalProperties"])
        #expect(throws: ModelError.self) {
            try Poster(
                json: #"{"kind":"square","side":1,"axis":2}"#,
                options: MappingOptions(strict: true, unknownKeys: .failures))
        }
    }

    @Test("A shared key that the selected class does not read is not an unknown key")
    func sharedKeys() throws {
        let options = MappingOptions(strict: true, unknownKeys: .failures)
        let sized = try Sized(json: #"{"id": 1, "radius": 2}"#, options: options)
        #expect(sized.radius == 2 && sized.shape?.id == 1)
        let framed = try Framed(json: #"{"title": "a", "id": 1, "radius": 2}"#, options: options)
        #expect(framed.radius == 2 && framed.drawing.shape?.id == 1)
        #expect(throws: ModelError.self) { try Drawing(json: #"{"id": 1, "radius": 2}"#, options: options) }
    }

    @Test("The tag of another property is not an unknown key")
    func tags() throws {
        let options = MappingOptions(strict: true, unknownKeys: .failures)
        let held = try HeldSized(json: #"{"id": 1, "radius": "fork", "payload": {"name": "a"}}"#, options: options)
        #expect(held.shape?.id == 1 && (held.payload as? Forked)?.name == "a")
    }

    @Test("Type names of several levels are not unknown keys, in updates too")
    func nameLevels() throws {
        let options = MappingOptions(unknownKeys: .failures)
        let json = #"{"kind":"round","roundness":"ellipse","axis":2,"id":1}"#
        #expect(try Ellipse(json: json, options: options).axis == 2)
        let poster = try Poster(json: json)
        try poster.update(json: #"{"kind":"square","side":3}"#, options: options)
        #expect((poster.figure as? SquareFigure)?.side == 3)
    }

    @Test("A type name is written once beside a flattened model that has its key")
    func typeNames() throws {
        let text = #"{"type":"fork","id":"","payload":{"name":""}}"#
        #expect(try Enveloped<Header>().jsonString() == text)
        #expect(try Enveloped<TypeFirst>().jsonString() == text)
        #expect(try Enveloped<Header>(json: text, options: .strict).payload is Forked)
        #expect(try Enveloped<TypeFirst>(json: text, options: .strict).payload is Forked)
        #expect(
            Thrown.error { try NamedInside().jsonString() }?.description.contains(#"found the name "fork""#) == true)
    }
}

import Testing

@testable import ModelMirror
@testable import ModelMirrorTesting

private final class Dot: AbstractModel { var size = 1 }
private final class Framed: AbstractModel {
    var dot = Dot()
    var width = 1
    override class var flattenedProperties: Set<String> { ["dot"] }
}
private enum Stroke: MappedEnum {
    case none, dot(Dot)
    static var enumCases: EnumCases<Stroke> {
        .inside(tag: "stroke", [.case(.none, "none"), .case(Stroke.dot, "dot")])
    }
}
private enum Loose: MappedEnum {
    case dot(Dot), texts([String: String])
    static var enumCases: EnumCases<Loose> { .untagged([.case(Loose.dot), .case(Loose.texts)]) }
}
private enum Mark: MappedEnum {
    case none, dot(Dot), framed(Framed), counts([Int: Int]), names([String: Dot]?), stroke(Stroke), loose(Loose)
    static var enumCases: EnumCases<Mark> {
        .inside(
            tag: "type",
            [
                .case(.none, "none"), .case(Mark.dot, "dot"), .case(Mark.framed, "framed"),
                .case(Mark.counts, "counts"), .case(Mark.names, "names"), .case(Mark.stroke, "stroke"),
                .case(Mark.loose, "loose"),
            ])
    }
}
private enum Note: MappedEnum {
    case none, mark(Mark)
    static var enumCases: EnumCases<Note> {
        .beside(tag: "type", payload: "value", [.case(.none, "none"), .case(Note.mark, "mark")])
    }
}
private enum Numbered: MappedEnum {
    case one, seven(Dot), yes
    static var enumCases: EnumCases<Numbered> {
        .inside(tag: "type", [.case(.one, "1"), .case(Numbered.seven, 7), .case(.yes, true)])
    }
}
private final class Sketch: AbstractModel {
    var mark: Mark?
    var notes: [Note] = []
}

private class Tally: AbstractModel {
    var name = ""
    var counts: [String: Int] = [:]
    override class var flattenedProperties: Set<String> { ["counts"] }
}

private enum Tallied: MappedEnum {
    case tally(Tally)
    static var enumCases: EnumCases<Tallied> { .inside(tag: "type", [.case(Tallied.tally, "tally")]) }
}

private class Circle: AbstractModel { var radius = 0 }

private class Ring: AbstractModel { var inner = Circle() }

private enum Parted: MappedEnum {
    case parts([String: Circle]), ring(Ring)
    static var enumCases: EnumCases<Parted> {
        .inside(tag: "type", [.case(Parted.parts, "parts"), .case(Parted.ring, "ring")])
    }
}

@Suite("JSON Schema of mapped enums")
struct EnumSchemaTests {
    @Test(
        "The members beside an enum's tag are those of its payload",
        arguments: [
            #"{"type": "dot", "size": 1}"#, #"{"type": "framed", "size": 1, "width": 2}"#,
            #"{"type": "counts", "7": 1}"#, #"{"type": "names", "x": {"size": 1}}"#,
            #"{"type": "stroke", "stroke": "dot", "size": 1}"#, #"{"type": "loose", "size": 1}"#,
            #"{"type": "loose", "x": "y"}"#,
        ], [MappingOptions.strict, MappingOptions(strict: true, unknownKeys: .failures)])
    func besideTag(mark: String, options: MappingOptions) throws {
        let note = #"{"type": "mark", "value": \#(mark)}"#
        let document = try JSONValue(json: #"{"mark": \#(mark), "notes": [\#(note), {"type": "none"}]}"#)
        try expectSchema(of: Sketch.self, agreesOn: document.variantsWithoutMembers, moreThan: 50, options: options)
        let accepts = SchemaCheck(validating: try JSONMapper.jsonSchema(of: Mark.self, options: options)).accepts
        let others: JSONValue = ["type": "none", "other": 1]
        #expect(accepts(try JSONValue(json: mark)) && accepts(others) == (options.unknownKeys == nil))
    }

    @Test(
        "The name of an enum's case is a string, or the number or the Boolean that it spells",
        arguments: [
            ("1", true), (#""1""#, true), ("1.0", true), ("7", true), (#""7""#, true), ("true", true),
            (#""true""#, true), ("8", false), ("false", false), (#""yes""#, false), ("null", false), ("[7]", false),
        ])
    func spelledTag(tag: String, isMapped: Bool) throws {
        try expectSchema(of: Numbered.self, accepts: #"{"type": \#(tag)}"#, isMapped)
    }

    @Test("A flattened dictionary in a payload does not describe the tag")
    func flattened() throws {
        // The schema is that of strict mapping, whatever the strictness of its options.
        #expect(
            try JSONMapper.jsonSchema(of: Tallied.self) == JSONMapper.jsonSchema(of: Tallied.self, options: .strict))
        for (json, fits) in [
            (#"{"type":"tally","name":"a","x":1}"#, true), (#"{"type":"tally","name":"a","x":"s"}"#, false),
        ] {
            try expectSchema(of: Tallied.self, accepts: json, fits)
        }
    }

    @Test("If unknown keys are failures, so are those of the models within a payload")
    func closed() throws {
        for (json, fits) in [
            (#"{"type":"parts","a":{"radius":1}}"#, true), (#"{"type":"parts","a":{"radius":1,"x":2}}"#, false),
            (#"{"type":"ring","inner":{"radius":1}}"#, true), (#"{"type":"ring","inner":{"radius":1,"x":2}}"#, false),
        ] {
            try expectSchema(
                of: Parted.self, accepts: json, fits, options: MappingOptions(strict: true, unknownKeys: .failures))
        }
    }
}

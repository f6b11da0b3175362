import Foundation
import ModelMirror
import Synchronization
import Testing

private class Circle: AbstractModel { var radius = 0 }

/// Not Equatable, and each of its cases has the same description.
private enum Described: MappedEnum, CustomStringConvertible {
    case empty, circle(Circle)
    var description: String { "a shape" }
    static var enumCases: EnumCases<Described> {
        .inside(tag: "type", [.case(.empty, "empty"), .case(Described.circle, "circle")])
    }
}

private enum Unlisted: MappedEnum, UnknownCase {
    case known, other
    static var unknownCase: Unlisted { .other }
    static var enumCases: EnumCases<Unlisted> { .outside([.case(.known, "known")]) }
}

private enum Labeled: MappedEnum {
    case number(x: Int)
    case number(y: Int)
    static var enumCases: EnumCases<Labeled> {
        .outside([.case(Labeled.number(x:), "x"), .case(Labeled.number(y:), "y")])
    }
}

private enum Mode: MappedEnum, UnknownCase {
    case on, other
    static var unknownCase: Mode { .other }
    static var enumCases: EnumCases<Mode> { .outside([.case(.on, "on"), .case(.other, "other")]) }
}

private class Twofold: AbstractModel {
    var next: Twofold?
    override class var propertyKeys: [String: PropertyKey] { ["next": .firstFitting(["x", "y"])] }
}

private class OfDescribed: AbstractModel { var value: Described? }
private class OfUnlisted: AbstractModel { var value: Unlisted? }

private enum Sided: MappedEnum {
    case sides([String: Double]), any([String: JSONValue])
    static var enumCases: EnumCases<Sided> {
        .inside(tag: "type", [.case(Sided.sides, "sides"), .case(Sided.any, "any")])
    }
}

private enum Inner: MappedEnum {
    case circle(Circle)
    static var enumCases: EnumCases<Inner> { .inside(tag: "kind", [.case(Inner.circle, "circle")]) }
}

private enum Outer: MappedEnum {
    case inner(Inner)
    static var enumCases: EnumCases<Outer> { .inside(tag: "type", [.case(Outer.inner, "inner")]) }
}

private enum Sign: MappedEnum {
    case negative, positive
    static var enumCases: EnumCases<Sign> {
        .outside([.case(.negative, in: -Double.infinity ... -1), .case(.positive, in: 1...Double.infinity)])
    }
}

private class Holder: AbstractModel {
    var labeled: Labeled?
    var mode: Mode?
    var list: [Sign] = []
    var sided: Sided?
    var outer: Outer?
    var sign: Sign?
}

private class OfLabeled: AbstractModel { var values: [Labeled] = [] }

/// Each level has two keys that may fit.
private class Level: AbstractModel {
    var next: Level?
    override class var propertyKeys: [String: PropertyKey] { ["next": .firstFitting(["p", "q"])] }
}

@Suite("Mapped enums in rare forms", .timeLimit(.minutes(15)))
struct MappedEnumEdgeTests {
    private let options = MappingOptions(strict: true, unknownKeys: .failures)

    @Test("Members of a tagged object that belong to no case are unknown keys: reported, rejected or ignored")
    func otherMembers() throws {
        let json = """
            {"beside": {"t": "count", "c": 3, "x": 1, "y": 2}, "inside": {"type": "empty", "radius": 4},
            "list": [{"t": "count", "c": 5}, {"c": 6, "t": "none"}],
            "nested": {"outer": "inner", "type": "empty", "z": 1}}
            """
        let (tagged, report) = try Tagged.mapReporting(json: json)
        #expect(
            try tagged.jsonString() == #"{"beside":{"t":"count","c":3},"inside":{"type":"empty"},"#
                + #""list":[{"t":"count","c":5},{"t":"none"}],"nested":{"outer":"inner","type":"empty"}}"#)
        let failures = [
            #"Beside at $.beside.x (line 1, column 40): expected a key of Beside, found the key "x"."#,
            #"Beside at $.beside.y (line 1, column 48): expected a key of Beside, found the key "y"."#,
            #"Inside at $.inside.radius (line 1, column 90): expected a key of Inside, found the key "radius"."#,
            #"Beside at $.list[1].c (line 2, column 40): expected a key of Beside, found the key "c"."#,
            #"Inside at $.nested.z (line 3, column 52): expected a key of Inside, found the key "z"."#,
        ]
        #expect(report.entries.map(\.description) == failures.map { "unknownKey: \($0)" })
        let failing = try Tagged(json: json, options: MappingOptions(unknownKeys: .failures))
        #expect(try failing.jsonString() == #"{"list":[{"t":"count","c":5}]}"#)
        let error = #expect(throws: ModelError.self) { try Tagged(json: json, options: options) }
        #expect(error?.description == failures.joined(separator: "\n"))
        #expect(
            try Tagged.mapReporting(json: json, options: MappingOptions(unknownKeys: .ignored)).report.entries.isEmpty)
    }

    @Test(
        "A value is written as it was read",
        arguments: [
            #"{"labeled":{"x":2}}"#, #"{"labeled":{"y":2}}"#, #"{"mode":"on"}"#,
            #"{"sided":{"a":2,"type":"sides"}}"#, #"{"sided":{"a":2,"type":"any"}}"#,
            #"{"outer":{"kind":"circle","radius":2,"type":"inner"}}"#, #"{"sign":-1}"#, #"{"sign":1}"#,
        ])
    func roundTrip(_ json: String) throws {
        let holder = try Holder(json: json, options: options)
        #expect(try JSONValue(json: holder.jsonString())["list"] == [])
        var written = try holder.jsonValue().object
        written?["list"] = nil
        #expect(try written.map { .object($0) } == JSONValue(json: json))
        if case .sides(let sides)? = holder.sided { #expect(sides == ["a": 2]) }
        if case .any(let any)? = holder.sided { #expect(any == ["a": 2]) }
    }

    @Test("A schema has the ranges of an enum, the member of its tag, and each kind of value for an unknown case")
    func schemas() throws {
        let holder = try #require(Holder.jsonSchema()["$defs"]?["Holder"]?["properties"])
        let signs = try #require(holder["sign"]?["anyOf"]?.array?.first?["oneOf"] ?? holder["sign"]?["anyOf"])
        #expect("\(signs)".contains(#""maximum":-1"#) && "\(signs)".contains(#""minimum":1"#))
        #expect("\(holder["sided"] ?? .null)".contains(#""type":{}"#))
        #expect("\(holder["mode"] ?? .null)".contains(#"["string","number","boolean"]"#))
        for json in ["{}", "[]"] {
            #expect(throws: ModelError.self) { try Holder(json: #"{"mode":\#(json)}"#, options: .strict) }
        }
        #expect(try Holder(json: #"{"mode":7}"#, options: .strict).mode.map { "\($0)" } == "other")
    }

    @Test("An enum that could not be written back makes the class invalid")
    func unwritable() {
        for (model, reason) in [
            (
                OfDescribed.self,
                "its values have descriptions of their own, which do not tell cases apart; make it Equatable"
            ),
            (OfUnlisted.self, "its unknownCase is not listed, so that it could not be written"),
        ] as [(AbstractModel.Type, String)] {
            #expect(throws: Never.self) {
                let sentence = try Refusal.sentence(of: model)
                #expect(sentence?.contains(reason) == true, "\(sentence ?? "nil")")
            }
        }
    }

    @Test("A skipped element is reported with the failure in its payload")
    func skippedElement() throws {
        let report = try OfLabeled.mapReporting(json: #"{"values":[{"x":"s"}]}"#).report
        #expect(
            report.entries.map(\.description) == [
                #"skipped: OfLabeled.values at $.values[0].x (line 1, column 17): expected an integer, found the string "s"."#
            ])
    }

    @Test("Values of the first fitting key are read once at each of many levels")
    func firstFittingLevels() throws {
        var json = "{}"
        for _ in 0..<60 { json = #"{"q":{},"p":\#(json)}"# }
        var level: Level? = try Level(json: json)
        var depth = 0
        while let next = level?.next { (level, depth) = (next, depth + 1) }
        #expect(depth == 60)
    }

    @Test("Values of the first fitting key that fail at each level end with an error")
    func failingFirstFittingLevels() throws {
        var json = #""x""#
        for _ in 0..<60 { json = #"{"q":null,"p":\#(json)}"# }
        let error = #expect(throws: ModelError.self) { try Level(json: json, options: .strict) }
        #expect(error?.syntaxError?.code.rawValue == "depth")
    }

    @Test("A schema without unknown keys contains the tag")
    func closedSchema() throws {
        let json = #"{"outer":{"kind":"circle","radius":2,"type":"inner"}}"#
        try expectSchema(of: Holder.self, accepts: json, true, options: options)
    }

    @Test("A listed constant may be a case with a payload")
    func constantWithPayload() throws {
        let values: [Open] = [.other(nil), .circle(Circle())]
        #expect(try JSONMapper.jsonString(of: values) == #"["other",{"circle":{"radius":0}}]"#)
        guard case .other(nil) = try JSONMapper.value(Open.self, from: #""new""#) else { return recordOtherCase() }
    }

    @Test("Of two tags or payloads the last is used, and strict mapping refuses the second")
    func duplicateTags() throws {
        let twoTags = #"{"kind":"square","kind":"circle","radius":3}"#
        guard case .circle(let circle) = try JSONMapper.value(Inner.self, from: twoTags) else {
            return recordOtherCase()
        }
        #expect(circle.radius == 3)
        guard case .count(2) = try JSONMapper.value(Counted.self, from: #"{"t": "count", "c": 1, "c": 2}"#) else {
            return recordOtherCase()
        }
        for (json, type) in [(#"{"t": "count", "c": 1, "c": 2}"#, "c"), (#"{"t": "x", "t": "count", "c": 2}"#, "t")] {
            let error = #expect(throws: ModelError.self) {
                try JSONMapper.value(Counted.self, from: json, options: .strict)
            }
            #expect(error?.valueFailures.map(\.code.rawValue) == ["duplicateKey"], "\(type)")
        }
    }

    @Test("A redacted value is in no error of a payload")
    func redactedPayload() {
        for value in [Guarded.list([Secret()]), .secret(Secret())] {
            let error = #expect(throws: ModelError.self) { try JSONMapper.jsonString(of: value) }
            #expect(error.map { "\($0)".contains("1234") } == false)
        }
    }

    @Test("Writing does not print payloads")
    func unprintedPayload() throws {
        #expect(try JSONMapper.jsonString(of: Quiet.loud(Loud())) == #"{"loud":{}}"#)
        #expect(try JSONMapper.jsonString(of: Quiet.none) == #""none""#)
        #expect(Loud.prints.withLock { $0 } == 0)
    }

    @Test("A value whose first fitting keys come twice at each level, and are read twice, ends with an error")
    func readingsOfFittingKeys() throws {
        let open = String(repeating: #"{"x":"#, count: 60)
        let object = try Twofold(json: open + "{}" + String(repeating: "}", count: 60))
        #expect(object.next?.next != nil)
        let error = #expect(throws: ModelError.self) {
            try Twofold(json: open + "{}" + String(repeating: #","x":null,"y":null}"#, count: 60))
        }
        #expect(error?.syntaxError?.code.rawValue == "depth")
    }
}

private enum Counted: MappedEnum {
    case count(Int)
    static var enumCases: EnumCases<Counted> { .beside(tag: "t", payload: "c", [.case(Counted.count, "count")]) }
}

private class Loud: AbstractModel, CustomStringConvertible {
    static let prints = Mutex(0)
    var description: String {
        Loud.prints.withLock { $0 += 1 }
        return ""
    }
}

private enum Quiet: MappedEnum {
    case none, loud(Loud)
    static var enumCases: EnumCases<Quiet> { .outside([.case(.none, "none"), .case(Quiet.loud, "loud")]) }
}

private class Secret: AbstractModel {
    var pin = "1234"
    override class var redactedProperties: Set<String> { ["pin"] }
}

private enum Beside: MappedEnum {
    case none, count(Int)
    static var enumCases: EnumCases<Beside> {
        .beside(tag: "t", payload: "c", [.case(.none, "none"), .case(Beside.count, "count")])
    }
}

private enum Inside: MappedEnum {
    case empty, circle(Circle)
    static var enumCases: EnumCases<Inside> {
        .inside(tag: "type", [.case(.empty, "empty"), .case(Inside.circle, "circle")])
    }
}

private enum Nested: MappedEnum {
    case inner(Inside)
    static var enumCases: EnumCases<Nested> { .inside(tag: "outer", [.case(Nested.inner, "inner")]) }
}

private class Tagged: AbstractModel {
    var beside: Beside?
    var inside: Inside?
    var list: [Beside] = []
    var nested: Nested?
}

private enum Guarded: MappedEnum {
    case list([Secret]), secret(Secret)
    static var enumCases: EnumCases<Guarded> {
        .inside(tag: "pin", [.case(Guarded.list, "list"), .case(Guarded.secret, "secret")])
    }
}

private enum Open: MappedEnum, UnknownCase {
    case circle(Circle), other(String?)
    static var unknownCase: Open { .other(nil) }
    static var enumCases: EnumCases<Open> { .outside([.case(Open.circle, "circle"), .case(.other(nil), "other")]) }
}

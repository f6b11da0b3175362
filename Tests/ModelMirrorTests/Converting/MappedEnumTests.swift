import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

private enum Level: MappedEnum {
    case low, mid, high
    static var enumCases: EnumCases<Level> {
        .outside([.case(.low, "low", "l", 0), .case(.mid, "mid", in: 10...19), .case(.high, in: 20...29, 40...49)])
    }
}

private enum Color: CaseIterable { case red, lightBlue }

private enum Mode: CaseIterable, UnknownCase {
    case on, off, other
    static var unknownCase: Mode { .other }
}

private enum Described: CaseIterable, CustomStringConvertible {
    case a
    var description: String { "A!" }
}

private class Circle: AbstractModel {
    var radius = 1
    var color = Color.red
    override class var requiredProperties: Set<String> { ["radius"] }
}

private class Kept: AbstractModel {
    var type = ""
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
}

private enum Outside: MappedEnum {
    case empty, circle(Circle), square(side: Double), tags([String: Int?]), maybe(Int?)
    static var enumCases: EnumCases<Outside> {
        .outside([
            .case(.empty, "empty"), .case(Outside.circle, "circle", "round"), .case(Outside.square, "square"),
            .case(Outside.tags, "tags"), .case(Outside.maybe, "maybe"),
        ])
    }
}

private enum Inside: MappedEnum, UnknownCase {
    case empty, circle(Circle), kept(Kept), part([String: Int]), number(Int), unknown
    static var unknownCase: Inside { .unknown }
    static var enumCases: EnumCases<Inside> {
        .inside(
            tag: "kind",
            [
                .case(.empty, "empty", 0), .case(Inside.circle, "circle"), .case(Inside.kept, "kept"),
                .case(Inside.part, 7), .case(Inside.number, "number"), .case(.unknown, "unknown"),
            ])
    }
}

private enum Beside: MappedEnum, Equatable {
    case empty, count(Int), other(Int), name(String?)
    static var enumCases: EnumCases<Beside> {
        .beside(
            tag: "t", payload: "c",
            [
                .case(.empty, "empty"), .case(Beside.count, "count"), .case(Beside.other, "other"),
                .case(Beside.name, "name"),
            ])
    }
}

private enum Untagged: MappedEnum {
    case none, date(Date), count(Int), circle(Circle), texts([String])
    static var enumCases: EnumCases<Untagged> {
        .untagged([
            .case(.none, "none", nil), .case(Untagged.date), .case(Untagged.count), .case(Untagged.circle),
            .case(Untagged.texts),
        ])
    }
}

private indirect enum Term: MappedEnum {
    case number(Double), sum([Term]), negative(Term)
    static var enumCases: EnumCases<Term> {
        .outside([.case(Term.number, "number"), .case(Term.sum, "sum"), .case(Term.negative, "negative")])
    }
}

private enum Tree: MappedEnum {
    case leaf(Int), node(Node)
    static var enumCases: EnumCases<Tree> { .outside([.case(Tree.leaf, "leaf"), .case(Tree.node, "node")]) }
}

private class Node: AbstractModel { var next: Tree? }

private class Box<Value>: AbstractModel {
    var value: Value?
    var list: [Value] = []
    var byName: [String: Value] = [:]
}

private class Misdated: AbstractModel {
    var name = ""
    override class var propertyDateFormats: [String: String] { ["name": "y"] }
}

private enum Open: MappedEnum, UnknownCase {
    case misdated(Misdated), other
    static var unknownCase: Open { .other }
    static var enumCases: EnumCases<Open> { .outside([.case(Open.misdated, "misdated"), .case(.other, "other")]) }
}

private enum Unnamed: MappedEnum {
    case a(Int)
    static var enumCases: EnumCases<Unnamed> { .outside([.case(Unnamed.a)]) }
}

private enum Twice: MappedEnum {
    case a, b
    static var enumCases: EnumCases<Twice> { .outside([.case(.a, "1"), .case(.b, 1)]) }
}

private enum Opaque: MappedEnum {
    case a(() -> Void)
    static var enumCases: EnumCases<Opaque> { .untagged([.case(Opaque.a)]) }
}

/// Records that a value is of another case than the one that a test reads from it.
func recordOtherCase(at source: Testing.SourceLocation = #_sourceLocation) {
    Issue.record("another case", sourceLocation: source)
}

@Suite("Mapped enums")
struct MappedEnumTests {
    private func value<Value>(_ json: String, _ options: MappingOptions = .strict) throws -> Value? {
        let box = try Box<Value>(
            json: #"{"value": \#(json), "list": [\#(json)], "byName": {"a": \#(json)}}"#, options: options)
        #expect(box.list.count == 1 && box.byName.count == 1)
        return box.value
    }

    private func text<Value>(_ value: Value, _ options: WritingOptions = []) throws -> String {
        let box = Box<Value>()
        box.value = value
        let text = try box.jsonString(options: options.union(.sortedKeys))
        return String(text.dropFirst(#"{"byName":{},"list":[],"value":"#.count).dropLast())
    }

    private func failure<Value>(_ type: Value.Type, _ json: String) -> (String, String) {
        do {
            let box = try Box<Value>(json: #"{"value":\#(json)}"#, options: .strict)
            return ("\(box)", "")
        } catch {
            guard case .invalidValues(let failures) = error else { return (error.description, "") }
            let text = error.description
            return (String(text[(text.range(of: " at ")?.lowerBound ?? text.startIndex)...]), failures[0].code.rawValue)
        }
    }

    /// Expects that strict mapping refuses each document with the end of a message and a code.
    private func refuses<Value>(_ type: Value.Type, _ cases: [(json: String, message: String, code: String)]) {
        for (json, message, code) in cases { #expect(failure(type, json) == (" at $.value" + message, code)) }
    }

    // MARK: Constants

    @Test(
        "Several names and ranges stand for a case; the first is written",
        arguments: [
            (#""low""#, Level.low), (#""l""#, .low), ("0", .low), ("0.0", .low), (#""mid""#, .mid), ("10", .mid),
            ("19", .mid), ("20.5", .high), ("49", .high),
        ])
    fileprivate func names(json: String, level: Level) throws {
        #expect(try value(json) == level)
        #expect(try text(level) == [.low: #""low""#, .mid: #""mid""#, .high: "20"][level])
    }

    @Test("Lenient mapping compares texts, and reports it")
    func lenient() throws {
        for (json, level) in [(#""0""#, Level.low), (#""15""#, .mid), (#""20.5""#, .high)] {
            let (box, report) = try Box<Level>.mapReporting(json: #"{"value": \#(json)}"#)
            #expect(box.value == level)
            #expect(report.entries.map(\.kind) == [.missing, .missing, .coerced])
        }
    }

    @Test("Values that stand for no case are refused")
    func constantFailures() throws {
        let words = #"one of "low", "l", 0, "mid", 10...19, 20...29, 40...49"#
        let others = [
            "9": "the number 9", "19.5": "the number 19.5", #""15""#: #"the string "15""#, "[]": "an array",
            "{}": "an object",
        ]
        refuses(Level.self, others.map { ($0, " (line 1, column 10): expected \(words), found \($1).", "enum") })
        #expect(try Box<Level>(json: #"{"list": [0, "x", 15]}"#).list == [.low, .mid])
    }

    @Test("A plain enum is read and written by the names of its cases")
    func plain() throws {
        #expect(try value(#""lightBlue""#) == Color.lightBlue)
        #expect(try text(Color.lightBlue) == #""lightBlue""#)
        #expect(
            failure(Color.self, #""blue""#)
                == (
                    #" at $.value (line 1, column 10): expected one of "red", "lightBlue", found the string "blue"."#,
                    "enum"
                ))
        #expect(failure(Color.self, "1").1 == "type")
        #expect(try value(#""x""#) == Mode.other)
        let (_, report) = try Box<Mode>.mapReporting(json: #"{"value": "x", "list": [], "byName": {}}"#)
        #expect(
            report.entries.map(\.description) == [
                #"coerced: Box<Mode>.value at $.value (line 1, column 11): expected one of "on", "off", "other", found the string "x"."#
            ])
        #expect(failure(Described.self, #""a""#).0.contains("nothing converts its property value of type Described?"))
        #expect(
            try Box<Color>.jsonSchema()["$defs"]?.object?.first?.value["properties"]["list"]["items"]
                == ["enum": ["red", "lightBlue"]])
    }

    // MARK: Payloads

    @Test("Outside: the name is the only key around the payload")
    func outside() throws {
        for (json, read) in [
            (#""empty""#, "empty"), (#"{"square": 2}"#, "square(side: 2.0)"), (#"{"maybe": null}"#, "maybe(nil)"),
        ] {
            #expect("\(try #require(try value(json) as Outside?))" == read)
        }
        guard case .circle(let circle)? = try value(#"{"round": {"radius": 3}}"#) as Outside? else {
            return recordOtherCase()
        }
        #expect(circle.radius == 3)
        for (value, json) in [
            (.empty, #""empty""#), (.circle(circle), #"{"circle":{"color":"red","radius":3}}"#),
            (.square(side: 2.5), #"{"square":2.5}"#), (.tags(["a": nil]), #"{"tags":{"a":null}}"#),
            (.maybe(nil), #"{"maybe":null}"#),
        ] as [(Outside, String)] {
            #expect(try text(value) == json)
        }
        let several = "an object with one member, the name of a case with a payload, found an object."
        let cases: [(String, String, String)] = [
            (
                #"{"oval": 1}"#,
                #" (line 1, column 10): expected one of the type names "circle", "empty", "maybe", "round", "square", "tags", found an object."#,
                "discriminator"
            ),
            (#"{"square": 1, "x": 2}"#, " (line 1, column 10): expected " + several, "discriminator"),
            (#"{"empty": 1}"#, " (line 1, column 10): expected " + several, "discriminator"),
            ("{}", " (line 1, column 10): expected " + several, "discriminator"),
            (
                #"{"square": "x"}"#, #".square (line 1, column 21): expected a number, found the string "x"."#, "type"
            ),
            (
                #"{"circle": {}}"#, ".circle.radius (line 1, column 21): expected an integer, found no such key.",
                "required"
            ),
        ]
        refuses(Outside.self, cases)
        #expect(failure(Outside.self, #""circle""#).1 == "const")
    }

    @Test("Inside: the name is a member of the payload, in any place")
    func inside() throws {
        for json in [#"{"kind": "circle", "radius": 3}"#, #"{"radius": 3, "kind": "circle"}"#] {
            let strict = MappingOptions(strict: true, unknownKeys: .failures)
            guard case .circle(let circle)? = try value(json, strict) as Inside? else { return recordOtherCase() }
            #expect(circle.radius == 3)
            #expect(try text(Inside.circle(circle)) == #"{"color":"red","kind":"circle","radius":3}"#)
        }
        for (json, read) in [
            (#"{"kind": 0, "x": 1}"#, "empty"), (#"{"kind": "new", "x": 1}"#, "unknown"), (#"{"x": 1}"#, "unknown"),
        ] {
            #expect("\(try #require(try value(json) as Inside?))" == read)
        }
        guard case .kept(let kept)? = try value(#"{"a": 1, "kind": "kept", "b": 2}"#) as Inside? else {
            return recordOtherCase()
        }
        #expect(kept.rest == ["a": 1, "b": 2])
        for (value, json) in [
            (.empty, #"{"kind":"empty"}"#), (.kept(kept), #"{"a":1,"b":2,"kind":"kept","type":""}"#),
            (.part(["x": 1]), #"{"kind":7,"x":1}"#), (.part([:]), #"{"kind":7}"#),
        ] as [(Inside, String)] {
            #expect(try text(value) == json)
        }
        let error = #expect(throws: ModelError.self) { try text(Inside.part(["kind": 5, "x": 1])) }
        #expect(
            error?.description.contains(
                "expected a payload without the member that names the case, found its member \"kind\""
            )
                == true, "\(error as Any)")
        let cases: [(String, String, String)] = [
            ("1", " (line 1, column 10): expected an object, found the number 1.", "type"),
            (
                #"{"kind": "circle"}"#, ".radius (line 1, column 10): expected an integer, found no such key.",
                "required"
            ),
        ]
        refuses(Inside.self, cases)
    }

    @Test("Inside: written with sorted keys, also pretty; a payload that is no object fails")
    func insideWriting() throws {
        let box = Box<Inside>()
        box.list = [.circle(Circle()), .empty]
        #expect(
            try box.jsonString(options: .pretty) == """
                {
                  "list": [
                    {
                      "color": "red",
                      "kind": "circle",
                      "radius": 1
                    },
                    {
                      "kind": "empty"
                    }
                  ],
                  "byName": {}
                }
                """)
        box.list = [.number(5)]
        let error = #expect(throws: ModelError.self) { try box.jsonString() }
        #expect(error?.description == "Box<Inside>.list at $.list[0]: expected an object, found 5.")
    }

    @Test("Beside: the payload is a member next to the name")
    func beside() throws {
        for (json, written, expected) in [
            (#"{"t": "count", "c": 1}"#, #"{"c":1,"t":"count"}"#, Beside.count(1)),
            (#"{"c": 1, "x": [], "t": "other"}"#, #"{"c":1,"t":"other"}"#, .other(1)),
            (#"{"t": "empty", "c": 7}"#, #"{"t":"empty"}"#, .empty),
            (#"{"t": "name"}"#, #"{"c":null,"t":"name"}"#, .name(nil)),
            (#"{"t": "name", "c": "x"}"#, #"{"c":"x","t":"name"}"#, .name("x")),
        ] {
            #expect(try value(json) == expected)
            #expect(try text(expected) == written)
        }
        #expect(try JSONMapper.jsonString(of: Beside.count(1)) == #"{"t":"count","c":1}"#)
        let names = #"expected one of the type names "count", "empty", "name", "other", found"#
        let cases: [(String, String, String)] = [
            (#"{"t": "count"}"#, ".c (line 1, column 10): expected an integer, found no such key.", "required"),
            (#"{"t": "x", "c": 1}"#, #".t (line 1, column 16): \#(names) the string "x"."#, "discriminator"),
            (#"{"c": 1}"#, ".t (line 1, column 10): \(names) no such key.", "discriminator"),
            (
                #"{"t": "count", "c": "x"}"#,
                #".c (line 1, column 30): expected an integer, found the string "x"."#, "type"
            ),
        ]
        refuses(Beside.self, cases)
    }

    @Test("Untagged: the first case that fits is taken")
    func untagged() throws {
        for (json, read) in [
            (#""none""#, "none"), (#""2016-01-23""#, "date(2016-01-23 00:00:00 +0000)"), ("5", "count(5)"),
            (#"["a"]"#, #"texts(["a"])"#),
        ] {
            #expect("\(try #require(try value(json) as Untagged?))" == read)
        }
        #expect(try JSONMapper.value(Untagged.self, from: "null").isNone)
        guard case .circle(let circle)? = try value(#"{"radius": 5}"#) as Untagged? else { return recordOtherCase() }
        #expect(circle.radius == 5)
        for (value, json) in [
            (.none, #""none""#), (.count(5), "5"), (.circle(circle), #"{"color":"red","radius":5}"#),
            (.date(Date(timeIntervalSince1970: 0)), #""1970-01-01T00:00:00Z""#),
        ] as [(Untagged, String)] {
            #expect(try text(value) == json)
        }
        #expect(failure(Untagged.self, "true").1 == "anyOf")
        let schema = try JSONMapper.jsonSchema(of: Beside.self)
        #expect(schema["oneOf"]?.array?.count == 4)
        #expect(try JSONMapper.jsonSchema(of: Untagged.self)["anyOf"]?.array?.count == 5)
    }

    // MARK: Composition

    @Test("An enum may hold a model that holds it, and not itself")
    func recursive() throws {
        let json = #"{"node":{"next":{"leaf":1}}}"#
        let tree: Tree = try JSONMapper.value(from: json)
        guard case .node(let node) = tree, case .leaf(1)? = node.next else { return recordOtherCase() }
        #expect(try JSONMapper.jsonString(of: tree) == json)
        #expect(
            failure(Term.self, "1").0
                == "Term cannot be mapped: its enumCases cannot be used: a payload contains the enum itself; put a model between them."
        )
    }

    @Test("Values are compared and copied by case and payload")
    func comparing() throws {
        let box = Box<Outside>()
        (box.value, box.list) = (.circle(Circle()), [.square(side: 1), .empty])
        let copy = try box.copy()
        #expect(copy.isEqual(to: box))
        guard case .circle(let circle)? = copy.value, case .circle(let original)? = box.value else {
            return recordOtherCase()
        }
        #expect(circle !== original)
        circle.radius = 2
        #expect(!copy.isEqual(to: box))
        (copy.value, copy.list) = (.circle(original), [.square(side: 1), .maybe(1)])
        #expect(!copy.isEqual(to: box))
        try box.update(json: #"{"value": "empty"}"#)
        guard case .empty? = box.value else { return recordOtherCase() }
        try box.merge(patch: #"{"value": {"square": 4}, "list": []}"#)
        guard case .square(side: 4)? = box.value else { return recordOtherCase() }
        try box.update(json: #"{"value": null}"#)
        #expect(box.value == nil)
    }

    @Test("ModelCheck finds the classes in payloads, and schemas describe them")
    func checked() throws {
        let sample =
            #"{"value": {"circle": {"radius": 1, "color": "red"}}, "list": ["empty", {"square": 2}], "byName": {}}"#
        #expect(ModelCheck.check(Box<Outside>.self, sample: sample) == [])
        let inside = #"{"value": {"kind": "circle", "radius": 1, "color": "red"}, "list": [{"kind": 7}], "byName": {}}"#
        #expect(ModelCheck.check(Box<Inside>.self, sample: inside) == [])
        let beside =
            #"{"value": {"t": "name", "c": null}, "list": [{"t": "empty"}, {"t": "count", "c": 1}], "byName": {}}"#
        #expect(ModelCheck.check(Box<Beside>.self, sample: beside) == [])
        #expect(
            try JSONMapper.jsonSchema(of: Level.self)
                == [
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "anyOf": [
                        ["enum": ["low", "l", 0, "mid"]], ["type": "number", "minimum": 10, "maximum": 19],
                        ["type": "number", "minimum": 20, "maximum": 29],
                        ["type": "number", "minimum": 40, "maximum": 49],
                    ],
                ])
        #expect(try JSONMapper.jsonSchema(of: Outside.self)["oneOf"][0] == ["enum": ["empty"]])
        #expect(
            try JSONMapper.jsonSchema(of: Outside.self)["oneOf"][3]
                == [
                    "type": "object", "properties": ["square": ["type": "number"]], "required": ["square"],
                    "additionalProperties": false,
                ])
    }

    @Test("ModelCheck finds the mistakes of classes in payloads, beside an unknown case too")
    func payloadMistakes() {
        #expect(ModelCheck.check(Box<Open>.self).map(\.model) == ["Misdated"])
    }

    @Test("A mistake in a list of cases makes the class invalid")
    func mistakes() {
        #expect(failure(Unnamed.self, "1").0.contains("its enumCases cannot be used: a case has no name"))
        #expect(failure(Twice.self, "1").0.contains(#"its enumCases cannot be used: two cases have the name "1""#))
        #expect(failure(Opaque.self, "1").0.contains("nothing converts its property value of type Opaque?"))
    }
}

extension Untagged {
    fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}

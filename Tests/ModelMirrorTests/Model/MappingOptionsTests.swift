import ModelMirror
import Testing

private class Loose: AbstractModel {
    var number = 7
    var text: String? = "default"
    var name = ""
}

private class Strict: AbstractModel {
    var number = 7
    var loose = Loose()
    var stated: StatedLoose?
    var list: [Loose] = []
    var strict: Strict?

    override class var mappingOptions: MappingOptions { .strict }
}

private class StatedLoose: AbstractModel {
    var number = 7
    var strict: Strict?

    override class var mappingOptions: MappingOptions { MappingOptions(strict: false) }
}

private class StrictSubclass: Strict {
    var other = 7

    override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
}

private class LooseAgain: StrictSubclass {
    var text = ""

    override class var mappingOptions: MappingOptions { MappingOptions(strict: false) }
}

private class StrictTexts: Strict {
    var text = ""
    var texts: [String] = []

    override class var mappingOptions: MappingOptions {
        MappingOptions(stringsFromNumbers: true, arraysFromSingleValues: true)
    }
}

private class Texts: AbstractModel {
    var text: String? = "default"
    var list: [String] = []
    var loose: Loose?

    override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
}

private class Node: AbstractModel {
    var child: Node?
    var values: [[Int]] = []
}

private class Shallow: AbstractModel {
    var child: Node?

    override class var mappingOptions: MappingOptions { MappingOptions(depth: 2, bytes: 60) }
}

private class ShallowSubclass: Shallow {
    var name: String?

    override class var mappingOptions: MappingOptions { MappingOptions(strict: true) }
}

@Suite("mappingOptions")
struct MappingOptionsTests {
    @Test(
        "The call's strict option overrides the class's, which overrides the superclass's",
        arguments: [nil, true, false] as [Bool?])
    func strict(call: Bool?) throws {
        let options = MappingOptions(strict: call)
        let bad = #"{"number": "5"}"#
        let calls: [(isStrict: Bool, map: () throws -> Any)] = [
            (call ?? false, { try Loose(json: bad, options: options) }),
            (call ?? true, { try Strict(json: bad, options: options) }),
            (call ?? true, { try StrictSubclass(json: bad, options: options) }),
            (call ?? false, { try LooseAgain(json: bad, options: options) }),
            (call ?? true, { try [Strict](json: "[\(bad)]", options: options) }),
            (call ?? false, { try [String: LooseAgain](json: "{\"a\": \(bad)}", options: options) }),
        ]
        for (number, call) in calls.enumerated() {
            #expect(((try? call.map()) == nil) == call.isStrict, "call \(number)")
        }
    }

    @Test("A nested model uses the options of its own class, otherwise those of the enclosing class")
    func nestedByItsOwnClass() throws {
        #expect(
            Thrown.error {
                try Strict(json: #"{"loose": {"number": "1"}, "list": [{"number": "3"}, {"number": true}]}"#)
            }?.valueFailures.map { "\($0.path)" } == ["$.loose.number", "$.list[0].number", "$.list[1].number"])
        let object = try Strict(json: #"{"loose": {"number": 1}, "stated": {"number": "2"}, "list": [{"number": 3}]}"#)
        #expect((object.loose.number, object.stated?.number, object.list.map(\.number)) == (1, 2, [3]))
    }

    @Test("A strict model in a lenient one is mapped strictly, and the rest leniently")
    func strictInside() throws {
        let (object, report) = try StatedLoose.mapReporting(json: #"{"strict": {"number": "1"}, "number": "2"}"#)
        #expect(object.strict == nil)
        #expect(object.number == 2)
        #expect(
            report.lines.filter { $0.contains("Strict.number") } == [
                "fallback: Strict.number at $.strict.number (line 1, column 23): expected an integer, found the "
                    + #"string "1"."#
            ])
    }

    @Test("A strict model stays strict after a lenient nested model")
    func strictBehind() {
        #expect(
            Thrown.lines {
                try Strict(json: #"{"stated": {"number": "2"}, "number": "1"}"#)
            } == [
                #"Strict.number at $.number (line 1, column 39): expected an integer, found the string "1"."#
            ])
    }

    @Test("The call's strict option applies to every nested model")
    func callForAll() throws {
        #expect(
            Thrown.error {
                try Strict(
                    json: #"{"loose": {"number": "1"}, "stated": {"number": "2"}, "strict": {"number": "3"}}"#,
                    options: .strict)
            }?.valueFailures.map { "\($0.path)" } == ["$.loose.number", "$.stated.number", "$.strict.number"])
        let object = try Strict(
            json: #"{"number": "0", "strict": {"number": "3"}}"#, options: MappingOptions(strict: false))
        #expect(object.strict?.number == 3)
    }

    @Test("stringsFromNumbers keeps the digits and applies per class, in strict mapping too")
    func stringsFromNumbers() throws {
        let json = #"{"text": 1.50, "list": ["a", 1e2, true], "loose": {"text": 5}}"#
        let (texts, report) = try Texts.mapReporting(json: json)
        #expect((texts.text, texts.list, texts.loose?.text) == ("1.50", ["a", "1e2"], "5"))
        #expect(
            report.entries.filter { $0.kind == .coerced }.map { "\($0.path)" }
                == ["$.text", "$.list[1]", "$.loose.text"])

        let off = try Texts(json: json, options: MappingOptions(stringsFromNumbers: false))
        #expect(off.text == "default")
        let on = try Texts(json: json, options: MappingOptions(stringsFromNumbers: true))
        #expect(on.loose?.text == "5")
        let strictOptions = MappingOptions(strict: true, stringsFromNumbers: true)
        #expect(try Loose(json: #"{"name": 5}"#, options: strictOptions).name == "5")
        #expect(
            Thrown.error { try Texts(json: json, options: strictOptions) }?.valueFailures.map { "\($0.path)" } == [
                "$.list[2]"
            ])
    }

    @Test("Explicit options of a subclass apply alongside an inherited strict option")
    func explicitBesideInherited() throws {
        let texts = try StrictTexts(json: #"{"text": 5, "texts": 1.50}"#)
        #expect(texts.text == "5" && texts.texts == ["1.50"])
        #expect(
            Thrown.lines { try StrictTexts(json: #"{"text": true, "number": "5"}"#) } == [
                "StrictTexts.text at $.text (line 1, column 10): expected a string, found true.",
                #"StrictTexts.number at $.number (line 1, column 26): expected an integer, found the string "5"."#,
            ])
    }

    @Test("The depth limit counts containers, the outermost as 1", arguments: [false, true])
    func depth(isReading: Bool) throws {
        let key = isReading ? "values" : "unknown"
        let json = #"{"\#(key)": [[1]]}"#
        _ = try Node(json: json, options: MappingOptions(depth: 3))
        let error = #expect(throws: ModelError.self) { try Node(json: json, options: MappingOptions(depth: 2)) }
        let column = key.count + 7
        #expect(
            error?.description
                == "Invalid JSON at line 1, column \(column) (byte \(column - 1)): expected no deeper nesting (the "
                + "limit of MappingOptions.depth is reached), found '['.")
        #expect(throws: ModelError.self) { try Node(json: json, options: MappingOptions(depth: 0)) }
        _ = try Node(json: "{}", options: MappingOptions(depth: 0))
    }

    @Test("The depth limit counts from the root, even if a path is mapped")
    func depthAtPath() throws {
        let json = #"{"a": {"b": {"child": {}}}}"#
        _ = try Node(json: json, at: ["a", "b"], options: MappingOptions(depth: 4))
        #expect(
            Thrown.error {
                try Node(json: json, at: ["a", "b"], options: MappingOptions(depth: 3))
            }?.syntaxError?.offset == 22)
    }

    @Test("The depth limit defaults to 512 and never exceeds maximumDepth")
    func depthLimits() throws {
        func document(_ depth: Int) -> String {
            String(repeating: #"{"child":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
        }
        var depth = 1
        var node = try Node(json: document(512))
        while let child = node.child { (node, depth) = (child, depth + 1) }
        #expect(depth == 512)
        #expect(Thrown.error { try Node(json: document(513)) }?.syntaxError?.offset == 512 * 9)
        #expect(MappingOptions.maximumDepth == 1024)
        let array = String(repeating: "[", count: 1024) + String(repeating: "]", count: 1024)
        #expect(
            Thrown.error {
                try Node(json: #"{"unknown": \#(array)}"#, options: MappingOptions(depth: .max))
            }?.syntaxError?.offset == 12 + 1023)
    }

    @Test("A document that is longer than the byte limit is rejected")
    func bytes() throws {
        let json = #"{"child": {}}"#
        _ = try Node(json: json, options: MappingOptions(bytes: 13))
        #expect(
            Thrown.text { try Node(json: json, options: MappingOptions(bytes: 12)) }
                == "Invalid JSON at line 1, column 13 (byte 12): expected a shorter document (the limit of "
                + "MappingOptions.bytes is passed), found '}'.")
    }

    @Test("A class's limits apply to calls on it and its subclasses unless the call overrides them")
    func classLimits() throws {
        let deep = #"{"child": {"values": []}}"#
        let long = #"{"child": {}, "unknown": "\#(String(repeating: "x", count: 60))"}"#
        let calls: [() throws -> Any] = [
            { try Shallow(json: deep) }, { try Shallow(json: long) },
            { try [Shallow](json: "[\(deep)]", options: MappingOptions(bytes: 100)) },
            { try ShallowSubclass(json: deep) }, { try [ShallowSubclass](json: "[{\"child\": {}}]") },
            { try ShallowSubclass.mapReporting(json: long) },
        ]
        for (number, call) in calls.enumerated() {
            #expect(throws: ModelError.self, "call \(number)") { try call() }
        }
        _ = try Shallow(json: deep, options: MappingOptions(depth: 3))
        _ = try Shallow(json: long, options: MappingOptions(bytes: 100))
    }

    @Test("Missing Optionals are reported only with reportsMissingOptionals")
    func missingOptionals() throws {
        #expect(try Loose.mapReporting(json: "{}").report.entries.map(\.property) == ["number", "name"])
        let options = MappingOptions(reportsMissingOptionals: true)
        #expect(
            try Loose.mapReporting(json: "{}", options: options).report.entries.map(\.property)
                == ["number", "text", "name"])
    }
}

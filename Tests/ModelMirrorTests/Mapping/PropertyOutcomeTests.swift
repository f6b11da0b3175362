import ModelMirror
import Testing

private class Owner: AbstractModel {
    var id = 7

    override class var requiredProperties: Set<String> { ["id"] }

    static func numbered(_ id: Int) -> Owner {
        let owner = Owner()
        owner.id = id
        return owner
    }
}

/// One property of each kind. Every default is or contains 7; the hook assigns 99.
private class Subject: AbstractModel {
    var optional: Int? = 7
    var scalar = 7
    var array = [7]
    var optionalArray: [Int]? = [7]
    var set: Set<Int> = [7]
    var dictionary = ["seven": 7]
    var model = Owner()
    var optionalModel: Owner? = Owner()
    var models = [Owner()]
    var modelsByName = ["seven": Owner()]

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        guard let probe = HookProbe.current else { return false }
        probe.note(value, property)
        if probe.answer == .assigns { assign99(property) }
        return probe.answer == .fails
    }

    private func assign99(_ property: String) {
        switch property {
        case "optional": optional = 99
        case "scalar": scalar = 99
        case "array": array = [99]
        case "optionalArray": optionalArray = [99]
        case "set": set = [99]
        case "dictionary": dictionary = ["99": 99]
        case "model": model = .numbered(99)
        case "optionalModel": optionalModel = .numbered(99)
        case "models": models = [.numbered(99)]
        case "modelsByName": modelsByName = ["99": .numbered(99)]
        default: break
        }
    }

    /// A property's value; an owner is written as its `id`.
    func text(_ property: String) -> String {
        switch property {
        case "optional": optional.map { "\($0)" } ?? "nil"
        case "scalar": "\(scalar)"
        case "array": "\(array)"
        case "optionalArray": optionalArray.map { "\($0)" } ?? "nil"
        case "set": "\(set.sorted())"
        case "dictionary": "\(dictionary.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })"
        case "model": "\(model.id)"
        case "optionalModel": optionalModel.map { "\($0.id)" } ?? "nil"
        case "models": "\(models.map(\.id))"
        case "modelsByName": "\(modelsByName.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.id)" })"
        default: "no such property"
        }
    }
}

/// One case for one property: its JSON and the expected outcome.
private struct Situation: Sendable, CustomTestStringConvertible {
    let property: String
    /// The property's JSON; nil for a missing key.
    let json: String?
    /// The value that the hook receives.
    let asked: String
    /// The property's value in lenient mapping, if the hook returns false and assigns nothing.
    let result: String
    /// The failures that are thrown if the hook returns true.
    let failures: [String]
    /// The report's entries if the hook returns false.
    let entries: [String]
    /// Whether strict mapping fails without calling the hook.
    let failsInStrict: Bool

    var testDescription: String { json.map { "\(property): \($0)" } ?? "\(property) missing" }

    /// The document: the property in question alone on its line, all others with values that fit.
    var document: String {
        let others = Situation.fitting.filter { $0.property != property }.map { "  \"\($0.property)\": \($0.json)" }
        let own = json.map { ["  \"\(property)\": \($0)"] } ?? []
        return "{\n" + (own + others).joined(separator: ",\n") + "\n}"
    }

    /// The property's value if the hook assigns its own.
    var assigned: String {
        switch property {
        case "array", "optionalArray", "set", "models": "[99]"
        case "dictionary", "modelsByName": #"["99: 99"]"#
        default: "99"
        }
    }

    private static let fitting: [(property: String, json: String)] = [
        ("optional", "1"), ("scalar", "1"), ("array", "[1]"), ("optionalArray", "[1]"), ("set", "[1]"),
        ("dictionary", #"{"one": 1}"#), ("model", #"{"id": 1}"#), ("optionalModel", #"{"id": 1}"#),
        ("models", #"[{"id": 1}]"#), ("modelsByName", #"{"one": {"id": 1}}"#),
    ]

    // MARK: The cases

    /// The default of each property, and what is expected of its JSON.
    private static let kinds: [(property: String, initial: String, expected: String, isOptional: Bool)] = [
        ("optional", "7", "an integer", true), ("scalar", "7", "an integer", false),
        ("array", "[7]", "an array", false), ("optionalArray", "[7]", "an array", true),
        ("set", "[7]", "an array", false), ("dictionary", #"["seven: 7"]"#, "an object", false),
        ("model", "7", "an object for Owner", false), ("optionalModel", "7", "an object for Owner", true),
        ("models", "[7]", "an array", false), ("modelsByName", #"["seven: 7"]"#, "an object", false),
    ]

    static let missing = kinds.map { kind in
        let sentence =
            "Subject.\(kind.property) at $.\(kind.property) (line 1, column 1): expected \(kind.expected), found no "
            + "such key."
        return Situation(
            property: kind.property, json: nil, asked: "nil", result: kind.initial, failures: [sentence],
            entries: ["missing: " + sentence], failsInStrict: false)
    }

    static let null = kinds.map { kind in
        let column = kind.property.count + 7
        let sentence =
            "Subject.\(kind.property) at $.\(kind.property) (line 2, column \(column)): expected \(kind.expected), "
            + "found null."
        return Situation(
            property: kind.property, json: "null", asked: "nil", result: kind.isOptional ? "nil" : kind.initial,
            failures: [sentence], entries: kind.isOptional ? [] : ["fallback: " + sentence],
            failsInStrict: !kind.isOptional)
    }

    static let wrongKind = kinds.map { kind in
        let column = kind.property.count + 7
        let (json, asked, found) =
            kind.expected.hasPrefix("an object")
            ? ("[5]", "[Int 5]", "an array") : (#"{"a": "x"}"#, #"{a: String "x"}"#, "an object")
        let sentence =
            "Subject.\(kind.property) at $.\(kind.property) (line 2, column \(column)): expected \(kind.expected), "
            + "found \(found)."
        return Situation(
            property: kind.property, json: json, asked: asked, result: kind.initial, failures: [sentence],
            entries: ["fallback: " + sentence], failsInStrict: true)
    }

    static let badElement =
        ["array", "optionalArray", "set"].map { property in
            let column = property.count + 7
            let sentences = [
                "Subject.\(property) at $.\(property)[1] (line 2, column \(column + 4)): expected an integer, "
                    + #"found the string "x"."#,
                "Subject.\(property) at $.\(property)[3] (line 2, column \(column + 12)): expected an integer, found "
                    + "null.",
            ]
            return Situation(
                property: property, json: #"[1, "x", 3, null]"#,
                asked: #"[Int 1, String "x", Int 3, JSONValue null]"#, result: "[1, 3]", failures: sentences,
                entries: sentences.map { "skipped: " + $0 }, failsInStrict: true)
        } + [
            Situation(
                property: "dictionary", json: #"{"a": 1, "b": []}"#, asked: "{a: Int 1, b: []}", result: #"["a: 1"]"#,
                failures: [
                    "Subject.dictionary at $.dictionary.b (line 2, column 31): expected an integer, found an array."
                ],
                entries: [
                    "skipped: Subject.dictionary at $.dictionary.b (line 2, column 31): expected an integer, found "
                        + "an array."
                ], failsInStrict: true),
            Situation(
                property: "models", json: #"[{"id": 1}, 5]"#, asked: "[{id: Int 1}, Int 5]", result: "[1]",
                failures: [
                    "Subject.models at $.models[1] (line 2, column 25): expected an object for Owner, found the "
                        + "number 5."
                ],
                entries: [
                    "skipped: Subject.models at $.models[1] (line 2, column 25): expected an object for Owner, found "
                        + "the number 5."
                ], failsInStrict: true),
        ]

    static let badNestedModel =
        ["model", "optionalModel"].map { property in
            let column = property.count + 7
            let nested =
                "Owner.id at $.\(property).id (line 2, column \(column + 7)): expected an integer, "
                + #"found the string "x"."#
            return Situation(
                property: property, json: #"{"id": "x"}"#, asked: #"{id: String "x"}"#, result: "7", failures: [nested],
                entries: [
                    "fallback: Subject.\(property) at $.\(property) (line 2, column \(column)): expected an object "
                        + "for Owner, found an object with failures.",
                    "fallback: " + nested,
                ], failsInStrict: true)
        } + [
            Situation(
                property: "models", json: #"[{"id": 1}, {"id": []}, {}]"#, asked: "[{id: Int 1}, {id: []}, {}]",
                result: "[1]",
                failures: [
                    "Owner.id at $.models[1].id (line 2, column 32): expected an integer, found an array.",
                    "Owner.id at $.models[2].id (line 2, column 37): expected an integer, found no such key.",
                ],
                entries: [
                    "skipped: Subject.models at $.models[1] (line 2, column 25): expected an object for Owner, found "
                        + "an object with failures.",
                    "fallback: Owner.id at $.models[1].id (line 2, column 32): expected an integer, found an array.",
                    "skipped: Subject.models at $.models[2] (line 2, column 37): expected an object for Owner, found "
                        + "an object with failures.",
                    "missing: Owner.id at $.models[2].id (line 2, column 37): expected an integer, found no such key.",
                ], failsInStrict: true),
            Situation(
                property: "modelsByName", json: #"{"a": {"id": 1}, "b": {"id": null}}"#,
                asked: "{a: {id: Int 1}, b: {id: JSONValue null}}", result: #"["a: 1"]"#,
                failures: ["Owner.id at $.modelsByName.b.id (line 2, column 48): expected an integer, found null."],
                entries: [
                    "skipped: Subject.modelsByName at $.modelsByName.b (line 2, column 41): expected an object for "
                        + "Owner, found an object with failures.",
                    "fallback: Owner.id at $.modelsByName.b.id (line 2, column 48): expected an integer, found null.",
                ], failsInStrict: true),
        ]

    static let all = missing + null + wrongKind + badElement + badNestedModel
}

@Suite("Outcomes for one property")
struct PropertyOutcomeTests {
    @Test(
        "Lenient mapping calls shouldFail once, and its result decides the outcome",
        arguments: Situation.all, HookProbe.Answer.allCases)
    fileprivate func lenient(_ situation: Situation, answer: HookProbe.Answer) throws {
        try expectHookToDecide(situation, answer, strict: false)
    }

    @Test(
        "Strict mapping treats a missing key, and null for an Optional, like lenient mapping",
        arguments: Situation.all.filter { !$0.failsInStrict }, HookProbe.Answer.allCases)
    fileprivate func strictHook(_ situation: Situation, answer: HookProbe.Answer) throws {
        try expectHookToDecide(situation, answer, strict: true)
    }

    @Test(
        "Strict mapping rejects all other invalid values without calling shouldFail",
        arguments: Situation.all.filter(\.failsInStrict), HookProbe.Answer.allCases)
    fileprivate func strict(_ situation: Situation, answer: HookProbe.Answer) throws {
        let probe = HookProbe(answer)
        #expect(
            Thrown.lines {
                try Subject.mapReporting(json: situation.document, options: probe.options(strict: true))
            } == situation.failures)
        #expect(probe.calls == [])
    }

    @Test("A valid value is stored without a report entry or a call of shouldFail", arguments: [false, true])
    func fitting(strict: Bool) throws {
        let probe = HookProbe(.fails)
        let document = """
            {"optional": 1, "scalar": 2, "array": [3], "optionalArray": [4], "set": [5], "dictionary": {"a": 6},
             "model": {"id": 8}, "optionalModel": {"id": 9}, "models": [{"id": 10}], "modelsByName": {"b": {"id": 11}}}
            """
        let (subject, report) = try Subject.mapReporting(json: document, options: probe.options(strict: strict))
        let values = Situation.missing.map { subject.text($0.property) }
        #expect(values == ["1", "2", "[3]", "[4]", "[5]", #"["a: 6"]"#, "8", "9", "[10]", #"["b: 11"]"#])
        #expect(report.entries.isEmpty)
        #expect(probe.calls == [])
    }

    private func expectHookToDecide(_ situation: Situation, _ answer: HookProbe.Answer, strict: Bool) throws {
        let probe = HookProbe(answer)
        let options = probe.options(strict: strict)
        if answer == .fails {
            #expect(
                Thrown.lines {
                    try Subject.mapReporting(json: situation.document, options: options)
                } == situation.failures)
        } else {
            let (subject, report) = try Subject.mapReporting(json: situation.document, options: options)
            let isAssigned = answer == .assigns
            #expect(subject.text(situation.property) == (isAssigned ? situation.assigned : situation.result))
            #expect(report.lines == situation.entries)
        }
        #expect(probe.calls == ["\(situation.property) = \(situation.asked)"])
    }
}

import Testing

@testable import ModelMirror

extension PropertyRule {
    fileprivate func accepts(_ value: Value?) -> Bool { form.broken(by: value) == nil }
}

private struct UniqueCheck<Value> {
    func accepts(_ value: Value) -> Bool { RuleForm.unique.broken(by: value) == nil }
}

@Suite("Regular expressions in rules")
struct RulePatternTests {
    private func schema(_ rule: any PropertyRule) -> [String: JSONValue] { rule.form.schema(for: String.self) }

    @Test("An expression is read by Unicode scalars, with ASCII digits and letters, as JSON Schema reads it")
    func reading() {
        let digit: ValidationRule<String> = .matches(/\d/, as: "a digit")
        #expect(digit.accepts("3") && !digit.accepts("٣"))
        let letter: ValidationRule<String> = .contains(/\w/, as: "a letter")
        #expect(letter.accepts("-a-") && !letter.accepts("-é-"))
        let two: ValidationRule<String> = .matches(/../, as: "two scalars")
        #expect(two.accepts("e\u{301}") && two.accepts("🇨🇭") && !two.accepts("é"))
        let accented: ValidationRule<String> = .matches(/é/, as: "é")
        #expect(accented.accepts("\u{E9}") && !accented.accepts("e\u{301}"))
        let anyDigit: ValidationRule<String> = .matches(/\d/.asciiOnlyDigits(false), as: "a digit")
        #expect(anyDigit.accepts("٣"))
    }

    @Test(
        "An expression that JavaScript reads alike is in the schema",
        arguments: [
            (.matches(/[0-9]{5}/, as: "w"), "^(?:[0-9]{5})$"), (.contains(/^a|b$/, as: "w"), "^a|b$"),
            (.matches(/\d+\.\d{2,}/, as: "w"), "^(?:\\d+\\.\\d{2,})$"),
            (.contains(/(?!a)(?:b|c)*?/, as: "w"), "(?!a)(?:b|c)*?"),
            (.contains(/[^\]\-a-z&]/, as: "w"), "[^\\]\\-a-z&]"), (.contains(/a b/, as: "w"), "a b"),
        ] as [(ValidationRule<String>, String)])
    func portable(_ rule: ValidationRule<String>, _ pattern: String) {
        #expect(schema(rule) == ["pattern": .string(pattern)])
    }

    @Test(
        "An expression that only Swift reads is a comment in the schema",
        arguments: [
            .matches(/(?i)a/, as: "w"), .matches(/a/.ignoresCase(), as: "w"),
            .matches(/\d/.asciiOnlyDigits(false), as: "w"),
            .contains(/\ba/, as: "w"), .contains(/\p{L}/, as: "w"), .contains(/a++/, as: "w"),
            .contains(/(a)\1/, as: "w"),
            .contains(/[a[b]]/, as: "w"), .contains(/[a-z--b]/, as: "w"), .contains(/\h/, as: "w"),
            .contains(/(?>a)/, as: "w"),
        ] as [ValidationRule<String>])
    func foreign(_ rule: ValidationRule<String>) {
        #expect(schema(rule) == ["$comment": "not described: w"])
    }

    @Test("Several threads match one expression")
    func threads() async {
        for round in 0..<50 {
            let rule: ValidationRule<String> = .matches(/(?:[a-z]+[0-9]*,?)+/, as: "words")
            let matches = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 { group.addTask { rule.accepts("abc12,d\(round),ef") && !rule.accepts("abc-") } }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(matches == 8)
        }
    }

    @Test("Texts are compared by their scalars, in lists and members too")
    func scalars() {
        let texts = UniqueCheck<[String]>()
        #expect(texts.accepts(["é", "e\u{301}"]) && !texts.accepts(["é", "é"]))
        let lists = UniqueCheck<[[String]?]>()
        #expect(lists.accepts([["é"], ["e\u{301}"], nil, []]) && !lists.accepts([["a"], nil, ["a"]]))
        let objects = UniqueCheck<[[String: Character]]>()
        #expect(
            objects.accepts([["é": "a"], ["e\u{301}": "a"], [:]]) && !objects.accepts([["a": "é"], [:], ["a": "é"]]))
        let values = UniqueCheck<[JSONValue]>()
        #expect(
            values.accepts(["", [], [:], nil, [""], [[]], ["e\u{301}"], ["é"]])
                && !values.accepts([[1, "a"], [1.0, "a"]]))
        let characters: ValidationRule<Character> = .oneOf(["é"])
        #expect(characters.accepts("é") && !characters.accepts("e\u{301}"))
    }
}

import Foundation
import ModelMirror
import Testing

private class Person: AbstractModel {
    var name = ""
    var nick: String?
    var age = 0
    var height: Double!
    var tags: [String] = []
    var friends: [Person] = []

    override class var propertyKeys: [String: PropertyKey] { ["name": "full_name", "age": .path("facts", "age")] }

    override func validateModel(_ validation: inout ModelValidation) {
        validation.require(
            "name", name, .notEmpty, .count(...10),
            .check("a name without spaces") { (name: String) in !name.contains(" ") })
        validation.require("nick", nick, .notEmpty)
        validation.require("age", age, .inRange(0...150))
        validation.require("height", height, .notNil, .inRange(0..<3))
        validation.require("tags", tags, .count(1...2))
        if name == nick { validation.fail("nick", expected: "another name than \(name)") }
    }
}

private class Empty: AbstractModel {
    var value: Int?

    override func validateModel(_ validation: inout ModelValidation) {
        validation.require("value", value)
        validation.require("value", value, .check("") { (_: Int) in false })
    }
}

@Suite("Rules in validateModel")
struct ModelValidationTests {
    private func failures(_ members: String) -> [String]? {
        Thrown.lines { try Person(json: "{\n\(members)\n}") }
    }

    @Test("Values that satisfy all rules are accepted, and nil satisfies every rule but notNil")
    func accepted() {
        #expect(failures(#""full_name": "Mona", "facts": {"age": 150}, "height": 2.9, "tags": ["a"]"#) == nil)
        #expect(
            failures(#""full_name": "Mona", "nick": "M", "facts": {"age": 0}, "height": 0, "tags": ["a", "b"]"#) == nil)
        #expect(throws: Never.self) { try Empty(json: #"{"value": null}"#) }
    }

    @Test("Every value that violates a rule is reported at its place in the document")
    func failing() {
        #expect(
            failures(
                #"""
                "full_name": "Mona Lisa", "nick": "",
                "facts": {"age": 151},
                "height": 3.0,
                "tags": []
                """#) == [
                    #"Person.name at $.full_name (line 2, column 14)"#
                        + #": expected a name without spaces, found the string "Mona Lisa"."#,
                    #"Person.nick at $.nick (line 2, column 35)"#
                        + #": expected a string that is not empty, found the string ""."#,
                    "Person.age at $.facts.age (line 3, column 18)"
                        + ": expected an integer from 0 to 150, found the number 151.",
                    "Person.height at $.height (line 4, column 11)"
                        + ": expected a number from 0 on and below 3, found the number 3.0.",
                    "Person.tags at $.tags (line 5, column 9): expected an array of 1 to 2 elements, "
                        + "found an array of 0 elements.",
                ])
    }

    @Test("Each require or fail call reports at most one failure, for the first violated rule")
    func order() {
        #expect(
            failures(#""full_name": "", "nick": "", "facts": {"age": 1}, "height": 1, "tags": ["a"]"#) == [
                #"Person.name at $.full_name (line 2, column 14)"#
                    + #": expected a string that is not empty, found the string ""."#,
                #"Person.nick at $.nick (line 2, column 26)"#
                    + #": expected a string that is not empty, found the string ""."#,
                #"Person.nick at $.nick (line 2, column 26): expected another name than , found the string ""."#,
            ])
        #expect(
            failures(#""full_name": "A very long name", "facts": {"age": 1}, "height": 1, "tags": ["a"]"#) == [
                #"Person.name at $.full_name (line 2, column 14): expected a string of at most 10 characters, "#
                    + #"found the string "A very long name"."#
            ])
    }

    @Test("nil violates notNil, whether the key is missing or null")
    func notNil() {
        let rest = #""full_name": "Mona", "facts": {"age": 1}, "tags": ["a"]"#
        #expect(
            failures(rest) == ["Person.height at $.height (line 1, column 1): expected a value, found no such key."])
        #expect(
            failures(rest + #", "height": null"#)
                == ["Person.height at $.height (line 2, column 68): expected a value, found null."])
    }

    @Test("Nested models are validated first and fail with their own paths")
    func nested() {
        let friend = #"{"full_name": "Lisa", "facts": {"age": -1}, "height": 1, "tags": ["a"]}"#
        let json = #"{"full_name": "", "facts": {"age": 1}, "height": 1, "tags": ["a"], "friends": [\#(friend)]}"#
        #expect(
            Thrown.text { try Person(json: json, options: .strict) }
                == "Person.age at $.friends[0].facts.age (line 1, column 119): expected an integer from 0 to 150, "
                + "found the number -1.")
    }

    @Test("Failures of validate() are located where values are written, also those of ignored properties")
    func places() throws {
        let titled = Titled()
        titled.name = "x"
        #expect(
            Thrown.error { try titled.validate() }?.valueFailures.map { "\($0.path) \($0.property ?? "-")" } == [
                "$.title name", "$.hidden hidden",
            ])
    }

    @Test("A failure names the number of elements, or the one that repeats another")
    func sizes() throws {
        let sized = Sized()
        sized.counts = ["a": 1, "b": 2]
        #expect(
            Thrown.text { try sized.validate() } == """
                Sized.tags at $.tags: expected an array of 1 to 2 elements, found an array of 0 elements.
                Sized.counts at $.counts: expected an object of at most 1 member, found an object of 2 members.
                Sized.name at $.name: expected a string that is not empty, found "".
                Sized.code at $.code: expected data of at least 2 bytes, found a value, redacted.
                """)
        let json = #"{"tags": ["a", "b", "a"], "counts": {"a": 1, "b": 2}, "name": "", "code": ""}"#
        #expect(
            Thrown.text { try Sized(json: json) } == """
                Sized.tags at $.tags (line 1, column 10): expected an array of 1 to 2 elements, found an array of 3 elements.
                Sized.counts at $.counts (line 1, column 37): expected an object of at most 1 member, found an object of 2 members.
                Sized.name at $.name (line 1, column 63): expected a string that is not empty, found the string "".
                Sized.code at $.code (line 1, column 75): expected data of at least 2 bytes, found a value, redacted.
                """)
        sized.tags = ["a", "a"]
        let repeated = #expect(throws: ModelError.self) { try sized.validate() }?.lines.first
        #expect(repeated == #"Sized.tags at $.tags: expected each element once, found "a" again."#)
    }

    @Test("A failure is located at the key that was read")
    func chosenPlace() {
        let json = #"{"views": "many", "count": 7}"#
        #expect(Thrown.error { try Viewed(json: json) }?.valueFailures.map { "\($0.pointer)" } == ["/count"])
        #expect(Thrown.error { try Viewed().update(json: json) }?.valueFailures.map { "\($0.pointer)" } == ["/count"])
    }

    @Test("Objects in the cases of enums are validated, each at its own path")
    func payloads() throws {
        let dot = Dot()
        dot.size = -1
        for (change, pointer) in [
            ({ $0.outside = [.dot(dot)] }, "/outside/0/a dot/size"), ({ $0.beside = .dot(dot) }, "/beside/held/size"),
            ({ $0.inside = .dot(dot) }, "/inside/size"),
        ] as [((Drawing) -> Void, String)] {
            let drawing = Drawing()
            change(drawing)
            #expect(Thrown.error { try drawing.validate() }?.valueFailures.map { "\($0.pointer)" } == [pointer])
        }
    }
}

private final class Sized: AbstractModel {
    var tags: [String] = []
    var counts: [String: Int] = [:]
    var name = ""
    var code = Data()
    override class var redactedProperties: Set<String> { ["code"] }
    override class var propertyRules: [String: any PropertyRule] {
        ["tags": .all(.count(1...2), .unique), "counts": .count(...1), "name": .notEmpty, "code": .count(2...)]
    }
}

private final class Titled: AbstractModel {
    var name = ""
    var hidden = 0
    override class var ignoredProperties: Set<String> { ["hidden"] }
    override class var propertyKeys: [String: PropertyKey] { ["name": .reading(["name", "title"], writing: "title")] }
    override class var propertyRules: [String: any PropertyRule] { ["name": .count(2...)] }
    override func validateModel(_ validation: inout ModelValidation) { validation.fail("hidden", expected: "another") }
}

private class Viewed: AbstractModel {
    var views = 0
    override class var propertyKeys: [String: PropertyKey] { ["views": .firstFitting(["views", "count"])] }
    override func validateModel(_ validation: inout ModelValidation) { validation.require("views", views, .below(5)) }
}

private class Dot: AbstractModel {
    var size = 0
    override class var propertyRules: [String: any PropertyRule] { ["size": .inRange(0...)] }
}

private enum Outside: MappedEnum {
    case dot(Dot)
    static var enumCases: EnumCases<Outside> { .outside([.case(Outside.dot, "a dot")]) }
}

private enum Beside: MappedEnum {
    case dot(Dot)
    static var enumCases: EnumCases<Beside> { .beside(tag: "kind", payload: "held", [.case(Beside.dot, "dot")]) }
}

private enum Inside: MappedEnum {
    case dot(Dot)
    static var enumCases: EnumCases<Inside> { .inside(tag: "kind", [.case(Inside.dot, "dot")]) }
}

private class Drawing: AbstractModel {
    var outside: [Outside] = []
    var beside: Beside?
    var inside: Inside?
}

import Foundation
import ModelMirror
import Testing

private struct UpdateRefusal: Error, CustomStringConvertible {
    var description: String { "no" }
}

private struct Alien: Equatable { var x = 1 }

/// Assigns a value of its own in each call of `shouldFail`.
private class Caring: AbstractModel {
    var count = 1
    var optional: Int? = 1
    var name: String! = "old"
    var tags = ["old"]
    var table = ["old": 1]
    var set: Set<Int>? = [1]
    var child: Child? = Child()
    var alien: Alien? = Alien()
    var login: String? = "old"
    var end = 0

    private(set) var asked: [String] = []

    override class var ignoredProperties: Set<String> { ["asked"] }
    override class var readOnlyProperties: Set<String> { ["alien"] }
    override class var propertyKeys: [String: PropertyKey] { ["login": ["login", .path("owner", "login")]] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        asked.append("\(property) \(HookProbe.text(value))")
        switch property {
        case "count": count = 99
        case "optional": optional = 99
        case "name": name = "hook"
        case "tags": tags = ["hook"]
        case "table": table = ["hook": 99]
        case "set": set = [99]
        case "child": child = Child(id: 99)
        case "login": login = "hook"
        default: break
        }
        return false
    }

    override func assign(undefinedValue value: Any?, forProperty property: String) throws {
        guard let x = value as? Int else { throw UpdateRefusal() }
        alien = Alien(x: x)
    }

    override func didMap() throws { if end == 13 { throw UpdateRefusal() } }
}

private class Child: AbstractModel {
    var id = 0

    convenience init(id: Int) {
        self.init()
        self.id = id
    }

    override class var requiredProperties: Set<String> { ["id"] }
}

/// Records the calls of its hooks without assigning.
private class Quiet: AbstractModel {
    var optional: Int? = 1
    var tags = ["old"]
    var end = 0

    private(set) var asked: [String] = []

    override class var ignoredProperties: Set<String> { ["asked"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        asked.append("\(property) \(optional.map(String.init) ?? "nil") \(tags)")
        return end == 12
    }

    override func didMap() throws {
        asked.append("didMap")
        if end == 13 { throw UpdateRefusal() }
    }
}

/// Assigns in `didMap`, then throws.
private class Resetting: AbstractModel {
    var count = 1
    var name = "old"

    override func didMap() throws {
        (count, name) = (7, "didMap")
        throw UpdateRefusal()
    }
}

@Suite("Hooks during updates")
struct UpdateHookTests {
    @Test("A failing update restores values set from JSON and keeps those assigned by didMap")
    func failureOfDidMap() {
        let object = Resetting()
        #expect(throws: ModelError.self) { try object.update(json: #"{"count": 5}"#) }
        #expect(object.count == 1 && object.name == "didMap")
    }

    @Test(
        "A value assigned by shouldFail is kept for any invalid value or null",
        arguments: [
            (#"{"count": "x"}"#, "count", #""count":99"#), (#"{"count": null}"#, "count", #""count":99"#),
            (#"{"count": 5, "count": "x"}"#, "count", #""count":99"#),
            (#"{"optional": null}"#, "optional", #""optional":99"#),
            (#"{"optional": "x"}"#, "optional", #""optional":99"#),
            (#"{"optional": 5, "optional": "x"}"#, "optional", #""optional":99"#),
            (#"{"name": null}"#, "name", #""name":"hook""#), (#"{"tags": ["a", 1]}"#, "tags", #""tags":["hook"]"#),
            (#"{"tags": null}"#, "tags", #""tags":["hook"]"#), (#"{"tags": {}}"#, "tags", #""tags":["hook"]"#),
            (#"{"table": {"a": 1, "b": "x"}}"#, "table", #""table":{"hook":99}"#),
            (#"{"set": [5, "x"]}"#, "set", #""set":[99]"#), (#"{"set": null}"#, "set", #""set":[99]"#),
            (#"{"child": {}}"#, "child", #""child":{"id":99}"#), (#"{"child": null}"#, "child", #""child":{"id":99}"#),
            (#"{"login": null}"#, "login", #""login":"hook""#), (#"{"owner": null}"#, "login", #""login":"hook""#),
            (#"{"owner": {"login": 5}}"#, "login", #""login":"hook""#),
        ])
    func assignments(json: String, property: String, member: String) throws {
        let object = Caring()
        try object.update(json: json)
        #expect(try object.jsonString().contains(member))
        // A new object behaves the same, except that the hook is called for missing keys too.
        let made = try Caring(json: json)
        #expect(try made.jsonString().contains(member))
        #expect(object.asked.count == 1)
        #expect(made.asked.contains(object.asked[0]) && object.asked[0].hasPrefix(property + " "))
    }

    @Test("A value assigned by shouldFail is kept even if it equals the old value")
    func sameValue() throws {
        let object = Caring()
        object.optional = 99
        object.tags = ["hook"]
        try object.update(json: #"{"optional": null, "tags": [1]}"#)
        #expect(object.optional == 99 && object.tags == ["hook"])
    }

    @Test("A failing update keeps values assigned by shouldFail and restores all others")
    func assignmentsAndFailure() throws {
        let object = Caring()
        #expect(
            Thrown.lines {
                try object.update(
                    json: #"{"count": "x", "optional": null, "tags": ["a", 1], "login": "new", "end": 13}"#)
            } == [
                "Caring at $ (line 1, column 1): expected an object that didMap accepts, found an object: no."
            ])
        #expect(object.count == 99 && object.optional == 99 && object.tags == ["hook"])
        #expect(object.login == "old" && object.end == 0)
    }

    @Test("When shouldFail is called, the property already has its value from the JSON")
    func askedAfterStoring() throws {
        let object = Quiet()
        try object.update(json: #"{"optional": null, "tags": ["a", 1, "b"]}"#)
        #expect(object.asked == [#"optional nil ["old"]"#, #"tags nil ["a", "b"]"#, "didMap"])
        #expect(object.optional == nil && object.tags == ["a", "b"])
    }

    @Test("Values stored before shouldFail is called are restored if the hook or didMap fails", arguments: [12, 13])
    func takenBack(end: Int) throws {
        let object = Quiet()
        if end == 12 { object.end = 12 }
        #expect(throws: ModelError.self) {
            try object.update(json: #"{"optional": null, "tags": ["a", 1, "b"], "end": \#(end)}"#)
        }
        #expect(object.optional == 1 && object.tags == ["old"] && object.end == (end == 12 ? 12 : 0))
        #expect(object.asked.last == (end == 12 ? #"tags nil ["a", "b"]"# : "didMap"))
    }

    @Test("Values stored before shouldFail is called are restored after a later syntax error")
    func takenBackForSyntax() throws {
        let object = Quiet()
        #expect(throws: ModelError.self) { try object.update(json: #"{"optional": null, "tags": ["a", 1, "b"]} x"#) }
        #expect(object.optional == 1 && object.tags == ["old"])
        let parent = Parent()
        #expect(throws: ModelError.self) {
            try parent.update(
                json: #"{"quiet": {"optional": null, "tags": ["a", 1]}, "x": }"#,
                options: MappingOptions(updatesNestedInPlace: true))
        }
        #expect(parent.quiet?.optional == 1 && parent.quiet?.tags == ["old"])
        #expect(parent.quiet?.asked.count == 2)
    }

    @Test("Values assigned in assign(undefinedValue:forProperty:) are kept if the update fails")
    func undefined() throws {
        let object = Caring()
        try object.update(json: #"{"alien": 5}"#)
        #expect(object.alien == Alien(x: 5))
        let report = try object.update(json: #"{"alien": "x"}"#)
        #expect(
            report.lines == [
                #"fallback: Caring.alien at $.alien (line 1, column 11): expected a value of type Alien?, found the string "#
                    + #""x": no."#
            ])
        #expect(object.alien == Alien(x: 5))
        #expect(throws: ModelError.self) { try object.update(json: #"{"alien": 6, "end": 13}"#) }
        #expect(object.alien == Alien(x: 6))
    }

    @Test("An update calls shouldFail in declared order, once per property, not for missing keys")
    func order() throws {
        let object = Caring()
        try object.update(json: #"{"login": null, "tags": 1, "count": {}, "tags": [1], "end": 2}"#)
        #expect(object.asked == ["count {}", "tags [Int 1]", "login nil"])
    }
}

private class Parent: AbstractModel {
    var quiet: Quiet? = Quiet()
}

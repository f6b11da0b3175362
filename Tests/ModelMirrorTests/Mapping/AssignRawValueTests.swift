import Foundation
import ModelMirror
import Testing

private class Owner: AbstractModel {
    var id = 7

    override class var requiredProperties: Set<String> { ["id"] }
}

private class Gist: AbstractModel {
    var createdAt = Date(timeIntervalSince1970: 0)
    var comments = 7
    var title: String? = "untitled"
    var tags = ["default"]
    var owner = Owner()
    var price = 0
    var secret = "s"

    override class var propertyKeys: [String: PropertyKey] {
        ["createdAt": "created_at", "title": .path("meta", "title"), "comments": ["a", "b"]]
    }
    override class var propertyConverters: [String: any Converter] { ["price": ContextPrice()] }
    override class var requiredProperties: Set<String> { ["tags"] }
    override class var ignoredProperties: Set<String> { ["secret"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        guard let probe = HookProbe.current else { return false }
        probe.note(value, property)
        if probe.answer == .assigns { comments = 99 }
        return probe.answer == .fails
    }

    override func didMap() throws { HookProbe.current?.note("didMap") }
}

/// A price in the currency's smallest unit; the context is the number of units per currency unit.
private struct ContextPrice: Converter {
    func value(from json: JSONValue) throws -> Int {
        guard let amount = json.int else { throw ConversionError(expected: "an amount") }
        return amount * (MappingContext.current as? Int ?? 1)
    }
    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(value)) }
}

private class Priced: AbstractModel {
    var price = 0

    override class var propertyConverters: [String: any Converter] { ["price": ContextPrice()] }
    override class var mappingOptions: MappingOptions { MappingOptions(strict: true, context: 100) }
}

/// Corrects values in `shouldFail`, as Apic's README proposes.
private class Mending: AbstractModel {
    var size = 7
    var born: Date?

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        // An unchanged value would call the hook again, endlessly.
        guard let text = value as? String, let mended = text.split(separator: " ").first, mended != text else {
            return value != nil
        }
        do throws(ModelError) {
            try assign(rawValue: String(mended), toProperty: property, options: .init(strict: property == "born"))
            return false
        } catch {
            return true
        }
    }
}

@Suite("assign(rawValue:toProperty:)")
struct AssignRawValueTests {
    @Test("assign(rawValue:toProperty:) converts by the property's rules and ignores its key")
    func reads() throws {
        let gist = Gist()
        try gist.assign(rawValue: "2016-01-23T18:30:00Z", toProperty: "createdAt")
        try gist.assign(rawValue: 5, toProperty: "comments")
        try gist.assign(rawValue: "a", toProperty: "title")
        try gist.assign(rawValue: ["x", "y"], toProperty: "tags")
        try gist.assign(rawValue: ["id": 1], toProperty: "owner")
        #expect(gist.createdAt == Date(timeIntervalSince1970: 1_453_573_800))
        #expect((gist.comments, gist.title, gist.tags, gist.owner.id) == (5, "a", ["x", "y"], 1))
    }

    @Test("nil and NSNull set an Optional to nil and keep a non-Optional value", arguments: [false, true])
    func null(foundation: Bool) throws {
        let gist = Gist()
        let value: Any? = foundation ? NSNull() : nil
        #expect(try gist.assign(rawValue: value, toProperty: "title").lines == [])
        #expect(gist.title == nil)
        #expect(
            try gist.assign(rawValue: value, toProperty: "comments").lines == [
                "fallback: Gist.comments at $: expected an integer, found null."
            ])
        #expect(gist.comments == 7)
    }

    @Test("An invalid raw value keeps the property, calls shouldFail and is reported")
    func doesNotFit() throws {
        let gist = Gist()
        let probe = HookProbe()
        let report = try gist.assign(rawValue: ["x"], toProperty: "comments", options: probe.options())
        #expect(gist.comments == 7)
        #expect(report.lines == ["fallback: Gist.comments at $: expected an integer, found an array."])
        #expect(probe.calls == [#"comments = [String "x"]"#])
    }

    @Test("A value assigned by shouldFail is kept")
    func hookAssigns() throws {
        let gist = Gist()
        try gist.assign(rawValue: "x", toProperty: "comments", options: HookProbe(.assigns).options())
        #expect(gist.comments == 99)
    }

    @Test("Assigning an invalid value throws if shouldFail, requiredProperties or strict mapping demands it")
    func fails() throws {
        let gist = Gist()
        let hook = #expect(throws: ModelError.self) {
            try gist.assign(rawValue: 1.5, toProperty: "comments", options: HookProbe(.fails).options())
        }
        #expect(hook?.lines == ["Gist.comments at $: expected an integer, found the number 1.5."])
        let failure = try #require(hook?.valueFailures.first)
        #expect(failure.line == nil && failure.column == nil && failure.offset == nil)
        #expect(
            Thrown.lines { try gist.assign(rawValue: nil, toProperty: "tags") } == [
                "Gist.tags at $: expected an array, found null."
            ])
        let strict = #expect(throws: ModelError.self) {
            try gist.assign(rawValue: "5", toProperty: "comments", options: .strict)
        }
        #expect(strict?.lines == [#"Gist.comments at $: expected an integer, found the string "5"."#])
        #expect((gist.comments, gist.tags) == (7, ["default"]))
    }

    @Test("An invalid nested model keeps the old object; a valid one replaces it")
    func nested() throws {
        let gist = Gist()
        let old = gist.owner
        let report = try gist.assign(rawValue: ["id": "x"], toProperty: "owner")
        #expect(gist.owner === old)
        #expect(
            report.lines == [
                "fallback: Gist.owner at $: expected an object for Owner, found an object with failures.",
                #"fallback: Owner.id at $.id: expected an integer, found the string "x"."#,
            ])
        try gist.assign(rawValue: ["id": 2], toProperty: "owner")
        #expect(gist.owner !== old)
        #expect(old.id == 7)
    }

    @Test("An unknown property name throws invalidModel and suggests a similar name")
    func unknownProperty() {
        let near = #expect(throws: ModelError.self) { try Gist().assign(rawValue: 1, toProperty: "created_at") }
        #expect(
            near?.modelFault?.description
                == #"Gist cannot be mapped: it has no property "created_at" to assign (did you mean "createdAt"?)."#)
        #expect(near?.modelFault?.property == "created_at")
        #expect(
            Thrown.text { try Gist().assign(rawValue: 1, toProperty: "zzzzzzzzz") }
                == #"Gist cannot be mapped: it has no property "zzzzzzzzz" to assign."#)
    }

    @Test("A raw value that JSON cannot represent fails with its path within the value")
    func unrepresentable() {
        #expect(
            Thrown.lines {
                try Gist().assign(rawValue: ["id": Double.nan], toProperty: "owner")
            } == ["Gist at $.id: expected a finite number, found nan of type Double."])
    }

    @Test("Options and context of the call take precedence over those of the class")
    func options() throws {
        let priced = Priced()
        try priced.assign(rawValue: 2, toProperty: "price", options: MappingOptions(context: 10))
        #expect(priced.price == 20)
        try priced.assign(rawValue: 3, toProperty: "price")
        #expect(priced.price == 300)
        #expect(
            Thrown.lines { try priced.assign(rawValue: nil, toProperty: "price") } == [
                "Priced.price at $: expected an amount, found null."
            ])
        try priced.assign(rawValue: nil, toProperty: "price", options: MappingOptions(strict: false))
        #expect(priced.price == 300)
    }

    @Test("shouldFail can assign a corrected raw value")
    func mending() throws {
        let probe = HookProbe()
        let object = try Mending(
            json: #"{"size": "12 MB", "born": "1970-01-02T00:00:00Z or so"}"#, options: probe.options())
        #expect((object.size, object.born) == (12, Date(timeIntervalSince1970: 86_400)))
        #expect(probe.calls == [#"size = String "12 MB""#, #"born = String "1970-01-02T00:00:00Z or so""#])
        #expect(
            Thrown.error { try Mending(json: #"{"born": "once upon a time"}"#) }?.valueFailures.map { "\($0.path)" }
                == ["$.born"])
    }

    @Test("A key path without a setter cannot be assigned")
    func withoutSetter() {
        #expect(
            Thrown.text { try Shown().assign(rawValue: 1, toProperty: "half") }
                == "Shown cannot be mapped: its property half cannot be assigned; make it a var with a setter.")
    }
}

private class Shown: AbstractModel {
    var whole = 4
    var half: Int { whole / 2 }
    override class var additionalKeyPaths: KeyPathTable { ["half": \Shown.half] }
}

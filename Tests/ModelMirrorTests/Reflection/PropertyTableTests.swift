import ModelMirror
import Testing

/// Which JSON keys lead to which properties.
@Suite("Keys of a class")
struct PropertyTableTests {
    @Test("A key can be empty and contain any character, escaped in the document or not")
    func anyKey() throws {
        let (model, report) = try Odd.mapReporting(
            json: #"{"": 1, "a\"b": 2, "a\\b": 3, "a\nb": 4, "\u0000": 5, "a.b": 6, "[0]": 7, "$": 8, " ": 9,"#
                + #""a\u0001b": 10, "\u00e9": 11}"#)
        #expect(model.all == Array(1...11))
        #expect(try Odd(json: #"{"é": 4, "a\u0022b": 1}"#).all == [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 4])
        #expect(report.description == "nothing to report")
        let (_, missing) = try Odd.mapReporting(json: "{}")
        #expect(
            missing.entries.map { "\($0.path)" } == [
                #"$[""]"#, #"$["a\"b"]"#, #"$["a\\b"]"#, #"$["a\nb"]"#, #"$["\u0000"]"#, #"$["a.b"]"#, #"$["[0]"]"#,
                "$.$",
                #"$[" "]"#, #"$["a\u0001b"]"#, "$.é",
            ])
    }

    @Test("Canonically equivalent texts are different keys")
    func canonicalEquivalence() throws {
        let model = try Equivalent(json: "{\"e\u{301}\": 1, \"\u{E9}\": 2}")
        #expect((model.decomposed, model.composed) == (1, 2))
        #expect(try Equivalent(json: "{\"\u{E9}\": 2}").decomposed == 0)
        #expect(try Equivalent(json: "{\"e\u{301}\": 1}").composed == 0)
        // As bytes, since equivalent texts are equal.
        #expect(try Array(model.jsonData()) == Array("{\"e\u{301}\":1,\"\u{E9}\":2}".utf8))
    }

    @Test("Keys of properties that are not read, flexible ones too, are not reported as unknown")
    func ignoredKeys() throws {
        let (model, report) = try Ignoring.mapReporting(
            json:
                #"{"plain_name": 1, "named": 2, "first": 3, "second": 4, "outer": {"inner": 5}, "written": 6, "number": 7}"#
        )
        #expect(model.number == 7)
        #expect([model.plainName, model.explicit, model.aliased, model.deep, model.writeOnly] == [0, 0, 0, 0, 0])
        #expect(report.description == "nothing to report")
        let flexible = try IgnoringFlexibly.mapReporting(json: #"{"plain_name": 1, "PLAIN-NAME": 2, "Number": 7}"#)
        #expect(flexible.report.description == "nothing to report")
    }

    @Test("A key that an ignored and a mapped property share sets the mapped one")
    func sharedWithIgnored() throws {
        #expect(try SharingIgnored(json: #"{"number": 7}"#).other == 7)
    }

    @Test("Keys can come in any order, be duplicated or be missing")
    func orders() throws {
        let orders = [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2], [2, 2, 2, 0], [0, 3], [3], []]
        for order in orders {
            let json =
                "{"
                + order.map { #""\#(["number", "text", "list", "child"][$0])": \#(["5", #""t""#, "[1]", "{}"][$0])"# }
                .joined(separator: ", ") + "}"
            let model = try Ordered(json: json)
            #expect(model.number == (order.contains(0) ? 5 : 0))
            #expect(model.text == (order.contains(1) ? "t" : ""))
            #expect(model.list == (order.contains(2) ? [1] : []))
            #expect((model.child != nil) == order.contains(3))
        }
    }
}

// MARK: Models

private final class Odd: AbstractModel {
    var a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0
    var all: [Int] { [a, b, c, d, e, f, g, h, i, j, k] }
    override class var propertyKeys: [String: PropertyKey] {
        [
            "a": "", "b": "a\"b", "c": "a\\b", "d": "a\nb", "e": "\u{0}", "f": "a.b", "g": "[0]", "h": "$", "i": " ",
            "j": "a\u{1}b", "k": "é",
        ]
    }
}

private final class Equivalent: AbstractModel {
    var decomposed = 0
    var composed = 0
    override class var propertyKeys: [String: PropertyKey] { ["decomposed": "e\u{301}", "composed": "\u{E9}"] }
}

private final class Ignoring: AbstractModel {
    var plainName = 0
    var explicit = 0
    var aliased = 0
    var deep = 0
    var writeOnly = 0
    var number = 0
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] {
        ["explicit": "named", "aliased": ["first", "second"], "deep": .path("outer", "inner"), "writeOnly": "written"]
    }
    override class var ignoredProperties: Set<String> { ["plainName", "explicit", "aliased", "deep"] }
    override class var writeOnlyProperties: Set<String> { ["writeOnly"] }
}

private final class IgnoringFlexibly: AbstractModel {
    var plainName = 0
    var number = 0
    override class var keyStrategy: KeyStrategy { .flexible }
    override class var ignoredProperties: Set<String> { ["plainName"] }
}

private final class SharingIgnored: AbstractModel {
    var number = 0
    var other = 0
    override class var propertyKeys: [String: PropertyKey] { ["other": "number"] }
    override class var ignoredProperties: Set<String> { ["number"] }
}

private final class Ordered: AbstractModel {
    var number = 0
    var text = ""
    var list: [Int] = []
    var child: Ordered?
}

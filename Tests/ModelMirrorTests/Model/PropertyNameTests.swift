import ModelMirror
import Testing

/// Names that a base class could have used itself.
private class Common: AbstractModel, CustomStringConvertible, CustomDebugStringConvertible, Identifiable {
    var description = ""
    var debugDescription = ""
    var hash = 0
    var hashValue = 0
    var id = 0
    var url = ""
    var status = 0
    var error: String?
    var value = 0
    var json = ""
    var keys: [String] = []
    var options: [String: Int] = [:]
    var update = 0
    var copy = false
    var type = ""
    var path = ""
    var report = ""
    var model = ""
    var context = 0
    var strict = false
    var required = false
    var optional: Bool?
    var name = ""
    var property = ""
    var properties: [String] = []
    var dictionary: [String: String] = [:]
    var data = ""
    var index = 0
    var count = 0
    var mirror = 0
    var table = 0
    var object = 0
    var validate = 0
    var map = 0
    var encode = 0
    var decode = 0
    var merge = 0
    var save = 0
    var delete = 0
    var patch = 0
    var isEqual = false
    var superclass = ""
    var zone = 0
}

/// Names that are keywords, or not ASCII.
private class Keywords: AbstractModel {
    var `class` = 0
    var `default` = 0
    var `init` = 0
    var `deinit` = 0
    var `public` = 0
    var `private` = 0
    var `protocol` = 0
    var `extension` = 0
    var `func` = 0
    var `var` = 0
    var `let` = 0
    var `in` = 0
    var `is` = 0
    var `as` = 0
    var `if` = 0
    var `else` = 0
    var `for` = 0
    var `while` = 0
    var `repeat` = 0
    var `return` = 0
    var `switch` = 0
    var `case` = 0
    var `break` = 0
    var `continue` = 0
    var `throw` = 0
    var `throws` = 0
    var `try` = 0
    var `catch` = 0
    var `do` = 0
    var `import` = 0
    var `operator` = 0
    var `static` = 0
    var `struct` = 0
    var `enum` = 0
    var `subscript` = 0
    var `super` = 0
    var `true` = 0
    var `false` = 0
    var `nil` = 0
    var `where` = 0
    var `guard` = 0
    var `defer` = 0
    var `inout` = 0
    var `internal` = 0
    var `rethrows` = 0
    var `typealias` = 0
    var `associatedtype` = 0
    var `fileprivate` = 0
    var `Any` = 0
    var `open` = 0
    var `get` = 0
    var `set` = 0
    var `weak` = 0
    var `async` = 0
    var `await` = 0
    var `actor` = 0
    var `some` = 0
    var `any` = 0
    var `dynamic` = 0
    var `left` = 0
    var `none` = 0
    var `self` = 0
    var größe = 0
    var 日本 = 0
    var 😀 = 0
}

private class Raw: AbstractModel {
    var `content type` = 0
    var `2xl` = 0
    var `class` = 0
}
private final class RequiredRaw: Raw {
    override class var requiredProperties: Set<String> { ["content type"] }
}

@Suite("Property names")
struct PropertyNameTests {
    @Test("Properties can have names that a base class could have used itself")
    func commonNames() throws {
        let (object, report) = try Common.mapReporting(
            json: """
                {"description": "d", "debugDescription": "dd", "hash": 1, "hashValue": 2, "id": 3, "url": "u",
                 "status": 4, "error": "e", "value": 5, "json": "j", "keys": ["k"], "options": {"o": 6},
                 "update": 7, "copy": true, "type": "t", "path": "p", "report": "r", "model": "m", "context": 8,
                 "strict": true, "required": true, "optional": true, "name": "n", "property": "y",
                 "properties": ["z"], "dictionary": {"a": "b"}, "data": "D", "index": 9, "count": 10, "mirror": 11,
                 "table": 12, "object": 13, "validate": 14, "map": 15, "encode": 16, "decode": 17, "merge": 18,
                 "save": 19, "delete": 20, "patch": 21, "isEqual": true, "superclass": "s", "zone": 22}
                """, options: .strict)
        #expect(report.entries.isEmpty)
        #expect(
            [
                object.description, object.debugDescription, object.url, object.error ?? "", object.json, object.type,
                object.path, object.report, object.model, object.name, object.property, object.data, object.superclass,
            ] == ["d", "dd", "u", "e", "j", "t", "p", "r", "m", "n", "y", "D", "s"])
        let numbers: [Int?] = [
            object.hash, object.hashValue, object.id, object.status, object.value, object.options["o"], object.update,
            object.context, object.index, object.count, object.mirror, object.table, object.object, object.validate,
            object.map, object.encode, object.decode, object.merge, object.save, object.delete, object.patch,
            object.zone,
        ]
        #expect(numbers == (1...22).map { $0 })
        #expect(
            [object.copy, object.strict, object.required, object.optional, object.isEqual].allSatisfy { $0 == true })
        #expect((object.keys, object.properties, object.dictionary) == (["k"], ["z"], ["a": "b"]))
    }

    @Test("Properties can be named after keywords and with characters that are not ASCII")
    func keywords() throws {
        let names = Mirror(reflecting: Keywords()).children.compactMap(\.label)
        #expect(names.count == 65)
        let members = names.enumerated().map { "\"\($1)\": \($0 + 1)" }.joined(separator: ", ")
        let (object, report) = try Keywords.mapReporting(json: "{\(members)}", options: .strict)
        #expect(report.entries.isEmpty)
        #expect(Mirror(reflecting: object).children.map { $0.value as? Int } == (1...names.count).map { $0 })
        #expect([object.class, object.default, object.`init`, object.none] == [1, 2, 3, 61])
    }

    @Test("Raw identifiers are named without backticks in keys, rules and messages")
    func rawIdentifiers() throws {
        let (model, report) = try Raw.mapReporting(json: #"{"content type": 1, "2xl": 2, "class": 3}"#)
        #expect(model.`content type` == 1)
        #expect((model.`2xl`, model.`class`) == (2, 3))
        #expect(report.description == "nothing to report")
        #expect(
            Thrown.text { try RequiredRaw(json: "{}") }
                == "RequiredRaw.content type at $[\"content type\"] (line 1, column 1): expected an integer, found no such key."
        )
    }

    @Test("Failures name properties without backticks")
    func inFailures() {
        #expect(
            Thrown.lines {
                try Keywords(json: #"{"class": null, "init": []}"#, options: .strict)
            } == [
                "Keywords.class at $.class (line 1, column 11): expected an integer, found null.",
                "Keywords.init at $.init (line 1, column 25): expected an integer, found an array.",
            ])
    }
}

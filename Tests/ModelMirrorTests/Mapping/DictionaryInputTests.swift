import Foundation
import ModelMirror
import Testing

private class Owner: AbstractModel {
    var id = 0

    override class var requiredProperties: Set<String> { ["id"] }
}

private class Gist: AbstractModel {
    var id = ""
    var comments = 0
    var size: UInt64 = 0
    var score = 0.0
    var ratio: Float = 0
    var price: Decimal = 0
    var isPublic = false
    var owner: Owner?
    var tags: [String] = []
    var files: [String: Owner] = [:]
    var free: JSONValue = .string("default")
    var title: String? = "untitled"
}

private class Strictly: AbstractModel {
    var flag = false
    var number = 7
    var text = ""
    var optional: String? = "default"
    var list: [Int?] = []

    override class var mappingOptions: MappingOptions { .strict }
}

private struct Verbose: CustomStringConvertible {
    let description = String(repeating: "long ", count: 200)
}

@Suite("init(dictionary:)")
struct DictionaryInputTests {
    @Test("init(dictionary:) accepts plain Swift values")
    func swiftValues() throws {
        let gist = try Gist(dictionary: [
            "id": "1\n\"é\u{0}", "comments": Int8(-3), "size": UInt64.max, "score": 0.1, "ratio": Float(0.1),
            "price": Decimal(string: "12345678901234567890.12") ?? 0, "isPublic": true, "owner": ["id": 5],
            "tags": ["a", "b"], "files": ["x": ["id": 6]], "free": ["a": [1, nil, 2.5] as [Any?]] as [String: Any],
            "title": Optional<String>.none as Any,
        ])
        #expect(gist.id == "1\n\"é\u{0}")
        #expect((gist.comments, gist.size, gist.score, gist.ratio) == (-3, .max, 0.1, 0.1))
        #expect(gist.price == Decimal(string: "12345678901234567890.12"))
        #expect(gist.isPublic)
        #expect((gist.owner?.id, gist.tags) == (5, ["a", "b"]))
        #expect(gist.files.mapValues(\.id) == ["x": 6])
        #expect(
            gist.free
                == .object(["a": .array([.number(JSONNumber(1)), .null, .number(2.5)])]))
        #expect(gist.title == nil)
    }

    @Test("init(dictionary:) accepts JSONValue and JSONNumber unchanged")
    func jsonValues() throws {
        let gist = try Gist(dictionary: [
            "free": JSONValue.array([.bool(true), .null, .string("\u{1F600}\n")]),
            "price": JSONNumber("0.10000000000000000000000001") ?? 0, "title": JSONValue.null,
            "tags": [JSONValue.string("a")],
        ])
        #expect(gist.free == .array([.bool(true), .null, .string("\u{1F600}\n")]))
        #expect((gist.price, gist.title, gist.tags) == (Decimal(string: "0.10000000000000000000000001"), nil, ["a"]))
    }

    @Test("init(dictionary:) accepts JSONSerialization output: Booleans, numbers and NSNull")
    func jsonSerialization() throws {
        let text = #"{"flag": true, "number": 1, "text": "a", "optional": null, "list": [0, null, 1]}"#
        let dictionary = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let object = try Strictly(dictionary: dictionary)
        #expect(object.flag)
        #expect((object.number, object.text, object.optional, object.list) == (1, "a", nil, [0, nil, 1]))
    }

    @Test("NSNumber Booleans and NSNumber numbers are distinguished")
    func foundationNumbers() throws {
        let object = try Strictly(dictionary: [
            "flag": NSNumber(value: false), "number": NSNumber(value: 5), "text": NSString("b"), "optional": NSNull(),
            "list": NSArray(array: [NSNumber(value: 1), NSNull()]),
        ])
        #expect(!object.flag)
        #expect((object.number, object.text, object.optional, object.list) == (5, "b", nil, [1, nil]))
        #expect(
            Thrown.lines {
                try Strictly(dictionary: ["flag": NSNumber(value: 1), "number": NSNumber(value: true), "text": ""])
            } == [
                "Strictly.flag at $.flag: expected true or false, found the number 1.",
                "Strictly.number at $.number: expected an integer, found true.",
            ])
    }

    @Test("NSNumber and NSDecimalNumber keep all their digits")
    func foundationDigits() throws {
        let gist = try Gist(dictionary: [
            "score": NSNumber(value: 0.1), "size": NSNumber(value: UInt64.max), "comments": NSNumber(value: Int.min),
            "ratio": NSNumber(value: Float(0.1)), "price": NSDecimalNumber(string: "12345678901234567890.12"),
        ])
        #expect((gist.score, gist.size, gist.comments, gist.ratio) == (0.1, .max, .min, 0.1))
        #expect(gist.price == Decimal(string: "12345678901234567890.12"))
    }

    @Test("init(dictionary:) applies the mapping rules; its failures have no line, column or offset")
    func failures() throws {
        let error = #expect(throws: ModelError.self) {
            try Gist(
                dictionary: [
                    "id": 5, "comments": 1.5, "owner": [String: Any](), "tags": ["a", 1], "files": ["x y": 5],
                    "unknown": 1, "size": 0, "score": 0, "ratio": 0, "price": 0, "isPublic": false,
                ], options: .strict)
        }
        let failures = try #require(error?.valueFailures)
        #expect(failures.allSatisfy { $0.line == nil && $0.column == nil && $0.offset == nil })
        #expect(
            failures.map(\.description) == [
                "Gist.comments at $.comments: expected an integer, found the number 1.5.",
                #"Gist.files at $.files["x y"]: expected an object for Owner, found the number 5."#,
                "Gist.id at $.id: expected a string, found the number 5; the option stringsFromNumbers accepts it.",
                "Owner.id at $.owner.id: expected an integer, found no such key.",
                "Gist.tags at $.tags[1]: expected a string, found the number 1; the option stringsFromNumbers accepts it.",
            ])
    }

    @Test("Each value that JSON cannot represent fails with its key path")
    func unrepresentable() throws {
        let action: () -> Void = {}
        let error = #expect(throws: ModelError.self) {
            try Gist(dictionary: [
                "id": Date(timeIntervalSince1970: .infinity), "comments": action,
                "owner": ["id": Double.nan, "list": [1, Float.infinity, ["a b": -Double.infinity]] as [Any]]
                    as [String: Any],
                "tags": [Decimal.nan], "files": Set([1]),
            ])
        }
        let failures = try #require(error?.valueFailures)
        #expect(
            failures.map { "\($0.path)" } == [
                "$.comments", "$.files", "$.id", "$.owner.id", "$.owner.list[1]", #"$.owner.list[2]["a b"]"#,
                "$.tags[0]",
            ])
        #expect(
            failures.map(\.expected) == [
                "a value that JSON can hold", "a value that JSON can hold", "a date between the years 0 and 9999",
                "a finite number", "a finite number", "a finite number", "a finite number",
            ])
        #expect(failures.allSatisfy { $0.model == "Gist" && $0.property == nil && $0.underlying == nil })
        #expect(failures.allSatisfy { $0.line == nil && $0.column == nil && $0.offset == nil })
        #expect(
            error?.lines.filter { !$0.contains("$.id") } == [
                "Gist at $.comments: expected a value that JSON can hold, found a value of type () -> ().",
                "Gist at $.files: expected a value that JSON can hold, found a value of type Set<Int>.",
                "Gist at $.owner.id: expected a finite number, found nan of type Double.",
                "Gist at $.owner.list[1]: expected a finite number, found inf of type Float.",
                #"Gist at $.owner.list[2]["a b"]: expected a finite number, found -inf of type Double."#,
                "Gist at $.tags[0]: expected a finite number, found NaN of type Decimal.",
            ])
        #expect(failures[2].found == "the date inf seconds since 1970 of type Date")
    }

    @Test("A value of an unsupported type is reported by its type name, not its description")
    func typeNamed() throws {
        #expect(
            Thrown.error { try Gist(dictionary: ["id": Verbose()]) }?.valueFailures.map(\.found) == [
                "a value of type Verbose"
            ])
    }

    @Test("Failures, including unrepresentable values, are collected up to the limit")
    func limit() {
        let values: [String: Any] = ["tags": (0..<250).map { _ in Double.nan }]
        #expect(
            Thrown.error { try Gist(dictionary: values) }?.valueFailures.map { "\($0.path)" }
                == (0..<100).map { "$.tags[\($0)]" })
        #expect(
            Thrown.error {
                try Gist(dictionary: values, options: MappingOptions(failures: 3))
            }?.valueFailures.count == 3)
        let update = #expect(throws: ModelError.self) {
            try Gist().update(dictionary: values, options: MappingOptions(failures: 3))
        }
        #expect(update?.valueFailures.count == 3)
    }

    @Test("init(dictionary:) rejects a dictionary nested deeper than the depth limit")
    func depth() {
        var value: Any = 1
        for _ in 0..<5000 { value = [value] }
        #expect(throws: ModelError.self) { try Gist(dictionary: ["free": value]) }
        #expect(
            Thrown.error {
                try Gist(dictionary: ["free": [[1]]], options: MappingOptions(depth: 2))
            }?.syntaxError?.expected
                == "no deeper nesting (the limit of MappingOptions.depth is reached)")
    }

    @Test("A JSONValue nested too deeply is a failure of the class")
    func deepJSONValue() {
        let deep = (0..<MappingOptions.maximumDepth).reduce(JSONValue.null) { inner, _ in [inner] }
        let error = #expect(throws: ModelError.self) { try Gist(dictionary: ["free": deep]) }
        #expect(error?.description.hasPrefix("Gist at $.free[0][0]") == true)
        #expect(
            error?.description.hasSuffix("[0]: expected no deeper nesting, found an array at depth 1025.") == true)
    }
}

import Foundation
import ModelMirror
import Testing

/// Its hook makes every value that it is called for a failure, and is not called for the root value.
private class Gist: AbstractModel {
    var id = 0

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { true }
}

/// One kind of call that maps a root value.
private enum Request: String, CaseIterable, Sendable {
    case object, reportedObject, array, reportedArray, dictionary, reportedDictionary

    var expected: String {
        switch self {
        case .object, .reportedObject: "an object for Gist"
        case .array, .reportedArray: "an array"
        case .dictionary, .reportedDictionary: "an object"
        }
    }

    func run(_ json: String, at path: JSONPath = .root, options: MappingOptions = .init()) throws(ModelError) {
        switch self {
        case .object: _ = try Gist(json: json, at: path, options: options)
        case .array: _ = try [Gist](json: json, at: path, options: options)
        case .dictionary: _ = try [String: Gist](json: json, at: path, options: options)
        case .reportedObject: _ = try Gist.mapReporting(json: json, at: path, options: options)
        case .reportedArray: _ = try [Gist].mapReporting(json: json, at: path, options: options)
        case .reportedDictionary: _ = try [String: Gist].mapReporting(json: json, at: path, options: options)
        }
    }
}

@Suite("The value at the root")
struct RootValueTests {
    @Test(
        "A root value of the wrong type fails the call without a call of shouldFail",
        arguments: Request.allCases,
        [("null", "null"), ("true", "true"), ("-0.5", "the number -0.5"), (#""x""#, #"the string "x""#)])
    fileprivate func wrongKind(request: Request, value: (json: String, found: String)) throws {
        let error = #expect(throws: ModelError.self) { try request.run(" \n\t" + value.json) }
        #expect(error?.lines == ["Gist at $ (line 2, column 2): expected \(request.expected), found \(value.found)."])
        let failure = try #require(error?.valueFailures.first)
        #expect(failure.property == nil)
        #expect(failure.offset == 3)
        #expect(failure.underlying == nil)
    }

    @Test("An object where an array is expected, or the reverse, fails with a suggestion")
    func otherContainer() {
        for request in Request.allCases {
            let json = request == .array || request == .reportedArray ? "{}" : "[]"
            let found = json == "{}" ? "an object" : "an array"
            let call =
                switch request {
                case .object, .reportedObject: "; use [Gist]"
                case .array, .reportedArray: "; use Gist"
                case .dictionary, .reportedDictionary: ""
                }
            let sentence = "expected \(request.expected), found \(found)\(call)."
            #expect(Thrown.lines { try request.run(json) } == ["Gist at $ (line 1, column 1): \(sentence)"])
            #expect(
                Thrown.lines {
                    try request.run(#"{"data": {"items": \#(json)}}"#, at: ["data", "items"])
                } == ["Gist at $.data.items (line 1, column 20): \(sentence)"])
        }
    }

    @Test("A nested array and JSONMapper.value fail without a suggestion")
    func innerContainer() {
        #expect(
            Thrown.lines { try [Gist](json: "[[]]") } == [
                "Gist at $[0] (line 1, column 2): expected an object for Gist, found an array."
            ])
        let value = #expect(throws: ModelError.self) { try JSONMapper.value(Gist.self, from: "[]") }
        #expect(value?.lines == ["Gist at $ (line 1, column 1): expected an object for Gist, found an array."])
    }

    @Test("skipsInvalidElements does not apply to the root value itself", arguments: Request.allCases)
    fileprivate func skipping(request: Request) {
        let options = MappingOptions(skipsInvalidElements: true)
        #expect(
            Thrown.lines { try request.run("null", options: options) } == [
                "Gist at $ (line 1, column 1): expected \(request.expected), found null."
            ])
    }

    @Test("A document without a value is a syntax error", arguments: Request.allCases)
    fileprivate func empty(request: Request) {
        #expect(
            Thrown.text { try request.run(" ") }
                == "Invalid JSON at line 1, column 2 (byte 1): expected a value (an object, array, string, number, "
                + "true, false or null), found the end of the document.")
    }

    @Test(
        "A missing key, a null or a value of the wrong type on the path fails the call",
        arguments: Request.allCases,
        [
            ("{}", "Gist at $.data.items (line 1, column 1): expected a value, found no such key or index."),
            (
                #"{"data": {}}"#,
                "Gist at $.data.items (line 1, column 10): expected a value, found no such key or index."
            ),
            (#"{"data": null}"#, "Gist at $.data (line 1, column 10): expected a value, found null."),
            (
                #"{"data": {"items": null}}"#,
                "Gist at $.data.items (line 1, column 20): expected a value, found null."
            ),
            (#"{"data": [1]}"#, "Gist at $.data (line 1, column 10): expected an object, found an array."),
            (#"["data"]"#, "Gist at $ (line 1, column 1): expected an object, found an array."),
            ("5", "Gist at $ (line 1, column 1): expected an object, found the number 5."),
            ("null", "Gist at $ (line 1, column 1): expected a value, found null."),
        ])
    fileprivate func atPath(request: Request, value: (json: String, sentence: String)) {
        #expect(Thrown.lines { try request.run(value.json, at: ["data", "items"]) } == [value.sentence])
    }

    @Test("An index that is out of range or into an object fails the call")
    func atIndex() throws {
        #expect(
            Thrown.lines { try Gist(json: #"[{"id": 1}]"#, at: [1]) } == [
                "Gist at $[1] (line 1, column 1): expected a value, found no such key or index."
            ])
        #expect(
            Thrown.lines { try Gist(json: #"{"1": {"id": 1}}"#, at: [1]) } == [
                "Gist at $ (line 1, column 1): expected an array, found an object."
            ])
        #expect(try Gist(json: #"[{"id": 1}, {"id": 2}]"#, at: [1]).id == 2)
    }

    @Test("A value of the wrong type at the end of the path fails the call")
    func wrongKindAtEnd() {
        let document = #"{"data": {"items": 5}}"#
        for request in Request.allCases {
            #expect(
                Thrown.lines { try request.run(document, at: ["data", "items"]) } == [
                    "Gist at $.data.items (line 1, column 20): expected \(request.expected), found the number 5."
                ])
        }
    }

    @Test("A path may be steps or a JSONPath, and failures have the whole path")
    func insideEnvelope() throws {
        let json = #"{"data": {"items": [{"id": 1}, {"id": "x"}]}, "a.b": {"id": 3}}"#
        #expect(try Gist(json: json, at: ["data", "items", 0]).id == 1)
        #expect(try Gist(json: json, at: JSONPath([.key("data"), .key("items"), .index(0)])).id == 1)
        #expect(try Gist(json: json, at: ["data", "items", 0] as JSONPath).id == 1)
        #expect(try Gist(json: json, at: "a.b").id == 3)
        #expect(try Gist.mapReporting(json: json, at: "a.b").object.id == 3)
        #expect(
            Thrown.lines { try [Gist](json: json, at: ["data", "items"]) } == [
                #"Gist.id at $.data.items[1].id (line 1, column 39): expected an integer, found the string "x"."#
            ])
    }

    @Test("The last of duplicate keys on the path is used")
    func duplicatesOnTheWay() throws {
        #expect(try Gist(json: #"{"data": {"id": 1}, "data": {"id": 2}}"#, at: "data").id == 2)
    }

    @Test("A document may be Data, bytes, a slice, buffer, span, Substring or JSONValue, and have a byte order mark")
    func inputs() throws {
        let text = #"{"id": 5}"#
        #expect(try Gist(json: Data(text.utf8)).id == 5)
        #expect(try Gist(json: Array(text.utf8)).id == 5)
        #expect(try Gist(json: "x\(text)".dropFirst()).id == 5)
        let around = Array(#"..{"id": 5}.."#.utf8)
        #expect(try Gist(json: around[2..<11]).id == 5)
        #expect(try around.withUnsafeBytes { try Gist(json: UnsafeRawBufferPointer(rebasing: $0[2..<11])) }.id == 5)
        #expect(try Gist(json: JSONValue.object(["id": 5])).id == 5)
        let whole = Array(#"{"id": 5}"#.utf8)[...]
        #expect(try JSONMapper.value(Gist.self, from: whole.span.bytes).id == 5)
        let marked = [0xEF, 0xBB, 0xBF] + Array(#"{"id": "x"}"#.utf8)
        let error = #expect(throws: ModelError.self) { try Gist(json: marked) }
        #expect(error?.lines == [#"Gist.id at $.id (line 1, column 8): expected an integer, found the string "x"."#])
        #expect(error?.valueFailures.map(\.offset) == [10])
    }
}

@Suite("Syntax errors")
struct SyntaxErrorTests {
    @Test(
        "A syntax error takes precedence over invalid values before it",
        arguments: [
            (#"{"id": "bad", "other": }"#, 23), (#"{"id": "bad"} x"#, 14), (#"{"id": "bad"}]"#, 13),
            (#"{"id": "bad", "unknown": [1, {"a": 01}]}"#, 36), (#"{"id": "bad""#, 12), (#"{"id": [1,]}"#, 10),
            (#"{"id": "bad", "unknown": "\q"}"#, 26), (#"{"unknown": nul}"#, 12),
        ])
    func beatsValues(document: String, offset: Int) {
        for request in [Request.object, .reportedObject] {
            #expect(Thrown.error { try request.run(document) }?.syntaxError?.offset == offset)
        }
    }

    @Test("A syntax error takes precedence over invalid elements, skipped or not", arguments: [false, true])
    func beatsElements(skips: Bool) {
        let elements = String(repeating: #"{"id": "bad"}, "#, count: 200)
        let options = MappingOptions(skipsInvalidElements: skips)
        #expect(
            Thrown.text { try [Gist](json: "[\(elements)x]", options: options) }
                == "Invalid JSON at line 1, column 3002 (byte 3001): expected a value (an object, array, string, "
                + "number, true, false or null), found 'x'.")
        #expect(
            Thrown.text {
                try [String: Gist](json: #"{"a": {"id": []}, "b": {"id": []},}"#, options: options)
            } == "Invalid JSON at line 1, column 35 (byte 34): expected a key in double quotes after the comma, "
                + "found '}'.")
    }

    @Test(
        "A syntax error after the value at a path, or in a document without it, fails the call",
        arguments: [(#"{"data": {"id": []}, "rest": tru}"#, 29), (#"{"data": {"id": 1}"#, 18), (#"{"other": 1,}"#, 12)])
    func behindPath(document: String, offset: Int) {
        #expect(Thrown.error { try Gist(json: document, at: "data") }?.syntaxError?.offset == offset)
    }
}

import ModelMirror
import Testing

private enum Listed: MappedEnum, Equatable {
    case ids([Int])
    case names([String])
    static var enumCases: EnumCases<Listed> { .untagged([.case(Listed.ids), .case(Listed.names)]) }
}

private class Cat: AbstractModel { var lives = 0 }

private class Dog: AbstractModel {
    var tricks: [String] = []
    override class var requiredProperties: Set<String> { ["tricks"] }
}

private enum Pet: MappedEnum {
    case cat(Cat), dog(Dog)
    static var enumCases: EnumCases<Pet> { .untagged([.case(Pet.cat), .case(Pet.dog)]) }
}

/// Each fails only after what is inside of it was read.
private enum Either: MappedEnum {
    case first(First), second(Second)
    static var enumCases: EnumCases<Either> { .untagged([.case(Either.first), .case(Either.second)]) }
}

private class First: AbstractModel {
    var next: Either?
    var a = 0
    override class var requiredProperties: Set<String> { ["a"] }
}

private class Second: AbstractModel {
    var next: Either?
    var b = 0
    override class var requiredProperties: Set<String> { ["b"] }
}

private enum Size: MappedEnum, UnknownCase, Equatable {
    case auto, pixels(Int), other
    static var unknownCase: Size { .other }
    static var enumCases: EnumCases<Size> {
        .untagged([.case(.auto, "auto"), .case(Size.pixels), .case(.other, "other")])
    }
}

private enum Mixed: MappedEnum {
    case count(Int), size(Double)
    static var enumCases: EnumCases<Mixed> { .untagged([.case(Mixed.count), .case(Mixed.size)]) }
}

private enum Chain: MappedEnum {
    case link(Link), end(Int)
    static var enumCases: EnumCases<Chain> { .untagged([.case(Chain.link), .case(Chain.end)]) }
}

private class Link: AbstractModel {
    var next: Chain?
    var ratio = 0.0
}

private class Box<Value>: AbstractModel {
    var value: Value?
    var list: [Value] = []
    var byName: [String: Value] = [:]
}

@Suite("Alternatives of untagged enums", .timeLimit(.minutes(15)))
struct UntaggedEnumTests {
    @Test("A collection as a payload fits only if all of its elements do")
    func collections() throws {
        #expect(try Box<Listed>(json: #"{"value": ["a"]}"#, options: .strict).value == .names(["a"]))
        #expect(try Box<Listed>(json: #"{"value": [1]}"#, options: .strict).value == .ids([1]))
        let (box, report) = try Box<Listed>.mapReporting(json: #"{"value": [1, "a", true]}"#)
        #expect(box.value == nil)
        #expect(report.entries.map(\.kind) == [.missing, .missing, .fallback])
    }

    @Test("The message of several alternatives names the part that does not fit each")
    func partsOfAlternatives() {
        func message<Value>(_ type: Value.Type, _ json: String) -> String? {
            #expect(throws: ModelError.self) { try Box<Value>(json: #"{"value": \#(json)}"#, options: .strict) }?
                .description
        }
        #expect(
            message(Listed.self, #"[1, "a"]"#) == """
                Box<Listed>.value at $.value (line 1, column 11): expected an array (inside it: expected an integer) or an array \
                (inside it: expected a string), found an array.
                """)
        #expect(
            message(Pet.self, #"{"lives": "nine"}"#) == """
                Box<Pet>.value at $.value (line 1, column 11): expected an object for Cat (Cat.lives: expected an integer) or an \
                object for Dog (Dog.tricks: expected an array, found no such key), found an object.
                """)
    }

    @Test("Failures of an alternative are not counted if another one fits")
    func omittedAlternatives() throws {
        let options = MappingOptions(strict: true, failures: 1)
        let error = #expect(throws: ModelError.self) {
            try Box<Listed>(json: #"{"list": [true, ["a"], ["b"]]}"#, options: options)
        }
        #expect(error?.valueFailures.map(\.omittedFailures) == [0])
    }

    @Test("An unlisted value of an untagged enum is its unknown case")
    func untaggedUnknownCase() throws {
        #expect(try JSONMapper.value(Size.self, from: "12", options: .strict) == .pixels(12))
        for (json, size) in [(#""auto""#, .auto), (#"{"x": 1}"#, .other), (#""x""#, .other)] as [(String, Size)] {
            #expect(try JSONMapper.value(Size.self, from: json) == size, "\(json)")
        }
        #expect(
            #expect(throws: ModelError.self) { try JSONMapper.value(Size.self, from: "null") }?.description
                == #"JSON at $ (line 1, column 1): expected "auto" or an integer or "other", found null."#)
        #expect(try JSONMapper.jsonString(of: [Size.pixels(12), .auto, .other]) == #"[12,"auto","other"]"#)
    }

    @Test("A payload that cannot be written is one failure, that of its own case")
    func unwritablePayload() throws {
        let error = #expect(throws: ModelError.self) { try JSONMapper.jsonString(of: Mixed.size(.nan)) }
        #expect(error?.valueFailures.map(\.code.rawValue) == ["notFinite"])
        var chain = Link()
        chain.ratio = .nan
        for _ in 0..<40 {
            let outer = Link()
            outer.next = .link(chain)
            chain = outer
        }
        #expect(throws: ModelError.self) { try chain.jsonString() }
    }

    @Test("An unknown key in an alternative is described with its class")
    func unknownKeyInAlternative() {
        let json = #"{"a": 1, "x": 2}"#
        let options = MappingOptions(strict: true, unknownKeys: .failures)
        let description = """
            JSON at $ (line 1, column 1): expected an object for First (inside it: expected a key of First) or an object for \
            Second (Second.b: expected an integer, found no such key), found an object.
            """
        let error = #expect(throws: ModelError.self) { try JSONMapper.value(Either.self, from: json, options: options) }
        #expect(error?.description == description)
        let reported = #expect(throws: ModelError.self) {
            try JSONMapper.mapReporting(Either.self, from: json, options: options)
        }
        #expect(reported?.description == description)
    }

    @Test("A value that must be read again at each level ends with an error, not after hours")
    func readings() throws {
        func json(_ levels: Int, _ key: String = "b") -> String {
            String(repeating: #"{"next":"#, count: levels) + #"{"\#(key)":1}"#
                + String(repeating: #","\#(key)":1}"#, count: levels)
        }
        let error = #expect(throws: ModelError.self) { try JSONMapper.value(Either.self, from: json(60)) }
        let fault = try #require(error?.syntaxError)
        #expect(fault.code == .depth)
        #expect(fault.parameters == ["limit": 100])
        #expect(fault.expected.hasPrefix("less nesting of values that are read again"))
        // Few levels are read, and many, if the first alternative fits.
        guard case .second(let second) = try JSONMapper.value(Either.self, from: json(6)) else {
            return recordOtherCase()
        }
        #expect(second.b == 1 && second.next != nil)
        guard case .first(let first) = try JSONMapper.value(Either.self, from: json(60, "a")) else {
            return recordOtherCase()
        }
        #expect(first.a == 1 && first.next != nil)
    }
}

import Foundation
import ModelMirror
import Testing

private enum Kind: String, CaseIterable { case small, large = "LARGE" }
private enum Level: Int8 { case low = -1, high = 127 }
private struct Tag: RawRepresentable, Hashable { var rawValue: String }
private struct Identifier: RawRepresentable, Hashable { var rawValue: UUID }

@Suite("Dictionary keys")
struct KeyPlanTests {
    private final class Box<Key: Hashable>: AbstractModel { var value: [Key: Bool]? }

    /// Maps an object with the given keys, leniently and strictly.
    private func takes<Key: Hashable>(
        _ keys: [String], as values: [Key], at source: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let members = keys.map { "\"\($0)\": true" }.joined(separator: ", ")
        for options in [MappingOptions(), .strict] {
            let (box, report) = try Box<Key>.mapReporting(json: #"{"value": {\#(members)}}"#, options: options)
            #expect(box.value == Dictionary(uniqueKeysWithValues: values.map { ($0, true) }), sourceLocation: source)
            #expect(report.description == "nothing to report", sourceLocation: source)
        }
    }

    /// Maps an object with one good and one bad key, leniently and strictly.
    private func refuses<Key: Hashable>(
        _ bad: String, besides good: String, as value: Key, expected: String,
        at source: Testing.SourceLocation = #_sourceLocation
    ) throws {
        let json = #"{"value": {"\#(bad)": false, "\#(good)": true}}"#
        let (box, report) = try Box<Key>.mapReporting(json: json)
        #expect(box.value == [value: true], sourceLocation: source)
        let path = JSONPath(["value", .key(bad)])
        let column = 11 + #"{"\#(bad)": "#.unicodeScalars.count
        let message =
            "\(plainName(Box<Key>.self)).value at \(path) (line 1, column \(column)): expected a key that is \(expected), "
            + "found the key \"\(bad)\"."
        #expect(report.description == "skipped: " + message, sourceLocation: source)
        let error = #expect(throws: ModelError.self, sourceLocation: source) {
            try Box<Key>(json: json, options: .strict)
        }
        #expect(error?.description == message, sourceLocation: source)
    }

    @Test("String keys are kept unchanged")
    func strings() throws {
        try takes(["", " ", "a.b", "ä", "snake_case", "1"], as: ["", " ", "a.b", "ä", "snake_case", "1"])
        try takes([#"\u0061\"\n"#], as: ["a\"\n"])
    }

    @Test("Keys of fractional numbers are JSON numbers, in any spelling, and are written in the shortest")
    func fractions() throws {
        try takes(["0.5", "-1e-3", "7", "1.50"], as: [0.5, -0.001, 7, 1.5])
        try takes(["0.5", "7"], as: [Float(0.5), 7])
        try takes(["0.10000000000000000000001"], as: [Decimal(string: "0.10000000000000000000001")!])
        for bad in ["", " 1", "0x1", "nan", "inf", "1."] {
            try refuses(bad, besides: "0.5", as: 0.5, expected: "a number")
        }
        try refuses("1e400", besides: "0.5", as: 0.5, expected: "a number that Double can hold")
        try refuses("1e39", besides: "0.5", as: Float(0.5), expected: "a number that Float can hold")
        let box = try Box<Double>(json: #"{"value": {"1e3": true, "0.50": true, "7.0": true}}"#)
        #expect(try box.jsonString() == #"{"value":{"0.5":true,"1000":true,"7":true}}"#)
        #expect(try JSONMapper.jsonString(of: [2.5: 1]) == #"{"2.5":1}"#)
    }

    @Test("Integer keys of every width are accepted up to their limits")
    func integers() throws {
        func check<Key: FixedWidthInteger>(
            _ type: Key.Type, at source: Testing.SourceLocation = #_sourceLocation
        ) throws {
            try takes(["\(Key.min)", "\(Key.max)", "7"], as: [Key.min, Key.max, 7], at: source)
            let expected = Key.self == Int.self ? "an integer" : "an integer from \(Key.min) to \(Key.max)"
            for bad in ["x", "", "1.0", " 1", "0x10", "1e3"] {
                try refuses(bad, besides: "7", as: Key(7), expected: expected, at: source)
            }
            let range = "an integer from \(Key.min) to \(Key.max)"
            try refuses("\(Key.max)0", besides: "7", as: Key(7), expected: range, at: source)
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        try takes(["\(Int128.min)", "\(Int128.max)", "7"], as: [Int128.min, Int128.max, 7])
        try takes(["\(UInt128.max)", "7"], as: [UInt128.max, 7])
    }

    @Test("UUID keys are accepted in any letter case")
    func identifiers() throws {
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        try takes(["e621e1f8-c36c-495A-93fc-0c247a3e6e5f"], as: [id])
        try refuses("E621E1F8", besides: id.uuidString, as: id, expected: "a UUID")
        try takes([id.uuidString], as: [Identifier(rawValue: id)])
    }

    @Test("Raw-representable keys are read by their raw values")
    func rawValues() throws {
        try takes(["small", "LARGE"], as: [Kind.small, .large])
        try refuses("large", besides: "LARGE", as: Kind.large, expected: "a raw value of Kind")
        try takes(["-1", "127"], as: [Level.low, .high])
        try refuses("0", besides: "127", as: Level.high, expected: "a raw value of Level")
        try refuses("128", besides: "127", as: Level.high, expected: "a raw value of Level")
        try takes(["a", "b c"], as: [Tag(rawValue: "a"), Tag(rawValue: "b c")])
    }

    @Test("A duplicate key keeps its last valid value; strict mapping fails")
    func duplicates() throws {
        let json = #"{"value": {"1": true, "2": true, "01": false, "2": []}}"#
        let (box, report) = try Box<Int>.mapReporting(json: json)
        #expect(box.value == [1: false, 2: true])
        #expect(
            report.description == """
                skipped: Box<Int>.value at $.value["01"] (line 1, column 40): expected each key once, found the key \
                "01", equal to an earlier one; the last value that fits is used.
                skipped: Box<Int>.value at $.value["2"] (line 1, column 52): expected true or false, found an array.
                """)
        let twice = #"{"value": {"1": true, "1": false}}"#
        let error = #expect(throws: ModelError.self) { try Box<Int>(json: twice, options: .strict) }
        #expect(
            error?.description
                == #"Box<Int>.value at $.value["1"] (line 1, column 28): expected each key once, found the key "#
                + #""1", equal to an earlier one."#
        )
    }

    private final class Snake: AbstractModel {
        var byName: [String: [String: Int]] = [:]
        override class var keyStrategy: KeyStrategy { .snakeCase }
    }

    @Test("A key strategy leaves the keys of dictionaries unchanged")
    func strategy() throws {
        let snake = try Snake(json: #"{"by_name": {"first_name": {"lastName": 1}}}"#)
        #expect(snake.byName == ["first_name": ["lastName": 1]])
    }

    @Test("Keys that are not JSON numbers fail to be written", arguments: [Double.infinity, -.infinity, .nan])
    func nonFiniteKeys(key: Double) {
        let error = #expect(throws: ModelError.self) { try JSONMapper.jsonString(of: [key: 1]) }
        #expect(error?.description == "JSON at $: expected a key that is a number, found \(key).")
    }
}

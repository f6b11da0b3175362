import Foundation
import Testing

@testable import ModelMirror

private enum Plan: String { case free, pro }
private enum Level: Int, Comparable {
    case low = 1, high
    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
}
private struct Point: Equatable { var x = 0 }

extension PropertyRule where Self == ValidationRule<String> {
    fileprivate static var slug: Self { .matches(/[a-z0-9-]+/, as: "small letters, digits and hyphens") }
}

@Suite("Validation rules")
struct ValidationRuleTests {
    /// Checks a rule's expectation, the values that it accepts and rejects, and that it accepts nil.
    private func check<Value>(
        _ rule: any PropertyRule, _ expected: String, keeps kept: [Value], refuses refused: [Value],
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) {
        let form = rule.form
        #expect(form.expectation(for: Value.self).words == expected, sourceLocation: sourceLocation)
        for value in kept { #expect(form.broken(by: value) == nil, "\(value)", sourceLocation: sourceLocation) }
        for value in refused { #expect(form.broken(by: value) != nil, "\(value)", sourceLocation: sourceLocation) }
        #expect(form.broken(by: nil as Value?) == nil, sourceLocation: sourceLocation)
    }

    @Test("notNil requires a value")
    func notNil() {
        let rule: any PropertyRule = .notNil
        #expect(rule.form.broken(by: "") == nil)
        #expect(rule.form.broken(by: nil as String?)?.expectation.words == "a value")
        let all: any PropertyRule = .all(.notNil, .count(2...))
        #expect(all.form.broken(by: "ab") == nil)
        #expect(all.form.broken(by: "a")?.expectation.words == "a string of at least 2 characters")
        #expect(all.form.broken(by: nil as String?)?.expectation.words == "a value")
    }

    #if !(os(macOS) && arch(x86_64))
    @Test("The bounds of every floating-point type are named and described")
    func bounds() {
        let rule: any PropertyRule = .inRange(Float16(0.1)...Float16(0.2))
        #expect(rule.form.expectation(for: Float16.self).words == "a number from 0.1 to 0.2")
        #expect(rule.form.schema(for: Float16.self) == ["minimum": 0.1, "maximum": 0.2])
    }
    #endif

    @Test("A rule for another type is broken by every value")
    func otherType() {
        let rule: any PropertyRule = .inRange("a"..."c")
        #expect(rule.form.broken(by: 7)?.expectation.words == #"a value from "a" to "c""#)
    }

    @Test("notEmpty rejects empty strings, collections and data")
    func notEmpty() {
        check(.notEmpty, "a string that is not empty", keeps: [" ", "a"], refuses: [""])
        check(.notEmpty, "a string that is not empty", keeps: ["a"] as [Substring], refuses: [""])
        check(.notEmpty, "an array that is not empty", keeps: [[1]] as [[Int]], refuses: [[]])
        check(.notEmpty, "an array that is not empty", keeps: [Set([1])] as [Set<Int>], refuses: [[]])
        check(.notEmpty, "an object that is not empty", keeps: [["a": 1]], refuses: [[:]])
        check(.notEmpty, "data that is not empty", keeps: [Data([0])], refuses: [Data()])
    }

    @Test("A bound with a fraction, or beyond the integers, is compared by its digits")
    func exactBounds() throws {
        let above: any PropertyRule = .inRange(try #require(Decimal(string: "9007199254740992.5"))...)
        #expect(above.form.broken(by: 9_007_199_254_740_992) != nil)
        #expect(above.form.broken(by: 9_007_199_254_740_993) == nil)
        let below: any PropertyRule = .inRange(...9_223_372_036_854_775_808.0)
        #expect(below.form.broken(by: Int.max) == nil)
    }

    @Test("count accepts every kind of range")
    func count() {
        let words = ["", "a", "ab", "abc", "abcd"]
        check(.count(1...3), "a string of 1 to 3 characters", keeps: Array(words[1...3]), refuses: ["", "abcd"])
        check(.count(1..<4), "a string of 1 to 3 characters", keeps: Array(words[1...3]), refuses: ["", "abcd"])
        check(.count(2...), "a string of at least 2 characters", keeps: Array(words[2...]), refuses: ["", "a"])
        check(.count(1...), "a string of at least 1 character", keeps: Array(words[1...]), refuses: [""])
        check(.count(...2), "a string of at most 2 characters", keeps: Array(words[...2]), refuses: ["abc", "abcd"])
        check(.count(..<2), "a string of fewer than 2 characters", keeps: ["", "a"], refuses: ["ab", "abc"])
        check(.count(2), "a string of 2 characters", keeps: ["ab"], refuses: ["", "a", "abc"])
        check(.count(1), "a string of 1 character", keeps: ["a"], refuses: ["", "ab"])
        check(.count(0...1), "a string of 0 to 1 characters", keeps: ["", "a"], refuses: ["ab"])
        check(.count(0), "a string of 0 characters", keeps: [""], refuses: ["a"])
        check(.count(1..<1), "a string of characters in 1..<1", keeps: [], refuses: words)
    }

    @Test("count counts characters, elements, members and bytes")
    func counted() {
        // Unicode scalars, as JSON Schema counts.
        check(.count(2), "a string of 2 characters", keeps: ["e\u{301}", "\r\n"], refuses: ["é", "👨‍👩‍👧"])
        check(
            .count(1...2), "an array of 1 to 2 elements", keeps: [[1], [1, 2]] as [[Int]], refuses: [[], [1, 2, 3]])
        check(.count(1), "an array of 1 element", keeps: [Set([1])] as [Set<Int>], refuses: [[], [1, 2]])
        check(.count(2), "an object of 2 members", keeps: [["a": 1, "b": 2]], refuses: [["a": 1]])
        check(.count(2), "data of 2 bytes", keeps: [Data([1, 2])], refuses: [Data()])
    }

    @Test("inRange accepts every kind of range")
    func ranges() {
        check(.inRange(0...150), "an integer from 0 to 150", keeps: [0, 150], refuses: [-1, 151])
        check(.inRange(0..<150), "an integer from 0 on and below 150", keeps: [0, 149], refuses: [-1, 150])
        check(.inRange(5...), "an integer from 5 on", keeps: [5, .max], refuses: [4])
        check(.inRange(...5), "an integer up to 5", keeps: [5, .min], refuses: [6])
        check(.inRange(..<5), "an integer below 5", keeps: [4, .min], refuses: [5])
    }

    @Test("inRange accepts every Comparable type and describes it in the terms of JSON")
    func comparable() throws {
        check(.inRange(1...2), "an integer from 1 to 2", keeps: [2] as [UInt8], refuses: [3])
        check(.inRange(0...0.5), "a number from 0 to 0.5", keeps: [0.5], refuses: [0.6, .nan, .infinity])
        check(.inRange(...0.5), "a number up to 0.5", keeps: [-.infinity] as [Float], refuses: [0.6, .nan])
        check(
            .inRange(Decimal(0)..<Decimal(1)), "a number from 0 on and below 1", keeps: [Decimal(0)],
            refuses: [Decimal(1)])
        check(.inRange("a"..."c"), #"a string from "a" to "c""#, keeps: ["a", "bz", "c"], refuses: ["C", "cc"])
        check(.inRange(Level.low...Level.low), "a value from 1 to 1", keeps: [Level.low], refuses: [.high])
        let date = Date(timeIntervalSince1970: 1_453_573_800)
        check(.inRange(date...), "a date from 2016-01-23T18:30:00Z on", keeps: [date], refuses: [date - 1])
        check(.inRange(..<date), "a date before 2016-01-23T18:30:00Z", keeps: [date - 1], refuses: [date])
        check(
            .inRange(date..<(date + 0.5)), "a date from 2016-01-23T18:30:00Z on and before 2016-01-23T18:30:00.5Z",
            keeps: [date], refuses: [date + 1])
    }

    @Test("oneOf compares free-form JSON as JSON")
    func oneOfFreeForm() throws {
        final class Chart: AbstractModel {
            var origin: [JSONValue] = []
            var size: JSONValue = .null
            var labels: [String: JSONValue] = [:]

            override class var propertyRules: [String: any PropertyRule] {
                ["origin": .oneOf([[0, 0]]), "size": .oneOf([1, 2]), "labels": .oneOf([["x": "left"]])]
            }

            override func validateModel(_ validation: inout ModelValidation) {
                validation.require("origin", origin, .oneOf([[0, 0]]))
                validation.require("size", size, .oneOf([1, 2]))
                validation.require("labels", labels, .oneOf([["x": "left"]]))
            }
        }
        let chart = try Chart(json: #"{"origin": [0, 0.0], "size": 2.0, "labels": {"x": "left"}}"#)
        #expect(chart.origin == [0, 0] && chart.size == 2 && chart.labels == ["x": "left"])
        #expect(
            Thrown.error {
                try Chart(json: #"{"origin": [0], "size": "1", "labels": {"x": "right"}}"#)
            }?.valueFailures.map(\.description) == [
                "Chart.origin at $.origin (line 1, column 12): expected [0,0], found an array.",
                "Chart.size at $.size (line 1, column 25): expected one of 1, 2, found the string \"1\".",
                "Chart.labels at $.labels (line 1, column 40): expected {\"x\":\"left\"}, found an object.",
            ])
    }

    @Test("oneOf lists the values in their JSON form")
    func oneOf() {
        check(.oneOf(["a", "b"]), #"one of "a", "b""#, keeps: ["a", "b"], refuses: ["", "A", "c"])
        check(.oneOf(["a"]), #""a""#, keeps: ["a"], refuses: ["b"])
        check(.oneOf([1, 2]), "one of 1, 2", keeps: [1, 2], refuses: [3])
        check(.oneOf([0.5, 1]), "one of 0.5, 1", keeps: [1], refuses: [0.6])
        check(.oneOf([Plan.free, .pro]), #"one of "free", "pro""#, keeps: [Plan.free], refuses: [])
        check(.oneOf([true]), "true", keeps: [true], refuses: [false])
        check(
            .oneOf([JSONValue.null, ["a": 1]]), #"one of null, {"a":1}"#, keeps: [JSONValue.null, ["a": 1]],
            refuses: [1])
        check(.oneOf([Point(x: 1)]), "Point(x: 1)", keeps: [Point(x: 1)], refuses: [Point()])
    }

    @Test("matches requires the whole string to match")
    func matches() throws {
        check(
            .matches(/[0-9]{5}/, as: "five digits"), "five digits", keeps: ["12345"],
            refuses: ["", "1234", "123456", "12345\n", " 12345", "a12345"])
        check(.contains(/[0-9]/, as: "a text with a digit"), "a text with a digit", keeps: ["ab1c"], refuses: ["ab"])
        check(.slug, "small letters, digits and hyphens", keeps: ["a-1"], refuses: ["A", ""])
        check(.matches(try Regex("a+"), as: "some a"), "some a", keeps: ["aa"], refuses: ["", "ab", "ba"])
    }

    @Test("check applies the caller's closure")
    func check() {
        check(
            .check("an even number") { (number: Int) in number % 2 == 0 }, "an even number", keeps: [0, 2], refuses: [1]
        )
        check(
            .check("an origin") { (point: Point) in point == Point() }, "an origin", keeps: [Point()],
            refuses: [Point(x: 1)])
    }

    @Test("above and below exclude their bound")
    func exclusive() {
        check(.above(5), "an integer above 5", keeps: [6], refuses: [5, 4])
        check(.below(0.5), "a number below 0.5", keeps: [0.4, -.infinity], refuses: [0.5, .nan])
        let date = Date(timeIntervalSince1970: 1_453_573_800)
        check(.above(date), "a date after 2016-01-23T18:30:00Z", keeps: [date + 1], refuses: [date])
    }

    private func numbers(_ texts: String...) throws -> [JSONNumber] { try texts.map { try #require(JSONNumber($0)) } }

    @Test("A number is a multiple by all its digits, however many, and by its exponent")
    func multiples() throws {
        let zeros = String(repeating: "0", count: 39)
        // The nearest Double is a multiple of 10, and none of 3.
        check(
            .multiple(of: 10), "a multiple of 10",
            keeps: try numbers("0", "-10", "12\(zeros)", "1\(zeros)1.0e1", "1e400"),
            refuses: try numbers("1\(zeros)1", "-1\(zeros)1", "1e-400"))
        check(
            .multiple(of: 3), "a multiple of 3",
            keeps: try numbers("1\(zeros)2", "-1\(zeros)2", "12e400", "12e99999999999"),
            refuses: try numbers("1\(zeros)1", "1e400", "1e99999999999", "1\(zeros)2.5"))
        check(
            .multiple(of: 0.5), "a multiple of 0.5", keeps: try numbers("1\(zeros)0.5", "0.5\(zeros)", "5e-1"),
            refuses: try numbers("0.5\(zeros)1", "1\(zeros)0.25"))
        check(
            .multiple(of: 256), "a multiple of 256", keeps: try numbers("1e400", "1e8"),
            refuses: try numbers("1e7", "1\(zeros)1e7"))
        let divisors = try numbers("2e-41", "3\(String(repeating: "0", count: 35))1")
        check(
            .multiple(of: divisors[0]), "a multiple of 2e-41", keeps: try numbers("1.0\(zeros)4", "1"),
            refuses: try numbers("1.0\(zeros)3", "1.0\(zeros)41"))
        check(
            .multiple(of: divisors[1]), "a multiple of \(divisors[1])",
            keeps: try numbers("6\(String(repeating: "0", count: 35))2", "\(divisors[1])e9"),
            refuses: try numbers("6\(String(repeating: "0", count: 35))3", "6e36"))
    }

    @Test("A number is compared with bounds by all its digits")
    func longNumbers() throws {
        let (zeros, nines) = (String(repeating: "0", count: 39), String(repeating: "9", count: 40))
        // The nearest Double of all of them is that of the bound.
        let (low, high) = (try numbers(nines, "\(nines).9", "-1\(zeros)1"), try numbers("1\(zeros)1", "1\(zeros)0.1"))
        let same = try numbers("1\(zeros)0", "1\(zeros)0.\(zeros)", "1e40")
        check(.inRange(1e40...), "a number from 1e+40 on", keeps: high + same, refuses: low)
        check(.inRange(...1e40), "a number up to 1e+40", keeps: low + same, refuses: high)
        check(.above(1e40), "a number above 1e+40", keeps: high, refuses: low + same)
        check(.below(1e40), "a number below 1e+40", keeps: low, refuses: high + same)
        check(.oneOf([1e40]), "1e+40", keeps: same, refuses: low + high)
        check(
            .inRange(-1e40 ... -0.5), "a number from -1e+40 to -0.5", keeps: try numbers("-\(nines)", "-0.5\(zeros)1"),
            refuses: try numbers("-1\(zeros)1", "-0.4\(nines)", "0", "0.5\(zeros)1", "1e-400", "-1e400"))
        check(
            .inRange(0...), "a number from 0 on", keeps: try numbers("1e-400", "-0e400"),
            refuses: try numbers("-1e-400"))
        let long = try numbers("0.5\(zeros)1", "1\(zeros)1")
        check(.oneOf(long), "one of \(long[0]), \(long[1])", keeps: [Decimal](), refuses: [Decimal(0.5), 1])
    }

    @Test("Numbers that Decimal cannot hold are compared too")
    func largeNumbers() throws {
        let numbers = try ["1e200", "-1e200"].map { try #require(JSONNumber($0)) }
        check(.inRange(0...), "a number from 0 on", keeps: [numbers[0]], refuses: [numbers[1]])
        check(.inRange(...1e200), "a number up to 1e+200", keeps: [5], refuses: [.infinity])
        check(.inRange(1...Double.infinity), "a number from 1 on", keeps: [5, .infinity], refuses: [0])
        let wide = try Wide(json: #"{"decimal": 5, "integer": 5}"#)
        #expect(wide.decimal == 5 && wide.integer == 5)
        #expect(throws: ModelError.self) { try Wide(json: #"{"integer": 0}"#) }
    }
}

private class Wide: AbstractModel {
    var decimal = Decimal(0)
    var integer = 1
    override class var propertyRules: [String: any PropertyRule] {
        ["decimal": .inRange(...1e200), "integer": .inRange(1...Double.infinity)]
    }
}

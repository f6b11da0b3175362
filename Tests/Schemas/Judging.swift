// Prints, for a class of each form of rule, its schema, and random documents with the verdict of strict mapping:
//
//     {"class": "Closed", "schema": {…}}
//     {"class": "Closed", "document": "{\"value\": 151}", "fits": false}
//
//     judging SEED COUNT

import Foundation
import ModelMirror

enum Plan: String { case free, pro, gold }

/// A class with one property under one rule.
class Ruled<Rule: Tested>: AbstractModel {
    var value: Rule.Value = Rule.initial
    override class var propertyRules: [String: any PropertyRule] { ["value": Rule.rule] }
    override class var requiredProperties: Set<String> { ["value"] }
}

protocol Tested {
    associatedtype Value
    static var initial: Value { get }
    static var rule: any PropertyRule { get }
    /// The JSON text of a value that may fit.
    static func text(_ random: inout Random) -> String
}

// MARK: Random texts

struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &self) }
    mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }

    /// An integer near one of the bounds, or any, in one of the spellings of JSON.
    mutating func integer(_ bounds: [Int]) -> String {
        switch below(12) {
        case 0: return pick(["-0", "0.0", "1e2", "1E+1", "10e-1", "1.50", "15e1", "100e-2", "-1e0"])
        case 1:
            return pick([
                "9007199254740993", "-9007199254740993", "9223372036854775807", "9223372036854775808",
                "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "1e19",
            ])
        case 2: return "\(Int.random(in: -1000...1000, using: &self))"
        default:
            let near = pick(bounds).addingReportingOverflow(below(5) - 2)
            let text = "\(near.partialValue)"
            return below(4) == 0 ? text + pick([".0", "e0", ".00e0", ".5", ".000001"]) : text
        }
    }

    /// A number near one of the bounds, which are hundredths.
    mutating func number(_ bounds: [Int]) -> String {
        switch below(12) {
        case 0: return pick(["-0", "0.0", "-0.0", "1e2", "1E+1", "10e-1", "1.50", "5e-324", "1e300", "-1e300", "1e-7"])
        case 1:
            return pick([
                "0.30000000000000004", "9007199254740993", "0.1", "0.7", "1e21", "123456789012", "0.9999999999999999",
            ])
        case 2: return "\(Int.random(in: -300...300, using: &self))"
        case 3: return hundredths(Int.random(in: -30000...30000, using: &self))
        default: return hundredths(pick(bounds) + pick([-100, -1, 0, 0, 1, 100]))
        }
    }

    /// A number that `Decimal` can hold, whose schema does not say which.
    mutating func decimal(_ bounds: [Int]) -> String {
        let text = number(bounds)
        return text.hasSuffix("e300") || text.hasSuffix("e-324") ? "1e30" : text
    }

    private mutating func hundredths(_ number: Int) -> String {
        let digits = "\(number.magnitude % 100)"
        let sign = number < 0 ? "-" : ""
        if below(5) == 0 { return "\(number)e-2" }
        return "\(sign)\(number.magnitude / 100).\(digits.count == 1 ? "0" : "")\(digits)"
    }

    /// A text of up to five pieces, some of which are several characters, scalars or UTF-16 units.
    mutating func string(_ pieces: [String]) -> String {
        // Without U+FEFF, which only ECMAScript has among the spaces, and line ends other than these, which only Swift has.
        let foreign = [
            "", "a", "Z", "0", "_", " ", "\n", "\r\n", "\t", "\u{0}", "é", "e\u{301}", "\u{301}", "٣", "Ω", "\u{212A}",
            "ſ", "\u{A0}",
            "𝕊", "\u{10FFFF}", "🇨🇭", "👩‍👩‍👧", "\u{200D}", "\"", "\\", "-", ".",
        ]
        return quoted((0..<below(6)).map { _ in below(4) == 0 ? pick(foreign) : pick(pieces) }.joined())
    }

    /// A text as JSON, some of its characters as escapes.
    mutating func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" || scalar.value < 32 || below(8) == 0 {
                for unit in String(scalar).utf16 {
                    json +=
                        "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
                        + String(unit, radix: 16)
                }
            } else {
                json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }

    mutating func array(_ element: (inout Random) -> String) -> String {
        "[" + (0..<below(5)).map { _ in element(&self) }.joined(separator: ", ") + "]"
    }

    /// Keys differ, since what two equal ones mean is not JSON Schema's.
    mutating func object(_ keys: [String], _ element: (inout Random) -> String) -> String {
        let keys = Set(
            (0..<below(5)).map { _ in string(keys) }.compactMap { try? JSONValue(json: $0).string }.map {
                Array($0.utf8)
            })
        let members = keys.map { String(decoding: $0, as: UTF8.self) }.sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        return "{" + members.map { quoted($0) + ": " + element(&self) }.joined(separator: ", ") + "}"
    }

    /// Any value.
    mutating func anything(_ depth: Int = 0) -> String {
        switch below(depth > 1 ? 5 : 7) {
        case 0: "null"
        case 1: pick(["true", "false"])
        case 2: pick(["0", "1", "-1", "1.0", "2e0", "100", "0.5"])
        case 3: number([0, 100])
        case 4: string(["a", "1"])
        case 5: array { $0.anything(depth + 1) }
        default: object(["a", "1"]) { $0.anything(depth + 1) }
        }
    }
}

// MARK: Rules

protocol Whole: Tested where Value == Int { static var bounds: [Int] { get } }
extension Whole {
    static var initial: Int { 0 }
    static func text(_ random: inout Random) -> String { random.integer(bounds) }
}
enum Closed: Whole { static let bounds = [0, 150]; static var rule: any PropertyRule { .inRange(0...150) } }
enum HalfOpen: Whole { static let bounds = [-5, 7]; static var rule: any PropertyRule { .inRange(-5..<7) } }
enum From: Whole { static let bounds = [1]; static var rule: any PropertyRule { .inRange(1...) } }
enum Through: Whole { static let bounds = [10]; static var rule: any PropertyRule { .inRange(...10) } }
enum UpTo: Whole { static let bounds = [3]; static var rule: any PropertyRule { .inRange(..<3) } }
enum Above: Whole { static let bounds = [0]; static var rule: any PropertyRule { .above(0) } }
enum Below: Whole { static let bounds = [-7]; static var rule: any PropertyRule { .below(-7) } }
enum Fractions: Whole { static let bounds = [0, 2]; static var rule: any PropertyRule { .inRange(0.5...2.5) } }
enum Largest: Whole {
    static let bounds = [Int.max, Int.min]; static var rule: any PropertyRule { .above(Int.max - 2) }
}
enum BeyondInt: Whole {
    static let bounds = [Int.max, Int.min]; static var rule: any PropertyRule { .inRange(1e18...1e19) }
}
enum Fives: Whole { static let bounds = [5, 100]; static var rule: any PropertyRule { .multiple(of: 5) } }
enum HalfThrees: Whole { static let bounds = [3, 9]; static var rule: any PropertyRule { .multiple(of: 1.5) } }
enum OneOfIntegers: Whole {
    static let bounds = [1, 2, 100]; static var rule: any PropertyRule { .oneOf([1, 2, 100]) }
}
enum ConstInteger: Whole { static let bounds = [7]; static var rule: any PropertyRule { .oneOf([7]) } }

enum SmallInteger: Tested {
    static let initial: Int8 = 0
    static var rule: any PropertyRule { .inRange(0...150) }
    static func text(_ random: inout Random) -> String { random.integer([0, 127, 150, -128]) }
}
enum LargeInteger: Tested {
    static let initial: UInt64 = 0
    static var rule: any PropertyRule { .above(UInt64(Int.max)) }
    static func text(_ random: inout Random) -> String { random.integer([0, Int.max]) }
}
enum OptionalInteger: Tested {
    static let initial: Int? = nil
    static var rule: any PropertyRule { .inRange(1...9) }
    static func text(_ random: inout Random) -> String { random.below(5) == 0 ? "null" : random.integer([1, 9]) }
}
enum OptionalValues: Tested {
    static let initial: Int? = nil
    static var rule: any PropertyRule { .oneOf([1, 9]) }
    static func text(_ random: inout Random) -> String { random.below(5) == 0 ? "null" : random.integer([1, 9]) }
}

protocol Real: Tested where Value == Double { static var bounds: [Int] { get } }
extension Real {
    static var initial: Double { 0 }
    static func text(_ random: inout Random) -> String { random.number(bounds) }
}
enum RealClosed: Real { static let bounds = [-50, 100]; static var rule: any PropertyRule { .inRange(-0.5...1.0) } }
enum RealHalfOpen: Real { static let bounds = [-50, 250]; static var rule: any PropertyRule { .inRange(-0.5..<2.5) } }
enum RealFrom: Real { static let bounds = [10]; static var rule: any PropertyRule { .inRange(0.1...) } }
enum RealThrough: Real { static let bounds = [70]; static var rule: any PropertyRule { .inRange(...0.7) } }
enum RealUpTo: Real { static let bounds = [70]; static var rule: any PropertyRule { .inRange(..<0.7) } }
enum RealAbove: Real { static let bounds = [0]; static var rule: any PropertyRule { .above(0.0) } }
enum RealBelow: Real { static let bounds = [30]; static var rule: any PropertyRule { .below(0.3) } }
enum RealOfIntegers: Real { static let bounds = [0, 15000]; static var rule: any PropertyRule { .inRange(0...150) } }
enum Tenths: Real { static let bounds = [10, 30, 70]; static var rule: any PropertyRule { .multiple(of: 0.1) } }
enum Thousands: Real {
    static let bounds = [100000, 300000]; static var rule: any PropertyRule { .multiple(of: 1000) }
}
enum OneOfReals: Real { static let bounds = [10, 100]; static var rule: any PropertyRule { .oneOf([0.1, 1]) } }
enum OneOfWholeReals: Real { static let bounds = [100, 200]; static var rule: any PropertyRule { .oneOf([1, 2]) } }

enum SmallReal: Tested {
    static let initial: Float = 0
    static var rule: any PropertyRule { .inRange(0.1...0.9) }
    static func text(_ random: inout Random) -> String { random.number([10, 90]) }
}
enum DecimalRange: Tested {
    static let initial = Decimal(0)
    static var rule: any PropertyRule { .all(.above(0.1), .inRange(...0.7)) }
    static func text(_ random: inout Random) -> String { random.decimal([10, 70]) }
}
enum Cents: Tested {
    static let initial = Decimal(0)
    static var rule: any PropertyRule { .multiple(of: 0.05) }
    static func text(_ random: inout Random) -> String { random.decimal([10, 70, 15]) }
}
enum AnyNumber: Tested {
    static let initial: JSONNumber = 0
    static var rule: any PropertyRule { .all(.multiple(of: 7), .inRange(-70...700)) }
    static func text(_ random: inout Random) -> String { random.integer([0, 7, -70, 700]) }
}

protocol Text: Tested where Value == String { static var pieces: [String] { get } }
extension Text {
    static var initial: String { "" }
    static var pieces: [String] { ["a", "b", "𝕊", "e\u{301}"] }
    static func text(_ random: inout Random) -> String { random.string(pieces) }
}
enum NotEmptyText: Text { static var rule: any PropertyRule { .notEmpty } }
enum CountedText: Text { static var rule: any PropertyRule { .count(1...3) } }
enum TextBelow: Text { static var rule: any PropertyRule { .count(..<3) } }
enum TextFrom: Text { static var rule: any PropertyRule { .count(2...) } }
enum TextOfTwo: Text { static var rule: any PropertyRule { .count(2) } }
enum OneOfTexts: Text { static var rule: any PropertyRule { .oneOf(["a", "ab", "é", ""]) } }
enum ConstText: Text { static var rule: any PropertyRule { .oneOf(["𝕊"]) } }
enum Digits: Text {
    static let pieces = ["1", "0", "12", "٣", "12345"]
    static var rule: any PropertyRule { .matches(/\d{2,5}/, as: "digits") }
}
enum Zip: Text {
    static let pieces = ["1", "0", "12", "12345"]
    static var rule: any PropertyRule { .matches(/[0-9]{5}/, as: "five digits") }
}
enum Alternatives: Text {
    static let pieces = ["a", "b", "ab", "c"]
    static var rule: any PropertyRule { .matches(/ab|a|cc/, as: "ab, a or cc") }
}
enum Dots: Text { static var rule: any PropertyRule { .matches(/.{2}/, as: "two") } }
enum Words: Text {
    static let pieces = ["a", " ", "é", "_b", "-"]
    static var rule: any PropertyRule { .matches(/\w+\s\w+/, as: "two words") }
}
enum NotClass: Text { static var rule: any PropertyRule { .matches(/[^a-d]*/, as: "others") } }
enum Contained: Text {
    static let pieces = ["a", "b", "1", "ab"]
    static var rule: any PropertyRule { .contains(/a[0-9b]/, as: "a part") }
}
enum Anchored: Text {
    static let pieces = ["a", "b", "ab", "\n"]
    static var rule: any PropertyRule { .contains(/^a+b*$/, as: "a and b") }
}
enum Bounded: Text {
    static let pieces = ["a", "b", " ", "é", "-", "ab"]
    static var rule: any PropertyRule { .contains(/\bab\b/, as: "the word ab") }
}
enum Ahead: Text {
    static let pieces = ["a", "b", "1"]
    static var rule: any PropertyRule { .contains(/a(?!b)[^\D1]?/, as: "an a without b") }
}
enum Grouped: Text {
    static let pieces = ["a", "b", "ab"]
    static var rule: any PropertyRule { .matches(/(?<first>a|b)(?:ab)*?/, as: "a group") }
}
enum Emoji: Text {
    static let pieces = ["🇨🇭", "👩‍👩‍👧", "a"]
    static var rule: any PropertyRule { .matches(/[a🇨🇭]{1,3}/, as: "a flag") }
}
enum Insensitive: Text {
    static let pieces = ["a", "B", "k"]
    static var rule: any PropertyRule { .matches(/(?i)[abk]+/, as: "letters") }
}
enum Mail: Text {
    static let pieces = ["a", "@", "a@b", "\n"]
    static var rule: any PropertyRule { .format(.email) }
}
enum Address: Text {
    static let pieces = ["1.", "255.", "256.", "0.0.0.", "1", "192.168.1.", "01."]
    static var rule: any PropertyRule { .format(.ipv4) }
}
enum Host: Text {
    static let pieces = ["a", "b.c", "-", ".", "example.", "0"]
    static var rule: any PropertyRule { .format(.hostname) }
}
enum Time: Text {
    static let pieces = ["18:30:00Z", "18:30:60z", "23:59:59", "+01:00", ".5", "-23:59", "24:00:00"]
    static var rule: any PropertyRule { .format(.time) }
}
enum OneOfPlans: Tested {
    static let initial = Plan.free
    static var rule: any PropertyRule { .oneOf([Plan.free, .pro]) }
    static func text(_ random: inout Random) -> String {
        random.pick(["\"free\"", "\"pro\"", "\"gold\"", "\"other\""])
    }
}
enum PatternOfPlans: Tested {
    static let initial = Plan.free
    static var rule: any PropertyRule { .matches(/[a-z]{4}/, as: "four letters") }
    static func text(_ random: inout Random) -> String {
        random.pick(["\"free\"", "\"pro\"", "\"gold\"", "\"other\""])
    }
}
enum OneOfFlags: Tested {
    static let initial = false
    static var rule: any PropertyRule { .oneOf([true]) }
    static func text(_ random: inout Random) -> String { random.pick(["true", "false", "1", "0", "1.0"]) }
}
enum OneOfTextsOrNull: Tested {
    static let initial: String? = nil
    static var rule: any PropertyRule { .oneOf(["a", "b"]) }
    static func text(_ random: inout Random) -> String { random.below(5) == 0 ? "null" : random.string(["a", "b"]) }
}
enum OneOfCharacters: Tested {
    static let initial: Character = "a"
    static var rule: any PropertyRule { .oneOf([Character("a"), "é"]) }
    static func text(_ random: inout Random) -> String { random.string(["a", "é", "e\u{301}"]) }
}

enum NotEmptyArray: Tested {
    static let initial: [Int] = []
    static var rule: any PropertyRule { .notEmpty }
    static func text(_ random: inout Random) -> String { random.array { $0.integer([0]) } }
}
enum CountedArray: Tested {
    static let initial: [String] = []
    static var rule: any PropertyRule { .count(2..<4) }
    static func text(_ random: inout Random) -> String { random.array { $0.string(["a"]) } }
}
enum CountedSet: Tested {
    static let initial: Set<Int> = []
    static var rule: any PropertyRule { .count(2...) }
    static func text(_ random: inout Random) -> String { random.array { $0.integer([0]) } }
}
enum CountedDictionary: Tested {
    static let initial: [String: Int] = [:]
    static var rule: any PropertyRule { .count(...2) }
    static func text(_ random: inout Random) -> String { random.object(["a", "b"]) { $0.integer([0]) } }
}
enum NotEmptyDictionary: Tested {
    static let initial: [String: Int] = [:]
    static var rule: any PropertyRule { .notEmpty }
    static func text(_ random: inout Random) -> String { random.object(["a", "b"]) { $0.integer([0]) } }
}
enum UniqueIntegers: Tested {
    static let initial: [Int] = []
    static var rule: any PropertyRule { .unique }
    static func text(_ random: inout Random) -> String { random.array { $0.integer([0, 1]) } }
}
enum UniqueReals: Tested {
    static let initial: [Double] = []
    static var rule: any PropertyRule { .unique }
    static func text(_ random: inout Random) -> String {
        random.array { $0.pick(["0", "-0.0", "1", "1.0", "0.1", "1e-1", "0.2"]) }
    }
}
enum UniqueTexts: Tested {
    static let initial: [String] = []
    static var rule: any PropertyRule { .unique }
    static func text(_ random: inout Random) -> String {
        random.array { $0.quoted($0.pick(["a", "b", "é", "e\u{301}", ""])) }
    }
}
enum UniqueLists: Tested {
    static let initial: [[String]] = []
    static var rule: any PropertyRule { .unique }
    static func text(_ random: inout Random) -> String {
        random.array { $0.pick(["[]", "[\"a\"]", "[\"é\"]", "[\"e\\u0301\"]", "[\"a\", \"b\"]", "[\"b\", \"a\"]"]) }
    }
}
enum UniqueValues: Tested {
    static let initial: [JSONValue] = []
    static var rule: any PropertyRule { .unique }
    static func text(_ random: inout Random) -> String {
        random.array {
            $0.pick([
                "1", "1.0", "true", "false", "0", "-0", "null", "\"1\"", "[]", "{}", "[1]", "[1.0]",
                "{\"a\": 1, \"b\": 2}",
                "{\"b\": 2, \"a\": 1e0}", "[true]", "\"é\"", "\"e\\u0301\"",
            ])
        }
    }
}
enum UniqueDictionaries: Tested {
    static let initial: [[String: Int]] = []
    static var rule: any PropertyRule { .unique }
    static func text(_ random: inout Random) -> String {
        random.array {
            $0.pick(["{}", "{\"a\": 1}", "{\"a\": 1.0}", "{\"a\": 2}", "{\"a\": 1, \"b\": 2}", "{\"b\": 2, \"a\": 1}"])
        }
    }
}
enum UniqueOptionals: Tested {
    static let initial: [Int?] = []
    static var rule: any PropertyRule { .unique }
    static func text(_ random: inout Random) -> String { random.array { $0.pick(["null", "1", "2", "1e0", "3"]) } }
}
enum Keys: Tested {
    static let initial: [String: Int] = [:]
    static var rule: any PropertyRule { .keys(.matches(/[a-z]{1,2}/, as: "small letters")) }
    static func text(_ random: inout Random) -> String { random.object(["a", "b"]) { $0.pick(["0", "1"]) } }
}
enum CountedKeys: Tested {
    static let initial: [String: Int] = [:]
    static var rule: any PropertyRule { .keys(.count(1...2)) }
    static func text(_ random: inout Random) -> String { random.object(["a", "𝕊"]) { $0.pick(["0", "1"]) } }
}
enum OneOfKeys: Tested {
    static let initial: [String: Int] = [:]
    static var rule: any PropertyRule { .keys(.oneOf(["a", "é"])) }
    static func text(_ random: inout Random) -> String { random.object(["a", "é"]) { $0.pick(["0", "1"]) } }
}
enum EachInteger: Tested {
    static let initial: [Int] = []
    static var rule: any PropertyRule { .each(.inRange(1...20)) }
    static func text(_ random: inout Random) -> String { random.array { $0.integer([1, 20, 10]) } }
}
enum EachOptional: Tested {
    static let initial: [Int?] = []
    static var rule: any PropertyRule { .each(.inRange(1...20)) }
    static func text(_ random: inout Random) -> String {
        random.array { $0.pick(["null", "1", "20", "21", "0", "10"]) }
    }
}
enum EachOneOf: Tested {
    static let initial: [String?] = []
    static var rule: any PropertyRule { .each(.oneOf(["a", "b"])) }
    static func text(_ random: inout Random) -> String {
        random.array { $0.pick(["null", "\"a\"", "\"b\"", "\"c\""]) }
    }
}
enum EachOfSet: Tested {
    static let initial: Set<Int> = []
    static var rule: any PropertyRule { .each(.below(9)) }
    static func text(_ random: inout Random) -> String { random.array { $0.integer([9, 5, 7]) } }
}
enum EachMember: Tested {
    static let initial: [String: Double] = [:]
    static var rule: any PropertyRule { .each(.above(0)) }
    static func text(_ random: inout Random) -> String { random.object(["a", "b"]) { $0.number([0, 100]) } }
}
enum EachOfEach: Tested {
    static let initial: [[String]] = []
    static var rule: any PropertyRule { .all(.count(...3), .each(.all(.notEmpty, .each(.count(1...2))))) }
    static func text(_ random: inout Random) -> String {
        random.array { $0.array { $0.pick(["\"\"", "\"a\"", "\"𝕊b\"", "\"abc\""]) } }
    }
}
enum AllOfText: Text {
    static let pieces = ["a", "b"]
    static var rule: any PropertyRule {
        .all(.count(1...), .count(...3), .matches(/[ab]+/, as: "a and b"), .contains(/b/, as: "a b"))
    }
}
enum AllOfArray: Tested {
    static let initial: [Int] = []
    static var rule: any PropertyRule { .all(.unique, .each(.multiple(of: 2)), .count(1...3), .each(.inRange(0...8))) }
    static func text(_ random: inout Random) -> String {
        random.array { $0.pick(["0", "2", "4", "8", "9", "10", "2.0"]) }
    }
}
enum AllOfDictionary: Tested {
    static let initial: [String: Int] = [:]
    static var rule: any PropertyRule {
        .all(.count(...2), .keys(.matches(/[a-z]+/, as: "letters")), .each(.inRange(1...)))
    }
    static func text(_ random: inout Random) -> String { random.object(["a", "b"]) { $0.integer([1, 2]) } }
}

// MARK: Verdicts

/// - Throws: What is a mistake in a rule.
func judge<Rule: Tested>(_ rule: Rule.Type, _ random: inout Random, _ count: Int) throws {
    let name = JSONValue.string("\(rule)")
    print(try JSONValue.object(["class": name, "schema": Ruled<Rule>.jsonSchema(options: .strict)]))
    for _ in 0..<count {
        let document = "{\"value\": \(random.below(12) == 0 ? random.anything() : Rule.text(&random))}"
        var fits = true
        do {
            _ = try Ruled<Rule>(json: document, options: .strict)
        } catch .invalidValues {
            fits = false
        }
        print(JSONValue.object(["class": name, "document": .string(document), "fits": .bool(fits)]))
    }
}

let rules: [any Tested.Type] = [
    Closed.self, HalfOpen.self, From.self, Through.self, UpTo.self, Above.self, Below.self, Fractions.self,
    Largest.self,
    BeyondInt.self, Fives.self, HalfThrees.self, OneOfIntegers.self, ConstInteger.self,
    SmallInteger.self,
    LargeInteger.self, OptionalInteger.self, OptionalValues.self, RealClosed.self, RealHalfOpen.self, RealFrom.self,
    RealThrough.self, RealUpTo.self, RealAbove.self, RealBelow.self, RealOfIntegers.self, Tenths.self, Thousands.self,
    OneOfReals.self, OneOfWholeReals.self, SmallReal.self, DecimalRange.self, Cents.self, AnyNumber.self,
    NotEmptyText.self,
    CountedText.self, TextBelow.self, TextFrom.self, TextOfTwo.self, OneOfTexts.self, ConstText.self, Digits.self,
    Zip.self,
    Alternatives.self, Dots.self, Words.self, NotClass.self, Contained.self, Anchored.self, Bounded.self, Ahead.self,
    Grouped.self, Emoji.self, Insensitive.self, Mail.self, Address.self, Host.self, Time.self, OneOfPlans.self,
    PatternOfPlans.self, OneOfFlags.self, OneOfTextsOrNull.self, OneOfCharacters.self, NotEmptyArray.self,
    CountedArray.self,
    CountedSet.self, CountedDictionary.self, NotEmptyDictionary.self, UniqueIntegers.self, UniqueReals.self,
    UniqueTexts.self,
    UniqueLists.self, UniqueValues.self, UniqueDictionaries.self, UniqueOptionals.self, Keys.self, CountedKeys.self,
    OneOfKeys.self, EachInteger.self, EachOptional.self, EachOneOf.self, EachOfSet.self,
    EachMember.self,
    EachOfEach.self, AllOfText.self, AllOfArray.self, AllOfDictionary.self,
]
var random = Random(state: UInt64(CommandLine.arguments[1]) ?? 0)
let count = Int(CommandLine.arguments[2]) ?? 0
for rule in rules { try judge(rule, &random, count) }

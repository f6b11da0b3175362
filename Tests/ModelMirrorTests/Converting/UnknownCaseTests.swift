import ModelMirror
import Testing

private enum Plan: String, CaseIterable { case free, pro, onPremises = "on-premises" }
private enum Only: String, CaseIterable { case one }
private enum Level: Int { case low = 1, high = 10, below = -5 }
private enum Listed: Int, CaseIterable { case one = 1, two }
private enum Factor: Double { case half = 0.5, double = 2 }
private enum Small: UInt8 { case zero, last = 255 }
private enum Letter: Character { case a = "a", e = "é" }
private enum Tone: String, UnknownCase, CaseIterable {
    case loud, quiet, other
    static var unknownCase: Tone { .other }
}
private enum Code: Int, UnknownCase {
    case ok = 200, other = -1
    static var unknownCase: Code { .other }
}
private struct Tag: RawRepresentable, Hashable { var rawValue: String }
private struct Even: RawRepresentable, Hashable {
    let rawValue: Int
    init?(rawValue: Int) {
        guard rawValue.isMultiple(of: 2) else { return nil }
        self.rawValue = rawValue
    }
}
private struct Rights: OptionSet, Hashable {
    let rawValue: UInt8
    static let read = Rights(rawValue: 1)
    static let write = Rights(rawValue: 2)
}
private struct Slug: RawRepresentable, Hashable { var rawValue: Tag }

@Suite("Enums and other raw-representable types")
struct RawRepresentableTests {
    @Test("A String enum accepts its raw values and lists them if it rejects a value")
    func strings() {
        let table = ConversionTable(start: Plan.free, expected: #"one of "free", "pro", "on-premises""#)
        table.takes(#""pro""#, as: .pro)
        table.takes(#""on-premises""#, as: .onPremises)
        for json in [#""Pro""#, #""onPremises""#, #""""#, #"" pro""#] { table.refuses(json) }
    }

    @Test("A value of another kind is rejected with what the raw type expects", arguments: ["1", "true", "[]", "{}"])
    func otherKind(json: String) {
        let found = ["1": "the number 1", "[]": "an array", "{}": "an object"][json] ?? json
        refuses(json, start: Plan.pro, "expected a string, found \(found).")
        refuses(json, start: Optional(Only.one), "expected a string, found \(found).")
        if json != "1" && json != "true" { refuses(json, start: Level.low, "expected an integer, found \(found).") }
    }

    private func refuses(_ json: String, start: some Equatable & Sendable, _ sentence: String) {
        let check = PropertyCheck(
            json: json, offset: 0, path: "", start: start, result: start, sentence: sentence, source: #_sourceLocation)
        check.leniently("fallback")
        check.strictly(succeeds: false)
    }

    @Test("An enum of numbers accepts its raw values in any notation, in the limits of their type")
    func numbers() {
        let table = ConversionTable(start: Level.low, expected: "an integer that is a raw value of Level")
        table.takes("10", as: .high)
        table.takes("1e1", as: .high)
        table.takes("-5.0", as: .below)
        table.refuses("2")
        let listed = ConversionTable(start: Listed.one, expected: "one of 1, 2")
        listed.takes("2", as: .two)
        listed.refuses("3")
        let small = ConversionTable(
            start: Small.zero, expected: "an integer from 0 to 255 that is a raw value of Small")
        small.takes("255", as: .last)
        small.refuses("1")
        refuses("256", start: Small.zero, "expected an integer from 0 to 255, found the number 256.")
        refuses("-1", start: Small.zero, "expected an integer from 0 to 255, found the number -1.")
        let factor = ConversionTable(start: Factor.half, expected: "a number that is a raw value of Factor")
        factor.takes("2", as: .double)
        factor.takes("20e-1", as: .double)
        factor.refuses("0.25")
    }

    @Test("A Character enum accepts its raw values and rejects others")
    func characters() {
        let table = ConversionTable(
            start: Letter.a, expected: "a string of one character that is a raw value of Letter")
        table.takes(#""\u00e9""#, as: .e)
        table.refuses(#""b""#)
    }

    @Test("Raw-representable structs and option sets accept their raw values")
    func structures() {
        ConversionTable(start: Tag(rawValue: "x"), expected: "a string that is a raw value of Tag")
            .takes(#""a b""#, as: Tag(rawValue: "a b"))
        let even = ConversionTable(start: Even(rawValue: 0)!, expected: "an integer that is a raw value of Even")
        even.takes("4", as: Even(rawValue: 4)!)
        even.refuses("3")
        ConversionTable(start: Rights(), expected: "").takes("3", as: [.read, .write])
        ConversionTable(start: Slug(rawValue: Tag(rawValue: "")), expected: "")
            .takes(#""a""#, as: Slug(rawValue: Tag(rawValue: "a")))
    }

    private final class Account: AbstractModel {
        var level = Level.low
        var factor: Factor?
        var levels: [Level] = []
        var byName: [String: Small] = [:]
    }

    @Test("A coerced raw value is reported once, with what the raw type expects")
    func coerced() throws {
        let json = #"{"level": "10", "factor": "2.0", "levels": ["-5", true], "byName": {"a": false}}"#
        let (account, report) = try Account.mapReporting(json: json)
        #expect(account.level == .high)
        #expect(account.factor == .double)
        #expect(account.levels == [.below, .low])
        #expect(account.byName == ["a": .zero])
        #expect(
            report.description == """
                coerced: Account.level at $.level (line 1, column 11): expected an integer, found the string "10".
                coerced: Account.factor at $.factor (line 1, column 27): expected a number, found the string "2.0".
                coerced: Account.levels at $.levels[0] (line 1, column 45): expected an integer, found the string "-5".
                coerced: Account.levels at $.levels[1] (line 1, column 51): expected an integer, found true.
                coerced: Account.byName at $.byName.a (line 1, column 74): expected an integer from 0 to 255, \
                found false.
                """)
    }

    @Test("A coercible raw value without a case is reported as a fallback only")
    func coercedButUnknown() throws {
        let (account, report) = try Account.mapReporting(
            json: #"{"level": "11", "factor": 2, "levels": [], "byName": {}}"#)
        #expect(account.level == .low)
        #expect(
            report.description
                == "fallback: Account.level at $.level (line 1, column 11): expected an integer that is a raw value of "
                + #"Level, found the string "11"."#)
    }

    @Test("Strict mapping rejects raw values that need coercion", arguments: [#""10""#, "true"])
    func strict(json: String) {
        let error = #expect(throws: ModelError.self) {
            try Account(json: #"{"level": \#(json)}"#, options: .strict)
        }
        let found = json == "true" ? json : "the string \(json)"
        #expect(
            error?.description
                == "Account.level at $.level (line 1, column 11): expected an integer, found \(found).")
    }
}

@Suite("Enums with an unknown case")
struct UnknownCaseTests {
    private static let texts = ["", "LOUD", "new", "other "]

    private final class Song: AbstractModel {
        var tone = Tone.loud
        var optional: Tone?
        var tones: [Tone] = []
        var set: Set<Tone> = []
        var byName: [String: [Tone]] = [:]
        var code = Code.ok
    }

    @Test("A known raw value becomes its case, with nothing to report")
    func known() throws {
        let json = #"""
            {"tone": "quiet", "optional": "other", "tones": ["loud"], "set": ["quiet"],
            "byName": {"a": ["loud"]}, "code": 200}
            """#
        for options in [MappingOptions(), .strict] {
            let (song, report) = try Song.mapReporting(json: json, options: options)
            #expect(song.tone == .quiet)
            #expect(song.optional == .other)
            #expect(song.tones == [.loud])
            #expect(song.set == [.quiet])
            #expect(song.byName == ["a": [.loud]])
            #expect(report.description == "nothing to report")
        }
    }

    @Test("An unknown raw value becomes the unknown case and is reported as coerced", arguments: texts)
    func unknown(text: String) throws {
        let json = #"""
            {"tone": "\#(text)", "optional": "\#(text)", "tones": ["loud", "\#(text)"], "set": ["\#(text)"],
            "byName": {"a": ["\#(text)"]}, "code": 404}
            """#
        let (song, report) = try Song.mapReporting(json: json)
        #expect(song.tone == .other)
        #expect(song.optional == .other)
        #expect(song.tones == [.loud, .other])
        #expect(song.set == [.other])
        #expect(song.byName == ["a": [.other]])
        #expect(song.code == .other)
        let tones = ["$.tone", "$.optional", "$.tones[1]", "$.set[0]", "$.byName.a[0]"].map {
            #"coerced \#($0): one of "loud", "quiet", "other", the string "\#(text)""#
        }
        let code = "coerced $.code: an integer that is a raw value of Code, the number 404"
        #expect(report.outlines == tones + [code])
    }

    @Test(
        "A value of another kind does not become the unknown case", arguments: ["1", "true", "[]", "{}", #"["new"]"#])
    func otherKind(json: String) throws {
        let song = try Song(json: #"{"tone": \#(json), "optional": \#(json), "tones": [\#(json)]}"#)
        #expect(song.tone == .loud)
        #expect(song.optional == nil)
        #expect(song.tones == [])
        let error = #expect(throws: ModelError.self) { try Song(json: #"{"tone": \#(json)}"#, options: .strict) }
        #expect(error?.description.hasPrefix("Song.tone at $.tone (line 1, column 10): expected ") == true)
    }

    @Test("null sets an Optional to nil and leaves other properties unchanged")
    func null() throws {
        let song = try Song(json: #"{"tone": null, "optional": null, "tones": [null, "loud"]}"#)
        #expect(song.tone == .loud)
        #expect(song.optional == nil)
        #expect(song.tones == [.loud])
    }

    @Test("Strict mapping accepts an unknown raw value of the right JSON type")
    func strict() throws {
        let song = try Song(json: #"{"tone": "new", "code": 404}"#, options: .strict)
        #expect(song.tone == .other)
        #expect(song.code == .other)
        #expect(throws: ModelError.self) { try Song(json: #"{"code": "404"}"#, options: .strict) }
    }
}

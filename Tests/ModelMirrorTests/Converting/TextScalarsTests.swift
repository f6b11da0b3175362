import ModelMirror
import Testing

@Suite("String, Substring and Character")
struct TextScalarsTests {
    private static let string = ConversionTable(start: "start", expected: "a string")

    @Test(
        "String accepts any JSON string unchanged, and rejects other kinds of values",
        arguments: [
            (#""""#, ""), (#""a""#, "a"), (#"" a ""#, " a "), (#""12""#, "12"), (#""true""#, "true"),
            (#""null""#, "null"),
            (#""\u00e4\n\"\\""#, "ä\n\"\\"), (#""\ud83d\ude00""#, "😀"), (#""äöü""#, "äöü"), (#""\u0000""#, "\0"),
            ("1", nil), ("1.50", nil), ("-0", nil), ("true", nil), ("false", nil), ("{}", nil), ("[]", nil),
        ] as [(String, String?)])
    func string(json: String, value: String?) { Self.string.converts(json, to: value) }

    @Test(
        "Substring accepts and rejects the same values as String",
        arguments: [
            (#""a\tb""#, "a\tb"), (#""""#, ""), ("1", nil), ("true", nil), ("{}", nil), ("[]", nil),
        ] as [(String, Substring?)])
    func substring(json: String, value: Substring?) {
        ConversionTable<Substring>(start: "start", expected: "a string").converts(json, to: value)
    }

    @Test(
        "Character accepts a string of one character with any number of code points, and rejects others",
        arguments: [
            (#""a""#, "a"), (#"" ""#, " "), (#""e\u0301""#, "é"), (#""👩‍👩‍👧‍👦""#, "👩‍👩‍👧‍👦"), (#""🇩🇪""#, "🇩🇪"),
            (#""\r\n""#, "\r\n"), (#""""#, nil), (#""ab""#, nil), (#""🇩🇪🇫🇷""#, nil), ("1", nil), ("true", nil),
            ("{}", nil), ("[]", nil),
        ] as [(String, Character?)])
    func character(json: String, value: Character?) {
        ConversionTable<Character>(start: "x", expected: "a string of one character").converts(json, to: value)
    }
}

@Suite("The stringsFromNumbers option")
struct StringsFromNumbersTests {
    private final class Texts: AbstractModel {
        var plain = "start"
        var optional: String?
        var part: Substring = "start"
        var all: [String] = []
        var byKey: [String: String] = [:]
    }

    private final class ClassThatAllows: AbstractModel {
        var plain = "start"
        override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
    }

    @Test(
        "stringsFromNumbers turns numbers into strings digit by digit and reports them",
        arguments: [
            "0", "-0", "1", "1.50", "1E5", "1e-400", "123456789012345678901234567890",
            "0.1000000000000000055511151231257827",
        ])
    func digits(number: String) throws {
        let json =
            #"{"plain": \#(number), "optional": \#(number), "part": \#(number), "all": [\#(number)], "#
            + #""byKey": {"a": \#(number)}}"#
        let (texts, report) = try Texts.mapReporting(json: json, options: MappingOptions(stringsFromNumbers: true))
        #expect(texts.plain == number)
        #expect(texts.optional == number)
        #expect(texts.part == number)
        #expect(texts.all == [number])
        #expect(texts.byKey == ["a": number])
        let coercions = ["$.plain", "$.optional", "$.part", "$.all[0]", "$.byKey.a"].map {
            "coerced \($0): a string, the number \(number)"
        }
        #expect(report.outlines == coercions)
    }

    @Test("stringsFromNumbers leaves booleans, objects and arrays rejected", arguments: ["true", "false", "{}", "[]"])
    func others(json: String) throws {
        let options = MappingOptions(stringsFromNumbers: true)
        let texts = try Texts(json: #"{"plain": \#(json), "optional": \#(json)}"#, options: options)
        #expect((texts.plain, texts.optional) == ("start", nil))
    }

    @Test("A class can enable stringsFromNumbers and a call can disable it, in strict mapping as well")
    func classOption() throws {
        #expect(try ClassThatAllows(json: #"{"plain": 7.0}"#).plain == "7.0")
        let forbidding = MappingOptions(stringsFromNumbers: false)
        #expect(try ClassThatAllows(json: #"{"plain": 7.0}"#, options: forbidding).plain == "start")
        #expect(try ClassThatAllows(json: #"{"plain": 7}"#, options: .strict).plain == "7")
        let error = #expect(throws: ModelError.self) {
            try ClassThatAllows(
                json: #"{"plain": 7}"#, options: MappingOptions(strict: true, stringsFromNumbers: false))
        }
        #expect(
            error?.description
                == "ClassThatAllows.plain at $.plain (line 1, column 11): expected a string, found the number 7; the option stringsFromNumbers accepts it."
        )
    }
}

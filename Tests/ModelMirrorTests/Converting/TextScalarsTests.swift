import ModelMirror
import Testing

@Suite("Text")
struct TextScalarsTests {
    private static let string = ConversionTable(start: "start", expected: "a string")

    @Test(
        "String takes any JSON string as it stands",
        arguments: [
            (#""""#, ""), (#""a""#, "a"), (#"" a ""#, " a "), (#""12""#, "12"), (#""true""#, "true"),
            (#""null""#, "null"),
            (#""\u00e4\n\"\\""#, "ä\n\"\\"), (#""\ud83d\ude00""#, "😀"), (#""äöü""#, "äöü"), (#""\u0000""#, "\0"),
        ])
    func string(json: String, value: String) { Self.string.takes(json, as: value) }

    @Test("String refuses what is no JSON string", arguments: ["1", "1.50", "-0", "true", "false", "{}", "[]"])
    func noString(json: String) { Self.string.refuses(json) }

    @Test("Substring is as String")
    func substring() {
        let table = ConversionTable<Substring>(start: "start", expected: "a string")
        table.takes(#""a\tb""#, as: "a\tb")
        table.takes(#""""#, as: "")
        for json in ["1", "true", "{}", "[]"] { table.refuses(json) }
    }

    @Test(
        "Character is a string of one character, of however many code points",
        arguments: [
            (#""a""#, "a"), (#"" ""#, " "), (#""e\u0301""#, "é"), (#""👩‍👩‍👧‍👦""#, "👩‍👩‍👧‍👦"), (#""🇩🇪""#, "🇩🇪"),
            (#""\r\n""#, "\r\n"),
        ] as [(String, Character)])
    func character(json: String, value: Character) {
        ConversionTable<Character>(start: "x", expected: "a string of one character").takes(json, as: value)
    }

    @Test(
        "Character refuses other strings and other values",
        arguments: [#""""#, #""ab""#, #""🇩🇪🇫🇷""#, "1", "true", "{}", "[]"])
    func noCharacter(json: String) {
        ConversionTable<Character>(start: "x", expected: "a string of one character").refuses(json)
    }
}

@Suite("stringsFromNumbers")
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
        "Numbers become strings digit for digit, and are reported",
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
        #expect(report.entries.map(\.kind) == Array(repeating: .coerced, count: 5))
        #expect(report.entries.map(\.path.description) == ["$.plain", "$.optional", "$.part", "$.all[0]", "$.byKey.a"])
        #expect(report.entries.map(\.expected) == Array(repeating: "a string", count: 5))
        #expect(report.entries.map(\.found) == Array(repeating: "the number \(number)", count: 5))
    }

    @Test("Booleans, objects and arrays stay refused", arguments: ["true", "false", "{}", "[]"])
    func others(json: String) throws {
        let options = MappingOptions(stringsFromNumbers: true)
        let texts = try Texts(json: #"{"plain": \#(json), "optional": \#(json)}"#, options: options)
        #expect(texts.plain == "start")
        #expect(texts.optional == nil)
    }

    @Test("A class may allow it, a call may forbid it again")
    func classOption() throws {
        #expect(try ClassThatAllows(json: #"{"plain": 7.0}"#).plain == "7.0")
        let forbidding = MappingOptions(stringsFromNumbers: false)
        #expect(try ClassThatAllows(json: #"{"plain": 7.0}"#, options: forbidding).plain == "start")
    }

    @Test("Set explicitly, it counts beside strict, of a call and of a class")
    func strict() throws {
        #expect(try ClassThatAllows(json: #"{"plain": 7}"#, options: .strict).plain == "7")
        let error = #expect(throws: ModelError.self) {
            try ClassThatAllows(
                json: #"{"plain": 7}"#, options: MappingOptions(strict: true, stringsFromNumbers: false))
        }
        #expect(
            error?.description
                == "ClassThatAllows.plain at $.plain (line 1, column 11): expected a string, found the number 7.")
    }
}

import Foundation
import ModelMirror
import Testing

@Suite("Foundation types")
struct FoundationScalarsTests {
    private static let date = ConversionTable(
        start: Date(timeIntervalSince1970: -1), expected: #"a date in ISO 8601 or "y-MM-dd HH:mm:ssZ""#)

    @Test(
        "Date accepts ISO 8601 and the form y-MM-dd HH:mm:ssZ, also with escapes, and rejects everything else",
        arguments: [
            (#""2016-01-23T18:30:00Z""#, 1_453_573_800), (#""2016-01-23T18:30:00.5Z""#, 1_453_573_800.5),
            (#""2016-01-23T18:30:00.250000000Z""#, 1_453_573_800.25),
            (#""2016-01-23T19:30:00+01:00""#, 1_453_573_800), (#""2016-01-23T12:30:00-0600""#, 1_453_573_800),
            (#""2016-01-23T18:30:00""#, 1_453_573_800), (#""2016-01-23t18:30:00z""#, 1_453_573_800),
            (#""2016-01-23""#, 1_453_507_200), (#""20160123T183000Z""#, 1_453_573_800),
            (#""2016-01-23 18:30:00Z""#, 1_453_573_800), (#""2016-01-23 18:30:00+0000""#, 1_453_573_800),
            (#""2016-01-23 18:30:00 GMT""#, 1_453_573_800), (#""2016-1-23 8:30:00Z""#, 1_453_537_800),
            (#""2016-02-29T00:00:00Z""#, 1_456_704_000), (#""2016\u002d01-23T18:30:00Z""#, 1_453_573_800),
            (#""2016-01-23T18:30:00Zjunk""#, nil), (#"" 2016-01-23T18:30:00Z""#, nil),
            (#""2016-01-23T18:30:00Z ""#, nil), (#""2016-01-23T18:30:00.Z""#, nil),
            (#""2016-01-23T18:30:00.0000000001Z""#, nil), (#""2016-01-23_18:30:00Z""#, nil), (#""23.01.2016""#, nil),
            (#""1453573800""#, nil), (#""""#, nil), (#""now""#, nil), ("1453573800", nil), ("0", nil), ("true", nil),
            ("[]", nil), ("{}", nil),
        ] as [(String, Double?)])
    func date(json: String, seconds: Double?) {
        Self.date.converts(json, to: seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test(
        "Date rejects days and times that do not exist",
        arguments: [
            #""2016-13-01T00:00:00Z""#, #""2016-02-30T00:00:00Z""#, #""2015-02-29""#, #""2016-01-23T25:00:00Z""#,
            #""2016-01-23T18:60:00Z""#, #""2016-01-23 18:60:00Z""#, #""2016-4-31 18:30:00Z""#,
        ])
    func noSuchDate(json: String) {
        Self.date.refuses(json, expected: #"a date in ISO 8601 or "y-MM-dd HH:mm:ssZ" whose day and time exist"#)
    }

    private static let url = ConversionTable(start: URL(filePath: "/start"), expected: "a URL")

    @Test(
        "URL accepts absolute and relative references, also with escapes, and percent-encodes invalid characters",
        arguments: [
            ("https://example.com", "https://example.com"), ("https://example.com/a%20b", "https://example.com/a%20b"),
            ("https://example.com/a b?q=ä#x y", "https://example.com/a%20b?q=%C3%A4#x%20y"),
            ("/users/1", "/users/1"), ("users/1?a=b", "users/1?a=b"), ("?page=2", "?page=2"), ("#top", "#top"),
            ("//example.com/a", "//example.com/a"), ("mailto:a@example.com", "mailto:a@example.com"),
            ("HTTP://Example.COM/A", "HTTP://Example.COM/A"),
            ("https://example.com/100%", "https://example.com/100%25"),
            ("https://example.com/a|b", "https://example.com/a%7Cb"),
            ("http://[::1]:8080/", "http://[::1]:8080/"), (#"https:\/\/example.com\/a"#, "https://example.com/a"),
        ])
    func url(text: String, absolute: String) throws {
        let value = try #require(URL(string: absolute, encodingInvalidCharacters: false))
        #expect(value.absoluteString == absolute)
        guard text.replacing("\\", with: "") != absolute else { return Self.url.takes("\"\(text)\"", as: value) }
        let (read, report) = try JSONMapper.mapReporting(URL.self, from: "\"\(text)\"", options: .strict)
        #expect(read == value)
        #expect(report.entries.map(\.kind) == [.coerced])
    }

    @Test(
        "URL rejects strings that do not parse and other kinds of values",
        arguments: [
            #""""#, #""://""#, #""http://[::1""#, #""http://host:abc""#, #""http://host:65536""#, #""http://a b/""#,
            "1", "true",
            "[]", "{}",
        ])
    func noURL(json: String) { Self.url.refuses(json) }

    private static let color = ConversionTable(
        start: RGBAColor(red: 0.5, green: 0.5, blue: 0.5), expected: "a color like #RRGGBB or #RRGGBBAA")

    @Test(
        "RGBAColor accepts the hexadecimal notations of the web, with and without #, and rejects everything else",
        arguments: [
            ("\"#f80\"", [255, 136, 0, 255]), ("\"f80\"", [255, 136, 0, 255]), ("\"#f808\"", [255, 136, 0, 136]),
            ("\"#FF8000\"", [255, 128, 0, 255]), ("\"FF8000\"", [255, 128, 0, 255]),
            ("\"#ff800040\"", [255, 128, 0, 64]), ("\" #FF8000 \"", [255, 128, 0, 255]), ("\"000\"", [0, 0, 0, 255]),
            ("\"#00000000\"", [0, 0, 0, 0]),
            ("\"FFZZZZ\"", nil), ("\"0xFFFF\"", nil), ("\"12 456\"", nil), ("\"##FFF\"", nil), ("\"#\"", nil),
            ("\"\"", nil), ("\"#FF\"", nil), ("\"#FFFFF\"", nil), ("\"#FFFFFFF\"", nil), ("\"red\"", nil),
            ("255", nil), ("true", nil), ("[1,1,1]", nil), ("{}", nil),
        ] as [(String, [Double]?)])
    func color(json: String, bytes: [Double]?) {
        let value = bytes.map {
            RGBAColor(red: $0[0] / 255, green: $0[1] / 255, blue: $0[2] / 255, alpha: $0[3] / 255)
        }
        Self.color.converts(json, to: value)
    }

    private static let data = ConversionTable(start: Data([1, 2, 3]), expected: "base64")

    @Test(
        "Data accepts base64 in both alphabets, padded or not, and rejects everything else",
        arguments: [
            (#""""#, []), (#""TQ==""#, [77]), (#""TQ""#, [77]), (#""TWE=""#, [77, 97]), (#""TWFu""#, [77, 97, 110]),
            (#""++//""#, [251, 239, 255]), (#""--__""#, [251, 239, 255]), (#""\/\/\/\/""#, [255, 255, 255]),
            (#""T""#, nil), (#""TQ=""#, nil), (#""TR==""#, nil), (#""TQ==TQ==""#, nil), (#"" TQ==""#, nil),
            (#""TQ!=""#, nil), (#""+-//""#, nil), ("1", nil), ("true", nil), ("[77]", nil), ("{}", nil),
        ] as [(String, [UInt8]?)])
    func data(json: String, bytes: [UInt8]?) { Self.data.converts(json, to: bytes.map { Data($0) }) }

    private static let uuid = ConversionTable(start: UUID(), expected: "a UUID")

    @Test(
        "UUID accepts its string form in any letter case, and rejects everything else",
        arguments: [
            (#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, true), (#""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#, true),
            (#""e621E1F8-c36c-495a-93fc-0c247A3E6E5F""#, true), (#""""#, false),
            (#""E621E1F8C36C495A93FC0C247A3E6E5F""#, false), (#""E621E1F8-C36C-495A-93FC-0C247A3E6E5""#, false),
            (#""E621E1F8-C36C-495A-93FC-0C247A3E6E5FF""#, false),
            (#"" E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, false),
            (#""{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}""#, false),
            (#""G621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, false),
            (#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F\u0000""#, false),
            (#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F\u0000a""#, false), ("1", false), ("true", false), ("[]", false),
            ("{}", false),
        ])
    func uuid(json: String, isAccepted: Bool) throws {
        let value = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        Self.uuid.converts(json, to: isAccepted ? value : nil)
    }

    private static let timeZone = ConversionTable(
        start: TimeZone(secondsFromGMT: 3 * 3600) ?? .gmt, expected: "the identifier of a time zone")

    @Test(
        "TimeZone accepts identifiers and abbreviations",
        arguments: [
            (#""Europe/Paris""#, TimeZone(identifier: "Europe/Paris")),
            (#""America/New_York""#, TimeZone(identifier: "America/New_York")),
            (#""GMT""#, TimeZone(identifier: "GMT")), (#""GMT+0200""#, TimeZone(identifier: "GMT+0200")),
            (#""PDT""#, TimeZone(abbreviation: "PDT")), (#""CEST""#, TimeZone(abbreviation: "CEST")),
        ] as [(String, TimeZone?)])
    func timeZone(json: String, value: TimeZone?) throws { Self.timeZone.takes(json, as: try #require(value)) }

    @Test(
        "TimeZone rejects unknown identifiers and other kinds of values",
        arguments: [#""""#, #""Europe/Nowhere""#, #""Mars""#, "1", "true", "[]", "{}"])
    func noTimeZone(json: String) { Self.timeZone.refuses(json) }

    private static let locale = ConversionTable(start: Locale(identifier: "xx"), expected: "the identifier of a locale")

    @Test(
        "Locale accepts identifiers, and rejects the empty string and other kinds of values",
        arguments: [
            (#""de_DE""#, "de_DE"), (#""en""#, "en"), (#""zh-Hans-CN""#, "zh-Hans-CN"),
            (#""en_US_POSIX""#, "en_US_POSIX"), (#""""#, nil), ("1", nil), ("true", nil), ("[]", nil), ("{}", nil),
        ] as [(String, String?)])
    func locale(json: String, identifier: String?) {
        Self.locale.converts(json, to: identifier.map { Locale(identifier: $0) })
    }
}

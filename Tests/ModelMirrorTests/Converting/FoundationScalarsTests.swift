import Foundation
import ModelMirror
import Testing

@Suite("Foundation types")
struct FoundationScalarsTests {
    private static let date = ConversionTable(
        start: Date(timeIntervalSince1970: -1), expected: #"a date in ISO 8601 or "y-MM-dd HH:mm:ssZ""#)

    @Test(
        "Date accepts ISO 8601 and the form y-MM-dd HH:mm:ssZ",
        arguments: [
            ("2016-01-23T18:30:00Z", 1_453_573_800), ("2016-01-23T18:30:00.5Z", 1_453_573_800.5),
            ("2016-01-23T18:30:00.250000000Z", 1_453_573_800.25), ("2016-01-23T19:30:00+01:00", 1_453_573_800),
            ("2016-01-23T12:30:00-0600", 1_453_573_800), ("2016-01-23T18:30:00", 1_453_573_800),
            ("2016-01-23t18:30:00z", 1_453_573_800), ("2016-01-23", 1_453_507_200), ("20160123T183000Z", 1_453_573_800),
            ("2016-01-23 18:30:00Z", 1_453_573_800), ("2016-01-23 18:30:00+0000", 1_453_573_800),
            ("2016-01-23 18:30:00 GMT", 1_453_573_800), ("2016-1-23 8:30:00Z", 1_453_537_800),
            ("2016-02-29T00:00:00Z", 1_456_704_000),
        ] as [(String, Double)])
    func date(text: String, seconds: Double) {
        Self.date.takes("\"\(text)\"", as: Date(timeIntervalSince1970: seconds))
    }

    @Test("Date accepts a string with escapes")
    func escapedDate() {
        Self.date.takes(#""2016\u002d01-23T18:30:00Z""#, as: Date(timeIntervalSince1970: 1_453_573_800))
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

    @Test(
        "Date rejects other forms, numbers and other kinds of values",
        arguments: [
            #""2016-01-23T18:30:00Zjunk""#, #"" 2016-01-23T18:30:00Z""#,
            #""2016-01-23T18:30:00Z ""#, #""2016-01-23T18:30:00.Z""#, #""2016-01-23T18:30:00.0000000001Z""#,
            #""2016-01-23_18:30:00Z""#, #""23.01.2016""#, #""1453573800""#, #""""#, #""now""#, "1453573800", "0",
            "true", "[]",
            "{}",
        ])
    func noDate(json: String) { Self.date.refuses(json) }

    private static let url = ConversionTable(start: URL(filePath: "/start"), expected: "a URL")

    @Test(
        "URL accepts absolute and relative references and percent-encodes invalid characters",
        arguments: [
            ("https://example.com", "https://example.com"), ("https://example.com/a%20b", "https://example.com/a%20b"),
            ("https://example.com/a b?q=ä#x y", "https://example.com/a%20b?q=%C3%A4#x%20y"),
            ("/users/1", "/users/1"), ("users/1?a=b", "users/1?a=b"), ("?page=2", "?page=2"), ("#top", "#top"),
            ("//example.com/a", "//example.com/a"), ("mailto:a@example.com", "mailto:a@example.com"),
            ("HTTP://Example.COM/A", "HTTP://Example.COM/A"),
            ("https://example.com/100%", "https://example.com/100%25"),
            ("https://example.com/a|b", "https://example.com/a%7Cb"),
            ("http://[::1]:8080/", "http://[::1]:8080/"),
        ])
    func url(text: String, absolute: String) throws {
        let value = try #require(URL(string: absolute, encodingInvalidCharacters: false))
        #expect(value.absoluteString == absolute)
        guard text != absolute else { return Self.url.takes("\"\(text)\"", as: value) }
        let (read, report) = try JSONMapper.mapReporting(URL.self, from: "\"\(text)\"", options: .strict)
        #expect(read == value)
        #expect(report.entries.map(\.kind) == [.coerced])
    }

    @Test("URL accepts escaped slashes")
    func escapedURL() throws {
        Self.url.takes(#""https:\/\/example.com\/a""#, as: try #require(URL(string: "https://example.com/a")))
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
        "RGBAColor accepts the hexadecimal notations of the web, with and without #",
        arguments: [
            ("#f80", [255, 136, 0, 255]), ("f80", [255, 136, 0, 255]), ("#f808", [255, 136, 0, 136]),
            ("#FF8000", [255, 128, 0, 255]), ("FF8000", [255, 128, 0, 255]), ("#ff800040", [255, 128, 0, 64]),
            (" #FF8000 ", [255, 128, 0, 255]), ("000", [0, 0, 0, 255]), ("#00000000", [0, 0, 0, 0]),
        ] as [(String, [Double])])
    func color(text: String, bytes: [Double]) {
        let value = RGBAColor(red: bytes[0] / 255, green: bytes[1] / 255, blue: bytes[2] / 255, alpha: bytes[3] / 255)
        Self.color.takes("\"\(text)\"", as: value)
    }

    @Test(
        "RGBAColor rejects other strings and values",
        arguments: [
            "\"FFZZZZ\"", "\"0xFFFF\"", "\"12 456\"", "\"##FFF\"", "\"#\"", "\"\"", "\"#FF\"", "\"#FFFFF\"",
            "\"#FFFFFFF\"",
            "\"red\"", "255", "true", "[1,1,1]", "{}",
        ])
    func noColor(json: String) { Self.color.refuses(json) }

    private static let data = ConversionTable(start: Data([1, 2, 3]), expected: "base64")

    @Test(
        "Data accepts base64 in both alphabets, padded or not",
        arguments: [
            ("", []), ("TQ==", [77]), ("TQ", [77]), ("TWE=", [77, 97]), ("TWFu", [77, 97, 110]),
            ("++//", [251, 239, 255]),
            ("--__", [251, 239, 255]), (#"\/\/\/\/"#, [255, 255, 255]),
        ] as [(String, [UInt8])])
    func data(text: String, bytes: [UInt8]) { Self.data.takes("\"\(text)\"", as: Data(bytes)) }

    @Test(
        "Data rejects other strings and values",
        arguments: [
            #""T""#, #""TQ=""#, #""TR==""#, #""TQ==TQ==""#, #"" TQ==""#, #""TQ!=""#, #""+-//""#, "1", "true", "[77]",
            "{}",
        ])
    func noData(json: String) { Self.data.refuses(json) }

    private static let uuid = ConversionTable(start: UUID(), expected: "a UUID")

    @Test(
        "UUID accepts its string form in any letter case",
        arguments: [
            "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f",
            "e621E1F8-c36c-495a-93fc-0c247A3E6E5F",
        ])
    func uuid(text: String) throws {
        let value = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        Self.uuid.takes("\"\(text)\"", as: value)
    }

    @Test(
        "UUID rejects other strings and values",
        arguments: [
            #""""#, #""E621E1F8C36C495A93FC0C247A3E6E5F""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5""#,
            #""E621E1F8-C36C-495A-93FC-0C247A3E6E5FF""#, #"" E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#,
            #""{E621E1F8-C36C-495A-93FC-0C247A3E6E5F}""#, #""G621E1F8-C36C-495A-93FC-0C247A3E6E5F""#, "1", "true", "[]",
            #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F\u0000""#, #""E621E1F8-C36C-495A-93FC-0C247A3E6E5F\u0000a""#, "{}",
        ])
    func noUUID(json: String) { Self.uuid.refuses(json) }

    private static let timeZone = ConversionTable(
        start: TimeZone(secondsFromGMT: 3 * 3600) ?? .gmt, expected: "the identifier of a time zone")

    @Test(
        "TimeZone accepts identifiers",
        arguments: ["Europe/Paris", "America/New_York", "GMT", "GMT+0200"])
    func timeZone(identifier: String) throws {
        Self.timeZone.takes("\"\(identifier)\"", as: try #require(TimeZone(identifier: identifier)))
    }

    @Test("TimeZone accepts abbreviations", arguments: ["PDT", "CEST"])
    func timeZoneAbbreviation(abbreviation: String) throws {
        Self.timeZone.takes("\"\(abbreviation)\"", as: try #require(TimeZone(abbreviation: abbreviation)))
    }

    @Test(
        "TimeZone rejects unknown identifiers and other kinds of values",
        arguments: [#""""#, #""Europe/Nowhere""#, #""Mars""#, "1", "true", "[]", "{}"])
    func noTimeZone(json: String) { Self.timeZone.refuses(json) }

    private static let locale = ConversionTable(start: Locale(identifier: "xx"), expected: "the identifier of a locale")

    @Test("Locale accepts identifiers", arguments: ["de_DE", "en", "zh-Hans-CN", "en_US_POSIX"])
    func locale(identifier: String) { Self.locale.takes("\"\(identifier)\"", as: Locale(identifier: identifier)) }

    @Test("Locale rejects the empty string and other kinds of values", arguments: [#""""#, "1", "true", "[]", "{}"])
    func noLocale(json: String) { Self.locale.refuses(json) }
}

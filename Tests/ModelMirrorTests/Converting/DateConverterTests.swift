import Foundation
import ModelMirror
import Testing

@Suite("Date converters")
struct DateConverterTests {
    /// A converter, a JSON value, its seconds since 1970, and what is written for them.
    private struct Reading: Sendable, CustomTestStringConvertible {
        let converter: AnyConverter<Date>
        let json: String
        let seconds: Double
        let written: String

        init(_ converter: AnyConverter<Date>, _ json: String, _ seconds: Double, _ written: String? = nil) {
            (self.converter, self.json, self.seconds, self.written) = (converter, json, seconds, written ?? json)
        }

        var testDescription: String { "\(json) is \(seconds)" }
    }

    private static let readings = [
        Reading(.iso8601, #""2016-01-23T18:30:00Z""#, 1_453_573_800),
        Reading(.iso8601, #""2016-01-23T18:30:00.25Z""#, 1_453_573_800.25),
        Reading(.iso8601, #""2016-01-23T20:00:00+01:30""#, 1_453_573_800, #""2016-01-23T18:30:00Z""#),
        Reading(.iso8601, #""2016-01-23""#, 1_453_507_200, #""2016-01-23T00:00:00Z""#),
        Reading(.iso8601, #""1969-12-31T23:59:59Z""#, -1),
        Reading(.secondsSince1970, "1453573800", 1_453_573_800),
        Reading(.secondsSince1970, "1453573800.5", 1_453_573_800.5),
        Reading(.secondsSince1970, "-1", -1),
        Reading(.secondsSince1970, "0", 0),
        Reading(.secondsSince1970, "1.4535738e9", 1_453_573_800, "1453573800"),
        Reading(.secondsSince1970, #""1453573800""#, 1_453_573_800, "1453573800"),
        Reading(.secondsSince1970, #""-0.5""#, -0.5, "-0.5"),
        Reading(.millisecondsSince1970, "1453573800000", 1_453_573_800),
        Reading(.millisecondsSince1970, "1453573800001", 1_453_573_800.001),
        Reading(.millisecondsSince1970, "-1", -0.001),
        Reading(.millisecondsSince1970, #""1453573800250""#, 1_453_573_800.25, "1453573800250"),
        Reading(.httpDate, #""Sat, 23 Jan 2016 18:30:00 GMT""#, 1_453_573_800),
        Reading(.httpDate, #""Sat Jan 23 18:30:00 2016""#, 1_453_573_800, #""Sat, 23 Jan 2016 18:30:00 GMT""#),
        Reading(.httpDate, #""Sunday, 06-Nov-94 08:49:37 GMT""#, 784_111_777, #""Sun, 06 Nov 1994 08:49:37 GMT""#),
        Reading(.format("dd.MM.yyyy HH:mm"), #""23.01.2016 18:30""#, 1_453_573_800),
        Reading(.format("d MMM yyyy"), #""23 Jan 2016""#, 1_453_507_200),
        Reading(
            .format("y-MM-dd HH:mm:ssZ"), #""2016-01-23 19:30:00+0100""#, 1_453_573_800,
            #""2016-01-23 18:30:00+0000""#),
    ]

    @Test("Every date form is read and written", arguments: readings)
    private func form(reading: Reading) throws {
        let date = Date(timeIntervalSince1970: reading.seconds)
        #expect(try reading.converter.value(from: JSONValue(json: reading.json)) == date)
        let written = try reading.converter.json(from: date)
        #expect(written == (try JSONValue(json: reading.written)))
        if case .number(let number) = written { #expect(number.text == reading.written) }
        #expect(try reading.converter.value(from: written) == date)
    }

    private final class Dates: AbstractModel {
        var iso: Date?
        var seconds = Date(timeIntervalSince1970: 1)
        var milliseconds: [Date] = []
        var http: [String: Date] = [:]
        var format: Set<Date> = []
        var either: [[Date?]] = []

        override class var propertyConverters: [String: any Converter] {
            [
                "iso": .iso8601, "seconds": .secondsSince1970, "milliseconds": .millisecondsSince1970,
                "http": .httpDate,
                "format": .format("dd.MM.yyyy"), "either": .any([.iso8601, .format("dd.MM.yyyy"), .secondsSince1970]),
            ]
        }
    }

    @Test("Date converters read properties, Optionals and collections", arguments: [MappingOptions(), .strict])
    func properties(options: MappingOptions) throws {
        let json = #"""
            {"iso": "1970-01-01T00:00:02\u005a", "seconds": 3, "milliseconds": [4000, 5000.0],
            "http": {"a": "Thu, 01 Jan 1970 00:00:06 GMT"}, "format": ["01.01.1970", "02.01.1970"],
            "either": [["1970-01-01T00:00:07Z", null], ["01.01.1970", 8]]}
            """#
        let (dates, report) = try Dates.mapReporting(json: json, options: options)
        #expect(dates.iso == Date(timeIntervalSince1970: 2))
        #expect(dates.seconds == Date(timeIntervalSince1970: 3))
        #expect(dates.milliseconds == [4, 5].map(Date.init(timeIntervalSince1970:)))
        #expect(dates.http == ["a": Date(timeIntervalSince1970: 6)])
        #expect(dates.format == Set([0, 86_400].map(Date.init(timeIntervalSince1970:))))
        #expect(
            dates.either == [
                [Date(timeIntervalSince1970: 7), nil],
                [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 8)],
            ])
        #expect(report.description == "nothing to report")
    }

    @Test("Lenient mapping reads seconds and milliseconds since 1970 from strings")
    func strings() throws {
        let dates = try Dates(json: #"{"seconds": "3.5", "milliseconds": ["4000"]}"#)
        #expect(dates.seconds == Date(timeIntervalSince1970: 3.5))
        #expect(dates.milliseconds == [Date(timeIntervalSince1970: 4)])
    }

    /// Per converter: what it expects, and the values it rejects.
    private static let refusals: [(property: String, expected: String, values: [String])] = [
        (
            "iso", "a date in ISO 8601",
            ["1453573800", #""2016-01-23 18:30:00 GMT""#, #""2016-02-3""#, #""""#, "true", "[]", "{}"]
        ),
        (
            "iso", "a date in ISO 8601 whose day and time exist",
            [
                #""2016-02-30""#, #""2016-13-01""#, #""2016-04-31T18:30:00Z""#, #""20160431""#, #""2016-01-23T24:00""#,
                #""2016-01-23T18:60:00+01:00""#,
            ]
        ),
        (
            "seconds", "seconds since 1970",
            [#""2016-01-23""#, #""1,5""#, #"" 1""#, #""nan""#, #""""#, "1e400", #""1e400""#, "true", "[]", "{}"]
        ),
    ]

    @Test("Other values are rejected with the expected date form", arguments: refusals)
    func refused(property: String, expected: String, values: [String]) throws {
        for json in values {
            let document = #"{"\#(property)": \#(json)}"#
            let (dates, report) = try Dates.mapReporting(json: document)
            #expect(dates.iso == nil)
            #expect(dates.seconds == Date(timeIntervalSince1970: 1))
            let entries = report.entries.filter { $0.kind == .fallback }
            #expect(entries.map(\.expected) == [expected])
            #expect(entries.map(\.path.description) == ["$.\(property)"])
            #expect(throws: ModelError.self) { try Dates(json: document, options: .strict) }
        }
    }

    private final class Stamped: AbstractModel {
        var at = Date.distantPast
        var sent: Date?
        override class var propertyConverters: [String: any Converter] { ["sent": .iso8601] }
    }

    @Test("A failure at a number names the option for dates, if no converter is declared")
    func numbers() {
        let error = #expect(throws: ModelError.self) {
            try Stamped(json: #"{"at": 86400, "sent": 86400}"#, options: .strict)
        }
        #expect(
            error?.description == """
                Stamped.at at $.at (line 1, column 8): expected a date in ISO 8601 or "y-MM-dd HH:mm:ssZ", found the number 86400; \
                the option dates accepts numbers, as .secondsSince1970 or .millisecondsSince1970.
                Stamped.sent at $.sent (line 1, column 23): expected a date in ISO 8601, found the number 86400.
                """)
    }

    @Test("Invalid dates in collections are skipped, each with the expected form")
    func elements() throws {
        let json = #"""
            {"milliseconds": [1000, "x", true], "http": {"a": "1970-01-01", "b": 1,
            "c": "Thu, 01 Jan 1970 00:00:00 GMT"},
            "format": ["1.1.1970", "32.01.1970", "01.01.70x", 5], "either": [[true, "x", 1]]}
            """#
        let (dates, report) = try Dates.mapReporting(json: json)
        #expect(dates.milliseconds == [Date(timeIntervalSince1970: 1)])
        #expect(dates.http == ["c": Date(timeIntervalSince1970: 0)])
        #expect(dates.format == [Date(timeIntervalSince1970: 0)])
        #expect(dates.either == [[Date(timeIntervalSince1970: 1)]])
        let either = #"a date in ISO 8601 or a date in the format "dd.MM.yyyy" or seconds since 1970"#
        let format = #"a date in the format "dd.MM.yyyy""#
        #expect(
            report.entries.filter { $0.kind == .skipped }.map(\.outline) == [
                #"skipped $.milliseconds[1]: milliseconds since 1970, the string "x""#,
                "skipped $.milliseconds[2]: milliseconds since 1970, true",
                #"skipped $.http.a: an HTTP date, the string "1970-01-01""#,
                "skipped $.http.b: an HTTP date, the number 1",
                #"skipped $.format[1]: \#(format) whose day and time exist, the string "32.01.1970""#,
                #"skipped $.format[2]: \#(format), the string "01.01.70x""#,
                "skipped $.format[3]: \(format), the number 5",
                "skipped $.either[0][0]: \(either), true", #"skipped $.either[0][1]: \#(either), the string "x""#,
            ])
    }

    @Test("Text forms reject dates outside the years 0 to 9999, and numeric forms infinite dates")
    func outside() {
        let far = Date(timeIntervalSince1970: 1e12)
        for converter in [AnyConverter<Date>.iso8601, .httpDate, .format("yyyy")] {
            let error = #expect(throws: ConversionError.self) { try converter.json(from: far) }
            #expect(error?.description == "expected a date between the years 0 and 9999")
        }
        for converter in [AnyConverter<Date>.secondsSince1970, .millisecondsSince1970] {
            #expect(throws: ConversionError.self) {
                try converter.json(from: Date(timeIntervalSince1970: .infinity))
            }
        }
    }

    // MARK: Invalid patterns

    private final class BadFormat: AbstractModel {
        var born: Date?
        override class var propertyConverters: [String: any Converter] { ["born": .format("dd.MM.jjjj")] }
    }

    private final class BadFormatInside: AbstractModel {
        var seen: [Date?] = []
        override class var propertyConverters: [String: any Converter] {
            ["seen": .any([.iso8601, .format("hh:mm")]).optional]
        }
    }

    private final class BadFormatInArray: AbstractModel {
        var seen: [Date] = []
        override class var propertyConverters: [String: any Converter] { ["seen": .array(of: .format("'at' d''M 'o"))] }
    }

    private final class BadClassFormat: AbstractModel {
        var name = ""
        override class var dateFormats: [String] { ["yyyy", "yyyy Hmm"] }
    }

    private final class BadPropertyFormat: AbstractModel {
        var born: Date?
        override class var propertyDateFormats: [String: String] { ["born": "MMMMM"] }
    }

    @Test("An invalid date pattern makes the class invalid, wherever it is declared")
    func badPatterns() {
        func check<Model: AbstractModel>(_ type: Model.Type, _ property: String?, _ message: String) {
            for json in ["{}", #"{"born": 1}"#] {
                let error = #expect(throws: ModelError.self) { _ = try Model.mapReporting(json: json) }
                #expect(error?.description == message)
                #expect(error?.modelFault?.model == plainName(type))
                #expect(error?.modelFault?.property == property)
            }
        }
        check(
            BadFormat.self, "born",
            "BadFormat cannot be mapped: propertyConverters gives born a converter that cannot be used: 'j' at position 7 of the "
                + "date pattern "
                + #""dd.MM.jjjj" is not a date field; put it in single quotes if it is text, or use one of "#
                + "y u M L d D a H k K h m s S E Z X x z.")
        check(
            BadFormatInside.self, "seen",
            "BadFormatInside cannot be mapped: propertyConverters gives seen a converter that cannot be used: 'h' at position 1 "
                + "of the date "
                + #"pattern "hh:mm" counts the hours of half a day and there is no 'a' (AM or PM); use 'H' for 0 "#
                + #"to 23, or add 'a'."#
        )
        check(
            BadFormatInArray.self, "seen",
            "BadFormatInArray cannot be mapped: propertyConverters gives seen a converter that cannot be used: the quote at "
                + "position 11 of the "
                + #"date pattern "'at' d''M 'o" is never closed; add a single quote, or write two for one that "#
                + #"is text."#
        )
        check(
            BadClassFormat.self, nil,
            "BadClassFormat cannot be mapped: dateFormats cannot be used: 'H' at position 6 of the date pattern \"yyyy Hmm\" "
                + "is followed by "
                + "another number, and nothing says where it ends; write it with its full number of digits, or "
                + "put text between "
                + "the two.")
        check(
            BadPropertyFormat.self, "born",
            "BadPropertyFormat cannot be mapped: propertyDateFormats cannot be used: 5 × 'M' at position 1 of the date "
                + "pattern \"MMMMM\" is no "
                + "form of this field; use 1 to 4.")
    }
}

import Foundation
import ModelMirror
import Testing

private final class Event: AbstractModel {
    var at: Date?
    var all: [Date] = []

    override class var propertyConverters: [String: any Converter] {
        ["at": .recognized(forms), "all": .recognized(forms)]
    }
    static var forms: [AnyConverter<Date>] {
        [.iso8601, .secondsSince1970, .millisecondsSince1970, .format("dd.MM.yyyy")]
    }
}

private final class Numbers: AbstractModel {
    var at = Date(timeIntervalSince1970: 0)
    override class var propertyConverters: [String: any Converter] {
        ["at": .recognized([.millisecondsSince1970, .iso8601])]
    }
}

private final class Plain: AbstractModel { var at = Date(timeIntervalSince1970: 0) }

private final class Wrong: AbstractModel {
    var at: Date?
    override class var propertyConverters: [String: any Converter] { ["at": .recognized([.any([.iso8601])])] }
}

@Suite("Recognized dates")
struct RecognizedDateTests {
    @Test(
        "A date is read in each form, and the report tells which one",
        arguments: [
            (#""2016-01-23T18:30:00Z""#, 1_453_573_800, nil),
            ("1453573800", 1_453_573_800, "seconds since 1970"),
            (#""1453573800""#, 1_453_573_800, "seconds since 1970"),
            ("1453573800500", 1_453_573_800.5, "milliseconds since 1970"),
            (#""1453573800500""#, 1_453_573_800.5, "milliseconds since 1970"),
            ("-1453573800000", -1_453_573_800, "milliseconds since 1970"),
            ("99999999999", 99_999_999_999, "seconds since 1970"), ("100000000000", 1e8, "milliseconds since 1970"),
            (#""23.01.2016""#, 1_453_507_200, "a date in the format \"dd.MM.yyyy\""),
        ] as [(String, Double, String?)])
    func forms(json: String, seconds: Double, form: String?) throws {
        for options in [MappingOptions(), .strict] {
            let (event, report) = try Event.mapReporting(
                json: #"{"at": \#(json), "all": [\#(json)]}"#, options: options)
            #expect(event.at == Date(timeIntervalSince1970: seconds))
            #expect(event.all == [Date(timeIntervalSince1970: seconds)])
            #expect(report.entries.map(\.kind) == (form == nil ? [] : [.coerced, .coerced]))
            #expect(report.entries.map(\.expected) == (form.map { [$0, $0] } ?? []))
        }
    }

    @Test("A value in none of the forms is refused with all of them")
    func refused() throws {
        let error = #expect(throws: ModelError.self) { try Event(json: #"{"at": "soon"}"#, options: .strict) }
        #expect(
            error?.description
                == "Event.at at $.at (line 1, column 8): expected a date in ISO 8601 or seconds since 1970 or milliseconds since 1970 or a date in the format \"dd.MM.yyyy\", found the string \"soon\"."
        )
    }

    @Test("The first form is written, and one unit alone is used for all numbers")
    func writing() throws {
        #expect(try Event(json: #"{"at": 1453573800}"#).jsonString() == #"{"at":"2016-01-23T18:30:00Z","all":[]}"#)
        let numbers = try Numbers(json: #"{"at": 1453573800}"#)
        #expect(numbers.at == Date(timeIntervalSince1970: 1_453_573.8))
        #expect(try numbers.jsonString() == #"{"at":1453573800}"#)
    }

    @Test("Numbers are written as they are read, in each order of units")
    func units() throws {
        for converter: AnyConverter<Date> in [
            .recognized([.millisecondsSince1970, .secondsSince1970]),
            .recognized([.secondsSince1970, .millisecondsSince1970]),
        ] {
            for seconds in [2_678_400.0, 1e9, 2e11] {
                let date = Date(timeIntervalSince1970: seconds)
                let json = try converter.json(from: date)
                #expect(try converter.value(from: json) == date, "\(json)")
            }
        }
    }

    @Test("A converter with a fault is not taken for the one without it")
    func faulty() throws {
        let good = MappingOptions(dates: .recognized([.httpDate, .iso8601]))
        let bad = MappingOptions(dates: .recognized([.httpDate, .iso8601, .any([.iso8601])]))
        for _ in 0..<2 {
            #expect(try Plain(json: #"{"at": "1970-01-01T00:00:01Z"}"#, options: good).at.timeIntervalSince1970 == 1)
            #expect(throws: ModelError.self) { try Plain(json: "{}", options: bad) }
        }
    }

    @Test("A converter that is not one form of dates makes the class invalid")
    func wrong() {
        let error = #expect(throws: ModelError.self) { try Wrong(json: "{}") }
        #expect(
            error?.description
                == "Wrong cannot be mapped: propertyConverters gives at a converter that cannot be used: recognized needs built-in converters, each for one form of dates."
        )
    }
}

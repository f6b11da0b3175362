import Foundation
import ModelMirror
import Testing

private class Event: AbstractModel {
    var startsAt = Date.distantPast
    var endsAt: Date?
    var days: [Date] = []
    var born = Date(timeIntervalSince1970: 0)
    var ratio = 0.0
    var ratios: [Float] = []
    var share: Double?
    var siteURL: URL?
    var note = ""
    var inner: Inner?
    var byName: [String: Inner] = [:]

    override class var propertyKeys: [String: PropertyKey] { ["note": "NOTE"] }
    override class var propertyDateFormats: [String: String] { ["born": "yyyy"] }
}

private class Inner: AbstractModel {
    var seenAt: Date?
}

private class Stated: Event {
    var ownAt: Date?

    override class var mappingOptions: MappingOptions {
        MappingOptions(dates: .millisecondsSince1970, keyStrategy: .snakeCase, nonFiniteNumbers: .strings)
    }
}

private class Formatted: Stated {
    var lastAt: Date?

    override class var dateFormats: [String] { ["dd.MM.yyyy"] }
    override class var keyStrategy: KeyStrategy { .kebabCase }
}

private class Restated: Formatted {
    override class var mappingOptions: MappingOptions { MappingOptions(dates: .secondsSince1970, keyStrategy: .exact) }
}

private class Both: AbstractModel {
    var day: Date?

    override class var dateFormats: [String] { ["yyyy"] }
    override class var mappingOptions: MappingOptions { MappingOptions(dates: .secondsSince1970) }
}

/// The date of an event, by a converter that reads it from the event.
private class Dated: AbstractModel {
    var when = Date.distantPast

    override class var propertyConverters: [String: any Converter] { ["when": Dated.converter] }
    static let converter = AnyConverter.converting(
        Inner.self, { $0.seenAt },
        back: {
            let inner = Inner(); inner.seenAt = $0; return inner
        })
}

private class BadDates: AbstractModel {
    var day: Date?

    override class var mappingOptions: MappingOptions { MappingOptions(dates: .format("Q")) }
}

private class Colliding: AbstractModel {
    var siteUrl = 0
    var siteURL = 0
}

private class Wrapped: AbstractModel {
    var list: [Inner] = []

    override class var propertyConverters: [String: any Converter] {
        ["list": .converting([Inner].self, { $0 }, back: { $0 })]
    }
}

private struct Opening: Codable, Equatable { var at: Date? }

private class Shortest: AbstractModel {
    var day: Date?
    var opening: Opening?

    override class var dateFormats: [String] { ["yyyy", "dd.MM.yyyy", "dd.MM.yyyy HH:mm:ss"] }
}

private let day = Date(timeIntervalSince1970: 86_400)

@Suite("Date, key and number options of classes and calls")
struct TableRulesTests {
    private static let call = MappingOptions(
        dates: .secondsSince1970, keyStrategy: .snakeCase, nonFiniteNumbers: NonFiniteNumbers(infinity: "inf"))
    private static let json = """
        {"starts_at":86400,"ends_at":86400,"days":[86400,86400],"born":"1971","ratio":"inf","ratios":[1.5,"inf"],\
        "share":"inf","site_url":"a","NOTE":"n","inner":{"seen_at":86400},"by_name":{"some_key":{"seen_at":86400}}}
        """

    @Test("A call's options apply to every object, and a property's own rules override them")
    func call() throws {
        let event = try Event(json: Self.json, options: Self.call)
        #expect((event.startsAt, event.endsAt, event.days) == (day, day, [day, day]))
        #expect(event.born == Date(timeIntervalSince1970: 31_536_000))
        #expect((event.ratio, event.ratios, event.share) == (.infinity, [1.5, .infinity], .infinity))
        #expect((event.siteURL?.absoluteString, event.note, event.inner?.seenAt) == ("a", "n", day))
        #expect(event.byName["some_key"]?.seenAt == day)
        #expect(try event.jsonString(mapping: Self.call) == Self.json)
        #expect(try event.jsonValue(mapping: Self.call)["ends_at"]?.int == 86_400)
        #expect(try event.jsonDictionary(mapping: Self.call)["starts_at"] as? Int == 86_400)
    }

    @Test("One converter reads a model by the rules of each call")
    func sharedConverter() throws {
        let dated = #"{"when":{"seenAt":86500}}"#
        let seconds = MappingOptions(dates: .secondsSince1970)
        #expect(try Dated(json: dated, options: seconds).when == Date(timeIntervalSince1970: 86_500))
        let later = try Dated(json: dated, options: MappingOptions(dates: .millisecondsSince1970))
        #expect(later.when == Date(timeIntervalSince1970: 86.5))
        #expect(try later.jsonString(mapping: seconds) == #"{"when":{"seenAt":86.5}}"#)
    }

    @Test("A call's options leave the class's own tables unchanged")
    func others() throws {
        _ = try Event(json: Self.json, options: Self.call)
        let plain = try Event(
            json: #"{"startsAt": "1970-01-02T00:00:00Z", "siteURL": "a", "inner": {"seenAt": "1970-01-02"}}"#)
        #expect((plain.startsAt, plain.siteURL?.absoluteString, plain.inner?.seenAt) == (day, "a", day))
        let options = MappingOptions(strict: true, keyStrategy: .snakeCase)
        #expect(
            Thrown.lines { try Event(json: #"{"starts_at": 0, "ratio": "inf"}"#, options: options) } == [
                "Event.startsAt at $.starts_at (line 1, column 15): expected a date in ISO 8601 or "
                    + "\"y-MM-dd HH:mm:ssZ\", found the number 0; the option dates accepts numbers, as .secondsSince1970 or "
                    + ".millisecondsSince1970.",
                #"Event.ratio at $.ratio (line 1, column 27): expected a number, found the string "inf"."#,
            ])
    }

    @Test("A call's options apply to collections, reports, updates, patches, raw values and schemas")
    func entries() throws {
        #expect(try [Inner](json: #"[{"seen_at": 86400}]"#, options: Self.call)[0].seenAt == day)
        #expect(try [String: Inner](json: #"{"a": {"seen_at": 86400}}"#, options: Self.call)["a"]?.seenAt == day)
        let (inner, report) = try Inner.mapReporting(json: #"{"seen_at": 86400}"#, options: Self.call)
        #expect(inner.seenAt == day)
        #expect(report.description == "nothing to report")
        try inner.update(json: #"{"seen_at": 0}"#, options: Self.call)
        #expect(inner.seenAt == Date(timeIntervalSince1970: 0))
        try inner.merge(patch: #"{"seen_at": 86400}"#, options: Self.call)
        #expect(inner.seenAt == day)
        try inner.assign(rawValue: 0, toProperty: "seenAt", options: Self.call)
        #expect(inner.seenAt == Date(timeIntervalSince1970: 0))
        let later = try inner.copy()
        later.seenAt = day
        #expect(try later.mergePatch(since: inner, mapping: Self.call) == ["seen_at": 86400])
        #expect(
            try Inner.jsonSchema(options: Self.call)["$defs"]["Inner"]["properties"] == [
                "seen_at": ["anyOf": [["type": ["number", "string"]], ["type": "null"]]]
            ])
        // Models in a converter follow the call's options, too, whichever call comes first.
        for _ in 0..<2 {
            #expect(try Wrapped(json: #"{"list": [{"seen_at": 86400}]}"#, options: Self.call).list[0].seenAt == day)
            #expect(try Wrapped(json: #"{"list": [{"seenAt": "1970-01-02T00:00:00Z"}]}"#).list[0].seenAt == day)
        }
    }

    @Test("Subclasses inherit a class's options, and the rules of the nearest class take precedence")
    func classes() throws {
        let stated = try Stated(
            json:
                #"{"starts_at": 86400000, "own_at": 86400000, "ratio": "NaN", "inner": {"seenAt": "1970-01-02T00:00:00Z"}}"#
        )
        #expect((stated.startsAt, stated.ownAt) == (day, day))
        #expect(stated.ratio.isNaN)
        #expect(stated.inner?.seenAt == day)
        #expect(stated.isEqual(to: try Stated(json: stated.jsonData())))
        let formatted = try Formatted(json: #"{"starts-at": "02.01.1970", "last-at": "02.01.1970"}"#)
        #expect((formatted.startsAt, formatted.lastAt) == (day, day))
        let restated = try Restated(json: #"{"startsAt": 86400, "lastAt": "86400"}"#)
        #expect((restated.startsAt, restated.lastAt) == (day, day))
        #expect(try Restated(json: #"{"starts_at": 86400}"#, options: Self.call).startsAt == day)
        #expect(try Both(json: #"{"day": "1971"}"#).day == Date(timeIntervalSince1970: 31_536_000))
        #expect(try Both(json: #"{"day": 0}"#, options: Self.call).day == Date(timeIntervalSince1970: 0))
    }

    @Test("The first date format that represents a date exactly is written")
    func keptDates() throws {
        let year = Date(timeIntervalSince1970: 31_536_000)
        let call = MappingOptions(dates: .any([.format("yyyy"), .secondsSince1970]))
        let one = MappingOptions(dates: .format("yyyy"))
        func written(_ date: Date, _ options: MappingOptions) throws -> [JSONValue?] {
            let model = Shortest()
            (model.day, model.opening) = (date, Opening(at: date))
            let json = try model.jsonValue(mapping: options)
            #expect(try Shortest(json: json, options: options).isEqual(to: model))
            return [json["day"], json["opening"]["at"]]
        }
        let cases: [(Date, MappingOptions, JSONValue)] = [
            (year, .init(), "1971"), (day, .init(), "02.01.1970"),
            (day.addingTimeInterval(1), .init(), "02.01.1970 00:00:01"), (year, call, "1971"), (day, call, 86_400),
            (year, one, "1971"),
        ]
        for (date, options, expected) in cases { #expect(try written(date, options) == [expected, expected]) }
        let model = Shortest()
        model.day = day
        #expect(
            Thrown.text { try model.jsonString(mapping: one) }
                == "Shortest.day at $.day: expected a value that can be written without loss as a date in the format \"yyyy\", found 1970-01-02 00:00:00 +0000."
        )
    }

    @Test("An invalid date pattern or a key collision in the options makes the class invalid")
    func faults() {
        #expect(
            Thrown.text { try BadDates(json: "{}") }
                == "BadDates cannot be mapped: MappingOptions.dates cannot be used: 'Q' at position 1 of the date pattern \"Q\" is not a "
                + "date field; put it in single quotes if it is text, or use one of y u M L d D a H k K h m s S E Z X x z."
        )
        #expect(
            Thrown.text { try Colliding(json: "{}", options: Self.call) }
                == "Colliding cannot be mapped: siteUrl and siteURL both have the key \"site_url\"; give one of them another in "
                + "propertyKeys, or ignore one.")
    }

    @Test("Options that are created repeatedly map correctly, with equal rules and custom ones")
    func sharing() throws {
        for _ in 0..<200 {
            let options = MappingOptions(dates: .any([.secondsSince1970, .format("yyyy")]))
            #expect(try Inner(json: #"{"seenAt": 86400}"#, options: options).seenAt == day)
            let own = MappingOptions(keyStrategy: .custom { $0.uppercased() })
            #expect(try Inner(json: #"{"SEENAT": "1970-01-02T00:00:00Z"}"#, options: own).seenAt == day)
        }
    }
}

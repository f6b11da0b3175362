import Foundation
import ModelMirror
import Testing

private final class Event: AbstractModel {
    var at: Date?
    var born: Date?
    var day: Date?
    var all: [Date] = []
    var link: URL?
    var id: UUID?
    var raw: Data?
    var price: Decimal?
    var zone: TimeZone?
    var rest: [String: JSONValue] = [:]

    override class var propertyConverters: [String: any Converter] { ["born": .secondsSince1970] }
    override class var propertyDateFormats: [String: String] { ["day": "dd.MM.yyyy"] }
}

@Suite("Dates, data, links, identifiers and decimals in dictionaries")
struct PlainSwiftValuesTests {
    private static let date = Date(timeIntervalSince1970: 1_453_573_800.25)
    private static var values: [String: Any] {
        [
            "at": date, "born": date, "day": date, "all": [date, date], "link": URL(string: "https://a.b/c d") as Any,
            "id": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") as Any, "raw": Data([1, 2, 255]),
            "price": Decimal(string: "0.1000000000000000000001") as Any,
            "zone": TimeZone(identifier: "Europe/Paris") as Any,
            "rest": ["date": date],
        ]
    }

    @Test("Properties get the values, whatever their date format", arguments: [MappingOptions(), .strict])
    func values(options: MappingOptions) throws {
        let updated = Event()
        try updated.update(dictionary: Self.values, options: options)
        let events = [
            try Event(dictionary: Self.values, options: options), updated,
            try Event.mapReporting(dictionary: Self.values, options: options).object,
            try [Event](dictionaries: [Self.values], options: options)[0],
        ]
        for event in events {
            #expect((event.at, event.born, event.day) == (Self.date, Self.date, Self.date))
            #expect((event.all, event.link?.absoluteString) == ([Self.date, Self.date], "https://a.b/c%20d"))
            #expect((event.id?.uuidString, event.raw) == ("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", Data([1, 2, 255])))
            #expect(event.price == Decimal(string: "0.1000000000000000000001"))
            #expect((event.zone?.identifier, event.rest) == ("Europe/Paris", ["date": "2016-01-23T18:30:00.25Z"]))
        }
        let event = Event()
        try event.assign(rawValue: Self.date, toProperty: "born", options: options)
        #expect(event.born == Self.date)
    }

    @Test("ISO 8601 text in a document is not a date in seconds")
    func document() throws {
        #expect(try Event(json: #"{"born": "2016-01-23T18:30:00Z"}"#).born == nil)
    }
}

import Foundation
import ModelMirror
import Testing

private class Event: AbstractModel {
    var date = Date(timeIntervalSince1970: 0)
    var dates: [Date] = []
    var embedded: [Date] = []

    override class var propertyConverters: [String: any Converter] {
        ["dates": .array(of: .iso8601), "embedded": .embeddedJSON]
    }
}

/// Foundation traps when it prints a date that is not finite or is very far away.
@Suite("Dates that Foundation cannot print")
struct UnprintableValueTests {
    @Test(
        "Non-finite and extreme dates in a dictionary are failures",
        arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func inDictionary(seconds: Double) throws {
        let error = try #require(throws: ModelError.self) {
            try Event(dictionary: ["date": Date(timeIntervalSince1970: seconds)])
        }
        #expect(
            error.lines == [
                "Event at $.date: expected a date between the years 0 and 9999, found the date \(seconds) seconds since 1970 of type Date."
            ])
    }

    @Test(
        "Non-finite and extreme dates in a model fail to be written",
        arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func inObject(seconds: Double) throws {
        let event = Event()
        event.date = Date(timeIntervalSince1970: seconds)
        event.dates = [event.date]
        event.embedded = [event.date]
        let date = "the date \(event.date.timeIntervalSince1970) seconds since 1970"
        let error = try #require(throws: ModelError.self) { try event.jsonData() }
        #expect(
            error.lines == [
                "Event.date at $.date: expected a date between the years 0 and 9999, found \(date).",
                "Event.dates at $.dates[0]: expected a date between the years 0 and 9999, found \(date).",
                "Event.embedded at $.embedded: expected a string that holds JSON for an array, found a value of type "
                    + "Array<Date>: JSON at $[0]: expected a date between the years 0 and 9999, found \(date).",
            ])
    }
}

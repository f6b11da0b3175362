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

private class Twice: AbstractModel {
    var dates: [Date] = []
    override class var propertyConverters: [String: any Converter] { ["dates": .secondsSince1970] }
    override class var propertyRules: [String: any PropertyRule] { ["dates": .unique] }
}

/// Foundation traps when it prints a date that is not finite or is very far away.
@Suite("Dates that Foundation cannot print")
struct UnprintableValueTests {
    @Test(
        "Non-finite and extreme dates in a dictionary are failures",
        arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func inDictionary(seconds: Double) throws {
        #expect(
            Thrown.lines {
                try Event(dictionary: ["date": Date(timeIntervalSince1970: seconds)])
            } == [
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
        #expect(
            Thrown.lines { try event.jsonData() } == [
                "Event.date at $.date: expected a date between the years 0 and 9999, found \(date).",
                "Event.dates at $.dates[0]: expected a date between the years 0 and 9999, found \(date).",
                "Event.embedded at $.embedded: expected a string that holds JSON for an array, found a value of type "
                    + "Array<Date>: JSON at $[0]: expected a date between the years 0 and 9999, found \(date).",
            ])
    }

    @Test("Dates that Foundation may not describe are shown by their seconds", arguments: [8e10, -6.22e10])
    func undescribed(seconds: Double) {
        let event = Event()
        event.date = Date(timeIntervalSince1970: seconds)
        #expect("\(event)" == "Event(date: the date \(seconds) seconds since 1970, dates: [], embedded: [])")
    }

    @Test("A date beyond the years of ISO 8601 that breaks a rule is shown by its seconds")
    func repeated() {
        #expect(
            Thrown.lines { try Twice(json: #"{"dates": [1e300, 1e300]}"#) } == [
                #"Twice.dates at $.dates (line 1, column 11): expected each element once, found "1e+300 seconds since 1970" again."#
            ])
    }
}

import Foundation
import ModelMirror
import Testing

private class Person: AbstractModel {
    var born = Date.distantPast
    var married: Date?
    var visits: [Date] = []
    var seen: Date!
    var died: Date?

    override class var dateFormats: [String] { ["dd.MM.yyyy", "yyyy/MM/dd"] }
    override class var propertyDateFormats: [String: String] { ["seen": "HH:mm dd.MM.yy", "died": "yyyy"] }
    override class var propertyConverters: [String: any Converter] { ["died": .secondsSince1970] }
}

private class Child: Person {
    var started: Date?

    override class var propertyDateFormats: [String: String] { ["born": "yyyy"] }
}

private class Grandchild: Child {
    override class var dateFormats: [String] { ["MM-dd-yyyy"] }
}

private class Plain: AbstractModel {
    var born: Date?
}

private class BadClassFormat: AbstractModel {
    var born: Date?
    override class var dateFormats: [String] { ["yyyy", "Q yyyy"] }
}

private class BadPropertyFormat: AbstractModel {
    var born: Date?
    override class var propertyDateFormats: [String: String] { ["born": "Q yyyy"] }
}

private class BadConverterFormat: AbstractModel {
    var born: Date?
    override class var propertyConverters: [String: any Converter] { ["born": .format("Q yyyy")] }
}

private class Dated: AbstractModel {
    var day: Date?
    var either: Date?
    override class var propertyDateFormats: [String: String] { ["day": "dd.MM.yyyy"] }
    override class var propertyConverters: [String: any Converter] { ["either": .any([.format("yyyy"), .iso8601])] }
}

@Suite("dateFormats and propertyDateFormats")
struct DateFormatTests {
    private static let day = Date(timeIntervalSince1970: 86_400)

    @Test("A class's formats are tried in order; a property's format and converter override them")
    func order() throws {
        let person = try Person(
            json: """
                {"born": "02.01.1970", "married": "1970/01/02", "visits": ["1970/01/02", "02.01.1970"],
                 "seen": "00:00 02.01.70", "died": 86400}
                """)
        #expect((person.born, person.married, person.visits) == (Self.day, Self.day, [Self.day, Self.day]))
        #expect((person.seen, person.died) == (Self.day, Self.day))
    }

    @Test("A class with date formats rejects all others, even ISO 8601")
    func nothingElse() {
        #expect(
            Thrown.lines {
                try Person(
                    json: #"{"born": "1970-01-02T00:00:00Z", "visits": ["x"], "seen": "02.01.1970", "died": "1970"}"#,
                    options: .strict)
            } == [
                #"Person.born at $.born (line 1, column 10): expected a date in the format "dd.MM.yyyy" or "#
                    + #""yyyy/MM/dd", found the string "1970-01-02T00:00:00Z"."#,
                #"Person.visits at $.visits[0] (line 1, column 45): expected a date in the format "dd.MM.yyyy" or "#
                    + #""yyyy/MM/dd", found the string "x"."#,
                #"Person.seen at $.seen (line 1, column 59): expected a date in the format "HH:mm dd.MM.yy", found "#
                    + #"the string "02.01.1970"."#,
            ])
    }

    @Test("The default date formats are ISO 8601 and y-MM-dd HH:mm:ssZ")
    func byDefault() throws {
        #expect(try Plain(json: #"{"born": "1970-01-02T00:00:00Z"}"#).born == Self.day)
        #expect(try Plain(json: #"{"born": "1970-01-02 01:00:00+0100"}"#).born == Self.day)
        let report = try Plain.mapReporting(json: #"{"born": "02.01.1970"}"#).report
        #expect(
            report.lines == [
                #"fallback: Plain.born at $.born (line 1, column 10): expected a date in ISO 8601 or "y-MM-dd "#
                    + #"HH:mm:ssZ", found the string "02.01.1970"."#
            ])
    }

    @Test("A subclass inherits date formats and can override them")
    func inherited() throws {
        let child = try Child(
            json: #"{"born": "1971", "seen": "00:00 02.01.70", "married": "02.01.1970", "started": "1970/01/02"}"#,
            options: .init())
        #expect(child.born == Date(timeIntervalSince1970: 365 * 86_400))
        #expect((child.seen, child.married, child.started) == (Self.day, Self.day, Self.day))
        let grandchild = try Grandchild(
            json: #"{"born": "1971", "seen": "00:00 02.01.70", "married": "01-02-1970", "started": "1970/01/02"}"#)
        #expect(grandchild.born == Date(timeIntervalSince1970: 365 * 86_400))
        #expect((grandchild.seen, grandchild.married, grandchild.started) == (Self.day, Self.day, nil))
    }

    @Test("An invalid date pattern makes the class invalid, and the message says where and why")
    func badPatterns() throws {
        let reason =
            "'Q' at position 1 of the date pattern \"Q yyyy\" is not a date field; put it in single quotes if it is "
            + "text, or use one of y u M L d D a H k K h m s S E Z X x z."
        let byClass = #expect(throws: ModelError.self) { try BadClassFormat(json: "{}") }
        let byProperty = #expect(throws: ModelError.self) { try BadPropertyFormat(json: "{}") }
        let byConverter = #expect(throws: ModelError.self) { try BadConverterFormat(json: "{}") }
        let sentences = [byClass, byProperty, byConverter].map { $0?.description ?? "" }
        for (sentence, rule) in zip(sentences, ["dateFormats", "propertyDateFormats", "propertyConverters"]) {
            #expect(sentence.contains(" cannot be mapped: \(rule) "))
            #expect(sentence.hasSuffix(reason))
        }
        #expect(byClass?.modelFault?.property == nil)
        #expect(byProperty?.modelFault?.property == "born")
        #expect(byConverter?.modelFault?.property == "born")
    }

    @Test("A date is written by the first format that keeps its precision, or rejected")
    func written() throws {
        let model = Dated()
        model.day = Date(timeIntervalSince1970: 86_400)
        model.either = Date(timeIntervalSince1970: 86_400)
        #expect(try model.jsonString() == #"{"day":"02.01.1970","either":"1970-01-02T00:00:00Z"}"#)
        model.either = Date(timeIntervalSince1970: 31_536_000)
        #expect(try model.jsonValue()["either"] == "1971")
        model.day = Date(timeIntervalSince1970: 86_401)
        #expect(
            Thrown.text { try model.jsonData() }
                == "Dated.day at $.day: expected a value that can be written without loss as a date in the format \"dd.MM.yyyy\", found 1970-01-02 00:00:01 +0000."
        )
    }
}

import Foundation
import ModelMirror
import Testing

private struct Unlucky: Error, CustomStringConvertible { let description = "thirteen" }

private struct Told: LocalizedError { var errorDescription: String? { "no seven" } }

private class Entry: AbstractModel {
    var size = 0
    var name = ""
}

/// Rejects 13 with a custom error and other kinds of values with a ConversionError.
private struct LuckyConverter: Converter {
    func value(from json: JSONValue) throws -> Int {
        guard let number = json.int else { throw ConversionError(expected: "a lucky number") }
        guard number != 13 else { throw Unlucky() }
        return number
    }
    func json(from value: Int) throws -> JSONValue {
        guard value != 13 else { throw Unlucky() }
        return .number(JSONNumber(value))
    }
}

private struct WordConverter: Converter {
    func value(from json: JSONValue) throws -> Int {
        guard json.string == "seven" else { throw ConversionError(expected: "a word") }
        return 7
    }
    func json(from value: Int) throws -> JSONValue { .string("seven") }
}

@Suite("Composed converters")
struct ConverterCompositionTests {
    // MARK: Both directions

    @Test(".optional reads null as nil and writes nil as null")
    func optional() throws {
        let converter = LuckyConverter().optional
        #expect(try converter.value(from: .null) == nil)
        #expect(try converter.value(from: .number(JSONNumber(3))) == 3)
        #expect(try converter.json(from: nil) == .null)
        #expect(try converter.json(from: 3) == .number(JSONNumber(3)))
        #expect(throws: Unlucky.self) { try converter.value(from: .number(JSONNumber(13))) }
        #expect(throws: Unlucky.self) { try converter.json(from: 13) }
        #expect(throws: ConversionError(expected: "a lucky number")) { try converter.value(from: .bool(true)) }
        let twice: AnyConverter<Int??> = LuckyConverter().optional.optional
        #expect(try twice.value(from: .null) == .some(nil) || twice.value(from: .null) == .none)
        #expect(try twice.json(from: .some(nil)) == .null)
    }

    @Test(".any reads and writes with an alternative whose raw value is a model")
    func anyModel() throws {
        let json = #"{"author":{"name":"Ada","born":1815},"other":"Bob"}"#
        let book = try Book(json: json)
        #expect(book.author == Author(name: "Ada", born: 1815) && book.other == Author(name: "Bob", born: nil))
        #expect(try book.jsonString() == json)
        book.author = Author(name: "Ada", born: 13)
        #expect(throws: ModelError.self) { try book.jsonString() }
    }

    @Test("Values that a composed converter holds are compared by the converter that has both")
    func comparing() throws {
        let json = #"""
            {"first":{"size":1},"second":"2","listed":[{"size":3}],"optional":{"size":4},"free":"{\"a\": 5}",
             "window":"{\"from\": 6}"}
            """#
        let shelf = try Shelf(json: json, options: .strict)
        #expect(try shelf.isEqual(to: Shelf(json: json)))
        for (key, other) in try JSONValue(json: json).object ?? [:] {
            let text = other.description
            let changed = text.replacing(/[1-6]/, with: "7")
            #expect(try !shelf.isEqual(to: Shelf(json: json.replacing(text, with: changed))), "\(key)")
        }
        // No converter has both.
        #expect(try !shelf.isEqual(to: Shelf(json: json.replacing(#""2""#, with: #"{"size":2}"#))))
    }

    @Test(".array(of:) rejects anything but an array whose elements all convert")
    func array() throws {
        let converter: AnyConverter<[Int]> = .array(of: LuckyConverter())
        #expect(try converter.value(from: JSONValue(json: "[1, 2.0]")) == [1, 2])
        #expect(try converter.value(from: .array([])) == [])
        #expect(try converter.json(from: [1, 2]) == JSONValue(json: "[1, 2]"))
        #expect(throws: ConversionError(expected: "an array")) { try converter.value(from: .number(JSONNumber(1))) }
        #expect(throws: ConversionError(expected: "an array")) { try converter.value(from: .null) }
        #expect(throws: ConversionError(expected: "a lucky number")) {
            try converter.value(from: JSONValue(json: #"[1, "a"]"#))
        }
        #expect(throws: Unlucky.self) { try converter.value(from: JSONValue(json: "[1, 13]")) }
        #expect(throws: Unlucky.self) { try converter.json(from: [1, 13]) }
    }

    @Test(".any reads and writes with the first alternative that succeeds")
    func any() throws {
        let converter: AnyConverter<Int> = .any([LuckyConverter(), WordConverter()])
        #expect(try converter.value(from: .number(JSONNumber(3))) == 3)
        #expect(try converter.value(from: .string("seven")) == 7)
        #expect(try converter.json(from: 3) == .number(JSONNumber(3)))
        let reversed: AnyConverter<Int> = .any([WordConverter(), LuckyConverter()])
        #expect(try reversed.value(from: .number(JSONNumber(3))) == 3)
        #expect(try reversed.json(from: 3) == .string("seven"))
    }

    @Test("Alternatives inside of alternatives are written a limited number of times", .timeLimit(.minutes(15)))
    func anyInsideItself() throws {
        final class Link: AbstractModel {
            var next: Link?
            var text = ""
            var number = 0.0
            override class var propertyConverters: [String: any Converter] {
                let link: AnyConverter<Link> = .converting(Link.self, { $0 }, back: { $0 })
                return ["next": .any([link, link])]
            }
        }
        let links = (0...40).map { _ in Link() }
        for (link, next) in zip(links, links.dropFirst()) { link.next = next }
        links[40].text = String(repeating: "x", count: 50_000)
        #expect(try links[0].jsonData().count > 50_000)
        links[40].number = .nan
        let error = #expect(throws: ModelError.self) { try links[0].jsonData() }
        let path = "$" + String(repeating: ".next", count: 40)
        #expect(error?.lines == ["Link.number at \(path).number: expected a finite number, found nan."])
    }

    @Test(".any names what each alternative expected, custom errors included")
    func anyRefused() {
        let converter: AnyConverter<Int> = .any([LuckyConverter(), WordConverter()])
        #expect(throws: ConversionError(expected: "a lucky number or a word")) {
            try converter.value(from: .bool(true))
        }
        #expect(throws: ConversionError(expected: "a value for LuckyConverter (thirteen) or a word")) {
            try converter.value(from: .number(JSONNumber(13)))
        }
    }

    @Test(".any gives the text of an alternative's LocalizedError, and indents the failures of a document")
    func reasonsOfAlternatives() {
        let told = AnyConverter<Int>.converting(String.self, { _ in throw Told() }, back: { "\($0)" })
        let mapped = AnyConverter<Int>.converting(
            String.self, { try Entry(json: $0, options: .strict).size }, back: { "\($0)" })
        let error = #expect(throws: ConversionError.self) {
            try AnyConverter<Int>.any([told, mapped]).value(from: #"{"size": "x", "name": 1}"#)
        }
        #expect(
            error?.description == #"""
                expected a string convertible to Int (no seven) or a string convertible to Int \#
                (Entry.size at $.size (line 1, column 10): expected an integer, found the string "x".
                  Entry.name at $.name (line 1, column 23): expected a string, found the number 1; \#
                the option stringsFromNumbers accepts it.)
                """#)
    }

    @Test(".any without alternatives fails to read and to write")
    func anyOfNothing() {
        let converter: AnyConverter<Int> = .any([])
        #expect(throws: ConversionError(expected: "no value")) { try converter.value(from: .number(JSONNumber(1))) }
        #expect(throws: ConversionError(expected: "a converter in .any")) { try converter.json(from: 1) }
    }

    // MARK: As converters of properties

    private final class Numbers: AbstractModel {
        var optional: Int? = 1
        var optionals: [Int?] = []
        var array = [1]
        var arrays: [[Int]] = []
        var optionalArray: [Int]? = [1]
        var either = 1
        var eithers: [String: Int] = [:]
        var dates: [Date?] = []
        var deep: [String: [[Data]]] = [:]

        override class var propertyConverters: [String: any Converter] {
            [
                "optional": LuckyConverter().optional, "optionals": LuckyConverter().optional,
                "array": .array(of: LuckyConverter()), "arrays": .array(of: LuckyConverter()),
                "optionalArray": .array(of: LuckyConverter()), "either": .any([LuckyConverter(), WordConverter()]),
                "eithers": .any([LuckyConverter(), WordConverter()]),
                "dates": .array(of: .any([.iso8601, .httpDate]).optional), "deep": .array(of: .array(of: .hex)),
            ]
        }
    }

    @Test(
        "Composed converters apply to a property, its wrapped value or its elements",
        arguments: [MappingOptions(), .strict])
    func properties(options: MappingOptions) throws {
        let json = #"""
            {"optional": 2, "optionals": [3, null], "array": [4], "arrays": [[5], []], "optionalArray": [6],
            "either": "seven",
            "eithers": {"a": 8, "b": "seven"}, "dates": ["1970-01-01", null, "Thu, 01 Jan 1970 00:00:01 GMT"],
            "deep": {"a": [["00"], []]}}
            """#
        let (numbers, report) = try Numbers.mapReporting(json: json, options: options)
        #expect(numbers.optional == 2)
        #expect(numbers.optionals == [3, nil])
        #expect(numbers.array == [4])
        #expect(numbers.arrays == [[5], []])
        #expect(numbers.optionalArray == [6])
        #expect(numbers.either == 7)
        #expect(numbers.eithers == ["a": 8, "b": 7])
        #expect(numbers.dates == [Date(timeIntervalSince1970: 0), nil, Date(timeIntervalSince1970: 1)])
        #expect(numbers.deep == ["a": [[Data([0])], []]])
        #expect(report.description == "nothing to report")
    }

    @Test("null sets an Optional property to nil")
    func null() throws {
        let numbers = try Numbers(json: #"{"optional": null, "optionalArray": null}"#)
        #expect((numbers.optional, numbers.optionalArray) == (nil, nil))
    }

    @Test(
        "A rejected value is reported with what the innermost converter expected",
        arguments: [
            ("optional", "true", "expected a lucky number, found true."),
            ("optional", "13", "expected a value for LuckyConverter, found the number 13: thirteen."),
            ("array", "1", "expected an array, found the number 1."),
            ("optionalArray", #""x""#, #"expected an array, found the string "x"."#),
            ("either", "true", "expected a lucky number or a word, found true."),
            ("either", "13", "expected a value for LuckyConverter (thirteen) or a word, found the number 13."),
        ])
    func refused(property: String, json: String, sentence: String) throws {
        let document = #"{"\#(property)": \#(json)}"#
        let message = "Numbers.\(property) at $.\(property) (line 1, column \(property.count + 6)): \(sentence)"
        let numbers = try expectRejected(document, by: Numbers.self, [message])
        #expect((numbers.optional, numbers.array, numbers.optionalArray, numbers.either) == (1, [1], [1], 1))
    }

    @Test(
        "A rejected element fails the array of .array(of:) and is reported at its own path",
        arguments: [
            ("[1, true]", "expected a lucky number, found true."),
            ("[1, 13]", "expected a value for LuckyConverter, found the number 13: thirteen."),
        ])
    func element(json: String, sentence: String) throws {
        let message = "Numbers.array at $.array[1] (line 1, column 15): \(sentence)"
        let numbers = try expectRejected(#"{"array": \#(json)}"#, by: Numbers.self, [message])
        #expect(numbers.array == [1])
    }

    @Test("Strict mapping reports every rejected element of .array(of:)")
    func elements() {
        let error = #expect(throws: ModelError.self) {
            try Numbers(json: #"{"array": [true, 1, null]}"#, options: .strict)
        }
        #expect(error?.valueFailures.map(\.path) == [["array", 0], ["array", 2]])
    }

    @Test("A nested array with a rejected element is skipped")
    func arrayAsElement() throws {
        let (numbers, report) = try Numbers.mapReporting(json: #"{"arrays": [[1], [2, true], [3]]}"#)
        #expect(numbers.arrays == [[1], [3]])
        #expect(
            report.entries.filter { $0.kind == .skipped }.map(\.description) == [
                "skipped: Numbers.arrays at $.arrays[1][1] (line 1, column 22): expected a lucky number, found true."
            ])
    }

    @Test("Elements after the limit of failures are read as those before it")
    func elementsAfterTheLimit() throws {
        let json = #"{"list": ["bad", [1453573800]]}"#
        #expect(try Periods(json: json).list.count == 1)
        #expect(try Periods(json: json, options: MappingOptions(failures: 1)).list.count == 1)
    }
}

/// Written as a name, or as an object if there is a year: by the first alternative that can write it.
private struct Author: Equatable {
    var name: String
    var born: Int?
}

private final class AuthorModel: AbstractModel {
    var name = ""
    var born = 0
}

private final class Size: AbstractModel { var size = 0 }

/// Not Equatable, as what holds it.
private struct Part {
    var size: Size
    var name: String?

    static var converter: AnyConverter<Part> {
        .any([
            .converting(
                Size.self, { Part(size: $0) },
                back: { part in
                    if part.name != nil { throw ConversionError(expected: "no name") }
                    return part.size
                }),
            .converting(
                String.self, { Part(size: Size(), name: $0) },
                back: { part in
                    guard let name = part.name else { throw ConversionError(expected: "a name") }
                    return name
                }),
        ])
    }
}

private struct Window: Codable { var from = 0 }

private final class Shelf: AbstractModel {
    var first = Part(size: Size())
    var second = Part(size: Size())
    var listed: [Part] = []
    var optional: Part?
    var free: [String: Any] = [:]
    var window = Window()

    override class var propertyConverters: [String: any Converter] {
        let parts: AnyConverter<[Part]> = .any([.array(of: Part.converter)])
        return [
            "first": Part.converter, "second": Part.converter, "listed": parts, "optional": Part.converter.optional,
            "free": .embeddedJSON, "window": .embeddedJSON,
        ]
    }
}

private final class Book: AbstractModel {
    var author: Author?
    var other: Author?

    override class var propertyConverters: [String: any Converter] {
        let author: AnyConverter<Author> = .any([
            .converting(
                String.self, { Author(name: $0, born: nil) },
                back: { author in
                    if author.born != nil { throw ConversionError(expected: "no year") }
                    return author.name
                }),
            .converting(
                AuthorModel.self, { Author(name: $0.name, born: $0.born) },
                back: { author in
                    guard author.born != 13 else { throw ConversionError(expected: "another year") }
                    let model = AuthorModel()
                    (model.name, model.born) = (author.name, author.born ?? 0)
                    return model
                }),
        ])
        return ["author": author, "other": author]
    }
}

private class Periods: AbstractModel {
    var list: [[Date]] = []
    override class var propertyConverters: [String: any Converter] {
        let either: AnyConverter<Date> = .any([.iso8601, .secondsSince1970])
        return ["list": AnyConverter<[Date]>.array(of: either)]
    }
}

import Foundation
import ModelMirror
import Testing

private struct Unreadable: Error, Equatable, CustomStringConvertible { let description: String }

/// Cents from an amount: throws a ConversionError, or a custom error for a negative amount.
private struct Cents: Converter {
    func value(from json: JSONValue) throws -> Int {
        guard let amount = json.double else { throw ConversionError(expected: "an amount") }
        guard amount >= 0 else { throw Unreadable(description: "an amount is not negative") }
        return Int((amount * 100).rounded())
    }
    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(value / 100)) }
}

/// Reads null as a word, which shows whether it receives null.
private struct NullAsWord: Converter {
    func value(from json: JSONValue) throws -> String? { json.isNull ? "null" : json.string.map { $0 + "!" } }
    func json(from value: String?) throws -> JSONValue { .null }
}

/// Converts itself, which a property's converter overrides.
private struct Money: JSONConvertible, Equatable {
    var cents: Int
    init(cents: Int) { self.cents = cents }
    init(json: JSONValue) throws { cents = 1 }
    func json() throws -> JSONValue { .null }
}

private struct MoneyConverter: Converter {
    func value(from json: JSONValue) throws -> Money { Money(cents: try Cents().value(from: json)) }
    func json(from value: Money) throws -> JSONValue { .null }
}

private class Owner: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["id"] }
}

private struct OwnerFromID: Converter {
    func value(from json: JSONValue) throws -> Owner {
        let owner = Owner()
        owner.id = json.int ?? -1
        return owner
    }
    func json(from value: Owner) throws -> JSONValue { .null }
}

private class Order: AbstractModel {
    var price = 7
    var discount: Int? = 7
    var prices = [7]
    var priceSet: Set<Int> = []
    var pricesByName: [String: [Int?]] = [:]
    var money = Money(cents: 7)
    var plainMoney = Money(cents: 7)
    var owner = Owner()
    var words: [String?] = []
    var word: String? = "default"

    override class var propertyConverters: [String: any Converter] {
        [
            "price": Cents(), "discount": Cents(), "prices": Cents(), "priceSet": Cents(), "pricesByName": Cents(),
            "money": MoneyConverter(), "owner": OwnerFromID(), "words": NullAsWord(), "word": NullAsWord(),
        ]
    }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        HookProbe.current?.note(value, property)
        return false
    }
}

private class Dated: AbstractModel {
    var seconds = Date.distantPast
    var milliseconds: Date?
    var either: Date?
    var list: [Date] = []
    var optionals: [Date?] = []
    var http: Date!

    override class var propertyConverters: [String: any Converter] {
        [
            "seconds": .secondsSince1970, "milliseconds": .millisecondsSince1970,
            "either": .any([.secondsSince1970, .format("dd.MM.yyyy"), .iso8601]), "list": .array(of: .secondsSince1970),
            "optionals": .array(of: .format("dd.MM.yyyy").optional), "http": .httpDate,
        ]
    }
}

private class Embedding: AbstractModel {
    var owner: Owner?
    var numbers: [Int] = []

    override class var propertyConverters: [String: any Converter] {
        ["owner": .embeddedJSON, "numbers": .embeddedJSON]
    }
}

private class WrongType: AbstractModel {
    var born: String = ""
    override class var propertyConverters: [String: any Converter] { ["born": .secondsSince1970] }
}

private class WrongElement: AbstractModel {
    var tags: [String: [String]?] = [:]
    override class var propertyConverters: [String: any Converter] { ["tags": Cents()] }
}

private class WrongOptional: AbstractModel {
    var born = Date.distantPast
    override class var propertyConverters: [String: any Converter] { ["born": .iso8601.optional] }
}

private class WrongArray: AbstractModel {
    var born: Date?
    override class var propertyConverters: [String: any Converter] { ["born": .array(of: .iso8601)] }
}

@Suite("propertyConverters")
struct PropertyConverterTests {
    @Test("A property's converter applies to its value or its elements and overrides other rules")
    func converted() throws {
        let order = try Order(
            json: """
                {"price": 1.25, "discount": 0.5, "prices": [1, 2.5], "priceSet": [1, 1.0],
                 "pricesByName": {"a": [3, null]}, "money": 2, "plainMoney": 2, "owner": 5, "words": ["a", null]}
                """)
        #expect((order.price, order.discount, order.prices, order.priceSet) == (125, 50, [100, 250], [100]))
        #expect(order.pricesByName == ["a": [300, nil]])
        #expect((order.money, order.plainMoney) == (Money(cents: 200), Money(cents: 1)))
        #expect((order.owner.id, order.words) == (5, ["a!", "null"]))
    }

    @Test("null sets an Optional property with a converter to nil and leaves others unchanged")
    func null() throws {
        let (order, report) = try Order.mapReporting(
            json: #"{"price": null, "discount": null, "prices": null, "word": null}"#)
        #expect((order.price, order.discount, order.prices, order.word) == (7, nil, [7], nil))
        #expect(report.entries.filter { $0.kind == .fallback }.map(\.property) == ["price", "prices"])
    }

    @Test("A failure has the converter's expectation, or a custom error as the underlying error")
    func errors() throws {
        let document = """
            {"price": "x", "discount": -1, "prices": [1, [], -2]}
            """
        let probe = HookProbe()
        let (order, report) = try Order.mapReporting(json: document, options: probe.options())
        #expect([order.price, order.discount] == [7, 7])
        #expect(order.prices == [100])
        #expect(
            probe.calls.prefix(3) == [
                #"price = String "x""#, "discount = Int -1", "prices = [Int 1, [], Int -2]",
            ])
        let error = #expect(throws: ModelError.self) { try Order(json: document, options: .strict) }
        #expect(
            error?.lines == [
                #"Order.price at $.price (line 1, column 11): expected an amount, found the string "x"."#,
                "Order.discount at $.discount (line 1, column 28): expected a value for Cents, found the number -1: "
                    + "an amount is not negative.",
                "Order.prices at $.prices[1] (line 1, column 46): expected an amount, found an array.",
                "Order.prices at $.prices[2] (line 1, column 50): expected a value for Cents, found the number -2: "
                    + "an amount is not negative.",
            ])
        #expect(
            error?.valueFailures.map { $0.underlying as? Unreadable } == [
                nil, Unreadable(description: "an amount is not negative"), nil,
                Unreadable(description: "an amount is not negative"),
            ])
        #expect(report.entries.first { $0.property == "discount" }?.underlying is Unreadable)
    }

    @Test("Built-in converters can be composed")
    func composed() throws {
        let dated = try Dated(
            json: """
                {"seconds": 1.5, "milliseconds": 1500, "either": "02.01.1970", "list": [1, 2],
                 "optionals": ["02.01.1970", null], "http": "Fri, 02 Jan 1970 00:00:00 GMT"}
                """)
        let day = Date(timeIntervalSince1970: 86_400)
        #expect(dated.seconds == Date(timeIntervalSince1970: 1.5))
        #expect((dated.milliseconds, dated.either) == (Date(timeIntervalSince1970: 1.5), day))
        #expect(dated.list == [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)])
        #expect((dated.optionals, dated.http) == ([day, nil], day))
        #expect(try Dated(json: #"{"either": "1970-01-02T00:00:00Z"}"#).either == day)
        #expect(try Dated(json: #"{"either": 86400}"#).either == day)
    }

    @Test(".array(of:) fails at the element, and .any for the whole value")
    func composedFailures() {
        #expect(
            Thrown.lines {
                try Dated(json: #"{"list": [1, "x"], "either": "x"}"#, options: .strict)
            } == [
                #"Dated.list at $.list[1] (line 1, column 14): expected seconds since 1970, found the string "x"."#,
                "Dated.either at $.either (line 1, column 30): expected seconds since 1970 or a date in the format "
                    + #""dd.MM.yyyy" or a date in ISO 8601, found the string "x"."#,
            ])
    }

    @Test(".embeddedJSON maps the JSON in a string to the property's type")
    func embedded() throws {
        let object = try Embedding(json: #"{"owner": "{\"id\": 5}", "numbers": "[1, 2]"}"#)
        #expect((object.owner?.id, object.numbers) == (5, [1, 2]))
        let error = #expect(throws: ModelError.self) {
            try Embedding(json: #"{"owner": "{\"id\": []}", "numbers": [1]}"#, options: .strict)
        }
        #expect(
            error?.lines == [
                "Embedding.owner at $.owner (line 1, column 11): expected a string that holds JSON for an object for "
                    + "Owner, "
                    + "found a string that does not: Owner.id at $.id (line 1, column 8): expected an integer, "
                    + "found an array.",
                "Embedding.numbers at $.numbers (line 1, column 38): expected a string that holds JSON for an array, "
                    + "found an array.",
            ])
        #expect((error?.valueFailures.first?.underlying as? ModelError)?.valueFailures.first?.path == ["id"])
    }

    @Test(
        "A converter for another type than the property's makes the class invalid",
        arguments: [
            (WrongType.self, "born", "Date", "String"),
            (WrongElement.self, "tags", "Int", "Dictionary<String, Optional<Array<String>>>"),
            (WrongOptional.self, "born", "Date?", "Date"), (WrongArray.self, "born", "Array<Date>", "Date?"),
        ] as [(AbstractModel.Type, String, String, String)])
    func wrongType(_ model: AbstractModel.Type, _ property: String, _ converted: String, _ declared: String) {
        let error = #expect(throws: ModelError.self) { try model.init(json: "{}") }
        #expect(
            error?.description
                == "\(model) cannot be mapped: propertyConverters gives \(property) a converter for \(converted), but the "
                + "property is of type \(declared); use a converter for that type, for what it wraps or for its elements."
        )
        #expect(error?.modelFault?.property == property)
    }
}

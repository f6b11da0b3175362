import Foundation
import ModelMirror
import Testing

private struct Price: Equatable {
    var cents: Int

    init(cents: Int) { self.cents = cents }

    init?(_ text: String) {
        guard text.hasSuffix(" EUR"), let amount = Double(text.dropLast(4)) else { return nil }
        cents = Int((amount * 100).rounded())
    }

    var text: String { "\(Double(cents) / 100) EUR" }
}

private struct Point: Equatable {
    var x = 0.0
    var y = 0.0
}

private struct OutOfStock: Error, CustomStringConvertible { let description = "out of stock" }

extension Converter where Self == AnyConverter<Int> {
    fileprivate static var cents: Self {
        .converting(Double.self, { Int(($0 * 100).rounded()) }, back: { Double($0) / 100 })
    }
}

private final class Order: AbstractModel {
    var price = Price(cents: 1)
    var reduced: Price?
    var prices: [Price] = []
    var place = Point()
    var total = 0
    var stock = 0
    var either = Price(cents: 1)
    var tags: Set<String> = []

    override class var propertyConverters: [String: any Converter] {
        let price = AnyConverter.converting(String.self, { Price($0) }, back: { $0.text })
        return [
            "price": price, "reduced": price, "prices": price, "total": .cents,
            "place": .converting(
                [Double].self, { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil }, back: { [$0.x, $0.y] }),
            "stock": .converting(
                Int.self,
                { count in
                    if count == 0 { throw OutOfStock() }
                    if count < 0 { throw ConversionError(expected: "a count") }
                    return count
                }, back: { if $0 == 0 { throw OutOfStock() } else { $0 } }),
            "either": .any([price, .converting(Int.self, { Price(cents: $0) }, back: { $0.cents })]),
            "tags": .converting(
                String.self, { Set($0.split(separator: " ").map(String.init)) },
                back: { $0.sorted().joined(separator: " ") }),
        ]
    }
}

private final class Person: AbstractModel {
    var id = 0
    var city = ""

    override class var propertyKeys: [String: PropertyKey] { ["city": .path("address", "city")] }
}

private final class Team: AbstractModel {
    var leader = 0
    var members: [Int] = []

    override class var propertyConverters: [String: any Converter] {
        [
            "leader": .converting(Person.self, { $0.id }, back: { _ in Person() }),
            "members": .converting([Person].self, { $0.map(\.id) }, back: { _ in [] }),
        ]
    }
}

@Suite("Converters made from closures")
struct ClosureConverterTests {
    private static let document = #"""
        {"price":"1.5 EUR","reduced":"0.5 EUR","prices":["2.0 EUR"],"place":[1,2.5],"total":3.25,"stock":3,"either":7,\#
        "tags":"a b"}
        """#

    @Test(
        "A closure converter reads properties, Optionals and elements, and writes them back",
        arguments: [MappingOptions(), .strict])
    func bothWays(options: MappingOptions) throws {
        let (order, report) = try Order.mapReporting(json: Self.document, options: options)
        #expect(order.price == Price(cents: 150))
        #expect(order.reduced == Price(cents: 50))
        #expect(order.prices == [Price(cents: 200)])
        #expect(order.place == Point(x: 1, y: 2.5))
        #expect(order.total == 325)
        #expect(order.stock == 3)
        #expect(order.either == Price(cents: 7))
        #expect(order.tags == ["a", "b"])
        #expect(report.description == "nothing to report")
        #expect(try order.jsonString() == Self.document.replacing(#""either":7"#, with: #""either":"0.07 EUR""#))
    }

    @Test(
        "A rejected value is reported with its path and what the converter expected",
        arguments: [
            ("price", "[\"x\"]", "", "expected a string, found an array."),
            ("price", "\"x\"", "", #"expected a string convertible to Price, found the string "x"."#),
            ("prices", "[\"x\"]", "[0]", #"expected a string convertible to Price, found the string "x"."#),
            ("place", "[1]", "", "expected an array convertible to Point, found an array."),
            ("place", "[1, true]", "[1]", "expected a number, found true."),
            ("stock", "0", "", "expected an integer convertible to Int, found the number 0: out of stock."),
            ("stock", "-1", "", "expected a count, found the number -1."),
            (
                "either", "\"x\"", "",
                #"expected a string convertible to Price or an integer, found the string "x"."#
            ),
        ])
    func refused(property: String, json: String, suffix: String, sentence: String) {
        let error = #expect(throws: ModelError.self) {
            try Order(json: "{\"\(property)\": \(json)}", options: .strict)
        }
        let start = "Order.\(property) at $.\(property)\(suffix) (line 1, column "
        #expect(error?.description.hasPrefix(start) == true)
        #expect(error?.description.hasSuffix(sentence) == true)
    }

    @Test("null sets an Optional property to nil and is rejected for others")
    func null() throws {
        #expect(try Order(json: #"{"reduced": null}"#).reduced == nil)
        let error = #expect(throws: ModelError.self) { try Order(json: #"{"price": null}"#, options: .strict) }
        #expect(
            error?.description
                == "Order.price at $.price (line 1, column 11): expected a string convertible to Price, found null.")
    }

    @Test("Lenient mapping coerces the raw value like a property of the raw type")
    func lenient() throws {
        let (order, report) = try Order.mapReporting(json: #"{"total": "3.25"}"#)
        #expect(order.total == 325)
        let deviations = report.entries.filter { $0.kind != .missing }
        #expect(deviations.map(\.kind) == [.coerced])
    }

    @Test("The closure receives models with rejected values, but no collection with rejected elements")
    func tolerated() throws {
        let person = #"{"id": 7, "address": 5}"#
        let (team, report) = try Team.mapReporting(json: #"{"leader": \#(person), "members": [\#(person)]}"#)
        #expect((team.leader, team.members) == (7, [7]))
        #expect(report.entries.map(\.path.description) == ["$.leader.address", "$.members[0].address"])
        #expect(try Team(json: #"{"leader": {"id": 7, "city": 1}, "members": [{"id": "x"}]}"#).leader == 7)
        let (none, loss) = try Team.mapReporting(json: #"{"leader": \#(person), "members": [\#(person), 5]}"#)
        #expect(none.members == [])
        #expect(loss.entries.map(\.path.description) == ["$.leader.address", "$.members[1]"])
    }

    @Test("An error thrown while writing is reported with its path")
    func writing() {
        let order = Order()
        order.tags = []
        let error = #expect(throws: ModelError.self) { try order.jsonData() }
        #expect(
            error?.description == "Order.stock at $.stock: expected a value with a JSON form, found 0: out of stock.")
    }

    @Test("A standalone closure converter reads and writes JSON values and throws ConversionError")
    func byItself() throws {
        let converter = AnyConverter.converting(String.self, { Price($0) }, back: { $0.text })
        #expect(try converter.value(from: "1.5 EUR") == Price(cents: 150))
        #expect(try converter.json(from: Price(cents: 150)) == "1.5 EUR")
        #expect(throws: ConversionError(expected: "a string convertible to Price")) { try converter.value(from: "x") }
        #expect(throws: ConversionError(expected: "a string")) { try converter.value(from: 1) }
    }

    private final class Unreadable: AbstractModel {
        var name = ""
        override class var propertyConverters: [String: any Converter] {
            ["name": .converting(ObjectIdentifier.self, { "\($0)" }, back: { _ in throw OutOfStock() })]
        }
    }

    @Test("A raw type without a conversion makes the class invalid")
    func unreadable() {
        let error = #expect(throws: ModelError.self) { try Unreadable(json: "{}") }
        #expect(
            error?.description
                == "Unreadable cannot be mapped: propertyConverters gives name a converter that cannot be used: nothing "
                + "converts the type ObjectIdentifier.")
    }

    private final class Holder: AbstractModel {
        var name = ""
        override class var propertyConverters: [String: any Converter] {
            ["name": .converting(Order.self, { "\($0.total)" }, back: { _ in Order() })]
        }
    }

    @Test("A model can be the raw value of a property's converter, but not of a standalone one")
    func model() throws {
        #expect(try Holder(json: #"{"name": {"total": 2}}"#).name == "200")
        #expect(throws: ConversionError.self) {
            try AnyConverter.converting(Order.self, { "\($0.total)" }, back: { _ in Order() }).value(from: [:])
        }
    }
}

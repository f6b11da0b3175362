import Foundation
@testable import ModelMirror
import Testing

private struct Window: Codable, Hashable {
    var openFrom: Date
    var siteURL: URL?
    var ratio: Double?
    var raw: Data?
    var names: [String: Int]?
    var any: JSONValue?
    var price: Decimal?
    var kind: Kind?
    var parts: [Part]?
}

private struct Part: Codable, Hashable {
    var partID: Int
    var at: [Date]
}

private enum Kind: Codable, Hashable {
    case openAllDay(untilHour: Int)
    case closed
}

private class Shop: AbstractModel {
    var window: Window?
    var windows: [Window] = []
}

private class SnakeShop: Shop {
    var other: Window?

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var mappingOptions: MappingOptions {
        MappingOptions(dates: .secondsSince1970, nonFiniteNumbers: .strings)
    }
    override class var propertyDateFormats: [String: String] { ["other": "yyyy"] }
}

private class FlexibleShop: Shop {
    override class var keyStrategy: KeyStrategy { .flexible }
}

private class CoderShop: Shop {
    override class var mappingOptions: MappingOptions {
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        decoder.dateDecodingStrategy = .millisecondsSince1970
        encoder.dateEncodingStrategy = .millisecondsSince1970
        return MappingOptions(decoder: decoder, encoder: encoder)
    }
}

/// Decodes with every kind of container.
private struct Manual: Codable, Hashable {
    var numbers: [Int] = []
    var text: String?
    var inner = 0
    var last = false

    private enum CodingKeys: String, CodingKey { case text, inner }

    init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        var numbers = try list.nestedUnkeyedContainer()
        while !numbers.isAtEnd { self.numbers.append(try numbers.decode(Int.self)) }
        text = try list.decodeNil() ? nil : list.decode(String.self)
        let object = try list.nestedContainer(keyedBy: CodingKeys.self)
        inner = try object.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner).decode(Int.self, forKey: .inner)
        last = try list.superDecoder().singleValueContainer().decode(Bool.self)
        #expect(list.isAtEnd && list.count == 4)
        #expect(list.currentIndex == 4)
        #expect(object.allKeys == [.inner])
        #expect(throws: DecodingError.self) { try object.decode(Int.self, forKey: .text) }
        #expect(try object.decodeIfPresent(Int.self, forKey: .text) == nil)
        do {
            Issue.record("\(try list.decode(Int.self)) was decoded past the end")
        } catch {
            #expect(error is DecodingError)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(numbers)
    }
}

private class ManualHolder: AbstractModel {
    var manual: Manual?
    var point: Plain?
}

private struct Plain: Codable, Hashable {
    var small: Int8?
    var id: UUID?
    var zone: TimeZone?
    var flag: Bool?
    var float: Float?
    var key: [Int: String]?
}

private struct Deep: Codable, Equatable {
    var x: Int
    var deepList: [Int]
}

/// Decodes 128-bit integers with every kind of container.
private struct Wide: Codable, Hashable {
    struct Pair: Codable, Hashable {
        var low: Int128
        var high: UInt128

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            (low, high) = (try list.decode(Int128.self), try list.decode(UInt128.self))
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(low)
            try list.encode(high)
        }
    }

    var low: Int128
    var high: UInt128?
    var signed: [Int128]
    var byName: [String: UInt128]
    var pair: Pair
}

private class WideHolder: AbstractModel {
    var wide: Wide?
}

private class SnakeHolder: AbstractModel {
    var inner: Deep?
    var list: [Deep] = []
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

private class Shape: Codable {
    var sideCount = 0
    init() {}
}

private final class Square: Shape {
    var edgeLength = 0.0

    private enum CodingKeys: CodingKey { case edgeLength }

    override init() { super.init() }

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        edgeLength = try container.decode(Double.self, forKey: .edgeLength)
        try super.init(from: container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(edgeLength, forKey: .edgeLength)
        try super.encode(to: container.superEncoder())
    }
}

private class SquareHolder: AbstractModel {
    var square: Square?
}

private enum Role: String, Codable, CodingKeyRepresentable {
    case siteAdmin, guest
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case site_admin
}

private struct Counts: Codable, Equatable {
    var byRole: [Role: Int] = [:]
    var byNumber: [Int: Int] = [:]
}

private class CountsHolder: AbstractModel {
    var counts: Counts?
}

private struct NoSuchKind: LocalizedError {
    var errorDescription: String? { "no such kind" }
}

private struct Tagged: Decodable {
    init(from decoder: any Decoder) throws { throw NoSuchKind() }
}

private class OwnHolder: AbstractModel {
    var kind: Tagged?
}

private let range = "an integer from \(Int.min) to \(Int.max)"

private let day = Date(timeIntervalSince1970: 86_400)

@Suite("Codable properties")
struct CodablePropertyTests {
    @Test("Converted property names are cached up to a limit")
    func keptKeys() {
        let rules = CodableRules(TableRules(keyStrategy: .snakeCase))
        for number in 0..<2000 { #expect(rules.jsonKey(forProperty: "aB\(number)") == "a_b\(number)") }
        #expect(rules.keys.withLock(\.count) == CodableRules.keyLimit)
    }

    @Test("Dates, data, URLs and decimals in Codable values are read and written as in models")
    func standard() throws {
        let json =
            #"{"window":{"any":{"a_b":1.10},"names":{"someName":1},"openFrom":"1970-01-02T00:00:00Z","price":0.1,"raw":"AQI=","siteURL":"a b"},"windows":[]}"#
        let shop = try Shop(json: json)
        #expect(
            shop.window
                == Window(
                    openFrom: day, siteURL: URL(string: "a%20b"), raw: Data([1, 2]), names: ["someName": 1],
                    any: ["a_b": 1.10], price: Decimal(string: "0.1")))
        #expect(shop.isEqual(to: try Shop(json: shop.jsonData())))
        #expect(try shop.jsonString().contains(#""openFrom":"1970-01-02T00:00:00Z""#))
    }

    @Test("128-bit integers in Codable values are read and written in all containers")
    func wide() throws {
        let (low, high) = ("\(Int128.min)", "\(UInt128.max)")
        let json = #"{"wide":{"low":\#(low),"high":\#(high),"signed":[1],"byName":{"a":\#(high)},"pair":[\#(low),2]}}"#
        let holder = try WideHolder(json: json, options: .strict)
        #expect(holder.wide?.low == .min && holder.wide?.high == .max && holder.wide?.signed == [1])
        #expect(holder.wide?.byName == ["a": .max] && holder.wide?.pair.low == .min && holder.wide?.pair.high == 2)
        #expect(try WideHolder(json: holder.jsonString()).wide == holder.wide)
        #expect(try WideHolder(json: json.replacing(#""high":\#(high),"#, with: "")).wide?.low == .min)
    }

    @Test("Codable values follow the key strategy, options and date formats of the enclosing class")
    func rules() throws {
        let json = """
            {"window": {"open_from": 86400, "site_url": "a", "ratio": "NaN", "names": {"someName": 1, "other_name": 2},
             "kind": {"open_all_day": {"until_hour": 3}}, "parts": [{"part_id": 1, "at": [86400, "86400"]}]},
             "other": {"open_from": "1970"}}
            """
        let shop = try SnakeShop(json: json)
        #expect(shop.window?.openFrom == day)
        #expect(shop.window?.siteURL?.absoluteString == "a")
        #expect(shop.window?.ratio?.isNaN == true)
        #expect(shop.window?.names == ["someName": 1, "other_name": 2])
        #expect(shop.window?.kind == .openAllDay(untilHour: 3))
        #expect(shop.window?.parts == [Part(partID: 1, at: [day, day])])
        #expect(shop.other?.openFrom == Date(timeIntervalSince1970: 0))
        let written = try shop.jsonValue()
        for (path, expected) in [
            (["window", "open_from"], 86400), (["window", "site_url"], "a"), (["window", "ratio"], "NaN"),
            (["window", "names"], ["someName": 1, "other_name": 2]),
            (["window", "kind"], ["open_all_day": ["until_hour": 3]]), (["other", "open_from"], "1970"),
        ] as [(JSONPath, JSONValue)] {
            #expect(written[path] == expected, "\(path)")
        }
        #expect(
            try FlexibleShop(json: #"{"WINDOW": {"OPEN-FROM": "1970-01-02T00:00:00Z", "Site_Url": "a"}}"#).window?
                .siteURL != nil)
        let call = MappingOptions(dates: .millisecondsSince1970, keyStrategy: .kebabCase)
        let other = try Shop(json: #"{"window": {"open-from": 86400000, "kind": {"closed": {}}}}"#, options: call)
        #expect(other.window?.openFrom == day)
        #expect(other.window?.kind == .closed)
        #expect(try other.jsonValue(mapping: call)["window"]["open-from"] == 86_400_000)
    }

    @Test("A class or a call can supply its own JSONDecoder and JSONEncoder")
    func coders() throws {
        let json = #"{"window": {"openFrom": 86400000}}"#
        let shop = try CoderShop(json: json)
        #expect(shop.window?.openFrom == day)
        #expect(try shop.jsonValue()["window"] == ["openFrom": 86_400_000])
        let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
        decoder.dateDecodingStrategy = .millisecondsSince1970
        encoder.dateEncodingStrategy = .millisecondsSince1970
        let options = MappingOptions(decoder: decoder, encoder: encoder)
        let plain = try Shop(json: json, options: options)
        #expect(plain.window?.openFrom == day)
        #expect(try plain.jsonValue(mapping: options)["window"] == ["openFrom": 86_400_000])
    }

    @Test("A rejected date in a Codable value is reported with its path and a DecodingError")
    func failure() throws {
        let (shop, report) = try Shop.mapReporting(json: #"{"window": {"openFrom": 86400}}"#)
        #expect(shop.window == nil)
        let entry = try #require(report.entries.first { $0.kind == .fallback })
        guard case .typeMismatch(_, let context)? = entry.underlying as? DecodingError else {
            Issue.record("\(entry)")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["openFrom"])
        #expect(
            context.debugDescription
                == #"Expected a date in ISO 8601 or "y-MM-dd HH:mm:ssZ", found the number 86400."#)
        #expect(
            entry.description == "fallback: Shop.window at $.window.openFrom (line 1, column 25): expected a date in "
                + #"ISO 8601 or "y-MM-dd HH:mm:ssZ", found the number 86400."#)
    }

    @Test(
        "A value that fails to decode is reported at its own path and position",
        arguments: [
            (#"{"x": "1", "deepList": [1]}"#, "x (line 2, column 16)", #"an integer, found the string "1""#),
            (#"{"x": 1e30, "deepList": []}"#, "x (line 2, column 16)", "\(range), found the number 1e30"),
            (#"{"deep_list": []}"#, "x (line 2, column 10)", "an integer, found no such key"),
            (#"{"x": 1, "deep_list": [1, null]}"#, "deep_list[1] (line 2, column 36)", "an integer, found null"),
            (#"{"x": 1, "deep_list": {}}"#, "deep_list (line 2, column 32)", "an array, found an object"),
            (#"{"x": 1}"#, "deep_list (line 2, column 10)", "a value, found no such key"),
            (#"[]"#, "", "an object, found an array"),
        ] as [(String, String, String)])
    func mismatch(json: String, place: String, sentence: String) throws {
        let place = place.isEmpty ? " (line 2, column 10)" : "." + place
        let document = "{\n\"inner\": \(json),\n\"list\": [\(json)]}"
        let (holder, report) = try SnakeHolder.mapReporting(json: document)
        #expect(holder.inner == nil && holder.list == [])
        #expect(
            report.entries.first?.description == "fallback: SnakeHolder.inner at $.inner\(place): expected \(sentence)."
        )
        #expect(report.entries.dropFirst().map(\.kind) == [.skipped])
        let error = #expect(throws: ModelError.self) { try SnakeHolder(json: document, options: .strict) }
        #expect(
            error?.valueFailures.first?.description == "SnakeHolder.inner at $.inner\(place): expected \(sentence).")
        #expect(error?.valueFailures.map(\.expected) == report.entries.map(\.expected))
        #expect(error?.valueFailures.map(\.path) == report.entries.map(\.path))
    }

    @Test("A failure in a Codable value names no option that does not apply to it")
    func advice() {
        struct Named: Codable { var name = "" }
        final class Holder: AbstractModel {
            var inner = Named()
            var bytes = Data([7])
        }
        let error = #expect(throws: ModelError.self) { try Holder(json: #"{"inner": {"name": 5}}"#, options: .strict) }
        #expect(
            error?.description
                == "Holder.inner at $.inner.name (line 1, column 20): expected a string, found the number 5.")
        #expect("\(Holder())" == #"Holder(inner: Named(name: ""), bytes: 1 byte)"#)
    }

    @Test("An error thrown by a Decodable type is part of the failure's description")
    func ownError() throws {
        let error = #expect(throws: ModelError.self) {
            try OwnHolder(json: #"{"kind": "purple"}"#, options: .strict)
        }
        let failure = try #require(error?.valueFailures.first)
        #expect("\(failure.path)" == "$.kind")
        #expect(failure.expected == "a value that Tagged can decode")
        #expect(failure.description.hasSuffix("no such kind."))
    }

    @Test("Every kind of decoding container is supported, and values are decoded strictly")
    func containers() throws {
        let holder = try ManualHolder(json: #"{"manual": [[1, 2.0], null, {"inner": {"inner": 5}}, true]}"#)
        #expect((holder.manual?.numbers, holder.manual?.inner, holder.manual?.last) == ([1, 2], 5, true))
        let plain = try ManualHolder(
            json: """
                {"point": {"small": -128, "id": "D0F4C2A2-9E6E-4E53-8B0E-3B7B3C1A8C11", "zone": {"identifier": "Europe/Paris"},
                 "flag": false, "float": 1.5, "key": {"7": "x"}}}
                """)
        #expect(plain.point?.small == -128)
        #expect(plain.point?.id?.uuidString == "D0F4C2A2-9E6E-4E53-8B0E-3B7B3C1A8C11")
        #expect(plain.point?.zone?.identifier == "Europe/Paris")
        #expect(plain.point?.float == 1.5)
        #expect(plain.point?.key == [7: "x"])
        #expect(plain.isEqual(to: try ManualHolder(json: plain.jsonData())))
        for wrong in [#""small": 128"#, #""small": "1""#, #""flag": 1"#, #""float": "1.5""#, #""key": {"x": ""}"#] {
            #expect(try ManualHolder(json: "{\"point\": {\(wrong)}}").point == nil, "\(wrong)")
        }
    }

    @Test("Coercions and unknown keys inside a Codable value are not reported")
    func unseen() throws {
        let (shop, report) = try Shop.mapReporting(
            json:
                #"{"windows": [], "window": {"openFrom": "1970-01-02T00:00:00Z", "siteURL": "a b", "ratio": 1e-400, "new": 1}}"#,
            options: MappingOptions(strict: true, unknownKeys: .failures))
        #expect(shop.window?.ratio == 0 && shop.window?.siteURL?.absoluteString == "a%20b")
        #expect(report.description == "nothing to report")
    }

    @Test("The superclass of a Codable class is read from the key that it is written to")
    func superclass() throws {
        let (holder, original) = (SquareHolder(), Square())
        (original.sideCount, original.edgeLength) = (4, 1.5)
        holder.square = original
        let rules = MappingOptions(strict: true, keyStrategy: .pascalCase)
        let json = try holder.jsonString(mapping: rules)
        #expect(json == #"{"Square":{"EdgeLength":1.5,"Super":{"SideCount":4}}}"#)
        let square = try SquareHolder(json: json, options: rules).square
        #expect(square?.sideCount == 4 && square?.edgeLength == 1.5)
        // The property's own name is also read.
        let plain = try SquareHolder(json: json.replacing("Super", with: "super"), options: rules)
        #expect(plain.square?.sideCount == 4)
    }

    @Test(
        "The keys of dictionaries in Codable values are data, which no key strategy changes",
        arguments: [
            KeyStrategy.snakeCase, .kebabCase, .pascalCase, .camelCase, .flexible, .custom { "x\($0)" },
            .words { $0.map { $0.uppercased() }.joined() },
        ])
    func keysOfDictionaries(_ strategy: KeyStrategy) throws {
        let counts = Counts(byRole: [.siteAdmin: 1, .site_admin: 2, .guest: 3], byNumber: [-1: 4, 1: 5])
        let holder = CountsHolder()
        holder.counts = counts
        let rules = MappingOptions(strict: true, keyStrategy: strategy)
        let json = try holder.jsonString(mapping: rules)
        #expect(json.contains(#"{"guest":3,"siteAdmin":1,"site_admin":2}"#) && json.contains(#"{"-1":4,"1":5}"#))
        #expect(try CountsHolder(json: json, options: rules).counts == counts)
    }
}

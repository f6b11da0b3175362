import Foundation
import ModelMirror
import Testing

private class User: AbstractModel {
    var login = ""
    var siteAdmin = false

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["login"] }
}

private class Gist: AbstractModel {
    var id = ""
    var createdAt: Date?
    var comments = 0
    var owner: User?
    var price: Decimal?

    override class var propertyKeys: [String: PropertyKey] { ["createdAt": "created_at"] }
    override class var requiredProperties: Set<String> { ["id"] }
}

private class Animal: AbstractModel, DynamicTypeModel {
    var name = ""
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self] }
}

private class Dog: Animal {
    var barks = false
}

private class Tag: AbstractModel, ModelHashable {
    var name = ""

    override class var mappingOptions: MappingOptions {
        MappingOptions(strict: true, skipsInvalidElements: true, depth: 1, bytes: 3)
    }
}

private struct Page: Codable {
    var total = 0
    @Mapped var gist: Gist
    @Mapped var others: [Gist]
    @Mapped var byName: [String: User]
    @Mapped var maybe: User?
    @Mapped var nested: [String: [User?]]?
}

private struct Owner: Codable { @Mapped var user: User }
private struct Zoo: Codable { @Mapped var animals: [Animal] }
private struct Tags: Codable, Hashable { @Mapped var tags: [Tag] }
private struct Whatever: MappedValue {}

private class Visit: AbstractModel {
    var seenAt: Date?
    var log: Log?
}

private class Shop: AbstractModel {
    var log: Log?

    override class var mappingOptions: MappingOptions { MappingOptions(dates: .millisecondsSince1970) }
}

private struct Log: Codable {
    var openedAt: Date
    @Mapped var visits: [Visit]
}

@Suite("Models inside Codable types")
struct MappedTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    @Test("Mapped models, Optionals, arrays and dictionaries are decoded by the models' own rules")
    func decoding() throws {
        let page = try decode(
            Page.self,
            #"""
            {"total": 2, "gist": {"id": "1", "created_at": "2016-01-23T18:30:00Z", "comments": "7", "price": 1.10,
             "owner": {"login": "mona", "site_admin": true}}, "others": [{"id": "2"}, {"id": "3", "unknown": []}],
             "byName": {"a b": {"login": "x"}}, "maybe": {"login": "y"}, "nested": {"c": [null, {"login": "z"}]}}
            """#)
        #expect(page.total == 2)
        #expect(page.gist.id == "1")
        #expect(page.gist.createdAt == Date(timeIntervalSince1970: 1_453_573_800))
        #expect(page.gist.comments == 7)
        #expect(page.gist.price == Decimal(string: "1.1"))
        #expect(page.gist.owner?.login == "mona")
        #expect(page.gist.owner?.siteAdmin == true)
        #expect(page.others.map(\.id) == ["2", "3"])
        #expect(page.byName.mapValues(\.login) == ["a b": "x"])
        #expect(page.maybe?.login == "y")
        #expect(page.nested?.mapValues { $0.map { $0?.login } } == ["c": [nil, "z"]])
    }

    @Test("A missing key or null decodes as nil for an Optional", arguments: ["", #", "maybe": null, "nested": null"#])
    func optional(members: String) throws {
        let page = try decode(
            Page.self, #"{"total": 0, "gist": {"id": "1"}, "others": [], "byName": {}\#(members)}"#)
        #expect(page.maybe == nil)
        #expect(page.nested == nil)
    }

    @Test("A missing key throws keyNotFound for a non-Optional")
    func missing() {
        let error = #expect(throws: DecodingError.self) { try decode(Owner.self, "{}") }
        #expect(error?.missingKey == "user")
    }

    @Test(
        "An invalid value throws dataCorrupted with the coding path and the mapping error",
        arguments: [
            (#"{"user": {"site_admin": true}}"#, "User.login at $.login: expected a string, found no such key."),
            (
                #"{"user": {"login": 5}}"#,
                "User.login at $.login: expected a string, found the number 5; the option stringsFromNumbers accepts it."
            ),
            (#"{"user": []}"#, "User at $: expected an object for User, found an array."),
            (#"{"user": null}"#, "User at $: expected an object for User, found null."),
        ])
    func failing(json: String, message: String) throws {
        let error = #expect(throws: DecodingError.self) { try decode([Owner].self, "[\(json)]") }
        #expect(error?.corruption?.debugDescription == "Expected JSON for User.")
        #expect(error?.corruption?.codingPath.map(\.stringValue) == ["Index 0", "user"])
        let underlying = try #require(error?.corruption?.underlyingError as? ModelError)
        #expect(underlying.description == message)
        let printed = try "\(#require(error))"
        #expect(printed.components(separatedBy: message).count == 2, "\(printed)")
        #expect(underlying.valueFailures.map(\.line) == [nil])
    }

    @Test("All failing elements are reported with their paths")
    func failingElements() {
        let error = #expect(throws: DecodingError.self) {
            try decode(
                Page.self, #"{"total": 0, "gist": {"id": "1"}, "others": [{}, {"id": "2"}, 3], "byName": {}}"#)
        }
        #expect(error?.corruption?.codingPath.map(\.stringValue) == ["others"])
        #expect(
            (error?.corruption?.underlyingError as? ModelError)?.description == """
                Gist.id at $[0].id: expected a string, found no such key.
                Gist at $[2]: expected an object for Gist, found the number 3.
                """)
    }

    @Test("The class's options apply when it is decoded, except its depth and byte limits")
    func options() throws {
        let tags = try decode(Tags.self, #"{"tags": [{"name": "a"}, {"name": 5}, 7, {"name": "b"}]}"#)
        #expect(tags.tags.map(\.name) == ["a", "b"])
    }

    @Test("Settings of the decoder do not affect models")
    func decoderSettings() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let json =
            #"{"gist": {"id": "1", "created_at": "2016-01-23T18:30:00Z"}, "others": [], "total": 0, "by_name": {}}"#
        let page = try decoder.decode(Page.self, from: Data(json.utf8))
        #expect(page.gist.createdAt == Date(timeIntervalSince1970: 1_453_573_800))
    }

    @Test(
        "The dates and keys of a call apply to models inside Codable values, also in each other",
        arguments: [
            AnyConverter<Date>.secondsSince1970,
            .converting(Double.self, { Date(timeIntervalSince1970: $0) }, back: { $0.timeIntervalSince1970 }),
        ])
    func call(dates: AnyConverter<Date>) throws {
        let options = MappingOptions(dates: dates, keyStrategy: .snakeCase)
        let log = #"{"opened_at":1,"visits":[{"log":{"opened_at":2,"visits":[{"seen_at":3}]},"seen_at":4}]}"#
        let shop = try Shop(json: #"{"log":\#(log)}"#, options: options)
        for read in [try #require(shop.log), try JSONMapper.value(Log.self, from: log, options: options)] {
            #expect(read.openedAt == Date(timeIntervalSince1970: 1))
            #expect(read.visits[0].seenAt == Date(timeIntervalSince1970: 4))
            #expect(read.visits[0].log?.openedAt == Date(timeIntervalSince1970: 2))
            #expect(read.visits[0].log?.visits[0].seenAt == Date(timeIntervalSince1970: 3))
            #expect(try JSONMapper.jsonString(of: read, mapping: options) == log)
        }
        #expect(try shop.jsonString(mapping: options) == #"{"log":\#(log)}"#)
    }

    @Test("The dates of a class do not apply to models inside its Codable properties")
    func classAround() throws {
        let json = #"{"log":{"openedAt":1000,"visits":[{"seenAt":"2016-01-23T18:30:00Z"}]}}"#
        let shop = try Shop(json: json)
        #expect(shop.log?.openedAt == Date(timeIntervalSince1970: 1))
        #expect(shop.log?.visits[0].seenAt == Date(timeIntervalSince1970: 1_453_573_800))
        #expect(try shop.jsonString() == json)
    }

    @Test("A dynamic type is selected when decoding and written back when encoding")
    func dynamicTypes() throws {
        let zoo = try decode(
            Zoo.self, #"{"animals": [{"type": "dog", "name": "Rex", "barks": true}, {"name": "Tom"}]}"#)
        #expect(zoo.animals.map { "\(type(of: $0)) \($0.name)" } == ["Dog Rex", "Animal Tom"])
        #expect((zoo.animals[0] as? Dog)?.barks == true)
        #expect(try written(zoo) == #"{"animals":[{"barks":true,"name":"Rex","type":"dog"},{"name":"Tom"}]}"#)
    }

    @Test("Models are encoded by their own rules, and a nil Optional is omitted")
    func encoding() throws {
        let page = Page(
            gist: Gist(), others: [Gist()], byName: ["a b": User()], maybe: nil, nested: ["c": [nil, User()]])
        page.gist.id = "1"
        page.gist.createdAt = Date(timeIntervalSince1970: 1_453_573_800)
        page.gist.price = Decimal(string: "1.1")
        page.others[0].owner = User()
        #expect(
            try written(page)
                == #"{"byName":{"a b":{"login":"","site_admin":false}},"#
                + #""gist":{"comments":0,"created_at":"2016-01-23T18:30:00Z","id":"1","price":1.1},"#
                + #""nested":{"c":[null,{"login":"","site_admin":false}]},"#
                + #""others":[{"comments":0,"id":"","owner":{"login":"","site_admin":false}}],"total":0}"#)
    }

    @Test("Mapped models round-trip through JSON and property lists")
    func roundTrip() throws {
        let json =
            #"{"byName":{"a":{"login":"x","site_admin":true}},"gist":{"comments":1,"id":"1"},"maybe":{"login":"y","#
            + #""site_admin":false},"others":[{"comments":0,"id":"2"}],"total":3}"#
        #expect(try written(decode(Page.self, json)) == json)
        let plist = try PropertyListEncoder().encode(decode(Page.self, json))
        #expect(try written(PropertyListDecoder().decode(Page.self, from: plist)) == json)
    }

    @Test("A value that cannot be encoded throws invalidValue with the coding path and the error")
    func encodingFails() throws {
        let owner = Gist()
        owner.price = .nan
        let page = Page(gist: owner, others: [], byName: [:], maybe: nil, nested: nil)
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(["page": page]) }
        let (value, context) = try #require(error?.rejection)
        #expect(value as? Gist === owner)
        #expect(context.codingPath.map(\.stringValue) == ["page", "gist"])
        #expect(context.debugDescription == "Expected a value with a JSON form.")
        #expect(
            (context.underlyingError as? ModelError)?.description
                == "Gist.price at $.price: expected a finite number, found NaN.")
    }

    @Test("Mapped is Equatable and Hashable if its models are")
    func equality() throws {
        let first = try decode(Tags.self, #"{"tags": [{"name": "a"}]}"#)
        #expect(try first == decode(Tags.self, #"{"tags": [{"name": "a"}]}"#))
        #expect(try first != decode(Tags.self, #"{"tags": [{"name": "b"}]}"#))
        #expect(try Set([first, decode(Tags.self, #"{"tags": [{"name": "a"}]}"#)]).count == 1)
    }

    @Test("Coding a Mapped type without a model fails")
    func noModel() {
        let error = #expect(throws: DecodingError.self) { try decode(Mapped<Whatever>.self, "{}") }
        #expect(
            (error?.corruption?.underlyingError as? ModelError)?.description
                == "Whatever cannot be mapped: it is neither a model nor an Optional, array or dictionary of models.")
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Mapped(wrappedValue: Whatever())) }
    }

    private func written(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

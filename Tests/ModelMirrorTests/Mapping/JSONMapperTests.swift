import Foundation
import ModelMirror
import Testing

private class Gist: AbstractModel {
    var id = 0
    var note: String?
    var password = ""
    var owner: Gist?
    var tags: [String] = []
    override class var redactedProperties: Set<String> { ["password"] }
}

private class Told: AbstractModel, CustomStringConvertible {
    var id = 7
    var description: String { "number \(id)" }
}

private class Shown: AbstractModel {
    var marks: Set<Int> = [2, 1]
    var names: [Int: String] = [2: "b", 1: "a"]
    var frame = Frame()
    var edge: Edge?
    var data = Data([1, 2, 3])
    var date = Date(timeIntervalSince1970: .infinity)
}
private struct Frame: Codable {
    var from = 1
    var to: Edge? = .at("x", 2)
}
private enum Edge: Codable {
    case nowhere
    case at(String, Int)
    case named(String)
    case through(points: [Int])
}

private struct Readable: LocalizedError {
    var errorDescription: String? { "in plain words" }
}

private class Free: AbstractModel {
    var free: JSONValue = nil
    var any: Any?
}

private class Priced: AbstractModel {
    var price = 0
    override class var propertyConverters: [String: any Converter] {
        ["price": .converting(Int.self, { _ in throw Readable() }, back: { (value: Int) in value })]
    }
}

private class Exact: AbstractModel {
    var size = JSONNumber("1.50")
    var sizes: [JSONNumber] = [7]
}

/// Its child is of the base class itself, which cannot be mapped.
private class Bare: AbstractModel { var child: AbstractModel? }

/// A structure ported from Seeds: a number is written with or without a fraction.
private struct Place: InitializableWithDictionary {
    let latitude: Double
    init(dictionary: [String: Any]) throws {
        guard let latitude = try JSONValue(any: dictionary["latitude"]).double else {
            throw ConversionError(expected: "an object with a latitude")
        }
        self.latitude = latitude
    }
}
private class Trip: AbstractModel { var stops: [Place] = [] }

@Suite("JSONMapper, dictionaries and descriptions")
struct JSONMapperTests {
    @Test("JSONMapper maps values of any type at the root and at a path")
    func roots() throws {
        #expect(try JSONMapper.value([Int].self, from: "[1, 2]") == [1, 2])
        #expect(
            try JSONMapper.value([[Gist]].self, from: #"{"a": [[{"id": 1}], []]}"#, at: "a").map { $0.map(\.id) } == [
                [1], [],
            ])
        #expect(try JSONMapper.value([String: [Gist]].self, from: #"{"a": [{"id": 1}]}"#)["a"]?.count == 1)
        let byNumber: [Int: Gist] = try JSONMapper.value(from: #"{"7": {"id": 7}}"#)
        #expect(byNumber[7]?.id == 7)
        #expect(try JSONMapper.value(Gist?.self, from: "null") == nil)
        #expect(try JSONMapper.value(Gist?.self, from: #"{"a": 1}"#, at: "b") == nil)
        #expect(
            Thrown.text { try JSONMapper.value([Int].self, from: #"[1, "x"]"#) }
                == "JSON at $[1] (line 1, column 5): expected an integer, found the string \"x\".")
        let skipping = MappingOptions(skipsInvalidElements: true)
        let (values, report) = try JSONMapper.mapReporting([Int].self, from: #"[1, "x"]"#, options: skipping)
        #expect(values == [1])
        #expect(report.entries.map(\.kind) == [.skipped])
    }

    @Test("A string path with dots is one key, and the error suggests the key path")
    func dottedPath() {
        #expect(
            Thrown.text { try JSONMapper.value(Int.self, from: #"{"data": {"n": 1}}"#, at: "data.n") }
                == #"JSON at $["data.n"] (line 1, column 1): expected a value, found no such key (a text is one key; "#
                + #"the path is ["data", "n"])."#)
        let plain = "expected a value, found no such key or index."
        for (path, place) in [(["x", "a.b"], #"$.x["a.b"]"#), (["."], #"$["."]"#), (["a."], #"$["a."]"#)] {
            let path = JSONPath(path.map { .key($0) })
            #expect(
                Thrown.text { try JSONMapper.value(Int.self, from: "{}", at: path) }
                    == "JSON at \(place) (line 1, column 1): \(plain)")
        }
    }

    @Test("An invalid date pattern in the options fails for values without a model class")
    func badPattern() {
        let options = MappingOptions(dates: .format("Q yyyy"))
        let sentence =
            "MappingOptions.dates cannot be used: 'Q' at position 1 of the date pattern \"Q yyyy\" is not a date field"
        #expect(
            Thrown.text { try JSONMapper.value([Date].self, from: "[]", options: options) }?
                .hasPrefix("Array<Date> cannot be mapped: \(sentence)") == true)
    }

    @Test("Models are mapped from dictionaries and written back to dictionaries")
    func dictionaries() throws {
        let gists = try [Gist](dictionaries: [["id": 1], ["id": 2, "note": "n"]])
        #expect(gists.map(\.id) == [1, 2])
        #expect(try gists.jsonDictionaries()[1]["note"] as? String == "n")
        #expect(
            try gists.jsonString() == #"[{"id":1,"password":"","tags":[]},{"id":2,"note":"n","password":"","tags":[]}]"#
        )
        #expect(try gists.jsonValue()[1]["id"] == 2)
        #expect(try ["a": gists[0]].jsonString() == #"{"a":{"id":1,"password":"","tags":[]}}"#)
        #expect(try ["a": gists[0]].jsonValue()["a"]["id"] == 1)
        let (gist, report) = try Gist.mapReporting(dictionary: ["id": "3", "new": 1])
        #expect(gist.id == 3)
        #expect(report.entries.map { "\($0.kind) \($0.path)" }.contains("unknownKey $.new"))
        #expect(
            Thrown.text { try [Gist](dictionaries: [["id": []]], options: .strict) }
                == "Gist.id at $[0].id: expected an integer, found an array.")
    }

    @Test("A struct with a dictionary initializer accepts integer and fractional numbers")
    func seeds() throws {
        let trip = try Trip(json: #"{"stops": [{"latitude": 48}, {"latitude": 48.5}]}"#)
        #expect(trip.stops.map(\.latitude) == [48, 48.5])
    }

    @Test("A plain number is an Int if written as an integer that fits, otherwise a Double")
    func plainNumbers() throws {
        let plain = try #require(try JSONValue(json: "[1, 2.5, 3.0, 1e2, 9223372036854775808, null]").any as? [Any])
        #if canImport(FoundationEssentials)
        #expect(plain.prefix(5).map { "\(type(of: $0))" } == ["Int", "Double", "Double", "Double", "Double"])
        #else
        #expect(plain.prefix(2).map { $0 as? Double } == [1, 2.5])
        #expect(plain.prefix(3).map { $0 as? Int } == [1, nil, 3])
        #expect(plain[5] is NSNull)
        #endif
    }

    @Test("jsonDictionary() has the same number types as JSONValue.any")
    func writtenNumbers() throws {
        let free = try Free(json: #"{"free": [1, 2.5, 3.0, 1e2], "any": 3.0}"#)
        let plain = try free.jsonDictionary()
        let list = try #require(plain["free"] as? [Any])
        #if canImport(FoundationEssentials)
        #expect(list.map { "\(type(of: $0))" } == ["Int", "Double", "Double", "Double"])
        #else
        #expect(JSONSerialization.isValidJSONObject(plain))
        #expect(list.allSatisfy { $0 is NSNumber })
        #endif
        #expect(list.map { $0 as? Double } == [nil, 2.5, 3, 100] || list.map { $0 as? Double } == [1, 2.5, 3, 100])
        #expect(try Free(dictionary: plain).free == free.free)
    }

    @Test("The description of a model is one line and omits secrets")
    func printed() {
        let gist = Gist()
        (gist.id, gist.note, gist.password) = (1, "a \"b\"\nc", "secret")
        gist.owner = Gist()
        gist.tags = (0..<12).map { "\($0)" }
        #expect(
            "\(gist)"
                == #"Gist(id: 1, note: "a \"b\"\nc", owner: Gist(id: 0, note: nil, owner: nil, tags: []), tags: ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", … 2 more])"#
        )
        gist.tags = []
        gist.note = nil
        gist.owner = gist
        #expect("\(gist)" == "Gist(id: 1, note: nil, owner: Gist(…), tags: [])")
        #expect("\(Told())" == "number 7")
        #expect("\(Exact())" == "Exact(size: 1.50, sizes: [7])")
        #expect(
            "\(Shown())"
                == #"Shown(marks: [1, 2], names: [1: "a", 2: "b"], frame: Frame(from: 1, to: at("x", 2)), edge: nil, "#
                + "data: 3 bytes, date: the date inf seconds since 1970)")
        let shown = Shown()
        shown.edge = .nowhere
        #expect("\(shown)".contains("edge: nowhere, "))
        let long = String(repeating: "x", count: 60)
        shown.edge = .named(long)
        #expect("\(shown)".contains("edge: named(\"\(long)\"), "))
        shown.edge = .named(long + "y")
        #expect("\(shown)".contains("edge: named(\"\(long)\"…), "))
        shown.edge = .through(points: Array(0..<12))
        #expect("\(shown)".contains("edge: through([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … 2 more]), "))
    }

    @Test("The localizedDescription of every error equals its description")
    func localized() throws {
        let errors: [any Error] = [
            try #require(throws: ModelError.self) { try Gist(json: "{") },
            try #require(throws: ModelError.self) { try Gist(json: #"{"id": []}"#, options: .strict) },
            ConversionError(expected: "a price"),
            try #require(throws: ModelError.self) { try Bare(json: "{}") },
        ]
        var parts: [any Error] = []
        for case let error as ModelError in errors {
            switch error {
            case .invalidJSON(let error): parts.append(error)
            case .invalidModel(let error): parts.append(error)
            case .invalidValues(let failures): parts += failures
            }
        }
        #expect(parts.map { "\(type(of: $0))" } == ["JSONSyntaxError", "PropertyFailure", "InvalidModel"])
        for error in parts { #expect(error.localizedDescription == "\(error)") }
        for error in errors { #expect(error.localizedDescription == "\(error)") }
        #expect(
            Thrown.text { try Priced(json: #"{"price": 1}"#, options: .strict) }
                == "Priced.price at $.price (line 1, column 11): expected an integer convertible to Int, found the number 1: in plain words."
        )
    }

    @Test("Failures beyond the limit are counted")
    func omitted() throws {
        let json = #"[{"id": "a"}, {"id": "b"}, {"id": "c"}, {"id": 1}]"#
        let error = try #require(throws: ModelError.self) {
            try [Gist](json: json, options: MappingOptions(strict: true, failures: 2))
        }
        #expect(error.valueFailures.map(\.omittedFailures) == [0, 1])
        #expect(error.description.hasSuffix("\n1 more failure is not listed."))
    }

    @Test("Failures are encoded as JSON")
    func encoded() throws {
        let error = try #require(throws: ModelError.self) { try Gist(json: #"{"id": "x"}"#, options: .strict) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let own = try #require(throws: ModelError.self) {
            try [Priced](
                json: #"[{"price": 1}, {"price": 2}]"#, options: MappingOptions(strict: true, failures: 1))
        }
        #expect(
            String(decoding: try encoder.encode(own.valueFailures), as: UTF8.self)
                == #"[{"code":"conversion","column":12,"expected":"an integer convertible to Int","found":"the number 1","line":1,"model":"Priced","offset":11,"omittedFailures":1,"parameters":{"by":"converting","expected":["integer"],"inside":{"expected":["integer"]},"type":"Int"},"path":"$[0].price","pointer":"/0/price","property":"price","reason":"in plain words"}]"#
        )
        #expect(
            String(decoding: try encoder.encode(error.valueFailures), as: UTF8.self)
                == #"[{"code":"type","column":8,"expected":"an integer","found":"the string \"x\"","line":1,"model":"Gist","offset":7,"parameters":{"expected":["integer"],"found":"string"},"path":"$.id","pointer":"/id","property":"id"}]"#
        )
    }

    @Test("The limits of the class are those of its Optional at a path")
    func limitsOfOptionals() throws {
        let json =
            #"{"deep": "# + String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
            + #", "tree": {"id": 7}}"#
        #expect(try JSONMapper.value(Deepest.self, from: json, at: "tree").id == 7)
        #expect(try JSONMapper.value(Deepest?.self, from: json, at: "tree")?.id == 7)
    }
}

private final class Deepest: AbstractModel {
    var id = 0
    override class var mappingOptions: MappingOptions { MappingOptions(depth: 1024) }
}

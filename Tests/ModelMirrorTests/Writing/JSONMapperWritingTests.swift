import Foundation
import ModelMirror
import Testing

private final class Note: AbstractModel {
    var id = 0
    var sent: Date?
    override class var mappingOptions: MappingOptions { MappingOptions(skipsInvalidElements: true) }
}

private struct Place: Codable, Equatable {
    var name = ""
    var at: [Double] = []
}

private enum Size: String, CaseIterable { case small, large }

private struct Opaque {}

@Suite("Writing and describing values of any type")
struct JSONMapperWritingTests {
    private func roundTrip<Value: Equatable>(_ value: Value, _ text: String) throws {
        #expect(try JSONMapper.jsonString(of: value) == text)
        #expect(try JSONMapper.value(Value.self, from: text) == value)
        #expect(try JSONMapper.jsonData(of: value) == Data(text.utf8))
        #expect(try JSONMapper.jsonValue(of: value) == JSONValue(json: text))
    }

    @Test("A value is written in the form that its type reads")
    func written() throws {
        let url = try #require(URL(string: "https://example.com/a"))
        try roundTrip([7: url, 8: nil], #"{"7":"https://example.com/a","8":null}"#)
        try roundTrip([Size.large], #"["large"]"#)
        try roundTrip(Place(name: "x", at: [1.5]), #"{"at":[1.5],"name":"x"}"#)
        try roundTrip(Int?.none, "null")
        try roundTrip([[Int128.max]], "[[\(Int128.max)]]")
        let note = Note()
        note.id = 7
        #expect(try JSONMapper.jsonString(of: ["a": [note]]) == #"{"a":[{"id":7}]}"#)
    }

    @Test("The rules of a call decide the form, as in reading, one call after another")
    func rules() throws {
        let dates = [Date(timeIntervalSince1970: 5)]
        let seconds = MappingOptions(dates: .secondsSince1970)
        for _ in 0..<2 {
            #expect(try JSONMapper.jsonString(of: dates) == #"["1970-01-01T00:00:05Z"]"#)
            #expect(try JSONMapper.jsonString(of: dates, mapping: seconds) == "[5]")
            #expect(try JSONMapper.value([Date].self, from: "[5]", options: seconds) == dates)
            #expect(throws: ModelError.self) { try JSONMapper.value([Date].self, from: "[5]") }
        }
    }

    @Test("A schema describes any type, with the definitions of its classes")
    func schemas() throws {
        let schema = try JSONMapper.jsonSchema(of: [Int: URL?].self)
        #expect(
            schema
                == [
                    "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
                    "additionalProperties": ["anyOf": [["type": "string", "format": "uri"], ["type": "null"]]],
                    "propertyNames": ["pattern": "^[+-]?[0-9]+$"],
                ])
        let notes = try JSONMapper.jsonSchema(of: Set<Size>.self)
        #expect(notes["items"] == ["enum": ["small", "large"]])
        #expect(try JSONMapper.jsonSchema(of: [Note].self)["$defs"]?["Note"] != nil)
        #expect(try JSONMapper.jsonSchema(of: Note.self) == Note.jsonSchema())
    }

    @Test("Values that JSON cannot hold, and types that nothing converts, are errors")
    func errors() {
        let infinite = #expect(throws: ModelError.self) { try JSONMapper.jsonData(of: ["a": Double.infinity]) }
        #expect(infinite?.description == "JSON at $.a: expected a finite number, found inf.")
        let opaque = #expect(throws: ModelError.self) { try JSONMapper.jsonData(of: [Opaque()]) }
        #expect(opaque?.description.contains("nothing converts it from JSON") == true)
        #expect(throws: ModelError.self) { try JSONMapper.jsonSchema(of: Opaque.self) }
    }

    @Test("Collections of every kind follow the options of the class inside")
    func heldOptions() throws {
        #expect(try JSONMapper.value(ContiguousArray<Note>.self, from: #"[{"id": 1}, 2]"#).map(\.id) == [1])
        #expect(try JSONMapper.value([[Note]].self, from: #"[[{"id": 1}, 2]]"#).first?.map(\.id) == [1])
    }

    @Test("Every scalar is a parameter")
    func parameters() throws {
        let values: [any ParameterValue] = [
            Int128.max, Character("a"), Data([1]), Locale(identifier: "de_DE"), RGBAColor(red: 1, green: 0, blue: 0),
        ]
        let texts = try values.map { try $0.parameterValue?.description }
        #expect(texts == ["\(Int128.max)", #""a""#, #""AQ==""#, #""de_DE""#, ##""#FF0000""##])
    }
}

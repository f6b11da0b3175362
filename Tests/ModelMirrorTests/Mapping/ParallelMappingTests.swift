import Foundation
import Synchronization
import Testing

@testable import ModelMirror

private class Note: AbstractModel {
    var id: Int = -1
    var title = "untitled"
    var tags: [String] = []
    var author: Author?
    var score: Double?
    var date: Date?

    override class var requiredProperties: Set<String> { ["id"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        property == "date" && value != nil
    }

    override func didMap() throws {
        if title == "refused" { throw ConversionError(expected: "another title") }
    }
}

private class Author: AbstractModel {
    var name = ""
    var notes: [Note] = []
}

private class Shape: AbstractModel, DynamicTypeModel {
    var kind = ""
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self, "square": Square.self] }
}

private class Circle: Shape { var radius = 0.0 }
private class Square: Shape { var side = 0 }

/// An invalid class: a rule names a property that it does not have.
private class Mistaken: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["identity"] }
}

@Suite("Parallel mapping of arrays")
struct ParallelMappingTests {
    /// Maps in many small parts and by one task, and expects the same objects, error and report.
    private func expectSame<Model: AbstractModel>(
        _ type: Model.Type, _ json: String, at path: JSONPath = .root, _ options: MappingOptions = .init(),
        partSize: Int = 64, comment: Comment? = nil, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async {
        let (one, many) = (Reports(), Reports())
        func outcome(_ objects: () async throws -> [Model]) async -> String {
            do { return try await objects().jsonString() } catch { return "\(error)" }
        }
        func told(_ reports: Reports) -> MappingOptions {
            var told = options
            // Without a report closure, the sessions keep fewer findings.
            if options.report != nil { told.report = { reports.add($0) } }
            return told
        }
        let expected = await outcome { try [Model](json: json, at: path, options: told(one)) }
        let found = await outcome {
            try await ParallelMapping<Model, _>.map(json, at: path, told(many), tasks: 3, partSize: partSize)
        }
        #expect(found == expected, comment, sourceLocation: sourceLocation)
        #expect(many.lines == one.lines, comment, sourceLocation: sourceLocation)
    }

    private final class Reports: Sendable {
        private let reports = Mutex<[String]>([])
        var lines: [String] { reports.withLock(\.self) }
        func add(_ report: MappingReport) { reports.withLock { $0.append("\(report)") } }
    }

    private static func note(_ id: Int) -> String {
        #"{"id":\#(id),"title":"n\#(id) },{\" [","tags":["a","b\\"],"author":{"name":"é","notes":[{"id":\#(id)}]},"score":1.5}"#
    }

    private static let plain = "[" + (0..<100).map(note).joined(separator: ",") + "]"

    private static let options: [MappingOptions] = [
        MappingOptions(), .strict, MappingOptions(skipsInvalidElements: true), MappingOptions(failures: 3),
        MappingOptions(report: { _ in }), MappingOptions(skipsInvalidElements: true, report: { _ in }),
        MappingOptions(unknownKeys: .failures, failures: 2),
        MappingOptions(dates: .secondsSince1970, keyStrategy: .pascalCase), MappingOptions(depth: 3),
        MappingOptions(bytes: 1000), MappingOptions(arraysFromSingleValues: true),
    ]

    @Test("Parallel mapping gives the same array as sequential mapping", arguments: options.indices)
    func objects(_ number: Int) async throws {
        await expectSame(Note.self, Self.plain, Self.options[number])
        await expectSame(Note.self, "\u{FEFF} \(Self.plain) \n", Self.options[number])
        await expectSame(
            Note.self, #"{"x": {"y": \#(Self.plain)}, "z": [{}, {}, {}]}"#, at: ["x", "y"], Self.options[number])
    }

    @Test("Parallel mapping keeps the order of the elements")
    func parts() async throws {
        let notes = try await ParallelMapping<Note, _>.map(Self.plain, at: .root, .init(), tasks: 4, partSize: 256)
        #expect(notes.map(\.id) == Array(0..<100))
        let large = "[" + (0..<6000).map(Self.note).joined(separator: ",") + "]"
        #expect(try await [Note].mapInParallel(json: large).map(\.id) == Array(0..<6000))
        #expect(try await [Note].mapInParallel(json: Data("[]".utf8)).isEmpty)
    }

    @Test("Every part of a parallel mapping has the call's context and task-local values")
    func context() async throws {
        let json = "[" + (0..<500).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
        let objects = try await Told.$word.withValue("word") {
            try await ParallelMapping<Told, _>.map(
                json, at: .root, MappingOptions(context: "context"), tasks: 3, partSize: 64)
        }
        #expect(Set(objects.map(\.heard)) == ["context word"])
    }

    @Test("Parallel mapping selects dynamic types like sequential mapping")
    func dynamicTypes() async {
        let kinds = [#""circle","radius":1.5"#, #""square","side":2"#, #""line""#, "7", #""circle","radius":{}"#]
        let json = "[" + (0..<100).map { #"{"kind":\#(kinds[$0 % 5])}"# }.joined(separator: " , ") + "]"
        for options in Self.options { await expectSame(Shape.self, json, options) }
        let valid = "[" + (0..<100).map { #"{"kind":\#(kinds[$0 % 2])}"# }.joined(separator: " , ") + "]"
        await expectSame(Shape.self, valid)
    }

    @Test("Parallel mapping fails like sequential mapping for invalid classes and non-array roots")
    func faults() async {
        await expectSame(Mistaken.self, Self.plain)
        for root in ["{}", "1", "null", "", "[", "[,", "[1", "[{}", #"{"x":[]}"#] {
            await expectSame(Note.self, root + String(repeating: " ", count: 200))
            await expectSame(Note.self, String(repeating: " ", count: 200) + root, at: "x")
        }
    }

    @Test("Parallel mapping fails like sequential mapping for documents truncated at any byte", arguments: [0, 1])
    func truncated(_ shift: Int) async {
        let bytes = Array(Self.plain.utf8)
        for count in stride(from: 140 + shift, to: bytes.count, by: 401) {
            await expectSame(Note.self, String(decoding: bytes[..<count], as: UTF8.self), comment: "\(count)")
        }
        for count in bytes.count - 160..<bytes.count {
            await expectSame(Note.self, String(decoding: bytes[..<count], as: UTF8.self), comment: "\(count)")
        }
    }

    @Test("Parallel mapping fails and reports like sequential mapping for mutated documents", arguments: 0..<8)
    func mutated(_ seed: UInt64) async {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            #""id":"x""#, #""title":"refused""#, #""title":7"#, "{", "}", "[", "]", ",", "\"", "\\", "null", "{}", "[]",
            "{},",
            #""date":"never","#, #""other":1,"#, #""author":{"notes":[{},{"id":null},7]},"#, "\n", "\u{1}", ",,", "tru",
            "1.",
            #"{"id":1},"#, "7,", #""id":1,"id":2,"#,
        ]
        for _ in 0..<60 {
            var text = Array(Self.plain.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<text.count, using: &random)
                let piece = Array((pieces.randomElement(using: &random) ?? "").utf8)
                let end = Bool.random(using: &random) ? place : min(place + piece.count, text.count)
                text.replaceSubrange(place..<end, with: piece)
            }
            // With invalid values only, the document is still JSON.
            if Bool.random(using: &random) { text = Array(Self.refusals(using: &random).utf8) }
            let options = Self.options.randomElement(using: &random) ?? .init()
            let json = String(decoding: text, as: UTF8.self)
            await expectSame(
                Note.self, json, options, partSize: Int.random(in: 64...2000, using: &random), comment: "\(json)")
        }
    }

    /// An array in which some elements, or values in them, are invalid.
    private static func refusals(using random: inout SeededGenerator) -> String {
        let elements = (0..<150).map { number -> String in
            guard Int.random(in: 0..<8, using: &random) == 0 else { return note(number) }
            return [
                "7", "null", "{}", #"{"id":1,"title":"refused"}"#, #"{"id":1,"date":"never"}"#,
                #"{"id":1,"title":7,"x":{}}"#,
                #"{"id":1,"author":{"notes":[{},{"id":1},{"id":"x"},{"id":2,"title":"refused"}]}}"#, "\n",
                #"{"id":{}}"#,
            ].randomElement(using: &random) ?? ""
        }
        return "[" + elements.map { $0 == "\n" ? "\n{\"id\":null}" : $0 }.joined(separator: ",") + "]"
    }

    @Test("Parallel mapping falls back to one task if the input changes between reads")
    func changingInput() async throws {
        let notes = try await ParallelMapping<Note, _>.map(Changing(), at: .root, .init(), tasks: 2, partSize: 64)
        #expect(!notes.isEmpty)
    }

    /// Violates the contract of ``JSONInput``: its bytes change with each read.
    private final class Changing: JSONInput, Sendable {
        private let count = Mutex(0)

        func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            let text = "[" + (0..<100 + number).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
            text.withJSONBytes(body)
        }
    }
}

/// Records the context and the task-local value that it was mapped with.
private final class Told: AbstractModel {
    @TaskLocal static var word = ""
    var id = 0
    var heard = ""

    override class var ignoredProperties: Set<String> { ["heard"] }

    override func didMap() { heard = "\(MappingContext.current as? String ?? "") \(Told.word)" }
}

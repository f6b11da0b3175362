import Foundation
import ModelMirror
import Synchronization
import Testing

@Suite("MappingOptions.report")
struct ReportSinkTests {
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var lines: [String] { entries.withLock(\.self) }
        var options: MappingOptions {
            MappingOptions(report: { report in
                self.entries.withLock { $0.append(contentsOf: report.entries.map { "\($0)" }) }
            })
        }
    }

    @Test("The report closure is called only if a mapping tolerated deviations")
    func deviations() throws {
        let log = Log()
        #expect(try Note(json: #"{"id": 1, "stars": "many", "tags": []}"#, options: log.options).id == 1)
        #expect(
            log.lines == [
                "fallback: Note.stars at $.stars (line 1, column 20): expected an integer, found the string \"many\"."
            ])
        _ = try Note(json: #"{"id": 1, "stars": 2, "tags": ["a"]}"#, options: log.options)
        _ = try [Note](json: "[]", options: log.options)
        #expect(log.lines.count == 1)
        _ = try [String: Note](json: #"{"a": {"id": 2, "stars": 1, "tags": ["b"], "x": 0}}"#, options: log.options)
        #expect(
            log.lines.last
                == "unknownKey: Note at $.a.x (line 1, column 49): expected a key of Note, found the key \"x\".")
        #expect(log.lines.count == 2)
    }

    @Test("A mapping that fails throws and does not call the report closure")
    func failing() {
        let log = Log()
        #expect(throws: ModelError.self) { try Note(json: #"{"stars": "many"}"#, options: log.options) }
        #expect(log.lines.isEmpty)
    }

    @Test("Deviations in embedded JSON are part of the outer report, which is delivered once")
    func embedded() throws {
        let log = Log()
        let json = #"{"note": "{\"id\": 1, \"stars\": \"many\", \"tags\": []}"}"#
        #expect(try Letter(json: json, options: log.options).note?.id == 1)
        #expect(log.lines.count == 1)
    }

    @Test("The report closure of a call replaces that of the class")
    func authorities() throws {
        _ = try Told(json: #"{"count": "x"}"#)
        #expect(Told.log.lines.count == 1)
        let log = Log()
        _ = try Told(json: #"{"count": "x"}"#, options: log.options)
        #expect(Told.log.lines.count == 1)
        #expect(log.lines.count == 1)
    }

    @Test("An update calls the report closure; report and context are independent options")
    func updates() throws {
        let log = Log()
        let note = try Note(json: #"{"id": 1, "stars": 3, "tags": []}"#)
        var options = log.options
        options.context = "here"
        try note.update(json: #"{"stars": "few"}"#, options: options)
        #expect(note.stars == 3)
        #expect(log.lines.count == 1)
        #expect(options.context as? String == "here")
        options.context = nil
        #expect(options.report != nil)
    }

    private final class Note: AbstractModel {
        var id = 0
        var stars = 0
        var tags: [String] = []

        override class var requiredProperties: Set<String> { ["id"] }
    }

    private final class Letter: AbstractModel {
        var note: Note?

        override class var propertyConverters: [String: any Converter] { ["note": .embeddedJSON] }
    }

    private final class Told: AbstractModel {
        static let log = Log()
        var count = 0

        override class var mappingOptions: MappingOptions { log.options }
    }
}

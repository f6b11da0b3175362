import ModelMirror
import Testing

private class Gist: AbstractModel {
    var id = 0
    var tags: [String] = []

    override class var requiredProperties: Set<String> { ["id"] }
}

private class Skipping: AbstractModel {
    var id = 0

    override class var requiredProperties: Set<String> { ["id"] }
    override class var mappingOptions: MappingOptions { MappingOptions(skipsInvalidElements: true) }
}

/// Overrides the options of its superclass without calling super.
private class SkippingSubclass: Skipping {
    var name = ""

    override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
}

private class Limited: AbstractModel {
    var id = 0

    override class var mappingOptions: MappingOptions { MappingOptions(strict: true, failures: 2) }
}

private class LimitedSubclass: Limited {
    var name: String?

    override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
}

@Suite("Root arrays and dictionaries")
struct RootCollectionTests {
    @Test("Root arrays and dictionaries are mapped in document order")
    func filled() throws {
        #expect(try [Gist](json: #"[{"id": 2}, {"id": 1}]"#).map(\.id) == [2, 1])
        #expect(try [Gist](json: "[]").isEmpty)
        let members = try [String: Gist](json: #"{"b": {"id": 2}, "a.c": {"id": 1}, "": {"id": 0}}"#)
        #expect(members.mapValues(\.id) == ["b": 2, "a.c": 1, "": 0])
        #expect(try [String: Gist](json: "{}").isEmpty)
    }

    private static let array = """
        [
          {"id": 1},
          {"id": "x", "tags": [5]},
          null,
          {},
          {"id": 5, "tags": [5]},
          [],
          {"id": 7}
        ]
        """

    @Test("Any failing element of a root array fails the call with all failures")
    func allFailures() {
        let error = #expect(throws: ModelError.self) { try [Gist](json: Self.array) }
        #expect(
            error?.lines == [
                #"Gist.id at $[1].id (line 3, column 10): expected an integer, found the string "x"."#,
                "Gist at $[2] (line 4, column 3): expected an object for Gist, found null.",
                "Gist.id at $[3].id (line 5, column 3): expected an integer, found no such key.",
                "Gist at $[5] (line 7, column 3): expected an object for Gist, found an array.",
            ])
        #expect(error?.valueFailures.map(\.property) == ["id", nil, "id", nil])
    }

    @Test("Any failing member of a root dictionary fails the call with all failures")
    func allFailuresOfMembers() {
        #expect(
            Thrown.lines {
                try [String: Gist](json: #"{"a": {"id": 1}, "b c": {"id": []}, "d": 5, "é": {}, "0": null}"#)
            } == [
                #"Gist.id at $["b c"].id (line 1, column 32): expected an integer, found an array."#,
                "Gist at $.d (line 1, column 42): expected an object for Gist, found the number 5.",
                "Gist.id at $.é.id (line 1, column 50): expected an integer, found no such key.",
                #"Gist at $["0"] (line 1, column 59): expected an object for Gist, found null."#,
            ])
    }

    @Test("skipsInvalidElements skips and reports failing elements of a root array")
    func skipping() throws {
        let options = MappingOptions(skipsInvalidElements: true)
        #expect(try [Gist](json: Self.array, options: options).map(\.id) == [1, 5, 7])
        let (gists, report) = try [Gist].mapReporting(json: Self.array, options: options)
        #expect(gists.map(\.id) == [1, 5, 7])
        #expect(
            report.lines.filter { !$0.hasPrefix("missing: Gist.tags") } == [
                "skipped: Gist at $[1] (line 3, column 3): expected an object for Gist, found an object with failures.",
                #"fallback: Gist.id at $[1].id (line 3, column 10): expected an integer, found the string "x"."#,
                "skipped: Gist.tags at $[1].tags[0] (line 3, column 24): expected a string, found the number 5.",
                "skipped: Gist at $[2] (line 4, column 3): expected an object for Gist, found null.",
                "skipped: Gist at $[3] (line 5, column 3): expected an object for Gist, found an object with failures.",
                "missing: Gist.id at $[3].id (line 5, column 3): expected an integer, found no such key.",
                "skipped: Gist.tags at $[4].tags[0] (line 6, column 22): expected a string, found the number 5.",
                "skipped: Gist at $[5] (line 7, column 3): expected an object for Gist, found an array.",
            ])
    }

    @Test("skipsInvalidElements skips and reports failing members of a root dictionary")
    func skippingMembers() throws {
        let (gists, report) = try [String: Gist].mapReporting(
            json: #"{"a": 5, "b": {"id": 1, "tags": []}, "c": {"tags": []}}"#,
            options: MappingOptions(skipsInvalidElements: true))
        #expect(gists.mapValues(\.id) == ["b": 1])
        #expect(
            report.lines == [
                "skipped: Gist at $.a (line 1, column 7): expected an object for Gist, found the number 5.",
                "skipped: Gist at $.c (line 1, column 43): expected an object for Gist, found an object with failures.",
                "missing: Gist.id at $.c.id (line 1, column 43): expected an integer, found no such key.",
            ])
    }

    @Test("skipsInvalidElements works inside an envelope and in strict mapping")
    func skippingInEnvelope() throws {
        let json = #"{"data": [{"id": 1, "tags": ["a"]}, {"id": 2, "tags": [5]}, {"id": "3", "tags": []}]}"#
        let options = MappingOptions(strict: true, skipsInvalidElements: true)
        #expect(try [Gist](json: json, at: "data", options: options).map(\.id) == [1])
    }

    @Test("skipsInvalidElements does not apply to a single object")
    func singleObject() {
        #expect(
            Thrown.lines {
                try Gist(json: "{}", options: MappingOptions(skipsInvalidElements: true))
            } == ["Gist.id at $.id (line 1, column 1): expected an integer, found no such key."])
    }

    @Test("The call's skipsInvalidElements takes precedence over the class's, which subclasses inherit")
    func classOption() throws {
        let json = #"[{"id": 1}, {}]"#
        #expect(try [Skipping](json: json).map(\.id) == [1])
        #expect(try [Skipping].mapReporting(json: json).objects.map(\.id) == [1])
        #expect(try [String: Skipping](json: #"{"a": {}}"#).isEmpty)
        #expect(throws: ModelError.self) {
            try [Skipping](json: json, options: MappingOptions(skipsInvalidElements: false))
        }
        // A subclass inherits the option, although it has others.
        #expect(try [SkippingSubclass](json: #"[{"id": 1, "name": 5}, {}]"#).map(\.name) == ["5"])
    }

}

@Suite("The limit of collected failures")
struct FailureLimitTests {
    private static let many = "[" + (0..<250).map { #"{"id": "\#($0)x"}"# }.joined(separator: ",\n") + "]"

    @Test("By default, the first 100 failures of the document are collected")
    func byDefault() throws {
        let error = #expect(throws: ModelError.self) { try [Gist](json: Self.many) }
        let failures = try #require(error?.valueFailures)
        #expect(failures.map { "\($0.path)" } == (0..<100).map { "$[\($0)].id" })
        #expect(failures.map(\.line) == (1...100).map { $0 })
    }

    @Test(
        "The call's failure limit applies, with a minimum of 1",
        arguments: [(3, 3), (1, 1), (0, 1), (-5, 1), (1000, 250)])
    func byCall(limit: Int, count: Int) {
        let options = MappingOptions(failures: limit)
        #expect(
            Thrown.error { try [Gist](json: Self.many, options: options) }?.valueFailures.map { "\($0.path)" }
                == (0..<count).map { "$[\($0)].id" })
        #expect(
            Thrown.error { try [Gist].mapReporting(json: Self.many, options: options) }?.valueFailures.map {
                "\($0.path)"
            } == (0..<count).map { "$[\($0)].id" })
    }

    @Test("The class's or superclass's failure limit applies unless the call sets one")
    func byClass() {
        #expect(Thrown.error { try [Limited](json: Self.many) }?.valueFailures.count == 2)
        #expect(
            Thrown.error {
                try [Limited](json: Self.many, options: MappingOptions(failures: 4))
            }?.valueFailures.count == 4)
        #expect(Thrown.error { try [LimitedSubclass](json: Self.many) }?.valueFailures.count == 2)
    }

    @Test("Failures within one object count toward the limit")
    func inOneObject() {
        let tags = (0..<250).map { "\($0)" }.joined(separator: ", ")
        #expect(
            Thrown.error {
                try Gist(json: #"{"id": "x", "tags": [\#(tags)]}"#, options: .strict)
            }?.valueFailures.map { "\($0.path)" } == ["$.id"] + (0..<99).map { "$.tags[\($0)]" })
    }

    @Test("The failure limit does not apply to reports")
    func report() throws {
        let report = try [Gist].mapReporting(json: Self.many, options: MappingOptions(skipsInvalidElements: true))
            .report
        #expect(report.entries.filter { $0.kind == .skipped }.count == 250)
        #expect(report.entries.filter { $0.kind == .fallback }.count == 250)
    }
}

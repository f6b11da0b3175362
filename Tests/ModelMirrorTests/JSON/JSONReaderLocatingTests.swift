import Testing

@testable import ModelMirror

/// The line ends of a document.
private struct LineEnd: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String

    static let all = [
        LineEnd(testDescription: "LF", text: "\n"), LineEnd(testDescription: "CR", text: "\r"),
        LineEnd(testDescription: "CR LF", text: "\r\n"),
    ]

    /// A document with these line ends.
    func document(_ text: String) -> ExactBytes { ExactBytes(text.replacing("\n", with: self.text)) }
}

private final class Order: AbstractModel {
    var lines: [Line] = []
    var customer: Customer?
}

private final class Line: AbstractModel {
    var count = 0
    override class var requiredProperties: Set<String> { ["count"] }
}

private final class Customer: AbstractModel {
    var age = 0
    var tags: [Int] = []
    override class var propertyKeys: [String: PropertyKey] { ["age": "Älter \"als\""] }
    override class var requiredProperties: Set<String> { ["age", "tags"] }
}

@Suite("Locating values in a document")
struct JSONReaderLocatingTests {
    /// Path, line and column of each of the offsets, as text.
    private static func located(_ offsets: [Int], in document: ExactBytes) -> [String] {
        document.reading { bytes, count in
            JSONReader(bytes, count: count, depth: 512).locate(offsets).found.map { path, location in
                "\(JSONPath(path?.steps ?? [])) \(location.line):\(location.column)"
            }
        } ?? []
    }

    private static func offset(of text: String, in document: ExactBytes) throws -> Int {
        try #require(document.bytes.indices.first { document.bytes[$0...].starts(with: text.utf8) })
    }

    @Test("Every value of a nested document is located by path, line and column", arguments: LineEnd.all)
    private func nested(lineEnd: LineEnd) throws {
        let document = lineEnd.document(
            """
            {
              "first": "v1", "é€😀": "v2",

            \t"list": ["v3", ["v4",
                "v5"], {}, [],
                {"deep": {"": "v6"}}, "v7"
              ],
              "quo\\"te": {"a b": "v8"}, "\\u00fc": "v9" }

            """)
        let values = (1...9).map { "\"v\($0)\"" } + ["[\"v3", "[\"v4", "{}", "[]", "{\"deep\"", "{\"\"", "{\"a b\""]
        let offsets = try values.map { (try Self.offset(of: $0, in: document), $0) }.sorted { $0.0 < $1.0 }
        #expect(
            Self.located(offsets.map(\.0), in: document) == [
                "$.first 2:12", #"$["é€😀"] 2:25"#, "$.list 4:10", "$.list[0] 4:11", "$.list[1] 4:17",
                "$.list[1][0] 4:18",
                "$.list[1][1] 5:5", "$.list[2] 5:12", "$.list[3] 5:16", "$.list[4] 6:5", "$.list[4].deep 6:14",
                #"$.list[4].deep[""] 6:19"#, "$.list[5] 6:27", #"$["quo\"te"] 8:14"#, #"$["quo\"te"]["a b"] 8:22"#,
                "$.ü 8:39",
            ])
    }

    @Test("The root is located at its own line and column", arguments: LineEnd.all)
    private func root(lineEnd: LineEnd) throws {
        #expect(Self.located([0], in: ExactBytes("7")) == ["$ 1:1"])
        let document = lineEnd.document("\n\n  7\n")
        #expect(Self.located([try Self.offset(of: "7", in: document)], in: document) == ["$ 3:3"])
    }

    @Test("Columns count Unicode scalars, whatever their length in bytes")
    func columns() throws {
        for (text, column) in [
            ("a", 6), ("é", 6), ("€", 6), ("😀", 6), ("e\u{301}", 7), ("👨‍👩‍👧", 10), ("🇫🇷", 7), ("\u{2028}", 6),
            ("\u{85}", 6),
            ("\u{10FFFF}", 6), ("", 5),
        ] {
            let document = ExactBytes("[\"\(text)\",7]")
            #expect(Self.located([text.utf8.count + 4], in: document) == ["$[1] 1:\(column)"], "\(text)")
        }
    }

    @Test(
        "Offsets are located as often as they are given, also where no value begins",
        arguments: [
            // A byte order mark takes no column, and offsets start after it.
            ("\u{FEFF}[7]", [0, 1], ["$ 1:1", "$[0] 1:2"]),
            // LF, CR and CR LF each end one line.
            ("\n\r\r\n\n\r\n\r7", [8], ["$ 7:1"]), ("\r\n\r\n\t 7", [6], ["$ 3:3"]), ("\n\r7", [2], ["$ 3:1"]),
            ("\r\n7", [2], ["$ 2:1"]), ("[7]", [], []),
            ("[7,8]", [0, 1, 1, 1, 3], ["$ 1:1", "$[0] 1:2", "$[0] 1:2", "$[0] 1:2", "$[1] 1:4"]),
            ("[\n7]", [1], ["$ 1:2"]), ("[\n7]", [3], ["$ 2:2"]),
            // Each value of a duplicate key has its own location.
            (#"{"a":1,"a":2}"#, [5, 11], ["$.a 1:6", "$.a 1:12"]),
        ] as [(String, [Int], [String])])
    func places(document: String, offsets: [Int], places: [String]) {
        #expect(Self.located(offsets, in: ExactBytes(document)) == places)
    }

    @Test("A value at the maximum depth is located")
    func deep() {
        let document = ExactBytes(String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        let path = "$" + String(repeating: "[0]", count: 511)
        #expect(Self.located([511], in: document) == ["\(path) 1:512"])
    }

    @Test("Every value of a random document is located", arguments: UInt64(1)...50)
    func random(seed: UInt64) throws {
        let document = RandomDocument(seed: seed, depth: 5)
        let expected = document.places.map { place in
            // Swift treats CR LF as one character.
            let before = String(decoding: document.bytes[..<place.offset], as: UTF8.self)
            let lines = before.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
            return "\(place.path) \(lines.count):\((lines.last?.unicodeScalars.count ?? 0) + 1)"
        }
        let bytes = ExactBytes(document.bytes)
        #expect(Self.located(document.places.map(\.offset), in: bytes) == expected)
        // Each third of them alone.
        for first in 0..<3 {
            let some = Array(
                zip(document.places, expected).enumerated().filter { $0.offset % 3 == first }.map(\.element))
            #expect(Self.located(some.map(\.0.offset), in: bytes) == some.map(\.1))
        }
    }

    @Test("Failures have the path, line, column and offset of their values", arguments: LineEnd.all)
    private func failures(lineEnd: LineEnd) throws {
        let document = lineEnd.document(
            """
            {"lines": [{"count": 1}, {"count":
                "many"}, 7,
              {"total": {}}],
             "customer": {"é": "é", "tags": [1,
              "😀", [2]], "Älter \\"als\\"": 1.5}}
            """)
        let failures = try #require(throws: ModelError.self) {
            try Order(json: document, options: .strict)
        }.valueFailures
        #expect(
            failures.map { "\($0.path) \($0.line ?? 0):\($0.column ?? 0)" } == [
                "$.lines[1].count 2:5", "$.lines[2] 2:14", "$.lines[3].count 3:3", "$.customer.tags[1] 5:3",
                "$.customer.tags[2] 5:8", #"$.customer["Älter \"als\""] 5:31"#,
            ])
        let places = ["\"many\"", "7", "{\"total\"", "\"😀\"", "[2]", "1.5"]
        #expect(failures.map(\.offset) == (try places.map { try Self.offset(of: $0, in: document) }))
        #expect(
            failures.map(\.found) == [
                "the string \"many\"", "the number 7", "no such key", "the string \"😀\"", "an array",
                "the number 1.5",
            ])
    }
}

import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("Server-sent events", .serialized, .timeLimit(.hung), .network)
struct EventStreamTests {
    @Test(
        "The examples and rules of the HTML standard hold for any chunks and line endings",
        arguments: [
            ("data: YHOO\ndata: +2\ndata: 10\n\n", ["message|YHOO,+2,10|||1"]),
            (
                ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
                ["message|first event|1||3", "message|second event|||6", "message| third event|||9"]
            ),
            // The last block has no empty line after it.
            ("data\n\ndata\ndata\n\ndata:", ["message||||1", "message|,|||3"]),
            ("data:test\n\ndata: test\n\n", ["message|test|||1", "message|test|||3"]),
            ("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\n", ["add|73857293|||1", "remove|2153|||4"]),
            // The name belongs to the event; the id and the retry time belong to the stream.
            (
                "event: a\nid: 7\nretry: 1500\ndata: x\n\ndata: y\n\n",
                ["a|x|7|1.5 seconds|1", "message|y|7|1.5 seconds|6"]
            ),
            // Without data there is no event, but the id counts.
            ("event: a\nid: 8\n\ndata: y\n\n", ["message|y|8||4"]),
            // Invalid and unknown fields are ignored.
            (
                "retry: 1s\nretry:\nretry: -1\nid: a\0b\nDATA: x\n data: x\nother: y\nfoo\ndata: z\n\n",
                ["message|z|||1"]
            ),
            ("retry: 99999999999999999999\ndata: z\n\n", ["message|z||9.223372036854776e+15 seconds|1"]),
            (":\n:data: x\ndata: a:b: c\n:\n\n\n\n", ["message|a:b: c|||3"]), ("", []), ("\n\n\n", []),
            ("data: x\n", []),
            ("data: é\u{2028}😀\n\n", ["message|é\u{2028}😀|||1"]),
        ])
    func rules(text: String, events: [String]) async throws {
        for ending in ["\n", "\r\n", "\r"] {
            for mark in ["", "\u{FEFF}"] {
                let bytes = Data(
                    (mark + text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: ending))
                        .utf8)
                for cut in 0...(mark.isEmpty ? bytes.count : 9) where cut <= bytes.count {
                    let chunks = [Data(bytes[..<cut]), Data(bytes[cut...])]
                    #expect(try await words(chunks) == events, "cut at \(cut)")
                }
                #expect(try await words(bytes.map { Data([$0]) }) == events)
            }
        }
    }

    @Test("Line endings can be mixed, and only one byte order mark is removed")
    func mixed() async throws {
        #expect(
            try await words([Data("data: a\rdata: b\r\ndata: c\n\r\ndata: d\r\r\n".utf8)]) == [
                "message|a,b,c|||1", "message|d|||5",
            ])
        #expect(try await words([Data("\u{FEFF}\u{FEFF}data: a\ndata: b\n\n".utf8)]) == ["message|b|||1"])
        #expect(try await words([Data("data: ".utf8) + Data([0xFF, 0x0A, 0x0A])]) == ["message|\u{FFFD}|||1"])
    }

    @Test("An event is delivered at its empty line, after a CR without reading more")
    func early() async throws {
        let asked = WordLog()
        let chunks = ["data: a\r\r", "\ndata: b\n\n"].map { Data($0.utf8) }
        let body = ResponseBody {
            asked.add("chunk")
            return asked.words.count <= chunks.count ? chunks[asked.words.count - 1] : nil
        }
        var iterator = body.events().makeAsyncIterator()
        #expect(try await iterator.next()?.data == "a")
        #expect(asked.words.count == 1)
        #expect(try await iterator.next()?.data == "b")
        #expect(try await iterator.next()?.data == nil)
    }

    @Test(
        "The data of an event are mapped, and errors have the stream's line and offset",
        arguments: ["\n", "\r\n", "\r"])
    func objects(ending: String) async throws {
        let lines = [
            ": é", "data: {\"id\": 1}", "", "event: x", "data:{\"name\": \"é\",", "id: 4", "data:   \"id\":",
            "data: \"x\"}", "", "",
        ]
        let bytes = Data(lines.joined(separator: ending).utf8)
        var ids: [Int] = []
        let offset = lines[..<7].reduce(0) { $0 + $1.utf8.count + ending.utf8.count } + 6
        do {
            for try await entry in ResponseBody(bytes).events().values(Entry.self) { ids.append(entry.id) }
            Issue.record("No error")
        } catch ModelError.invalidValues(let failures) {
            #expect(
                failures.map { "\($0) [\($0.offset ?? -1)]" } == [
                    "Entry.id at $[1].id (line 8, column 7): expected an integer, found the string \"x\". [\(offset)]"
                ])
        }
        #expect(ids == [1])
        for (stream, place) in [
            ("\u{FEFF}data: [1,\ndata\ndata:2 3]\n\n", "line 3, column 8 (byte 25)"),
            ("id: 1\ndata: [2 3]\n\n", "line 2, column 10 (byte 15)"),
        ] {
            for try await event in ResponseBody(Data(stream.utf8)).events() {
                #expect {
                    _ = try event.value([Int].self)
                } throws: {
                    "\($0)" == "Invalid JSON at \(place): expected ',' or ']', found '3'."
                }
            }
        }
    }

    @Test("Events with invalid data are skipped if the options say so")
    func skipping() async throws {
        let body = ResponseBody(Data("data: {\"id\": 1}\n\ndata: 7\n\ndata: {\"id\": 2}\n\n".utf8))
        var ids: [Int] = []
        let stream = body.events().values(Entry.self, options: MappingOptions(skipsInvalidElements: true))
        for try await entry in stream { ids.append(entry.id) }
        #expect(ids == [1, 2])
    }

    @Test("Events that a class skips are left out, and skipped ones are reported")
    func skippedByClass() async throws {
        let text = ["dog\",\"barks\":3", "fish\"", "dog\",\"barks\":4"].map { "data: {\"kind\":\"\($0)}\n\n" }.joined()
        let log = WordLog()
        var options = MappingOptions(depth: 1)
        options.report = { log.add($0.entries.map(\.kind.rawValue).joined(separator: " ")) }
        var barks: [Int] = []
        for try await animal in ResponseBody(Data(text.utf8)).events().values(Animal.self, options: options) {
            barks.append((animal as? Dog)?.barks ?? -1)
        }
        #expect(barks == [3, 4])
        #expect(log.words == ["skipped"])
    }

    @Test("An event of eventLimit bytes is delivered, one byte more fails, and comments do not count")
    func limits() async throws {
        let comment = ":\(String(repeating: "c", count: 18))\n"
        for (event, place) in [
            ("\(comment)data: 12345\nid: 12345\n\n", "line 2, byte 20"),
            ("data: 12345\n\(comment)id: 12345\n\n", "line 1, byte 0"),
        ] {
            for chunks in [[Data(event.utf8)], event.utf8.map { Data([$0]) }] {
                var count = 0
                for try await _ in ResponseBody.chunks(chunks + chunks).events(eventLimit: 20) { count += 1 }
                #expect(count == 2)
                await expectError(
                    "The event at $[0] (\(place)) is larger than the limit of 19 bytes; raise the limit if such sizes "
                        + "are expected."
                ) { for try await _ in ResponseBody.chunks(chunks).events(eventLimit: 19) {} }
            }
        }
    }

    /// Name, data with commas for line feeds, id, retry time and line of each event.
    private func words(_ chunks: [Data]) async throws -> [String] {
        var words: [String] = []
        for try await event in ResponseBody.chunks(chunks).events() {
            let data = event.data.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: ",")
            words.append("\(event.name)|\(data)|\(event.id)|\(event.retry.map { "\($0)" } ?? "")|\(event.line)")
        }
        return words
    }
}

private class Entry: AbstractModel {
    var id = 0
    var name = ""

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { value != nil }
}

private class Animal: AbstractModel, DynamicTypeModel {
    var kind = ""

    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .skip }
}

private class Dog: Animal {
    var barks = 0
}

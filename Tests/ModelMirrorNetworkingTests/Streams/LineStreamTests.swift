import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("Newline-delimited JSON", .serialized, .timeLimit(.hung), .network)
struct LineStreamTests {
    @Test("Objects are found with any chunks, line endings, empty lines and an unterminated last line")
    func cuts() async throws {
        let text = "{\"id\":1,\"name\":\"a\\n\"}\r\n\n \t\r\n{ \"id\" : 2,\"name\":\"é\u{2028}\" } \n{\"id\":3}"
        for tail in ["", "\n", "\r\n", "\n\n \n", "\r"] {
            for mark in [Data(), Data([0xEF, 0xBB, 0xBF])] {
                let bytes = mark + Data((text + tail).utf8)
                for cut in 0...(mark.isEmpty ? bytes.count : 9) where cut <= bytes.count {
                    let chunks = [Data(bytes[..<cut]), Data(bytes[cut...])]
                    #expect(try await words(chunks) == ["1 a\n", "2 é\u{2028}", "3 "], "cut at \(cut)")
                }
                #expect(try await words(bytes.map { Data([$0]) }).count == 3)
            }
        }
        #expect(try await words([]) == [])
        #expect(try await words([Data("\n\n".utf8)]) == [])
    }

    @Test(
        "Errors have the line of the stream, and the column and offset in it",
        arguments: [
            (
                "{\"id\":1}\n\n {\"name\":\"é\",\"id\":\"x\"}\n", 1,
                "Entry.id at $[1].id (line 3, column 19): expected an integer, found the string \"x\". [29]"
            ),
            (
                "{\"id\":1}\r\n7", 1,
                "Entry at $[1] (line 2, column 1): expected an object for Entry, found the number 7. [10]"
            ),
            (
                "{\"id\":1}\n\r7", 1,
                "Entry at $[1] (line 3, column 1): expected an object for Entry, found the number 7. [10]"
            ),
            (
                "{\"id\":1},\n{\"id\":2}", 0,
                "Invalid JSON at line 1, column 9 (byte 8): expected the end of the document, found ','. [8]"
            ),
            (
                "\u{FEFF}{\"id\":1}\n{\"id\":2},{\"id\":3}\n", 1,
                "Invalid JSON at line 2, column 9 (byte 20): expected the end of the document, found ','. [20]"
            ),
            (
                "{\"id\":1}\n{\"id\":\n2}\n", 1,
                "Invalid JSON at line 2, column 7 (byte 15): expected a value (an object, array, string, number, true, false or "
                    + "null), found the end of the document. [15]"
            ),
            (
                "{\"id\":1}\n{", 1,
                "Invalid JSON at line 2, column 2 (byte 10): expected a key in double quotes or '}', found the end of the document. "
                    + "[10]"
            ),
        ])
    func errors(text: String, delivered: Int, sentence: String) async throws {
        let bytes = Data(text.utf8)
        for cut in 0...bytes.count {
            var count = 0
            do {
                let body = ResponseBody.chunks([Data(bytes[..<cut]), Data(bytes[cut...])])
                for try await _ in body.lines(of: Entry.self) { count += 1 }
                Issue.record("No error, cut at \(cut)")
            } catch ModelError.invalidValues(let failures) {
                #expect(failures.map { "\($0) [\($0.offset ?? -1)]" } == [sentence], "cut at \(cut)")
            } catch ModelError.invalidJSON(let error) {
                #expect("\(error) [\(error.offset)]" == sentence, "cut at \(cut)")
            }
            #expect(count == delivered, "cut at \(cut)")
        }
    }

    @Test("Invalid lines are skipped if the options say so, but invalid JSON is an error")
    func skipping() async throws {
        let options = MappingOptions(skipsInvalidElements: true)
        #expect(try await words([Data("{\"id\":1}\n7\n{\"id\":\"x\"}\n{\"id\":2}".utf8)], options) == ["1 ", "2 "])
        await #expect(throws: ModelError.self) {
            _ = try await words([Data("{\"id\":1}\n{\n{\"id\":2}".utf8)], options)
        }
        // The limits are those of a line alone.
        let limited = MappingOptions(skipsInvalidElements: true, depth: 1, bytes: 10)
        #expect(try await words([Data("{\"id\":1}\n{\"id\":\"x\"}\n{\"id\":2}".utf8)], limited) == ["1 ", "2 "])
    }

    @Test("A line of lineLimit bytes is delivered; one byte more fails")
    func limits() async throws {
        let line = "{\"id\":1,\"name\":\"xx\"}"
        let size = line.utf8.count
        let good = Data("\(line)\r\n\(line)".utf8)
        let bad = Data("\(line)\n\(line) \n".utf8)
        let exact = Data("\(line)\r\n".utf8)
        #expect(try await words([exact], limit: size).count == 1)
        #expect(try await words(exact.map { Data([$0]) }, limit: size).count == 1)
        #expect(try await words([good], limit: size + 1).count == 2)
        #expect(try await words(good.map { Data([$0]) }, limit: size + 1).count == 2)
        for chunks in [[bad], bad.map { Data([$0]) }] {
            await expectError(
                "The line at $[1] (line 2, byte \(size + 1)) is larger than the limit of \(size) bytes; raise the limit if such sizes "
                    + "are expected."
            ) { _ = try await words(chunks, limit: size) }
        }
    }

    @Test("A line is mapped to the subclass its JSON names, or skipped for an unknown name")
    func dynamicTypes() async throws {
        let text = "{\"kind\":\"dog\",\"barks\":3}\n{\"kind\":\"fish\"}\n{\"kind\":\"dog\",\"barks\":4}\n"
        var barks: [Int] = []
        for try await animal in ResponseBody(Data(text.utf8)).lines(of: Animal.self) {
            barks.append((animal as? Dog)?.barks ?? -1)
        }
        #expect(barks == [3, 4])
    }

    private func words(
        _ chunks: [Data], _ options: MappingOptions = .init(), limit: Int = 16 << 20
    ) async throws -> [String] {
        var words: [String] = []
        for try await entry in ResponseBody.chunks(chunks).lines(of: Entry.self, options: options, lineLimit: limit) {
            words.append("\(entry.id) \(entry.name)")
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

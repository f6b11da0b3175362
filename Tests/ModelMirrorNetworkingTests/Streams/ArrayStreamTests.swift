import Foundation
import ModelMirror
import Testing

@testable import ModelMirrorNetworking

@Suite("Streams of array elements", .serialized, .timeLimit(.hung), .network)
struct ArrayStreamTests {
    private static let document = #"""
        { "to\u0074al" : 2 , "a]\"[" : [1, {"items": [9]}, "]}"], "x": -1.5e+3,
          "items"
          : [ {"id": 1, "name": "a\"]}\\", "tags": [["x"], []]}
            , {"id": 2, "name": "Zoë \u005d"},{"id":3,"name":"{["} ]
        , "next" : null, "last": {"items": {}} }
        """#

    @Test("Chunks can be cut anywhere: in two, in three, and into single bytes")
    func cuts() async throws {
        for mark in [Data(), Data([0xEF, 0xBB, 0xBF])] {
            let bytes = mark + Data(Self.document.utf8)
            let whole = try [Item](json: bytes, at: "items").map(\.words)
            #expect(whole == [#"1 a"]}\ [["x"], []]"#, "2 Zoë ] []", "3 {[ []"])
            for cut in 0...bytes.count {
                let second = min(cut + 1 + cut % 7, bytes.count)
                let chunks = [bytes[..<cut], bytes[cut..<second], bytes[second...]].map { Data($0) }
                #expect(try await words(chunks, at: "items") == whole, "cut at \(cut)")
            }
            for size in 1...9 { #expect(try await words(pieces(bytes, size), at: "items") == whole) }
        }
    }

    @Test(
        "Arrays are streamed at the root and at a path, empty or with elements",
        arguments: [
            ("[]", JSONPath.root, []), (" [ ] ", .root, []), ("[{}]", .root, [0]),
            ("\n[{\"id\":1},\r\n{\"id\":2}]\n", .root, [1, 2]),
            (#"{"a":{"b":[0,[{"id":7}]]}}"#, ["a", "b", 1], [7]), (#"[[{"id":1}],[{"id":2}]]"#, [1], [2]),
            (#"{"":[{"id":5}]}"#, [""], [5]), (#"{"a":{"c":[{"id":1}]},"c":[{"id":2}],"b":{"c":[]}}"#, ["c"], [2]),
            // The last of duplicate keys counts, as long as no element was delivered.
            (#"{"a":null,"a":{"c":1},"a":{"b":[{"id":3}]}}"#, ["a", "b"], [3]),
            // Composed and decomposed, a letter makes two keys.
            ("{\"e\u{301}\":[{\"id\":1}],\"\u{E9}\":[{\"id\":2}]}", ["\u{E9}"], [2]),
        ] as [(String, JSONPath, [Int])])
    func arrays(json: String, path: JSONPath, ids: [Int]) async throws {
        for chunks in [[Data(json.utf8)], pieces(Data(json.utf8), 1)] {
            var found: [Int] = []
            for try await item in ResponseBody.chunks(chunks).elements(Item.self, at: path) { found.append(item.id) }
            #expect(found == ids)
        }
        #expect(try [Item](json: json, at: path).map(\.id) == ids)
    }

    @Test("Each element is delivered before the next chunk is read, which starts with the first")
    func early() async throws {
        let asked = WordLog()
        let chunks = ["[{\"id\":1},{\"id\":2}", " , ", "{\"id\":3}]"].map { Data($0.utf8) }
        let body = ResponseBody {
            asked.add("chunk")
            return asked.words.count <= chunks.count ? chunks[asked.words.count - 1] : nil
        }
        var iterator = body.elements(Item.self).makeAsyncIterator()
        #expect(asked.words.count == 0)
        #expect(try await iterator.next()?.id == 1)
        #expect(asked.words.count == 1)
        #expect(try await iterator.next()?.id == 2)
        #expect(asked.words.count == 1)
        #expect(try await iterator.next()?.id == 3)
        #expect(asked.words.count == 3)
        #expect(try await iterator.next()?.id == nil)
        #expect(asked.words.count == 4)
        #expect(try await iterator.next()?.id == nil)
        #expect(asked.words.count == 4)
    }

    @Test(
        "Errors have the document's path, line, column and offset, wherever chunks are cut",
        arguments: [
            // In an element: a value of the wrong type, and invalid JSON.
            ("[{\"id\":1},\n  {\"id\": \"x\"}]", JSONPath.root, 1), ("[{\"id\":1},\r\n{\"id\":\r\"x\"}]", .root, 1),
            (#"{"ä":"é","items":[{"id":1},{"n":"ü","id":[]}]}"#, ["items"], 1), ("[{\"id\":1} , 7]", .root, 1),
            ("[{\"id\":1},\"]\" ]", .root, 1),
            ("[{\"id\":1},{\"id\":01}]", .root, 1), ("[{\"id\":1},{\"id\":1]]", .root, 1),
            ("[{\"id\":1},\n{\"id\":1", .root, 1),
            ("[\n\"abc", .root, 0), ("[{\"id\":1},\"\\", .root, 1), ("[tru", .root, 0), ("[\"\u{1}\"]", .root, 0),
            // A word ends after the last of its letters and digits.
            ("[{\"id\":1},nullZ]", .root, 1), ("[1A]", .root, 0), ("[1z]", .root, 0), ("[1a]", .root, 0),
            ("[null0]", .root, 0), ("[null9]", .root, 0), ("[null+]", .root, 0), ("[null-]", .root, 0),
            ("[null.]", .root, 0),
            // Between elements.
            ("[{\"id\":1},]", .root, 1), ("[{\"id\":1}", .root, 1), ("[{\"id\":1},", .root, 1),
            ("[{\"id\":1} x]", .root, 1),
            ("[,{\"id\":1}]", .root, 0), ("[{\"id\":1}}", .root, 1), ("[{\"id\":1}] ]", .root, 1), ("[", .root, 0),
            ("[\n", .root, 0),
            ("[{\"id\":1}\n {\"id\":2}]", .root, 1), ("[:]", .root, 0),
            // Around the elements.
            ("", .root, 0), ("  ", .root, 0), ("x", .root, 0), ("\u{E9}", .root, 0),
            ("{\"items\":[{\"id\":1}]", ["items"], 1),
            ("{\"items\":[{\"id\":1}],}", ["items"], 1), ("{\"items\":[{\"id\":1}],\"a\"}", ["items"], 1),
            ("{a", ["items"], 0),
            ("{\"items\":[{\"id\":1}],\"a\":tru}", ["items"], 1),
            ("{\"items\":[{\"id\":1}],\n\"\\q\":1}", ["items"], 1),
            ("{\"items\":[{\"id\":1}],\"a\":[1,{\"b\":01}]}", ["items"], 1), ("{\"items\":[]}x", ["items"], 0),
            ("{\"items\":[],\"a\":\"b", ["items"], 0), ("{\"a\":[}", ["items"], 0), ("{\"a\":{]", ["items"], 0),
            ("{\"a\" 1}", ["items"], 0), ("{\"a\":1 \"b\"}", ["items"], 0),
            ("{\"items\":[{\"id\":1}],\"a\":1", ["items"], 1),
            // No array at the path.
            ("{}", .root, 0), ("5", .root, 0), ("null", .root, 0), ("\n\"x\"", .root, 0), ("{}", ["items"], 0),
            (" {\"a\":{}}", ["a", "b"], 0), ("{\"items\":{}}", ["items"], 0), ("{\"items\":null}", ["items"], 0),
            ("{\"items\": \"ab\"}", ["items"], 0), ("[]", ["items"], 0), ("{\"a\":[]}", ["a", 1], 0),
            ("{\"a\":{}}", ["a", 0], 0),
            ("{\"a\":5}", ["a", "b"], 0), ("{\"a\":null}", ["a", "b"], 0), ("{\"a\":[1]}", ["a", 0, "b"], 0),
        ] as [(String, JSONPath, Int)])
    func errors(json: String, path: JSONPath, delivered: Int) async throws {
        var expected = ""
        do throws(ModelError) { _ = try JSONMapper.value([Item].self, from: json, at: path) } catch {
            expected = description(error)
        }
        #expect(expected != "")
        let bytes = Data(json.utf8)
        for cut in 0...bytes.count {
            let stream = ResponseBody.chunks([Data(bytes[..<cut]), Data(bytes[cut...])]).elements(Item.self, at: path)
            var count = 0
            do {
                for try await _ in stream { count += 1 }
                Issue.record("No error, cut at \(cut)")
            } catch let error as ModelError {
                #expect(description(error) == expected, "cut at \(cut)")
            }
            #expect(count == delivered, "cut at \(cut)")
        }
    }

    @Test(
        "A repeated key of the array, after elements were delivered, is an error", arguments: ["[]", "5", "{}"])
    func duplicates(second: String) async throws {
        let body = ResponseBody(Data("{\"items\": [{\"id\":1}],\n \"items\": \(second)}".utf8))
        await expectError(
            "Item at $.items (line 2, column 11): expected the path's key only once, found it again after elements were "
                + "delivered."
        ) { for try await item in body.elements(Item.self, at: "items") { #expect(item.id == 1) } }
    }

    @Test("Nesting around the elements has the same limit as in a whole document")
    func depth() async throws {
        for (count, isGood) in [(511, true), (512, false)] {
            let json =
                "{\"a\":" + String(repeating: "[", count: count) + String(repeating: "]", count: count)
                + ",\"items\":[]}"
            var expected: String?
            do throws(ModelError) { _ = try [Item](json: json, at: "items") } catch { expected = "\(error)" }
            #expect((expected == nil) == isGood)
            var found: String?
            do {
                for try await _ in ResponseBody(Data(json.utf8)).elements(Item.self, at: "items") {}
            } catch { found = "\(error)" }
            #expect(found == expected)
        }
    }

    @Test("Invalid elements are skipped if the options say so, but invalid JSON is an error")
    func skipping() async throws {
        let options = MappingOptions(skipsInvalidElements: true)
        let good = ResponseBody(Data("[{\"id\":1},7,{\"id\":\"x\"},\"]\\\"\" ,[[\"[\"],{}],null,{\"id\":2}]".utf8))
        var ids: [Int] = []
        for try await item in good.elements(Item.self, options: options) { ids.append(item.id) }
        #expect(ids == [1, 2])
        let bad = ResponseBody(Data("[{\"id\":1},{\"id\":01},{\"id\":2}]".utf8))
        await #expect(throws: ModelError.self) {
            for try await item in bad.elements(Item.self, options: options) { #expect(item.id == 1) }
        }
    }

    @Test("An element of elementLimit bytes is delivered; one byte more fails before it is kept")
    func limits() async throws {
        let element = "{\"id\":1,\"name\":\"xx\"}"
        let json = Data("[\(element),\n \(element)]".utf8)
        let size = element.utf8.count
        for chunks in [[json], pieces(json, 1)] {
            #expect(try await words(chunks, limit: size).count == 2)
            let large = Data("[\(element),\n {\"id\":1,\"name\":\"xxx\"}]".utf8)
            await expectError(
                "The element at $[1] (line 2, byte \(size + 4)) is larger than the limit of \(size) bytes; raise the limit if such "
                    + "sizes are expected."
            ) { _ = try await words(chunks.count == 1 ? [large] : pieces(large, 1), limit: size) }
        }
        // An endless element fails as soon as it exceeds the limit.
        let asked = WordLog()
        let endless = ResponseBody {
            asked.add("chunk")
            return Data((asked.words.count == 1 ? "[\"" : "xxxxxxxxxx").utf8)
        }
        await #expect(throws: StreamError.self) {
            for try await _ in endless.elements(Item.self, elementLimit: 100) {}
        }
        #expect(asked.words.count == 11)
        let key = ResponseBody(Data("{\"\(String(repeating: "k", count: 100))\":1}".utf8))
        await expectError(
            "The envelope at $ (line 1, byte 1) is larger than the limit of 100 bytes; raise the limit if such sizes are expected."
        ) { for try await _ in key.elements(Item.self, at: "items", elementLimit: 100) {} }
    }

    @Test("The options' limit in bytes is that of an element alone")
    func optionsLimit() async throws {
        let body = ResponseBody(Data("[{\"id\":1},\n{\"id\":12}]".utf8))
        var ids: [Int] = []
        let error = await #expect(throws: ModelError.self) {
            for try await item in body.elements(Item.self, options: MappingOptions(bytes: 8)) { ids.append(item.id) }
        }
        #expect(ids == [1])
        guard case .invalidJSON(let syntax)? = error else {
            Issue.record("expected a syntax error, found \(error as Any)")
            return
        }
        // The ninth byte of the second element.
        #expect("\(syntax.line) \(syntax.column) \(syntax.offset)" == "2 9 19")
    }

    @Test("An element of 16 MiB is the largest unless another limit is set")
    func defaultLimit() async throws {
        let asked = WordLog()
        let endless = ResponseBody {
            asked.add("chunk")
            return asked.words.count == 1 ? Data("[\"".utf8) : Data(repeating: UInt8(ascii: "x"), count: 1 << 20)
        }
        await expectError(
            "The element at $[0] (line 1, byte 1) is larger than the limit of 16777216 bytes; raise the limit if such sizes are expected."
        ) { for try await _ in endless.elements(Item.self) {} }
        #expect(asked.words.count == 17)
    }

    @Test("Values beside the array can be larger than the limit, since they are not kept")
    func largeSibling() async throws {
        let sibling = "[" + String(repeating: "{\"a\": [1, 2, \"x\"]}, ", count: 1000) + "null]"
        let json = Data("{\"a\": \(sibling), \"items\": [{\"id\": 4}], \"b\": \(sibling)}".utf8)
        #expect(try await words([json], at: "items", limit: 20) == ["4  []"])
    }

    @Test("A body that breaks off delivers the elements before it, then throws the error once")
    func broken() async throws {
        let url = try #require(URL(string: "https://example.com"))
        let lost = RequestError.connection(.init(.connectionLost, url: url, reason: ""))
        let body = ResponseBody.chunks([Data("[{\"id\":1},{\"id".utf8)], then: lost)
        var iterator = body.elements(Item.self).makeAsyncIterator()
        #expect(try await iterator.next()?.id == 1)
        await #expect(throws: RequestError.self) { _ = try await iterator.next() }
        #expect(try await iterator.next()?.id == nil)
    }

    @Test("Two tasks that read one iterator at the same time get an error")
    func twoTasks() async throws {
        let gate = StubGate()
        let body = ResponseBody {
            await gate.wait()
            return nil
        }
        let reader = StreamReader(EventSplitter(limit: 100, make: { SendingBox($0) })) { OpenedStream(body: body) }
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    defer { gate.open() }
                    do { return "\(try await reader.next() == nil ? "end" : "event")" } catch { return "\(error)" }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(
            outcomes.sorted() == ["Two tasks are reading one stream; give each its own.", "end"])
    }

    private func words(
        _ chunks: [Data], at path: JSONPath = .root, limit: Int = 16 << 20
    ) async throws -> [String] {
        var words: [String] = []
        for try await item in ResponseBody.chunks(chunks).elements(Item.self, at: path, elementLimit: limit) {
            words.append(item.words)
        }
        return words
    }
}

/// The error's description, with the offsets that it leaves out.
private func description(_ error: ModelError) -> String {
    switch error {
    case .invalidJSON(let error): "\(error)"
    case .invalidModel(let error): "\(error)"
    case .invalidValues(let failures):
        failures.map { "\($0) [\($0.offset ?? -1)]" }.joined(separator: "\n")
    }
}

private func pieces(_ data: Data, _ size: Int) -> [Data] {
    stride(from: 0, to: data.count, by: size).map {
        Data(data[data.startIndex + $0..<data.startIndex + min($0 + size, data.count)])
    }
}

private class Item: AbstractModel {
    var id = 0
    var name = ""
    var tags: [[String]] = []

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { value != nil }

    var words: String { "\(id) \(name) \(tags)" }
}

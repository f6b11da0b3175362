import Foundation
import ModelMirror
import Testing

/// Never calls the closure.
private struct SilentInput: JSONInput {
    func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {}
}

/// Provides other bytes each time, and twice in each call.
private final class ChangingInput: JSONInput {
    private var count = 0

    func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        for _ in 0..<2 {
            count += 1
            String(repeating: "[", count: count).appending("7" + String(repeating: "]", count: count)).withJSONBytes(
                body)
        }
    }
}

@Suite("JSON inputs")
struct JSONInputTests {
    /// Small enough for a string or data to hold in place, and too large for that.
    private static let documents = [
        "7", #"{"a":"é"}"#, #"["exactly 15"]"#,
        #"{"key": "0123456789 and more than fits in place", "other": [1, 2, "😀"]}"#,
    ]
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @Test("Data, byte arrays, strings and substrings give the same value", arguments: documents)
    func allKinds(text: String) throws {
        let value = try JSONValue(json: ExactBytes(text))
        let bytes = Array(text.utf8)
        let values = try [
            JSONValue(json: bytes), JSONValue(json: Data(bytes)), JSONValue(json: text), JSONValue(json: text[...]),
        ]
        #expect(values == [value, value, value, value])
    }

    @Test("A slice of Data is read from its own first byte", arguments: documents)
    func dataSlice(text: String) throws {
        let value = try JSONValue(json: text)
        for before in [1, 7, 100] {
            let slice = Data(repeating: 0x21, count: before) + Data(text.utf8) + Data(repeating: 0x21, count: 3)
            let data = slice[before..<(before + text.utf8.count)]
            #expect(data.startIndex == before)
            #expect(try JSONValue(json: data) == value)
        }
        let cut = (Data("!!".utf8) + Data("[1,".utf8) + Data("2]".utf8))[2..<5]
        let error = syntaxError(in: cut)
        #expect((error?.offset, error?.found) == (3, "the end of the document"))
    }

    @Test("Data from NSData and NSMutableData, and strings from NSString and UTF-16 are read", arguments: documents)
    func foundation(text: String) throws {
        let value = try JSONValue(json: text)
        #expect(try JSONValue(json: Data(referencing: NSData(data: Data(text.utf8)))) == value)
        let mutable = try #require(NSMutableData(length: 0))
        mutable.append(Data(text.utf8))
        #expect(try JSONValue(json: mutable as Data) == value)
        #expect(try JSONValue(json: NSString(string: text).substring(from: 0)) == value)
        #expect(try JSONValue(json: NSMutableString(string: "!" + text).substring(from: 1)) == value)
        let utf16 = try #require(text.data(using: .utf16LittleEndian))
        #expect(try JSONValue(json: try #require(String(data: utf16, encoding: .utf16LittleEndian))) == value)
    }

    @Test("A substring is read from its own first character to its last", arguments: documents)
    func substring(text: String) throws {
        let value = try JSONValue(json: text)
        for (before, after) in [("é[", "]"), ("", "😀"), (String(repeating: "long ", count: 20), "")] {
            let whole = before + text + after
            let start = whole.index(whole.startIndex, offsetBy: before.count)
            #expect(try JSONValue(json: whole[start..<whole.index(start, offsetBy: text.count)]) == value)
        }
    }

    @Test("ContiguousArray<UInt8> and [Int8] are not JSON inputs")
    func otherCollections() {
        #expect(!(ContiguousArray<UInt8>([0x37]) is any JSONInput))
        #expect(!([0x37] as [Int8] is any JSONInput))
    }

    @Test("A custom input that never calls its closure is named in the error")
    func silentInput() {
        do throws(ModelError) {
            _ = try JSONValue(json: SilentInput())
            Issue.record("The document was read.")
        } catch {
            #expect(error.description == "JSON cannot be mapped: SilentInput.withJSONBytes does not call its closure.")
        }
    }

    @Test("Of an input that provides other bytes each time, the last in a call are used")
    func changingInput() throws {
        let input = ChangingInput()
        #expect(try JSONValue(json: input) == [[7]])
        #expect(try JSONValue(json: input) == [[[[7]]]])
        #expect(throws: ModelError.self) { try JSONMapper.value(Int.self, from: input) }
    }

    // MARK: Byte order mark

    @Test("A byte order mark is skipped and counts in offsets, but not in columns")
    func byteOrderMark() throws {
        let document = Self.mark + Array("[1]".utf8)
        let values = try [
            JSONValue(json: document), JSONValue(json: Data(document)), JSONValue(json: "\u{FEFF}[1]"),
            JSONValue(json: "\u{FEFF}[1]"[...]),
        ]
        #expect(values.map { $0.array?.count } == [1, 1, 1, 1])
        #expect(try JSONValue(json: ExactBytes(Self.mark + [0x37])).int == 7)
        let error = syntaxError(in: Self.mark + Array("[x]".utf8))
        #expect((error?.line, error?.column, error?.offset) == (1, 2, 4))
    }

    @Test("Repeated, incomplete and misplaced byte order marks are rejected")
    func strayByteOrderMark() {
        let faults: [([UInt8], Int)] = [
            (Self.mark + Self.mark + [0x37], 3), ([0xEF, 0xBB, 0x37], 0), ([0xEF, 0xBB], 0), ([0xEF], 0),
            ([0x20] + Self.mark + [0x37], 1), ([0x37] + Self.mark, 1),
            (Array("[".utf8) + Self.mark + Array("7]".utf8), 1),
            ([0xFE, 0xFF, 0, 0x37], 0), ([0xFF, 0xFE, 0x37, 0], 0),
        ]
        for (bytes, offset) in faults {
            let error = syntaxError(in: ExactBytes(bytes))
            #expect(error?.offset == offset, "\(bytes)")
        }
    }

    // MARK: Empty inputs

    @Test("An empty input of any kind is rejected")
    func empty() {
        let errors = [
            syntaxError(in: [UInt8]()), syntaxError(in: Data()), syntaxError(in: Data([1, 2, 3])[1..<1]),
            syntaxError(in: ""), syntaxError(in: "[1]".prefix(0)), syntaxError(in: ExactBytes("")),
        ]
        let description =
            "Invalid JSON at line 1, column 1 (byte 0): expected a value (an object, array, string, number, true, false or "
            + "null), found the end of the document."
        #expect(errors.map { $0?.description } == Array(repeating: description, count: errors.count))
    }
}

import Foundation
import Testing

@testable import ModelMirrorExploring

struct DocumentReaderTests {
    /// The documents of a text and its faults, in pieces of some bytes.
    private func read(_ bytes: [UInt8], pieces: Int, splitsArrays: Bool = false) throws -> [String] {
        var rest = bytes[...]
        let source = ByteSource(size: nil, stored: { 0 }) {
            defer { rest = rest.dropFirst(pieces) }
            return Array(rest.prefix(pieces))
        }
        var reader = DocumentReader(source, splitsArrays: splitsArrays)
        var found: [String] = []
        while let piece = try reader.next() {
            switch piece {
            case .document(let range): found.append(String(decoding: reader.buffer[range], as: UTF8.self))
            case .element(let range): found.append("+" + String(decoding: reader.buffer[range], as: UTF8.self))
            case .arrayEnd(let count): found.append("]\(count)")
            case .fault(let fault):
                found.append("\(fault.place.line):\(fault.place.column)\(fault.isFatal ? "!" : "") \(fault.sentence)")
            }
        }
        return found
    }

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func documentsAreFoundWhateverThePieces(pieces: Int) throws {
        func documents(_ text: String) throws -> [String] { try read(Array(text.utf8), pieces: pieces) }
        #expect(try documents("{\"a\": 1}\n\r\n[2, \"]\"]\n3\n\"x\"") == ["{\"a\": 1}", "[2, \"]\"]", "3", "\"x\""])
        #expect(
            try documents("{\"a\": 1}{\"b\":\n2}[3]\"x\"true null") == [
                "{\"a\": 1}", "{\"b\":\n2}", "[3]", "\"x\"", "true", "null",
            ])
        #expect(try documents("\u{FEFF} [\"é😀\\ud83d\\ude00\"] ") == ["[\"é😀\\ud83d\\ude00\"]"])
        #expect(
            try documents("\u{1E}{\"a\": 1}\n\u{1E}{\"b\"\n\u{1E}[3]\n") == [
                "{\"a\": 1}", "2:6 expected ':' after the key, found the end of the document", "[3]",
            ])
        #expect(try documents(" \n ") == [])
    }

    @Test(arguments: [1, 5, 1_000])
    func aBrokenLineIsReportedAndTheRestIsRead(pieces: Int) throws {
        func documents(_ text: String) throws -> [String] { try read(Array(text.utf8), pieces: pieces) }
        #expect(
            try documents("{\"a\": 1}\n{\"a\": é}\n[1,\n{\"a\": 2}\n{\"a\"")
                == [
                    "{\"a\": 1}",
                    "2:7 expected a value (an object, array, string, number, true, false or null), found the byte 0xC3",
                    "3:4 expected a value (an object, array, string, number, true, false or null), found the end of the document",
                    "{\"a\": 2}", "5:5 expected ':' after the key, found the end of the document",
                ])
        // Also in the first line.
        #expect(
            try documents("{\"a\": 1\n{\"a\": 2}\n{\"a\": 3}\n")
                == ["1:8 expected ',' or '}', found the end of the document", "{\"a\": 2}", "{\"a\": 3}"])
        #expect(
            try documents("\u{FEFF}{\"a\": 1}\n\u{FEFF}{\"a\": 2}\n{\"a\": 3}\n")
                == [
                    "{\"a\": 1}",
                    "2:1 expected a document, found a byte order mark, which is read at the start only",
                    "{\"a\": 3}",
                ])
        // A document in several lines is broken as a whole.
        #expect(
            try documents("[\n{\"a\": 1}\n{\"a\": 2}\n]") == ["3:1! expected ',' or ']', found '{'"])
    }

    @Test func theElementsOfALongArrayAreReadOneByOne() throws {
        let element = #"{"a":"\#(String(repeating: "x", count: 1_000))"}"#
        let array = "[" + Array(repeating: element, count: 1_000).joined(separator: " ,\n ") + "]"
        for pieces in [999, 65_536] {
            let found = try read(Array(array.utf8), pieces: pieces, splitsArrays: true)
            #expect(found.count == 1_001)
            #expect(found.dropLast().allSatisfy { $0 == "+" + element })
            #expect(found.last == "]1000")
        }
        let broken = try read(Array(array.utf8.dropLast()), pieces: 65_536, splitsArrays: true)
        #expect(broken.count == 1_001)
        #expect(broken.last?.hasPrefix("1000:1010! expected ',' or ']', found the end") == true)
        let numbers = (100_000..<150_000).map { "\($0)" }
        let scalars = try read(
            Array("[\(numbers.joined(separator: ",")),null ,true]".utf8), pieces: 65_536, splitsArrays: true)
        #expect(scalars == numbers.map { "+\($0)" } + ["+null", "+true", "]50002"])
        // Short arrays are documents.
        #expect(try read(Array("[1, 2]".utf8), pieces: 2, splitsArrays: true) == ["[1, 2]"])
    }

    @Test func aBrokenLongArrayEndsWithItsTextOrLine() throws {
        let element = #"{"a":"\#(String(repeating: "x", count: 1_000))"}"#
        let open = "[" + Array(repeating: element, count: 600).joined(separator: ",")
        func documents(_ text: String) throws -> [String] {
            let found = try read(Array(text.utf8), pieces: 65_536, splitsArrays: true)
            #expect(found.allSatisfy { !$0.contains("!") })
            return found.filter { !$0.hasPrefix("+") }
        }
        // Of a sequence: in its first element, after an element, and after a comma.
        let column = open.utf8.count + 1
        let text = "[\"" + String(repeating: "x", count: 600_000)
        #expect(try documents("\u{1E}\(text)\n\u{1E}{\"b\":1}\n").last == #"{"b":1}"#)
        #expect(
            try documents("\u{1E}" + open + "\n\u{1E}{\"b\":1}\n") == [
                "1:\(column + 1) expected ',' or ']' after an element", #"{"b":1}"#,
            ])
        #expect(try documents("\u{1E}" + open + ",\n\u{1E}{\"b\":1}\n").last == #"{"b":1}"#)
        // A line of NDJSON: a later one, and the first.
        #expect(
            try documents("{\"a\":1}\n\(open)\n{\"b\":1}\n") == [
                #"{"a":1}"#, "2:\(column) expected ',' or ']' after an element", #"{"b":1}"#,
            ])
        #expect(
            try documents("\(open)\n{\"b\":1}\n{\"c\":1}\n") == [
                "1:\(column) expected ',' or ']' after an element", #"{"b":1}"#, #"{"c":1}"#,
            ])
    }

    @Test func aBrokenElementDoesNotMakeALongArrayLines() throws {
        var lines = Array(repeating: #"{"a":"\#(String(repeating: "x", count: 1_000))"}"#, count: 1_000)
        lines[700] = #"{"a":}"#
        let found = try read(
            Array("[\n\(lines.joined(separator: ",\n"))\n]".utf8), pieces: 65_536, splitsArrays: true)
        #expect(found.count == 701)
        #expect(found.last?.hasPrefix("702:6! ") == true)
    }

    @Test(arguments: [1, 2, 3, 1_000]) func otherEncodingsAreRecognized(pieces: Int) throws {
        let text = "[\"é😀\"] 7"
        let documents = ["[\"é😀\"]", "7"]
        let units = Array(text.utf16)
        let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let wide = text.unicodeScalars.flatMap { scalar in (0..<4).map { UInt8(scalar.value >> (8 * $0) & 0xFF) } }
        for bytes in [little, big, [0xFF, 0xFE] + little, [0xFE, 0xFF] + big, wide, [0xFF, 0xFE, 0, 0] + wide] {
            #expect(try read(bytes, pieces: pieces) == documents)
        }
        #expect(try read([0x37, 0], pieces: pieces) == ["7"])
    }

    /// Nothing is replaced: half a code unit, half a pair of surrogates, and numbers beyond Unicode.
    @Test(arguments: [1, 2, 3, 1_000]) func brokenEncodingsAreErrors(pieces: Int) {
        func failure(_ text: String, _ units: [UInt16]) -> ByteSource.Failure {
            let bytes = (Array(text.utf16) + units).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            return error(bytes + [0x22, 0, 0x5D, 0])
        }
        func error(_ bytes: [UInt8]) -> ByteSource.Failure {
            do {
                return ByteSource.Failure("\(try read(bytes, pieces: pieces))")
            } catch {
                return error as? ByteSource.Failure ?? ByteSource.Failure("\(error)")
            }
        }
        for surrogate: UInt16 in [0xD83D, 0xDE00] {
            #expect(failure("[\"é😀", [surrogate]).reason == "its UTF-16 is broken at byte 10; write it as UTF-8")
        }
        #expect(failure("\u{FEFF}[\"", [0xDE00, 0xD83D]).reason == "its UTF-16 is broken at byte 6; write it as UTF-8")
        #expect(error([0x5B, 0, 0x5D, 0, 0x20]).reason == "its UTF-16 is broken at byte 4; write it as UTF-8")
        #expect(error([0xFF, 0xFE, 0x5B, 0, 0x3D, 0xD8]).reason == "its UTF-16 is broken at byte 4; write it as UTF-8")
        #expect(
            error([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x22, 0, 0x11, 0, 0]).reason
                == "its UTF-32 is broken at byte 8; write it as UTF-8")
    }

    // MARK: Files

    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    /// `{"a": 1}\n{"a": 2}\n` in two members of gzip, the first of which ends in the second line.
    private let compressed = [UInt8](
        Data(base64Encoded: "H4sIAAAAAAACA6tWSlSyUjCs5aoGMgCEdLHjDQAAAB+LCAAAAAAAAgOzUjCq5QIAXycq0AUAAAA=") ?? Data())

    @Test func gzipOfSeveralMembersIsDecompressed() throws {
        try withFile(compressed) { path in
            let source = try ByteSource.file(path)
            #expect(source.size == 56)
            #expect(try source.rest() == Array("{\"a\": 1}\n{\"a\": 2}\n".utf8))
            #expect(source.position == 56)
        }
        try withFile(Array("[1]".utf8)) { path in
            let source = try ByteSource.file(path)
            #expect(try source.rest() == Array("[1]".utf8))
        }
    }

    @Test func damagedGzipIsAnError() throws {
        try withFile(Array(compressed.dropLast(3))) { path in
            let source = try ByteSource.file(path)
            #expect(throws: ByteSource.Failure("its compressed data ends too early")) { try source.rest() }
        }
        var damaged = compressed
        damaged[50] ^= 0xFF
        try withFile(damaged) { path in
            let source = try ByteSource.file(path)
            #expect(throws: ByteSource.Failure("its compressed data is damaged")) { try source.rest() }
        }
    }

    @Test func withoutZlibGzipIsAnErrorAndOthersAreRead() throws {
        #expect(Zlib(named: ["libnone.so"]) == nil)
        try withFile(compressed) { path in
            let source = try ByteSource.file(path, zlib: nil)
            #expect(
                throws: ByteSource.Failure(
                    "it is compressed with gzip, and the system's zlib was not found; decompress it first")
            ) { try source.rest() }
        }
        try withFile(Array("[1]".utf8)) { path in
            let source = try ByteSource.file(path, zlib: nil)
            #expect(try source.rest() == Array("[1]".utf8))
            #expect(source.position == 3)
        }
        let memory = ByteSource(compressed)
        #expect(
            throws: ByteSource.Failure("it is compressed with gzip; decompress it first, or pass it through a pipe")
        ) { try memory.rest() }
    }

    @Test(arguments: [true, false]) func aPipeIsReadByItsPath(hasZlib: Bool) throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("[1]\n".utf8))
        try pipe.fileHandleForWriting.close()
        let context = CommandContext.current(program: "tool", load: nil)
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        if hasZlib {
            guard case .source(let source) = context.file(path) else { throw CancellationError() }
            #expect(source.size == nil)
            #expect(try source.rest() == Array("[1]\n".utf8))
            #expect(source.position == 4)
        } else {
            #expect(try ByteSource.file(path, zlib: nil).rest() == Array("[1]\n".utf8))
        }
    }
}

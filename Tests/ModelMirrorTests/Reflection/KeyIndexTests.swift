import Testing

@testable import ModelMirror

@Suite("KeyIndex")
struct KeyIndexTests {
    @Test("A slot has the key, kind, row and offset of its entry")
    func slots() throws {
        let index = KeyIndex([
            KeyIndex.Entry(key: "id", kind: .int, row: 4, offset: 16),
            KeyIndex.Entry(key: "name", kind: .optionalString, row: 2, offset: 24),
            KeyIndex.Entry(key: "", kind: .shared, row: 0, offset: 0),
        ])
        #expect(index.count == 3)
        #expect((0..<3).map { index.slotList(forUpdate: false)[$0].kind } == [.int, .optionalString, .shared])
        #expect((0..<3).map { index.slotList(forUpdate: false)[$0].row } == [4, 2, 0])
        #expect((0..<3).map { index.slotList(forUpdate: false)[$0].offset } == [16, 24, 0])
        #expect(try ["id", "name", ""].map { try index.find($0) } == [0, 1, 2])
    }

    @Test("An empty index finds no keys")
    func empty() throws {
        let index = KeyIndex(keys: [])
        #expect(index.count == 0)
        #expect(try index.find("") == nil)
        #expect(try index.find("id") == nil)
    }

    @Test("Every key is found, whatever key is expected, and read up to its closing quote")
    func expectations() throws {
        let keys = ["id", "name", "", "description", "a", "created_at", "größe", "日本語", "😀"]
        let index = KeyIndex(keys: keys)
        for (number, key) in keys.enumerated() {
            for expected in 0...keys.count {
                #expect(try index.find(key, expecting: expected) == number, "\(key), expecting \(expected)")
            }
        }
    }

    @Test("An index can have more than 65,535 keys")
    func veryManyKeys() throws {
        let keys = (0..<70_000).map { "key\($0)" }
        let index = KeyIndex(keys: keys)
        for number in [0, 1, 65_534, 65_535, 65_536, 69_999] {
            #expect(try index.find(keys[number], expecting: 3) == number)
        }
    }

    @Test("Unknown keys are skipped and not found, whatever key is expected")
    func unknownKeys() throws {
        let keys = ["id", "name", "description"]
        let index = KeyIndex(keys: keys)
        let unknown = [
            "", "i", "d", "ID", "Id", "id ", " id", "idd", "nam", "names", "eman", "descriptio", "descriptions",
            "descriptiom",
            "Description", "\u{0}", "i\u{0}", "id\u{0}", String(repeating: "x", count: 1000),
        ]
        for key in unknown {
            for expected in 0...keys.count {
                #expect(try index.find(key, expecting: expected) == nil, "\(key), expecting \(expected)")
            }
        }
    }

    @Test("A key of any length differs from keys with another byte or another length", arguments: 0...34)
    func lengths(_ length: Int) throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJ".utf8).prefix(length)
        let key = String(decoding: letters, as: UTF8.self)
        let index = KeyIndex(keys: [key])
        #expect(try index.find(key) == 0)
        #expect(try index.find(key, expecting: 1) == 0)
        for position in letters.indices {
            var other = letters
            other[position] ^= 1
            #expect(try index.find(String(decoding: other, as: UTF8.self)) == nil, "another byte at \(position)")
        }
        for shorter in 0..<length { #expect(try index.find(String(key.prefix(shorter))) == nil) }
        #expect(try index.find(key + "!") == nil)
        #expect(try index.find(key + key + "!") == nil)
        #expect(try index.find("!" + key) == nil)
    }

    @Test("A key is distinguished from a longer key with the same beginning", arguments: 1...17)
    func prefixes(_ length: Int) throws {
        let long = String("abcdefghijklmnopqrstuvwxyz".prefix(length + 1))
        let short = String(long.dropLast())
        let index = KeyIndex(keys: [long, short])
        for expected in 0...2 {
            #expect(try index.find(long, expecting: expected) == 0)
            #expect(try index.find(short, expecting: expected) == 1)
        }
    }

    @Test("Keys with the same hash are distinguished")
    func collisions() throws {
        let letters = Array("abcdefghijklmnop")
        let keys = letters.flatMap { second in letters.map { fourth in "x\(second)y\(fourth)z" } }
        let index = KeyIndex(keys: keys)
        for (number, key) in keys.enumerated() {
            #expect(try index.find(key, expecting: keys.count) == number)
            #expect(try index.find(key, expecting: (number + 1) % keys.count) == number)
        }
        #expect(try index.find("xqyaz") == nil)
        #expect(try index.find("xayqz") == nil)
        #expect(try index.find("xAyAz", expecting: keys.count) == nil)
    }

    @Test("Thousands of keys are found, and unknown keys are not")
    func manyKeys() throws {
        let keys = (0..<3000).map { "key\($0 &* 2_654_435_761 % 1_000_003)" }
        let index = KeyIndex(keys: keys)
        for (number, key) in keys.enumerated() {
            #expect(try index.find(key, expecting: number * 7 % 3001) == number)
            #expect(try index.find(key + "x", expecting: number) == nil)
        }
    }

    @Test(
        "A key with characters that need escapes is found in any spelling",
        arguments: [
            (#"a"b"#, [#""a\"b""#, #""\u0061\u0022b""#]),
            (#"a\b"#, [#""a\\b""#, #""a\u005cb""#, #""a\u005Cb""#]),
            ("a\nb", [#""a\nb""#, #""a\u000ab""#]),
            ("\u{0}", [#""\u0000""#]),
            ("\u{1F}\u{8}", [#""\u001f\b""#, #""\u001F\u0008""#]),
            (#"""#, [#""\"""#]),
            (#"\"#, [#""\\""#]),
            ("tab\tafter", [#""tab\tafter""#]),
        ])
    func escapedKeys(_ key: String, _ spellings: [String]) throws {
        let index = KeyIndex(keys: ["before", key, "after"])
        for spelling in spellings {
            for expected in 0...3 {
                #expect(
                    try index.find(spelled: spelling, expecting: expected) == 1, "\(spelling), expecting \(expected)")
            }
        }
        #expect(try index.find("before") == 0)
        #expect(try index.find("after", expecting: 1) == 2)
        // The text of the spelling, taken literally, is another key.
        let literal = spellings[0].dropFirst().dropLast().replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        #expect(try index.find(spelled: "\"\(literal)\"", expecting: 1) == nil)
    }

    @Test("A plain key is found if its characters are escaped in the document")
    func plainKeysSpelledWithEscapes() throws {
        let index = KeyIndex(keys: ["id", "a/b", "größe", "😀", ""])
        let spellings: [(String, Int?)] = [
            (#""\u0069d""#, 0), (#""i\u0064""#, 0), (#""a\/b""#, 1), (#""a/b""#, 1), (#""gr\u00f6\u00DFe""#, 2),
            (#""\uD83D\ude00""#, 3), (#""""#, 4), (#""\u0069e""#, nil),
        ]
        for expected in 0...5 {
            for (spelling, slot) in spellings {
                #expect(
                    try index.find(spelled: spelling, expecting: expected) == slot,
                    "\(spelling), expecting \(expected)")
            }
        }
    }

    @Test("Canonically equivalent texts are different keys in an index")
    func canonicalEquivalence() throws {
        let index = KeyIndex(keys: ["\u{E9}", "e\u{301}"])
        for expected in 0...2 {
            #expect(try index.find("\u{E9}", expecting: expected) == 0)
            #expect(try index.find("e\u{301}", expecting: expected) == 1)
        }
        #expect(try KeyIndex(keys: ["\u{E9}"]).find("e\u{301}") == nil)
    }

    @Test("A folded key is found in any spelling unless an exact key matches")
    func foldedKeys() throws {
        let index = KeyIndex([
            KeyIndex.Entry(key: "imageURL", kind: .other, row: 0, offset: 0, folding: .also),
            KeyIndex.Entry(key: "image_url", kind: .other, row: 1, offset: 0),
            KeyIndex.Entry(key: "createdAt", kind: .other, row: 2, offset: 0),
            KeyIndex.Entry(key: "\"quoted\"Name", kind: .other, row: 3, offset: 0, folding: .also),
        ])
        let spellings: [(String, Int?)] = [
            (#""imageURL""#, 0), (#""image_url""#, 1), (#""IMAGE-URL""#, 0), (#""image.u r_l""#, 0),
            (#""image\u005furl""#, 1), (#""Image\u005fUrl""#, 0), (#""createdAt""#, 2), (#""created_at""#, nil),
            (#""imageURLs""#, nil), (#""\"Quoted\"_name""#, 3),
        ]
        for expected in 0...4 {
            for (spelling, slot) in spellings {
                #expect(
                    try index.find(spelled: spelling, expecting: expected) == slot,
                    "\(spelling), expecting \(expected)")
            }
        }
    }

    @Test(
        "A malformed key is a syntax error, whatever key is expected",
        arguments: [
            (#""id"#, SyntaxFault.stringEnd, 3), (#"""#, .stringEnd, 1), (#""i"#, .stringEnd, 2),
            (#""longer key"#, .stringEnd, 11), ("\"i\nd\"", .noControlCharacter, 2), (#""i\d""#, .escape, 2),
            (#""i\u00"#, .hexDigits, 2), (#""\ud800""#, .lowSurrogate, 1),
        ] as [(String, SyntaxFault, Int)])
    func syntaxErrors(_ text: String, _ fault: SyntaxFault, _ offset: Int) {
        let index = KeyIndex(keys: ["id", "longer key", "i\nd", ""])
        for expected in 0...4 {
            let error = #expect(throws: Interruption.self) {
                try index.find(spelled: text, expecting: expected, isWhole: false)
            }
            #expect((error?.fault, error?.offset) == (fault, offset))
        }
    }

    @Test(
        "The expected key is passed, or found near the end of the document, and no other is",
        arguments: 0...24, ["", ": 123456789"])
    func almost(_ length: Int, _ tail: String) throws {
        let key = String(repeating: "k", count: length)
        let index = KeyIndex(keys: [key])
        func passes(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return bytes.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return false }
                var reader = JSONReader(base, count: buffer.count, depth: 1)
                let isPassed = index.slotList(forUpdate: false).passKey(of: 0, &reader)
                #expect(reader.offset == (isPassed ? length + 2 : 0))
                // Fewer than nine bytes before the end of the document, the key is searched.
                return isPassed || bytes.count < 9 && (try? index.readSlot(&reader)) == 0
            }
        }
        #expect(passes("\"\(key)\"\(tail)"))
        #expect(!passes("\"\(key)k\"\(tail)"))
        for place in 0..<length {
            let other = String(repeating: "k", count: place) + "x" + String(repeating: "k", count: length - place - 1)
            #expect(!passes("\"\(other)\"\(tail)"))
            #expect(!passes("\"\(key.dropLast())\"\(tail)"))
        }
    }

    @Test("No byte after the end of the document is read", arguments: 0...24)
    func endOfDocument(_ length: Int) {
        let key = String(repeating: "k", count: length)
        let index = KeyIndex(keys: [key])
        for count in 1..<length + 2 {
            // A block of exactly this size, so that the address sanitizer sees any byte more.
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
            defer { bytes.deallocate() }
            _ = UnsafeMutableBufferPointer(start: bytes, count: count).initialize(from: "\"\(key)\"".utf8.prefix(count))
            var reader = JSONReader(bytes, count: count, depth: 1)
            for expected in 0...1 {
                reader.offset = 0
                #expect(throws: Interruption.self) { try index.readKey(expecting: expected, &reader) }
            }
        }
    }
}

extension KeyIndex {
    /// An index of keys without rows.
    fileprivate convenience init(keys: [String]) {
        self.init(keys.map { Entry(key: $0, kind: .other, row: 0, offset: 0) })
    }

    /// Reads the key at the cursor as the mapping loop does.
    fileprivate func readKey(expecting expected: Int, _ reader: inout JSONReader) throws(Interruption) -> Int? {
        slotList(forUpdate: false).passKey(of: expected, &reader) ? expected : try readSlot(&reader)
    }

    /// The slot of a key that the document spells without needless escapes.
    fileprivate func find(_ key: String, expecting expected: Int = 0) throws -> Int? {
        let text = key.unicodeScalars.map {
            $0.value < 0x20 ? "\\u00" + ($0.value < 16 ? "0" : "") + String($0.value, radix: 16) : "\($0)"
        }
        return try find(spelled: "\"" + text.joined() + "\"", expecting: expected)
    }

    /// The slot of a key that is spelled in the document as given, quotes included.
    ///
    /// - Parameter isWhole: Whether the cursor must end right after it.
    fileprivate func find(spelled text: String, expecting expected: Int, isWhole: Bool = true) throws -> Int? {
        let bytes = Array((text + (isWhole ? ":" : "")).utf8)
        return try bytes.withUnsafeBufferPointer { buffer in
            let base = try #require(buffer.baseAddress)
            var reader = JSONReader(base, count: buffer.count, depth: 1)
            let slot = try readKey(expecting: expected, &reader)
            #expect(reader.offset == text.utf8.count)
            return slot
        }
    }
}

import ModelMirror

/// A random JSON document with white space of every kind, and the place of each of its values.
struct RandomDocument {
    /// Where a value begins, and the keys and indices that lead to it.
    struct Place: Equatable {
        let offset: Int
        let path: JSONPath
    }

    private(set) var bytes: [UInt8] = []
    private(set) var places: [Place] = []
    private var path: [JSONPath.Step] = []
    private var generator: SeededGenerator

    init(seed: UInt64, depth: Int) {
        generator = SeededGenerator(seed: seed)
        addSpace()
        addValue(depth: depth)
        addSpace()
    }

    private mutating func add(_ text: String) { bytes += text.utf8 }

    private mutating func addSpace() {
        for _ in 0..<generator.below(4) { add(generator.pick([" ", "  ", "\t", "\n", "\r", "\r\n", "\n\r"])) }
    }

    private mutating func addValue(depth: Int) {
        places.append(Place(offset: bytes.count, path: JSONPath(path)))
        switch generator.below(depth > 0 ? 10 : 6) {
        case 0: add(generator.pick(["null", "true", "false"]))
        case 1...2: add(generator.pick(["0", "-1", "12.5", "1e-7", "123456789012345678901234567890", "0.1E+05"]))
        case 3...5: addString()
        case 6...7: addArray(depth: depth)
        default: addObject(depth: depth)
        }
    }

    /// Writes a string and returns its text.
    @discardableResult
    private mutating func addString() -> String {
        let pieces: [(String, String)] = [
            ("a", "a"), ("word", "word"), ("é", "é"), ("€", "€"), ("😀", "😀"), ("e\u{301}", "e\u{301}"), (#"\n"#, "\n"),
            (#"\r"#, "\r"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\u20ac"#, "€"), (#"\uD83D\uDE00"#, "😀"), (" ", " "),
            ("[", "["),
            ("{", "{"), (",", ","), ("\u{2028}", "\u{2028}"), ("\u{85}", "\u{85}"),
        ]
        var text = ""
        add("\"")
        for _ in 0..<generator.below(8) {
            let (written, decoded) = generator.pick(pieces)
            add(written)
            text += decoded
        }
        add("\"")
        return text
    }

    private mutating func addArray(depth: Int) {
        add("[")
        addSpace()
        for index in 0..<generator.below(6) {
            if index > 0 {
                add(",")
                addSpace()
            }
            path.append(.index(index))
            addValue(depth: depth - 1)
            path.removeLast()
            addSpace()
        }
        add("]")
    }

    private mutating func addObject(depth: Int) {
        add("{")
        addSpace()
        for index in 0..<generator.below(6) {
            if index > 0 {
                add(",")
                addSpace()
            }
            path.append(.key(addString()))
            addSpace()
            add(":")
            addSpace()
            addValue(depth: depth - 1)
            path.removeLast()
            addSpace()
        }
        add("}")
    }
}

extension SeededGenerator {
    // Unlike the standard library's random functions, these give the same results in every release.

    /// A number from 0 to `bound` - 1.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A number in a range.
    mutating func number(in range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

    /// One of the given elements.
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

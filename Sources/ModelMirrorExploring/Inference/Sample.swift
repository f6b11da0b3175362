import ModelMirror

/// A JSON value whose members keep the order of the document, unlike those of `JSONValue`.
enum Sample: Hashable {
    /// A member of an object.
    struct Member: Hashable {
        let key: String
        var value: Sample
    }

    case null
    case bool(Bool)
    /// A number as written.
    case number(String)
    case string(String)
    case array([Sample])
    /// Of duplicate keys the last value wins, at the position of the first.
    case object([Member])

    /// Reads a document.
    ///
    /// - Throws: ``ModelError/invalidJSON(_:)``.
    init(json bytes: [UInt8]) throws(ModelError) {
        // The library's reader checks the grammar, so that the reader below need not.
        _ = try JSONValue(json: bytes)
        var reader = SampleReader(bytes)
        self = reader.document()
    }

    /// The members of an object; nil for other values.
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The text of a string, an integer or a Boolean, which can name a type; nil for other values.
    var tag: String? {
        switch self {
        case .string(let text): text
        case .bool(let value): value ? "true" : "false"
        case .number(let text): Int(text).map { "\($0)" }
        default: nil
        }
    }

    var kind: SampleKinds {
        switch self {
        case .null: []
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// The kinds of the values found at a place; `null` has no kind.
struct SampleKinds: OptionSet, Hashable {
    let rawValue: UInt8

    static let bool = SampleKinds(rawValue: 1)
    static let number = SampleKinds(rawValue: 2)
    static let string = SampleKinds(rawValue: 4)
    static let array = SampleKinds(rawValue: 8)
    static let object = SampleKinds(rawValue: 16)

    /// Whether values of both may be of one type: they share a kind, or one has none.
    func agrees(with other: SampleKinds) -> Bool { isEmpty || other.isEmpty || !isDisjoint(with: other) }
}

/// Reads bytes that are known to be a JSON document, without recursion.
private struct SampleReader {
    private let bytes: [UInt8]
    private var offset = 0
    /// The arrays and objects that enclose the cursor, outermost first.
    private var open: [Container] = []

    private struct Container {
        let isObject: Bool
        var elements: [Sample] = []
        var members: [Sample.Member] = []
        var places: [String: Int] = [:]
        /// The key of the member that is being read.
        var key = ""

        mutating func add(_ value: Sample) {
            if !isObject {
                elements.append(value)
            } else if let place = places[key] {
                members[place].value = value
            } else {
                places[key] = members.count
                members.append(Sample.Member(key: key, value: value))
            }
        }
    }

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.first == 0xEF { offset = 3 }
    }

    private var byte: UInt8 { bytes[offset] }

    private mutating func skipWhitespace() {
        while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    mutating func document() -> Sample {
        while true {
            skipWhitespace()
            var value: Sample
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open.append(Container(isObject: byte == UInt8(ascii: "{")))
                offset += 1
                guard let closed = closed() else { continue }
                value = closed
            default: value = scalar()
            }
            // Closes each container that ends after the value.
            while !open.isEmpty {
                open[open.count - 1].add(value)
                guard let closed = closed() else { break }
                value = closed
            }
            if open.isEmpty { return value }
        }
    }

    /// The innermost container if it ends at the cursor; else nil, after reading the comma and the key before its next value.
    private mutating func closed() -> Sample? {
        skipWhitespace()
        if byte == UInt8(ascii: ",") {
            offset += 1
            skipWhitespace()
        }
        let last = open.count - 1
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
            offset += 1
            let container = open.removeLast()
            return container.isObject ? .object(container.members) : .array(container.elements)
        }
        guard open[last].isObject else { return nil }
        open[last].key = string()
        skipWhitespace()
        offset += 1  // the colon
        return nil
    }

    private mutating func scalar() -> Sample {
        switch byte {
        case UInt8(ascii: "\""): return .string(string())
        case UInt8(ascii: "t"):
            offset += 4
            return .bool(true)
        case UInt8(ascii: "f"):
            offset += 5
            return .bool(false)
        case UInt8(ascii: "n"):
            offset += 4
            return .null
        default: return number()
        }
    }

    private mutating func number() -> Sample {
        let start = offset
        while offset < bytes.count, SampleReader.isOfNumber(byte) { offset += 1 }
        return .number(text(start..<offset))
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func string() -> String {
        let start = offset
        var hasEscapes = false
        offset += 1
        while byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                offset += 1
            }
            offset += 1
        }
        offset += 1
        guard hasEscapes else { return text(start + 1..<offset - 1) }
        return (try? JSONValue(json: Array(bytes[start..<offset])))?.string ?? text(start + 1..<offset - 1)
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

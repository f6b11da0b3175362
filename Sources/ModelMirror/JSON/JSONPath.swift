/// A position in a JSON document: the keys and indices from the root.
///
/// Its description is `$.gists[3].owner.id`, with other than plain names in brackets: `$["content-type"]`. Dots in a key have no
/// meaning.
///
/// ```swift
/// let path: JSONPath = ["data", "items", 0]
/// print(path)                                           // $.data.items[0]
/// let items = try [Item](json: data, at: path)
/// ```
public struct JSONPath: Hashable, Sendable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// A member of an object or an element of an array.
    public enum Step: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        /// The member with exactly this key.
        case key(String)
        /// The element at this index, from 0.
        case index(Int)

        /// A key.
        public init(stringLiteral key: String) { self = .key(key) }
        /// An index from 0.
        public init(integerLiteral index: Int) { self = .index(index) }
    }

    /// The steps from the root, outermost first.
    public var steps: [Step]

    /// The whole document: `$`.
    public static let root = JSONPath([])

    /// Makes a path of the given steps, outermost first.
    public init(_ steps: [Step]) { self.steps = steps }
    /// Makes a path of the given steps, outermost first.
    public init(arrayLiteral steps: Step...) { self.steps = steps }

    /// Makes a path of one key.
    public init(stringLiteral key: String) { self.init([.key(key)]) }

    /// Whether the path is that of the whole document.
    @inline(__always)
    var isRoot: Bool { steps.isEmpty }

    /// The path in the notation `$.gists[3].owner.id`.
    public var description: String { "$" + steps.map(\.suffix).joined() }
}

extension JSONPath.Step {
    var text: String { if case .key(let key) = self { key } else { "" } }

    /// The step as written in a path's description.
    fileprivate var suffix: String {
        switch self {
        case .index(let index): "[\(index)]"
        case .key(let key) where key.isPlainName: ".\(key)"
        case .key(let key): "[\(key.quotedForMessage)]"
        }
    }
}

extension String {
    /// Whether the text needs no quotes in a path.
    fileprivate var isPlainName: Bool {
        guard let first = unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return unicodeScalars.allSatisfy {
            $0 == "_" || $0 == "$" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
        }
    }

    /// The text in double quotes, escaped as in JSON, on one line.
    var quotedForMessage: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

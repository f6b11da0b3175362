/// A position in a JSON document: the keys and indices from the root.
///
/// Its description is `$.gists[3].owner.id`, with keys that are not plain names in brackets: `$["content-type"]`. Dots in a key
/// have no special meaning.
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
    public static var root: JSONPath { JSONPath([]) }

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

extension JSONPath {
    /// The path as a JSON Pointer (RFC 6901).
    var pointer: String {
        steps.map { step in
            switch step {
            case .index(let index): "/\(index)"
            case .key(let key):
                "/" + key.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
            }
        }.joined()
    }
}

/// A step to a value, linked to those before it, so that the paths to the values of a container take no more memory the deeper it is.
///
/// `@unchecked Sendable`: nothing changes before the last reference is released.
final class PathNode: @unchecked Sendable {
    enum Part {
        case step(JSONPath.Step)
        /// The steps in a document embedded in the value that those before lead to.
        case path(PathNode)
    }

    private var outer: PathNode?
    private let part: Part

    init(_ outer: PathNode?, _ part: Part) { (self.outer, self.part) = (outer, part) }

    /// The last of some steps, after those to a container; nil at the root.
    static func of(_ steps: some Sequence<JSONPath.Step>, from outer: PathNode? = nil) -> PathNode? {
        steps.reduce(outer) { PathNode($0, .step($1)) }
    }

    /// All steps, outermost first.
    var steps: [JSONPath.Step] {
        var steps: [JSONPath.Step] = []
        var rest = [self]
        while let node = rest.popLast() {
            if let outer = node.outer { rest.append(outer) }
            switch node.part {
            case .step(let step): steps.append(step)
            case .path(let inner): rest.append(inner)
            }
        }
        return steps.reversed()
    }

    /// The last step.
    var last: JSONPath.Step {
        switch part {
        case .step(let step): step
        case .path(let inner): inner.last
        }
    }

    // Without recursion, because a chain may be too long for the stack.
    deinit {
        var next = outer.take()
        while isKnownUniquelyReferenced(&next) { next = next?.outer.take() }
    }
}

extension [JSONPath.Step] {
    /// The key of a member of the value itself; nil for other places.
    var onlyKey: String? { if count == 1, case .key(let key) = self[0] { key } else { nil } }
}

extension JSONPath.Step {
    /// The key; empty for an index.
    package var text: String { if case .key(let key) = self { key } else { "" } }

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

    /// The first 60 characters, and an ellipsis for others.
    var shortened: String { count <= 60 ? self : prefix(60) + "…" }

    /// The text in double quotes, escaped as in JSON, on one line.
    package var quotedForMessage: String {
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value:
                text += (scalar.value < 0x10 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

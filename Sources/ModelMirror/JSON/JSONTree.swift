/// A tree of JSON values of one type, which ``TreeBuilder`` makes from the reader's tokens.
package protocol JSONTree {
    associatedtype Members: JSONMembers where Members.Tree == Self

    static var null: Self { get }
    static func bool(_ value: Bool) -> Self
    static func string(_ value: String) -> Self
    static func array(_ elements: [Self]) -> Self
    /// - Parameter number: A number as written, which is known to be one.
    init(number: String)
    init(members: Members)
}

/// The members of an object; the last of duplicate keys wins.
package protocol JSONMembers<Tree> {
    associatedtype Tree

    init()
    subscript(key: String) -> Tree? { get set }
}

extension Dictionary: JSONMembers where Key == String {}

extension JSONTree {
    /// Reads the value at the cursor.
    init(_ reader: inout JSONReader) throws(Interruption) {
        var builder = TreeBuilder<Self>()
        self = try builder.value(&reader)
    }
}

/// Makes a tree from a value, without recursion: open containers are kept on a stack.
///
/// Containers nested too deep for the stack are still rejected: releasing, copying or merging the value takes a stack frame
/// per level.
struct TreeBuilder<Tree: JSONTree>: ValueVisitor {
    /// The number of levels, from the outermost, whose containers are kept for later calls of ``value(_:)``.
    private let keptLevels: Int
    /// The containers that were made, by their offsets: where they end, and their levels of containers.
    private var made = [Int: (end: Int, value: Tree, depth: Int)]()
    private var open: [OpenContainer] = []
    private var value = Tree.null
    /// The levels of containers of the last value.
    private var depth = 0

    init(keptLevels: Int = 0) { self.keptLevels = keptLevels }

    /// Reads the value at the cursor. A container that was kept is taken, inside of the value too, and kept no longer.
    mutating func value(_ reader: inout JSONReader) throws(Interruption) -> Tree {
        guard reader.byte == UInt8(ascii: "{") || reader.byte == UInt8(ascii: "[") else {
            return try TreeBuilder.scalar(&reader)
        }
        open = []
        try reader.walk(&self)
        defer { value = .null }
        return value
    }

    mutating func visit(_ reader: inout JSONReader) throws(Interruption) -> Bool {
        let known = made.isEmpty ? nil : made.removeValue(forKey: reader.offset)
        depth = known?.depth ?? 0
        // The first eight levels are read without a look at the stack.
        if open.count + depth >= 8, open.count + depth >= StackRoom().levels(of: JSONValue.bytesOfLevel) {
            throw reader.expected(.lessStack)
        }
        if let known {
            (value, reader.offset) = (known.value, known.end)
            return true
        }
        if reader.byte == UInt8(ascii: "{") || reader.byte == UInt8(ascii: "[") { return false }
        value = try TreeBuilder.scalar(&reader)
        return true
    }

    private static func scalar(_ reader: inout JSONReader) throws(Interruption) -> Tree {
        switch reader.byte {
        case UInt8(ascii: "\""): return .string(try reader.readString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Tree(number: try reader.scanNumber().string)
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool(try reader.readBool())
        case UInt8(ascii: "n"):
            try reader.readNull()
            return .null
        default: throw reader.expected(.value)
        }
    }

    mutating func enter(_ offset: Int, isObject: Bool) { open.append(OpenContainer(start: offset, isObject: isObject)) }

    mutating func began(_ key: StringToken?) { if let key { open[open.count - 1].key = key.string } }

    mutating func ended() { open[open.count - 1].add(value, depth) }

    mutating func leave(_ end: Int) {
        let container = open.removeLast()
        (value, depth) = (container.value, container.depth)
        if open.count < keptLevels { made[container.start] = (end, value, depth) }
    }

    /// A container being read. Changed in place on the stack, so that its storage is never copied.
    private struct OpenContainer {
        let start: Int
        let isObject: Bool
        /// The key of the member being read.
        var key = ""
        var elements: [Tree] = []
        var members = Tree.Members()
        /// The levels of containers, this one included.
        var depth = 1

        var value: Tree { isObject ? Tree(members: members) : .array(elements) }

        mutating func add(_ value: Tree, _ depth: Int) {
            self.depth = max(self.depth, depth + 1)
            if isObject { members[key] = value } else { elements.append(value) }
        }
    }
}

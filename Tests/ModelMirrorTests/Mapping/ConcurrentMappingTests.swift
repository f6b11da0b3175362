import ModelMirror
import Testing

/// A marker: each conforming type makes a separate class of every generic class below.
private protocol Tag: SendableMetatype { static var number: Int { get } }

private enum One: Tag { static let number = 1 }
private enum Two: Tag { static let number = 2 }
private enum Three: Tag { static let number = 3 }
private enum Four: Tag { static let number = 4 }
private enum Five: Tag { static let number = 5 }

/// Recursive, through itself and through another class.
private class Tree<First: Tag, Second: Tag>: AbstractModel {
    var label = ""
    var left: Tree?
    var right: Tree?
    var leaves: [Leaf<Second, First>] = []
    var byName: [String: Tree<Second, First>] = [:]
    var numbers: Set<Int> = []

    override class var keyStrategy: KeyStrategy { .custom { "\($0)\(First.number)\(Second.number)" } }
    override class var propertyConverters: [String: any Converter] { ["label": Marking(number: First.number)] }
}

private class Leaf<First: Tag, Second: Tag>: Branch<First> {
    var tree: Tree<Second, First>?
    var value = First.number * 10 + Second.number
}

private class Branch<First: Tag>: AbstractModel {
    var inherited = 0

    override class var requiredProperties: Set<String> { ["inherited"] }
}

/// An invalid class; every thread must receive its error.
private class Mistaken<First: Tag, Second: Tag>: AbstractModel {
    var label = ""

    override class var requiredProperties: Set<String> { ["lable"] }
}

private struct Marking: Converter {
    let number: Int
    func value(from json: JSONValue) throws -> String { "\(json.string ?? "none")\(number)" }
    func json(from value: String) throws -> JSONValue { .string(value) }
}

@Suite("Concurrent first mappings of the same classes")
struct ConcurrentMappingTests {
    private static let tags: [any Tag.Type] = [One.self, Two.self, Three.self, Four.self, Five.self]

    @Test("Concurrent first mappings of a class give every task correct objects")
    func trees() async throws {
        let results = try await inTasks { () throws -> [String] in
            var texts: [String] = []
            for first in Self.tags { for second in Self.tags { texts.append(try Self.map(first, second)) } }
            return texts
        }
        let expected = (1...5).flatMap { first in
            (1...5).map { second in
                "root\(first) l\(first) r\(first) [7/\(second)\(first) 8/9] inner\(second) [1, 2]"
            }
        }
        #expect(results == Array(repeating: expected, count: 8))
    }

    @Test("Concurrent first mappings of an invalid class give every task the same error")
    func mistakes() async throws {
        let results = try await inTasks { () throws -> [String] in
            var sentences: [String] = []
            for first in Self.tags { for second in Self.tags { sentences.append(Self.fail(first, second)) } }
            return sentences
        }
        let names = ["One", "Two", "Three", "Four", "Five"]
        let expected = names.flatMap { first in
            names.map { second in
                "Mistaken<\(first), \(second)> cannot be mapped: requiredProperties names \"lable\", which is not a "
                    + "stored property of Mistaken<\(first), \(second)> (did you mean \"label\"?)."
            }
        }
        #expect(results == Array(repeating: expected, count: 8))
    }

    /// Runs the body in eight tasks.
    private func inTasks(_ body: @escaping @Sendable () throws -> [String]) async throws -> [[String]] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { try body() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    private static func map<First: Tag, Second: Tag>(_: First.Type, _: Second.Type) throws -> String {
        let own = "\(First.number)\(Second.number)"
        let other = "\(Second.number)\(First.number)"
        let tree = try Tree<First, Second>(
            json: """
                {"label\(own)": "root", "left\(own)": {"label\(own)": "l"}, "right\(own)": {"label\(own)": "r"},
                 "leaves\(own)": [{"inherited": 7}, {"inherited": 8, "value": 9, "tree": {"numbers\(own)": [0]}}],
                 "byName\(own)": {"x": {"label\(other)": "inner"}}, "numbers\(own)": [2, 1]}
                """, options: .strict)
        let leaves = tree.leaves.map { "\($0.inherited)/\($0.value)" }.joined(separator: " ")
        return "\(tree.label) \(tree.left?.label ?? "") \(tree.right?.label ?? "") [\(leaves)] "
            + "\(tree.byName["x"]?.label ?? "") \(tree.numbers.sorted())"
    }

    private static func fail<First: Tag, Second: Tag>(_: First.Type, _: Second.Type) -> String {
        do {
            _ = try Mistaken<First, Second>(json: "{}")
            return "mapped"
        } catch {
            return error.description
        }
    }
}

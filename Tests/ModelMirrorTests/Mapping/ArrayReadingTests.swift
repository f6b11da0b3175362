import Foundation
import Synchronization
import Testing

@testable import ModelMirror

private final class Leaf: AbstractModel {
    var id = 0
}

private final class Lists: AbstractModel {
    var numbers: [Int] = [-1]
    var optionalNumbers: [Int]?
    var decimals: [Double] = []
    var texts: [String] = []
    var flags: [Bool]! = []
    var pairs: [[Double]] = []
    var optionalPairs: [[Int]]?
    var deep: [[[Int]]] = []
    var leaves: [Leaf] = []
    var optionalLeaves: [Leaf]?
    var rows: [[Leaf]] = []
}

private final class Singles: AbstractModel {
    var models: [Leaf] = []
    var set: Set<Int> = []
    var nested: [[Int]] = []
    var mixed: [[Int]] = []
    var optional: [Int]?
    var byName: [String: [Int]] = [:]
}

private final class Book: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["id"] }
}

private final class Shelf: AbstractModel {
    var items: [Book] = []
    override class var propertyRules: [String: any PropertyRule] { ["items": .count(1...)] }
}

/// Arrays whose elements follow the options of the mapping.
private final class Ruled: AbstractModel {
    var ratios: [Double] = []
    var pairs: [[Double]] = []
    var days: [Date]?
    var weeks: [[Date]] = []
    var counts: [Int] = []
}

private final class Node: AbstractModel {
    var id = 0
    var children: [Node] = []
    var next: [Node]?
}

/// Counts its living objects; used by a single test.
private final class Counted: AbstractModel {
    static let living = Mutex(0)
    var id = 0
    var parts: [Counted] = []

    required init() {
        super.init()
        Self.living.withLock { $0 += 1 }
    }
    deinit { Self.living.withLock { $0 -= 1 } }
}

@Suite("Arrays of scalars and models")
struct ArrayReadingTests {
    /// Every pattern of valid (true) and invalid elements, for arrays of up to six elements.
    private static let patterns: [[Bool]] = (0...6).flatMap { count in
        (0..<1 << count).map { bits in (0..<count).map { bits >> $0 & 1 == 1 } }
    }

    @Test("Invalid scalar elements are skipped and reported at any position")
    func scalars() throws {
        for pattern in Self.patterns {
            let array = "[" + pattern.enumerated().map { $1 ? "\($0)" : "\"x\"" }.joined(separator: " , ") + "]"
            let good = pattern.indices.filter { pattern[$0] }
            let bad = pattern.indices.filter { !pattern[$0] }
            for name in ["numbers", "optionalNumbers"] {
                let (lists, report) = try Lists.mapReporting(json: ExactBytes(#"{"\#(name)":\#(array)}"#))
                #expect((name == "numbers" ? lists.numbers : lists.optionalNumbers) == good)
                let skipped = report.entries.filter { $0.kind == .skipped }.map { "\($0.path)" }
                #expect(skipped == bad.map { "$.\(name)[\($0)]" })
            }
            let nested = ExactBytes(#"{"deep":[[\#(array),\#(array)],[]],"optionalPairs":[\#(array),7,\#(array)]}"#)
            let (lists, report) = try Lists.mapReporting(json: nested)
            #expect(lists.deep == [[good, good], []])
            #expect(lists.optionalPairs == [good, good])
            let paths = report.entries.filter { $0.kind == .skipped }.map { "\($0.path)" }
            var expected: [String] = []
            for list in ["deep[0][0]", "deep[0][1]", "optionalPairs[0]"] {
                expected += bad.map { "$.\(list)[\($0)]" }
            }
            expected.append("$.optionalPairs[1]")
            expected += bad.map { "$.optionalPairs[2][\($0)]" }
            #expect(paths == expected)
        }
    }

    @Test("Invalid model elements are skipped and reported at any position")
    func models() throws {
        for pattern in Self.patterns {
            let array =
                "[" + pattern.enumerated().map { $1 ? #"{"id":\#($0)}"# : "\($0)" }.joined(separator: ", ") + "]"
            let good = pattern.indices.filter { pattern[$0] }
            let document = ExactBytes(
                #"{"leaves":\#(array),"optionalLeaves":\#(array),"rows":[\#(array),[],\#(array)]}"#)
            let (lists, report) = try Lists.mapReporting(json: document)
            #expect((lists.leaves.map(\.id), lists.optionalLeaves?.map(\.id)) == (good, good))
            #expect(lists.rows.map { $0.map(\.id) } == [good, [], good])
            #expect(report.entries.filter { $0.kind == .skipped }.count == 4 * (pattern.count - good.count))
        }
    }

    @Test("A root array of a hundred elements keeps its order")
    func roots() throws {
        let ids = Array(0..<100)
        let text = "[" + ids.map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]"
        #expect(try [Leaf](json: ExactBytes(text)).map(\.id) == ids)
    }

    @Test("A non-array value keeps the default; null sets an Optional array to nil")
    func noArrays() throws {
        for value in ["1", "\"x\"", "{}", "true"] {
            let text =
                #"{"numbers":\#(value),"optionalNumbers":\#(value),"leaves":\#(value),"optionalLeaves":\#(value)}"#
            let (lists, report) = try Lists.mapReporting(json: text)
            #expect((lists.numbers, lists.optionalNumbers) == ([-1], nil))
            #expect(lists.leaves.isEmpty)
            #expect(report.entries.filter { $0.kind == .fallback }.count == 4)
        }
        let lists = try Lists(
            json: #"{"optionalNumbers":[1],"optionalNumbers":null,"flags":null,"optionalLeaves":null}"#)
        #expect(lists.optionalNumbers == nil)
        #expect(lists.flags == nil)
        #expect(lists.optionalLeaves == nil)
    }

    @Test("arraysFromSingleValues reads a single value as an array of one element")
    func singleValues() throws {
        let options = MappingOptions(arraysFromSingleValues: true)
        let text = """
            {"numbers":5,"optionalNumbers":6,"pairs":[1.5,[2]],"optionalPairs":7,"leaves":{"id":1},"optionalLeaves":{"id":2},
             "rows":[{"id":3},[{"id":4}]]}
            """
        let (lists, report) = try Lists.mapReporting(json: ExactBytes(text), options: options)
        #expect((lists.numbers, lists.optionalNumbers) == ([5], [6]))
        #expect(lists.pairs == [[1.5], [2]])
        #expect(lists.optionalPairs == [[7]])
        #expect((lists.leaves.map(\.id), lists.optionalLeaves?.map(\.id)) == ([1], [2]))
        #expect(lists.rows.map { $0.map(\.id) } == [[3], [4]])
        #expect(
            report.entries.filter { $0.kind == .coerced }.map { "\($0.path)" } == [
                "$.numbers", "$.optionalNumbers", "$.pairs[0]", "$.optionalPairs", "$.optionalPairs", "$.leaves",
                "$.optionalLeaves", "$.rows[0]",
            ])
        #expect(try [Leaf](json: #"{"id":8}"#, options: options).map(\.id) == [8])
        #expect(throws: ModelError.self) { try [Leaf](json: #"{"id":8}"#) }
        let (bad, refusals) = try Lists.mapReporting(
            json: #"{"numbers":"x","leaves":5,"texts":null}"#, options: options)
        #expect(bad.numbers == [-1] && bad.leaves.isEmpty && bad.texts == [])
        #expect(
            refusals.entries.filter { $0.kind == .fallback }.map { "\($0.path): \($0.expected)" } == [
                "$.numbers: an integer", "$.leaves: an object for Leaf", "$.texts: an array",
            ])
    }

    @Test("arraysFromSingleValues wraps any value except null, in lenient and strict mapping")
    func singleValuesEverywhere() throws {
        for options in [false, true].map({ MappingOptions(strict: $0, arraysFromSingleValues: true) }) {
            let (lists, report) = try Singles.mapReporting(
                json: """
                    {"models": {"id": 1}, "set": 5, "nested": 6, "mixed": [7, [8]], "optional": 9, "byName": {"x": 10}}
                    """, options: options)
            #expect(lists.models.map(\.id) == [1])
            #expect(lists.set == [5] && lists.nested == [[6]] && lists.mixed == [[7], [8]] && lists.optional == [9])
            #expect(lists.byName == ["x": [10]])
            #expect(
                report.entries.map { "\($0.kind) \($0.path)" } == [
                    "coerced $.models", "coerced $.set", "coerced $.nested", "coerced $.nested", "coerced $.mixed[0]",
                    "coerced $.optional", "coerced $.byName.x",
                ])
            #expect(try [Leaf](json: #"{"id": 1}"#, options: options).map(\.id) == [1])
            #expect(try JSONMapper.value([Int].self, from: "5", options: options) == [5])
        }
        let single = MappingOptions(arraysFromSingleValues: true)
        #expect(
            try Lists.mapReporting(json: #"{"numbers": 5}"#, options: single).report.entries
                .filter { $0.kind == .coerced }.map(\.description) == [
                    "coerced: Lists.numbers at $.numbers (line 1, column 13): expected an array, found the number 5."
                ])
        #expect(try Singles(json: #"{"optional": null}"#, options: single).optional == nil)
        #expect(
            Thrown.text { try [Leaf](json: "null", options: single) }
                == "Leaf at $ (line 1, column 1): expected an array, found null.")
        #expect(
            Thrown.text {
                try Singles(
                    json: #"{"set": null}"#, options: MappingOptions(strict: true, arraysFromSingleValues: true))
            }
                == "Singles.set at $.set (line 1, column 9): expected an array, found null.")
    }

    @Test("An invalid single value is not treated as a partly read array")
    func refusedSingle() throws {
        let options = MappingOptions(arraysFromSingleValues: true)
        let (shelf, report) = try Shelf.mapReporting(json: #"{"items": {}}"#, options: options)
        #expect(shelf.items.isEmpty)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["missing $.items.id", "fallback $.items"])
        #expect(
            Thrown.error { try Shelf(json: #"{"items": [{}]}"#, options: options) }?.description.contains(
                "at $.items (") == true)
    }

    @Test("Mapping options apply to the elements of arrays and nested arrays")
    func rules() throws {
        let options = MappingOptions(dates: .secondsSince1970, nonFiniteNumbers: .strings)
        let text = """
            {"ratios":["Infinity",1],"pairs":[["-Infinity"],[2]],"days":[86400],"weeks":[[0],[]],"counts":[3]}
            """
        let ruled = try Ruled(json: text, options: options)
        #expect(ruled.ratios == [.infinity, 1])
        #expect(ruled.pairs == [[-.infinity], [2]])
        #expect(ruled.days == [Date(timeIntervalSince1970: 86400)])
        #expect(ruled.weeks == [[Date(timeIntervalSince1970: 0)], []])
        #expect(ruled.counts == [3])
        let plain = try Ruled(json: text)
        #expect(plain.ratios == [1] && plain.pairs == [[], [2]] && plain.days == [] && plain.weeks == [[], []])
    }

    @Test("Arrays of every scalar type keep their values and order", arguments: [0, 1, 2, 3, 4, 5, 9, 33])
    func kinds(_ count: Int) throws {
        let numbers = (0..<count).map { $0 * 7 - 3 }
        let texts = numbers.map { "\($0) — é" }
        let text = """
            {"numbers":\(numbers), "decimals":\(numbers.map { Double($0) / 4 }), "texts":\(texts),
             "flags":\(numbers.map { $0 > 0 }), "pairs":\(numbers.map { [Double($0), 0.5] })}
            """
        let lists = try Lists(json: ExactBytes(text))
        #expect(lists.numbers == numbers)
        #expect(lists.decimals == numbers.map { Double($0) / 4 })
        #expect(lists.texts == texts)
        #expect(lists.flags == numbers.map { $0 > 0 })
        #expect(lists.pairs == numbers.map { [Double($0), 0.5] })
    }

    @Test("Random trees of nested model arrays round-trip unchanged", arguments: [1, 2, 3] as [UInt64])
    func trees(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var count = 0
        func tree(_ depth: Int) -> Node {
            let node = Node()
            (node.id, count) = (count, count + 1)
            guard depth > 0 else { return node }
            node.children = (0..<generator.below(4)).map { _ in tree(depth - 1) }
            if generator.below(2) == 0 { node.next = (0..<generator.below(3)).map { _ in tree(depth - 1) } }
            return node
        }
        let roots = (0..<20).map { _ in tree(5) }
        let text = try roots.jsonData()
        let read = try [Node](json: text)
        #expect(read.count == roots.count)
        #expect(zip(read, roots).allSatisfy { $0.isEqual(to: $1) })
        #expect(try read.jsonData() == text)
    }

    @Test("Objects of an array that fails to map are released")
    func released() throws {
        let part = #"{"id":1,"parts":[{"id":2},{"id":3}]}"#
        do {
            let whole = try [Counted](json: "[\(part),\(part)]")
            #expect(whole.count == 2)
            // Optimized code releases what is not used any more.
            withExtendedLifetime(whole) {
                #expect(Counted.living.withLock { $0 } == 6)
            }
        }
        #expect(Counted.living.withLock { $0 } == 0)
        for broken in [
            "[\(part),\(part)", "[\(part),\(part),]", "[\(part),\(part.dropLast(2))",
            "[\(part),{\"id\":1,\"parts\":[{\"id\":2},{",
            "[\(part),7]",
        ] {
            #expect(throws: ModelError.self) { try [Counted](json: broken) }
            #expect(Counted.living.withLock { $0 } == 0)
        }
    }
}

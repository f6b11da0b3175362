#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import ModelMirror
import Synchronization
import Testing

private class Loose: AbstractModel {
    var id = 0
    var name = ""
    var values: [Int] = []
    var members: [String: [Int]] = [:]
    var json: JSONValue?
    var nest: Loose?
    var named: [String: Loose] = [:]
}

/// Counts its objects, and the questions to its hooks, which are exact as times are not.
private class Counted: AbstractModel {
    @TaskLocal static var work: Work?

    final class Work: Sendable { let count = Atomic(0) }

    required init() {
        super.init()
        Counted.work?.count.add(1, ordering: .relaxed)
    }
}

private class Hooked: Counted {
    var values: [Int] = []
    var need = 0
    var nest: Hooked?
    override class var requiredProperties: Set<String> { ["need"] }
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        Counted.work?.count.add(1, ordering: .relaxed)
        return value != nil
    }
}

private class Demanding: Counted {
    var id: Int!
    var values: [Int] = []
    var nest: Demanding?
    override class var requiredProperties: Set<String> { ["id", "nest"] }
}

private class Aliased: Counted {
    var values: [Int] = []
    var nest: Aliased?
    override class var propertyKeys: [String: PropertyKey] { ["nest": ["nest", "child"]] }
}

private class Pathed: Counted {
    var values: [Int] = []
    var nest: Pathed?
    override class var propertyKeys: [String: PropertyKey] { ["nest": .path("a", "b")] }
}

private class Ruled: Counted {
    var values: [Int] = []
    var kids: [Ruled] = []
    override class var propertyRules: [String: any PropertyRule] {
        ["kids": .each(.check("one with values") { @Sendable (kid: Ruled) in !kid.values.isEmpty })]
    }
}

private class Inner: Counted { var x = 0 }

private class Flat: Counted {
    var values: [Int] = []
    var nest: Flat?
    var inner: Inner?
    var rest: [String: Int] = [:]
    override class var flattenedProperties: Set<String> { ["inner", "rest"] }
}

private class FlatRest: Counted {
    var values: [Int] = []
    var rest: [String: FlatRest] = [:]
    override class var flattenedProperties: Set<String> { ["rest"] }
}

private class Shape: Counted, DynamicTypeModel {
    var kind = ""
    var values: [Int] = []
    var nest: Shape?
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self] }
    class var typeNameProperty: String { "kind" }
}

private class Circle: Shape {}

private class Chosen: Counted, DynamicTypeModel {
    var values: [Int] = []
    var nest: Chosen?
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? { Choice.self }
}

private class Choice: Chosen {}

private class Tagged: Counted {
    var kind = ""
    var values: [Int] = []
    var nest: Tagged?
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["nest": DynamicPropertyTypes(named: "kind", ["tagged": Tagged.self])]
    }
}

private class Fitting: AbstractModel {
    var count = 0
    override class var propertyKeys: [String: PropertyKey] { ["count": .firstFitting(["count", "total"])] }
}

private class Kind: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["kind": Kind.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .skip }
}

private class Cage: AbstractModel {
    var kinds: [Kind] = []
    override class var propertyRules: [String: any PropertyRule] { ["kinds": .count(1...)] }
}

private class Cages: AbstractModel { var cages: [Cage] = [] }

/// Keeps unknown type names, of itself and of the class of a property.
private class Keeping: AbstractModel, DynamicTypeModel {
    var nest: Tagged?
    var rest: [String: JSONValue] = [:]
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["kept": Keeping.self] }
    override class var unknownKeysProperty: String? { "rest" }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["nest": DynamicPropertyTypes(named: "tag", ["tagged": Tagged.self])]
    }
}

private class Checked: AbstractModel {
    var values: [Int] = []
    var missing: Int?
    override func validateModel(_ validation: inout ModelValidation) {
        for _ in values {
            validation.fail("values", expected: "others")
            validation.fail("missing", expected: "a value")
        }
    }
}

private struct Mark: RawRepresentable, Hashable { var rawValue: String }

private class Dot: AbstractModel, ModelHashable {
    var place: [Int] = []
}

private class Marked: AbstractModel, ModelHashable {
    var mark = Mark(rawValue: "")
}

private class Board: AbstractModel {
    var dots: Set<Dot> = []
    var marked: Set<Marked> = []
    var list: [Marked] = []
    override class var propertyRules: [String: any PropertyRule] { ["list": .unique] }
}

/// Reads one value for two properties.
private class Twice: AbstractModel {
    var left: Twice?
    var right: Twice?
    override class var propertyKeys: [String: PropertyKey] { ["left": "child", "right": "child"] }
}

private class Through: AbstractModel {
    var child: Through?
    var grandchild: Through?
    override class var propertyKeys: [String: PropertyKey] { ["grandchild": .path("child", "child")] }
}

private class Part: AbstractModel { var child: Parted? }

private class Parted: AbstractModel {
    var child: Parted?
    var part: Part?
    override class var flattenedProperties: Set<String> { ["part"] }
    override class var sharedKeys: Set<String> { ["child"] }
}

/// Documents made to cost more than their size: four times the document may take about four times the work, not sixteen.
@Suite("Hostile documents")
struct HostileTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let size: Int
        /// Builds the document and returns a closure that maps it.
        let prepare: @Sendable (Int) throws -> () throws -> Void

        init(_ name: String, _ size: Int, _ prepare: @escaping @Sendable (Int) throws -> () throws -> Void) {
            (testDescription, self.size, self.prepare) = (name, size, prepare)
        }

        /// The CPU time of this thread, the least of three runs.
        func seconds(_ size: Int) throws -> Double {
            let run = try prepare(size)
            return try (0..<3).map { _ in
                let start = HostileTests.cpuSeconds
                try run()
                return HostileTests.cpuSeconds - start
            }.min() ?? 0
        }
    }

    static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func levels<Model: AbstractModel>(
        _ name: String, _ model: Model.Type, _ open: String, _ close: String = "}", inner: String = "{}"
    ) -> Attack {
        Attack(name, 50) { count in
            let opening = "{" + #""values":["# + String(repeating: "1,", count: 500) + "1]," + open
            let json = String(repeating: opening, count: count) + inner + String(repeating: close, count: count)
            return { _ = try? Model(json: json) }
        }
    }

    private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static var attacks: [Attack] {
        [
            Attack("Report of invalid elements under a long key", 5000) { size in
                let json = #"{"members":{""# + times("k", size * 20) + #"":["# + times(#""x","#, size) + "1]}}"
                return { _ = try Loose.mapReporting(json: json).report.entries.map(\.found) }
            },
            Attack("Report of invalid elements at every level", 40) { size in
                let level = #"{"values":["# + times(#""x","#, 100) + #"1],"nest":"#
                let json = times(level, size) + "{}" + times("}", size)
                return { _ = try Loose.mapReporting(json: json).report.entries.map(\.found) }
            },
            Attack("Merge of duplicates into a large value", 250) { size in
                let old = #"{"json":{"# + (0..<size).map { #""k\#($0)":1"# }.joined(separator: ",") + "}}"
                let patch = "{" + times(#""json":{"a":1},"#, size) + #""json":{"a":2}}"#
                return { try Loose(json: old).merge(patch: patch) }
            },
            Attack("Duplicates of a member updated in place", 250) { size in
                let old =
                    #"{"named":{"a":{"named":{"# + (0..<size).map { #""k\#($0)":{}"# }.joined(separator: ",") + "}}}}"
                let patch = #"{"named":{"# + times(#""a":{"id":1},"#, size) + #""a":{"id":2}}}"#
                return { try Loose(json: old).update(json: patch, options: MappingOptions(updatesNestedInPlace: true)) }
            },
            Attack("Repaired duplicates", 2000) { size in
                let json = "{" + times(#""id":"x","name":[],"id":1,"name":"","#, size) + #""id":1}"#
                return { _ = try Loose(json: json) }
            },
            Attack("Duplicates of a first key that does not fit", 2000) { size in
                let json = "{" + times(#""count":[],"#, size) + #""total":1}"#
                return { _ = try Fitting(json: json) }
            },
            Attack("Duplicates rejected by strict mapping", 2000) { size in
                let json = "{" + times(#""id":1,"#, size) + #""id":1}"#
                return { _ = try? Loose(json: json, options: MappingOptions(strict: true)) }
            },
            Attack("Report of models rejected at every level", 40) { size in
                let level = #"{"need":1,"values":["# + times(#""x","#, 100) + #"1],"nest":"#
                let json = times(level, size) + "{}" + times("}", size)
                return { _ = try? Hooked.mapReporting(json: json) }
            },
            Attack("Rules broken by collections without elements", 2000) { size in
                let json = #"{"cages":["# + times(#"{"kinds":[{"type":"x"}]},"#, size) + "{}]}"
                return { _ = try Cages(json: json) }
            },
            Attack("Repeated unknown type names", 500) { size in
                let json = "{" + times(#""a":0,"#, size) + times(#""kind":"x","tag":"x","#, size) + #""a":0}"#
                return { _ = try Keeping(json: json) }
            },
            Attack("A misspelled key at every level", 100) { size in
                let level = #"{"iD_":1,"values":["# + times("1,", 500) + #"1],"nest":"#
                let json = times(level, size) + "{}" + times("}", size)
                return { _ = try? Demanding(json: json, options: MappingOptions(failures: .max)) }
            },
            Attack("Failures of validateModel beside many keys", 200) { size in
                let json = "{" + times(#""a":0,"#, size * 10) + #""values":["# + times("1,", size) + "1]}"
                return { _ = try? Checked(json: json) }
            },
            Attack("Sets and unique lists of models", 250) { size in
                let dots = (0..<size).map { #"{"place":[\#($0)]}"# }.joined(separator: ",")
                let marked = (0..<size).map { #"{"mark":"\#($0)"}"# }.joined(separator: ",")
                let json = #"{"dots":[\#(dots)],"marked":[\#(marked)],"list":[\#(marked)]}"#
                return { _ = try Board(json: json, options: .strict) }
            },
        ] + nested
    }

    /// Classes in each other.
    static var nested: [Attack] {
        [
            levels("Models rejected by a hook at every level", Hooked.self, #""need":1,"nest":"#),
            levels("Null for a required property at every level", Demanding.self, #""id":null,"nest":"#),
            levels("An alias at every level", Aliased.self, #""child":"#),
            levels("A key path at every level", Pathed.self, #""a":{"b":"#, "}}"),
            levels("Flattened properties at every level", Flat.self, #""x":1,"y":2,"nest":"#),
            levels("Members of a flattened dictionary in each other", FlatRest.self, #""a":"#),
            levels("A rule broken at every level", Ruled.self, #""kids":[{},"#, "]}"),
            levels(
                "A type name that comes last", Shape.self, #""nest":"#, #","kind":"circle"}"#,
                inner: #"{"kind":"circle"}"#),
            levels("A type selected by dynamicType(for:)", Chosen.self, #""nest":"#),
            levels("A type name beside the property that comes last", Tagged.self, #""nest":"#, #","kind":"tagged"}"#),
        ]
    }

    @Test("A hostile document four times as large takes less than nine times the CPU time", arguments: attacks)
    func growth(_ attack: Attack) throws {
        // Warms up tables and caches.
        _ = try attack.seconds(4)
        var (small, large) = (Double.infinity, Double.infinity)
        // The least times of up to ten turns, since other work on the machine adds to them.
        for _ in 0..<10 where large >= small * 9 {
            small = min(small, try attack.seconds(attack.size))
            large = min(large, try attack.seconds(attack.size * 4))
        }
        #expect(large < small * 9, "\(small) s, then \(large) s")
    }

    @Test("Each level of nesting makes the same number of objects and hook calls", arguments: nested)
    func work(_ attack: Attack) throws {
        let counts = try [4, 10, 20, 30].map { size in
            let run = try attack.prepare(size)
            let work = Counted.Work()
            try Counted.$work.withValue(work) { try run() }
            return work.count.load(ordering: .relaxed)
        }
        // The first makes the tables.
        #expect(counts[3] - counts[2] == counts[2] - counts[1] && counts[2] >= counts[1] + 10, "\(counts)")
    }

    @Test("Values that two properties read are read a limited number of times")
    func rereads() throws {
        func json(_ levels: Int) -> String {
            HostileTests.times(#"{"child":"#, levels) + "{}" + HostileTests.times("}", levels)
        }
        func expectFault(_ read: () throws -> Void) throws {
            let error = #expect(throws: ModelError.self) { try read() }
            let fault = try #require(error?.syntaxError)
            #expect(fault.code == .depth)
            #expect(fault.parameters == ["limit": 100])
            #expect(
                fault.expected
                    == "less nesting of values that are read again (the document takes more than a hundred readings)")
        }
        try expectFault { _ = try Twice(json: json(60)) }
        try expectFault { _ = try Through(json: json(60)) }
        try expectFault { _ = try Parted(json: json(60)) }
        // What a patch brings is read as a document of its own.
        let report = try Twice().merge(patch: json(60))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["fallback $.child", "fallback $.child"])
        // Few levels are read.
        let twice = try Twice(json: json(6))
        #expect(twice.left?.right?.left?.right?.left?.right != nil)
        #expect(twice.isEqual(to: try Twice(json: json(6))))
        let through = try Through(json: json(6))
        #expect(through.child?.grandchild != nil && through.grandchild?.grandchild?.grandchild != nil)
        let parted = try Parted(json: json(6))
        #expect(parted.part?.child?.part?.child != nil && parted.child?.child?.part?.child != nil)
    }

    // MARK: Results that the fast paths must keep

    @Test("The last applicable duplicate in a merge patch wins")
    func patches() throws {
        let loose = try Loose(json: #"{"json":{"a":1,"b":2},"members":{"x":[1]}}"#)
        let report = try loose.merge(patch: #"{"json":{"a":null},"json":{"c":3},"members":{"y":[2]},"members":7}"#)
        #expect(loose.json == ["a": 1, "b": 2, "c": 3])
        #expect(loose.members == ["x": [1], "y": [2]])
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "skipped $.json", "skipped $.members", "fallback $.members",
            ])
        try loose.merge(patch: #"{"json":{"a":5},"json":[1]}"#)
        #expect(loose.json == [1])
        try loose.merge(patch: #"{"json":{"a":5},"json":null,"members":{"x":null,"y":["z"]}}"#)
        #expect(loose.json == nil)
        #expect(loose.members == ["x": [1], "y": [2]])
    }

    @Test("The last duplicate member of a dictionary is updated in place")
    func filled() throws {
        let loose = try Loose(json: #"{"named":{"a":{"id":1,"name":"x"},"b":{"id":2}}}"#)
        let inPlace = MappingOptions(updatesNestedInPlace: true)
        try loose.update(json: #"{"named":{"a":{"id":7,"name":"y"},"a":{"id":8},"b":{"id":3}}}"#, options: inPlace)
        #expect(loose.named["a"]?.id == 8 && loose.named["a"]?.name == "x" && loose.named["b"]?.id == 3)
    }

    @Test("shouldFail receives the whole value after nested hooks received its parts")
    func hooks() throws {
        class Noting: AbstractModel {
            nonisolated(unsafe) static var seen: [JSONValue] = []
            var nest: Noting?
            var other: Noting?
            var need = 0
            override class var requiredProperties: Set<String> { ["need"] }
            override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
                if let value, let json = try? JSONValue(any: value) { Noting.seen.append(json) }
                return value != nil
            }
        }
        let inner = #"{"need":[],"list":[[],{},{"a":[1,null,true]}],"text":"x"}"#
        let middle = #"{"need":1,"other":\#(inner),"nest":{"x":2}}"#
        _ = try? Noting(json: #"{"need":1,"nest":\#(middle)}"#)
        let values = [JSONValue.array([]), try JSONValue(json: inner), ["x": 2], try JSONValue(json: middle)]
        #expect(Set(Noting.seen).isSubset(of: Set(values)) && Noting.seen.last == values[3])
    }

    @Test("A path in a report equals a path built from its steps")
    func paths() throws {
        let json = #"{"nest":{"named":{"a b":{"values":[1,"x","y"]}}},"unknown":1}"#
        let entries = try Loose.mapReporting(json: json).report.entries
        let paths = entries.filter { $0.kind == .skipped }.map(\.path)
        #expect(paths == [["nest", "named", "a b", "values", 1], ["nest", "named", "a b", "values", 2]])
        #expect(Set(paths).contains(["nest", "named", "a b", "values", 2]))
        var longer = try #require(paths.first)
        longer.steps.append("z")
        #expect("\(longer)" == #"$.nest.named["a b"].values[1].z"#)
        #expect(paths[0].steps.count == 5)
    }
}

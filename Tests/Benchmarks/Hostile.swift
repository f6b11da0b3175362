import Foundation
import ModelMirror

/// Documents built to cost more than their size, at four sizes each, and how time and memory grow with the size.
///
///     swift run -c release Benchmarks hostile            all attacks
///     swift run -c release Benchmarks hostile alias      the attacks whose names contain the word
///
/// Prints the exponent of time and of memory: 1 is linear, 2 quadratic. Time also grows where the objects leave the processor's
/// caches and need new pages, so where its exponent is above 1.1, that of the instructions is printed and decides (with valgrind on
/// Linux x86-64). Exits with 1 if an exponent is above 1.1 and the attack has no bound. Each attack runs in child processes; memory is
/// the kernel's peak (Linux only).
enum Hostile {
    /// An attack: its name, and a closure that prepares a document of about the given size.
    struct Attack {
        let name: String
        /// The largest size; the others are a half, a quarter and an eighth of it.
        var bytes = 1 << 21
        /// The option that bounds an attack that grows faster in the standard library.
        var bound: String?
        /// Creates the document, and returns a closure that reads it.
        let prepare: (Int) throws -> () throws -> Void
    }

    /// Runs the attacks whose names contain a word, and prints a line for each.
    ///
    /// - Returns: Whether no attack without a bound grows faster than linearly.
    static func run(_ word: String?) throws -> Bool {
        var isLinear = true
        print("attack".padded(48) + "bytes      time     memory    exponents of time and memory")
        for attack in attacks where word.map({ attack.name.contains($0) }) ?? true {
            let costs = try [8, 4, 2, 1].map { try cost(attack.name, attack.bytes / $0) }
            let time = exponent(costs.map(\.seconds))
            let memory = exponent(costs.map { Double(max($0.bytes, 1 << 20)) })
            var growth = String(format: "%.2f  %.2f", time, memory)
            var work = time
            if time > 1.1, InstructionProfile.isAvailable {
                // A sixteenth of the sizes, since valgrind is about 50 times as slow.
                work = exponent(
                    try [128, 64, 32, 16].map {
                        Double(try InstructionProfile.count(["hostile-count", attack.name, "\(attack.bytes / $0)"]))
                    })
                growth += String(format: "  instructions %.2f", work)
            }
            let isFast = work <= 1.1 && memory <= 1.1
            if !isFast, attack.bound == nil { isLinear = false }
            let last = costs[3]
            print(
                attack.name.padded(48) + "\(attack.bytes)".padded(10) + " \(Int(last.seconds * 1000)) ms".padded(10)
                    + " \(last.bytes >> 20) MB".padded(10) + growth
                    + (isFast ? "" : attack.bound.map { "  bounded by \($0)" } ?? "  GROWS TOO FAST"))
        }
        return isLinear
    }

    /// Runs in the child process: prints the seconds and the bytes of one run.
    static func child(_ name: String, _ size: Int) throws {
        guard let attack = attacks.first(where: { $0.name == name }) else { return }
        // One small run first, so that the property tables exist.
        try attack.prepare(2000)()
        let run = try attack.prepare(size)
        var best = Double.infinity
        let before = try residentBytes().now
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        for _ in 0..<3 {
            let start = cpuSeconds()
            try run()
            best = min(best, cpuSeconds() - start)
            if best > 2 { break }
        }
        print(best, max(try residentBytes().peak - before, 0))
    }

    /// Runs in the child process under valgrind.
    static func counted(_ name: String, _ size: Int) throws {
        guard let attack = attacks.first(where: { $0.name == name }) else { return }
        try attack.prepare(2000)()
        try InstructionProfile.countedByCallgrind(attack.prepare(size))
    }

    private static func cost(_ name: String, _ size: Int) throws -> (seconds: Double, bytes: Int) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["hostile-child", name, "\(size)"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let words = text.split(whereSeparator: \.isWhitespace)
        guard process.terminationStatus == 0, words.count == 2, let seconds = Double(words[0]),
            let bytes = Int(words[1])
        else {
            print("\(name): the process exited with \(process.terminationStatus) at \(size) bytes")
            return (.infinity, 0)
        }
        return (seconds, bytes)
    }

    /// The slope of the logarithms, over sizes that double.
    private static func exponent(_ costs: [Double]) -> Double {
        let logs = costs.map { log2(max($0, 1e-6)) }
        let mean = logs.reduce(0, +) / Double(logs.count)
        let slope = logs.enumerated().reduce(0) { $0 + (Double($1.offset) - 1.5) * ($1.element - mean) }
        return slope / 5
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func residentBytes() throws -> (now: Int, peak: Int) {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }
        return (value("VmRSS:"), value("VmHWM:"))
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(width - count, 1)) }

    fileprivate func times(_ count: Int) -> String { String(repeating: self, count: count) }
}

// MARK: Classes

private class Plain: AbstractModel {
    var id = 0
    var name = ""
    var date: Date?
    var link: URL?
    var number = 0.0
    var decimal: Decimal?
    var data: Data?
    var values: [Int] = []
    var members: [String: [Int]] = [:]
    var names: Set<String> = []
    var json: JSONValue?
    var nest: Plain?
    var nests: [Plain] = []
    var named: [String: Plain] = [:]
}

private class Hooked: AbstractModel {
    var junk: [Int] = []
    var nest: Hooked?
    var need = 0
    override class var requiredProperties: Set<String> { ["need"] }
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { true }
}

private class Demanding: AbstractModel {
    var id: Int!
    var values: [Int] = []
    var nest: Demanding!
    override class var requiredProperties: Set<String> { ["id", "nest"] }
}

private class Validated: AbstractModel {
    var id = 0
    var values: [Int] = []
    var nest: Validated?
    override class var requiredProperties: Set<String> { ["nest"] }
    override func validateModel(_ validation: inout ModelValidation) { validation.fail("id", expected: "a better one") }
}

private class Aliased: AbstractModel {
    var values: [Int] = []
    var nest: Aliased?
    override class var propertyKeys: [String: PropertyKey] { ["nest": ["nest", "child"]] }
}

private class Pathed: AbstractModel {
    var values: [Int] = []
    var nest: Pathed?
    override class var propertyKeys: [String: PropertyKey] { ["nest": .path("a", "b")] }
}

private class Shape: AbstractModel, DynamicTypeModel {
    var kind = ""
    var values: [Int] = []
    var nest: Shape?
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self] }
    class var typeNameProperty: String { "kind" }
}
private class Circle: Shape {}

private class Chosen: AbstractModel, DynamicTypeModel {
    var values: [Int] = []
    var nest: Chosen?
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? { Choice.self }
    class var typeNameProperty: String { "" }
}
private class Choice: Chosen {}

private class Tagged: AbstractModel {
    var kind = ""
    var values: [Int] = []
    var nest: Tagged?
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["nest": DynamicPropertyTypes(named: "kind", ["tagged": Tagged.self])]
    }
}

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

private class Holder: AbstractModel {
    var members: [String: JSONValue] = [:]
    var text: Plain?
    var tree: Tree?
    override class var propertyConverters: [String: any Converter] { ["text": .embeddedJSON] }
}

private struct Tree: Codable {
    var next: Box?
    var values: [Int]?
    final class Box: Codable {
        var tree: Tree
        init(_ tree: Tree) { self.tree = tree }
        init(from decoder: any Decoder) throws { tree = try Tree(from: decoder) }
        func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }
    }
}

// MARK: Attacks

extension Hostile {
    /// Nested levels of about equal size: work that each level repeats for everything inside it is quadratic.
    private static func nested(_ size: Int, open: String, close: String, inner: String = "{}", most: Int = 400)
        -> String
    {
        let level = open.utf8.count + close.utf8.count
        let count = min(max(size / level, 2), most)
        // Doubling the size doubles the number of levels, each of the same size.
        return open.times(count) + inner + close.times(count)
    }

    /// Fills a level, so that 400 levels have the size.
    private static let junk = #""values":["# + "1,".times(2000) + "1],"

    private static func reads<Model: AbstractModel>(
        _ model: Model.Type, _ name: String, bytes: Int = 1 << 21, bound: String? = nil,
        options: MappingOptions = .init(),
        _ make: @escaping (Int) -> String
    ) -> Attack {
        Attack(name: name, bytes: bytes, bound: bound) { size in
            let json = Data(make(size).utf8)
            return { _ = try? Model(json: json, options: options) }
        }
    }

    private static func reports<Model: AbstractModel>(
        _ model: Model.Type, _ name: String, bytes: Int = 1 << 21, options: MappingOptions = .init(),
        _ make: @escaping (Int) -> String
    ) -> Attack {
        Attack(name: name, bytes: bytes) { size in
            let json = Data(make(size).utf8)
            return {
                if let report = try? Model.mapReporting(json: json, options: options).report {
                    _ = report.entries.count
                }
            }
        }
    }

    private static let strict = MappingOptions(strict: true)
    private static let inPlace = MappingOptions(updatesNestedInPlace: true)
    private static let marks = (0x0300...0x036F).compactMap { UnicodeScalar($0 as UInt32) }

    /// Combining marks of several classes, which Unicode sorts.
    private static func combining(_ size: Int) -> String {
        var text = "a"
        for index in 0..<size / 2 { text.unicodeScalars.append(marks[(index &* 7919) % marks.count]) }
        return text
    }

    static var attacks: [Attack] {
        [
            // Reports.
            reports(Plain.self, "report: bad elements under a long key") {
                #"{"members":{""# + "k".times($0 / 2) + #"":["# + #""x","#.times($0 / 8) + "1]}}"
            },
            reports(Plain.self, "report: bad elements, deep") {
                nested(100_000, open: #"{"nest":"#, close: "}", inner: #"{"values":["# + #""x","#.times($0 / 4) + "1]}")
            },
            reports(Plain.self, "report: bad elements in each level") {
                nested($0, open: #"{"values":["# + #""x","#.times(1200) + #"1],"nest":"#, close: "}")
            },
            reports(Plain.self, "report: unknown keys in each level") {
                nested($0, open: "{" + #""x":1,"#.times(800) + #""nest":"#, close: "}")
            },
            reports(Hooked.self, "report: rejected models in each level") {
                nested($0, open: #"{"junk":["# + #""x","#.times(1200) + #"1],"need":1,"nest":"#, close: "}")
            },
            Attack(name: "update: bad elements under a long key") { size in
                let json = #"{"members":{""# + "k".times(size / 2) + #"":["# + #""x","#.times(size / 8) + "1]}}"
                return { _ = try? Plain().update(json: json) }
            },
            // Duplicates.
            reads(Plain.self, "duplicates: repaired") {
                "{" + #""id":"x","name":[],"id":1,"name":"","#.times($0 / 34) + #""id":1}"#
            },
            reads(Plain.self, "duplicates: strict", options: strict) { "{" + #""id":1,"#.times($0 / 7) + #""id":1}"# },
            reads(Plain.self, "duplicates: strict, in a dictionary", options: strict) {
                #"{"members":{"# + #""a":[],"#.times($0 / 7) + #""a":[]}}"#
            },
            reports(Plain.self, "duplicates: reported") { "{" + #""id":1,"#.times($0 / 7) + #""id":1}"# },
            reads(Aliased.self, "duplicates: an alias") {
                "{" + #""nest":{},"child":{},"#.times($0 / 21) + #""nest":{}}"#
            },
            Attack(name: "merge: duplicates against a large value", bytes: 1 << 19) { size in
                let old = #"{"members":{"# + (0..<size / 16).map { #""k\#($0)":1"# }.joined(separator: ",") + "}}"
                let patch = "{" + #""members":{"a":1},"#.times(size / 18) + #""members":{"a":2}}"#
                return {
                    let holder = try Holder(json: old)
                    _ = try? holder.merge(patch: patch)
                }
            },
            Attack(name: "update in place: duplicates of a dictionary", bytes: 1 << 19) { size in
                let old = #"{"named":{"a":{"values":["# + "1,".times(size / 4) + "1]}}}"
                let patch = #"{"named":{"# + #""a":{"id":1},"#.times(size / 13) + #""a":{}}}"#
                return {
                    let plain = try Plain(json: old)
                    _ = try? plain.update(json: patch, options: inPlace)
                }
            },
            Attack(name: "update in place: duplicates in the innermost level") { size in
                let old = nested(100_000, open: #"{"nest":"#, close: "}")
                let patch = nested(
                    100_000, open: #"{"nest":"#, close: "}",
                    inner: "{" + #""nest":{},"#.times(size / 10) + #""nest":{}}"#, most: 399)
                return {
                    let plain = try Plain(json: old)
                    _ = try plain.update(json: patch, options: inPlace)
                }
            },
            reads(Keeping.self, "duplicates: kept type names", bytes: 1 << 19) {
                "{" + #""a":0,"#.times($0 / 12) + #""kind":"x","tag":"x","#.times($0 / 42) + #""a":0}"#
            },
            // Levels.
            reads(Hooked.self, "levels: rejected by hooks") {
                nested($0, open: #"{"junk":["# + "1,".times(2000) + #"1],"need":1,"nest":"#, close: "}")
            },
            reads(Demanding.self, "levels: null in required properties") {
                nested($0, open: "{" + junk + #""id":null,"nest":"#, close: "}")
            },
            reads(Validated.self, "levels: rejected by validation") {
                nested($0, open: "{" + junk + #""id":1,"nest":"#, close: "}", inner: #"{"id":1}"#)
            },
            reads(Aliased.self, "levels: alias") { nested($0, open: "{" + junk + #""child":"#, close: "}") },
            reads(Pathed.self, "levels: path") { nested($0, open: "{" + junk + #""a":{"b":"#, close: "}}") },
            reads(Shape.self, "levels: type name last") {
                nested($0, open: "{" + junk + #""nest":"#, close: #","kind":"circle"}"#, inner: #"{"kind":"circle"}"#)
            },
            reads(Chosen.self, "levels: type by a function") { nested($0, open: "{" + junk + #""nest":"#, close: "}") },
            reads(Tagged.self, "levels: type beside the property, last") {
                nested($0, open: "{" + junk + #""nest":"#, close: #","kind":"tagged"}"#)
            },
            reads(Plain.self, "levels: models") { nested($0, open: "{" + junk + #""nest":"#, close: "}") },
            reads(Plain.self, "levels: free-form arrays") {
                #"{"json":"# + nested($0, open: "[" + "1,".times(2000), close: "]", inner: "1") + "}"
            },
            reads(Holder.self, "levels: Codable values") {
                #"{"tree":"# + nested($0, open: "{" + junk + #""next":"#, close: "}") + "}"
            },
            reports(Holder.self, "levels: report of a document in a string") { size in
                let inner = nested(
                    size / 2, open: #"{"values":["# + #""x","#.times(500) + #"1],"nest":"#, close: "}", most: 300)
                return #"{"text":"#
                    + ((try? JSONValue.string(inner).jsonData()).map { String(decoding: $0, as: UTF8.self) } ?? "")
                    + "}"
            },
            // Breadth.
            reads(Plain.self, "breadth: failures", options: strict) {
                #"{"nests":["# + #"{"id":"x"},"#.times($0 / 11) + "{}]}"
            },
            reports(Plain.self, "breadth: coercions") { #"{"nests":["# + #"{"id":"1"},"#.times($0 / 11) + "{}]}" },
            reads(Plain.self, "breadth: objects") { #"{"nests":["# + "{},".times($0 / 3) + "{}]}" },
            reads(Plain.self, "breadth: members") { size in
                #"{"members":{"# + (0..<size / 14).map { #""k\#($0)":[1]"# }.joined(separator: ",") + "}}"
            },
            reads(Plain.self, "breadth: unknown keys") { size in
                "{" + (0..<size / 12).map { #""x\#($0)":1"# }.joined(separator: ",") + "}"
            },
            reads(Plain.self, "breadth: free-form members") { size in
                #"{"json":{"# + (0..<size / 12).map { #""x\#($0)":1"# }.joined(separator: ",") + "}}"
            },
            // Length.
            reads(Plain.self, "length: a number as integer") { #"{"id":"# + "9".times($0) + "}" },
            reads(Plain.self, "length: a number as floating-point") {
                #"{"number":0."# + "123456789".times($0 / 9) + "}"
            },
            reads(Plain.self, "length: a number as decimal") {
                #"{"decimal":"# + "0.0".times(1) + "0".times($0) + "1}"
            },
            reads(Plain.self, "length: integral with a fraction") { #"{"id":1."# + "0".times($0) + "}" },
            reads(Plain.self, "length: a string of escapes") { #"{"name":""# + #"\n"#.times($0 / 2) + #""}"# },
            reads(Plain.self, "length: a date") { #"{"date":"2016-01-23T18:30:00."# + "1".times($0) + #"Z"}"# },
            reads(Plain.self, "length: a URL") { #"{"link":"https://a.b/"# + "a b/".times($0 / 4) + #""}"# },
            reads(Plain.self, "length: base64") { #"{"data":""# + "AAAA".times($0 / 4) + #""}"# },
            reads(Plain.self, "length: marks in a string") { #"{"name":""# + combining($0) + #""}"# },
            reads(
                Plain.self, "length: marks in a key", bytes: 1 << 17,
                bound: "MappingOptions.bytes (the standard library sorts the marks to hash a text)"
            ) { #"{"members":{""# + combining($0) + #"":[1]}}"# },
            reads(
                Plain.self, "length: marks in an element of a set", bytes: 1 << 17,
                bound: "MappingOptions.bytes (the standard library sorts the marks to hash a text)"
            ) { #"{"names":[""# + combining($0) + #""]}"# },
        ]
    }
}

import Foundation
import ModelMirror
import Synchronization

/// Counts the instructions of one mapping with callgrind, which do not vary with the load, and compares them with recorded counts.
///
///     swift run -c release -Xswiftc -enable-testing Benchmarks profile [record]
///
/// Each document is mapped twice in a child process, under `valgrind --tool=callgrind`, and the second mapping counts; for the first
/// mapping of a process, the first one. The program exits with 1 above 103 % of the count in `instructions.txt`, beside this file; `record`
/// writes that file. The files of the folder that `MODELMIRROR_DATA` names are counted, too. The counts hold for Swift 6.3.1 on Linux
/// x86-64, with the flags above; elsewhere, and without valgrind, nothing is compared.
enum InstructionProfile {
    private static let valgrind = "/usr/bin/valgrind"
    private static let tolerance = 1.03
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("instructions.txt")

    /// A measured operation, whose input is made only where it is measured.
    private struct Case {
        let name: String
        let prepare: () throws -> () throws -> Void

        init<Input>(
            _ name: String, _ input: @autoclosure @escaping () throws -> Input, _ run: @escaping (Input) throws -> Void
        ) {
            self.name = name
            prepare = {
                let input = try input()
                return { try run(input) }
            }
        }
    }

    /// Counts every case, prints a line for each, and compares or records the counts.
    static func run(isRecording: Bool) throws {
        guard isAvailable else {
            print("skipped: instructions are counted by valgrind on Linux x86-64, with Swift 6.3")
            return
        }
        let recorded = try counts(in: String(contentsOf: file, encoding: .utf8))
        var (lines, isSlower) = ("", false)
        let all = firstMappings() + cases()
        for (measured, count) in zip(all, try counts(of: all.map(\.name))) {
            let count = try count.get()
            lines += "\(measured.name): \(count)\n"
            let ratio = Double(count) / Double(recorded[measured.name] ?? count)
            let isOver = ratio > tolerance && !isRecording
            isSlower = isSlower || isOver
            print(
                "\(measured.name): \(count) instructions, \((ratio * 1000).rounded() / 10) % of the recorded count"
                    + (isOver ? " TOO MANY" : ""))
        }
        if isRecording { try lines.write(to: file, atomically: true, encoding: .utf8) }
        if isSlower {
            print("FAILED: more than 103 % of the recorded count; make it faster, or run `Benchmarks profile record`")
            exit(1)
        }
    }

    /// The counts of the cases of these names, as many at once as there are processors.
    private static func counts(of names: [String]) throws -> [Result<Int, any Error>] {
        _ = try program.get()
        let counts = Mutex<[Int: Result<Int, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: names.count) { index in
            let count = Result { try Self.count(["profile-child", names[index]]) }
            counts.withLock { $0[index] = count }
        }
        return counts.withLock { counts in names.indices.compactMap { counts[$0] } }
    }

    /// Runs in the child process under valgrind.
    static func child(_ name: String) throws {
        if let first = firstMappings().first(where: { $0.name == name }) {
            return try countedByCallgrind(first.prepare())
        }
        guard let measured = cases().first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
        let run = try measured.prepare()
        // The first run creates the property tables.
        try run()
        try countedByCallgrind(run)
    }

    /// Callgrind counts while this function runs; it finds it by its name.
    @inline(never)
    static func countedByCallgrind(_ run: () throws -> Void) rethrows { try run() }

    /// Whether instructions can be counted here.
    static var isAvailable: Bool { isComparable && FileManager.default.isExecutableFile(atPath: valgrind) }

    /// The instructions inside `countedByCallgrind` in a child process of this program with the given arguments.
    static func count(_ arguments: [String]) throws -> Int {
        let (child, output) = (Process(), Pipe())
        child.executableURL = URL(fileURLWithPath: valgrind)
        let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*countedByCallgrind*"]
        child.arguments = options + [try program.get().path] + arguments
        // The same order of hashed keys in each run, and no merging of freed blocks by glibc: their addresses accounted for 6 % of
        // the instructions of gists. No `rep movsb` by
        // glibc either, of which callgrind counts every byte.
        child.environment = ProcessInfo.processInfo.environment.merging([
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "GLIBC_TUNABLES": "glibc.malloc.tcache_count=65535:glibc.cpu.x86_rep_movsb_threshold=1073741824",
        ]) { $1 }
        child.standardError = output
        try child.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        child.waitUntilExit()
        let line = text.split(separator: "\n").last { $0.contains("Collected : ") }
        guard let count = line?.split(separator: " ").last.flatMap({ Int($0) }), count > 0 else {
            print("\(arguments): callgrind counted nothing:\n\(text)")
            exit(1)
        }
        return count
    }

    /// A copy of this program without debugging information: valgrind 3.19 stops at some of Swift's, with "possibly corrupted".
    private static let program: Result<URL, any Error> = Result {
        let this = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("Benchmarks-\(UUID().uuidString)")
        let strip = Process()
        strip.executableURL = URL(fileURLWithPath: "/usr/bin/strip")
        strip.arguments = ["--strip-debug", "-o", copy.path, this.path]
        try strip.run()
        strip.waitUntilExit()
        guard strip.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
        atexit { try? FileManager.default.removeItem(at: try InstructionProfile.program.get()) }
        return copy
    }

    private static func counts(in text: String) -> [String: Int] {
        let pairs = text.split(separator: "\n").compactMap { line -> (String, Int)? in
            let parts = line.split(separator: ":")
            return parts.last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }.map { (String(parts[0]), $0) }
        }
        return Dictionary(pairs) { $1 }
    }

    private static var isComparable: Bool {
        #if os(Linux) && arch(x86_64) && compiler(>=6.3) && compiler(<6.4)
        true
        #else
        false
        #endif
    }

    // MARK: Cases

    /// Mappings whose cost is that of a process's first one.
    private static func firstMappings() -> [Case] {
        let small = GistsDocument.smallObject
        return [
            Case("first mapping of a process", small()) { _ = try SmallAccount(json: $0) },
            Case("first mapping of a process by JSONDecoder", Data(small())) {
                _ = try JSONDecoder().decode(CodableSmallAccount.self, from: $0)
            },
        ]
    }

    private static func cases() -> [Case] {
        let small = GistsDocument.smallObject
        func gists() -> [UInt8] { GistsDocument.bytes(count: 200) }
        func dictionaries() throws -> [[String: Any]] {
            try JSONSerialization.jsonObject(with: Data(gists())) as? [[String: Any]] ?? []
        }
        let missingOptionals = MappingOptions(reportsMissingOptionals: true)
        return [
            Case("gists", gists()) { _ = try [Gist](json: $0) },
            Case("gists with URL and Date", gists()) { _ = try [TypedGist](json: $0) },
            Case("gists, reported", gists()) { _ = try [Gist].mapReporting(json: $0) },
            Case("one small object", small()) { _ = try SmallAccount(json: $0) },
            Case("array of one small object", [UInt8(ascii: "[")] + small() + [UInt8(ascii: "]")]) {
                _ = try [SmallAccount](json: $0)
            },
            Case("one small object, explicit table", small()) { _ = try ListedAccount(json: $0) },
            Case("one small object, updated", (try SmallAccount(json: small()), small())) { account, json in
                try account.update(json: json)
            },
            Case("numbers", numbers()) { _ = try Geometry(json: $0) },
            Case("tiny objects", tiny()) { _ = try [Tiny](json: $0) },
            Case("tiny objects, reported", tiny()) { _ = try [Tiny].mapReporting(json: $0) },
            Case("converted values", converted()) { _ = try [Tiny](json: $0) },
            Case("converted values, reported", converted()) { _ = try [Tiny].mapReporting(json: $0) },
            Case("refused values", refused()) { _ = try [Tiny](json: $0) },
            Case("refused values, reported", refused()) { _ = try [Tiny].mapReporting(json: $0) },
            Case("sparse objects", sparse()) { _ = try [Account](json: $0) },
            Case("sparse objects, reported", sparse()) {
                _ = try [Account].mapReporting(json: $0, options: missingOptionals)
            },
            Case("gists of dictionaries", try dictionaries()) { _ = try [Gist](dictionaries: $0) },
            Case("gists by JSONSerialization", Data(gists())) { _ = try JSONSerialization.jsonObject(with: $0) },
            Case("writing gists", try [Gist](json: gists())) { _ = try $0.jsonData() },
            Case("property table", ()) { try TableCreation.one() },
        ] + files()
    }

    /// Those of the files in the folder that `MODELMIRROR_DATA` names.
    private static func files() -> [Case] {
        guard let folder = ProcessInfo.processInfo.environment["MODELMIRROR_DATA"] else { return [] }
        func cases<Model: AbstractModel>(_ name: String, _ type: Model.Type) -> [Case] {
            let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: file.path) else { return [] }
            return [
                Case(name, Array(try Data(contentsOf: file))) { _ = try Model(json: $0) },
                Case("\(name), reported", Array(try Data(contentsOf: file))) { _ = try Model.mapReporting(json: $0) },
            ]
        }
        return cases("twitter.json", Timeline.self) + cases("citm_catalog.json", Catalog.self)
            + cases("canada.json", Outline.self)
    }

    /// 2,000 points of 15 digits.
    private static func numbers() -> [UInt8] {
        var random = SplitMix64(state: 7)
        let points = (0..<2000).map { _ in
            "[-\(random.next() % 180).\(random.next() % 1_000_000_000_000),\(random.next() % 90).5]"
        }
        return Array("{\"type\":\"Polygon\",\"coordinates\":[[\(points.joined(separator: ","))]]}".utf8)
    }

    /// 2,000 objects of two members.
    private static func tiny() -> [UInt8] {
        Array("[\((0..<2000).map { "{\"id\":\($0),\"on\":\($0.isMultiple(of: 3))}" }.joined(separator: ","))]".utf8)
    }

    /// The same with numbers and Booleans as strings.
    private static func converted() -> [UInt8] {
        let elements = (0..<2000).map { #"{"id":"\#($0)","on":"\#($0.isMultiple(of: 3))"}"# }
        return Array("[\(elements.joined(separator: ","))]".utf8)
    }

    /// The same with one of the two values of the wrong type, in turn.
    private static func refused() -> [UInt8] {
        let elements = (0..<2000).map {
            $0.isMultiple(of: 2) ? #"{"id":"none","on":true}"# : #"{"id":\#($0),"on":"maybe"}"#
        }
        return Array("[\(elements.joined(separator: ","))]".utf8)
    }

    /// 1,000 objects with 2 of the class's 9 members.
    private static func sparse() -> [UInt8] {
        Array("[\((0..<1000).map { "{\"id\":\($0),\"login\":\"user\($0)\"}" }.joined(separator: ","))]".utf8)
    }
}

private final class Tiny: AbstractModel {
    var id = 0
    var on = false
}

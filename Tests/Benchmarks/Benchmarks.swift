import Dispatch
import Foundation
import ModelMirror

/// Measures ModelMirror against Foundation's JSONDecoder and JSONSerialization.
///
///     swift run -c release Benchmarks [FILE…]
///     swift run -c release Benchmarks memory
///     swift run -c release -Xswiftc -enable-testing Benchmarks profile [record]
///     swift run -c release Benchmarks network [REQUESTS [ROUNDS]]
///     swift run -c release Benchmarks transports [REQUESTS [ROUNDS]]
///     swift run -c release Benchmarks stream [MEGABYTES]
///     swift run -c release Benchmarks soak [REQUESTS]
///     swift run -c release Benchmarks hostile [WORD]
///
/// The gists document is made here. `canada.json`, `citm_catalog.json` and `twitter.json` are measured if they are named.
/// `memory` measures what one mapping and one write need besides what they leave; `profile` counts instructions and compares them
/// with recorded counts; `network` what a repository costs above `URLSession`; `transports` what the transports themselves do;
/// `stream` how much memory it takes to stream an array of 200 MB to a slow consumer;
/// `soak` sends requests of which every tenth meets a fault, and fails unless each completes exactly once;
/// `hostile` how time and memory grow with documents made to cost more than their size.
@main
struct Benchmarks {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Without a task, since callgrind does not outlive the start of Dispatch's main queue.
        if arguments.first == "profile-child" {
            do { return try InstructionProfile.child(arguments[1]) } catch { fail(error) }
        }
        Task {
            do {
                try await run(arguments)
                exit(0)
            } catch {
                fail(error)
            }
        }
        dispatchMain()
    }

    private static func fail(_ error: any Error) -> Never {
        FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
        exit(1)
    }

    private static func run(_ arguments: [String]) async throws {
        if arguments.first == "memory" { return try PeakMemory.run() }
        if arguments.first == "memory-child" { return try PeakMemory.child(arguments[1], arguments[2]) }
        if arguments.first == "profile" { return try InstructionProfile.run(isRecording: arguments.contains("record")) }
        if arguments.first == "hostile-child" { return try Hostile.child(arguments[1], Int(arguments[2]) ?? 0) }
        if arguments.first == "hostile" { exit(try Hostile.run(arguments.dropFirst().first) ? 0 : 1) }
        if arguments.first == "network-server" { return try NetworkLoad.serve() }
        let megabytes = arguments.dropFirst().first.flatMap { Int($0) } ?? 200
        if arguments.first == "stream-server" { return try StreamLoad.serve(megabytes: megabytes) }
        if arguments.first == "stream" { return try await StreamLoad.run(megabytes: max(megabytes, 1)) }
        if arguments.first == "network" {
            let numbers = arguments.dropFirst().compactMap { Int($0) }
            return try await NetworkLoad.run(requests: numbers.first ?? 5000, rounds: numbers.dropFirst().first ?? 10)
        }
        if arguments.first == "transport-server" { return try TransportLoad.serve() }
        if arguments.first == "transports" {
            let numbers = arguments.dropFirst().compactMap { Int($0) }
            return try TransportLoad.run(
                requests: numbers.first ?? 10_000, rounds: numbers.dropFirst().first ?? 5)
        }
        if arguments.first == "transport-child" { return try await TransportLoad.measure(Array(arguments.dropFirst())) }
        if arguments.first == "soak-server" { return try SoakLoad.serve() }
        if arguments.first == "soak" {
            return try await SoakLoad.run(requests: max(arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000, 4))
        }
        let decoder = JSONDecoder()
        try gists(decoder)
        try smallObject(decoder)
        try explicitTable()
        try writing(decoder)
        try TableCreation.run()
        for path in arguments { try file(path, decoder) }
    }

    /// The gists written, and read back to see that nothing was lost.
    private static func writing(_ decoder: JSONDecoder) throws {
        let bytes = GistsDocument.bytes(count: 2000)
        let gists = try [Gist](json: bytes)
        let decoded = try decoder.decode([CodableGist].self, from: Data(bytes))
        let encoder = JSONEncoder()
        let output = try gists.jsonData()
        let readBack = try [Gist](json: output)
        guard zip(gists, readBack).allSatisfy({ $0.isEqual(to: $1) }), gists.count == readBack.count else {
            print("writing: what was written reads back different")
            exit(1)
        }
        var measurement = Measurement("writing the gists (\(output.count) bytes)")
        measurement.add("ModelMirror") { _ = try gists.jsonData() }
        measurement.add("JSONEncoder") { _ = try encoder.encode(decoded) }
        try measurement.printResults(rounds: 21, repeats: 1, megabytes: Double(output.count) / 1e6)
    }

    private static func gists(_ decoder: JSONDecoder) throws {
        let bytes = GistsDocument.bytes(count: 2000)
        try compare(
            "gists, 2,000 objects", Data(bytes), decoder, [Gist](json: bytes), [CodableGist].self, rounds: 21
        ) { try [Gist](json: $0) }
        decoder.dateDecodingStrategy = .iso8601
        try compare(
            "gists with URL and Date properties", Data(bytes), decoder, [TypedGist](json: bytes),
            [CodableTypedGist].self,
            rounds: 9
        ) { try [TypedGist](json: $0) }
        decoder.dateDecodingStrategy = .deferredToDate
    }

    private static func smallObject(_ decoder: JSONDecoder) throws {
        let bytes = GistsDocument.smallObject()
        try compare(
            "one object of \(bytes.count) bytes", Data(bytes), decoder, SmallAccount(json: bytes),
            CodableSmallAccount.self,
            rounds: 41, repeats: 500
        ) { try SmallAccount(json: $0) }
    }

    /// What the explicit table costs: the same object through key paths.
    private static func explicitTable() throws {
        let bytes = GistsDocument.smallObject()
        let (account, listed) = (try SmallAccount(json: bytes), try ListedAccount(json: bytes))
        guard try account.jsonData() == listed.jsonData() else {
            print("explicit table: what was written differs")
            exit(1)
        }
        var reading = Measurement("the small object, automatic and explicit table: reading")
        reading.add("automatic") { _ = try SmallAccount(json: bytes) }
        reading.add("keyPathTable") { _ = try ListedAccount(json: bytes) }
        try reading.printResults(rounds: 41, repeats: 500, megabytes: nil)
        var writing = Measurement("the small object, automatic and explicit table: writing")
        writing.add("automatic") { _ = try account.jsonData() }
        writing.add("keyPathTable") { _ = try listed.jsonData() }
        try writing.printResults(rounds: 41, repeats: 500, megabytes: nil)
    }

    private static func file(_ path: String, _ decoder: JSONDecoder) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let name = URL(fileURLWithPath: path).lastPathComponent
        switch name {
        case "canada.json":
            try compare(name, data, decoder, Outline(json: data), CodableOutline.self, rounds: 11) {
                try Outline(json: $0)
            }
        case "citm_catalog.json":
            try compare(name, data, decoder, Catalog(json: data), CodableCatalog.self, rounds: 11) {
                try Catalog(json: $0)
            }
        case "twitter.json":
            try compare(name, data, decoder, Timeline(json: data), CodableTimeline.self, rounds: 21) {
                try Timeline(json: $0)
            }
        default: print("\(name): no classes for this document; known are canada.json, citm_catalog.json, twitter.json")
        }
    }

    /// Checks that both ways make equal objects, then measures them.
    private static func compare<Mapped, Decoded: Decodable>(
        _ name: String, _ data: Data, _ decoder: JSONDecoder, _ mapped: Mapped, _ type: Decoded.Type, rounds: Int,
        repeats: Int = 1, map: @escaping (Data) throws -> Mapped
    ) throws {
        let decoded = try decoder.decode(type, from: data)
        if let difference = Comparison.difference(mapped, decoded) {
            print("\(name): the objects differ at \(difference)")
            exit(1)
        }
        var measurement = Measurement("\(name) (\(data.count) bytes)")
        measurement.add("ModelMirror") { _ = try map(data) }
        measurement.add("JSONDecoder") { _ = try decoder.decode(type, from: data) }
        measurement.add("JSONSerialization") { _ = try JSONSerialization.jsonObject(with: data) }
        try measurement.printResults(rounds: rounds, repeats: repeats, megabytes: Double(data.count) / 1e6)
    }
}

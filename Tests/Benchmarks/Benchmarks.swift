import Dispatch
import Foundation
import ModelMirror

/// Measures ModelMirror against Foundation's JSONDecoder, JSONEncoder and JSONSerialization, and its features against each other.
///
///     swift run -c release Benchmarks                    the table, in about two minutes
///     swift run -c release Benchmarks --filter WORD      the rows whose names contain the word
///     swift run -c release Benchmarks --json             the figures as JSON
///     swift run -c release Benchmarks --plot DIR         the table, and charts as SVG files
///     swift run Benchmarks --filter reading              what a debug build takes, with smaller documents and fewer rounds
///     swift run -c release -Xswiftc -enable-testing Benchmarks profile [record]
///     swift run -c release Benchmarks memory
///     swift run -c release Benchmarks hostile [WORD]
///     swift run -c release Benchmarks network [REQUESTS [ROUNDS]]
///     swift run -c release Benchmarks transports [REQUESTS [ROUNDS]]
///     swift run -c release Benchmarks stream [MEGABYTES]
///     swift run -c release Benchmarks soak [REQUESTS]
///     swift run -c release Benchmarks line [REQUESTS]
///
/// The documents are generated; `canada.json`, `citm_catalog.json` and `twitter.json` are measured if they are in the folder that
/// the environment variable `MODELMIRROR_DATA` names. Each row first checks that its contestants produce equal objects.
///
/// `profile` counts instructions and compares them with recorded counts. `memory` measures the temporary memory and the time of one
/// mapping and one write. `hostile` measures how time and memory grow with documents built to cost more than their size. `network`
/// measures the cost of a client above `URLSession`, `transports` the transports alone, and `stream` the memory for streaming an array
/// of 200 MB to a slow consumer. `soak` sends requests, every tenth with a fault, and fails unless each completes exactly once. `line`
/// sends them to an nginx that refuses streams and answers early.
@main
struct Benchmarks {
    static func main() {
        let arguments: Arguments
        do { arguments = try Arguments(Array(CommandLine.arguments.dropFirst())) } catch { fail(error, code: 64) }
        // Not in a task, since callgrind crashes when Dispatch's main queue starts.
        do {
            switch arguments.action {
            case .child("profile-child", let words): return try InstructionProfile.child(words[0])
            #if os(Linux)
            case .child("line-exit", let words): return LineLoad.exitDuringHandshakes(words)
            #endif
            case .child("hostile-count", let words): return try Hostile.counted(words[0], Int(words[1]) ?? 0)
            default: break
            }
        } catch {
            fail(error)
        }
        Task {
            do {
                try await run(arguments.action)
                exit(0)
            } catch {
                fail(error, code: error is Arguments.Mistake ? 64 : 1)
            }
        }
        dispatchMain()
    }

    static func fail(_ error: any Error, code: Int32 = 1) -> Never {
        FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
        exit(code)
    }

    private static func run(_ action: Arguments.Action) async throws {
        switch action {
        case .table(let table): try ComparisonTable.run(table)
        case .memory(let gists): try PeakMemory.run(gists)
        case .profile(let isRecording): try InstructionProfile.run(isRecording: isRecording)
        case .hostile(let word): exit(try Hostile.run(word) ? 0 : 1)
        case .child("row-child", let words): try await ComparisonTable.child(words[0], words[1])
        case .child("memory-child", let words): try PeakMemory.child(words[0], words[1])
        case .child("hostile-child", let words): try Hostile.child(words[0], Int(words[1]) ?? 0)
        case .network, .transports, .stream, .soak, .line, .child: try await Networking.run(action)
        }
    }
}

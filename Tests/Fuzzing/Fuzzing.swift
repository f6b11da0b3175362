import AccountModel
import Foundation

/// Feeds mutated bytes to the libraries, and checks the rules that must hold for any input.
///
///     swift run -c release Fuzzing [TARGET | all] [COUNT [SEED]]
///     swift run -c release Fuzzing heads [COUNT [SEED]]
///     swift run -c release Fuzzing accounts [COUNT [SEED]]
///     swift run -c release Fuzzing corpus FOLDER
///
/// Without arguments it tries 100,000 documents from the seed 1; the same arguments give the same inputs. `all` tries each target
/// with that count. The inputs in `Tests/Fuzzing/Regressions`, which once broke a rule, come first. It prints the first input that
/// breaks a rule, and exits with 1. `heads` responds to requests over real connections. `accounts` runs random
/// stacks of layers with random events. `corpus` writes the seeds and words in
/// libFuzzer's format: see `Tests/Fuzzing/coverage.sh`. All commands work under the address sanitizer.
@main
struct Fuzzing {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "corpus", arguments.count == 2 { return writeCorpus(to: arguments[1]) }
        #if LIBFUZZER
        CoverageFuzzing.run(arguments)
        #endif
        let word = arguments.first.flatMap { Int($0) == nil ? $0 : nil }
        if word != nil { arguments.removeFirst() }
        let numbers = arguments.map { Int($0) }
        let targets = FuzzTarget.all.filter { word == "all" || $0.name == word ?? "documents" }
        guard numbers.count <= 2, !numbers.contains(nil), ["heads", "accounts"].contains(word) || !targets.isEmpty
        else {
            let names = (FuzzTarget.all.map(\.name) + ["all", "heads", "accounts"]).joined(separator: ", ")
            fail("expected [TARGET] [COUNT [SEED]], where TARGET is one of \(names), or corpus FOLDER")
        }
        let seed = numbers.dropFirst().first.flatMap { $0 } ?? 1
        let count = max(numbers.first.flatMap { $0 } ?? (word == "heads" || word == "accounts" ? 20_000 : 100_000), 0)
        if word == "heads" { return await AnswerFuzzing.run(count: count, seed: seed) }
        if word == "accounts" { return accounts(count: count, seed: seed) }
        for target in targets { run(target, count: count, seed: seed) }
    }

    private static func run(_ target: FuzzTarget, count: Int, seed: Int) {
        for (name, bytes) in regressions(of: target) { check(bytes, target, "the input \(name)") }
        var mutations = Mutations(seed: UInt64(truncatingIfNeeded: seed), seeds: target.seeds, words: target.words)
        var accepted = 0
        for bytes in target.seeds { check(bytes, target, "a seed") }
        for number in 0..<count where check(mutations.next(), target, "input \(number) of seed \(seed)") {
            accepted += 1
        }
        print("\(target.name): \(count) inputs, \(accepted) of them accepted; no rule was broken")
    }

    private static func accounts(count: Int, seed: Int) {
        let outcome = AccountModel.run(count: count, seed: UInt64(truncatingIfNeeded: seed))
        print(outcome.summary)
        guard let failure = outcome.failure else { return }
        print(failure)
        exit(1)
    }

    /// Whether the bytes are accepted. Exits if they break a rule.
    @discardableResult
    private static func check(_ bytes: [UInt8], _ target: FuzzTarget, _ name: String) -> Bool {
        switch target.check(bytes) {
        case .accepted: return true
        case .refused: return false
        case .broken(let rule):
            print("\(target.name): \(name) breaks a rule: \(rule)")
            print(String(decoding: bytes, as: UTF8.self))
            print("bytes: \(bytes)")
            exit(1)
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The inputs that once broke a rule of a target: files whose names begin with the target's.
    private static func regressions(of target: FuzzTarget) -> [(String, [UInt8])] {
        let folder = folder.appendingPathComponent("Regressions")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().filter { $0.hasPrefix(target.name + "-") }.compactMap { name in
            (try? Data(contentsOf: folder.appendingPathComponent(name))).map { (name, Array($0)) }
        }
    }

    /// One folder for each target, with a file for each seed, and a dictionary of its words.
    private static func writeCorpus(to path: String) {
        let root = URL(fileURLWithPath: path)
        do {
            for target in FuzzTarget.all {
                let folder = root.appendingPathComponent(target.name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let inputs = target.seeds.enumerated().map { ("seed-\($0)", $1) } + regressions(of: target)
                for (name, bytes) in inputs { try Data(bytes).write(to: folder.appendingPathComponent(name)) }
                let lines = target.words.map { word in
                    "\"" + word.map { String(format: "\\x%02X", $0) }.joined() + "\"\n"
                }
                try Data(lines.joined().utf8).write(to: root.appendingPathComponent(target.name + ".dict"))
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data("Fuzzing: \(message)\n".utf8))
        exit(1)
    }
}

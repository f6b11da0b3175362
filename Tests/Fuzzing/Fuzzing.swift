import Foundation
import ModelMirror

/// Feeds the mapper with mutated documents, or a transport with mutated answers, and checks what must hold for any bytes.
///
///     swift run -c release Fuzzing [COUNT [SEED]]
///     swift run -c release Fuzzing heads [COUNT [SEED]]
///
/// Without arguments it tries 100,000 documents from the seed 1; the same arguments give the same documents. It prints the first
/// document that breaks a rule, and the arguments that find it again, and exits with 1. It also works under the address sanitizer
/// (`--sanitize=address`).
@main
struct Fuzzing {
    static func main() async {
        let isForHeads = CommandLine.arguments.dropFirst().first == "heads"
        let arguments = CommandLine.arguments.dropFirst(isForHeads ? 2 : 1).map { Int($0) }
        guard arguments.count <= 2, !arguments.contains(nil) else {
            FileHandle.standardError.write(Data("Fuzzing: expected [heads] [COUNT [SEED]], both integers\n".utf8))
            exit(1)
        }
        let count = arguments.first.flatMap { $0 } ?? 100_000
        let seed = arguments.dropFirst().first.flatMap { $0 } ?? 1
        if isForHeads { return await AnswerFuzzing.run(count: arguments.first.flatMap { $0 } ?? 20_000, seed: seed) }
        var mutations = Mutations(seed: UInt64(truncatingIfNeeded: seed))
        var accepted = 0
        for number in 0..<max(count, 0) {
            let document = mutations.next()
            switch Rules.check(document) {
            case .accepted: accepted += 1
            case .refused: break
            case .broken(let rule):
                print("document \(number) of seed \(seed) breaks a rule: \(rule)")
                print(String(decoding: document, as: UTF8.self))
                print("bytes: \(document)")
                exit(1)
            }
        }
        print("\(count) documents, \(accepted) of them JSON that maps; no rule was broken")
    }
}

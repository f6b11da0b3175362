import Foundation
import Synchronization

/// Random stacks of layers, clients and events, checked against what the documentation promises of accounts.
///
/// Nothing is answered to, stored readable for, or sent as anybody else; no credential reaches another origin or a text; no
/// request is lost or answered twice; and requests fail only for a reason, and are served from the store where they can be.
public enum AccountModel {
    /// The outcome of all runs.
    public struct Outcome: Sendable {
        /// How often what happened, in words.
        public var summary: String
        /// The first run that broke a rule, with its events; nil if none did.
        public var failure: String?
        /// The number of requests that were served from the store, as they had to be.
        public var served: Int
        /// The number of requests that shared another's transfer.
        public var shared: Int
    }

    /// Tries random runs.
    ///
    /// - Parameters:
    ///   - count: The number of runs.
    ///   - seed: The same seed makes the same runs, apart from those over real connections and on a disk.
    ///   - isReal: Whether some runs use real connections and files.
    public static func run(count: Int, seed: UInt64, isReal: Bool = true) -> Outcome {
        let total = Mutex((shares: Shares(), failed: (Int, Plan, Broken)?.none))
        let next = Atomic(0)
        // Real runs block their thread.
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            while true {
                let number = next.add(1, ordering: .relaxed).newValue - 1
                guard number < count, total.withLock({ $0.failed == nil }) else { return }
                var seeds = SplitMix64(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
                let plan = Plan(seed: seeds.next(), allows: (isReal, isReal))
                switch Run.execute(plan) {
                case .success(let world):
                    let shares = try? Rules(world).gains()
                    total.withLock { $0.shares += shares ?? Shares() }
                case .failure(let broken):
                    total.withLock { if $0.failed == nil { $0.failed = (number, plan, broken) } }
                }
            }
        }
        defer { Run.removeFolders() }
        let (shares, failed) = total.withLock { $0 }
        let failure = failed.map { number, plan, broken in
            let (small, rule) = shrunk(plan, broken)
            let text = "run \(number) of seed \(seed) breaks a rule: \(broken)\nshrunk, it breaks: \(rule)\n\(small)"
            return text.replacing(/AccountModel\.([A-Z][A-Za-z]*\.)*/, with: "")
        }
        return Outcome(
            summary: "seed \(seed): \(shares)", failure: failure, served: shares.served, shared: shares.shared)
    }

    /// The smallest plan found that breaks the same rule.
    private static func shrunk(_ plan: Plan, _ broken: Broken) -> (Plan, Broken) {
        var (plan, broken) = (plan, broken)
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in plan.smaller {
                guard let other = failure(of: candidate), other.rule == broken.rule else { continue }
                (plan, broken) = (candidate, other)
                isSmaller = true
                break
            }
        }
        return (plan, broken)
    }

    private static func failure(of plan: Plan) -> Broken? {
        var tries = 1
        if case .loopback = plan.wire { tries = 3 }
        if plan.store == .disk { tries = 3 }
        for _ in 0..<tries {
            if case .failure(let broken) = Run.execute(plan) { return broken }
        }
        return nil
    }
}

/// Times several ways of doing the same, in one process and interleaved, so that a noisy machine troubles all alike.
struct Measurement {
    let name: String
    private var contenders: [(name: String, run: () throws -> Void)] = []

    init(_ name: String) { self.name = name }

    /// Adds a way; ratios tell how much faster the first one is.
    mutating func add(_ name: String, _ run: @escaping () throws -> Void) { contenders.append((name, run)) }

    /// Runs every way `rounds` times, each time `repeats` times in a row, and prints medians per run and ratios to the first.
    func printResults(rounds: Int, repeats: Int, megabytes: Double?) throws {
        var times = [[Double]](repeating: [], count: contenders.count)
        for contender in contenders { try contender.run() }
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                let start = ContinuousClock.now
                for _ in 0..<repeats { try contender.run() }
                times[index].append((ContinuousClock.now - start) / .seconds(1) / Double(repeats))
            }
        }
        let medians = times.map { $0.sorted()[$0.count / 2] }
        print(name)
        for (index, contender) in contenders.enumerated() {
            let speed = megabytes.map { padded("\(rounded($0 / medians[index], 1)) MB/s", 14) } ?? ""
            let ratio =
                index == 0 ? "" : "  \(contenders[0].name) is \(rounded(medians[index] / medians[0], 2)) × as fast"
            print("  " + padded(contender.name, -22) + padded(duration(medians[index]), 12) + speed + ratio)
        }
    }
}

private func duration(_ seconds: Double) -> String {
    seconds < 1e-3 ? "\(rounded(seconds * 1e6, 2)) µs" : "\(rounded(seconds * 1e3, 2)) ms"
}

private func rounded(_ value: Double, _ digits: Int) -> Double {
    let factor = digits == 1 ? 10.0 : 100.0
    return (value * factor).rounded() / factor
}

/// The text filled with spaces to a width; on the right for a negative width.
private func padded(_ text: String, _ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? text + spaces : spaces + text
}

/// A row of the table before it is measured: one thing that is done, and several ways of doing it.
struct Row {
    /// One way.
    struct Contestant {
        let name: String
        /// Does it once, and returns what is to be released after the clock has stopped.
        let run: () async throws -> Any?

        init(_ name: String, _ run: @escaping () throws -> Void) {
            self.name = name
            self.run = {
                try run()
                return nil
            }
        }

        init(_ name: String, returning run: @escaping () async throws -> Any?) {
            self.name = name
            self.run = run
        }
    }

    /// Which rows belong together.
    enum Group: String, Codable, CaseIterable {
        case reading, sizes, cores, costs, writing, tables
    }

    let group: Group
    let name: String
    /// Bytes of the document; 0 if there is none.
    let bytes: Int
    /// How often each is run in a row, since a clock does not measure microseconds.
    var repeats = 1
    /// The first is what the others are compared with.
    let contestants: [Contestant]
    /// A difference between what the contestants make; nil if there is none.
    let difference: () async throws -> String?
}

/// What was measured of a row.
struct Figures: Codable {
    /// One way: its time, and how much slower it is than the first.
    struct Figure: Codable {
        let name: String
        /// The median, in microseconds.
        let microseconds: Double
        /// The median of its time divided by the first way's time in the same round, and the quartiles of that.
        let ratio: Double
        let lowerQuartile: Double
        let upperQuartile: Double
    }

    let group: Row.Group
    let name: String
    let bytes: Int
    let rounds: Int
    let figures: [Figure]
}

extension Row {
    /// Runs all ways in turn, so that a noisy machine troubles all alike, as often as fits in a time.
    ///
    /// - Parameter seconds: How long to measure; the fewest rounds may take longer.
    func measure(seconds: Double, fewestRounds: Int = 5, mostRounds: Int = 41) async throws -> Figures {
        var times = [[Double]](repeating: [], count: contestants.count)
        // Once before, so that property tables are made.
        for contestant in contestants { _ = try await contestant.run() }
        let start = ContinuousClock.now
        repeat {
            for (index, contestant) in contestants.enumerated() {
                times[index].append(try await time(contestant))
            }
        } while times[0].count < fewestRounds
            || times[0].count < mostRounds && (ContinuousClock.now - start) / .seconds(1) < seconds
        let figures = contestants.enumerated().map { index, contestant in
            let ratios = zip(times[index], times[0]).map { $0 / $1 }.sorted()
            return Figures.Figure(
                name: contestant.name, microseconds: times[index].sorted()[times[index].count / 2] * 1e6,
                ratio: ratios[ratios.count / 2], lowerQuartile: ratios[ratios.count / 4],
                upperQuartile: ratios[ratios.count * 3 / 4])
        }
        return Figures(group: group, name: name, bytes: bytes, rounds: times[0].count, figures: figures)
    }

    private func time(_ contestant: Contestant) async throws -> Double {
        let start = ContinuousClock.now
        var made: Any?
        for _ in 0..<repeats { made = try await contestant.run() }
        let time = (ContinuousClock.now - start) / .seconds(1) / Double(repeats)
        withExtendedLifetime(made) {}
        return time
    }
}

/// A row of the table before it is measured: one task, and several contestants that do it.
struct Row {
    /// One way to do the row's task.
    struct Contestant {
        let name: String
        /// Does the task as often as requested, and returns the objects to release after the clock has stopped.
        let run: (_ times: Int) async throws -> Any?

        /// The calls are counted here, since an asynchronous call for each would take some ten nanoseconds of the measured time.
        init(_ name: String, _ run: @escaping () throws -> Void) {
            self.name = name
            self.run = { times in
                for _ in 0..<times { try run() }
                return nil
            }
        }

        init(_ name: String, returning run: @escaping () async throws -> Any?) {
            self.name = name
            self.run = { times in
                for _ in 1..<times { _ = try await run() }
                return try await run()
            }
        }
    }

    /// The groups of rows.
    enum Group: String, Codable, CaseIterable {
        case reading, sizes, cores, costs, writing, tables
    }

    let group: Group
    let name: String
    /// The document's size in bytes; 0 without a document.
    let bytes: Int
    /// The runs per measurement, since a clock does not resolve microseconds.
    var repeats = 1
    /// The others are compared with the first.
    let contestants: [Contestant]
    /// A difference between the results of the contestants; nil if they are equal.
    let difference: () async throws -> String?
}

/// The figures of a measured row.
struct Figures: Codable {
    /// A contestant: its time, and the ratio to the first contestant's.
    struct Figure: Codable {
        let name: String
        /// The median, in microseconds.
        let microseconds: Double
        /// The median of its time divided by the first contestant's in the same round, and the quartiles of these ratios.
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

extension Figures {
    /// - Parameter times: The times of each contestant in seconds, by round.
    init(_ row: Row, _ names: [String], _ times: [[Double]]) {
        let figures = zip(names, times).map { name, own in
            let ratios = zip(own, times[0]).map { $0 / $1 }.sorted()
            return Figure(
                name: name, microseconds: own.sorted()[own.count / 2] * 1e6,
                ratio: ratios[ratios.count / 2], lowerQuartile: ratios[ratios.count / 4],
                upperQuartile: ratios[ratios.count * 3 / 4])
        }
        self.init(group: row.group, name: row.name, bytes: row.bytes, rounds: times[0].count, figures: figures)
    }
}

extension Row {
    /// Runs all contestants in turn, so that a noisy machine affects them alike, as often as the time allows.
    ///
    /// Each runs once more before its clock starts, so that it finds the heap and the caches as it leaves them itself, not as the
    /// contestant before it did.
    ///
    /// - Parameter seconds: The time to measure for; the minimum number of rounds may take longer.
    /// - Returns: The times of each contestant in seconds, by round.
    func times(seconds: Double, fewestRounds: Int = 3, mostRounds: Int = 14) async throws -> [[Double]] {
        var times = [[Double]](repeating: [], count: contestants.count)
        let start = ContinuousClock.now
        repeat {
            for (index, contestant) in contestants.enumerated() {
                times[index].append(try await time(contestant))
            }
        } while times[0].count < fewestRounds
            || times[0].count < mostRounds && (ContinuousClock.now - start) / .seconds(1) < seconds
        return times
    }

    private func time(_ contestant: Contestant) async throws -> Double {
        _ = try await contestant.run(1)
        let start = ContinuousClock.now
        let made = try await contestant.run(repeats)
        let time = (ContinuousClock.now - start) / .seconds(1) / Double(repeats)
        withExtendedLifetime(made) {}
        return time
    }
}

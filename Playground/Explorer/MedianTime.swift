/// How long something takes: the median of several runs, after one that does not count.
struct MedianTime {
    let runs: Int
    let seconds: Double

    /// - Parameters:
    ///   - runs: At least 1.
    ///   - body: What is timed. What it returns is released when the clock has stopped.
    init<Result, Failure>(of runs: Int, _ body: () throws(Failure) -> Result) throws(Failure) {
        let clock = ContinuousClock()
        _ = try body()
        var times: [Duration] = []
        for _ in 0..<runs {
            let start = clock.now
            let result = try body()
            times.append(clock.now - start)
            withExtendedLifetime(result) {}
        }
        self.runs = runs
        seconds = times.sorted()[runs / 2] / .seconds(1)
    }
}

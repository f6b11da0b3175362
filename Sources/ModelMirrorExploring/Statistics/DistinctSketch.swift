import Foundation

/// An estimate of the number of distinct hashes: HyperLogLog with 4,096 registers, whose standard error is 1.6 % (Flajolet and others,
/// 2007), by the estimator of Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", 2017.
struct DistinctSketch {
    private static let bits = 12
    private static let most = 64 - bits + 1
    private var registers = [UInt8](repeating: 0, count: 1 << bits)

    mutating func insert(_ hash: UInt64) {
        let index = Int(truncatingIfNeeded: hash >> (64 - UInt64(DistinctSketch.bits)))
        let rank = UInt8(
            truncatingIfNeeded: min((hash << DistinctSketch.bits).leadingZeroBitCount + 1, DistinctSketch.most))
        if registers[index] < rank { registers[index] = rank }
    }

    mutating func merge(_ other: DistinctSketch) {
        for index in registers.indices { registers[index] = max(registers[index], other.registers[index]) }
    }

    var estimate: Int {
        var counts = [Double](repeating: 0, count: DistinctSketch.most + 1)
        for rank in registers { counts[Int(rank)] += 1 }
        let count = Double(registers.count)
        var sum = count * DistinctSketch.tau(1 - counts[DistinctSketch.most] / count)
        for rank in (1..<DistinctSketch.most).reversed() { sum = (sum + counts[rank]) / 2 }
        sum += count * DistinctSketch.sigma(counts[0] / count)
        return Int((count * count / (2 * log(2) * sum)).rounded())
    }

    /// The share of empty registers as their part in the sum.
    private static func sigma(_ share: Double) -> Double {
        if share == 1 { return .infinity }
        var (power, factor, sum) = (share, 1.0, share)
        while true {
            power *= power
            let next = sum + power * factor
            if next == sum { return sum }
            (sum, factor) = (next, 2 * factor)
        }
    }

    /// The share of registers that are not full, likewise.
    private static func tau(_ share: Double) -> Double {
        if share == 0 || share == 1 { return 0 }
        var (root, factor, sum) = (share, 1.0, 1 - share)
        while true {
            root = root.squareRoot()
            factor /= 2
            let next = sum - (1 - root) * (1 - root) * factor
            if next == sum { return sum / 3 }
            sum = next
        }
    }
}

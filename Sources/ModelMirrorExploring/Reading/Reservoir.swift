import Foundation

/// A random sample of a sequence, in which each of its elements is equally likely (Li, "Reservoir-sampling algorithms of time complexity
/// O(n(1 + log(N/n)))", algorithm L, 1994). The seed is fixed, so that the same documents give the same sample.
struct Reservoir<Element: Sendable>: Sendable {
    private(set) var elements: [Element] = []
    /// The number of elements offered.
    private(set) var count = 0
    private let most: Int
    /// The number of the next element that is kept.
    private var next = 0
    private var weight = 1.0
    private var generator: SeededGenerator

    init(_ most: Int, seed: UInt64? = nil) {
        self.most = most
        generator = SeededGenerator(seed: seed ?? UInt64(most))
    }

    /// Whether the sample is the whole sequence.
    var isWhole: Bool { count <= most }

    @inline(__always)
    mutating func offer(_ element: @autoclosure () -> Element) {
        count += 1
        if count >= next { keep(element()) }
    }

    private mutating func keep(_ element: Element) {
        guard elements.count == most else {
            elements.append(element)
            if elements.count == most { skip() }
            return
        }
        elements[Int.random(in: 0..<most, using: &generator)] = element
        skip()
    }

    private mutating func skip() {
        func random() -> Double { Double.random(in: Double.leastNormalMagnitude...1, using: &generator) }
        weight *= exp(log(random()) / Double(most))
        next = count + 1 + Int(min(log(random()) / log(1 - weight), 1e15))
    }

    /// Adds the sample of another sequence, as if the two were one.
    mutating func merge(_ other: Reservoir) {
        let total = count + other.count
        guard total > most else {
            elements += other.elements
            count = total
            if elements.count == most { skip() }
            return
        }
        var (ours, theirs) = (elements.shuffled(using: &generator), other.elements.shuffled(using: &generator))
        var rest = (count, other.count)
        elements = []
        while elements.count < most {
            if Int.random(in: 0..<(rest.0 + rest.1), using: &generator) < rest.0 {
                rest.0 -= 1
                if let element = ours.popLast() { elements.append(element) }
            } else {
                rest.1 -= 1
                if let element = theirs.popLast() { elements.append(element) }
            }
        }
        count = total
        weight = Double(most) / Double(total)
        skip()
    }
}

/// A sequence of random numbers from a seed (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

import ModelMirror

/// A regular expression of RFC 9485 (I-Regexp), as a machine that reads each scalar of a string once, whatever the expression
/// (Thompson, "Regular Expression Search Algorithm", 1968).
///
/// `^` and `$` outside of brackets match the ends of the string, as the compliance suite of RFC 9535 has it.
struct InterchangePattern: Sendable {
    /// A state. Those without a target lead to the next one.
    enum State: Sendable {
        /// Reads a scalar of the set.
        case scalar(ScalarSet)
        /// Leads to both.
        case fork(Int, Int)
        case jump(Int)
        case stringStart, stringEnd
        case accepted
    }

    /// The largest number of states.
    static let most = 4_000

    private let states: [State]
    /// The work of compiling: the states and repetitions.
    let size: Int

    /// Compiles an expression; nil if it is malformed.
    ///
    /// - Throws: ``JSONQueryError/largePattern(_:states:)``.
    init?(_ text: String) throws(JSONQueryError) {
        var parser = InterchangePatternParser(text)
        guard let tree = parser.whole() else {
            if parser.isTooDeep { throw .largePattern(text, states: InterchangePattern.most) }
            return nil
        }
        var states: [State] = []
        var count = 0
        guard InterchangePattern.append(tree, to: &states, &count) else {
            throw .largePattern(text, states: InterchangePattern.most)
        }
        (self.states, size) = (states + [.accepted], count)
    }

    /// - Parameter count: The states and repetitions so far; repetitions of nothing count, since they take time.
    /// - Returns: Whether there are not too many.
    private static func append(_ tree: PatternTree, to states: inout [State], _ count: inout Int) -> Bool {
        count += 1
        guard count <= most else { return false }
        switch tree {
        case .scalar(let set): states.append(.scalar(set))
        case .stringStart: states.append(.stringStart)
        case .stringEnd: states.append(.stringEnd)
        case .sequence(let parts): return parts.allSatisfy { append($0, to: &states, &count) }
        case .alternatives(let branches):
            var ends: [Int] = []
            for (index, branch) in branches.enumerated() {
                let fork = states.count
                let isLast = index == branches.count - 1
                if !isLast { states.append(.jump(0)) }
                guard append(branch, to: &states, &count) else { return false }
                if isLast { break }
                ends.append(states.count)
                states.append(.jump(0))
                states[fork] = .fork(fork + 1, states.count)
            }
            for end in ends { states[end] = .jump(states.count) }
        case .repeated(let part, let least, let greatest):
            for _ in 0..<least { guard append(part, to: &states, &count) else { return false } }
            guard let greatest else {
                let fork = states.count
                states.append(.jump(0))
                guard append(part, to: &states, &count) else { return false }
                states.append(.jump(fork))
                states[fork] = .fork(fork + 1, states.count)
                return true
            }
            var forks: [Int] = []
            for _ in least..<greatest {
                forks.append(states.count)
                states.append(.jump(0))
                guard append(part, to: &states, &count) else { return false }
            }
            for fork in forks { states[fork] = .fork(fork + 1, states.count) }
        }
        return true
    }

    /// Whether the whole string, or a part of it, matches.
    ///
    /// - Parameter steps: Lowered by the work done; when it is used up, the result is false.
    func matches(_ text: String, isWhole: Bool, steps: inout Int) -> Bool {
        let end = text.unicodeScalars.endIndex
        var index = text.unicodeScalars.startIndex
        var threads = Threads(states, count: states.count)
        threads.add(0, isStart: true, isEnd: index == end, &steps)
        while true {
            if threads.isAccepted, !isWhole || index == end { return true }
            guard index < end, steps >= 0, !isWhole || !threads.reading.isEmpty else { return false }
            let scalar = text.unicodeScalars[index]
            text.unicodeScalars.formIndex(after: &index)
            let reading = threads.next()
            for state in reading {
                guard case .scalar(let set) = states[state], set.contains(scalar, &steps) else { continue }
                threads.add(state + 1, isStart: false, isEnd: index == end, &steps)
            }
            if !isWhole { threads.add(0, isStart: false, isEnd: index == end, &steps) }
        }
    }

    /// The states that the machine is in at one position, each once.
    private struct Threads {
        private let states: [State]
        /// The states that read a scalar.
        private(set) var reading: [Int] = []
        private(set) var isAccepted = false
        /// For each state the position at which it was added last, from 1.
        private var added: [Int]
        private var position = 1
        private var rest: [Int] = []

        init(_ states: [State], count: Int) {
            self.states = states
            added = Array(repeating: 0, count: count)
        }

        /// Moves to the next position, and returns the states of this one.
        mutating func next() -> [Int] {
            position += 1
            isAccepted = false
            defer { reading = [] }
            return reading
        }

        /// Adds a state, and all that it leads to without reading.
        mutating func add(_ state: Int, isStart: Bool, isEnd: Bool, _ steps: inout Int) {
            rest.append(state)
            while let state = rest.popLast() {
                steps -= 1
                if added[state] == position { continue }
                added[state] = position
                switch states[state] {
                case .scalar: reading.append(state)
                case .fork(let first, let second): rest += [second, first]
                case .jump(let target): rest.append(target)
                case .stringStart: if isStart { rest.append(state + 1) }
                case .stringEnd: if isEnd { rest.append(state + 1) }
                case .accepted: isAccepted = true
                }
            }
        }
    }
}

import ModelMirror

/// A value of the document, and the way to it if that is wanted.
struct QueriedPlace {
    let value: QueriedValue
    /// Nil at the root, and if no path is wanted.
    let trail: QueryTrail?
}

/// The last step of a path, linked to those before it, so that a path takes no more memory the deeper it is.
final class QueryTrail: Sendable {
    private let outer: QueryTrail?
    private let step: JSONPath.Step

    init(_ outer: QueryTrail?, _ step: JSONPath.Step) { (self.outer, self.step) = (outer, step) }

    /// The steps from the root, outermost first.
    var steps: [JSONPath.Step] { Array(sequence(first: self, next: \.outer)).reversed().map(\.step) }
}

/// One run of a query over a document.
///
/// Recursion follows the nesting of the query, which is bounded, never that of the document.
struct QueryEvaluation {
    private let root: QueriedValue
    private let limit: Int
    private var stepsLeft: Int
    /// The results of the queries from the root that occur in filters, by their numbers.
    private var known: [Int: QueriedValue?] = [:]
    /// The last regular expressions; nil if malformed.
    private var patterns: [[UInt8]: InterchangePattern?] = [:]

    init(root: QueriedValue, limit: Int) { (self.root, self.limit, stepsLeft) = (root, limit, limit) }

    /// A value that is found, and the number of segments that led to it.
    private struct Item {
        let place: QueriedPlace
        let segment: Int
    }

    /// Finds values in document order, until the closure returns false.
    mutating func run(
        _ segments: [QuerySegment], from start: QueriedValue, keepsPaths: Bool = false,
        _ found: (QueriedPlace) throws(JSONQueryError) -> Bool
    ) throws(JSONQueryError) {
        var rest = [Item(place: QueriedPlace(value: start, trail: nil), segment: 0)]
        while let item = rest.popLast() {
            try spend(1)
            guard item.segment < segments.count else {
                guard try found(item.place) else { return }
                continue
            }
            let segment = segments[item.segment]
            let first = rest.count
            for selector in segment.selectors {
                try select(selector, in: item.place.value) { value, step in
                    let trail = keepsPaths ? QueryTrail(item.place.trail, step()) : nil
                    rest.append(Item(place: QueriedPlace(value: value, trail: trail), segment: item.segment + 1))
                }
            }
            if segment.isDescendant {
                item.place.value.forEachChild { value, step in
                    guard value.isContainer else { return }
                    let trail = keepsPaths ? QueryTrail(item.place.trail, step()) : nil
                    rest.append(Item(place: QueriedPlace(value: value, trail: trail), segment: item.segment))
                }
            }
            // The last one is taken next.
            rest[first...].reverse()
        }
    }

    private mutating func spend(_ steps: Int) throws(JSONQueryError) {
        stepsLeft -= steps
        if stepsLeft < 0 { throw .tooManySteps(limit) }
    }

    private mutating func select(
        _ selector: QuerySelector, in value: QueriedValue, _ found: QueriedValue.Child
    ) throws(JSONQueryError) {
        switch (selector, value) {
        case (.name(let name), .object(let members)): if let member = members[name] { found(member) { .key(name) } }
        case (.index(let index), .array(let elements)):
            let place = index < 0 ? index + elements.count : index
            if elements.indices.contains(place) { found(elements[place]) { .index(place) } }
        case (.slice(let start, let end, let step), .array(let elements)):
            for index in elements.places(from: start, to: end, by: step) { found(elements[index]) { .index(index) } }
        case (.wildcard, _): value.forEachChild(found)
        case (.filter(let condition), .array(let elements)):
            for (index, element) in elements.enumerated() where try holds(condition, element) {
                found(element) { .index(index) }
            }
        case (.filter(let condition), .object(let members)):
            for (key, member) in members.list where try holds(condition, member) { found(member) { .key(key) } }
        default: break
        }
    }

    // MARK: Filters

    private mutating func holds(
        _ condition: QueryCondition, _ current: QueriedValue
    ) throws(JSONQueryError) -> Bool {
        try spend(1)
        switch condition {
        case .any(let conditions):
            for condition in conditions where try holds(condition, current) { return true }
            return false
        case .all(let conditions):
            for condition in conditions where try !holds(condition, current) { return false }
            return true
        case .not(let condition): return try !holds(condition, current)
        case .exists(let path):
            let first = try result(of: path, current) { evaluation, start throws(JSONQueryError) in
                try evaluation.values(path, from: start, most: 1).first.map { _ in .bool(true) }
            }
            return first != nil
        case .comparison(let left, let comparator, let right):
            return try compare(try value(of: left, current), comparator, try value(of: right, current))
        case .matches(let text, let pattern, let isWhole):
            guard case .string(let text)? = try value(of: text, current),
                case .string(let source)? = try value(of: pattern, current),
                let pattern = try compiled(source)
            else { return false }
            let matches = pattern.matches(text, isWhole: isWhole, steps: &stepsLeft)
            try spend(0)
            return matches
        }
    }

    private mutating func compare(
        _ left: QueriedValue?, _ comparator: QueryComparator, _ right: QueriedValue?
    ) throws(JSONQueryError) -> Bool {
        switch comparator {
        case .equal: return try areEqual(left, right)
        case .unequal: return try !areEqual(left, right)
        case .less: return isLess(left, right)
        case .more: return isLess(right, left)
        case .atMost: return isLess(left, right) ? true : try areEqual(left, right)
        case .atLeast: return isLess(right, left) ? true : try areEqual(left, right)
        }
    }

    private func isLess(_ left: QueriedValue?, _ right: QueriedValue?) -> Bool {
        if let left, let right { left.isLess(than: right) } else { false }
    }

    /// Nothing equals nothing.
    private mutating func areEqual(_ left: QueriedValue?, _ right: QueriedValue?) throws(JSONQueryError) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        let equal = left.isEqual(to: right, &stepsLeft)
        try spend(0)
        return equal
    }

    private mutating func value(
        of operand: QueryOperand, _ current: QueriedValue
    ) throws(JSONQueryError) -> QueriedValue? {
        switch operand {
        case .literal(let value): return value
        case .value(let path):
            return try result(of: path, current) { evaluation, start throws(JSONQueryError) in
                let values = try evaluation.values(path, from: start, most: 2)
                return values.count == 1 ? values[0] : nil
            }
        case .count(let path):
            return try result(of: path, current) { evaluation, start throws(JSONQueryError) in
                var count = 0
                try evaluation.run(path.segments, from: start) { _ throws(JSONQueryError) in
                    count += 1
                    return true
                }
                return .number("\(count)")
            }
        case .length(let operand):
            switch try value(of: operand, current) {
            case .string(let text):
                try spend(text.utf8.count / 8)
                return .number("\(text.unicodeScalars.count)")
            case .array(let elements): return .number("\(elements.count)")
            case .object(let members): return .number("\(members.list.count)")
            default: return nil
            }
        }
    }

    /// The result of a query in a filter. That of a query from the root is remembered.
    private mutating func result(
        of path: QueryPath, _ current: QueriedValue,
        _ find: (inout QueryEvaluation, QueriedValue) throws(JSONQueryError) -> QueriedValue?
    ) throws(JSONQueryError) -> QueriedValue? {
        guard let number = path.number else { return try find(&self, current) }
        if let result = known[number] { return result }
        let result = try find(&self, root)
        known[number] = .some(result)
        return result
    }

    private mutating func values(
        _ path: QueryPath, from start: QueriedValue, most: Int
    ) throws(JSONQueryError) -> [QueriedValue] {
        var values: [QueriedValue] = []
        try run(path.segments, from: start) { place throws(JSONQueryError) in
            values.append(place.value)
            return values.count < most
        }
        return values
    }

    private mutating func compiled(_ source: String) throws(JSONQueryError) -> InterchangePattern? {
        let key = Array(source.utf8)
        if let pattern = patterns[key] { return pattern }
        try spend(key.count)
        let pattern = try InterchangePattern(source)
        if patterns.count == 64 { patterns = [:] }
        patterns[key] = .some(pattern)
        return pattern
    }
}

extension QueriedValue {
    /// Receives a value in a container, and makes its step if that is wanted.
    typealias Child = (_ value: QueriedValue, _ step: () -> JSONPath.Step) -> Void

    fileprivate func forEachChild(_ body: Child) {
        switch self {
        case .array(let elements): for (index, element) in elements.enumerated() { body(element) { .index(index) } }
        case .object(let members): for (key, member) in members.list { body(member) { .key(key) } }
        default: break
        }
    }
}

extension [QueriedValue] {
    /// The indices of a slice (RFC 9535 section 2.3.4.2.2).
    fileprivate func places(from start: Int?, to end: Int?, by step: Int) -> StrideTo<Int> {
        // No longer than the array, so that no sum overflows.
        let step = Swift.min(Swift.max(step, -count - 1), count + 1)
        guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
        let (least, most) = step > 0 ? (0, count) : (-1, count - 1)
        func bound(_ index: Int) -> Int { Swift.min(Swift.max(index < 0 ? index + count : index, least), most) }
        let (first, last) = step > 0 ? (least, most) : (most, least)
        return stride(from: start.map(bound) ?? first, to: end.map(bound) ?? last, by: step)
    }
}

import ModelMirror

/// The last step of a path, linked to those before it, so that a path takes no more memory the deeper it is.
final class QueryTrail: Sendable {
    private let outer: QueryTrail?
    private let step: QueriedDocument.Child.Step

    init(_ outer: QueryTrail?, _ step: QueriedDocument.Child.Step) { (self.outer, self.step) = (outer, step) }

    /// The path from the root.
    func path(in document: QueriedDocument) -> JSONPath {
        JSONPath(Array(sequence(first: self, next: \.outer)).reversed().map { document.step($0.step) })
    }
}

/// Runs of queries over documents, one after the other.
///
/// Recursion follows the nesting of the query, which is bounded, never that of the document.
struct QueryEvaluation {
    /// A value in a filter: of the document, or of the query.
    private enum Operand {
        case value(Int)
        case scalar(QueriedScalar)
    }

    /// A value that is found, and the number of segments that led to it.
    private struct Item {
        let value: Int
        /// Nil at the root, and if no path is wanted.
        let trail: QueryTrail?
        let segment: Int
    }

    private var document = QueriedDocument.none
    private var (limit, stepsLeft) = (0, 0)
    /// The values of the queries from the root that occur in filters, by their numbers.
    private var known: [Int: [Int]] = [:]
    /// The last regular expressions; nil if malformed.
    private var patterns: [[UInt8]: InterchangePattern?] = [:]
    /// Empty arrays with room, so that not each container needs memory.
    private var spare: [[QueriedDocument.Child]] = []

    /// Finds the values of a document in its order.
    ///
    /// - Parameter element: The index of the document in a longer one, an array, which the query is about: see
    ///   ``QueryPath/takesElements``.
    mutating func run(
        _ path: QueryPath, in document: QueriedDocument, element: Int? = nil, keepsPaths: Bool, limit: Int,
        _ found: (Int, QueryTrail?) -> Void
    ) throws(JSONQueryError) {
        (self.document, self.limit, stepsLeft) = (document, limit, limit)
        // Whoever has the bytes of the document may change them.
        defer { (self.document, known) = (.none, [:]) }
        var start = Item(value: 0, trail: nil, segment: 0)
        if let element {
            switch path.segments[0].selectors[0] {
            case .index(let index): guard index == element else { return }
            case .filter(let condition): guard try holds(condition, 0) else { return }
            case .name, .wildcard, .slice: break
            }
            let trail = keepsPaths ? QueryTrail(nil, .index(element)) : nil
            start = Item(value: 0, trail: trail, segment: path.segments[0].isDescendant ? 0 : 1)
        }
        try run(path, from: start, keepsPaths: keepsPaths) { item in
            found(item.value, item.trail)
            return true
        }
    }

    /// Finds values in document order, until the closure returns false.
    private mutating func run(
        _ path: QueryPath, from start: Item, keepsPaths: Bool = false, _ found: (Item) -> Bool
    ) throws(JSONQueryError) {
        if path.isSingular {
            if let item = try only(path, from: start, keepsPaths: keepsPaths) { _ = found(item) }
            return
        }
        var rest = [start]
        var children = spare.popLast() ?? []
        defer { spare.append(children) }
        while let item = rest.popLast() {
            try spend(1)
            guard item.segment < path.segments.count else {
                guard found(item) else { return }
                continue
            }
            let segment = path.segments[item.segment]
            guard document.isContainer(item.value) else { continue }
            children.removeAll(keepingCapacity: true)
            document.addChildren(of: item.value, to: &children)
            try spend(children.count / 8)
            let first = rest.count
            func add(_ child: QueriedDocument.Child, _ segment: Int) {
                let trail = keepsPaths ? QueryTrail(item.trail, child.step) : nil
                rest.append(Item(value: child.value, trail: trail, segment: segment))
            }
            for selector in segment.selectors {
                try select(selector, in: item.value, children) { add($0, item.segment + 1) }
            }
            if segment.isDescendant {
                for child in children where document.isContainer(child.value) { add(child, item.segment) }
            }
            // The last one is taken next.
            rest[first...].reverse()
        }
    }

    /// The value of a query that finds at most one.
    private mutating func only(
        _ path: QueryPath, from start: Item, keepsPaths: Bool = false
    ) throws(JSONQueryError) -> Item? {
        var item = start
        for segment in path.segments[start.segment...] {
            try spend(1)
            guard let child = try child(segment.selectors[0], of: item.value) else { return nil }
            let trail = keepsPaths ? QueryTrail(item.trail, child.step) : nil
            item = Item(value: child.value, trail: trail, segment: item.segment + 1)
        }
        return item
    }

    /// The child that a name or an index selects.
    private mutating func child(
        _ selector: QuerySelector, of value: Int
    ) throws(JSONQueryError) -> QueriedDocument.Child? {
        switch selector {
        case .name(let name): return document.member(name, of: value, &stepsLeft)
        case .index(let index) where index >= 0: return document.element(index, of: value, &stepsLeft)
        case .index(let index):
            guard document.kind(value).isArray else { return nil }
            var elements = spare.popLast() ?? []
            defer { spare.append(elements) }
            elements.removeAll(keepingCapacity: true)
            document.addChildren(of: value, to: &elements)
            try spend(elements.count / 8)
            return index + elements.count >= 0 ? elements[index + elements.count] : nil
        case .wildcard, .slice, .filter: return nil
        }
    }

    @inline(__always)
    private mutating func spend(_ steps: Int) throws(JSONQueryError) {
        stepsLeft -= steps
        if stepsLeft < 0 { throw .tooManySteps(limit) }
    }

    /// - Parameter children: Those of the value, a container.
    private mutating func select(
        _ selector: QuerySelector, in value: Int, _ children: [QueriedDocument.Child],
        _ found: (QueriedDocument.Child) -> Void
    ) throws(JSONQueryError) {
        let isArray = document.kind(value).isArray
        switch selector {
        case .name, .index: if let child = try child(selector, of: value) { found(child) }
        case .slice(let start, let end, let step):
            guard isArray else { return }
            for index in children.places(from: start, to: end, by: step) { found(children[index]) }
        case .wildcard: for child in children { found(child) }
        case .filter(let condition): for child in children where try holds(condition, child.value) { found(child) }
        }
    }

    // MARK: Filters

    private mutating func holds(_ condition: QueryCondition, _ current: Int) throws(JSONQueryError) -> Bool {
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
            if path.isLocal { return try only(path, from: Item(value: current, trail: nil, segment: 0)) != nil }
            return try !values(of: path, current, most: 1).isEmpty
        case .comparison(let left, let comparator, let right):
            return try compare(try value(of: left, current), comparator, try value(of: right, current))
        case .matches(let text, let pattern, let isWhole):
            let operands = (try value(of: text, current), try value(of: pattern, current))
            try spend(weight(operands.0) + weight(operands.1))
            guard case .string(let bytes)? = scalar(operands.0), case .string(let source)? = scalar(operands.1),
                let pattern = try compiled(source)
            else { return false }
            // Each match clears a place for each state.
            try spend(pattern.size / 64)
            let matches = pattern.matches(String(decoding: bytes, as: UTF8.self), isWhole: isWhole, steps: &stepsLeft)
            try spend(0)
            return matches
        }
    }

    private func scalar(_ operand: Operand?) -> QueriedScalar? {
        switch operand {
        case .value(let value)?: document.scalar(value)
        case .scalar(let scalar)?: scalar
        case nil: nil
        }
    }

    private mutating func compare(
        _ left: Operand?, _ comparator: QueryComparator, _ right: Operand?
    ) throws(JSONQueryError) -> Bool {
        try spend(1)
        switch comparator {
        case .equal: return try areEqual(left, right)
        case .unequal: return try !areEqual(left, right)
        case .less: return try isLess(left, right)
        case .more: return try isLess(right, left)
        case .atMost: return try isLess(left, right) ? true : try areEqual(left, right)
        case .atLeast: return try isLess(right, left) ? true : try areEqual(left, right)
        }
    }

    private mutating func isLess(_ left: Operand?, _ right: Operand?) throws(JSONQueryError) -> Bool {
        // Before a text is made of a value that is not compared.
        guard isText(left) == isText(right) else { return false }
        try spend(weight(left) + weight(right))
        guard let left = scalar(left), let right = scalar(right) else { return false }
        return left.isLess(than: right)
    }

    private func isText(_ operand: Operand?) -> Bool {
        switch operand {
        case .value(let value)?: document.kind(value).isString
        case .scalar(.string)?: true
        case .scalar?, nil: false
        }
    }

    private func weight(_ operand: Operand?) -> Int {
        if case .value(let value)? = operand { document.weight(value) } else { 0 }
    }

    /// Nothing equals nothing.
    private mutating func areEqual(_ left: Operand?, _ right: Operand?) throws(JSONQueryError) -> Bool {
        switch (left, right) {
        case (nil, nil): return true
        case (nil, _), (_, nil): return false
        case (.value(let left)?, .value(let right)?):
            let equal = document.areEqual(left, right, &stepsLeft)
            try spend(0)
            return equal
        case (.value(let value)?, .scalar(let scalar)?), (.scalar(let scalar)?, .value(let value)?):
            // A text of another length is not read.
            if case .string(let text) = scalar {
                try spend(min(document.weight(value), text.count))
            } else {
                try spend(document.weight(value))
            }
            return document.equals(value, scalar)
        case (.scalar(let left)?, .scalar(let right)?): return left == right
        }
    }

    private mutating func value(of operand: QueryOperand, _ current: Int) throws(JSONQueryError) -> Operand? {
        switch operand {
        case .literal(let value): return .scalar(value)
        case .value(let path):
            if path.isLocal {
                return try only(path, from: Item(value: current, trail: nil, segment: 0)).map { .value($0.value) }
            }
            let values = try values(of: path, current, most: 2)
            return values.count == 1 ? .value(values[0]) : nil
        case .count(let path):
            let count = try values(of: path, current, most: .max).count
            return .scalar(.number(QueriedNumber("\(count)".utf8)))
        case .length(let operand):
            let operand = try value(of: operand, current)
            var count: Int
            if case .string(let text)? = scalar(operand) {
                try spend(text.count / 8)
                count = text.count { $0 & 0xC0 != 0x80 }
            } else if case .value(let value)? = operand, document.isContainer(value) {
                var children: [QueriedDocument.Child] = []
                document.addChildren(of: value, to: &children)
                count = children.count
                try spend(count / 8)
            } else {
                return nil
            }
            return .scalar(.number(QueriedNumber("\(count)".utf8)))
        }
    }

    /// The first values that a query in a filter finds. Those of a query from the root are remembered.
    private mutating func values(
        of path: QueryPath, _ current: Int, most: Int
    ) throws(JSONQueryError) -> [Int] {
        if let number = path.number, let values = known[number] { return values }
        var values: [Int] = []
        let start = Item(value: path.number == nil ? current : 0, trail: nil, segment: 0)
        try run(path, from: start) { item in
            values.append(item.value)
            return values.count < most
        }
        if let number = path.number { known[number] = values }
        return values
    }

    private mutating func compiled(_ source: [UInt8]) throws(JSONQueryError) -> InterchangePattern? {
        if let pattern = patterns[source] { return pattern }
        try spend(source.count)
        let pattern = try InterchangePattern(String(decoding: source, as: UTF8.self))
        try spend(pattern?.size ?? 0)
        if patterns.count == 64 { patterns = [:] }
        patterns[source] = .some(pattern)
        return pattern
    }
}

extension Array {
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

import ModelMirror

// The tree of a compiled query, named as in RFC 9535 where Swift allows it.

/// A query from the root, `$`, or from the value that a filter tests, `@`.
struct QueryPath: Sendable {
    /// Of a query from the root, its number among those in the filters: its result does not depend on the tested value, so that it
    /// is found once.
    let number: Int?
    let segments: [QuerySegment]
    /// Whether it finds at most one value, whatever the document.
    let isSingular: Bool

    init(number: Int?, segments: [QuerySegment]) {
        (self.number, self.segments) = (number, segments)
        isSingular = segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .wildcard, .slice, .filter: return false
            }
        }
    }

    /// Whether it finds at most one value, from the value that a filter tests.
    var isLocal: Bool { isSingular && number == nil }

    /// Whether the elements of an array at the root can be looked at one by one, if no filter has a query from the root.
    var takesElements: Bool {
        guard let segment = segments.first else { return false }
        if segment.isDescendant {
            // A name selects nothing in an array.
            return segment.selectors.allSatisfy { if case .name = $0 { true } else { false } }
        }
        guard segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .wildcard, .filter: return true
        case .index(let index): return index >= 0
        case .name, .slice: return false
        }
    }
}

/// `.name`, `[…]`, or with `isDescendant` `..name`, `..[…]`.
struct QuerySegment: Sendable {
    let isDescendant: Bool
    let selectors: [QuerySelector]
}

enum QuerySelector: Sendable {
    /// As UTF-8.
    case name([UInt8])
    case wildcard
    /// From 0, or from the end if negative.
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(QueryCondition)
}

/// What a filter tests.
indirect enum QueryCondition: Sendable {
    case any([QueryCondition])
    case all([QueryCondition])
    case not(QueryCondition)
    /// The query finds a value.
    case exists(QueryPath)
    case comparison(QueryOperand, QueryComparator, QueryOperand)
    /// `match` if the whole string is to match, otherwise `search`.
    case matches(QueryOperand, pattern: QueryOperand, isWhole: Bool)
}

enum QueryComparator: String, Sendable, CaseIterable {
    // The longer ones first, since the parser takes the first that fits.
    case equal = "=="
    case unequal = "!="
    case atMost = "<="
    case atLeast = ">="
    case less = "<"
    case more = ">"
}

/// A value or nothing.
indirect enum QueryOperand: Sendable {
    case literal(QueriedScalar)
    /// The value of a query that finds exactly one; otherwise nothing. Also the function `value`.
    case value(QueryPath)
    case count(QueryPath)
    case length(QueryOperand)
}

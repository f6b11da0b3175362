import ModelMirror

// The tree of a compiled query, named as in RFC 9535 where Swift allows it.

/// A query from the root, `$`, or from the value that a filter tests, `@`.
struct QueryPath: Sendable {
    /// Of a query from the root, its number among those in the filters: its result does not depend on the tested value, so that it
    /// is found once.
    let number: Int?
    let segments: [QuerySegment]

    /// Whether it finds at most one value, whatever the document.
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
            switch segment.selectors[0] {
            case .name, .index: return true
            case .wildcard, .slice, .filter: return false
            }
        }
    }
}

/// `.name`, `[…]`, or with `isDescendant` `..name`, `..[…]`.
struct QuerySegment: Sendable {
    let isDescendant: Bool
    let selectors: [QuerySelector]
}

enum QuerySelector: Sendable {
    case name(String)
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
    case literal(QueriedValue)
    /// The value of a query that finds exactly one; otherwise nothing. Also the function `value`.
    case value(QueryPath)
    case count(QueryPath)
    case length(QueryOperand)
}

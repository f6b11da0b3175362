/// A value that was rejected, in whole or in part. Whether that is a failure is decided when its object is settled.
///
/// It is a few plain words, and its issues stay in the session's list: mostly nobody reads them, and with a list of their own and a
/// dictionary of an object's rows each value took three times as long.
struct RejectedValue {
    /// Where the object begins.
    let object: Int
    let row: Int
    /// Where the value begins.
    let offset: Int
    let kind: Kind
    /// Those of the session's issues that are its own; for a duplicate there are none.
    let issues: Range<Int>

    enum Kind {
        /// `null` for a property that is not Optional; its issue, if any, tells only what is expected.
        case null
        /// The value as a whole does not fit.
        case refused
        /// A collection was stored without some of its elements.
        case partial
        /// A value that fits, but must not be there: a duplicate key in strict mapping.
        case duplicate
        /// A value that fits, in place of those before it: they no longer count, but for the duplicates.
        case repair
    }
}

extension MappingSession {
    /// Records a rejected value of an object.
    ///
    /// - Parameter issues: Its own; nil for those of the current row.
    func reject(
        _ row: Int, at offset: Int, _ kind: RejectedValue.Kind, _ frame: inout ObjectFrame,
        issues: Range<Int>? = nil
    ) {
        let issues = issues ?? sealIssues()
        rejected.append(
            RejectedValue(object: frame.offset, row: row, offset: offset, kind: kind, issues: issues))
        frame.leaveUnsettled(row)
    }

    /// Forgets a row's null and rejected values: the value at an offset has replaced them.
    func repair(_ row: Int, at offset: Int, _ frame: inout ObjectFrame) {
        // Those at the end are removed at once: a document may have many, each followed by its repair.
        while let last = rejected.last, last.object == frame.offset, last.row == row, last.kind != .duplicate,
            last.issues.isEmpty || last.issues.upperBound == issues.count
        {
            rejected.removeLast()
            if !last.issues.isEmpty { dropIssues(from: last.issues.lowerBound) }
        }
        if rejected.last?.object == frame.offset {
            reject(row, at: offset, .repair, &frame, issues: 0..<0)
            frame.makeIncomplete()
        }
        frame.settle(row)
    }

    /// The index of the first rejected value of the object that is being read; their number if it has none.
    func firstRejected(of frame: ObjectFrame) -> Int {
        var first = rejected.count
        while first > 0, rejected[first - 1].object == frame.offset { first -= 1 }
        return first
    }

    /// Where the issues of an object begin, whose first rejected value has an index.
    func startOfIssues(from first: Int) -> Int {
        for index in first..<rejected.count where !rejected[index].issues.isEmpty {
            return rejected[index].issues.lowerBound
        }
        return issues.count
    }

    /// Removes an object's rejected values with their issues.
    ///
    /// - Parameter start: Where its issues begin.
    func dropRejected(from first: Int, issues start: Int) {
        while rejected.count > first { rejected.removeLast() }
        dropIssues(from: start)
    }

    /// Puts an object's rejected values in the order of the rows, and of the document, and removes those that were replaced: by a
    /// value that was read later, which may stand before them, as the value of an alias does.
    func orderRejected(from first: Int) {
        let values = rejected[first...]
        if zip(values, values.dropFirst()).allSatisfy({
            ($0.row, $0.offset) <= ($1.row, $1.offset) && $1.kind != .repair
        }) {
            return
        }
        var counting: [RejectedValue] = []
        var repaired: Set<Int> = []
        for value in values.reversed() {
            if value.kind == .repair {
                repaired.insert(value.row)
            } else if value.kind == .duplicate || !repaired.contains(value.row) {
                counting.append(value)
            }
        }
        let ordered = counting.reversed().enumerated().sorted {
            ($0.element.row, $0.element.offset, $0.offset) < ($1.element.row, $1.element.offset, $1.offset)
        }
        rejected.replaceSubrange(first..., with: ordered.map(\.element))
    }

    /// The issues of a rejected value.
    func issues(of value: RejectedValue, _ table: PropertyTable) -> [Issue] {
        let own = issues[value.issues]
        switch value.kind {
        case .null:
            return [Issue(.fallback, own.first?.expectation ?? table.rows[value.row].expected, at: value.offset)]
        case .duplicate:
            return [Issue(duplicateOf: value.row, of: table, at: value.offset, isUsed: false)]
        case .refused, .partial: return Array(own)
        case .repair: return []  // removed by `orderRejected`
        }
    }
}

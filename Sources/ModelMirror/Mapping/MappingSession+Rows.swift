/// Single rows: those with aliases and paths, whose value is determined after all members of the object, and one that is assigned.
extension MappingSession {
    /// Reads the rows with several keys or a path, after all members of the object.
    func readCandidates(
        of object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) {
        var present: [(target: PropertyTable.KeyTarget, place: JSONReader.Destination, offset: Int, start: Int)] = []
        for candidate in frame.candidates {
            let place = try reader.revisiting(candidate.offset, depthLeft: reader.depthLeft - 1) {
                reader throws(Interruption) in try reader.navigate(candidate.target.path, &ends)
            }
            switch place {
            case .missing: continue
            case .value(let offset, _), .null(let offset), .notContainer(let offset, _):
                present.append((candidate.target, place, offset, candidate.offset))
            }
        }
        let outerTag = table.hasDynamicProperties ? tag : nil
        defer { if table.hasDynamicProperties { tag = outerTag } }
        // Row by row, in the order of the document.
        present.sort { ($0.target.row, $0.offset) < ($1.target.row, $1.offset) }
        var rest = present[...]
        while let row = rest.first?.target.row {
            let own = rest.prefix { $0.target.row == row }
            rest = rest[own.endIndex...]
            if let rule = table.rows[row].dynamicTypes { try findTag(rule, in: frame.offset, &reader) }
            // A path blocked by a scalar counts as absent, unless all are blocked.
            let isBlocked = own.allSatisfy(\.place.isBlocked)
            let counting = own.lazy.filter { $0.place.isBlocked == isBlocked }
            let best = counting.map(\.target.rank).min()
            for candidate in counting {
                guard candidate.target.rank == best else {
                    note(Issue(.skipped, .preferredKey, at: candidate.offset).named(table, row))
                    continue
                }
                switch candidate.place {
                case .value(let offset, let depthLeft):
                    if table.ruledRows.contains(row) { skips = skips ?? [] }
                    try reader.revisiting(offset, depthLeft: depthLeft) { reader throws(Interruption) in
                        try readRow(row, object, table, &frame, &reader)
                    }
                    if table.ruledRows.contains(row), isFitting(row, at: offset, frame) {
                        frame.ask(ruleOf: row, at: offset)
                    }
                case .null(let offset):
                    // A null that ends the path too early is none of the property's; its key is missing.
                    if table.rows[row].acceptsNull,
                        try isBlockedByNull(candidate.target.path, from: candidate.start, reader)
                    {
                        continue
                    }
                    try reader.revisiting(offset) { reader throws(Interruption) in
                        try readRow(row, object, table, &frame, &reader)
                    }
                case .notContainer(let offset, let expected):
                    let isFirst = frame.see(row)
                    if !isFirst { duplicate(row, offset, table, &frame, repairs: false) }
                    add(Issue(.fallback, .kind(expected), at: offset))
                    reject(row, at: offset, .refused, &frame)
                case .missing: break
                }
            }
            if isReporting { nameNotes(table, row) }
        }
    }

    /// Whether a path from the value at an offset meets null before its end.
    private func isBlockedByNull(
        _ path: ArraySlice<JSONPath.Step>, from offset: Int, _ reader: JSONReader
    ) throws(Interruption) -> Bool {
        guard !path.isEmpty else { return false }
        var reader = JSONReader(rereading: reader)
        reader.offset = offset
        if case .null = try reader.navigate(path.dropLast(), &ends) { return true }
        return false
    }

    /// Reads one property of an object from the value at the cursor, by the same rules as when a whole object is mapped.
    ///
    /// - Returns: whether the property has no failure.
    func readProperty(
        _ name: String, of object: AbstractModel, _ reader: inout JSONReader
    ) throws(Interruption) -> Bool {
        let table = try table(for: object)
        guard let number = table.rows.firstIndex(where: { $0.name == name }) else {
            throw interruption(
                InvalidModel(
                    model: "\(table.model)", property: name,
                    reason: "it has no property \(name.quotedForMessage) to assign"
                        + name.suggestion(among: table.rows.map(\.name))))
        }
        return try withRules(of: table) { () throws(Interruption) in
            var frame = ObjectFrame(offset: reader.offset, fillsNested: updatesNestedInPlace)
            let offset = reader.offset
            try readRow(number, object, table, &frame, &reader)
            if table.ruledRows.contains(number), isFitting(number, at: offset, frame) {
                frame.ask(ruleOf: number, at: offset)
            }
            nameNotes(table, number)
            let failures =
                brokenRules(of: object, table, frame, reader)
                + (try settle(number, rejected.indices, table.rows[number], object, table, frame, &reader))
            dropRejected(from: 0, issues: 0)
            add(contentsOf: failures)
            return failures.isEmpty
        }
    }
}

/// Single rows: those with aliases and paths, whose value is determined after all members of the object, and one that is assigned.
extension MappingSession {
    /// Reads the rows with several keys or a path, after all members of the object.
    func readCandidates(
        of object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) {
        var present: [(target: PropertyTable.KeyTarget, place: JSONReader.Destination, offset: Int)] = []
        for candidate in frame.candidates {
            let place = try reader.revisiting(candidate.offset, depthLeft: reader.depthLeft - 1) {
                reader throws(Interruption) in try reader.navigate(candidate.target.path, &ends)
            }
            switch place {
            case .missing: continue
            case .value(let offset, _), .null(let offset), .notContainer(let offset, _):
                present.append((candidate.target, place, offset))
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
                    note(
                        Finding(
                            kind: .skipped, model: table.model, property: table.rows[row].name,
                            offset: candidate.offset,
                            expected: "no second key, since a preferred one is present"))
                    continue
                }
                switch candidate.place {
                case .value(let offset, let depthLeft):
                    try reader.revisiting(offset, depthLeft: depthLeft) { reader throws(Interruption) in
                        try readRow(row, object, table, &frame, &reader)
                    }
                case .null(let offset):
                    try reader.revisiting(offset) { reader throws(Interruption) in
                        try readRow(row, object, table, &frame, &reader)
                    }
                case .notContainer(let offset, let expected):
                    let isFirst = frame.see(row)
                    if !isFirst { duplicate(row, offset, table, &frame, repairs: false) }
                    add(Finding(kind: .fallback, offset: offset, expected: expected))
                    reject(row, at: offset, .refused, &frame)
                case .missing: break
                }
            }
            if isReporting { nameNotes(table, row) }
        }
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
            try readRow(number, object, table, &frame, &reader)
            nameNotes(table, number)
            let failures = try settle(number, rejected.indices, table.rows[number], object, table, frame, &reader)
            dropRejected(from: 0, findings: 0)
            add(contentsOf: failures)
            return failures.isEmpty
        }
    }
}

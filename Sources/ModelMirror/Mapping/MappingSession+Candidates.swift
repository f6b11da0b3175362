/// Aliases and paths: rows whose value is known only when all members of the object are.
extension MappingSession {
    /// Reads the rows that have several keys or a path, now that all members are known.
    func readCandidates(
        of object: AbstractModel, _ table: PropertyTable, _ frame: inout ObjectFrame, _ reader: inout JSONReader
    ) throws(Interruption) {
        var present: [(taker: PropertyTable.Taker, place: JSONReader.Destination, offset: Int)] = []
        for candidate in frame.candidates {
            let place = try reader.revisiting(candidate.offset, depthLeft: reader.depthLeft - 1) {
                reader throws(Interruption) in try reader.navigate(candidate.taker.path)
            }
            switch place {
            case .missing: continue
            case .value(let offset, _), .null(let offset), .notContainer(let offset, _):
                present.append((candidate.taker, place, offset))
            }
        }
        for row in Set(present.map(\.taker.row)).sorted() {
            let own = present.filter { $0.taker.row == row }
            guard let best = own.map(\.taker.rank).min() else { continue }
            for candidate in own {
                guard candidate.taker.rank == best else {
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
                    let isFirst = frame.seen.insert(row)
                    if !isFirst { duplicate(row, offset, table, &frame, repairs: false) }
                    let finding = Finding(kind: .fallback, offset: offset, expected: expected)
                    frame.troubles.append(
                        ObjectFrame.Trouble(row: row, offset: offset, kind: .refused, findings: [finding]))
                case .missing: break
                }
            }
            if isReporting { nameNotes(table.model, table.rows[row].name) }
        }
    }
}

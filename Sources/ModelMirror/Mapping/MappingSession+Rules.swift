/// The rules of properties, asked about the values that their rows end with.
extension MappingSession {
    /// Whether the value that was read for a row fits, in whole or in part.
    func isFitting(_ row: Int, at offset: Int, _ frame: ObjectFrame) -> Bool {
        guard let last = rejected.last, last.object == frame.offset, last.row == row, last.offset == offset else {
            return true
        }
        return last.kind != .refused && last.kind != .null
    }

    /// The failures of an object's values by rules, whatever else failed.
    @inline(never)
    func brokenRules(
        of object: AbstractModel, _ table: PropertyTable, _ frame: ObjectFrame, _ reader: JSONReader
    ) -> [Issue] {
        var failures: [Issue] = []
        for (number, offset) in frame.ruled.sorted(by: { $0.key < $1.key }) {
            let row = table.rows[number]
            guard let check = row.values.rule?.check else { continue }
            let value = frame.update?[number]?.anyValue ?? row.values.value(of: object)
            let broken = RuleForm.breaks(of: value, check)
            guard !broken.isEmpty else { continue }
            let missing = leftOut(of: number, at: offset, frame)
            for broken in broken {
                let place = reader.place(of: broken.steps, inValueAt: offset, leftOut: missing)
                failures.append(Issue(.fallback, broken.expectation, at: place).named(table, number))
            }
        }
        return failures
    }

    /// Offsets in the elements of a row's value that were left out, since they did not fit or on purpose.
    private func leftOut(of row: Int, at offset: Int, _ frame: ObjectFrame) -> LeftOutElements {
        var missing = LeftOutElements(skipped: skips ?? [])
        for value in rejected[firstRejected(of: frame)...] where value.row == row && value.offset == offset {
            for issue in issues[value.issues] {
                if issue.subject == nil {
                    missing.refused.insert(issue.offset)
                } else {
                    missing.skipped.append(issue.offset)
                }
            }
        }
        return missing
    }
}

/// The elements of an array that its property does not have.
private struct LeftOutElements {
    /// The offsets of elements.
    var refused: Set<Int> = []
    /// Offsets inside elements.
    var skipped: [Int]

    func contains(_ element: Range<Int>) -> Bool {
        refused.contains(element.lowerBound) || skipped.contains { element.contains($0) }
    }
}

extension JSONReader {
    /// Where the part of a value begins to which steps lead, of which the first counts only the elements that were read; the value's
    /// own place if the document has no such part, as in a string that holds JSON.
    fileprivate func place(of steps: [JSONPath.Step], inValueAt offset: Int, leftOut: LeftOutElements) -> Int {
        guard let first = steps.first else { return offset }
        var (path, reader) = (steps, JSONReader(rereading: self))
        reader.offset = offset
        if case .index(let wanted) = first, reader.byte == UInt8(ascii: "[") {
            guard let index = try? reader.documentIndex(of: wanted, leftOut) else { return offset }
            path[0] = .index(index)
            reader.offset = offset
        }
        return switch try? reader.navigate(path[...]) {
        case .value(let inner, _), .null(let inner): inner
        case .missing, .notContainer, nil: offset
        }
    }

    /// The index in the document of an element of the array at the cursor that was read.
    private mutating func documentIndex(of wanted: Int, _ leftOut: LeftOutElements) throws(Interruption) -> Int? {
        guard try openArray() else { return nil }
        var (index, read) = (0, 0)
        repeat {
            let start = offset
            try skipValue()
            if !leftOut.contains(start..<offset) {
                if read == wanted { return index }
                read += 1
            }
            index += 1
        } while try nextElement()
        return nil
    }
}

extension PendingValue {
    /// The value.
    fileprivate var anyValue: Any {
        switch self {
        case .string(let value): value
        case .int(let value): value
        case .double(let value): value
        case .bool(let value): value
        case .optionalString(let value): value as Any
        case .optionalInt(let value): value as Any
        case .optionalDouble(let value): value as Any
        case .optionalBool(let value): value as Any
        case .boxed(let staged): staged.anyValue
        }
    }
}

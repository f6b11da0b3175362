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
            let refused = rejected[firstRejected(of: frame)...].filter { $0.row == number && $0.offset == offset }
            // Elements that are failures themselves do not make a collection too small.
            let isFailure = !refused.isEmpty && (rules.strict || row.isRequired)
            var places = PartPlaces(of: offset, in: reader, leftOut(refused))
            for broken in broken where !(isFailure && broken.isTooSmall && broken.steps.isEmpty) {
                let steps = table.redacted.contains(number) ? broken.stepsBeforeKeys : broken.steps
                let place = broken.element.map { places.place(ofElement: $0) } ?? places.place(of: steps)
                failures.append(Issue(.fallback, broken.expectation, at: place).named(table, number))
            }
        }
        return failures
    }

    /// Offsets in the elements that were left out, since they did not fit or on purpose.
    private func leftOut(_ refused: [RejectedValue]) -> LeftOutElements {
        var missing = LeftOutElements(skipped: skips ?? [])
        for issue in refused.lazy.flatMap({ self.issues[$0.issues] }) {
            if issue.subject == nil {
                missing.refused.insert(issue.offset)
            } else {
                missing.skipped.append(issue.offset)
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
}

/// Where the parts of a value begin. Each container is read once, so that many broken rules take linear time.
private struct PartPlaces {
    private let root: Int
    private let reader: JSONReader
    private var leftOut: LeftOutElements
    private var parts: [Int: Parts] = [:]
    /// The elements of the value by their content.
    private var elements: [JSONValue: Int]?

    /// The offsets of the parts of a container.
    private struct Parts {
        var elements: [Int] = []
        var members: [String: Int] = [:]
    }

    /// - Parameters:
    ///   - root: The start of the value.
    ///   - leftOut: The elements that do not count in its indices.
    init(of root: Int, in reader: JSONReader, _ leftOut: LeftOutElements) {
        self.root = root
        self.reader = JSONReader(rereading: reader)
        self.leftOut = leftOut
        self.leftOut.skipped.sort()
    }

    /// The start of a part; that of the value if the document has no such part, as in a string that holds JSON.
    mutating func place(of steps: [JSONPath.Step]) -> Int {
        var offset = root
        for step in steps {
            let parts = parts(at: offset)
            switch step {
            case .index(let index) where parts.elements.indices.contains(index): offset = parts.elements[index]
            case .key(let key):
                guard let member = parts.members[key] else { return root }
                offset = member
            case .index: return root
            }
        }
        return offset
    }

    /// The start of the first element with a value; that of the whole value if there is none, or a converter reads it.
    mutating func place(ofElement value: JSONValue) -> Int {
        if let elements { return elements[value] ?? root }
        var known: [JSONValue: Int] = [:]
        for offset in parts(at: root).elements {
            var reader = reader
            reader.offset = offset
            guard let element = try? JSONValue(&reader), known[element] == nil else { continue }
            known[element] = offset
        }
        elements = known
        return known[value] ?? root
    }

    private mutating func parts(at offset: Int) -> Parts {
        if let known = parts[offset] { return known }
        var found = Parts()
        var reader = reader
        reader.offset = offset
        try? reader.readParts {
            found.members[$0] = $1
        } element: { element in
            if offset != root || !isLeftOut(element) { found.elements.append(element.lowerBound) }
        }
        parts[offset] = found
        return found
    }

    private func isLeftOut(_ element: Range<Int>) -> Bool {
        if leftOut.refused.contains(element.lowerBound) { return true }
        var (low, high) = (0, leftOut.skipped.count)
        while low < high {
            let middle = (low + high) / 2
            if leftOut.skipped[middle] < element.lowerBound { low = middle + 1 } else { high = middle }
        }
        return low < leftOut.skipped.count && leftOut.skipped[low] < element.upperBound
    }
}

extension JSONReader {
    /// Calls a closure with each member or element of the container at the cursor. Of duplicate keys the last wins.
    fileprivate mutating func readParts(
        member: (String, Int) -> Void, element: (Range<Int>) -> Void
    ) throws(Interruption) {
        switch byte {
        case UInt8(ascii: "{"):
            guard try openObject() else { return }
            repeat {
                let key = try readKey()
                member(key, offset)
                try skipValue()
            } while try nextMember()
        case UInt8(ascii: "["):
            guard try openArray() else { return }
            repeat {
                let start = offset
                try skipValue()
                element(start..<offset)
            } while try nextElement()
        default: return
        }
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

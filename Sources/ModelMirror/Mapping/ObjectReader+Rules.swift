/// Checks the final values of rows by their properties' rules.
extension ObjectReader {
    /// Reads the value for a row. If it fits in whole or in part, the row's rule checks it at the object's end.
    func readRuled(_ number: Int, _ progress: inout ObjectProgress, _ json: inout JSONReader) throws(Interruption) {
        let (isRuled, offset) = (table.ruledRows.contains(number), json.offset)
        if isRuled { recordSkips(&progress) }
        let isStored = try readRow(number, &progress, &json)
        if table.rereadRows.contains(number) { try session.countReading(since: offset, json) }
        guard isRuled else { return }
        let last = session.rejected.count > progress.firstRejection ? session.rejected.last : nil
        if isStored || last?.row == number && last?.offset == offset && last?.kind == .partial {
            progress.madeRest.ruled[number] = offset
        }
    }

    /// Makes the session record skipped elements.
    func recordSkips(_ progress: inout ObjectProgress) {
        if session.skips == nil { session.skips = [] }
        let rest = progress.madeRest
        rest.firstSkip = rest.firstSkip ?? session.skips?.count
    }

    /// The failures of an object's values by rules, whatever else failed.
    @inline(never)
    func brokenRules(_ ruled: [Int: Int], _ progress: borrowing ObjectProgress, _ json: JSONReader) -> [Issue] {
        var failures: [Issue] = []
        for (number, offset) in ruled.ordered(by: { $0.key < $1.key }) {
            let row = table.rows[number]
            // A model changed in place is checked after the stores.
            if progress.update?.changesModel(inRow: number) == true { continue }
            guard let check = row.values.rule?.check else { continue }
            let value = progress.update?[number]?.anyValue ?? row.values.value(of: object)
            let broken = RuleForm.breaks(of: value, check)
            guard !broken.isEmpty else { continue }
            // Elements that are failures themselves do not make a collection too small.
            let isFailure =
                (session.rules.strict || row.isRequired)
                && session.rejected[progress.firstRejection...].contains { $0.row == number && $0.offset == offset }
            let skipped = Set(progress.rest?.firstSkip.flatMap { session.skips?[$0...] } ?? [])
            let dictionary = RuleForm.unwrapped(row.values.type) as? any RuleMembers.Type
            var places = PartPlaces(
                root: offset, dictionary: dictionary, reader: json, session: session, skipped: skipped)
            let hidesKeys = session.redaction > 0 || table.redacted.contains(number)
            for broken in broken where !(isFailure && broken.isTooSmall && broken.steps.isEmpty) {
                if row.values.isCollection, places.lacks(broken.steps.first) { continue }
                let steps = hidesKeys ? broken.stepsBeforeKeys : broken.steps
                let element = broken.element.flatMap { places.elements[$0] }
                // Where no element has this form, as where a converter reads them, the message shows it.
                let words = broken.found ?? (element == nil ? broken.element?.description.shortened : nil)
                let place = element ?? (broken.element == nil ? places.place(of: steps) : offset)
                let details = Issue.Details(words: words)
                failures.append(Issue(.fallback, broken.expectation, at: place, details).named(table, number))
            }
        }
        return failures
    }
}

/// Where the parts of a value begin. Each container is read once, so that many broken rules take linear time.
private struct PartPlaces {
    /// The start of the value.
    let root: Int
    /// The type of the value, if it is a dictionary.
    let dictionary: (any RuleMembers.Type)?
    let reader: JSONReader
    /// It knows where containers end.
    let session: MappingSession
    /// Where the elements begin that were left out since the value is read: they do not count in the indices of the others.
    let skipped: Set<Int>
    /// The parts of containers, by their offsets.
    var known: [Int: [JSONPath.Step: Int]] = [:]
    /// The elements of the value by their content; of equal ones the first.
    lazy var elements = parts(at: root).reduce(into: [JSONValue: Int]()) { elements, part in
        var reader = JSONReader(rereading: self.reader, at: part.value)
        guard case .index = part.key, let element = try? JSONValue(&reader) else { return }
        elements[element] = min(elements[element] ?? part.value, part.value)
    }

    /// Whether the document does not give a member of a dictionary, which an update keeps.
    mutating func lacks(_ step: JSONPath.Step?) -> Bool {
        guard let step, case .key = step, JSONReader(rereading: reader, at: root).byte == UInt8(ascii: "{") else {
            return false
        }
        return parts(at: root)[step] == nil
    }

    /// The start of a part; that of the value if the document has no such part, as in a string that holds JSON.
    mutating func place(of steps: [JSONPath.Step]) -> Int {
        var offset = root
        for step in steps {
            guard let part = parts(at: offset)[step] else { return root }
            offset = part
        }
        return offset
    }

    private mutating func parts(at offset: Int) -> [JSONPath.Step: Int] {
        if let parts = known[offset] { return parts }
        let parts = (try? readParts(at: offset)) ?? [:]
        known[offset] = parts
        return parts
    }

    /// The starts of the members or elements of the container at an offset. Of duplicate keys the last wins that fits.
    private func readParts(at offset: Int) throws(Interruption) -> [JSONPath.Step: Int] {
        var (reader, parts) = (JSONReader(rereading: reader, at: offset), [JSONPath.Step: Int]())
        func add(_ step: JSONPath.Step) throws(Interruption) {
            let start = reader.offset
            try reader.skipValue(&session.ends)
            if !skipped.contains(start) { parts[step] = start }
        }
        if reader.byte == UInt8(ascii: "{"), try reader.openObject() {
            repeat {
                let key = try reader.readKey()
                try add(.key(offset == root ? dictionary?.text(ofKey: key) ?? key : key))
            } while try reader.nextMember()
        } else if reader.byte == UInt8(ascii: "["), try reader.openArray() {
            repeat { try add(.index(parts.count)) } while try reader.nextElement()
        }
        return parts
    }
}

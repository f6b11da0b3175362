/// Values that are determined after all members of an object: those of rows with aliases and paths, and the members that no property
/// takes.
extension ObjectReader {
    /// Reads what the members' loop left.
    @inline(never)
    func readRest(_ progress: inout ObjectProgress, _ json: inout JSONReader) throws(Interruption) {
        if let candidates = progress.rest?.candidates, !candidates.isEmpty {
            try read(candidates, &progress, &json)
        }
        let unknown = progress.rest?.unknown ?? []
        if let row = table.restRow, !unknown.isEmpty {
            if session.call.merging != nil, progress.isUpdate {
                let members = try values(of: unknown, for: row, &progress, &json)
                progress.madeRest.patches[row] = ObjectProgress.Patch(
                    offset: progress.offset, depthLeft: json.depthLeft, tag: nil, members: .object(members))
            } else {
                session.rest = (progress.offset, Set(unknown.map(\.value)))
                try readFlattened(row, &progress, &json)
                session.rest = nil
            }
        }
        if let patches = progress.rest?.patches, !patches.isEmpty { try apply(patches, &progress, &json) }
        if let row = table.unknownKeysRow { try store(unknown, in: row, &progress, &json) }
    }

    /// Reads a flattened property from the members of the object itself, which reports those that neither takes.
    private func readFlattened(
        _ row: Int, _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        session.flattened.append((progress.offset, table, row))
        defer { session.flattened.removeLast() }
        try json.revisiting(progress.offset, depthLeft: json.depthLeft) { json throws(Interruption) in
            try readRuled(row, &progress, &json)
        }
        session.nameNotes(table, row)
    }

    /// Reads the rows with several keys or a path.
    private func read(
        _ candidates: [ObjectProgress.Candidate], _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        var present: [PresentPlace] = []
        for candidate in candidates {
            let place = try json.revisiting(candidate.offset, depthLeft: json.depthLeft - 1) {
                json throws(Interruption) in try json.navigate(candidate.target.path, &session.ends)
            }
            if case .missing = place { continue }
            present.append(PresentPlace(target: candidate.target, place: place))
        }
        let outerTag = session.choices.tag
        defer { if table.hasDynamicProperties { session.choices.tag = outerTag } }
        // Row by row, in the order of the document.
        present.sort { ($0.target.row, $0.place.offset) < ($1.target.row, $1.place.offset) }
        var rest = present[...]
        while let row = rest.first?.target.row {
            let own = rest.prefix { $0.target.row == row }
            rest = rest[own.endIndex...]
            if table.rows[row].flattening != nil {
                try readFlattened(row, &progress, &json)
                continue
            }
            if let rule = table.rows[row].dynamicTypes {
                try session.findTag(rule, held: heldName(of: rule, progress), in: progress.offset, &json)
            }
            // A path blocked by a scalar counts as absent, unless all are blocked.
            let isBlocked = own.allSatisfy(\.place.isBlocked)
            let counting = own.lazy.filter { $0.place.isBlocked == isBlocked }
            var best = counting.map(\.target.rank).min() ?? 0
            var isStored = false
            if table.rows[row].key.isFirstFitting, counting.contains(where: { $0.target.rank != best }) {
                let places = counting.ordered { $0.target.rank < $1.target.rank }
                if let found = try firstFitting(row, places, &progress, &json) { (best, isStored) = found }
            }
            // Those passed over because they do not fit have been recorded.
            for candidate in counting where candidate.target.rank >= best {
                guard candidate.target.rank == best else {
                    session.note(Issue(.skipped, .plain(.alias), at: candidate.place.offset).named(table, row))
                    continue
                }
                if isStored { continue }
                switch candidate.place {
                case .value(let offset, let depthLeft):
                    try json.revisiting(offset, depthLeft: depthLeft) { json throws(Interruption) in
                        try readRuled(row, &progress, &json)
                    }
                case .null(let offset, let isAtEnd):
                    // A null that ends the path too early is none of the property's; its key is missing.
                    if table.rows[row].acceptsNull, !isAtEnd { continue }
                    try json.revisiting(offset) { json throws(Interruption) in try readRuled(row, &progress, &json) }
                case .notContainer(let offset, let expected):
                    if !progress.see(row) { duplicate(row, at: offset, repairs: false, &progress) }
                    session.add(Issue(.fallback, .kind(expected), at: offset))
                    reject(row, at: offset, .refused, &progress)
                case .missing: break
                }
            }
            session.nameNotes(table, row)
        }
    }

    /// A place of a row that is in the document. (As a tuple, whose metadata is looked up, it costs an object 1,000 instructions.)
    private struct PresentPlace {
        let target: PropertyTable.KeyTarget
        let place: JSONReader.Destination
    }

    /// Finds the first value for a row that is not null and fits, and records those before it.
    ///
    /// It is stored at once if it is the only one of its key, and values replace the existing ones: another reading would double the time
    /// at each level of nested objects.
    ///
    /// - Returns: the rank of its place; nil if there is none.
    private func firstFitting(
        _ row: Int, _ places: [PresentPlace], _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) -> (rank: Int, isStored: Bool)? {
        let tag = session.choices.tag
        defer { session.choices.tag = tag }
        var passed: [Issue] = []
        let counts = places.reduce(into: [Int: Int]()) { $0[$1.target.rank, default: 0] += 1 }
        for candidate in places {
            guard case .value(let offset, let depthLeft) = candidate.place else {
                passed.append(Issue(.fallback, table.rows[row].expected, at: candidate.place.offset))
                continue
            }
            let mark = session.mark
            if table.ruledRows.contains(row) { recordSkips(&progress) }
            let isOnly = counts[candidate.target.rank] == 1
            var isStored = false
            let value = try json.revisiting(offset, depthLeft: depthLeft) { json throws(Interruption) in
                let value = try table.rows[row].values.stage(&json, session)
                isStored = value != nil && session.hasNoIssues(since: mark) && isOnly && replacesValues(progress)
                if !isStored { try session.countReading(since: offset, json) }
                return value
            }
            let fits = value != nil && session.hasNoIssues(since: mark)
            passed += session.retractIssues(to: mark)
            if !isStored { session.dropNotes(to: mark.notes) }
            guard fits else { continue }
            for issue in passed { session.note(issue) }
            if isStored {
                value?.exchange(in: object)
                _ = progress.see(row)
            }
            progress.madeRest.ruled[row] = offset
            return (candidate.target.rank, isStored)
        }
        return nil
    }

    /// The name of classes that the object is written with, which a merge patch for it need not repeat: that of its models, otherwise what
    /// its property for the name holds.
    private func heldName(of rule: DynamicPropertyTypes, _ progress: borrowing ObjectProgress) -> String? {
        guard session.call.merging != nil, progress.isUpdate else { return nil }
        let row = table.rows.first { $0.flattening == nil && rule.key.places.contains($0.key.writtenPlace) }
        let held = row?.typeName(heldBy: object)
        for other in table.rows where other.isWritten {
            guard let own = other.dynamicTypes, rule.key.places.contains(own.key.writtenPlace) else { continue }
            let names = own.models(in: other.values.value(of: object)).lazy.map { own.names(of: $0) }
            if let known = names.first(where: { !$0.isEmpty }) { return known.first { $0 == held } ?? known[0] }
        }
        return held
    }

    // MARK: Members that no property takes

    /// Records a member that no property takes, or keeps it for the property that takes such members. The cursor is at its value.
    @inline(never)
    func handleUnknownKey(_ keyOffset: Int, _ progress: inout ObjectProgress, _ json: JSONReader) throws(Interruption) {
        func key() throws(Interruption) -> String {
            var json = json
            json.offset = keyOffset
            return try json.readString()
        }
        // The names of enums' cases, whose payload the object is.
        if !session.tags.isEmpty, session.isTag(try key(), ofObjectAt: progress.offset) { return }
        if table.unknownKeysRow != nil { return progress.madeRest.unknown.append((keyOffset, json.offset)) }
        if table.isDynamic || table.hasDynamicProperties || !session.choices.made.isEmpty {
            let key = try key()
            let paths = session.namePlaces(of: table, at: progress.offset).flatMap { $0.place.paths(from: key) }
            var json = json
            if !paths.isEmpty { return try findUnknownKeys(beside: paths, &progress, &json) }
        }
        if session.flattened.last?.object == progress.offset {
            // Other members are those of the object around, which also reports them, unless only this row is for the key.
            let key = try key()
            let around = session.flattened.reversed().prefix { $0.object == progress.offset }
            let isOwn = around.allSatisfy { outer in
                outer.table.rows(readFrom: key) == [outer.row]
                    && !session.namePlaces(of: outer.table, at: progress.offset)
                        .contains { !$0.place.paths(from: key).isEmpty }
            }
            if isOwn { handleUnknown(at: json.offset, &progress) }
            return
        }
        if table.restRow != nil { return progress.madeRest.unknown.append((keyOffset, json.offset)) }
        handleUnknown(at: json.offset, &progress)
    }

    /// Skips the value at the cursor, and records the members of its objects that no path leads to.
    ///
    /// - Parameter paths: The paths through the value; none, or one that is empty, if a property takes all of it.
    func findUnknownKeys(
        beside paths: [ArraySlice<JSONPath.Step>], _ progress: inout ObjectProgress, _ json: inout JSONReader
    ) throws(Interruption) {
        // Those of a flattened object are found by the object around.
        guard !paths.isEmpty, !paths.contains(where: \.isEmpty), session.flattened.last?.object != progress.offset,
            session.findsUnknownKeys
        else { return try json.skipValue(&session.ends) }
        for offset in try json.skipValue(findingMembersBeside: paths, &session.ends) {
            handleUnknown(at: offset, &progress)
        }
    }

    private func handleUnknown(at offset: Int, _ progress: inout ObjectProgress) {
        switch session.rules.unknownKeys {
        case .ignored: break
        // A report may have many, so that a failure alone counts a reference to the class.
        case .reported: session.noteNamed(Issue(.unknownKey, .knownKey(of: table.subjectModel), at: offset))
        case .failures:
            let issue = Issue(.unknownKey, .knownKey(of: table.subjectModel), at: offset).named(table, -1)
            progress.madeRest.failUnknown(issue, limit: session.limit)
        }
    }

    /// Stores the members that no property takes in the property for them; for an update, in addition to those already there.
    ///
    /// The name of a known class is left out, since it is written with the object, if there is one. Any other name is kept: nothing
    /// else would write it back.
    private func store(
        _ unknown: [ObjectProgress.UnknownMember], in row: Int, _ progress: inout ObjectProgress,
        _ json: inout JSONReader
    ) throws(Interruption) {
        guard let values = table.rows[row].values as? TypedValues<[String: JSONValue]>,
            !(progress.isUpdate && unknown.isEmpty)
        else { return }
        let new = try self.values(of: unknown, for: row, &progress, &json)
        var members = progress.isUpdate ? values.access.load(object) : [:]
        if session.call.merging != nil {
            members = JSONValue.object(members).merging(patch: .object(new)).object ?? [:]
        } else {
            members.merge(new) { $1 }
        }
        let update = progress.update
        func holdsModel(_ row: Int) -> Bool {
            let value = update?[row]?.anyValue ?? table.rows[row].values.value(of: object)
            return table.rows[row].dynamicTypes?.models(in: value).isEmpty == false
        }
        let places = members.isEmpty ? [] : session.namePlaces(of: table, at: progress.offset, where: holdsModel)
        for (place, types) in places {
            for (key, value) in members where place.name(in: value, of: key).map({ types[$0] != nil }) == true {
                members[key] = nil
                // Those beside the names are lost.
                let paths = places.flatMap { $0.place.paths(from: key) }
                for member in unknown {
                    try json.revisiting(member.key) { json throws(Interruption) in
                        guard try json.readKey() == key else { return }
                        try findUnknownKeys(beside: paths, &progress, &json)
                    }
                }
            }
        }
        if let update {
            update[row] = .boxed(values.staged(members))
        } else {
            values.access.store(members, object)
        }
    }

    /// The members that no property takes, by their names; the last of equal names, which are recorded as in a dictionary.
    private func values(
        of unknown: [ObjectProgress.UnknownMember], for row: Int, _ progress: inout ObjectProgress,
        _ json: inout JSONReader
    ) throws(Interruption) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for member in unknown {
            let name = try json.revisiting(member.key) { json throws(Interruption) in try json.readString() }
            let value = try json.revisiting(member.value) { json throws(Interruption) in try JSONValue(&json) }
            if members.updateValue(value, forKey: name) != nil { duplicate(name, of: row, at: member.value, &progress) }
        }
        return members
    }

    /// Records a second member of one name among those that a row takes.
    private func duplicate(_ name: String, of row: Int, at offset: Int, _ progress: inout ObjectProgress) {
        let isStrict = session.rules.strict
        guard session.isReporting || isStrict else { return }
        let details = Issue.Details(words: FailureWords.again(name, isUsed: !isStrict))
        var issue = Issue(.skipped, .plain(.duplicateKey), at: offset, details).named(table, row)
        if session.redaction > 0 || issue.isRedacted { issue.hideKey(inDictionaryAt: progress.offset) }
        session.noteNamed(issue)
        if isStrict { progress.madeRest.failUnknown(issue, limit: session.limit) }
    }
}

/// The types made of other types: their plans are composed of those of their parts.

/// An Optional: `null` becomes nil; anything else is the wrapped type's.
extension Optional: PlannedType {
    static func anyPlan(_ builder: PlanBuilder) throws(InvalidModel) -> Any? {
        try builder.plan(for: Wrapped.self).map { plan(of: $0) }
    }

    static func plan(of wrapped: TypePlan<Wrapped>) -> TypePlan<Wrapped?> {
        var plan = TypePlan<Wrapped?>(
            expected: wrapped.expected, acceptsNull: true, isCollection: wrapped.isCollection, held: wrapped.held,
            read: { reader, session, store throws(Interruption) in
                if reader.byte == UInt8(ascii: "n") {
                    try reader.readNull()
                    store(nil)
                    return true
                }
                return try wrapped.read(&reader, session) { store(.some($0)) }
            },
            write: { value, writer, session in
                if let value { wrapped.write(value, &writer, session) } else { writer.writeNull() }
            },
            isEqual: { left, right in
                guard let left, let right else { return left == nil && right == nil }
                return wrapped.areEqual(left, right)
            }, schema: { $0.nullable(wrapped.schema($0)) })
        if let copy = wrapped.copy { plan.copy = { value throws(ModelError) in try value.map(copy) } }
        plan.storage = wrapped.storage?.optional.map { StoragePlan(property: $0) }
        return plan
    }
}

extension Array: PlannedType {
    static func anyPlan(_ builder: PlanBuilder) throws(InvalidModel) -> Any? {
        try builder.plan(for: Element.self).map { $0.arrayPlan?() ?? TypePlan.array(of: $0) }
    }
}

extension ContiguousArray: PlannedType {
    static func anyPlan(_ builder: PlanBuilder) throws(InvalidModel) -> Any? {
        try builder.plan(for: Element.self).map { element in
            TypePlan.collection(of: element, empty: ContiguousArray(), elements: { Array($0) }) {
                $0.append($1)
                return true
            }
        }
    }
}

/// A set: of equal elements the first is kept, and the others are recorded (strict: they are failures).
extension Set: PlannedType {
    static func anyPlan(_ builder: PlanBuilder) throws(InvalidModel) -> Any? {
        try builder.plan(for: Element.self).map { element in
            var plan = TypePlan.collection(of: element, isSorted: true, empty: Set(), elements: { Array($0) }) {
                $0.insert($1).inserted
            }
            // Equal models may be different objects, and different JSON.
            if !(Element.self is AbstractModel.Type) {
                plan.schema = { ["type": "array", "items": element.schema($0), "uniqueItems": true] }
            }
            return plan
        }
    }
}

extension TypePlan {
    /// The plan of any array. Compiled once for all types: those whose loops should be fast have their own.
    @_semantics("optimize.sil.specialize.generic.never")
    static func array<Element>(of element: TypePlan<Element>) -> TypePlan<[Element]> where Value == [Element] {
        collection(of: element, empty: [], elements: { $0 }) {
            $0.append($1)
            return true
        }
    }

    /// The plan of a collection that is written as a JSON array. Elements that do not fit are skipped and recorded; whether that
    /// is a failure is decided with the property.
    ///
    /// - Parameters:
    ///   - isSorted: Whether elements are written sorted by their text, because the collection has no order.
    ///   - elements: The elements of a value. (A loop over any sequence took a twentieth of the time of writing.)
    ///   - add: Adds an element; returns false if an equal one is there.
    @inline(__always)
    static func collection<Element>(
        of element: TypePlan<Element>, isSorted: Bool = false, empty: Value,
        elements: @escaping (Value) -> [Element], add: @escaping (inout Value, consuming Element) -> Bool
    ) -> TypePlan {
        let (expected, read, write) = (element.expected, element.read, element.write)
        var plan = TypePlan(
            expected: .kind(.array), isCollection: true, held: element.held,
            read: { reader, session, store throws(Interruption) in
                var values = empty
                if reader.byte != UInt8(ascii: "[") {
                    let single = try session.readSingle(&reader) { reader throws(Interruption) in
                        try element.value(&reader, session)
                    }
                    guard let single else { return false }
                    for value in single { _ = add(&values, value) }
                } else if try reader.openArray() {
                    repeat {
                        let offset = reader.offset
                        var isNew = true
                        if try !read(&reader, session, { isNew = add(&values, $0) }) {
                            session.noteSkipped(at: offset, expected)
                        } else if !isNew {
                            session.recordSkipped(at: offset, .plain(.uniqueItems), isFailure: session.rules.strict) {
                                FailureWords.again(reader.describeValue(at: offset))
                            }
                        }
                    } while try reader.nextElement()
                }
                store(values)
                return true
            },
            write: { values, writer, session in
                if isSorted {
                    session.writeSorted(elements(values), &writer, write)
                } else {
                    session.writeArray(elements(values), &writer) { write($0, &$1, session) }
                }
            }, schema: { ["type": "array", "items": element.schema($0)] })
        if !isSorted {
            plan.isEqual = { left, right in
                let (left, right) = (elements(left), elements(right))
                return left.count == right.count && zip(left, right).allSatisfy(element.areEqual)
            }
        }
        if element.copy != nil {
            plan.copy = { values throws(ModelError) in
                var copies = empty
                for value in elements(values) { _ = add(&copies, try element.copied(value)) }
                return copies
            }
        }
        return plan
    }
}

/// A dictionary, written as a JSON object. Keys are strings, integers, UUIDs or raw-representable types of these; key strategies
/// do not change them. Members whose key or value does not fit are skipped and recorded; the last fitting one of duplicate keys
/// wins (strict: a duplicate is a failure).
extension Dictionary: PlannedType {
    static func anyPlan(_ builder: PlanBuilder) throws(InvalidModel) -> Any? {
        guard let key = KeyPlan<Key>.make(), let value = try builder.plan(for: Value.self) else { return nil }
        return TypePlan.dictionary(key, value)
    }
}

extension TypePlan {
    static func members<Member>(of member: TypePlan<Member>) -> TypePlan<[String: Member]>
    where Value == [String: Member] {
        dictionary(KeyPlan(expected: .kind(.string), value: { $0 }, text: { $0 }), member)
    }

    fileprivate static func dictionary<Key: Hashable, Member>(
        _ key: KeyPlan<Key>, _ member: TypePlan<Member>
    ) -> TypePlan<[Key: Member]> where Value == [Key: Member] {
        let expected = Expectation.kind(.object)
        var plan = TypePlan(
            expected: expected, isCollection: true, held: member.held,
            read: { reader, session, store throws(Interruption) in
                guard reader.byte == UInt8(ascii: "{") else { return try session.refuse(&reader, expected) }
                let (start, firsts) = (reader.offset, session.redaction > 0 ? session.mark : nil)
                defer { firsts.map { session.hideKeys(inDictionaryAt: start, since: $0) } }
                let old = session.updated([Key: Member].self, at: start)
                let patched = old == nil ? nil : session.updatedValue?.patched
                let own = session.rest.flatMap { $0.object == start ? $0.members : nil }
                var members: [Key: Member] = [:]
                // Filled at the end, because each of several members with one name would otherwise make a copy of the old object.
                var filled: [Key: (model: AbstractModel, offset: Int)] = [:]
                guard try reader.openObject() else {
                    store(members)
                    return true
                }
                repeat {
                    let text = try reader.readKey()
                    let offset = reader.offset
                    if own?.contains(offset) == false || session.isTag(text, ofObjectAt: start) {
                        try reader.skipValue(&session.ends)
                        continue
                    }
                    guard let name = key.value(text) else {
                        try reader.skipValue()
                        session.recordSkipped(at: offset, .key(key.range(text) ?? key.expected), isFailure: true) {
                            FailureWords.key(text.quotedForMessage)
                        }
                        continue
                    }
                    let count = members.count
                    if let patched, !patched.contains(text), let kept = old?[name] {
                        members[name] = kept
                        try reader.skipValue()
                        continue
                    }
                    if let old, patched == nil, session.fillsNested, let model = old[name] as? AbstractModel,
                        reader.byte == UInt8(ascii: "{"), !(model is any DynamicTypeModel)
                    {
                        filled[name] = (model, reader.offset)
                        members[name] = old[name]
                        if members.count == count { session.duplicateKey(text, as: Key.self, at: offset) }
                        try reader.skipValue(&session.ends)
                        continue
                    }
                    if try !member.read(
                        &reader, session,
                        {
                            members[name] = $0
                            filled[name] = nil
                        })
                    {
                        session.noteSkipped(at: offset, member.expected)
                        // A bad value in an update leaves the old one, as it does for a property.
                        if members[name] == nil, let old { members[name] = old[name] }
                    } else if members.count == count {
                        session.duplicateKey(text, as: Key.self, at: offset)
                    }
                } while try reader.nextMember()
                for (name, place) in filled.sorted(by: { $0.value.offset < $1.value.offset }) {
                    // One level deeper, as when it was skipped.
                    let copy = try reader.revisiting(place.offset, depthLeft: reader.depthLeft - 1) {
                        reader throws(Interruption) in try session.fillCopy(of: place.model, &reader)
                    }
                    if let copy = copy as? Member {
                        members[name] = copy
                    } else {
                        session.noteSkipped(at: place.offset, member.expected)
                    }
                }
                // Those of an object that an update changes stay.
                store(own == nil ? members : (old ?? [:]).merging(members) { $1 })
                return true
            },
            write: { members, writer, session in
                guard session.hasRoom(&writer, for: "an object") else { return }
                let named = members.compactMap { member in key.text(member.key).map { (key: $0, value: member.value) } }
                if named.count < members.count, let odd = members.keys.first(where: { key.text($0) == nil }) {
                    return session.refuse(&writer, expected: .key(key.expected), found: FoundValue.text(odd))
                }
                let (start, first) = (writer.count, session.redaction > 0 ? session.issues.count : nil)
                defer { first.map { session.issues.hideKeys(inDictionaryAt: start, since: $0) } }
                writer.writeObject(named.sorted { $0.key.precedes($1.key) }) { member.write($0, &$1, session) }
            },
            isEqual: { left, right in
                left.count == right.count
                    && left.allSatisfy { name, value in right[name].map { member.areEqual(value, $0) } ?? false }
            },
            schema: { sink in sink.dictionary(of: sink.beside { member.schema(sink) }, key.schema()) })
        if member.copy != nil {
            plan.copy = { members throws(ModelError) in
                var copies = members
                for (name, value) in members { copies[name] = try member.copied(value) }
                return copies
            }
        }
        return plan
    }
}

extension ReadingSink {
    /// Records a duplicate key, which strict mapping rejects.
    func duplicateKey(_ key: String, as type: Any.Type = String.self, at offset: Int) {
        recordSkipped(at: offset, .plain(.duplicateKey), isFailure: rules.strict) {
            FailureWords.again(key, as: type, isUsed: !rules.strict)
        }
    }

    /// Records a member or an element that is left out.
    fileprivate func recordSkipped(at offset: Int, _ expected: Expectation, isFailure: Bool, _ found: () -> String) {
        guard isFailure || isReporting else { return }
        let issue = Issue(.skipped, expected, at: offset, Issue.Details(words: found()))
        if isFailure { add(issue) }
        note(issue)
    }
}

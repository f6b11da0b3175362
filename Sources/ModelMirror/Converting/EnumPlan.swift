/// How the values of an enum are read by the names of its cases.
struct EnumPlan<Value> {
    let form: EnumCases<Value>
    /// The keys of the name and of the payload, if objects have them.
    let keys: (tag: String?, payload: String?)
    var isTagged: Bool { keys.tag != nil }
    let cases: [CasePlan<Value>]
    /// The value for unknown names.
    let unknown: Value?
    /// The expectation for a value that is not an object, and for a name inside one.
    let expected: Expectation
    private let expectedName: Expectation
    private let subject = IssueSubject(Value.self, [])

    /// - Parameter isOpen: Whether unknown names have a value, if the enum has one for them.
    init(_ form: EnumCases<Value>, _ cases: [CasePlan<Value>], isOpen: Bool = true) {
        (self.form, self.cases, keys) = (form, cases, (form.parts.tag, form.parts.payload))
        unknown = isOpen ? (Value.self as? any UnknownCase.Type).flatMap { $0.unknownCase as? Value } : nil
        expectedName = .typeNames(cases.flatMap(\.names).compactMap(\.typeName).ordered())
        let constants = cases.filter { $0.payload == nil }
        func bound(_ value: Double) -> String { JSONNumber(value)?.text ?? "\(value)" }
        let ranges = constants.flatMap(\.ranges).map { "\(bound($0.lowerBound))...\(bound($0.upperBound))" }
        let names = constants.flatMap(\.names)
        if keys.tag != nil || constants.isEmpty {
            expected = .kind(.object)
        } else if !ranges.isEmpty {
            let texts = names.map(\.description) + ranges
            expected = .stated("one of \(texts.joined(separator: ", "))", .enum)
        } else {
            expected = names.count <= 12 ? .rawValues(names, of: Value.self) : .rawValue(.kind(.string), of: Value.self)
        }
    }

    var plan: TypePlan<Value> {
        var plan = TypePlan<Value>(
            expected: expected, acceptsNull: cases.contains { $0.names.contains(.null) }, read: read, write: write,
            schema: schema)
        if case .untagged = form {
            let listed = cases.map { $0.payload ?? EnumPlan(.outside([]), [$0], isOpen: false).plan }
            let expected = Expectation.any(listed.map(\.expected))
            let unlisted = TypePlan<Value>(
                expected: expected,
                read: { reader, session, store throws(Interruption) in
                    let (offset, isNull) = (reader.offset, reader.byte == UInt8(ascii: "n"))
                    try reader.skipValue(&session.ends)
                    if isNull { return session.refused(at: offset, expected) }
                    return finish(nil, at: offset, expected, session, store)
                }, write: write)
            plan = .any(listed, orElse: unknown == nil ? nil : unlisted)
            (plan.write, plan.schema) = (write, schema)
        }
        if !(Value.self is any Equatable.Type) {
            plan.isEqual = { left, right in
                guard let item = cases.first(where: { $0.holds(left) }) else { return false }
                return item.payload?.areEqual(left, right) ?? item.holds(right)
            }
        }
        if cases.contains(where: { $0.payload?.held != nil }) { plan.held = Any.self }
        if cases.contains(where: { $0.payload?.copy != nil }) {
            plan.copy = { old throws(ModelError) in try cases.first { $0.holds(old) }?.payload?.copied(old) ?? old }
        }
        return plan
    }

    private func read(
        _ reader: inout JSONReader, _ session: ReadingSink, _ store: (consuming Value) -> Void
    ) throws(Interruption) -> Bool {
        let isObject = reader.byte == UInt8(ascii: "{")
        if isObject, isTagged || cases.contains(where: { $0.payload != nil }) {
            return try readObject(&reader, session, store)
        }
        if isObject || reader.byte == UInt8(ascii: "[") || isTagged {
            return try session.refuse(&reader, expected)
        }
        let offset = reader.offset
        let json = try JSONValue(&reader)
        var item = cases.first { $0.payload == nil && $0.isNamed(by: json) }
        if item == nil, !session.rules.strict {
            let number = json.string.flatMap { JSONNumber($0) }.map(JSONValue.number)
            item = cases.first { item in
                item.payload == nil && (item.hasName(json.typeName) || number.map(item.isNamed) == true)
            }
            if item != nil { session.coerced(at: offset, expected) }
        }
        if item == nil, json.isNull { return session.refused(at: offset, expected) }
        return finish(item?.constant, at: offset, expected, session, store)
    }

    /// Stores the value of a case or, without one, that for unknown names.
    private func finish(
        _ value: Value?, at offset: Int, _ expected: Expectation, _ session: ReadingSink,
        _ store: (consuming Value) -> Void
    ) -> Bool {
        guard let known = value ?? unknown else { return session.refused(at: offset, expected) }
        if value == nil { session.coerced(at: offset, expected) }
        store(known)
        return true
    }

    /// Reads the object at the cursor: finds the name and the payload, then goes back to the payload.
    private func readObject(
        _ reader: inout JSONReader, _ session: ReadingSink, _ take: (consuming Value) -> Void
    ) throws(Interruption) -> Bool {
        let object = reader.offset
        var name: (offset: Int, text: String?)?
        var payload: Int?
        var others: [Int] = []
        if try reader.openObject() {
            repeat {
                let key = try reader.readKey()
                if key == keys.tag {
                    if name != nil { session.duplicateKey(key, at: reader.offset) }
                    var ahead = reader
                    name = (reader.offset, try ahead.readTypeName())
                } else if key == keys.payload {
                    if payload != nil { session.duplicateKey(key, at: reader.offset) }
                    payload = reader.offset
                } else if case .outside = form {
                    // There must be no other key.
                    name = (object, name == nil ? key : nil)
                    payload = reader.offset
                } else if session.findsUnknownKeys, !session.isTag(key, ofObjectAt: object) {
                    others.append(reader.offset)
                }
                try reader.skipValue(&session.ends)
            } while try reader.nextMember()
        }
        session.ends.remember(object..<reader.offset)
        let item = cases.first { $0.hasName(name?.text) && ($0.payload != nil || isTagged) }
        let isConstant = item.map { $0.payload == nil } ?? false
        if isConstant, let payload, session.findsUnknownKeys { others.append(payload) }
        // With the name inside, the other members are the payload's.
        if !isConstant, keys.payload == nil { others = [] }
        let isFailed = session.rules.unknownKeys == .failures && !others.isEmpty
        for offset in others {
            let issue = Issue(.unknownKey, .knownKey(of: Value.self), at: offset).named(subject, -1)
            if isFailed { session.add(issue) } else { session.note(issue) }
        }
        func store(_ value: consuming Value) { if !isFailed { take(value) } }
        guard let item, let plan = item.payload else {
            let expectedName = expectation(insteadOf: name?.text)
            if item == nil, name == nil, unknown == nil { return miss(keys.tag, in: object, expectedName, session) }
            return finish(item?.constant, at: name?.offset ?? object, expectedName, session, store) && !isFailed
        }
        if case .inside(let tag, _) = form {
            session.tags.append((object, tag))
            defer { session.tags.removeLast() }
            return try reader.revisiting(object) { reader throws(Interruption) in
                try plan.read(&reader, session, store) && !isFailed
            }
        }
        guard let payload else {
            guard plan.acceptsNull, let none = try? plan.value(of: .null) else {
                return miss(keys.payload, in: object, plan.expected, session)
            }
            store(none)
            return !isFailed
        }
        return try reader.revisiting(payload, depthLeft: reader.depthLeft - 1) { reader throws(Interruption) in
            try plan.read(&reader, session, store) && !isFailed
        }
    }

    /// The expectation for a name that is unknown or has no payload; the name is nil if the object has none, or several.
    private func expectation(insteadOf name: String?) -> Expectation {
        let isUnknown = name != nil && !cases.contains { $0.hasName(name) }
        guard case .outside = form, !isUnknown else { return expectedName }
        return .stated("an object with one member, the name of a case with a payload", .discriminator)
    }

    /// Rejects an object that lacks a member, or any if the key is nil.
    private func miss(_ key: String?, in object: Int, _ expected: Expectation, _ session: ReadingSink) -> Bool {
        guard let key else { return session.refused(at: object, expected) }
        let details = Issue.Details(suffix: [.key(key)])
        session.add(Issue(.fallback, expected, at: object, found: .noKey, details))
        return false
    }
}

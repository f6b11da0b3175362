/// The values of an enum as JSON, and its schema.
extension EnumPlan {
    func write(_ value: Value, _ writer: inout JSONWriter, _ session: WritingSink) {
        guard let item = cases.first(where: { $0.holds(value) }) else {
            return session.refuse(&writer, expected: expected, found: FoundValue.text(value))
        }
        var members: [(key: String, value: (inout JSONWriter) -> Void)] = []
        let name = { (writer: inout JSONWriter) in item.name.write(&writer, session) }
        let payload = item.payload.map { plan in { (writer: inout JSONWriter) in plan.write(value, &writer, session) } }
        switch form {
        case .untagged: return (payload ?? name)(&writer)
        case .outside:
            guard let payload else { return name(&writer) }
            members = [(item.name.typeName ?? "", payload)]
        case .inside(let tag, _):
            if let payload { return session.write(tag, item.name, into: &writer, payload) }
            members = [(tag, name)]
        case .beside(let tag, let key, _):
            members = [(tag, name)] + (payload.map { [(key, $0)] } ?? [])
            if session.options.contains(.sortedKeys) { members = members.ordered { $0.key.precedes($1.key) } }
        }
        writer.writeObject(members) { $0(&$1) }
    }

    func schema(_ sink: SchemaSink) -> JSONValue {
        /// - Parameters:
        ///   - others: The members that the object may also have; nil for any.
        ///   - optional: The member that may be missing.
        func object(_ members: [String: JSONValue], or others: [String]?, optional: String? = nil) -> JSONValue {
            let properties = (others ?? []).reduce(into: members) { $0[$1] = $0[$1] ?? [:] }
            var schema: [String: JSONValue] = ["type": "object", "properties": .object(properties)]
            schema["required"] = .array(members.keys.ordered().filter { $0 != optional }.map { .string($0) })
            if others != nil { schema["additionalProperties"] = false }
            return .object(schema)
        }
        let (tag, key) = keys
        let tags = key == nil ? sink.caseTags + [tag].compactMap(\.self) : []
        let others = sink.isClosed ? sink.caseTags : nil
        var ways: [JSONValue] = []
        let constants = isTagged ? [] : cases.filter { $0.payload == nil }
        let names = constants.flatMap(\.names)
        if !names.isEmpty { ways.append(["enum": .array(names)]) }
        ways += constants.flatMap(\.ranges).map { .object(RuleBounds($0).keywords.merging(["type": "number"]) { $1 }) }
        for item in cases where isTagged || item.payload != nil {
            let payload = item.payload.map { plan in sink.beside(tags) { plan.schema(sink) } }
            let names = sink.typeNames(item.names.compactMap(\.typeName))
            switch form {
            case .outside:
                ways += item.names.compactMap(\.typeName).map { object([$0: payload ?? [:]], or: []) }
            case .untagged: ways.append(payload ?? [:])
            case .inside(let tag, _):
                let named = object([tag: names], or: payload == nil ? others : nil)
                ways.append(payload.map { ["allOf": [named, $0]] } ?? named)
            case .beside(let tag, let key, _):
                let members = [tag: names].merging(payload.map { [key: $0] } ?? [:]) { $1 }
                ways.append(object(members, or: others, optional: item.payload?.acceptsNull == true ? key : nil))
            }
        }
        // Any other value is an unknown one. (The payloads' schemas are made nevertheless, because that collects their classes.)
        if unknown != nil {
            if isTagged { return ["type": "object"] }
            let isScalar = !form.isUntagged && cases.allSatisfy { $0.payload == nil }
            return isScalar ? ["type": ["string", "number", "boolean"]] : [:]
        }
        // Values may fit several cases without tags, and numbers be in several ranges.
        let isExclusive = isTagged || constants.allSatisfy(\.ranges.isEmpty) && !form.isUntagged
        return ways.count == 1 ? ways[0] : [isExclusive ? "oneOf" : "anyOf": .array(ways)]
    }
}

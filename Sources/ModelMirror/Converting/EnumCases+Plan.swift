extension EnumCases {
    /// The cases, and the keys of the name and of the payload, if objects have them.
    var parts: (cases: [EnumCase<Value>], tag: String?, payload: String?) {
        switch self {
        case .outside(let cases), .untagged(let cases): (cases, nil, nil)
        case .inside(let tag, let cases): (cases, tag, nil)
        case .beside(let tag, let payload, let cases): (cases, tag, payload)
        }
    }

    var isUntagged: Bool { if case .untagged = self { true } else { false } }

    /// What a value's case holds, and the steps to it.
    func payload(of value: Value) -> (held: Any, steps: [JSONPath.Step])? {
        let parts = parts
        let found = parts.cases.lazy.compactMap { item in item.payload(value).map { (item.name, $0) } }.first
        return found.map { name, held in
            let key = if case .outside = self { name?.typeName ?? "" } else { parts.payload }
            return (held, key.map { [.key($0)] } ?? [])
        }
    }

    /// The plan of the enum; nil if nothing converts a payload.
    func plan(_ builder: PlanBuilder) throws(InvalidModel) -> TypePlan<Value>? {
        let (cases, tag, _) = parts
        let plans = try cases.map { item throws(InvalidModel) in try item.plan(builder) }.compactMap(\.self)
        guard plans.count == cases.count else { return nil }
        let named = plans.filter { $0.payload == nil || !isUntagged }
        let names = named.flatMap(\.names).map { $0.typeName ?? "" }
        var reason: String?
        if named.contains(where: { $0.names.isEmpty && ($0.ranges.isEmpty || tag != nil) }) {
            reason = "a case has no name"
        }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            reason = "two cases have the name \(twice.quotedForMessage)"
        }
        let constants = plans.count { $0.payload == nil }
        if constants > 0, plans.count > 1, PlanBuilder.describesItself(Value.self), !(Value.self is any Equatable.Type)
        {
            reason = "its values have descriptions of their own, which do not tell cases apart; make it Equatable"
        }
        let plan = EnumPlan(self, plans)
        if let unknown = plan.unknown, !plans.contains(where: { $0.holds(unknown) }) {
            reason = "its unknownCase is not listed, so that it could not be written"
        }
        if let reason { throw PlanBuilder.fault(inCasesOf: Value.self, reason) }
        return plan.plan
    }
}

extension MappedEnum {
    var payload: (held: Any, steps: [JSONPath.Step])? { Self.enumCases.payload(of: self) }

    static func enumPlan(_ builder: PlanBuilder) throws(InvalidModel) -> Any? {
        guard builder.open.insert(ObjectIdentifier(self)).inserted else {
            throw PlanBuilder.fault(inCasesOf: self, "a payload contains the enum itself; put a model between them")
        }
        defer { builder.open.remove(ObjectIdentifier(self)) }
        return try enumCases.plan(builder)
    }
}

extension PlanBuilder {
    fileprivate static func fault(inCasesOf type: Any.Type, _ reason: String) -> InvalidModel {
        InvalidModel(model: "\(type)", property: nil, reason: "its enumCases cannot be used: \(reason)")
    }

    /// Whether values may be described by something other than the name of their case.
    fileprivate static func describesItself(_ type: Any.Type) -> Bool {
        type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
            || type is any TextOutputStreamable.Type
    }

    /// The plan of an enum without payloads, whose cases stand under their names; nil for other types.
    static func plan<Value: CaseIterable>(naming type: Value.Type) -> Any? {
        guard !describesItself(type) else { return nil }
        let isPlain = type.allCases.allSatisfy {
            let mirror = Mirror(reflecting: $0)
            return mirror.displayStyle == .enum && mirror.children.isEmpty
        }
        let cases = type.allCases.map { CasePlan($0, [.string("\($0)")]) }
        guard isPlain, !cases.isEmpty, Set(cases.map(\.name)).count == cases.count else { return nil }
        return EnumPlan(.outside([]), cases).plan
    }
}

extension AbstractModel {
    /// Checks the values that code has set: ``propertyRules`` and ``validateModel(_:)``, also of the objects in this one.
    ///
    /// ```swift
    /// gist.comments = -1
    /// try gist.validate()
    /// // Gist.comments at $.comments: expected an integer of at least 0, found -1.
    /// ```
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with all failures, each with the path where its value is written, or if objects are
    ///   nested too deep for the thread's stack; ``ModelError/invalidModel(_:)`` if a class cannot be mapped.
    public final func validate() throws(ModelError) {
        var validator = Validator()
        try validator.validate(self, at: [])
        if !validator.failures.isEmpty { throw .invalidValues(validator.failures) }
    }
}

/// Walks an object and those in it.
private struct Validator {
    var failures: [PropertyFailure] = []
    /// The objects that were checked, kept alive so that no other takes their address.
    private var seen: [ObjectIdentifier: AbstractModel] = [:]
    private let stack = StackRoom()
    /// Whether the values are inside of one that is never shown.
    private var isRedacted = false

    mutating func validate(_ object: AbstractModel, at path: [JSONPath.Step]) throws(ModelError) {
        guard seen.updateValue(object, forKey: ObjectIdentifier(object)) == nil else { return }
        guard stack.isLeft else { throw .lessStack(for: type(of: object), at: path) }
        let table = try object.propertyTable()
        for (number, row) in table.rows.enumerated() {
            let value = row.values.value(of: object)
            let place = row.flattening == nil ? path + row.key.writtenPlace : path
            for broken in row.values.rule.map({ RuleForm.breaks(of: value, $0.check) }) ?? [] {
                let steps = isRedacted || table.redacted.contains(number) ? broken.stepsBeforeKeys : broken.steps
                let found = broken.found ?? FoundValue.text(broken.part ?? value)
                add(broken.expectation, of: number, nil, found, table, at: place + steps)
            }
            guard row.values.isDeep else { continue }
            let outer = isRedacted
            isRedacted = outer || table.redacted.contains(number)
            defer { isRedacted = outer }
            try validate(in: value, at: place)
        }
        var validation = ModelValidation()
        object.validateModel(&validation)
        for problem in validation.problems {
            let number = table.names.firstIndex { $0 == problem.property }
            let row = number.map { table.rows[$0] }
            let place = row.map { $0.flattening == nil ? $0.key.writtenPlace : [] } ?? []
            let found = problem.broken.found ?? FoundValue.text(row?.values.value(of: object) ?? object as Any)
            add(problem.broken.expectation, of: number ?? -1, problem.property, found, table, at: path + place)
        }
    }

    /// Checks the objects in a value.
    private mutating func validate(in value: Any, at path: [JSONPath.Step]) throws(ModelError) {
        // Checked first: to cast a dictionary to a class, Foundation on Linux bridges all of it recursively.
        if type(of: value) is AnyClass, let object = value as? AbstractModel { return try validate(object, at: path) }
        if let optional = value as? any OptionalType {
            if let wrapped = optional.wrappedValue { try validate(in: wrapped, at: path) }
            return
        }
        if let payload = (value as? any MappedEnum)?.payload {
            return try validate(in: payload.held, at: path + payload.steps)
        }
        for (step, part) in RuleForm.parts(of: type(of: value))?.read(value) ?? [] {
            let shown = if isRedacted, case .key? = step { IssueLocator.redactedKey } else { step }
            try validate(in: part, at: shown.map { path + [$0] } ?? path)
        }
    }

    private mutating func add(
        _ expectation: Expectation, of row: Int, _ property: String?, _ found: String, _ table: PropertyTable,
        at path: [JSONPath.Step]
    ) {
        let named = Issue(.fallback, expectation, at: 0, Issue.Details(property: property)).named(table, row)
        let issue = isRedacted ? named.redacted : named
        failures.append(PropertyFailure(model: "\(table.model)", issue: issue, path: .of(path), found: found))
    }
}

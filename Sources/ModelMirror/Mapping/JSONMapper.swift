/// Reads documents of any type that a property may have: `[Int]`, `[[Gist]]`, `[String: [Gist]]`, `Gist?`, an enum.
///
/// ```swift
/// let pages = try JSONMapper.value([[Gist]].self, from: data, at: "pages")
/// let names: [Int: String] = try JSONMapper.value(from: #"{"7": "seven"}"#)
/// let animal = try JSONMapper.value(Animal.self, from: data)               // a Dog, if Animal is a DynamicTypeModel
/// ```
///
/// Paths, options, errors and reports are those of `Gist(json:)`.
public enum JSONMapper {
    /// Reads a value.
    ///
    /// If the path leads nowhere or the document is empty, a type that accepts `null` (an Optional, ``JSONValue``) is read from
    /// `null`.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - json: The document.
    ///   - path: The path of the value; defaults to the root.
    ///   - options: Overrides of the class's options and the defaults.
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures; ``ModelError/invalidModel(_:)`` if nothing
    ///   converts the type.
    public static func value<Value>(
        _ type: Value.Type = Value.self, from json: some JSONInput, at path: JSONPath = .root,
        options: MappingOptions = .init()
    ) throws(ModelError) -> Value {
        try read(type, json, at: path, options, isReporting: false).value
    }

    /// Reads a value from borrowed bytes without copying them.
    ///
    /// - Throws: ``ModelError``, as for any other input.
    public static func value<Value>(
        _ type: Value.Type = Value.self, from json: RawSpan, at path: JSONPath = .root,
        options: MappingOptions = .init()
    ) throws(ModelError) -> Value {
        try json.withUnsafeBytes { (bytes) throws(ModelError) in
            try value(type, from: bytes, at: path, options: options)
        }
    }

    /// Reads a value and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as without a report.
    public static func mapReporting<Value>(
        _ type: Value.Type = Value.self, from json: some JSONInput, at path: JSONPath = .root,
        options: MappingOptions = .init()
    ) throws(ModelError) -> (value: Value, report: MappingReport) {
        try read(type, json, at: path, options, isReporting: true)
    }

    private static func read<Value>(
        _ type: Value.Type, _ json: some JSONInput, at path: JSONPath, _ options: MappingOptions, isReporting: Bool
    ) throws(ModelError) -> (value: Value, report: MappingReport) {
        let plan = try plan(for: type, options)
        let model = (type as? any ModelHolder.Type)?.heldModel
        if plan.acceptsNull, try !isValue(in: json, at: path, options) {
            return try read(plan, "null", for: model, options, isReporting: isReporting)
        }
        return try read(plan, json, at: path, for: model, options, isReporting: isReporting)
    }

    /// Reads a root value by a plan. All entry points use it except `Gist(json:)`, which fills an existing object.
    ///
    /// - Parameters:
    ///   - model: The class whose options apply.
    ///   - isLocated: Whether lines and offsets mean anything to the caller.
    static func read<Value>(
        _ plan: TypePlan<Value>, _ json: some JSONInput, at path: JSONPath = .root, for model: AbstractModel.Type?,
        _ options: MappingOptions, isReporting: Bool = false, isLocated: Bool = true
    ) throws(ModelError) -> (value: Value, report: MappingReport) {
        let classOptions = model?.classOptions ?? MappingOptions()
        let isSkipping = options.skipsInvalidElements ?? classOptions.skipsInvalidElements ?? false
        let (result, report) = try MappingSession.run(
            json, at: path, for: model, classOptions: classOptions, options: options, isReporting: isReporting,
            isLocated: isLocated
        ) { reader, session throws(Interruption) in
            let value = try plan.value(&reader, session)
            // Failed elements are tolerated; a failed collection is not.
            if plan.isCollection, value != nil, isSkipping { session.reportIssues() }
            return value
        }
        return (result, report)
    }

    /// Whether a path leads to a value other than `null`. A scalar on the way counts as a value, so that it is refused.
    private static func isValue(
        in json: some JSONInput, at path: JSONPath, _ options: MappingOptions
    ) throws(ModelError) -> Bool {
        if json.reading({ $1 }) == 0 { return false }
        guard !path.isRoot else { return true }
        return try MappingSession.run(json, options: options) { reader, _ throws(Interruption) in
            switch try reader.navigate(path.steps[...]) {
            case .value, .notContainer: true
            case .null, .missing: false
            }
        }.result
    }

    private static func plan<Value>(
        for type: Value.Type, _ options: MappingOptions
    ) throws(ModelError) -> TypePlan<Value> {
        let plan: TypePlan<Value>?
        if let fault = options.shared?.rules.dates?.ownFault {
            let reason = "MappingOptions.dates cannot be used: \(fault)"
            throw .invalidModel(InvalidModel(model: TypeShape.name(type), property: nil, reason: reason))
        }
        do throws(InvalidModel) {
            plan = try PlanBuilder(rules: PlanRules(options.shared?.rules)).plan(for: type)
        } catch {
            throw .invalidModel(error)
        }
        guard let plan else {
            throw .invalidModel(
                InvalidModel(
                    model: TypeShape.name(type), property: nil,
                    reason: "nothing converts it from JSON; make it JSONConvertible or Decodable"))
        }
        return plan
    }
}

/// Finds the model class inside a type.
protocol ModelHolder {
    static var heldModel: AbstractModel.Type? { get }
}

extension AbstractModel: ModelHolder {
    static var heldModel: AbstractModel.Type? { self }
}

extension Optional: ModelHolder {
    static var heldModel: AbstractModel.Type? { (Wrapped.self as? any ModelHolder.Type)?.heldModel }
}

extension Array: ModelHolder {
    static var heldModel: AbstractModel.Type? { (Element.self as? any ModelHolder.Type)?.heldModel }
}

extension Dictionary: ModelHolder {
    static var heldModel: AbstractModel.Type? { (Value.self as? any ModelHolder.Type)?.heldModel }
}

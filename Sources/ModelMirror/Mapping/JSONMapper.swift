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
    /// - Throws: ``ModelError``: the syntax error if there is one, otherwise all failures; ``ModelError/invalidModel(_:)`` if nothing
    ///   converts the type.
    public static func value<Value>(
        _ type: Value.Type = Value.self, from json: some JSONInput, at path: JSONPath = .root,
        options: MappingOptions = .init()
    ) throws(ModelError) -> Value { try read(type, json, at: path, options, isReporting: false).0 }

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
    ) throws(ModelError) -> (Value, MappingReport) {
        let known = try plan(for: type, options, isRead: true)
        var call = MappingCall(options: options, path: path, isReporting: isReporting)
        if known.plan.acceptsNull, try !isValue(in: json, call, of: known.model) {
            call.path = .root
            return try read(known, "null", call)
        }
        return try read(known, json, call)
    }

    /// Reads a root value by a plan. All entry points use it except `Gist(json:)`, which fills an existing object.
    static func read<Value>(
        _ known: KnownPlan<Value>, _ json: some JSONInput, _ call: consuming MappingCall
    ) throws(ModelError) -> (Value, MappingReport) {
        call.model = known.model
        call.classOptions = known.model?.classOptions ?? MappingOptions()
        return try MappingSession.run(json, call) { reader, session throws(Interruption) in
            let value = try known.plan.value(&reader, session)
            // Failed elements are tolerated; a failed collection is not.
            if known.plan.isCollection, value != nil, session.call.skipsInvalidElements { session.reportIssues() }
            return value
        }
    }

    /// Whether a path leads to a value other than `null`. A scalar on the way counts as a value, so that it is refused.
    private static func isValue(
        in json: some JSONInput, _ call: consuming MappingCall, of model: (any MappedModel.Type)?
    ) throws(ModelError) -> Bool {
        if json.reading({ $1 }) == 0 { return false }
        guard !call.path.isRoot else { return true }
        let root = MappingCall(options: call.options, classOptions: model?.classOptions ?? MappingOptions())
        return try MappingSession.run(json, root) { reader, _ throws(Interruption) in
            switch try reader.navigate(call.path.steps[...]) {
            case .value, .notContainer: true
            case .null, .missing: false
            }
        }.result
    }

    /// The plan of a type by the rules of a call.
    static func plan<Value>(
        for type: Value.Type, _ options: MappingOptions, isRead: Bool = false
    ) throws(ModelError) -> KnownPlan<Value> {
        var reason = "nothing converts it from JSON; make it JSONConvertible or Decodable"
        if let fault = options.shared?.rules.dates?.ownFault {
            reason = "MappingOptions.dates cannot be used: \(fault)"
        } else {
            do throws(InvalidModel) {
                let known = try (TableVariant.of(options) ?? .standard).plan(for: type)
                if let known, known.isReadable || !isRead { return known }
            } catch {
                throw .invalidModel(error)
            }
        }
        throw .invalidModel(InvalidModel(model: TypeShape.name(type), property: nil, reason: reason))
    }
}

extension MappingOptions {
    /// The limit in bytes for a value of a type that is the whole document.
    package func byteLimit(of type: Any.Type) -> Int {
        MappingOptions.bytesLimit(bytes ?? (type as? AbstractModel.Type)?.classOptions.bytes)
    }

    /// These options for an array of one value that is within the limits by itself: the brackets do not count.
    package func around(_ type: Any.Type) -> MappingOptions {
        var options = self
        options.depth = MappingOptions.depthLimit(depth ?? (type as? AbstractModel.Type)?.classOptions.depth) + 1
        options.bytes = .max
        return options
    }
}

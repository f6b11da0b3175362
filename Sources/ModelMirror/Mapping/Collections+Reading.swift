extension Array where Element: AbstractModel {
    /// Makes objects from a JSON array.
    ///
    /// An element with failures makes the call throw, unless ``MappingOptions/skipsInvalidElements`` is set.
    ///
    /// ```swift
    /// let gists = try [Gist](json: data)
    /// let items = try [Item](json: data, at: ["data", "items"])
    /// ```
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, otherwise all failures, or the mistake in the class.
    public init(json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()) throws(ModelError) {
        (self, _) = try Array.read(json, MappingCall(options: options, path: path, suggestsOther: true))
    }

    /// Makes objects from a JSON array and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [Element], report: MappingReport) {
        try read(json, MappingCall(options: options, path: path, isReporting: true, suggestsOther: true))
    }

    /// Makes objects from dictionaries, by the same rules as from JSON; failures have no lines.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public init(dictionaries: [[String: Any]], options: MappingOptions = .init()) throws(ModelError) {
        let json = try Element.plainJSON(of: dictionaries, options)
        (self, _) = try Array.read(json, MappingCall(options: options, isLocated: false, isPlain: true))
    }

    /// Reads the array of a document, without a plan: to find one by its type took half of the time of an array of one small object.
    private static func read(
        _ json: some JSONInput, _ call: consuming MappingCall
    ) throws(ModelError) -> ([Element], MappingReport) {
        guard let table = try? PropertyTableCache.table(for: Element.self), !table.isDynamic else {
            return try JSONMapper.read(KnownPlan(Element.modelArrayPlan()), json, call)
        }
        (call.model, call.classOptions) = (Element.self, table.options)
        let session = MappingSession(call)
        let reference = session.variant == nil ? table.reference : TableReference()
        var objects: [Element]?
        let report = try session.run(json) { reader throws(Interruption) in
            objects = try session.readModels(Element.self, reference, &reader)
            // Failed elements are tolerated; a failed array is not.
            if objects != nil, session.call.skipsInvalidElements { session.reportIssues() }
            return objects != nil
        }
        return (objects ?? [], report)
    }
}

extension Dictionary where Key == String, Value: AbstractModel {
    /// Makes objects from the members of a JSON object; keys stay as they are.
    ///
    /// A member with failures makes the call throw, unless ``MappingOptions/skipsInvalidElements`` is set.
    ///
    /// ```swift
    /// let files = try [String: File](json: data, at: "files")
    /// ```
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, otherwise all failures, or the mistake in the class.
    public init(json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()) throws(ModelError) {
        (self, _) = try JSONMapper.read(Dictionary.plan, json, MappingCall(options: options, path: path))
    }

    /// Makes objects from the members of a JSON object and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [String: Value], report: MappingReport) {
        try JSONMapper.read(Dictionary.plan, json, MappingCall(options: options, path: path, isReporting: true))
    }

    private static var plan: KnownPlan<[String: Value]> { KnownPlan(.members(of: Value.modelPlan())) }
}

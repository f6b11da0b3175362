extension Array where Element: AbstractModel {
    /// Makes objects from a JSON array.
    ///
    /// An element with failures fails the call, unless ``MappingOptions/skipsInvalidElements`` is set.
    ///
    /// ```swift
    /// let gists = try [Gist](json: data)
    /// let items = try [Item](json: data, at: ["data", "items"])
    /// ```
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or the mistake in the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        self = try Element.mapCollection(json, at: path, options, Element.modelArrayCodec(), isReporting: false).result
    }

    /// Makes objects from a JSON array and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [Element], report: MappingReport) {
        let mapped = try Element.mapCollection(json, at: path, options, Element.modelArrayCodec(), isReporting: true)
        return (mapped.result, mapped.report)
    }
}

extension Array where Element: AbstractModel {
    /// Makes objects from dictionaries, by the same rules as from JSON; failures have no lines.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public init(dictionaries: [[String: Any]], options: MappingOptions = .init()) throws(ModelError) {
        let json = try DictionaryInput.json(from: dictionaries, for: Element.self, options: options)
        let codec = Element.modelArrayCodec()
        self = try Element.mapCollection(
            json, at: .root, options, codec, isReporting: false, isLocated: false
        ).result
    }
}

extension Dictionary where Key == String, Value: AbstractModel {
    /// Makes objects from the members of a JSON object; keys are kept as they are.
    ///
    /// A member with failures fails the call, unless ``MappingOptions/skipsInvalidElements`` is set.
    ///
    /// ```swift
    /// let files = try [String: File](json: data, at: "files")
    /// ```
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or the mistake in the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        let codec = ValueCodec.members(of: Value.modelCodec())
        self = try Value.mapCollection(json, at: path, options, codec, isReporting: false).result
    }

    /// Makes objects from the members of a JSON object and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [String: Value], report: MappingReport) {
        let codec = ValueCodec.members(of: Value.modelCodec())
        let mapped = try Value.mapCollection(json, at: path, options, codec, isReporting: true)
        return (mapped.result, mapped.report)
    }
}

extension MappedModel {
    /// Maps a root collection of objects of this class.
    fileprivate static func mapCollection<Collection>(
        _ json: some JSONInput, at path: JSONPath, _ options: MappingOptions, _ codec: ValueCodec<Collection>,
        isReporting: Bool, isLocated: Bool = true
    ) throws(ModelError) -> (result: Collection, report: MappingReport) {
        let isSkipping = options.skipsInvalidElements ?? classOptions.skipsInvalidElements ?? false
        return try MappingSession.run(
            json, at: path, for: self, classOptions: classOptions, options: options, isReporting: isReporting,
            isLocated: isLocated
        ) { reader, session throws(Interruption) in
            let collection = try codec.value(&reader, session)
            // Failed elements are tolerated, a failed collection is not.
            if isSkipping, collection != nil { session.reportFindings() }
            return collection
        }
    }
}

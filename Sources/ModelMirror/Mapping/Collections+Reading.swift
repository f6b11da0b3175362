extension Array where Element: AbstractModel {
    /// Makes objects from a JSON array.
    ///
    /// An element that fails, fails the call; all failures are reported. With ``MappingOptions/skipsInvalidElements`` it is
    /// left out.
    ///
    /// ```swift
    /// let gists = try [Gist](json: data)
    /// let items = try [Item](json: data, at: ["data", "items"])
    /// ```
    ///
    /// - Parameters:
    ///   - json: The document: `Data`, `[UInt8]` or `String`.
    ///   - path: The keys and indices that lead to the array.
    ///   - options: What is to differ from the class's own options and the defaults.
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or what is wrong with the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        self = try Element.mapCollection(json, at: path, options, isReporting: false) { .array(of: $0) }
            .result
    }

    /// Makes objects from a JSON array and tells everything that was not taken just as it stood.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [Element], report: MappingReport) {
        let mapped = try Element.mapCollection(json, at: path, options, isReporting: true) { .array(of: $0) }
        return (mapped.result, mapped.report)
    }
}

extension Dictionary where Key == String, Value: AbstractModel {
    /// Makes objects from the members of a JSON object; keys are kept as they are.
    ///
    /// A member that fails, fails the call; all failures are reported. With ``MappingOptions/skipsInvalidElements`` it is
    /// left out.
    ///
    /// ```swift
    /// let files = try [String: File](json: data, at: "files")
    /// ```
    ///
    /// - Parameters:
    ///   - json: The document: `Data`, `[UInt8]` or `String`.
    ///   - path: The keys and indices that lead to the object.
    ///   - options: What is to differ from the class's own options and the defaults.
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or what is wrong with the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        self = try Value.mapCollection(json, at: path, options, isReporting: false) { .members(of: $0) }
            .result
    }

    /// Makes objects from the members of a JSON object and tells everything that was not taken just as it stood.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [String: Value], report: MappingReport) {
        let mapped = try Value.mapCollection(json, at: path, options, isReporting: true) { .members(of: $0) }
        return (mapped.result, mapped.report)
    }
}

extension MappedModel {
    /// Maps a root collection of objects of this class.
    fileprivate static func mapCollection<Collection>(
        _ json: some JSONInput, at path: JSONPath, _ options: MappingOptions, isReporting: Bool,
        codec: (ValueCodec<Self>) -> ValueCodec<Collection>
    ) throws(ModelError) -> (result: Collection, report: MappingReport) {
        let codec = codec(modelCodec())
        let isSkipping = options.skipsInvalidElements ?? classOptions.skipsInvalidElements ?? false
        return try MappingSession.run(
            json, at: path, for: self, classOptions: classOptions, options: options, isReporting: isReporting
        ) { reader, session throws(Interruption) in
            let collection = try codec.value(&reader, session)
            // What is wrong with single elements is forgiven, what is wrong with the whole is not.
            if isSkipping, collection != nil { session.forgive() }
            return collection
        }
    }
}

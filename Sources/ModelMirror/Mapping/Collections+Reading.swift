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
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or the mistake in the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        do throws(ModelError) {
            self = try JSONMapper.read(Element.arrayPlan(options), json, MappingCall(options: options, path: path))
                .value
        } catch {
            throw error.suggesting("\(Element.self)", forObjectAt: path)
        }
    }

    /// Makes objects from a JSON array and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [Element], report: MappingReport) {
        do throws(ModelError) {
            let (objects, report) = try JSONMapper.read(
                Element.arrayPlan(options), json, MappingCall(options: options, path: path, isReporting: true))
            return (objects, report)
        } catch {
            throw error.suggesting("\(Element.self)", forObjectAt: path)
        }
    }

    /// Makes objects from dictionaries, by the same rules as from JSON; failures have no lines.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public init(dictionaries: [[String: Any]], options: MappingOptions = .init()) throws(ModelError) {
        let json = try DictionaryInput.json(from: dictionaries, for: Element.self, options: options)
        self = try JSONMapper.read(
            Element.arrayPlan(options), json, MappingCall(options: options, isLocated: false, isPlain: true)
        )
        .value
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
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or the mistake in the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        self = try JSONMapper.read(
            KnownPlan(.members(of: Value.modelPlan())), json, MappingCall(options: options, path: path)
        ).value
    }

    /// Makes objects from the members of a JSON object and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [String: Value], report: MappingReport) {
        let (objects, report) = try JSONMapper.read(
            KnownPlan(.members(of: Value.modelPlan())), json,
            MappingCall(options: options, path: path, isReporting: true))
        return (objects, report)
    }
}

// On the protocol, not the class: a generic `Model(json:)` could not call convenience initializers of the class.
extension MappedModel {
    /// Makes an object from JSON.
    ///
    /// A missing key leaves the declared default. The guide "Mapping" has a table of all cases. An initializer makes exactly
    /// this class; `JSONMapper.value(Animal.self, from: data)` makes the subclass that a ``DynamicTypeModel`` chooses.
    ///
    /// ```swift
    /// let gist = try Gist(json: data)
    /// let user = try User(json: data, at: ["data", "user"])
    /// ```
    ///
    /// - Parameters:
    ///   - json: The document: `Data`, bytes, text, or any other ``JSONInput``.
    ///   - path: The path of the object; defaults to the root.
    ///   - options: Overrides of the class's options and the defaults.
    /// - Throws: ``ModelError``: the syntax error if there is one, otherwise all failures, or the mistake in the class.
    public init(json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()) throws(ModelError) {
        self.init()
        try fillRoot(json, at: path, options: options)
    }

    /// Makes an object from a dictionary, by the same rules as from JSON.
    ///
    /// Values may be those of `JSONSerialization` and Swift's own: strings, Booleans, integers and floating-point numbers of
    /// any width, `Decimal`, arrays, dictionaries with string keys, `NSNull`, nil, and ``JSONValue``; `URL`, `UUID`, `Data` and other
    /// values that are texts in JSON; and `Date` for a property of any form of dates. (`Data` is base64: a property with the
    /// converter `.hex` needs the digits.)
    ///
    /// ```swift
    /// let gist = try Gist(dictionary: ["id": "1", "comments": 3])
    /// ```
    ///
    /// - Throws: ``ModelError``. A value that JSON cannot hold is a failure with its key path. Failures have no lines.
    public init(dictionary: [String: Any], options: MappingOptions = .init()) throws(ModelError) {
        let json = try Self.plainJSON(of: dictionary, options)
        self.init()
        try fillRoot(json, at: .root, options: options, isLocated: false)
    }
}

extension AbstractModel {
    /// Reads one property from a raw value, by the same rules as in a document.
    ///
    /// ```swift
    /// try gist.assign(rawValue: "2016-01-23T18:30:00Z", toProperty: "createdAt")
    /// ```
    ///
    /// - Parameters:
    ///   - rawValue: A value as in ``init(dictionary:options:)``.
    ///   - property: The property's name in Swift.
    ///   - options: Overrides of the class's options and the defaults.
    /// - Returns: The deviations that the mapping tolerated.
    /// - Throws: ``ModelError/invalidValues(_:)`` if JSON cannot hold the value; if it breaks the property's rule (it is stored
    ///   nevertheless); or if it does not fit, and strict mapping, a required property or the object's hook makes that a failure. A model
    ///   of ``dynamicPropertyTypes`` never fits, because its name is missing. ``ModelError/invalidModel(_:)`` if there is no such property
    ///   or nothing converts its type.
    @discardableResult
    public func assign(
        rawValue: Any?, toProperty property: String, options: MappingOptions = .init()
    ) throws(ModelError) -> MappingReport {
        let (json, call) = try plainInput(rawValue as Any, options)
        let session = MappingSession(call)
        return try session.run(json) { reader throws(Interruption) in
            try session.readProperty(property, of: self, &reader)
        }
    }

    /// The JSON of a plain value, and the call that reads it onto this object.
    func plainInput(_ value: Any, _ options: MappingOptions) throws(ModelError) -> (some JSONInput, MappingCall) {
        // First, because the next step asks the class, which would make an object if it has no table.
        var call = ownCall(options)
        (call.isLocated, call.isPlain) = (false, true)
        return (try type(of: self).plainJSON(of: value, options), call)
    }

    /// The JSON of a plain value, which is read like a document.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with the key path of each value that JSON cannot hold.
    static func plainJSON(of value: Any, _ options: MappingOptions) throws(ModelError) -> some JSONInput {
        let limit = max(options.failures ?? classOptions.failures ?? 100, 1)
        let json = try PlainValueInput.json(from: value, for: "\(self)", limit: limit)
        // For the class, which a failure names: a JSONValue inside may be nested too deep to be written.
        let session = WritingSink([])
        return try session.run(for: self) { json.write(&$0, session) }.data()
    }

    /// Fills this new object from a document.
    fileprivate func fillRoot(
        _ json: some JSONInput, at path: JSONPath, options: MappingOptions, isLocated: Bool = true
    ) throws(ModelError) {
        let table = try propertyTable(TableVariant.of(options))
        let session = MappingSession(
            MappingCall(
                options: options, classOptions: table.options, model: table.model, path: path, suggestsOther: true,
                isLocated: isLocated, isPlain: !isLocated))
        _ = try session.run(json) { reader throws(Interruption) in
            guard reader.byte == UInt8(ascii: "{") else { return try session.refuse(&reader, .object(table.model)) }
            return try session.fill(self, table, &reader)
        }
    }

    /// The table of the object's class, by the table rules of a call.
    func propertyTable(_ variant: TableVariant? = nil) throws(ModelError) -> PropertyTable {
        do throws(InvalidModel) {
            return try PropertyTableCache.table(for: self, variant)
        } catch {
            throw .invalidModel(error)
        }
    }

    /// The options of the class, for the limits of a call.
    static var classOptions: MappingOptions {
        // The table includes those of the superclasses. A class that cannot be mapped may still be requested for its
        // subclasses.
        (try? PropertyTableCache.table(for: self))?.options ?? mappingOptions
    }

    /// A call that changes this object. No other object is made for the options of its class: with an update in `init`, that would
    /// recurse endlessly.
    func ownCall(_ options: MappingOptions, at path: JSONPath = .root) -> MappingCall {
        let own = (try? PropertyTableCache.table(for: self))?.options ?? type(of: self).mappingOptions
        return MappingCall(options: options, classOptions: own, model: type(of: self), path: path, isReporting: true)
    }
}

extension MappedModel {
    /// Makes an object from a dictionary and reports every deviation that was tolerated; failures and entries have no lines.
    ///
    /// - Throws: ``ModelError``, as ``init(dictionary:options:)``.
    public static func mapReporting(
        dictionary: [String: Any], options: MappingOptions = .init()
    ) throws(ModelError) -> (object: Self, report: MappingReport) {
        let json = try plainJSON(of: dictionary, options)
        let call = MappingCall(options: options, isReporting: true, isLocated: false, isPlain: true)
        return try JSONMapper.read(KnownPlan(modelPlan()), json, call)
    }

    /// Makes an object from JSON and reports every deviation that was tolerated.
    ///
    /// Unlike the initializer, it makes an object of the subclass that a ``DynamicTypeModel`` names.
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, otherwise all failures, or the mistake in the class.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (object: Self, report: MappingReport) {
        let call = MappingCall(options: options, path: path, isReporting: true, suggestsOther: true)
        return try JSONMapper.read(KnownPlan(modelPlan()), json, call)
    }

    /// The deviations and the failures of an object or an array of this class, an entry for each; failures are tolerated.
    ///
    /// - Throws: ``ModelError`` if the document is not JSON, the class cannot be mapped, or the path leads to no such value.
    package static func toleratedEntries(
        json: some JSONInput, at path: JSONPath, isArray: Bool, options: MappingOptions
    ) throws(ModelError) -> [MappingReport.Entry] {
        let call = MappingCall(options: options, classOptions: classOptions, model: self, path: path, isReporting: true)
        let report = try MappingSession.run(json, call) { reader, session throws(Interruption) in
            if isArray {
                _ = try modelArrayPlan().value(&reader, session)
            } else {
                _ = try modelPlan().value(&reader, session)
            }
            session.reportIssues()
            return true
        }.report
        // The entry for a left-out element of the array adds nothing to those for its failures.
        return report.entries.filter { $0.property != nil || !($0.code == .nested) }
    }
}

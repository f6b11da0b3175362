extension AbstractModel {
    /// Updates the properties whose keys are present, all or nothing.
    ///
    /// A nested model is replaced by a new object (with ``MappingOptions/updatesNestedInPlace``, it is updated in place);
    /// collections are always replaced. Missing keys have no effect, not even required ones. `didMap()` and `validateModel(_:)`
    /// run after the stores; if they fail, every property that the JSON set gets its old value back. What hooks assigned to
    /// other properties stays, and so does a value that `shouldFail` assigned to the property that it was asked about.
    ///
    /// ```swift
    /// try gist.update(json: #"{"comments": 3, "description": null}"#)      // clears the one, leaves the others
    /// ```
    ///
    /// Do not update an object while one of its properties is passed as an `inout` argument: Swift's check of exclusive access does
    /// not see the stores (it does with a ``keyPathTable``).
    ///
    /// - Returns: The deviations that the mapping tolerated.
    /// - Throws: ``ModelError``; nothing from the JSON is stored then. For an `@Observable` class whose observed properties are not in
    ///   ``additionalKeyPaths`` or a ``keyPathTable``, ``ModelError/invalidModel(_:)``, since its observers would not notice the update.
    @discardableResult
    public func update(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> MappingReport {
        try MappingSession(ownCall(options, at: path)).update(self, from: json)
    }

    /// Updates the properties whose keys are in a dictionary, as if it were JSON.
    ///
    /// - Throws: ``ModelError``, as ``update(json:at:options:)``; failures have no lines.
    @discardableResult
    public func update(
        dictionary: [String: Any], options: MappingOptions = .init()
    ) throws(ModelError) -> MappingReport {
        let (json, call) = try plainInput(dictionary, options)
        return try MappingSession(call).update(self, from: json)
    }
}

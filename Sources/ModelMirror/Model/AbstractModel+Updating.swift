extension AbstractModel {
    /// Updates the properties whose keys are present, by the same rules as when the object is made: all of them or none.
    ///
    /// A nested model is replaced by a new object (with ``MappingOptions/updatesNestedInPlace`` it is updated itself),
    /// collections are always replaced. Missing keys are not asked for, not even required ones. `didMap()` and
    /// `validateModel(_:)` run after the stores; if they fail, the old values are put back. What hooks assign themselves stays.
    ///
    /// ```swift
    /// try gist.update(json: #"{"comments": 3, "description": null}"#)      // clears the one, leaves the others
    /// ```
    ///
    /// - Parameters:
    ///   - json: The document: `Data`, `[UInt8]` or `String`.
    ///   - path: The keys and indices that lead to the object; none for the root.
    ///   - options: What is to differ from the class's own options and the defaults.
    /// - Returns: What the mapping had to put up with.
    /// - Throws: ``ModelError``; then the object is as it was. An `@Observable` class without a ``keyPathTable`` is
    ///   ``ModelError/invalidModel(_:)``, since its observers would not notice.
    @discardableResult
    public func update(
        json: some JSONInput, at path: JSONPath.Step..., options: MappingOptions = .init()
    ) throws(ModelError) -> MappingReport {
        let model = type(of: self)
        let session = MappingSession(options: options, classOptions: model.classOptions, isReporting: true)
        return try session.run(json, at: JSONPath(path), Conclusion(model: model, isLocated: true)) {
            reader, session throws(Interruption) in try session.update(self, isRoot: path.isEmpty, &reader)
        }
    }

    /// Updates the properties whose keys are in a dictionary, as if it were JSON.
    ///
    /// - Throws: ``ModelError``, as ``update(json:at:options:)``; failures have no lines.
    @discardableResult
    public func update(
        dictionary: [String: Any], options: MappingOptions = .init()
    ) throws(ModelError) -> MappingReport {
        let model = type(of: self)
        let json = try DictionaryInput.json(from: dictionary, for: model)
        let session = MappingSession(options: options, classOptions: model.classOptions, isReporting: true)
        return try session.run(json, at: .root, Conclusion(model: model, isLocated: false)) {
            reader, session throws(Interruption) in try session.update(self, isRoot: true, &reader)
        }
    }

    /// Changes the object by a merge patch, RFC 7396: what the patch names changes, `null` clears, the rest stays; all of it
    /// or nothing.
    ///
    /// It is an ``update(json:at:options:)`` with the patch's idea of objects: a nested model is changed itself, and a
    /// dictionary, or any other value that is an object in JSON, keeps the members that the patch does not name. Arrays are
    /// replaced. `null` sets an Optional property to nil; a property that cannot be nil keeps its value, and the report (with
    /// `.strict` an error) says so.
    ///
    /// ```swift
    /// gist.files.keys                                                        // ["a.txt", "b.txt"]
    /// try gist.merge(patch: #"{"description": null, "files": {"a.txt": null}}"#)
    /// gist.files.keys                                                        // ["b.txt"]
    /// ```
    ///
    /// - Parameters:
    ///   - patch: The patch: `Data`, `[UInt8]`, `String` or ``JSONValue``.
    ///   - options: What is to differ from the class's own options and the defaults.
    /// - Returns: What the mapping had to put up with.
    /// - Throws: ``ModelError``; then the object is as it was.
    @discardableResult
    public func merge(patch: some JSONInput, options: MappingOptions = .init()) throws(ModelError) -> MappingReport {
        let model = type(of: self)
        let session = MappingSession(
            options: options, classOptions: model.classOptions, isReporting: true, isMerging: true)
        return try session.run(patch, at: .root, Conclusion(model: model, isLocated: true)) {
            reader, session throws(Interruption) in try session.update(self, isRoot: true, &reader)
        }
    }

    /// The merge patch, RFC 7396, that makes this object of an older one: the body of a PATCH request.
    ///
    /// Properties that are equal are not in it; one that is nil now, and was not, is `null`.
    ///
    /// ```swift
    /// let before = try gist.copy()
    /// gist.description = nil
    /// gist.comments = 3
    /// let body = try gist.mergePatch(since: before)                          // {"comments": 3, "description": null}
    /// ```
    ///
    /// - Parameter older: The object as it was: a copy of this one, or one that was read before.
    /// - Throws: ``ModelError``, as ``jsonData(options:)``.
    public func mergePatch(since older: AbstractModel) throws(ModelError) -> JSONValue {
        JSONValue.mergePatch(from: try older.jsonValue(), to: try jsonValue())
    }
}

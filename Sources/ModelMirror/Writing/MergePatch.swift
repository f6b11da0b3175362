/// JSON Merge Patch, RFC 7396, for objects of models; for values, see ``JSONValue/merging(patch:)``.
extension AbstractModel {
    /// Applies a merge patch (RFC 7396), all or nothing.
    ///
    /// Like ``update(json:at:options:)``, but objects are merged: a nested model is changed in place, and a dictionary or other
    /// value that is a JSON object keeps the members that the patch does not contain. A member that it does contain is read anew
    /// from its merged JSON, so that an object in a dictionary is replaced: a property whose key the patch removes has its default there,
    /// and of several keys the preferred one wins. Arrays are replaced. `null` sets an Optional property
    /// to nil; any other property keeps its value, with an entry in the report (a failure with `.strict`). A dictionary with a
    /// member that does not fit keeps its whole value.
    ///
    /// ```swift
    /// gist.files.keys                                                        // ["a.txt", "b.txt"]
    /// try gist.merge(patch: #"{"description": null, "files": {"a.txt": null}}"#)
    /// gist.files.keys                                                        // ["b.txt"]
    /// ```
    ///
    /// As with ``update(json:at:options:)``, do not merge while a property of the object is passed as an `inout` argument.
    ///
    /// - Parameters:
    ///   - patch: The patch: `Data`, `[UInt8]`, `String` or ``JSONValue``.
    ///   - options: Overrides of the class's options and the defaults.
    /// - Returns: The deviations that the mapping tolerated.
    /// - Throws: ``ModelError``; nothing from the patch is stored then.
    @discardableResult
    public func merge(patch: some JSONInput, options: MappingOptions = .init()) throws(ModelError) -> MappingReport {
        var call = ownCall(options)
        call.merging = { row, object, patch, redaction throws(ModelError) in
            // With the nulls of properties that have another default, which a missing member would get.
            let value = try WritingSession.run(.nulls, options, for: nil) { writer, session in
                (session.isForCaller, session.redaction) = (false, redaction)
                _ = row.stored.write(object, &writer, session)
            }
            return try JSONValue(json: value.data(), options: .deepest).merging(patch: patch)
        }
        return try MappingSession(call).update(self, from: patch)
    }

    /// The merge patch (RFC 7396) from an older object to this one: the body of a PATCH request.
    ///
    /// Equal properties are omitted; a property that became nil is `null`. `null` removes a member of a dictionary or of free-form
    /// JSON: one whose value is nil or null counts as missing, so that the patched object may differ from this one.
    ///
    /// ```swift
    /// let before = try gist.copy()
    /// gist.description = nil
    /// gist.comments = 3
    /// let body = try gist.mergePatch(since: before)                          // {"comments": 3, "description": null}
    /// ```
    ///
    /// - Parameters:
    ///   - older: An earlier state of the object, such as a copy.
    ///   - mapping: As for ``MappedValue/jsonData(options:mapping:)``.
    /// - Throws: ``ModelError``, as ``MappedValue/jsonData(options:mapping:)``.
    public func mergePatch(
        since older: AbstractModel, mapping: MappingOptions = .init()
    ) throws(ModelError) -> JSONValue {
        JSONValue.mergePatch(from: try older.jsonValue(mapping: mapping), to: try jsonValue(mapping: mapping))
    }
}

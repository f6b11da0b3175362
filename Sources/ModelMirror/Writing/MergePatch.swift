/// JSON Merge Patch, RFC 7396: a patch contains the changed members of an object; `null` removes a member.
extension JSONValue {
    /// This value changed by a merge patch.
    ///
    /// ```swift
    /// let gist: JSONValue = ["id": "1", "files": ["a.txt": ["size": 1], "b.txt": ["size": 2]]]
    /// gist.merging(patch: ["files": ["a.txt": nil, "b.txt": ["size": 3]], "public": true])
    /// // {"id": "1", "files": {"b.txt": {"size": 3}}, "public": true}
    /// ```
    ///
    /// An object as a patch is merged member by member, at every depth; other members stay. Any other patch, including an array,
    /// replaces the whole value. `null` in an array is an ordinary value.
    public func merging(patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members = object ?? [:]
        for (key, change) in changes {
            if change.isNull {
                members[key] = nil
            } else {
                members[key] = (members[key] ?? .null).merging(patch: change)
            }
        }
        return .object(members)
    }

    /// The smallest merge patch that changes `from` into `to`.
    ///
    /// ```swift
    /// let patch = JSONValue.mergePatch(from: ["id": "1", "owner": ["login": "mona"]], to: ["id": "1", "owner": [:]])
    /// // {"owner": {"login": null}}; two equal objects give {}
    /// ```
    ///
    /// `1` and `1.0` are equal. Arrays are replaced as a whole.
    ///
    /// A merge patch cannot set a member to `null`, because that removes it. So a member that is `null` in `to` is missing
    /// after the patch, unless it is already `null` in `from`. (`null` as the whole value and in arrays can be set.) In all
    /// other cases `from.merging(patch: .mergePatch(from: from, to: to)) == to`.
    public static func mergePatch(from: JSONValue, to: JSONValue) -> JSONValue {
        guard case .object(let wanted) = to else { return to }
        guard case .object(let present) = from else { return to.withoutNullMembers }
        var changes: [String: JSONValue] = [:]
        for key in present.keys where wanted[key] == nil { changes[key] = .null }
        for (key, value) in wanted {
            guard let old = present[key] else {
                if !value.isNull { changes[key] = value.withoutNullMembers }
                continue
            }
            if case .object = old, case .object = value {
                let change = mergePatch(from: old, to: value)
                if change != [:] { changes[key] = change }
            } else if old != value {
                changes[key] = value.withoutNullMembers
            }
        }
        return .object(changes)
    }

    /// The value without `null` members of objects at any depth, except those in arrays.
    @inline(never)
    private var withoutNullMembers: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !$0.value.isNull }.mapValues(\.withoutNullMembers))
    }
}

extension AbstractModel {
    /// Applies a merge patch (RFC 7396), all or nothing.
    ///
    /// Like ``update(json:at:options:)``, but objects are merged: a nested model is changed in place, and a dictionary or other
    /// value that is a JSON object keeps the members that the patch does not contain. Arrays are replaced. `null` sets an
    /// Optional property to nil; any other property keeps its value, with an entry in the report (a failure with `.strict`).
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
        var call = MappingCall(
            options: options, classOptions: ownOptions, model: type(of: self), isReporting: true)
        call.merging = { row, object, patch throws(ModelError) in
            let value = try WritingSession.run([], options, for: nil) { writer, session in
                session.isForCaller = false
                _ = row.write(object, &writer, session)
            }
            return try JSONValue(json: value.data(), options: .deepest).merging(patch: patch)
        }
        return try MappingSession.update(self, from: patch, call)
    }

    /// The merge patch (RFC 7396) from an older object to this one: the body of a PATCH request.
    ///
    /// Equal properties are omitted; a property that became nil is `null`.
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

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
            members[key] = change.isNull ? .none : (members[key] ?? .null).merging(patch: change)
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
        // Without null members at any depth, except those in arrays.
        guard case .object(let present) = from else { return JSONValue.null.merging(patch: to) }
        var changes: [String: JSONValue] = [:]
        for key in present.keys where wanted[key] == nil { changes[key] = .null }
        for (key, value) in wanted {
            let old = present[key] ?? .null
            let change = mergePatch(from: old, to: value)
            let isEqual = if case .object = old, case .object = value { change == [:] } else { old == value }
            if !isEqual { changes[key] = change }
        }
        return .object(changes)
    }
}

/// Finds the groups whose keys resemble those of other objects, without comparing all groups.
///
/// Similar objects share most keys, so that they share one of a few keys; the index looks at the groups that have one of the rarest.
package struct GroupIndex {
    private struct NamedKey: Hashable {
        let key: String
        let name: String
    }

    private var groups: [String: [Int]] = [:]
    private var namedGroups: [NamedKey: [Int]] = [:]

    package init() {}

    /// Adds keys to a group.
    ///
    /// - Parameter name: The type name of the group, which needs less similarity.
    package mutating func add(_ keys: some Sequence<String>, to group: Int, named name: String) {
        for key in keys {
            groups[key, default: []].append(group)
            namedGroups[NamedKey(key: key, name: name), default: []].append(group)
        }
    }

    /// The groups that have four fifths of the keys, or half of them and the name; perhaps some others. Of a key, at most the
    /// first 50 and the last 50. In ascending order.
    package func candidates(for keys: [String], named name: String) -> [Int] {
        func rarest(_ share: Int, _ groups: (String) -> [Int]) -> [Int] {
            let lists = keys.map(groups).sorted { $0.count < $1.count }.prefix(keys.count / share + 1)
            return lists.flatMap { $0.prefix(50) + $0.dropFirst(50).suffix(50) }
        }
        let similar = rarest(5) { groups[$0] ?? [] }
        let related = rarest(2) { namedGroups[NamedKey(key: $0, name: name)] ?? [] }
        return Set(similar + related).sorted()
    }
}

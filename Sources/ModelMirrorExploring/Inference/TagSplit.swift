/// A member whose value tells objects with different members apart: the discriminator of a union.
struct TagSplit {
    let key: String
    /// The members that all of the different objects have, with values of the same kinds.
    let commonKeys: Set<String>

    /// The largest number of different objects.
    private static let mostTags = 40

    /// The discriminator inside of objects; nil if there is none.
    init?(of objects: [[Sample.Member]]) {
        guard objects.count >= 2 else { return nil }
        var best: (key: String, evidence: Int, common: Set<String>)?
        for key in objects[0].map(\.key) {
            let tags = objects.map { members in members.first { $0.key == key }?.value.tag }
            // A name is written as what its property holds: of one kind.
            guard !tags.contains(nil), TagSplit.haveOneKind(objects, key) else { continue }
            let partition = TagPartition(zip(tags, objects).map { ($0 ?? "", $1) })
            let isNamed = KeyWords(key).nameType
            guard (2...TagSplit.mostTags).contains(partition.count), partition.tellsApart(isNamed: isNamed) else {
                continue
            }
            let evidence = partition.evidence + (isNamed ? 1000 : 0)
            if evidence > best?.evidence ?? 0 { best = (key, evidence, partition.commonKeys(of: key)) }
        }
        guard let best else { return nil }
        key = best.key
        commonKeys = best.common
    }

    /// Whether the values of a member are all of one kind.
    private static func haveOneKind(_ objects: [[Sample.Member]], _ key: String) -> Bool {
        Set(objects.compactMap { members in members.first { $0.key == key }?.value.kind }).count == 1
    }

    /// The member beside a value that tells the objects there apart; nil if there is none.
    ///
    /// - Parameter objects: The objects around the value.
    static func tag(of key: String, beside objects: [[Sample.Member]]) -> String? {
        guard objects.count >= 2 else { return nil }
        for tagKey in objects[0].map(\.key) where tagKey != key && haveOneKind(objects, tagKey) {
            let pairs = objects.flatMap { members -> [(String?, [Sample.Member])] in
                guard let value = members.first(where: { $0.key == key })?.value else { return [] }
                let tag = members.first { $0.key == tagKey }?.value.tag
                switch value {
                case .object(let inner): return inner.isEmpty ? [] : [(tag, inner)]
                case .array(let elements): return elements.compactMap(\.members).map { (tag, $0) }
                default: return []
                }
            }
            guard pairs.count >= 2, !pairs.contains(where: { $0.0 == nil }) else { continue }
            let partition = TagPartition(pairs.map { ($0 ?? "", $1) })
            if (2...mostTags).contains(partition.count), partition.tellsApart(isNamed: KeyWords(tagKey).nameType) {
                return tagKey
            }
        }
        return nil
    }
}

/// Objects by the name of their type.
private struct TagPartition {
    /// The members of the objects of one name.
    private struct Part {
        var count = 0
        var presence: [String: Int] = [:]
        var kinds: [String: SampleKinds] = [:]
        /// The keys of the objects in a member.
        var inner: [String: Set<String>] = [:]

        /// The members that all objects have.
        var always: [String] { presence.filter { $0.value == count }.map(\.key) }
    }

    private var parts: [String: Part] = [:]

    init(_ objects: [(tag: String, members: [Sample.Member])]) {
        for (tag, members) in objects {
            parts[tag, default: Part()].count += 1
            for member in members {
                parts[tag]?.presence[member.key, default: 0] += 1
                parts[tag]?.kinds[member.key, default: []].formUnion(member.value.kind)
                if let inner = member.value.members {
                    parts[tag]?.inner[member.key, default: []].formUnion(inner.map(\.key))
                }
            }
        }
    }

    var count: Int { parts.count }

    /// The members of each part that no other part has.
    private var ownCounts: [Int] {
        parts.map { tag, part in
            part.always.count { key in !parts.contains { $0.key != tag && $0.value.presence[key] != nil } }
        }
    }

    /// The members whose values are of different kinds in different parts.
    private var conflicts: Int {
        Set(parts.values.flatMap(\.presence.keys)).count { !haveOneKind($0) }
    }

    private func haveOneKind(_ key: String) -> Bool {
        let kinds = parts.values.compactMap { $0.kinds[key] }.filter { !$0.isEmpty }
        return Set(kinds).count <= 1
    }

    var evidence: Int { ownCounts.reduce(0, +) + conflicts }

    /// Whether the parts differ so much that they are classes of their own.
    ///
    /// - Parameter isNamed: Whether the member is named like a type's name, which needs less evidence.
    func tellsApart(isNamed: Bool) -> Bool {
        let own = ownCounts
        let objects = parts.values.reduce(0) { $0 + $1.count }
        if isNamed { return own.count { $0 > 0 } >= 2 || conflicts > 0 || own.reduce(0, +) >= 2 && objects >= 4 }
        return parts.values.allSatisfy { $0.count >= 2 } && own.count { $0 >= 2 } >= 2
    }

    /// The members of all parts whose values can be one property.
    func commonKeys(of tagKey: String) -> Set<String> {
        let keys = Set(parts.values.flatMap(\.presence.keys))
        return keys.filter { key in
            if key == tagKey { return true }
            guard parts.values.allSatisfy({ $0.presence[key] != nil }), haveOneKind(key) else { return false }
            // Objects with hardly a key in common are different things.
            let inner = parts.values.compactMap { $0.inner[key] }
            guard let first = inner.first else { return true }
            let shared = inner.dropFirst().reduce(first) { $0.intersection($1) }
            let all = inner.dropFirst().reduce(first) { $0.union($1) }
            return shared.count * 2 >= all.count
        }
    }
}

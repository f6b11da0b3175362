/// A member whose value tells objects with different members apart: the discriminator of a union.
struct TagSplit {
    let key: String
    /// The members that all variants have, with values of the same kinds.
    let commonKeys: Set<String>

    /// Finds the discriminator among the objects' members; nil if there is none.
    init?(of objects: [[Sample.Member]]) {
        guard objects.count >= 2 else { return nil }
        let candidates = TagCandidates(of: objects)
        var best: (key: String, evidence: Int, partition: TagPartition)?
        var seen: Set<TagPattern> = []
        for key in candidates.keys {
            guard let pattern = TagPattern(candidates.objects.map { $0[key]?.tag }, of: key),
                // A member that splits the objects like an earlier one is no better.
                seen.insert(pattern).inserted
            else { continue }
            let partition = TagPartition(objects, by: pattern)
            guard partition.isDiscriminating(hasTypeName: pattern.hasTypeName) else { continue }
            let evidence = partition.evidence + (pattern.hasTypeName ? 1000 : 0)
            if evidence > best?.evidence ?? 0 { best = (key, evidence, partition) }
        }
        guard let best else { return nil }
        key = best.key
        commonKeys = best.partition.commonKeys(of: best.key)
    }

    /// The sibling member that discriminates the objects at a key; nil if there is none.
    static func tag(of key: String, beside candidates: TagCandidates) -> String? {
        guard candidates.objects.count >= 2 else { return nil }
        var holders: [Int] = []
        var inner: [[Sample.Member]] = []
        for (index, members) in candidates.objects.enumerated() {
            let found: [[Sample.Member]] =
                switch members[key] {
                case .object(let members)?: members.isEmpty ? [] : [members]
                case .array(let elements)?: elements.compactMap(\.members)
                default: []
                }
            inner += found
            holders += Array(repeating: index, count: found.count)
        }
        guard inner.count >= 2 else { return nil }
        var seen: Set<TagPattern> = []
        return candidates.keys.first { tagKey in
            guard tagKey != key,
                candidates.objects.allSatisfy({ $0[key]?.members == nil || $0[tagKey]?.tag != nil }),
                let pattern = TagPattern(holders.map { candidates.objects[$0][tagKey]?.tag }, of: tagKey),
                seen.insert(pattern).inserted
            else { return false }
            return TagPartition(inner, by: pattern).isDiscriminating(hasTypeName: pattern.hasTypeName)
        }
    }
}

/// Objects, and the members that may discriminate them.
struct TagCandidates {
    /// The values of each object by key.
    let objects: [[String: Sample]]
    /// The keys of the first object whose values can name types and are of one kind in all objects, since a property has only one
    /// type; the first of those that split the objects alike. At most 64 that suggest a type name, and 64 others.
    let keys: [String]

    private static let most = 64

    init(of objects: [[Sample.Member]]) {
        let values = objects.map { Dictionary($0.map { ($0.key, $0.value) }) { $1 } }
        self.objects = values
        var seen: Set<[Int]> = []
        var counts: [Bool: Int] = [:]
        keys = (objects.first ?? []).filter { member in
            member.value.tag != nil
                && values.allSatisfy { $0[member.key].map { $0.kind == member.value.kind } ?? true }
        }.map(\.key).filter { key in
            guard let numbers = TagPattern.numbers(of: values.map { $0[key]?.tag }) else { return true }
            return seen.insert(numbers + (KeyWords(key).suggestsType ? [1] : [])).inserted
        }.filter { key in
            // Each is tried on all objects.
            counts[KeyWords(key).suggestsType, default: 0] += 1
            return counts[KeyWords(key).suggestsType, default: 0] <= TagCandidates.most
        }
    }
}

/// Which of several objects have the same type name.
private struct TagPattern: Hashable {
    /// The number of each object's name; equal names have equal numbers.
    let numbers: [Int]
    /// The number of distinct names.
    let count: Int
    /// Whether the key suggests a type name, which needs less evidence.
    let hasTypeName: Bool

    /// The largest number of distinct names.
    private static let mostTags = 40

    /// The number of each name, in the order of their first occurrence; nil if an object has no name, or if there are too many.
    static func numbers(of tags: [String?], most: Int = .max) -> [Int]? {
        var known: [String: Int] = [:]
        var numbers: [Int] = []
        for tag in tags {
            guard let tag else { return nil }
            let number = known[tag, default: known.count]
            known[tag] = number
            numbers.append(number)
            if known.count > most { return nil }
        }
        return numbers
    }

    /// Nil if an object has no name, or if there are fewer than two names or too many.
    init?(_ tags: [String?], of key: String) {
        guard let numbers = TagPattern.numbers(of: tags, most: TagPattern.mostTags), let last = numbers.max(), last > 0
        else { return nil }
        self.numbers = numbers
        count = last + 1
        hasTypeName = KeyWords(key).suggestsType
    }
}

/// Objects grouped by type name.
private struct TagPartition {
    /// What the values of one member have in common.
    private struct Member {
        /// The number of objects that have it.
        var presence = 0
        var kinds: SampleKinds = []
        /// The keys inside the objects that it holds; nil if it holds none.
        var inner: Set<String>?

        mutating func take(_ value: Sample) {
            presence += 1
            kinds.formUnion(value.kind)
            guard let members = value.members else { return }
            if inner == nil { inner = [] }
            inner?.formUnion(members.map(\.key))
        }
    }

    /// The objects with one name.
    private struct Part {
        var count = 0
        var members: [String: Member] = [:]

        /// The members that all objects have.
        var always: [String] { members.filter { $0.value.presence == count }.map(\.key) }

        mutating func take(_ object: [Sample.Member]) {
            if count == 0 { members.reserveCapacity(object.count) }
            count += 1
            for member in object { members[member.key, default: Member()].take(member.value) }
        }
    }

    private var parts: [Part]
    /// The number of parts that have a member.
    private var holders: [String: Int] = [:]

    init(_ objects: [[Sample.Member]], by pattern: TagPattern) {
        parts = Array(repeating: Part(), count: pattern.count)
        for (number, object) in zip(pattern.numbers, objects) { parts[number].take(object) }
        for key in parts.flatMap(\.members.keys) { holders[key, default: 0] += 1 }
    }

    /// The number of members in each part that all its objects and no other part have.
    private var ownCounts: [Int] { parts.map { $0.always.count { holders[$0] == 1 } } }

    /// The number of members whose values are of different kinds in different parts.
    private var conflicts: Int {
        holders.keys.count { !haveOneKind($0) }
    }

    private func haveOneKind(_ key: String) -> Bool {
        let kinds = parts.compactMap { $0.members[key]?.kinds }.filter { !$0.isEmpty }
        return Set(kinds).count <= 1
    }

    var evidence: Int { ownCounts.reduce(0, +) + conflicts }

    /// Whether the parts differ enough to be separate classes.
    ///
    /// - Parameter hasTypeName: Whether the key suggests a type name, which needs less evidence.
    func isDiscriminating(hasTypeName: Bool) -> Bool {
        let own = ownCounts
        let objects = parts.reduce(0) { $0 + $1.count }
        if hasTypeName { return own.count { $0 > 0 } >= 2 || conflicts > 0 || own.reduce(0, +) >= 2 && objects >= 4 }
        return parts.allSatisfy { $0.count >= 2 } && own.count { $0 >= 2 } >= 2
    }

    /// The members of all parts whose values can be one property.
    func commonKeys(of tagKey: String) -> Set<String> {
        Set(holders.keys).filter { key in
            if key == tagKey { return true }
            guard holders[key] == parts.count, haveOneKind(key) else { return false }
            // Objects that share fewer than half of their keys are of different classes.
            let inner = parts.compactMap { $0.members[key]?.inner }
            guard let first = inner.first else { return true }
            let shared = inner.dropFirst().reduce(first) { $0.intersection($1) }
            let all = inner.dropFirst().reduce(first) { $0.union($1) }
            return shared.count * 2 >= all.count
        }
    }
}

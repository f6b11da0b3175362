/// The keys of similar objects, and those of the objects inside of them.
struct SampleOutline {
    /// The kinds of each member's values.
    private(set) var kinds: [String: SampleKinds] = [:]
    /// The string that a member has in all objects; nil under its key if the values differ.
    private var constants: [String: String?] = [:]
    /// The objects in members and in lists there.
    private var inner: [String: SampleOutline] = [:]
    /// The objects in dictionaries there.
    private var innerValues: [String: SampleOutline] = [:]

    /// Adds objects.
    ///
    /// - Parameter depth: The number of levels of objects inside of them to look at.
    mutating func add(_ objects: [[Sample.Member]], depth: Int = 2) {
        var inside: [String: [[Sample.Member]]] = [:]
        for member in objects.joined() {
            kinds[member.key, default: []].formUnion(member.value.kind)
            let text: String? = if case .string(let text) = member.value { text } else { nil }
            let known = constants[member.key, default: text]
            constants.updateValue(known == text ? text : nil, forKey: member.key)
            if depth > 0 { inside[member.key, default: []] += member.value.objects }
        }
        for (key, objects) in inside where !objects.isEmpty {
            if KeyLooks.areDictionaries(objects, under: key, isElement: false) {
                let values = objects.joined().flatMap(\.value.objects)
                innerValues[key, default: SampleOutline()].add(values, depth: depth - 1)
            } else {
                inner[key, default: SampleOutline()].add(objects, depth: depth - 1)
            }
        }
    }

    /// Whether the objects may be of one class: they and the objects inside of them share half of the keys of those with fewer,
    /// and do not have other keys and another constant type name.
    ///
    /// - Parameter comparesTypes: Whether type names are compared.
    func isLike(_ other: SampleOutline, comparesTypes: Bool) -> Bool {
        let shared = kinds.keys.filter { other.kinds[$0] != nil }
        let haveSameKeys = shared.count == kinds.count && shared.count == other.kinds.count
        return shared.count * 2 >= min(kinds.count, other.kinds.count)
            && shared.allSatisfy { key in
                if comparesTypes, !haveSameKeys, KeyWords(key).suggestsType, let own = constants[key] ?? nil,
                    let others = other.constants[key] ?? nil, own != others
                {
                    return false
                }
                return [\SampleOutline.inner, \.innerValues].allSatisfy { inner in
                    guard let own = self[keyPath: inner][key], let others = other[keyPath: inner][key] else {
                        return true
                    }
                    return own.isLike(others, comparesTypes: comparesTypes)
                }
            }
    }
}

extension Sample {
    /// The value if it is an object that has members, and those in a list.
    fileprivate var objects: [[Member]] {
        switch self {
        case .object(let members): members.isEmpty ? [] : [members]
        case .array(let elements): elements.flatMap(\.objects)
        default: []
        }
    }
}

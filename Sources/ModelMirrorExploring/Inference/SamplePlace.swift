/// A place in the documents, with statistics of all values there.
final class SamplePlace {
    /// The key; for elements, that of their list or dictionary.
    let key: String
    let isElement: Bool
    /// The group of objects that have the place as a member; nil at the root.
    let owner: SampleGroup?
    private(set) var count = 0
    private(set) var nulls = 0
    private(set) var booleans = 0
    private(set) var arrays = 0
    private(set) var objects = 0
    private(set) var numbers = NumberSamples()
    private(set) var texts = TextSamples()
    /// The place of the elements of arrays.
    private(set) var element: SamplePlace?
    /// What the objects there are; nil until one has members.
    var content: Content?
    /// Whether objects were found there to which no sibling member gives a type name.
    var hasUntagged = false

    enum Content {
        /// Dictionaries, with the place of their values.
        case dictionary(SamplePlace)
        case group(SampleGroup)
        /// Objects whose group a sibling member names.
        case tagged(key: String, groups: [(tag: String, group: SampleGroup)])
    }

    init(key: String, isElement: Bool = false, owner: SampleGroup?) {
        self.key = key
        self.isElement = isElement
        self.owner = owner
    }

    /// Counts values.
    ///
    /// - Returns: The elements of arrays and the objects, which must be counted at their own places.
    func add(_ values: [TaggedSample]) -> (elements: [TaggedSample], objects: [TaggedSample]) {
        var elements: [TaggedSample] = []
        var objects: [TaggedSample] = []
        for item in values {
            count += 1
            switch item.value {
            case .null: nulls += 1
            case .bool: booleans += 1
            case .number(let text): numbers.add(text)
            case .string(let text): texts.add(text)
            case .array(let values):
                arrays += 1
                for value in values { elements.append(TaggedSample(value: value, tag: item.tag)) }
            case .object:
                self.objects += 1
                objects.append(item)
            }
        }
        if !elements.isEmpty { _ = elementPlace }
        return (elements, objects)
    }

    /// The place of the elements of arrays, created if there is none.
    var elementPlace: SamplePlace {
        if let element { return element }
        let made = SamplePlace(key: key, isElement: true, owner: owner)
        element = made
        return made
    }
}

/// A value, and the type name in a sibling member, if any.
struct TaggedSample {
    let value: Sample
    var tag: String?
}

/// Objects of one class, found at one or more places.
final class SampleGroup {
    /// The key of its first place, or its type name.
    private(set) var name: String
    private(set) var isPlural: Bool
    private var placeNames: Set<String>
    /// The group of the enclosing objects; nil at the root.
    let owner: SampleGroup?
    /// The number of objects.
    private(set) var count = 0
    /// The keys of the members, in document order.
    private(set) var keys: [String] = []
    private(set) var places: [String: SamplePlace] = [:]
    /// The discriminator, whose value tells objects with different members apart; nil if there is none.
    let tagKey: String?
    /// The members common to all objects, if there is a discriminator.
    let commonKeys: Set<String>
    /// The objects of each tag, with the members that are not common.
    private(set) var variants: [(tag: String, group: SampleGroup)] = []

    init(name: String, isPlural: Bool, owner: SampleGroup?, split: TagSplit? = nil) {
        self.name = name
        self.isPlural = isPlural
        placeNames = [name]
        self.owner = owner
        tagKey = split?.key
        commonKeys = split?.commonKeys ?? []
    }

    /// Whether another group is this one or encloses it.
    func isInside(_ other: SampleGroup) -> Bool {
        var group: SampleGroup? = self
        while let current = group {
            if current === other { return true }
            group = current.owner
        }
        return false
    }

    /// Whether a place is a member of the objects, or an element of one.
    func holds(_ place: SamplePlace) -> Bool {
        place.owner === self || variants.contains { $0.group === place.owner }
    }

    /// Its number among the groups that other places may join; nil if none may.
    var number: Int?

    /// The name of its type, unless another one has it.
    var typeName: String { SwiftName.type(name, isPlural: isPlural) }

    /// Adds a place. If several members of `sizes` are of this class, it is named `Size`.
    func addPlace(_ place: SamplePlace) {
        placeNames.insert(place.key)
        guard placeNames.count >= 2, place.owner === owner, let owner, !owner.isPlural,
            SwiftName.singular(owner.name) != owner.name
        else { return }
        name = owner.name
        isPlural = true
    }

    /// The objects, including those of variants; known before their members' places have counted them.
    var outline = SampleOutline()

    /// The group of the objects with a tag.
    func variant(_ tag: String) -> SampleGroup {
        if let known = variants.first(where: { $0.tag == tag }) { return known.group }
        let made = SampleGroup(name: tag, isPlural: false, owner: self)
        variants.append((tag, made))
        return made
    }

    /// Counts objects without looking at their members.
    func countObjects(_ number: Int) { count += number }

    /// The place of a member.
    func place(_ key: String) -> SamplePlace {
        if let known = places[key] { return known }
        let made = SamplePlace(key: key, owner: self)
        places[key] = made
        keys.append(key)
        return made
    }
}

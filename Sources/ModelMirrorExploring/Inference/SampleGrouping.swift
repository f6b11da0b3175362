/// Assigns samples to their places, and decides which objects are of the same class.
///
/// Places are visited level by level with all their values, so that each decision sees all samples closer to the root.
struct SampleGrouping {
    private var groups: [SampleGroup] = []
    private var index = GroupIndex()
    private var rest: [(place: SamplePlace, values: [TaggedSample])] = []
    /// The number of values in all documents, of those visited, and the last percentage that was shown.
    private let total: Int
    private var (visited, shown) = (0, 0)
    private let progress: (Int) -> Void

    /// - Parameter progress: Called with each new percentage of the values.
    init(of documents: [Sample], progress: @escaping (Int) -> Void) {
        total = documents.reduce(0) { $0 + $1.count }
        self.progress = progress
    }

    /// Visits a place and all places inside it.
    ///
    /// - Parameter isRoot: Whether objects make a class even if they are empty, or their keys are ids of values that are not
    ///   objects.
    mutating func visit(_ place: SamplePlace, _ values: [Sample], isRoot: Bool = false) {
        rest = [(place, values.map { TaggedSample(value: $0) })]
        var next = 0
        while next < rest.count {
            let (place, values) = rest[next]
            rest[next].values = []
            next += 1
            advance(by: values.count)
            let (elements, objects) = place.add(values)
            if let element = place.element, !elements.isEmpty { rest.append((element, elements)) }
            if !objects.isEmpty { visit(objects, at: place, isRoot: isRoot) }
        }
    }

    private mutating func advance(by count: Int) {
        visited += count
        let share = 100 * visited / max(total, 1)
        guard share > shown else { return }
        shown = share
        progress(share)
    }

    private mutating func visit(_ objects: [TaggedSample], at place: SamplePlace, isRoot: Bool) {
        let members = objects.compactMap(\.value.members)
        if place.content == nil {
            place.content = content(of: members, at: place, isRoot: isRoot && place.owner == nil)
            // Those before had no members.
            if case .group(let group)? = place.content { group.countObjects(place.objects - objects.count) }
        }
        switch place.content {
        case nil: break
        case .dictionary(let values):
            let all = objects.flatMap { object in
                (object.value.members ?? []).map { TaggedSample(value: $0.value, tag: object.tag) }
            }
            rest.append((values, all))
        case .group(let group): visit(members, of: group)
        case .tagged(let key, var groups):
            for object in objects {
                let tag = object.tag ?? ""
                if !groups.contains(where: { $0.tag == tag }) {
                    let name = tag + " " + place.key
                    groups.append((tag, SampleGroup(name: name, isPlural: place.isElement, owner: place.owner)))
                }
            }
            place.content = .tagged(key: key, groups: groups)
            for (tag, group) in groups {
                visit(objects.filter { ($0.tag ?? "") == tag }.compactMap(\.value.members), of: group)
            }
        }
    }

    /// The content of a place with objects; nil if none has members.
    private mutating func content(
        of objects: [[Sample.Member]], at place: SamplePlace, isRoot: Bool
    ) -> SamplePlace.Content? {
        let filled = objects.filter { !$0.isEmpty }
        if filled.isEmpty, !isRoot { return nil }
        // At the root only a dictionary of objects leads to a class.
        let areObjects = filled.allSatisfy { $0.allSatisfy { $0.value.members?.isEmpty == false } }
        if KeyLooks.areDictionaries(objects, under: place.key, isElement: place.isElement), !isRoot || areObjects {
            return .dictionary(SamplePlace(key: place.key, isElement: true, owner: place.owner))
        }
        if !isRoot, let known = group(like: filled, at: place) {
            let name = known.typeName
            known.addPlace(place)
            if let number = known.number, known.typeName != name {
                index.add(known.outline.kinds.keys, to: number, named: known.typeName)
            }
            return .group(known)
        }
        let group = SampleGroup(
            name: place.key, isPlural: place.isElement, owner: place.owner, split: TagSplit(of: filled))
        group.number = groups.count
        groups.append(group)
        return .group(group)
    }

    /// Counts the objects of a group and their members.
    private mutating func visit(_ objects: [[Sample.Member]], of group: SampleGroup) {
        group.countObjects(objects.count)
        let known = group.outline.kinds
        group.outline.add(objects)
        if let number = group.number {
            index.add(group.outline.kinds.keys.filter { known[$0] == nil }, to: number, named: group.typeName)
        }
        guard let tagKey = group.tagKey else { return visitMembers(objects, of: group) }
        visitMembers(objects.map { $0.filter { group.commonKeys.contains($0.key) } }, of: group)
        var variants: [(tag: String?, objects: [[Sample.Member]])] = []
        var places: [String?: Int] = [:]
        for members in objects {
            let tag = members.first { $0.key == tagKey }?.value.tag
            let own = members.filter { !group.commonKeys.contains($0.key) }
            if let index = places[tag] {
                variants[index].objects.append(own)
            } else {
                places[tag] = variants.count
                variants.append((tag, [own]))
            }
        }
        for (tag, members) in variants {
            guard let tag else {
                visitMembers(members, of: group)
                continue
            }
            let variant = group.variant(tag)
            variant.countObjects(members.count)
            visitMembers(members, of: variant)
        }
    }

    private mutating func visitMembers(_ objects: [[Sample.Member]], of group: SampleGroup) {
        var order: [String] = []
        var values: [String: [TaggedSample]] = [:]
        for members in objects {
            for member in members {
                if values[member.key] == nil { order.append(member.key) }
                values[member.key, default: []].append(TaggedSample(value: member.value))
            }
        }
        lazy var candidates = TagCandidates(of: objects)
        for key in order {
            let place = group.place(key)
            let samples = values[key] ?? []
            guard samples.contains(where: { $0.value.isObjects }) else {
                rest.append((place, samples))
                continue
            }
            rest.append((place, tagged(samples, of: key, at: place, in: candidates)))
        }
    }

    /// The values of a member that holds objects, with the type names that a sibling member gives them.
    private func tagged(
        _ samples: [TaggedSample], of key: String, at place: SamplePlace, in candidates: TagCandidates
    ) -> [TaggedSample] {
        let holder = samples.contains { if case .array = $0.value { true } else { false } } ? place.elementPlace : place
        var tagKey: String?
        if case .tagged(let known, _)? = holder.content { tagKey = known }
        if tagKey == nil, holder.content == nil, !holder.hasUntagged, samples.areOfOneKind {
            tagKey = TagSplit.tag(of: key, beside: candidates)
            if let tagKey { holder.content = .tagged(key: tagKey, groups: []) }
        }
        guard let tagKey else {
            holder.hasUntagged = true
            return samples
        }
        return candidates.objects.compactMap { members in
            members[key].map { TaggedSample(value: $0, tag: members[tagKey]?.tag) }
        }
    }

    /// A known group whose objects resemble those at a new place; nil if there is none.
    private func group(like objects: [[Sample.Member]], at place: SamplePlace) -> SampleGroup? {
        var outline = SampleOutline()
        outline.add(objects)
        let kinds = outline.kinds
        let name = SwiftName.type(place.key, isPlural: place.isElement)
        let outer = sequence(first: place.owner) { $0?.owner }.compactMap { $0?.number }
        let candidates = Set(index.candidates(for: Array(kinds.keys), named: name) + outer).sorted()
        return candidates.lazy.map { groups[$0] }.first { group in
            let known = group.outline.kinds
            let shared = kinds.keys.filter { known[$0] != nil }
            guard shared.allSatisfy({ known[$0]?.agrees(with: kinds[$0] ?? []) ?? false }) else { return false }
            if let tagKey = group.tagKey, kinds[tagKey] == nil { return false }
            let all = known.count + kinds.count - shared.count
            let smaller = min(known.count, kinds.count)
            let areEqual = shared.count == all
            let isRelated =
                place.owner?.isInside(group) == true || group.typeName == name
            let haveSimilarKeys =
                if isRelated {
                    areEqual || shared.count >= 2 && shared.count * 2 >= all && shared.count * 10 >= smaller * 8
                } else if areEqual, shared.count >= 2, group.owner === place.owner, place.owner != nil {
                    // Siblings, such as the sizes of a picture.
                    shared.count >= 3 || known == kinds
                } else {
                    shared.count >= 4 && shared.count * 10 >= all * 8 && shared.count * 10 >= smaller * 9
                }
            // Nodes directly inside each other are of one class whatever their types.
            return haveSimilarKeys && group.outline.isLike(outline, comparesTypes: !group.holds(place))
        }
    }
}

extension [TaggedSample] {
    /// Whether all values but `null` are objects, or all are lists of objects.
    fileprivate var areOfOneKind: Bool {
        var kinds: Set<SampleKinds> = []
        for sample in self {
            kinds.insert(sample.value.kind)
            guard case .array(let elements) = sample.value else { continue }
            if elements.contains(where: { !$0.kind.agrees(with: .object) }) { return false }
        }
        return kinds.subtracting([[]]).count == 1
    }
}

extension Sample {
    /// Whether the value is an object, or a list that contains one.
    fileprivate var isObjects: Bool {
        switch self {
        case .object: true
        case .array(let elements): elements.contains { $0.members != nil }
        default: false
        }
    }
}

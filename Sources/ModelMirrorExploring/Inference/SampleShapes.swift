/// Converts documents to shapes: samples → places → shapes.
struct SampleShapes {
    private var graph = ShapeGraph()
    /// The numbers of the groups' records.
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The groups whose records have no members yet.
    private var pending: [(group: SampleGroup, number: Int)] = []

    /// The number of objects, all with a member, from which on the member is required.
    private static let fewestObjects = 5

    /// - Throws: ``InferenceError/noClass(found:)`` if the root is not an object, or a list or dictionary of objects.
    static func shapes(
        of documents: [Sample], progress: @escaping (Int) -> Void
    ) throws(InferenceError) -> ShapeGraph {
        var shapes = SampleShapes()
        shapes.graph.hasOpenEnums = true
        var isTooDeep = false
        var grouping = SampleGrouping(of: documents, progress: progress)
        if let parts = parts(of: documents) {
            for (index, values) in parts.enumerated() {
                let place = SamplePlace(key: "", owner: nil)
                grouping.visit(place, values, isRoot: true)
                let value = shapes.value(of: place)
                // Without a class there are no rules for the values.
                let root = value.onlyRecord == nil ? value.plain : value
                shapes.graph.roots.append(RootShape(path: [index], value: root.simplified))
            }
        } else {
            // Objects and lists of objects are samples of one class.
            let lists = documents.filter { if case .array = $0 { true } else { false } }
            let isMixed = !lists.isEmpty && documents.contains { $0.members != nil }
            let values = isMixed ? documents.flatMap(\.elementsOrSelf) : documents
            let place = SamplePlace(key: "", isElement: false, owner: nil)
            grouping.visit(place, values, isRoot: true)
            let whole = shapes.value(of: place)
            let value = whole.simplified
            isTooDeep = whole.onlyRecord != nil && value.onlyRecord == nil
            shapes.graph.roots = [RootShape(value: value)]
            if isMixed { shapes.graph.roots.append(RootShape(value: .array(value))) }
        }
        guard shapes.graph.roots.contains(where: { $0.value.onlyRecord != nil }) else {
            throw .noClass(
                found: isTooDeep ? "an object in more than eight lists and dictionaries" : found(documents))
        }
        shapes.fillRecords()
        return shapes.graph
    }

    /// The parts of lists whose elements are of several kinds, such as a header and the list that it describes.
    private static func parts(of documents: [Sample]) -> [[Sample]]? {
        let lists = documents.compactMap { document -> [Sample]? in
            guard case .array(let elements) = document else { return nil }
            return elements
        }
        guard lists.count == documents.count, let count = lists.map(\.count).max(), 2...12 ~= count,
            lists.allSatisfy({ $0.count == count })
        else { return nil }
        let kinds = Set(lists.flatMap { $0.map(\.kind) }.filter { !$0.isEmpty })
        guard kinds.count >= 2, kinds.contains(.object) || kinds.contains(.array) else { return nil }
        return (0..<count).map { index in lists.map { $0[index] } }
    }

    /// What the root is, for an error.
    private static func found(_ documents: [Sample]) -> String {
        switch documents.first {
        case .array(let elements)?: elements.isEmpty ? "an empty list" : "a list without objects"
        case .string?: "a string"
        case .number?: "a number"
        case .bool?: "a Boolean"
        case .object?: "a dictionary without objects"
        case .null?, nil: "null"
        }
    }

    // MARK: Values

    /// The type of the values at a place, apart from `null`.
    private mutating func value(of place: SamplePlace) -> ValueShape {
        var values: [ValueShape] = []
        if place.booleans > 0 { values.append(.bool) }
        if place.numbers.count > 0 { values.append(place.numbers.shape(key: place.key)) }
        if place.texts.count > 0 { values.append(place.texts.shape(key: place.key, isElement: place.isElement)) }
        if place.arrays > 0 { values.append(.array(place.element.map { element(of: $0) } ?? .any)) }
        if place.objects > 0 { values.append(object(of: place)) }
        if values.count > 1 { return .choice(values.map(\.plain)) }
        return values.first ?? .any
    }

    /// The type of the elements of a list or dictionary.
    private mutating func element(of place: SamplePlace) -> ValueShape {
        let value = value(of: place)
        return place.nulls > 0 && value != .any ? .optional(value) : value
    }

    private mutating func object(of place: SamplePlace) -> ValueShape {
        switch place.content {
        case nil: return .dictionary(.any)
        case .dictionary(let values)?: return .dictionary(element(of: values))
        case .group(let group)?: return .record(number(of: group))
        case .tagged(let key, let groups)?:
            return .tagged(
                TaggedShape(key: key, records: groups.map { TaggedRecord(tag: $0.tag, record: number(of: $0.group)) }))
        }
    }

    // MARK: Records

    private mutating func number(of group: SampleGroup) -> Int {
        if let known = numbers[ObjectIdentifier(group)] { return known }
        let number = graph.records.count
        numbers[ObjectIdentifier(group)] = number
        graph.records.append(RecordShape(name: group.name, isPlural: group.isPlural))
        pending.append((group, number))
        return number
    }

    /// Adds the members of the records, level by level, so that classes are written near those that use them.
    private mutating func fillRecords() {
        while !pending.isEmpty {
            let (group, number) = pending.removeFirst()
            let parent = group.owner.flatMap { numbers[ObjectIdentifier($0)] }
            graph.records[number].parent = parent
            let members = group.keys.compactMap { key in group.places[key].map { member($0, of: group) } }
            graph.records[number].members = members
            let base = graph.records[number].base == nil ? nil : group.owner
            graph.records[number].writesNulls = group.writesNulls && base?.haveAllMembers != false
            guard let key = group.tagKey else { continue }
            let variants = group.variants.map { TaggedRecord(tag: $0.tag, record: self.number(of: $0.group)) }
            for variant in variants { graph.records[variant.record].base = number }
            graph.records[number].union = TaggedShape(key: key, records: variants)
        }
    }

    private mutating func member(_ place: SamplePlace, of group: SampleGroup) -> MemberShape {
        let isAlways = place.count == group.count && place.nulls == 0
        return MemberShape(
            key: place.key, value: value(of: place).simplified, isOptional: !isAlways,
            isRequired: isAlways && group.count >= SampleShapes.fewestObjects)
    }
}

extension Sample {
    fileprivate var elementsOrSelf: [Sample] { if case .array(let elements) = self { elements } else { [self] } }
}

extension SampleGroup {
    /// Whether absent values are always `null` and never missing, in the objects and in those of the variants.
    fileprivate var writesNulls: Bool { areComplete && haveNulls }

    /// Whether each member is in all objects, apart from those of the variants.
    fileprivate var haveAllMembers: Bool { places.values.allSatisfy { $0.count == count } }

    private var areComplete: Bool { haveAllMembers && variants.allSatisfy { $0.group.areComplete } }

    private var haveNulls: Bool {
        places.values.contains { $0.nulls > 0 } || variants.contains { $0.group.haveNulls }
    }
}

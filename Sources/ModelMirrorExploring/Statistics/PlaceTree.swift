import ModelMirror

/// The places of documents, in one array: a root, members and elements. Their number is bounded.
struct PlaceTree {
    struct Place {
        /// The member's key as UTF-8; empty for the root, elements, and any member.
        var key: [UInt8] = []
        /// The numbers of the members, in the order of their first occurrence. Of an object whose keys are data, only one.
        var members: [Int] = []
        /// The members by the hashes of their keys, if there are many.
        var index: [UInt64: Int] = [:]
        /// Whether the keys are data.
        var hasDataKeys = false
        /// The number of the elements of arrays; 0 for none.
        var element = 0
        /// The members that are too many, as one, until the document ends; 0 for none.
        var others = 0
        var tally = PlaceTally()
    }

    private(set) var places = [Place()]
    /// Numbers of places that are free again.
    private var free: [Int] = []
    /// The largest number of places.
    let most: Int
    private static let mostListed = 8

    init(most: Int) { self.most = max(most, 2) }

    /// Changes what is counted at a place.
    subscript(place: Int) -> PlaceTally {
        @inline(__always) get { places[place].tally }
        @inline(__always) _modify { yield &places[place].tally }
    }

    /// The place of the elements of arrays at a place.
    mutating func element(of place: Int) -> Int {
        if places[place].element == 0 { places[place].element = makePlace([]) }
        return places[place].element
    }

    /// The place of a member.
    ///
    /// - Parameters:
    ///   - hint: The number of members before it, which most objects have in the same order.
    mutating func member(of place: Int, _ bytes: Span<UInt8>, _ range: Range<Int>, hint: Int) -> Int {
        if places[place].hasDataKeys { return places[place].members[0] }
        if hint < places[place].members.count {
            let member = places[place].members[hint]
            if isKey(member, bytes, range) { return member }
        }
        if let member = known(bytes, range, of: place) { return member }
        let used = places.count - free.count
        if used > 16 * most || used > 4 * most && places[place].members.count >= 100 {
            if places[place].others == 0 { places[place].others = makePlace([]) }
            return places[place].others
        }
        let member = makePlace(range.map { bytes[$0] })
        append(member, to: place)
        return member
    }

    /// The member with a key.
    private func known(_ bytes: Span<UInt8>, _ range: Range<Int>, of place: Int) -> Int? {
        if places[place].members.count <= PlaceTree.mostListed {
            for member in places[place].members where isKey(member, bytes, range) { return member }
        } else if let member = places[place].index[ValueHash.hash(bytes, range)], isKey(member, bytes, range) {
            return member
        }
        return nil
    }

    private mutating func append(_ member: Int, to place: Int) {
        places[place].members.append(member)
        let count = places[place].members.count
        guard count > PlaceTree.mostListed else { return }
        for member in count == PlaceTree.mostListed + 1 ? places[place].members : [member] {
            let slice = places[member].key[...]
            places[place].index[ValueHash.hash(slice.span, 0..<slice.count)] = member
        }
    }

    @inline(__always)
    private func isKey(_ member: Int, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard places[member].key.count == range.count else { return false }
        for index in 0..<range.count where places[member].key[index] != bytes[range.lowerBound + index] { return false }
        return true
    }

    private mutating func makePlace(_ key: [UInt8]) -> Int {
        guard let place = free.popLast() else {
            places.append(Place(key: key))
            return places.count - 1
        }
        places[place] = Place(key: key)
        return place
    }

    // MARK: Keys that are data

    /// Whether there are more places than allowed.
    var isFull: Bool { places.count - free.count > most }

    /// Counts the members of the places with the most members as one, until there are few enough places. No document may be open.
    mutating func shrink() {
        for place in places.indices where places[place].others > 0 { mergeMembers(of: place) }
        while isFull {
            guard let widest = places.indices.max(by: { places[$0].members.count < places[$1].members.count }),
                places[widest].members.count > 1
            else { return }
            mergeMembers(of: widest)
        }
    }

    /// Counts the members of all objects whose keys are data as one.
    mutating func mergeDataKeys() {
        var rest = [0]
        while let place = rest.popLast() {
            if haveDataKeys(place) { mergeMembers(of: place) }
            rest += places[place].members
            if places[place].element > 0 { rest.append(places[place].element) }
        }
    }

    /// By the rule of ``DocumentShape``, and for more than 100 members of one kind in few of the objects.
    private func haveDataKeys(_ place: Int) -> Bool {
        let members = places[place].members
        guard members.count > 1, !places[place].hasDataKeys else { return false }
        let kinds = Set(members.flatMap { places[$0].tally.kinds.map(\.kind).filter { $0 != .null } })
        guard kinds.count == 1 else { return false }
        let keys = members.map { String(decoding: places[$0].key, as: UTF8.self) }
        let values = members.reduce(0) { $0 + places[$1].tally.present }
        let objects = places[place].tally.objects
        return DocumentShape.keysAreData(keys, values: values, objects: objects)
            || keys.count > 100 && (objects == 1 || values * 2 < keys.count * objects)
    }

    private mutating func mergeMembers(of place: Int) {
        let members = places[place].members + (places[place].others > 0 ? [places[place].others] : [])
        places[place].others = 0
        for member in members.dropFirst() { merge(member, into: members[0]) }
        places[members[0]].key = []
        (places[place].members, places[place].index, places[place].hasDataKeys) = ([members[0]], [:], true)
    }

    /// Adds what is counted at a place, and below it, to another, and frees it. At most as deep as documents are nested.
    private mutating func merge(_ place: Int, into target: Int) {
        for side in [place, target] where places[side].others > 0 { mergeMembers(of: side) }
        let old = places[place]
        places[target].tally.merge(old.tally)
        if old.element > 0 {
            if places[target].element == 0 {
                places[target].element = old.element
            } else {
                merge(old.element, into: places[target].element)
            }
        }
        if old.hasDataKeys, !places[target].hasDataKeys, !places[target].members.isEmpty { mergeMembers(of: target) }
        for member in old.members {
            let slice = places[member].key[...]
            if places[target].hasDataKeys {
                merge(member, into: places[target].members[0])
            } else if let known = known(slice.span, slice.indices, of: target) {
                merge(member, into: known)
            } else {
                append(member, to: target)
                if old.hasDataKeys { places[target].hasDataKeys = true }
            }
        }
        places[place] = Place()
        free.append(place)
    }
}

extension PlaceTally {
    /// The kinds of the values and their numbers, without those that do not occur.
    var kinds: [(kind: DocumentShape.Kind, count: Int)] {
        [
            (.object, objects), (.array, arrays), (.string, strings), (.number, integers + fractions),
            (.boolean, trues + falses), (.null, nulls),
        ].filter { $0.1 > 0 }
    }
}

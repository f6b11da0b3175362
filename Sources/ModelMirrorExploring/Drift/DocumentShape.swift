import ModelMirror

/// The kinds of the values at one place of a document, over all elements of the enclosing arrays.
final class DocumentShape {
    /// The kinds of JSON values.
    enum Kind: String, CaseIterable {
        case object, array, string, number, boolean, null
    }

    /// The number of values of each kind.
    private(set) var counts: [Kind: Int] = [:]
    /// Whether a number has a fraction or an exponent.
    private(set) var hasFractions = false
    /// The members of the objects.
    private(set) var members: [ExactText: DocumentShape] = [:]
    /// The elements of the arrays; nil if there are none.
    private(set) var element: DocumentShape?
    /// The distinct strings and their counts, until there are too many.
    private(set) var strings: [String: Int] = [:]
    private(set) var hasManyStrings = false

    /// The largest number of distinct strings that can be an enumeration.
    static let mostStrings = 12

    init() {}

    init(_ value: JSONValue) { add(value) }

    /// The number of values.
    var total: Int { counts.values.reduce(0, +) }

    /// The kinds other than null, in the order of ``Kind``.
    var kinds: [Kind] { Kind.allCases.filter { $0 != .null && counts[$0] != nil } }

    func add(_ value: JSONValue) {
        let kind: Kind
        switch value {
        case .null: kind = .null
        case .bool: kind = .boolean
        case .number(let number):
            kind = .number
            if !number.text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 }
            ) {
                hasFractions = true
            }
        case .string(let text):
            kind = .string
            if strings[text] != nil || strings.count <= DocumentShape.mostStrings {
                strings[text, default: 0] += 1
            } else {
                hasManyStrings = true
            }
        case .array(let elements):
            kind = .array
            let shape = element ?? DocumentShape()
            for value in elements { shape.add(value) }
            if !elements.isEmpty { element = shape }
        case .object(let object):
            kind = .object
            for (key, value) in object {
                let key = ExactText(key)
                let shape = members[key] ?? DocumentShape()
                shape.add(value)
                members[key] = shape
            }
        }
        counts[kind, default: 0] += 1
    }

    /// Adds all values of another shape.
    func add(_ other: DocumentShape) {
        counts.merge(other.counts, uniquingKeysWith: +)
        hasFractions = hasFractions || other.hasFractions
        hasManyStrings = hasManyStrings || other.hasManyStrings
        for (text, count) in other.strings { strings[text, default: 0] += count }
        if strings.count > DocumentShape.mostStrings { hasManyStrings = true }
        for (key, shape) in other.members {
            let own = members[key] ?? DocumentShape()
            own.add(shape)
            members[key] = own
        }
        if let elements = other.element {
            let own = element ?? DocumentShape()
            own.add(elements)
            element = own
        }
    }

    /// The members of all keys as one, for objects whose keys are data.
    var anyMember: DocumentShape {
        members.values.reduce(into: DocumentShape()) { $0.add($1) }
    }

    /// The kinds in words: `string`, `string or null`.
    var words: String {
        let words = (kinds + (counts[.null] == nil ? [] : [.null])).map(\.rawValue)
        return words.joined(separator: " or ")
    }
}

extension DocumentShape {
    /// Whether the keys of the objects are data, as in `{"main.go": {…}, "go.mod": {…}}`, in two documents together.
    ///
    /// They are if all values are of one kind, and most keys are not names, or most keys occur in few of the objects.
    static func keysAreData(_ old: DocumentShape, _ new: DocumentShape) -> Bool {
        let keys = Set(old.members.keys).union(new.members.keys)
        let all = Array(old.members.values) + Array(new.members.values)
        guard keys.count > 1, Set(all.flatMap(\.kinds)).count == 1 else { return false }
        let objects = (old.counts[.object] ?? 0) + (new.counts[.object] ?? 0)
        return keysAreData(keys.map(\.text), values: all.reduce(0) { $0 + $1.total }, objects: objects)
    }

    /// The same for the distinct keys of objects whose values are of one kind.
    ///
    /// - Parameter values: The number of members of all objects.
    static func keysAreData(_ keys: some Collection<String>, values: Int, objects: Int) -> Bool {
        if keys.count(where: { !$0.isName }) * 2 > keys.count { return true }
        // At least four keys, and each in less than a third of the objects, on average.
        return keys.count >= 4 && objects >= 4 && values * 3 < keys.count * objects
    }
}

extension String {
    /// Whether the text could be the name of a member, such as `id`, `First Name` and `og:url`, but not `main.go` and `2020-01-01`.
    fileprivate var isName: Bool {
        guard let first = unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return !unicodeScalars.contains { "./@".unicodeScalars.contains($0) }
    }
}

import ModelMirror

/// A JSON value whose members keep the order of the document, unlike those of `JSONValue`.
enum Sample: Hashable {
    /// A member of an object.
    struct Member: Hashable {
        let key: String
        var value: Sample
    }

    case null
    case bool(Bool)
    /// A number as written.
    case number(String)
    case string(String)
    case array([Sample])
    /// Of duplicate keys the last value wins, at the position of the first.
    case object([Member])

    /// Reads a document.
    ///
    /// - Throws: ``ModelError/invalidJSON(_:)``.
    init(json bytes: [UInt8]) throws(ModelError) {
        try self.init(tree: bytes, options: MappingOptions())
    }

    /// The members of an object; nil for other values.
    var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The text of a string, an integer or a Boolean, which can name a type; nil for other values, and for strings of more than 100 bytes.
    var tag: String? {
        switch self {
        case .string(let text): text.utf8.count <= 100 ? text : nil
        case .bool(let value): value ? "true" : "false"
        case .number(let text): Int(text).map { "\($0)" }
        default: nil
        }
    }

    /// The number of values, also in it.
    var count: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.count }
        case .object(let members): members.reduce(1) { $0 + $1.value.count }
        default: 1
        }
    }

    var kind: SampleKinds {
        switch self {
        case .null: []
        case .bool: .bool
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

/// The kinds of the values found at a place; `null` has no kind.
struct SampleKinds: OptionSet, Hashable {
    let rawValue: UInt8

    static let bool = SampleKinds(rawValue: 1)
    static let number = SampleKinds(rawValue: 2)
    static let string = SampleKinds(rawValue: 4)
    static let array = SampleKinds(rawValue: 8)
    static let object = SampleKinds(rawValue: 16)

    /// Whether values of both may be of one type: they share a kind, or one has none.
    func agrees(with other: SampleKinds) -> Bool { isEmpty || other.isEmpty || !isDisjoint(with: other) }
}

extension Sample: JSONTree {
    /// Members in the order of the document.
    struct OrderedMembers: JSONMembers {
        fileprivate private(set) var list: [Member] = []
        private var places: [ExactText: Int] = [:]

        init() {}

        subscript(key: String) -> Sample? {
            get { places[ExactText(key)].map { list[$0].value } }
            set {
                guard let newValue else { return }
                if let place = places[ExactText(key)] { return list[place].value = newValue }
                places[ExactText(key)] = list.count
                list.append(Member(key: key, value: newValue))
            }
        }
    }

    init(number: String) { self = .number(number) }
    init(members: OrderedMembers) { self = .object(members.list) }
}

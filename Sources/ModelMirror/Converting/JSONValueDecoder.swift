/// Decodes a `Decodable` type from a JSON value by the rules of the class around it.
///
/// Not `JSONDecoder`, whose key strategies convert keys to property names and so cannot tell which spelling of `html_url`
/// (`htmlURL`, `htmlUrl`) a type has. Here the key is made from the property's name, as for a model.
struct JSONValueDecoder: Decoder {
    let value: JSONValue
    let rules: CodableRules
    var place: CodingPlace?
    /// Whether the value's members are those of a dictionary, whose keys no strategy changes.
    var isDictionary = false
    var stack = StackRoom()
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    var codingPath: [any CodingKey] { place?.all.map(\.key) ?? [] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let members = value.object else { throw mismatch([String: JSONValue].self, .kind(.object)) }
        let strategy = isDictionary ? .exact : rules.ofClass.keyStrategy ?? .exact
        let keys = if case .flexible = strategy { members.keys.ordered() } else { [String]() }
        let folded = Dictionary(keys.map { (KeyStrategy.folded($0.utf8), $0) }) { first, _ in first }
        return KeyedDecodingContainer(
            KeyedMembers<Key>(members: members, decoder: self, strategy: strategy, folded: folded))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.array else { throw mismatch([JSONValue].self, .kind(.array)) }
        return UnkeyedElements(elements: elements, decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    /// The decoder for a value inside this one.
    fileprivate func decoder(for value: JSONValue, at key: any CodingKey, _ step: JSONPath.Step) -> JSONValueDecoder {
        JSONValueDecoder(
            value: value, rules: rules, place: CodingPlace(outer: place, key: key, step: step), stack: stack)
    }

    fileprivate func mismatch(_ type: Any.Type, _ expected: Expectation) -> DecodingError {
        let (found, kind) = described
        let issue = Issue(.fallback, expected, at: 0)
        let failure = PropertyFailure(model: nil, issue: issue, path: .of(steps), found: found, kind: kind)
        return .typeMismatch(type, context("Expected \(failure.expected), found \(found).", failure))
    }

    /// The value as "found …" shows it, and its kind. Containers are not read: types that try one form after the other fail often.
    private var described: (words: String, kind: JSONKind?) {
        if value.array != nil { return ("an array", .array) }
        if value.object != nil { return ("an object", .object) }
        return value.reading { bytes, count in
            let reader = JSONReader(bytes, count: count, depth: .max)
            return (reader.describeValue(at: 0), reader.kind(at: 0))
        } ?? ("", nil)
    }

    /// The error for a value that is not there, after a step from this one.
    fileprivate func missing(_ step: JSONPath.Step, _ type: Any.Type?) -> PropertyFailure {
        let expected = type.flatMap(scalar)?.expected(by: rules.ofClass) ?? .value
        let found = if case .key = step { "no such key" } else { "no such index" }
        let issue = Issue(.missing, expected, at: 0, found: .noKey)
        return PropertyFailure(model: nil, issue: issue, path: .of(steps + [step]), found: found)
    }

    /// A type that is decoded here, in the form of a property, and not by its `init(from:)`.
    private func scalar(_ type: Any.Type) -> (any JSONScalar.Type)? {
        (type as? any JSONScalar.Type).flatMap { $0.decodesItself ? nil : $0 }
    }

    private var steps: [JSONPath.Step] { place?.all.map(\.step) ?? [] }

    fileprivate func context(_ text: String, _ failure: PropertyFailure? = nil) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: text, underlyingError: failure)
    }
}

/// A key linked to those around it, so that a value's path takes no more memory the deeper it is.
final class CodingPlace {
    private let outer: CodingPlace?
    let key: any CodingKey
    /// The key as it is in the document.
    let step: JSONPath.Step

    init(outer: CodingPlace?, key: any CodingKey, step: JSONPath.Step) {
        (self.outer, self.key, self.step) = (outer, key, step)
    }

    /// All places, outermost first.
    var all: [CodingPlace] { sequence(first: self) { $0.outer }.reversed() }
}

// The generic method implements the protocol's methods, which are one per type, except those of the 128-bit integers, whose default
// implementations throw.
extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny(type) }
    /// Calls the generic method, also for a type that has its own.
    private func decodeAny<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded { try decode(type) }

    func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        if let scalar = scalar(type) {
            do {
                if let value = try scalar.decoded(from: value, by: rules.ofClass) as? Decoded { return value }
            } catch {
                throw mismatch(type, (error as? ConversionError)?.expectation ?? scalar.expected(by: rules.ofClass))
            }
        }
        guard stack.isLeft else {
            throw DecodingError.dataCorrupted(context("No deeper nesting: the thread's stack is too small for it."))
        }
        var decoder = self
        decoder.isDictionary = type is any RuleMembers.Type
        return try Decoded(from: decoder)
    }
}

/// The members of an object.
private struct KeyedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let decoder: JSONValueDecoder
    let strategy: KeyStrategy
    /// The members' keys by their folded form, for the strategy `.flexible`.
    let folded: [[UInt8]: String]

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// The keys of the object, each as the coding key of the property that it belongs to.
    var allKeys: [Key] {
        members.keys.ordered().compactMap { key in
            if case .exact = strategy { return Key(stringValue: key) }
            let camel = KeyStrategy.camelCased(key)
            return [camel, key].lazy.compactMap { Key(stringValue: $0) }.first { member($0.stringValue)?.key == key }
        }
    }

    private func member(_ name: String) -> (key: String, value: JSONValue)? {
        switch strategy {
        case .exact: break
        case .flexible:
            if let found = folded[KeyStrategy.folded(name.utf8)] { return members[found].map { (found, $0) } }
        case .snakeCase, .kebabCase, .pascalCase, .camelCase, .custom, .words:
            let made = decoder.rules.jsonKey(forProperty: name)
            if let value = members[made] { return (made, value) }
        }
        return members[name].map { (name, $0) }
    }

    private func decoder(_ key: Key, for type: Any.Type? = nil) throws -> JSONValueDecoder {
        let name = key.stringValue
        guard let member = member(name) else {
            let missing = decoder.missing(.key(strategy.jsonKey(forProperty: name)), type)
            throw DecodingError.keyNotFound(
                key, decoder.context("No value for the key \(name.quotedForMessage).", missing))
        }
        return decoder.decoder(for: member.value, at: key, .key(member.key))
    }

    func contains(_ key: Key) -> Bool { member(key.stringValue) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder(key, for: type).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder(key, for: type).decode(type) }
    func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
        try decoder(key, for: type).decode(type)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { superDecoder(forKey: AnyCodingKey(stringValue: "super")) }
    /// By the key that the strategy makes, as the encoder writes it.
    func superDecoder(forKey key: some CodingKey) -> any Decoder {
        let member = member(key.stringValue)
        return decoder.decoder(for: member?.value ?? .null, at: key, .key(member?.key ?? key.stringValue))
    }
}

/// The elements of an array.
private struct UnkeyedElements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let decoder: JSONValueDecoder
    var currentIndex = 0

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private func current(for type: Any.Type? = nil) throws -> JSONValueDecoder {
        let step = AnyCodingKey(intValue: currentIndex)
        guard !isAtEnd else {
            let context = DecodingError.Context(
                codingPath: codingPath + [step], debugDescription: "The array has only \(elements.count) elements.",
                underlyingError: decoder.missing(.index(currentIndex), type))
            throw DecodingError.valueNotFound(JSONValue.self, context)
        }
        return decoder.decoder(for: elements[currentIndex], at: step, .index(currentIndex))
    }

    /// Reads the current element and moves to the next one; does not move if `read` throws.
    private mutating func advancing<Result>(
        for type: Any.Type? = nil, _ read: (JSONValueDecoder) throws -> Result
    ) throws -> Result {
        let result = try read(try current(for: type))
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard try current().decodeNil() else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try advancing(for: type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try advancing(for: type) { try $0.decode(type) } }
    mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
        try advancing(for: type) { try $0.decode(type) }
    }
    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try advancing { try $0.container(keyedBy: type) } }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try advancing { try $0.unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder { try advancing { $0 } }
}

/// A type made of other types: its codec is composed of theirs.
///
/// The builder asks for it by a cast of the field's type; `makeCodec` then knows the element types statically.
protocol ContainerType {
    /// The codec, or nil if nothing converts an element type.
    static func makeCodec(_ builder: CodecBuilder) throws(InvalidModel) -> ValueCodec<Self>?
}

/// An Optional: `null` becomes nil; anything else is the wrapped type's.
extension Optional: ContainerType {
    static func makeCodec(_ builder: CodecBuilder) throws(InvalidModel) -> ValueCodec<Wrapped?>? {
        guard let wrapped = try builder.codec(for: Wrapped.self) else { return nil }
        return ValueCodec(expected: wrapped.expected, acceptsNull: true, isCollection: wrapped.isCollection) { reader, session throws(Interruption) in
            if reader.byte == UInt8(ascii: "n") {
                try reader.readNull()
                return .some(nil)
            }
            guard let value = try wrapped.read(&reader, session) else { return nil }
            return .some(value)
        }
    }
}

extension Array: ContainerType {
    static func makeCodec(_ builder: CodecBuilder) throws(InvalidModel) -> ValueCodec<[Element]>? {
        try builder.codec(for: Element.self).map { .array(of: $0) }
    }
}

extension ContiguousArray: ContainerType {
    static func makeCodec(_ builder: CodecBuilder) throws(InvalidModel) -> ValueCodec<ContiguousArray<Element>>? {
        try builder.codec(for: Element.self).map { .collection(of: $0, empty: []) { $0.append($1) } }
    }
}

/// A set: equal elements fall together, as they do in any set.
extension Set: ContainerType {
    static func makeCodec(_ builder: CodecBuilder) throws(InvalidModel) -> ValueCodec<Set<Element>>? {
        try builder.codec(for: Element.self).map { .collection(of: $0, empty: []) { $0.insert($1) } }
    }
}

extension ValueCodec {
    /// The codec of an array of the given elements.
    static func array<Element>(of element: ValueCodec<Element>) -> ValueCodec<[Element]> where Value == [Element] {
        collection(of: element, empty: []) { $0.append($1) }
    }

    /// The codec of a collection that is written as a JSON array. Elements that do not fit are left out and recorded; whether
    /// that is a failure is decided when the property is settled.
    static func collection<Element>(
        of element: ValueCodec<Element>, empty: Value, add: @escaping (inout Value, Element) -> Void
    ) -> ValueCodec {
        let expected = "an array"
        return ValueCodec(expected: expected, isCollection: true) { reader, session throws(Interruption) in
            guard reader.byte == UInt8(ascii: "[") else { return try session.refuse(&reader, expected) }
            var values = empty
            guard try reader.openArray() else { return values }
            repeat {
                let offset = reader.offset
                if let value = try element.read(&reader, session) {
                    add(&values, value)
                } else {
                    session.note(Finding(kind: .skipped, offset: offset, expected: element.expected))
                }
            } while try reader.nextElement()
            return values
        }
    }
}

/// A dictionary, written as a JSON object. Keys are strings, integers, UUIDs or raw-representable types of these; they are
/// never changed by a key strategy. Members whose key or value does not fit are left out and recorded; of duplicate keys the
/// last one that fits stands (strict: a duplicate is a failure).
extension Dictionary: ContainerType {
    static func makeCodec(_ builder: CodecBuilder) throws(InvalidModel) -> ValueCodec<[Key: Value]>? {
        guard let key = DictionaryKeyCodec<Key>.make(), let value = try builder.codec(for: Value.self) else { return nil }
        return .dictionary(key, value)
    }
}

extension ValueCodec {
    /// The codec of a dictionary with string keys.
    static func members<Member>(
        of member: ValueCodec<Member>
    ) -> ValueCodec<[String: Member]> where Value == [String: Member] {
        dictionary(String.keyCodec, member)
    }

    fileprivate static func dictionary<Key: Hashable, Member>(
        _ key: DictionaryKeyCodec<Key>, _ member: ValueCodec<Member>
    ) -> ValueCodec<[Key: Member]> where Value == [Key: Member] {
        let expected = "an object"
        return ValueCodec(expected: expected, isCollection: true) { reader, session throws(Interruption) in
            guard reader.byte == UInt8(ascii: "{") else { return try session.refuse(&reader, expected) }
            var members: [Key: Member] = [:]
            guard try reader.openObject() else { return members }
            repeat {
                let text = try reader.readKey()
                let offset = reader.offset
                guard let name = key.value(text) else {
                    try reader.skipValue()
                    let finding = Finding(
                        kind: .skipped, offset: offset, expected: "a key that is \(key.expected)",
                        found: "the key \(text.quotedForMessage)")
                    session.add(finding)
                    session.note(finding)
                    continue
                }
                guard let value = try member.read(&reader, session) else {
                    session.note(Finding(kind: .skipped, offset: offset, expected: member.expected))
                    continue
                }
                if members.updateValue(value, forKey: name) != nil { session.duplicateKey(text, at: offset) }
            } while try reader.nextMember()
            return members
        }
    }
}

extension MappingSession {
    /// Records that a key stands in its object a second time: a failure in strict mapping.
    func duplicateKey(_ key: String, at offset: Int) {
        let finding = Finding(
            kind: .skipped, offset: offset, expected: "each key once",
            found: "the key \(key.quotedForMessage) a second time")
        if rules.strict { add(finding) }
        note(finding)
    }
}

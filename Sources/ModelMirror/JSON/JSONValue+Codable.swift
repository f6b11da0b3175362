/// Coding for other formats and libraries.
///
/// ```swift
/// struct Event: Codable {
///     var name: String
///     var payload: JSONValue                 // whatever the server sends
/// }
/// ```
///
/// Key strategies of the coder do not change members' keys. For JSON itself, ``init(json:options:)`` is faster and keeps all
/// digits.
extension JSONValue: Codable {
    /// Reads any value that JSON can represent.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a value that is neither nil, a Boolean, a number, a string, an array nor a
    ///   keyed container, for a number too large for the coder, and for nesting that is too deep for the stack; any error of the
    ///   decoder for broken input.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard StackRoom().isLeft else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "No deeper nesting: the thread's stack is too small for it.")
        }
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = JSONNumber.common(in: container) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([JSONValue].self))
        } else if (try? decoder.container(keyedBy: AnyCodingKey.self)) != nil {
            // As a dictionary, because key strategies do not change its keys.
            self = .object(try container.decode([String: JSONValue].self))
        } else if let number = JSONNumber.wide(in: container) {
            self = .number(number)
        } else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Expected a value that JSON can hold.")
        }
    }

    /// Writes the value into a single-value container of any encoder.
    ///
    /// - Throws: `EncodingError.invalidValue` for a number that is too large for `Double` and every integer type, and for nesting
    ///   that is too deep for the stack.
    public func encode(to encoder: any Encoder) throws {
        guard StackRoom().isLeft else {
            let reason = "No deeper nesting: the thread's stack is too small for it."
            throw EncodingError.invalidValue(
                self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason))
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try value.encode(to: &container)
        case .string(let value): try container.encode(value)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

/// A coding key made of a text or an index.
struct AnyCodingKey: CodingKey {
    let stringValue: String
    private(set) var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
}

extension JSONValue {
    /// The value as JSON in one line, keys sorted.
    var compactText: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): value.text
        case .string(let value): value.quotedForMessage
        case .array(let elements): "[" + elements.map(\.compactText).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { $0.key.quotedForMessage + ":" + $0.value.compactText }
                .joined(separator: ",") + "}"
        }
    }
}

extension JSONValue: JSONInput {
    /// Calls `body` with the value's text, so that a value is read like any document: `try Gist(json: value)`.
    public func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) { compactText.withJSONBytes(body) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON, keys sorted.
    public var description: String { compactText }
}

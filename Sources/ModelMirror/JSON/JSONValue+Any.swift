extension JSONValue {
    /// The value as plain Swift values, as hooks see it: `nil` for null at the top and `JSONValue.null` inside,
    /// `Bool`, `String`, `Int` if a number fits, else `UInt64`, else `Decimal` if exact, else `Double`, `[Any]`,
    /// `[String: Any]`.
    public var any: Any? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .string(let value): value
        case .number(let value): value.plain
        case .array(let elements): elements.map { $0.any ?? JSONValue.null }
        case .object(let members): members.mapValues { $0.any ?? JSONValue.null }
        }
    }
}

extension JSONNumber {
    /// The number as the first of `Int`, `UInt64`, `Decimal`, `Double` that holds it; its text if none does (`1e400`).
    fileprivate var plain: Any {
        if let value = int { return value }
        if let value = integer(UInt64.self) { return value }
        if let value = decimal { return value }
        return double ?? self
    }
}

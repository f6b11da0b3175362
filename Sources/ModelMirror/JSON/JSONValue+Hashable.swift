/// Without recursion, so that values of any depth are compared and hashed on any stack.
extension JSONValue {
    /// Whether the values are equal: numbers by value (`1` and `1.0` are equal), members in any order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        var rest: [(JSONValue, JSONValue)] = []
        var pair = (left, right)
        while true {
            switch pair {
            case (.null, .null): break
            case (.bool(let left), .bool(let right)): if left != right { return false }
            case (.number(let left), .number(let right)): if left != right { return false }
            case (.string(let left), .string(let right)): if left != right { return false }
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                rest.append(contentsOf: zip(left, right))
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (key, value) in left {
                    guard let other = right[key] else { return false }
                    rest.append((value, other))
                }
            default: return false
            }
            guard let next = rest.popLast() else { return true }
            pair = next
        }
    }

    /// Hashes the value; equal values have equal hashes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .null, .bool, .array, .object:
            hasher.combine(
                text { number in
                    let exact = number.canonical
                    return (exact.isNegative ? "-" : "") + String(decoding: exact.digits, as: UTF8.self)
                        + "e\(exact.exponent)"
                })
        }
    }
}

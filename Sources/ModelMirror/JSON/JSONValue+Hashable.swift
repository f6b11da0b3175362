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
        case .array, .object: hasher.combine(treeHash)
        default: hashScalar(into: &hasher)
        }
    }

    private func hashScalar(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements.count)
        case .object(let members): hasher.combine(members.count)
        }
    }

    /// The hashes of all values inside, each combined with its place. They are added up because members have no order.
    private var treeHash: Int {
        var sum = 0
        var rest: [(value: JSONValue, place: Int)] = [(self, 0)]
        while let (value, place) = rest.popLast() {
            var hasher = Hasher()
            hasher.combine(place)
            value.hashScalar(into: &hasher)
            let hash = hasher.finalize()
            sum &+= hash
            switch value {
            case .array(let elements):
                for (index, element) in elements.enumerated() { rest.append((element, hash &+ index)) }
            case .object(let members):
                for (key, member) in members {
                    var hasher = Hasher()
                    hasher.combine(hash)
                    hasher.combine(key)
                    rest.append((member, hasher.finalize()))
                }
            default: break
            }
        }
        return sum
    }
}

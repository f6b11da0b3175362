import ModelMirrorFoundation

/// A number of any type, for rules.
enum RuleNumber {
    case integer(Int)
    case double(Double)
    case decimal(Decimal)

    /// Reads the values of a type; nil if it is not numeric.
    static func reading(_ type: Any.Type) -> (@Sendable (Any) -> RuleNumber)? {
        let type = RuleForm.unwrapped(type)
        if type == Int.self { return { .integer($0 as? Int ?? 0) } }
        if type == Double.self { return { .double($0 as? Double ?? .nan) } }
        if type == Decimal.self { return { .decimal($0 as? Decimal ?? .nan) } }
        if type == JSONNumber.self {
            return { value in
                guard let number = value as? JSONNumber else { return .double(.nan) }
                return number.decimal.map { .decimal($0) } ?? .double(Limit(number).double)
            }
        }
        if type is any BinaryInteger.Type {
            return { value in
                guard let integer = value as? any BinaryInteger else { return .double(.nan) }
                return Int(exactly: integer).map { .integer($0) } ?? .decimal(JSONNumber(integer).decimal ?? .nan)
            }
        }
        // By its shortest text, as it is written: the Float 0.1 is not the Double 0.1.
        if type == Float.self {
            return { value in
                let float = value as? Float ?? .nan
                return JSONNumber(float)?.decimal.map { .decimal($0) } ?? .double(Double(float))
            }
        }
        guard type is any BinaryFloatingPoint.Type else { return nil }
        return { value in (value as? any BinaryFloatingPoint).map { .double(Double($0)) } ?? .double(.nan) }
    }

    /// A bound as a number of every type, made once.
    struct Limit: Sendable {
        let integer: Int?
        let double: Double
        let decimal: Decimal

        init(_ number: JSONNumber) {
            integer = number.int
            double = number.double ?? (number.text.utf8.first == UInt8(ascii: "-") ? -.infinity : .infinity)
            decimal = number.decimal ?? .nan
        }
    }

    /// -1, 0 or 1 for a number below, at or above a limit; nil for NaN.
    func order(to limit: Limit) -> Int? {
        func order<Value: Comparable>(_ value: Value, _ bound: Value) -> Int? {
            value < bound ? -1 : value > bound ? 1 : value == bound ? 0 : nil
        }
        return switch self {
        case .integer(let value):
            // By decimal digits, since a Double has fewer than an integer.
            limit.integer.map { order(value, $0) } ?? RuleNumber.decimal(Decimal(value)).order(to: limit)
        case .double(let value): order(value, limit.double)
        case .decimal(let value) where value.isNaN: nil
        case .decimal(let value):
            limit.decimal.isNaN ? order(JSONNumber(value)?.double ?? .nan, limit.double) : order(value, limit.decimal)
        }
    }

    /// Whether the number is a multiple of another, by their decimal digits.
    func isMultiple(of divisor: JSONNumber) -> Bool {
        let number: JSONNumber? =
            switch self {
            case .integer(let value): JSONNumber(value)
            case .double(let value): JSONNumber(value)
            case .decimal(let value): JSONNumber(value)
            }
        return number?.isMultiple(of: divisor) ?? false
    }
}

extension JSONNumber {
    /// Whether the number is a multiple of another, exactly.
    fileprivate func isMultiple(of divisor: JSONNumber) -> Bool {
        let (own, other) = (canonical, divisor.canonical)
        if own.digits.isEmpty { return true }
        guard !other.digits.isEmpty, other.digits.count <= 30 else { return false }
        func number(_ digits: [UInt8]) -> UInt128 { digits.reduce(0) { $0 * 10 + UInt128($1 - UInt8(ascii: "0")) } }
        // The last digit of a number is not 0, so that a multiple ends no further to the left than its divisor.
        let shift = own.exponent - other.exponent
        guard shift >= 0 else { return false }
        let modulus = number(other.digits)
        var rest: UInt128 = 0
        for digit in own.digits { rest = (rest * 10 + UInt128(digit - UInt8(ascii: "0"))) % modulus }
        for _ in 0..<shift where rest != 0 { rest = rest * 10 % modulus }
        return rest == 0
    }
}

extension JSONValue {
    /// A plain value, an array or a dictionary of them as JSON; nil if it has no such form.
    static func bound(_ value: Any) -> JSONValue? {
        switch value {
        case let value as JSONValue: return value
        case let value as any OptionalType where value.isNone: return .null
        case let value as any StringProtocol: return .string(String(value))
        case let value as Character: return .string(String(value))
        case let value as Bool where type(of: value as Any) == Bool.self: return .bool(value)
        case let value as any BinaryInteger: return .number(JSONNumber(value))
        case let value as Double: return JSONNumber(value).map { .number($0) }
        case let value as Float: return JSONNumber(value).map { .number($0) }
        case let value as Decimal: return JSONNumber(value).map { .number($0) }
        case let value as JSONNumber: return .number(value)
        case let value as Date: return .string(ISO8601Date.text(value) ?? "\(value)")
        case let value as any RawRepresentable: return bound(value.rawValue)
        case let values as [Any]:
            let elements = values.compactMap(bound)
            return elements.count == values.count ? .array(elements) : nil
        case let values as [String: Any]:
            let members = values.compactMapValues(bound)
            return members.count == values.count ? .object(members) : nil
        default: return nil
        }
    }
}

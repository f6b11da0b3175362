import ModelMirrorFoundation

/// A number of any type, for rules.
enum RuleNumber {
    case integer(Int)
    case double(Double)
    /// By all its digits.
    case exact(JSONNumber)

    /// Reads the values of a type; nil if it is not numeric.
    static func reading(_ type: Any.Type) -> (@Sendable (Any) -> RuleNumber)? {
        let type = RuleForm.unwrapped(type)
        @Sendable func exact(_ number: JSONNumber?) -> RuleNumber? { number.map { .exact($0) } }
        if type == Int.self { return { .integer($0 as? Int ?? 0) } }
        if type == Double.self { return { .double($0 as? Double ?? .nan) } }
        if type == Decimal.self { return { exact(($0 as? Decimal).flatMap { JSONNumber($0) }) ?? .double(.nan) } }
        if type == JSONNumber.self { return { exact($0 as? JSONNumber) ?? .double(.nan) } }
        if type is any BinaryInteger.Type {
            return { value in
                guard let integer = value as? any BinaryInteger else { return .double(.nan) }
                return Int(exactly: integer).map { .integer($0) } ?? .exact(JSONNumber(integer))
            }
        }
        guard type is any BinaryFloatingPoint.Type else { return nil }
        return { .double(($0 as? any BinaryFloatingPoint)?.asWritten ?? .nan) }
    }

    /// A bound as a number of every type, made once.
    struct Limit: Sendable {
        let integer: Int?
        let double: Double
        let exact: ExactDigits

        init(_ number: JSONNumber) {
            integer = number.int
            double = number.double ?? (number.text.utf8.first == UInt8(ascii: "-") ? -.infinity : .infinity)
            exact = number.canonical
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
            limit.integer.map { order(value, $0) } ?? JSONNumber(value).canonical.order(to: limit.exact)
        case .double(let value): order(value, limit.double)
        case .exact(let value): value.canonical.order(to: limit.exact)
        }
    }

    /// Whether the number is a multiple of another, by their decimal digits.
    func isMultiple(of divisor: JSONNumber) -> Bool {
        switch self {
        case .integer(let value): JSONNumber(value).isMultiple(of: divisor)
        case .double(let value): JSONNumber(value)?.isMultiple(of: divisor) ?? false
        case .exact(let value): value.isMultiple(of: divisor)
        }
    }
}

extension JSONNumber {
    /// Whether the number is a multiple of another, exactly.
    fileprivate func isMultiple(of divisor: JSONNumber) -> Bool {
        let (own, other) = (canonical, divisor.canonical)
        if own.digits.isEmpty { return true }
        // Ten times as much has to fit in 128 bits.
        guard !other.digits.isEmpty, other.digits.count <= 37 else { return false }
        func number(_ digits: [UInt8]) -> UInt128 { digits.reduce(0) { $0 * 10 + UInt128($1 - UInt8(ascii: "0")) } }
        // The last digit of a number is not 0, so that a multiple ends no further to the left than its divisor.
        let shift = own.exponent - other.exponent
        guard shift >= 0 else { return false }
        let modulus = number(other.digits)
        var rest: UInt128 = 0
        for digit in own.digits { rest = (rest * 10 + UInt128(digit - UInt8(ascii: "0"))) % modulus }
        // A power of ten contributes twos and fives alone, of which a divisor of 37 digits has no more than 122.
        for _ in 0..<min(shift, 122) where rest != 0 { rest = rest * 10 % modulus }
        return rest == 0
    }
}

extension ExactDigits {
    /// -1, 0 or 1 for a number below, at or above another.
    fileprivate func order(to other: ExactDigits) -> Int {
        guard self != other else { return 0 }
        let sign = isNegative ? -1 : 1
        guard !digits.isEmpty, isNegative == other.isNegative else {
            return digits.isEmpty && !other.isNegative ? -1 : sign
        }
        let (length, otherLength) = (digits.count + exponent, other.digits.count + other.exponent)
        let isSmaller =
            !other.digits.isEmpty
            && (length < otherLength || length == otherLength && digits.lexicographicallyPrecedes(other.digits))
        return isSmaller ? -sign : sign
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
        case let value as any BinaryFloatingPoint: return JSONNumber(value).map { .number($0) }
        case let value as Decimal: return JSONNumber(value).map { .number($0) }
        case let value as JSONNumber: return .number(value)
        case let value as Date:
            return .string(ISO8601Date.text(value) ?? "\(value.timeIntervalSince1970) seconds since 1970")
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

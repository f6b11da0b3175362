#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The words of ``ValidationRule``'s messages: values as in JSON, types by their JSON names.
enum ValidationWording {
    /// The kind of a type's values: "an integer", "a string", "an array".
    static func kind(of type: Any.Type) -> String {
        switch type {
        case is any StringProtocol.Type, is Character.Type: "a string"
        case is any BinaryInteger.Type: "an integer"
        case is any BinaryFloatingPoint.Type, is Decimal.Type, is JSONNumber.Type: "a number"
        case is Date.Type: "a date"
        case is Data.Type: "data"
        case is any ObjectType.Type: "an object"
        case is any Sequence.Type: "an array"
        default: "a value"
        }
    }

    /// The unit in which a collection is counted.
    static func part(of type: Any.Type) -> String {
        switch kind(of: type) {
        case "a string": "character"
        case "an object": "member"
        case "data": "byte"
        default: "element"
        }
    }

    static func text(_ value: Any) -> String {
        switch value {
        case let value as JSONValue: value.compactText
        case let value as any StringProtocol: String(value).quotedForMessage
        case let value as Character: String(value).quotedForMessage
        case let value as Double: JSONNumber(value)?.text ?? "\(value)"
        case let value as Float: JSONNumber(value)?.text ?? "\(value)"
        case let value as Date: ISO8601Date.text(value) ?? "\(value)"
        case let value as any RawRepresentable: text(value.rawValue)
        default: "\(value)"
        }
    }

    /// A range of values: "from 0 to 150", "from 0 on", "up to 150", "below 150".
    static func range<Bound: Comparable>(_ range: some RangeExpression<Bound>) -> String {
        let below = Bound.self == Date.self ? "before" : "below"
        return switch range {
        case let range as ClosedRange<Bound>: "from \(text(range.lowerBound)) to \(text(range.upperBound))"
        case let range as Range<Bound>: "from \(text(range.lowerBound)) to \(below) \(text(range.upperBound))"
        case let range as PartialRangeFrom<Bound>: "from \(text(range.lowerBound)) on"
        case let range as PartialRangeThrough<Bound>: "up to \(text(range.upperBound))"
        case let range as PartialRangeUpTo<Bound>: "\(below) \(text(range.upperBound))"
        default: "in \(range)"
        }
    }

    /// A range of counts: "1 to 10 characters", "at least 1 element", "3 members".
    static func count(_ range: some RangeExpression<Int>, of part: String) -> String {
        func parts(_ number: Int) -> String { number == 1 ? "1 \(part)" : "\(number) \(part)s" }
        return switch range {
        case let range as ClosedRange<Int> where range.lowerBound == range.upperBound: parts(range.upperBound)
        case let range as ClosedRange<Int>: "\(range.lowerBound) to \(range.upperBound) \(part)s"
        case let range as Range<Int> where !range.isEmpty: count(range.lowerBound...(range.upperBound - 1), of: part)
        case let range as PartialRangeFrom<Int>: "at least \(parts(range.lowerBound))"
        case let range as PartialRangeThrough<Int>: "at most \(parts(range.upperBound))"
        case let range as PartialRangeUpTo<Int>: "fewer than \(parts(range.upperBound))"
        default: "\(part)s in \(range)"
        }
    }
}

private protocol ObjectType {}

extension Dictionary: ObjectType {}

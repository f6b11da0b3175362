#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Describes a Swift value in an error: plain values by their text, others by their type.
///
/// The description of other values may run user code, be useless (`File()`), or crash the process, as that of an infinite date
/// does, alone or in an array.
package enum FoundValue {
    /// The description of a value, at most about 60 characters; `nil` for that.
    package static func text(_ value: Any) -> String {
        if (value as? any OptionalType)?.isNone == true { return "nil" }
        return plainText(value) ?? "a value of type \(type(of: value))"
    }

    /// The text of a plain value, at most about 60 characters; nil for others.
    static func plainText(_ value: Any) -> String? {
        switch value {
        case let optional as any OptionalType where optional.wrappedValue != nil:
            return plainText(optional.wrappedValue as Any? ?? value)
        case let date as Date where !(abs(date.timeIntervalSince1970) < 1e11):
            return "the date \(date.timeIntervalSince1970) seconds since 1970"
        case is String, is Substring, is Character, is Bool, is any BinaryInteger, is any BinaryFloatingPoint,
            is Decimal, is Date, is URL, is UUID:
            let text = "\(value)"
            return text.count <= 60 ? text : String(text.prefix(60)) + "…"
        default:
            return nil
        }
    }

    /// The description of a value with its type, for values that have no JSON form.
    static func typedText(_ value: Any) -> String {
        let text = text(value)
        let type = "type \(type(of: value))"
        return text == "a value of \(type)" ? text : "\(text) of \(type)"
    }
}

/// An Optional of any type, found by a cast.
protocol OptionalType {
    static var wrappedType: Any.Type { get }
    var wrappedValue: Any? { get }
    var isNone: Bool { get }
    static var none: Self { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedValue: Any? { self }
    var isNone: Bool { self == nil }
}

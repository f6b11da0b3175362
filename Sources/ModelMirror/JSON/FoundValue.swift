#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a Swift value is spoken of in an error: as it prints itself if it is plain, else by its type.
///
/// Only plain values print themselves. The description of anything else may run a user's code, say nothing
/// (`File()`), or stop the program, as that of a date that is not finite does, alone or inside an array.
enum FoundValue {
    /// The words for a value, at most about 60 characters of it.
    static func text(_ value: Any) -> String {
        switch value {
        case let optional as any OptionalType where optional.wrappedValue != nil:
            return text(optional.wrappedValue as Any? ?? value)
        case let date as Date where !(abs(date.timeIntervalSince1970) < 1e11):
            return "the date \(date.timeIntervalSince1970) seconds since 1970"
        case is String, is Substring, is Character, is Bool, is any BinaryInteger, is any BinaryFloatingPoint,
            is Decimal, is Date, is URL, is UUID:
            let text = "\(value)"
            return text.count <= 60 ? text : String(text.prefix(60)) + "…"
        default:
            return "a value of type \(type(of: value))"
        }
    }
    /// The words for a value, with its type.
    static func typedText(_ value: Any) -> String {
        let text = text(value)
        let type = "type \(type(of: value))"
        return text == "a value of \(type)" ? text : "\(text) of \(type)"
    }
}

/// An Optional, asked for by a cast.
protocol OptionalType {
    /// The type inside.
    static var wrappedType: Any.Type { get }
    /// The value inside, if there is one.
    var wrappedValue: Any? { get }
    /// Whether there is none.
    var isNone: Bool { get }
    /// `nil` of this type.
    static var none: Self { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedValue: Any? { self }
    var isNone: Bool { self == nil }
}

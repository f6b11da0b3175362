import ModelMirrorFoundation

/// Describes a Swift value in an error: plain values by their text, others by their type.
///
/// The description of other values may run user code, be useless (`File()`), or crash the process, as that of an infinite date
/// does, alone or in an array.
package enum FoundValue {
    /// The description of a value, at most about 60 characters; `nil` for that.
    package static func text(_ value: Any) -> String {
        if (value as? any OptionalType)?.isNone == true { return "nil" }
        if let text = value as? String { return JSONReader.quoted(text) }
        return plainText(value) ?? "a value of type \(type(of: value))"
    }

    /// The text of a plain value, at most about 60 characters; nil for others.
    static func plainText(_ value: Any) -> String? {
        switch value {
        case let optional as any OptionalType where optional.wrappedValue != nil:
            plainText(optional.wrappedValue as Any? ?? value)
        // That of an infinite date would end the process; outside of the years 1 to 4000, some versions of Foundation have none.
        case let date as Date where type(of: value) == Date.self && !(-6.2e10...6.4e10 ~= date.timeIntervalSince1970):
            "the date \(date.timeIntervalSince1970) seconds since 1970"
        case _ where plainTypes.contains { $0 == type(of: value) }: "\(value)".shortened
        case is any BinaryInteger, is any BinaryFloatingPoint: "\(value)".shortened
        default: nil
        }
    }

    /// The types whose values are shown by their text, beside numbers of Swift's.
    private static let plainTypes: [Any.Type] = [
        String.self, Substring.self, Character.self, Bool.self, Decimal.self, UUID.self, URL.self, Date.self,
    ]

    /// The description of a value with its type, for values that have no JSON form.
    static func typedText(_ value: Any) -> String {
        plainText(value).map { "\($0) of type \(type(of: value))" } ?? text(value)
    }
}

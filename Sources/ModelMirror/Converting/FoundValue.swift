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
    package static func plainText(_ value: Any) -> String? {
        switch value {
        case let optional as any OptionalType where optional.wrappedValue != nil:
            plainText(optional.wrappedValue as Any? ?? value)
        case let scalar as any JSONScalar: scalar.shownText?.shortened
        case is any BinaryInteger, is any BinaryFloatingPoint: "\(value)".shortened
        default: nil
        }
    }

    /// The description of a value with its type, for values that have no JSON form.
    static func typedText(_ value: Any) -> String {
        plainText(value).map { "\($0) of type \(type(of: value))" } ?? text(value)
    }
}

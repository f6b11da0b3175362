/// Why a value failed, for programs: a keyword of JSON Schema where it has one.
///
/// ```swift
/// switch failure.code {
/// case .required: "\(failure.pointer) is missing"
/// case .maxLength: "\(failure.pointer) is too long"
/// case "even": "\(failure.pointer) is odd"                       // a rule's own code
/// default: failure.expected
/// }
/// ```
///
/// The codes of the library are the cases of ``Known``; rules, ``ModelValidation`` and ``ConversionError`` add their own. Codes and
/// their parameters do not change in minor versions; sentences may. Codes may be added.
public struct FailureCode: RawRepresentable, Hashable, Sendable, Codable, ExpressibleByStringLiteral {
    /// The code as it is written, such as `required`.
    public let rawValue: String

    /// Makes a code of a text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code of a text.
    public init(stringLiteral value: String) { rawValue = value }

    /// The codes of the library. `Docs/Errors.md` has a table of them with their parameters.
    public enum Known: String, Hashable, Sendable, CaseIterable {
        /// A value of another JSON kind; no such key or index; `null`.
        case type, required, null
        /// A text without the form of its type: a date, a URL, a UUID, base64, a color.
        case format
        /// A number that the Swift type cannot hold.
        case integerRange, numberRange
        /// A value that is not among those allowed, of several or of one.
        case `enum`, const
        /// A number outside of its bounds.
        case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
        /// A text that is too short, too long, or does not match its pattern.
        case minLength, maxLength, pattern
        /// An array with too few or too many elements, or an element twice.
        case minItems, maxItems, uniqueItems
        /// An object with too few or too many members, or a key that does not fit.
        case minProperties, maxProperties, propertyNames
        /// A key that no property takes; a key twice; a second spelling of a key.
        case additionalProperties, duplicateKey, alias
        /// A type name that is missing or unknown.
        case discriminator
        /// An object whose own values failed, and JSON in a string that failed.
        case nested, embedded
        /// A value that fits none of several alternatives.
        case anyOf
        /// A value that a converter or the type's own code rejected.
        case conversion
        /// An error that a hook or a converter threw.
        case thrown
        /// A limit on the nesting, on the size in bytes, and by the thread's stack.
        case depth, size, stack
        /// A text that is not JSON.
        case syntax
        /// While writing: an infinite number or NaN, an object inside of itself, a value without a JSON form, a date without one.
        case notFinite, cycle, notWritable, dateRange
        /// A rule that has no code of its own.
        case rule
    }

    /// The code of a case.
    public init(_ known: Known) { rawValue = known.rawValue }

    /// Whether the code is a case of the library's.
    public static func == (code: FailureCode, known: Known) -> Bool { code.rawValue == known.rawValue }

    /// Whether the code is a case of the library's, for `switch`.
    public static func ~= (known: Known, code: FailureCode) -> Bool { code.rawValue == known.rawValue }
}

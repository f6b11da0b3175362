/// JSON from Swift literals.
///
/// ```swift
/// let gist: JSONValue = ["id": "1", "public": true, "comments": 3, "score": 0.5, "owner": nil, "tags": ["a", "b"]]
/// ```
///
/// The last of duplicate keys wins. Use `JSONValue(count)` for a variable, and ``init(any:)`` for a value of any type.
///
/// `nil` means `null` where a `JSONValue` is expected, and no value where an Optional is: `value["owner"] = nil` removes the
/// member. (In `value["owner"] = isKnown ? owner : nil` a `JSONValue` is expected: write `.none`.)
extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An integer.
    public init(integerLiteral value: Int128) { self = .number(JSONNumber(integerLiteral: value)) }
    /// A number with a fraction or an exponent; see ``JSONNumber/init(floatLiteral:)``.
    public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}

/// JSON from variables.
///
/// ```swift
/// let value: JSONValue = ["page": JSONValue(page), "q": JSONValue(text), "exact": JSONValue(isExact)]
/// ```
///
/// Literals need no call; ``init(any:)`` takes values whose type is known only at run time.
extension JSONValue {
    /// A string; `null` for nil.
    public init(_ value: String?) { self = value.map { .string($0) } ?? .null }

    /// `true` or `false`; `null` for nil.
    public init(_ value: Bool?) { self = value.map { .bool($0) } ?? .null }

    /// An integer; `null` for nil.
    public init(_ value: (some BinaryInteger)?) { self = value.map { .number(JSONNumber($0)) } ?? .null }

    /// The shortest number that reads back as the same `Double`; `null` for nil.
    ///
    /// - Returns: nil for infinities and NaN, which JSON cannot hold.
    public init?(_ value: Double?) {
        guard let value else {
            self = .null
            return
        }
        guard let number = JSONNumber(value) else { return nil }
        self = .number(number)
    }
}

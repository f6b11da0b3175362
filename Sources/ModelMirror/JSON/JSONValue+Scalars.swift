/// Variables as JSON.
///
/// ```swift
/// let parameters: ParameterList = ["page": JSONValue(page), "q": JSONValue(text), "since": JSONValue(since)]
/// ```
///
/// Where Swift literals need nothing, ``JSONValue``'s literals say it already; ``init(any:)`` takes what is only known when
/// the program runs.
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

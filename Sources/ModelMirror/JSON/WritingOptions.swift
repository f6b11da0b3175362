/// How JSON is written.
///
/// ```swift
/// let data = try gist.jsonData(options: [.pretty, .sortedKeys])
/// ```
///
/// Without options: compact, keys in the order of the declarations, superclass first, nil left out, slashes as they are.
/// Members of dictionaries are always sorted by key, so that equal objects give equal bytes.
public struct WritingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Lines and an indentation of two spaces a level.
    public static let pretty = WritingOptions(rawValue: 1 << 0)
    /// Keys sorted by their UTF-8 bytes instead of in declared order.
    public static let sortedKeys = WritingOptions(rawValue: 1 << 1)
    /// Properties that are nil are written as `null` instead of being left out.
    public static let nulls = WritingOptions(rawValue: 1 << 2)
    /// `/` is written as `\/`, so that the text may stand in an HTML script element.
    public static let escapedSlashes = WritingOptions(rawValue: 1 << 3)
    /// A required property that is nil is a failure.
    public static let strict = WritingOptions(rawValue: 1 << 4)
}

/// The strings that stand for infinities and NaN, which JSON numbers cannot hold.
///
/// ```swift
/// override class var mappingOptions: MappingOptions { MappingOptions(nonFiniteNumbers: .strings) }
/// // {"ratio": "NaN"} is read and written; other strings follow the usual rules
/// ```
public struct NonFiniteNumbers: Hashable, Sendable {
    /// The string for positive infinity.
    public var infinity: String
    /// The string for negative infinity.
    public var negativeInfinity: String
    /// The string for NaN.
    public var nan: String

    /// Makes a rule from three strings.
    public init(infinity: String = "Infinity", negativeInfinity: String = "-Infinity", nan: String = "NaN") {
        self.infinity = infinity
        self.negativeInfinity = negativeInfinity
        self.nan = nan
    }

    /// `Infinity`, `-Infinity` and `NaN`.
    public static let strings = NonFiniteNumbers()

    /// The number that a string stands for.
    func value<Value: BinaryFloatingPoint>(_ text: String) -> Value? {
        switch text {
        case infinity: .infinity
        case negativeInfinity: -.infinity
        case nan: .nan
        default: nil
        }
    }

    /// The string for a number; nil for a finite one.
    func text(_ value: some BinaryFloatingPoint) -> String? {
        if value.isNaN { return nan }
        return value.isInfinite ? value.sign == .minus ? negativeInfinity : infinity : nil
    }
}

/// Numbers written as Swift literals.
///
/// ```swift
/// let count: JSONNumber = 18446744073709551616
/// let ratio: JSONNumber = 0.1
/// let exact = JSONNumber("0.1000000000000000055511151231257827")      // digits beyond Double's: from text
/// ```
extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// An integer.
    public init(integerLiteral value: Int128) { self.init(value) }

    /// The shortest number that reads back as the same `Double`.
    ///
    /// A literal beyond the range of `Double`, of which the compiler warns, becomes ±1e309, which no `Double` holds
    /// either.
    public init(floatLiteral value: Double) {
        // No literal is NaN.
        self = JSONNumber(value) ?? JSONNumber(checked: value.isNaN ? "0" : value < 0 ? "-1e309" : "1e309")
    }
}

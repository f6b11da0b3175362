/// Numbers as zero-padded decimal digits, for the date writers.
enum DecimalDigits {
    /// Appends a number in at least `width` digits, with zeros in front.
    ///
    /// ```swift
    /// var text: [UInt8] = []
    /// DecimalDigits.append(7, width: 2, to: &text)  // "07"
    /// ```
    ///
    /// - Parameters:
    ///   - value: 0 or more.
    ///   - width: 1...9; a number with more digits is written in full.
    static func append(_ value: Int, width: Int, to output: inout some RangeReplaceableCollection<UInt8>) {
        var divisor = 1
        for _ in 1..<width { divisor *= 10 }
        while value / divisor > 9 { divisor *= 10 }
        while divisor > 0 {
            output.append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}

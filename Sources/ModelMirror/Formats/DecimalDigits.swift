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
    ///   - value: 0...999,999,999.
    ///   - width: 1...9; a number with more digits is written in full.
    static func append(_ value: Int, width: Int, to output: inout some RangeReplaceableCollection<UInt8>) {
        var rest = UInt32(truncatingIfNeeded: value)
        // Months, days and times are most of what is written; without the loop a date takes half the time.
        if width == 2, rest < 100 {
            output.append(digit(rest / 10))
            output.append(digit(rest % 10))
            return
        }
        // The digits come last one first; nine of them fit into one word, four bits each.
        var digits: UInt64 = 0
        var count: UInt64 = 0
        repeat {
            digits |= UInt64(rest % 10) &<< (4 &* count)
            rest /= 10
            count &+= 1
        } while rest > 0 || count < width
        while count > 0 {
            count &-= 1
            output.append(digit(UInt32(truncatingIfNeeded: digits &>> (4 &* count) & 0xF)))
        }
    }

    private static func digit(_ value: UInt32) -> UInt8 {
        UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value)
    }
}

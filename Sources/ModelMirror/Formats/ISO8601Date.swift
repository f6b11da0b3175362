import ModelMirrorFoundation

/// Dates in the forms of RFC 3339 and ISO 8601, the most common ones in JSON.
///
/// | Part | Forms |
/// |---|---|
/// | date | `2016-01-23`, or basic `20160123` |
/// | separator | `T`, `t`, or a space (RFC 3339 section 5.6, note) |
/// | time | `18:30:00`, `18:30`; after a basic date `183000`, `1830` |
/// | fraction, after seconds only | `.` or `,` and 1 to 9 digits |
/// | offset | `Z`, `z`, `+01:00`, `+0100`, `+01`, or none, which is UTC |
///
/// A date alone is midnight UTC, and has no offset. Basic and extended forms are not mixed, except in the offset. Years are
/// 0000...9999; 24:00, week dates, ordinal dates, and text before or after the date are refused.
enum ISO8601Date {
    /// The instant in a text.
    ///
    /// ```swift
    /// ISO8601Date.parse(Array("2016-01-23T18:30:00Z".utf8))       // 1453573800 seconds since 1970
    /// ISO8601Date.parse(Array("2016-01-23 19:30:00.5+01".utf8))   // half a second later
    /// ISO8601Date.parse(Array("2016-02-30".utf8))                 // nil
    /// ```
    ///
    /// - Returns: `nil` if the text is in none of these forms, or contains a day or time that does not exist.
    static func parse(_ bytes: some ByteString) -> Date? { parseUsualForm(bytes) ?? parseAnyForm(bytes) }

    /// Reads only `2016-01-23T18:30:00Z`, by far the most common form: 20 bytes at fixed places, without a loop or a branch per
    /// digit, in three quarters of the time of ``parseAnyForm(_:)`` (18 against 24 ns).
    private static func parseUsualForm(_ bytes: some ByteString) -> Date? {
        let start = bytes.startIndex
        guard bytes.endIndex - start == 20,
            bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            bytes[start + 10] == UInt8(ascii: "T"), bytes[start + 13] == UInt8(ascii: ":"),
            bytes[start + 16] == UInt8(ascii: ":"), bytes[start + 19] == UInt8(ascii: "Z")
        else { return nil }
        var flaw: UInt8 = 0
        func twoDigits(_ offset: Int) -> Int {
            let tens = bytes[start + offset] &- 0x30
            let ones = bytes[start + offset + 1] &- 0x30
            // For 0...9 neither the value nor the value plus 6 reaches the upper half of the byte; for others one of them does.
            flaw |= tens | (tens &+ 6) | ones | (ones &+ 6)
            return Int(tens) &* 10 &+ Int(ones)
        }
        let civil = CivilDate(
            year: twoDigits(0) &* 100 &+ twoDigits(2), month: twoDigits(5), day: twoDigits(8), hour: twoDigits(11),
            minute: twoDigits(14), second: twoDigits(17))
        return flaw < 0x10 ? civil?.date : nil
    }

    private static func parseAnyForm(_ bytes: some ByteString) -> Date? {
        var cursor = ASCIICursor(bytes)
        guard let year = cursor.digits(4) else { return nil }
        let isExtended = cursor.skip("-")
        guard let month = cursor.digits(2), cursor.skip("-") == isExtended, let day = cursor.digits(2) else {
            return nil
        }
        if cursor.isAtEnd { return CivilDate(year: year, month: month, day: day)?.date }
        guard cursor.skip("T") || cursor.skip("t") || cursor.skip(" "),
            let hour = cursor.digits(2), cursor.skip(":") == isExtended, let minute = cursor.digits(2)
        else { return nil }
        let hasSecond = isExtended ? cursor.skip(":") : cursor.next.map { $0 &- 0x30 < 10 } == true
        guard let second = hasSecond ? cursor.digits(2) : 0,
            let nanosecond = hasSecond && (cursor.skip(".") || cursor.skip(","))
                ? cursor.digits(1...9).map({ $0 * CivilDate.nanosecondsPerStep(fractionDigits: $1) }) : 0,
            let offsetSeconds = cursor.isAtEnd ? 0 : UTCOffset.read(&cursor), cursor.isAtEnd
        else { return nil }
        return CivilDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, nanosecond: nanosecond,
            offsetSeconds: offsetSeconds)?.date
    }

    /// The date in UTC in the form of RFC 3339, with the fewest fraction digits that read back as the same date, and none for
    /// whole seconds.
    ///
    /// ```swift
    /// ISO8601Date.text(Date(timeIntervalSince1970: 1_453_573_800))  // "2016-01-23T18:30:00Z"
    /// ISO8601Date.text(Date(timeIntervalSince1970: 0.25))           // "1970-01-01T00:00:00.25Z"
    /// ```
    ///
    /// Nine digits are enough for every date except those within a few months of 2001-01-01T00:00:00Z, where `Date` resolves
    /// less than a nanosecond; these are rounded.
    ///
    /// A date less than a day before or after the years 0...9999 is written with an offset that moves it into them.
    ///
    /// - Returns: `nil` if the date is outside the years 0...9999 at every offset or not finite; RFC 3339 has no form for it.
    static func text(_ date: Date) -> String? {
        let digits = CivilDate.fractionDigits(of: date)
        if let civil = CivilDate(date, fractionDigits: digits) { return text(civil, "Z") }
        // The local time at an offset of almost a day, ahead or behind.
        let isBefore = date.timeIntervalSince1970 < 0
        let civil = CivilDate(date + (isBefore ? 86_340 : -86_340), fractionDigits: digits)
        return civil.map { text($0, isBefore ? "+23:59" : "-23:59") }
    }

    private static func text(_ civil: CivilDate, _ offset: String) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(30)
        DecimalDigits.append(civil.year, width: 4, to: &text)
        append("-", civil.month, to: &text)
        append("-", civil.day, to: &text)
        append("T", civil.hour, to: &text)
        append(":", civil.minute, to: &text)
        append(":", civil.second, to: &text)
        if civil.nanosecond > 0 {
            var fraction = civil.nanosecond
            var digits = 9
            while fraction % 10 == 0 {
                fraction /= 10
                digits -= 1
            }
            append(".", fraction, width: digits, to: &text)
        }
        text += offset.utf8
        return String(decoding: text, as: UTF8.self)
    }

    @inline(__always)
    private static func append(_ separator: Unicode.Scalar, _ value: Int, width: Int = 2, to text: inout [UInt8]) {
        text.append(UInt8(ascii: separator))
        DecimalDigits.append(value, width: width, to: &text)
    }
}

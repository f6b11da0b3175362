/// One step of a compiled ``DatePattern``: what is read or written at this place.
///
/// A trivial value on purpose, one byte of text per literal: going through a pattern counts no references.
enum DatePatternField: Equatable, Sendable {
    /// This byte of text.
    case literal(UInt8)
    /// Digits with a meaning of their own; `minimum` to `maximum` of them are read, `width` written.
    case number(Number, minimum: Int, maximum: Int, width: Int)
    /// `yy`: two digits, 50...99 for 1950...1999 and 00...49 for 2000...2049.
    case twoDigitYear
    /// `S`: digits after the decimal point; `minimum` to `maximum` are read, `width` written.
    case fraction(minimum: Int, maximum: Int, width: Int)
    /// `MMM` (abbreviated) or `MMMM`; either is read.
    case monthName(abbreviated: Bool)
    /// `E` to `EEE` (abbreviated) or `EEEE`; either is read.
    case weekdayName(abbreviated: Bool)
    /// `a`: AM or PM.
    case dayPeriod
    /// `Z`, `X`, `x`, `z`; read alike, written so. `mayFollowSpace`: one space before it is read over, for Apic's
    /// default pattern has none and took texts that do.
    case offset(utc: OffsetStyle, mayFollowSpace: Bool)

    /// What a number counts.
    enum Number: Equatable, Sendable {
        /// `y`, `u`: 0...9999. Two digits in a field that takes fewer than four are a two-digit year.
        case year
        /// `M`, `L`: 1...12.
        case month
        /// `d`: 1...31.
        case day
        /// `D`: 1...366.
        case dayOfYear
        /// `H`: 0...23.
        case hour
        /// `k`: 1...24, where 24 is midnight at the day's beginning.
        case hourFrom1
        /// `h`: 1...12, where 12 is midnight or noon.
        case halfDayHour
        /// `K`: 0...11.
        case halfDayHourFrom0
        /// `m`: 0...59.
        case minute
        /// `s`: 0...59, 60 for a leap second.
        case second
    }

    /// How UTC, the only offset that is written, looks.
    enum OffsetStyle: String, Sendable {
        /// `Z` to `ZZZ`, `xx`, `xxxx`.
        case basic = "+0000"
        /// `xxx`, `xxxxx`.
        case extended = "+00:00"
        /// `x`.
        case hours = "+00"
        /// `X` to `XXXXX`, `ZZZZZ`.
        case letter = "Z"
        /// `z` to `zzz`, `ZZZZ`.
        case name = "GMT"
    }
}

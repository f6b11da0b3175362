/// A date format in the pattern language of `DateFormatter`, compiled once and used from any thread.
///
/// ```swift
/// let pattern = try DatePattern("y-MM-dd HH:mm:ssZ")
/// pattern.parse(Array("2016-01-23 18:30:00Z".utf8))            // 1453573800 seconds since 1970
/// pattern.parse(Array("2016-13-23 18:30:00Z".utf8))            // nil
/// pattern.text(Date(timeIntervalSince1970: 1_453_573_800))     // "2016-01-23 18:30:00+0000"
/// ```
///
/// The language is Unicode TR 35 (part 4, Date Format Patterns) with its numeric fields and English names, as in the locale
/// `en_US_POSIX`:
///
/// | Letters | Reads | Writes |
/// |---|---|---|
/// | `y` `u` | 1 to 4 digits; exactly two are 1950...2049 | at least four digits |
/// | `yyyy` `uuuu` | 4 digits | 4 digits |
/// | `yy` | 2 digits, 1950...2049 | 2 digits |
/// | `M` `MM` `L` `LL` | 1 or 2 digits | 1, 2 digits at least |
/// | `MMM` `MMMM` `LLL` `LLLL` | `Jan` or `January`, any case | `Jan`, `January` |
/// | `d` `dd`, `H` `HH` (0...23), `k` `kk` (1...24), `m` `mm`, `s` `ss` | 1 or 2 digits | 1, 2 digits at least |
/// | `h` `hh` (1...12), `K` `KK` (0...11), with `a` | 1 or 2 digits | 1, 2 digits at least |
/// | `D` `DDD` (1...366) | 1 to 3 digits | 1, 3 digits at least |
/// | `S` … `SSSSSSSSS` | 1 to 9 digits of a fraction | as many digits as letters, rounded |
/// | `E` `EE` `EEE` `EEEE` | `Sat` or `Saturday`, any case | `Sat`, `Saturday` |
/// | `a` | `AM` or `PM`, any case | `AM`, `PM` |
/// | `Z` … `ZZZZZ`, `X` … `XXXXX`, `x` … `xxxxx`, `z` `zz` `zzz` | an offset, see below | UTC: `+0000`, `GMT`, `Z`, … |
/// | `'text'`, `''`, anything except ASCII letters | itself | itself |
///
/// An offset is `Z`, `+01`, `+0100`, `+01:00`, `GMT`, `UTC` or `GMT+01:00`, for every offset letter, and may follow one space.
/// It is written as `+0000` (`Z` to `ZZZ`, `xx`, `xxxx`), `+00:00` (`xxx`, `xxxxx`), `+00` (`x`), `Z` (`X` to `XXXXX`, `ZZZZZ`)
/// or `GMT` (`z` to `zzz`, `ZZZZ`).
///
/// Adjacent numbers without text in between, as in `yyyyMMdd`, have as many digits as letters (`y` and `u`: four). Only the
/// last of them may be a single letter other than `y`, `u` and `S`.
///
/// Missing fields default to 2000-01-01 00:00:00, a missing offset to UTC, whatever the machine's time zone. Redundant fields
/// must agree: `Mon, 23 Jan 2016`, a Saturday, is refused.
struct DatePattern: Sendable {
    let pattern: String
    /// The compiled steps, in order.
    let fields: [DatePatternField]
    /// The number of fraction digits that are written, 0...9.
    let fractionDigits: Int

    /// Compiles a pattern.
    ///
    /// - Throws: ``DatePatternError`` with letter and position, for an unknown letter, a width that is unsupported or cannot be
    ///   read back, hours of a half day without `a`, and an open quote.
    init(_ pattern: String) throws(DatePatternError) {
        self.pattern = pattern
        fields = try Self.compile(pattern)
        let widths = fields.map { if case .number(.fraction, _, let width) = $0 { width } else { 0 } }
        fractionDigits = widths.max() ?? 0
    }
}

/// One step of a compiled ``DatePattern``.
///
/// A trivial type, one byte of text per literal, so that using a pattern does not count references.
enum DatePatternField: Sendable {
    /// One byte of text.
    case literal(UInt8)
    /// A number, with the numbers of digits that are read; `width` are written.
    case number(Number, digits: ClosedRange<Int>, width: Int)
    /// `MMM` (abbreviated) or `MMMM`; either is read.
    case monthName(abbreviated: Bool)
    /// `E` to `EEE` (abbreviated) or `EEEE`; either is read.
    case weekdayName(abbreviated: Bool)
    /// `a`: AM or PM.
    case dayPeriod
    /// `Z`, `X`, `x`, `z`: read alike, written differently. `utc`: the notation of UTC, the only offset that is written.
    /// `mayFollowSpace`: one space before it is skipped, because Apic accepted such texts for its default pattern, which has no space
    /// there.
    case offset(utc: StaticString, mayFollowSpace: Bool)

    /// The meaning of a number. Those with one or two digits are found by their letter; the others have a longer raw value, so that
    /// `DD` is refused.
    enum Number: String, Sendable {
        /// `y`, `u`: 0...9999. Two digits are 50...99 for 1950...1999 and 00...49 for 2000...2049, the default of `DateFormatter`.
        case year = "y"
        /// Also `L`: 1...12.
        case month = "M"
        /// 1...31.
        case day = "d"
        /// 1...366.
        case dayOfYear = "DDD"
        /// 0...23.
        case hour = "H"
        /// 1...24, where 24 is midnight at the beginning of the day.
        case hourFrom1 = "k"
        /// 1...12, where 12 is midnight or noon.
        case halfDayHour = "h"
        /// 0...11.
        case halfDayHourFrom0 = "K"
        /// 0...59.
        case minute = "m"
        /// 0...59, 60 for a leap second.
        case second = "s"
        /// Digits after the decimal point.
        case fraction = "SSS"
    }
}

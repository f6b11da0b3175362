#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A date format in the pattern language that `DateFormatter` has, compiled once and then used from any thread.
///
/// ```swift
/// let pattern = try DatePattern("y-MM-dd HH:mm:ssZ")
/// pattern.parse(Array("2016-01-23 18:30:00Z".utf8))            // 1453573800 seconds since 1970
/// pattern.parse(Array("2016-13-23 18:30:00Z".utf8))            // nil
/// pattern.text(Date(timeIntervalSince1970: 1_453_573_800))     // "2016-01-23 18:30:00+0000"
/// ```
///
/// The language is that of Unicode TR 35 (part 4, Date Format Patterns), its numeric fields and English names, as in
/// the locale `en_US_POSIX`:
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
/// | `'text'`, `''`, anything that is no ASCII letter | itself | itself |
///
/// An offset is `Z`, `+01`, `+0100`, `+01:00`, `GMT`, `UTC` or `GMT+01:00`, whichever letter stands there, and may have
/// one space before it. Written are `+0000` (`Z` to `ZZZ`, `xx`, `xxxx`), `+00:00` (`xxx`, `xxxxx`), `+00` (`x`), `Z`
/// (`X` to `XXXXX`, `ZZZZZ`) and `GMT` (`z` to `zzz`, `ZZZZ`).
///
/// Numbers that follow each other without text between them, as in `yyyyMMdd`, have as many digits as letters (`y`
/// and `u`: four). Only the last of them may be a single letter other than `y`, `u` and `S`.
///
/// What a pattern leaves out is that of 2000-01-01 00:00:00, and a text without an offset is in UTC, whatever zone
/// the machine is in. Fields that say the same thing must agree: `Mon, 23 Jan 2016`, a Saturday, is refused.
struct DatePattern: Sendable {
    /// The pattern as it was given.
    let pattern: String
    /// What it was compiled to, in order.
    let fields: [DatePatternField]
    /// How many digits of the fraction of a second are written, 0...9.
    let fractionDigits: Int

    /// Compiles a pattern.
    ///
    /// - Throws: ``DatePatternError``, which names the letter and its position, for a letter that is no field, for
    ///   widths that have no meaning or cannot be read back, for hours of half a day without `a`, for an open quote.
    init(_ pattern: String) throws(DatePatternError) {
        self.pattern = pattern
        fields = try Self.compile(pattern)
        fractionDigits =
            fields.map { field in
                if case .fraction(_, _, let width) = field { width } else { 0 }
            }.max() ?? 0
    }
}

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

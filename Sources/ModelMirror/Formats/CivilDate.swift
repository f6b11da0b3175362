import ModelMirrorFoundation

/// A date, a time of day and its distance from UTC, in the proleptic Gregorian calendar (the Gregorian rules applied to
/// every year).
///
/// Every date text passes through this type: a parser collects the fields, `init` refuses impossible ones, and ``date`` is the
/// instant. It uses arithmetic only, no `Calendar`, so the result is the same on every platform and takes only nanoseconds.
///
/// ```swift
/// CivilDate(year: 2016, month: 1, day: 23, hour: 18, minute: 30)?.date  // 1453573800 seconds since 1970
/// CivilDate(year: 2015, month: 2, day: 29)                             // nil: 2015 is not a leap year
/// ```
///
/// The range is that of RFC 3339: years 0...9999 as written. In UTC some of these dates are outside by less than a day; they can
/// be written only with an offset. So every date that was read can be written.
struct CivilDate: Equatable, Sendable {
    /// 0...9999.
    let year: Int
    /// 1...12.
    let month: Int
    /// 1...31, within the month.
    let day: Int
    /// 0...23.
    let hour: Int
    /// 0...59.
    let minute: Int
    /// 0...59, or 60 for a leap second, only at 23:59:60 UTC.
    let second: Int
    /// 0..<1,000,000,000.
    let nanosecond: Int
    /// The distance of the fields from UTC in seconds: 3600 for `+01:00`. Less than a day either way.
    let offsetSeconds: Int

    /// A date with valid fields.
    ///
    /// Any 23:59:60 UTC is accepted, because days with a leap second are known only from a changing table. `Date` counts days
    /// of 86,400 seconds, so it is the second after 23:59:59.
    ///
    /// - Returns: `nil` if a field is out of its range.
    init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
        offsetSeconds: Int = 0
    ) {
        guard 0...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.dayCount(ofMonth: month, year: year),
            0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, 0..<1_000_000_000 ~= nanosecond,
            -86_399...86_399 ~= offsetSeconds
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second, self.nanosecond) = (hour, minute, second, nanosecond)
        self.offsetSeconds = offsetSeconds
        if second == 60, secondsSince1970 % 86_400 != 0 { return nil }
    }

    /// The fields of an instant in UTC.
    ///
    /// The fraction is rounded to `fractionDigits` digits, carrying into the seconds if needed: a `Date` read from three digits
    /// differs from them by up to 0.06 microseconds either way, and truncating would turn `.123` into `.122`. With 0 digits it
    /// is truncated, because 23:59:59.9 is not the next day.
    ///
    /// - Parameter fractionDigits: 0...9; other values count as the nearest of these.
    /// - Returns: `nil` if the result is not in the years 0...9999, or the date is not finite.
    init?(_ date: Date, fractionDigits: Int) {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let wholeSeconds = Int64(exactly: whole), Self.secondsSinceReferenceDate ~= wholeSeconds else {
            return nil
        }
        let step = Self.nanosecondsPerStep(fractionDigits: fractionDigits)
        let fraction = fractionDigits > 0 ? interval - whole : 0
        let nanoseconds = Int((fraction * Double(1_000_000_000 / step)).rounded()) * step
        let seconds = wholeSeconds + Self.referenceDate + Int64(nanoseconds / 1_000_000_000)
        let days = Int(seconds / 86_400) - (seconds % 86_400 < 0 ? 1 : 0)
        let secondOfDay = Int(seconds - Int64(days) * 86_400)
        let (year, month, day) = Self.civil(fromDays: days)
        self.init(
            year: year, month: month, day: day, hour: secondOfDay / 3600, minute: secondOfDay / 60 % 60,
            second: secondOfDay % 60, nanosecond: nanoseconds % 1_000_000_000)
    }

    /// Whole seconds from 1970-01-01T00:00:00Z to the instant, negative before it, without the fraction. 64 bits, because `Int`
    /// has 32 on some watches.
    var secondsSince1970: Int64 {
        let days = Self.days(year: year, month: month, day: day)
        return Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offsetSeconds)
    }

    /// The instant, as the nearest `Date`.
    ///
    /// Computed from the seconds since 2001, which `Date` stores, not since 1970: the smaller number keeps more of the fraction,
    /// so every `Date` can be produced.
    var date: Date {
        Date(timeIntervalSinceReferenceDate: Double(secondsSince1970 - Self.referenceDate) + Double(nanosecond) / 1e9)
    }

    /// The day of the week, 1 for Sunday to 7 for Saturday as in `Calendar`.
    var weekday: Int {
        // Day 0, 1970-01-01, was a Thursday; 719,530 days are whole weeks and reach back beyond the year 0.
        (Self.days(year: year, month: month, day: day) + 719_530 + 4) % 7 + 1
    }

    /// The day of the year, 1...366.
    var dayOfYear: Int { Self.days(year: year, month: month, day: day) - Self.days(year: year, month: 1, day: 1) + 1 }
}

/// Integer arithmetic on days and fractions; every function is defined for its whole stated range.
///
/// The conversions between day numbers and civil dates are Howard Hinnant's
/// [chrono-compatible low-level date algorithms](https://howardhinnant.github.io/date_algorithms.html): the year begins in
/// March, so that the leap day is its last day and the lengths of the other months follow a pattern, and 400 years (an era,
/// 146,097 days) repeat exactly.
extension CivilDate {
    /// 2001-01-01T00:00:00Z, the origin of `Date`, in seconds since 1970.
    static let referenceDate: Int64 = 978_307_200

    /// 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds since 2001.
    static let secondsSinceReferenceDate: ClosedRange<Int64> = -63_145_526_400...252_423_993_599

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The length of a month in days; `month` is 1...12.
    static func dayCount(ofMonth month: Int, year: Int) -> Int {
        // Odd months have 31 days up to July, even ones from August on.
        month == 2 ? (isLeap(year) ? 29 : 28) : 30 + (month + month / 8) % 2
    }

    /// Days from 1970-01-01 to the given day, negative before it; the year is 0...9999, the month 1...12.
    static func days(year: Int, month: Int, day: Int) -> Int {
        // One era is added, so that the March before year 0 is not in a negative year and division needs no rounding down.
        let yearFromMarch = 400 + (month <= 2 ? year - 1 : year)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
        return yearFromMarch * 365 + leapDays + dayOfYear - 719_468 - 146_097
    }

    /// The inverse of ``days(year:month:day:)``.
    static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468 + 146_097
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + (era - 1) * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The smallest number of fraction digits, 0...9, that reads back as the same date; 9 if none does, which happens only
    /// within a few months of 2001-01-01, where `Date` resolves less than a nanosecond.
    ///
    /// ```swift
    /// CivilDate.fractionDigits(of: Date(timeIntervalSince1970: 0.5))  // 1
    /// ```
    ///
    /// - Parameter date: a finite date.
    static func fractionDigits(of date: Date) -> Int {
        let interval = date.timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        let fraction = interval - whole
        if fraction == 0 { return 0 }
        for digits in 1..<9 {
            let stepsPerSecond = Double(1_000_000_000 / nanosecondsPerStep(fractionDigits: digits))
            // The quotient equals nanoseconds over 10⁹, which `date` adds: both divisions are correctly rounded, so equality here
            // means equality when read back.
            if whole + (fraction * stepsPerSecond).rounded() / stepsPerSecond == interval { return digits }
        }
        return 9
    }

    /// The weight of the last of this many fraction digits: 1,000,000 ns for three. Clamped to 0...9 digits.
    static func nanosecondsPerStep(fractionDigits: Int) -> Int { steps[min(max(fractionDigits, 0), 9)] }

    private static let steps = [1_000_000_000, 100_000_000, 10_000_000, 1_000_000, 100_000, 10_000, 1000, 100, 10, 1]
}

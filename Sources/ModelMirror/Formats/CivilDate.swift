#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A date and a time of day as people write them, in the proleptic Gregorian calendar (the Gregorian rules
/// applied to every year), with the distance from UTC they were written in.
///
/// Every date text passes through this type: a parser collects the fields, `init` refuses what no calendar has, and
/// ``date`` is the instant. Arithmetic alone does it, no `Calendar`, so the result is the same on every platform and
/// costs nanoseconds.
///
/// ```swift
/// CivilDate(year: 2016, month: 1, day: 23, hour: 18, minute: 30)?.date  // 1453573800 seconds since 1970
/// CivilDate(year: 2015, month: 2, day: 29)                             // nil: 2015 is no leap year
/// ```
///
/// The range is the one RFC 3339 can write: years 0...9999, both as written and in UTC. So a date that was read can
/// always be written.
struct CivilDate: Equatable, Sendable {
    /// 0...9999.
    let year: Int
    /// 1...12.
    let month: Int
    /// 1...31, a day the month has.
    let day: Int
    /// 0...23.
    let hour: Int
    /// 0...59.
    let minute: Int
    /// 0...59, or 60 for a leap second, which is 23:59:60 in UTC and nothing else.
    let second: Int
    /// 0..<1,000,000,000.
    let nanosecond: Int
    /// How far the fields above are ahead of UTC, in seconds: 3600 for `+01:00`. Less than a day either way.
    let offsetSeconds: Int
    /// Whole seconds from 1970-01-01T00:00:00Z to the instant, negative before it, the fraction not counted. 64 bits,
    /// for `Int` has 32 on some watches; stored, for checking a date and converting it both need it.
    let secondsSince1970: Int64

    /// Checks the fields and keeps them.
    ///
    /// Whether a given day had a leap second is a matter of a table that changes, so any 23:59:60 UTC is taken; as
    /// `Date` counts days of 86,400 seconds, it is the second after 23:59:59.
    ///
    /// - Returns: `nil` if a field is out of its range, or the year is not 0...9999 in UTC.
    init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, nanosecond: Int = 0,
        offsetSeconds: Int = 0
    ) {
        guard 0...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.dayCount(ofMonth: month, year: year),
            0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second, 0..<1_000_000_000 ~= nanosecond,
            -86_399...86_399 ~= offsetSeconds
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.nanosecond = nanosecond
        self.offsetSeconds = offsetSeconds
        let days = Self.days(year: year, month: month, day: day)
        secondsSince1970 = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offsetSeconds)
        guard Self.secondsSince1970 ~= secondsSince1970 else { return nil }
        if second == 60, secondsSince1970 % 86_400 != 0 { return nil }
    }

    /// The fields of an instant in UTC.
    ///
    /// The fraction is rounded to the nearest of `fractionDigits` digits, carrying into the seconds where it must:
    /// a `Date` read from three digits lies up to 0.06 microseconds beside them, on either side, and cutting would
    /// turn `.123` into `.122`. With 0 digits the fraction is cut, for 23:59:59.9 is not yet the next day.
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
        var seconds = wholeSeconds + Self.referenceDate
        var nanosecond = 0
        if fractionDigits > 0 {
            let stepsPerSecond = Double(1_000_000_000 / step)
            nanosecond = Int(((interval - whole) * stepsPerSecond).rounded()) * step
            if nanosecond >= 1_000_000_000 {
                nanosecond = 0
                seconds += 1
            }
        }
        self.init(secondsSince1970: seconds, nanosecond: nanosecond)
    }

    private init?(secondsSince1970 seconds: Int64, nanosecond: Int) {
        guard Self.secondsSince1970 ~= seconds else { return nil }
        let days = Int(seconds / 86_400) - (seconds % 86_400 < 0 ? 1 : 0)
        let secondOfDay = Int(seconds - Int64(days) * 86_400)
        (year, month, day) = Self.civil(fromDays: days)
        hour = secondOfDay / 3600
        minute = secondOfDay / 60 % 60
        second = secondOfDay % 60
        self.nanosecond = nanosecond
        offsetSeconds = 0
        secondsSince1970 = seconds
    }

    /// The instant, the nearest one a `Date` can hold.
    ///
    /// The sum is formed from the whole seconds since 2001, which `Date` stores, not from those since 1970: the
    /// number is smaller, so more of the fraction survives, and every `Date` can be reached.
    var date: Date {
        Date(timeIntervalSinceReferenceDate: Double(secondsSince1970 - Self.referenceDate) + Double(nanosecond) / 1e9)
    }

    /// The day of the week, 1 for Sunday to 7 for Saturday as in `Calendar`.
    var weekday: Int {
        // Day 0, 1970-01-01, was a Thursday; 719,530 days are whole weeks and reach back beyond the year 0.
        (Self.days(year: year, month: month, day: day) + 719_530 + 4) % 7 + 1
    }

    /// The day of the year, 1...366.
    var dayOfYear: Int {
        Self.days(year: year, month: month, day: day) - Self.days(year: year, month: 1, day: 1) + 1
    }
}

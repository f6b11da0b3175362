#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The arithmetic of days and fractions, on integers; every function is total over the ranges it states.
///
/// The two conversions between a day number and a civil date are those of Howard Hinnant's
/// [chrono-compatible low-level date algorithms](https://howardhinnant.github.io/date_algorithms.html): the year
/// begins in March, so that the leap day is its last day and the months before it have a regular pattern, and 400
/// years (an era, 146,097 days) repeat exactly.
extension CivilDate {
    /// 2001-01-01T00:00:00Z, from which `Date` counts, in seconds since 1970.
    static let referenceDate: Int64 = 978_307_200

    /// 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    static let secondsSince1970: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

    /// The same two instants counted from 2001.
    static let secondsSinceReferenceDate: ClosedRange<Int64> = -63_145_526_400...252_423_993_599

    /// Whether February has 29 days.
    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The length of a month in days; `month` is 1...12.
    static func dayCount(ofMonth month: Int, year: Int) -> Int {
        // Odd months have 31 days up to July, even ones from August on.
        month == 2 ? (isLeap(year) ? 29 : 28) : 30 + (month + month / 8) % 2
    }

    /// Days from 1970-01-01 to the given day, negative before it; the year is 0...9999, the month 1...12.
    static func days(year: Int, month: Int, day: Int) -> Int {
        // One era is added, so that the March before year 0 is no negative year and division needs no rounding down.
        let yearFromMarch = 400 + (month <= 2 ? year - 1 : year)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
        return yearFromMarch * 365 + leapDays + dayOfYear - 719_468 - 146_097
    }

    /// The reverse of ``days(year:month:day:)``.
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

    /// The smallest number of fraction digits, 0...9, that reads back as the very same date; 9 if none does, which
    /// happens only within a few months of 2001-01-01, where a `Date` resolves less than a nanosecond.
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
            // Steps over steps per second is the same quotient as nanoseconds over 10⁹, which `date` adds: both
            // divisions are exact to the last bit of the result, so equal here means equal when read back.
            if whole + (fraction * stepsPerSecond).rounded() / stepsPerSecond == interval { return digits }
        }
        return 9
    }

    /// The weight of the last of so many fraction digits: 1,000,000 for three. Values outside 0...9 count as the
    /// nearest of these.
    static func nanosecondsPerStep(fractionDigits: Int) -> Int {
        switch fractionDigits {
        case ...0: 1_000_000_000
        case 1: 100_000_000
        case 2: 10_000_000
        case 3: 1_000_000
        case 4: 100_000
        case 5: 10_000
        case 6: 1000
        case 7: 100
        case 8: 10
        default: 1
        }
    }
}

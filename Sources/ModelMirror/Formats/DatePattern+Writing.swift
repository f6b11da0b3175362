#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DatePattern {
    /// The date in this pattern, in UTC.
    ///
    /// With `S` the fraction is rounded to as many digits as there are letters, so that a date read from as many
    /// digits is written as it was; without, it is cut off.
    ///
    /// - Returns: `nil` if the date is outside the years 0...9999, or not finite.
    func text(_ date: Date) -> String? {
        guard let civil = CivilDate(date, fractionDigits: fractionDigits) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(32)
        for field in fields {
            Self.write(field, of: civil, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(_ field: DatePatternField, of civil: CivilDate, to text: inout [UInt8]) {
        switch field {
        case .literal(let byte):
            text.append(byte)
        case .number(let number, _, _, let width):
            DecimalDigits.append(value(of: number, in: civil), width: width, to: &text)
        case .twoDigitYear:
            DecimalDigits.append(civil.year % 100, width: 2, to: &text)
        case .fraction(_, _, let width):
            let step = CivilDate.nanosecondsPerStep(fractionDigits: width)
            DecimalDigits.append(civil.nanosecond / step, width: width, to: &text)
        case .monthName(let isAbbreviated):
            let name = EnglishDateNames.months[civil.month - 1]
            text += isAbbreviated ? name.prefix(3) : name[...]
        case .weekdayName(let isAbbreviated):
            let name = EnglishDateNames.weekdays[civil.weekday - 1]
            text += isAbbreviated ? name.prefix(3) : name[...]
        case .dayPeriod:
            text += (civil.hour < 12 ? "AM" : "PM").utf8
        case .offset(let style, _):
            text += style.rawValue.utf8
        }
    }

    private static func value(of number: DatePatternField.Number, in civil: CivilDate) -> Int {
        switch number {
        case .year: civil.year
        case .month: civil.month
        case .day: civil.day
        case .dayOfYear: civil.dayOfYear
        case .hour: civil.hour
        case .hourFrom1: civil.hour == 0 ? 24 : civil.hour
        case .halfDayHour: civil.hour % 12 == 0 ? 12 : civil.hour % 12
        case .halfDayHourFrom0: civil.hour % 12
        case .minute: civil.minute
        case .second: civil.second
        }
    }
}

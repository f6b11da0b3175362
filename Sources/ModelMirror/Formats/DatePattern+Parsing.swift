#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DatePattern {
    /// The instant that a text states.
    ///
    /// - Returns: `nil` if the text is not exactly of this pattern (text before or after it included), if it states
    ///   a day or time that does not exist, or if its fields contradict each other.
    func parse<Bytes: RandomAccessCollection>(_ bytes: Bytes) -> Date?
    where Bytes.Element == UInt8, Bytes.Index == Int {
        var cursor = ASCIICursor(bytes)
        var values = DateFieldValues()
        for field in fields {
            guard Self.read(field, from: &cursor, into: &values) else { return nil }
        }
        return cursor.isAtEnd ? values.civilDate()?.date : nil
    }

    private static func read<Bytes>(
        _ field: DatePatternField, from cursor: inout ASCIICursor<Bytes>, into values: inout DateFieldValues
    ) -> Bool {
        switch field {
        case .literal(let byte):
            return cursor.skip(byte)
        case .number(let number, let minimum, let maximum, _):
            guard let (value, count) = cursor.digits(minimum...maximum) else { return false }
            // As DateFormatter does: whoever writes 16 in a field that takes any year means 2016.
            if number == .year, count == 2 { return values.take(twoDigitYear: value) }
            return values.take(value, for: number)
        case .twoDigitYear:
            guard let value = cursor.digits(2) else { return false }
            return values.take(twoDigitYear: value)
        case .fraction(let minimum, let maximum, _):
            guard let value = cursor.fraction(minimum...maximum) else { return false }
            return values.take(nanosecond: value)
        case .monthName:
            guard let value = EnglishDateNames.read(EnglishDateNames.months, length: .any, from: &cursor) else {
                return false
            }
            return values.take(month: value)
        case .weekdayName:
            guard let value = EnglishDateNames.read(EnglishDateNames.weekdays, length: .any, from: &cursor) else {
                return false
            }
            return values.take(weekday: value)
        case .dayPeriod:
            if cursor.skip(ignoringCase: "AM".utf8) { return values.take(dayPeriod: 0) }
            return cursor.skip(ignoringCase: "PM".utf8) && values.take(dayPeriod: 1)
        case .offset(_, let mayFollowSpace):
            if mayFollowSpace { _ = cursor.skip(" ") }
            guard let value = UTCOffset.readNamed(&cursor) else { return false }
            return values.take(offsetSeconds: value)
        }
    }
}

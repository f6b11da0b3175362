#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Dates in HTTP header fields (`Date`, `Last-Modified`, `Expires`, `Retry-After`): RFC 9110 section 5.6.7.
///
/// | Form | Example |
/// |---|---|
/// | IMF-fixdate, the current form, and the one written | `Sun, 06 Nov 1994 08:49:37 GMT` |
/// | RFC 850, obsolete | `Sunday, 06-Nov-94 08:49:37 GMT` |
/// | asctime, obsolete; a day below 10 has a space in front | `Sun Nov  6 08:49:37 1994` |
///
/// Names may be in any case. The weekday must be a valid name but need not match the date: recipients "are encouraged to
/// be robust".
package enum HTTPDate {
    /// The instant in a text in one of the three forms; whole seconds, UTC.
    ///
    /// ```swift
    /// HTTPDate.parse(Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8))  // 784111777 seconds since 1970
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: the text in UTF-8.
    ///   - now: the date that two-digit years are relative to: they mean the latest year in which the date is at most 50 years
    ///     ahead.
    /// - Returns: `nil` if the text is in none of the forms, or contains a day or time that does not exist.
    package static func parse<Bytes: RandomAccessCollection>(_ bytes: Bytes, now: Date = Date()) -> Date?
    where Bytes.Element == UInt8, Bytes.Index == Int {
        var cursor = ASCIICursor(bytes)
        let date: CivilDate?
        if EnglishDateNames.read(EnglishDateNames.weekdays, length: .full, from: &cursor) != nil {
            date = readRFC850(&cursor, now: now)
        } else {
            guard EnglishDateNames.read(EnglishDateNames.weekdays, length: .abbreviated, from: &cursor) != nil else {
                return nil
            }
            date = cursor.skip(",") ? readFixdate(&cursor) : readAsctime(&cursor)
        }
        return cursor.isAtEnd ? date?.date : nil
    }

    /// The date as an IMF-fixdate, without the fraction of a second.
    ///
    /// ```swift
    /// HTTPDate.text(Date(timeIntervalSince1970: 784_111_777))  // "Sun, 06 Nov 1994 08:49:37 GMT"
    /// ```
    ///
    /// - Returns: `nil` if the date is outside the years 0...9999 or not finite.
    package static func text(_ date: Date) -> String? {
        guard let civil = CivilDate(date, fractionDigits: 0) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text += EnglishDateNames.weekdays[civil.weekday - 1].prefix(3)
        text += ", ".utf8
        DecimalDigits.append(civil.day, width: 2, to: &text)
        text += " ".utf8
        text += EnglishDateNames.months[civil.month - 1].prefix(3)
        text += " ".utf8
        DecimalDigits.append(civil.year, width: 4, to: &text)
        text += " ".utf8
        DecimalDigits.append(civil.hour, width: 2, to: &text)
        text += ":".utf8
        DecimalDigits.append(civil.minute, width: 2, to: &text)
        text += ":".utf8
        DecimalDigits.append(civil.second, width: 2, to: &text)
        text += " GMT".utf8
        return String(decoding: text, as: UTF8.self)
    }

    /// ` 06 Nov 1994 08:49:37 GMT`
    private static func readFixdate<Bytes>(_ cursor: inout ASCIICursor<Bytes>) -> CivilDate? {
        guard cursor.skip(" "), let day = cursor.digits(2), cursor.skip(" "), let month = readMonth(&cursor),
            cursor.skip(" "), let year = cursor.digits(4), cursor.skip(" "), let time = readTime(&cursor),
            cursor.skip(" "), cursor.skip(ignoringCase: "GMT".utf8)
        else { return nil }
        return CivilDate(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// `, 06-Nov-94 08:49:37 GMT`
    private static func readRFC850<Bytes>(_ cursor: inout ASCIICursor<Bytes>, now: Date) -> CivilDate? {
        guard cursor.skip(","), cursor.skip(" "), let day = cursor.digits(2), cursor.skip("-"),
            let month = readMonth(&cursor), cursor.skip("-"), let twoDigits = cursor.digits(2), cursor.skip(" "),
            let time = readTime(&cursor), cursor.skip(" "), cursor.skip(ignoringCase: "GMT".utf8),
            let today = CivilDate(now, fractionDigits: 0)
        else { return nil }
        func date(inYear year: Int) -> CivilDate? {
            CivilDate(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
        }
        let horizon = today.year + 50
        let year = horizon - (horizon - twoDigits + 100) % 100
        // In the 50th year ahead, the day and the time of day decide.
        let isAhead =
            year == horizon
            && (month, day, time.hour, time.minute, time.second)
                > (today.month, today.day, today.hour, today.minute, today.second)
        return CivilDate(
            year: isAhead ? year - 100 : year, month: month, day: day, hour: time.hour, minute: time.minute,
            second: time.second)
    }

    /// ` Nov  6 08:49:37 1994`
    private static func readAsctime<Bytes>(_ cursor: inout ASCIICursor<Bytes>) -> CivilDate? {
        guard cursor.skip(" "), let month = readMonth(&cursor), cursor.skip(" "),
            let day = cursor.skip(" ") ? cursor.digits(1) : cursor.digits(2), cursor.skip(" "),
            let time = readTime(&cursor), cursor.skip(" "), let year = cursor.digits(4)
        else { return nil }
        return CivilDate(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private static func readMonth<Bytes>(_ cursor: inout ASCIICursor<Bytes>) -> Int? {
        EnglishDateNames.read(EnglishDateNames.months, length: .abbreviated, from: &cursor)
    }

    private static func readTime<Bytes>(
        _ cursor: inout ASCIICursor<Bytes>
    ) -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = cursor.digits(2), cursor.skip(":"), let minute = cursor.digits(2), cursor.skip(":"),
            let second = cursor.digits(2)
        else { return nil }
        return (hour, minute, second)
    }
}

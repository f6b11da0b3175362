package import ModelMirrorFoundation

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
    package static func parse(_ bytes: some ByteString, now: Date = Date()) -> Date? {
        var cursor = ASCIICursor(bytes)
        guard let weekday = EnglishDateNames.read(EnglishDateNames.weekdays, from: &cursor) else { return nil }
        let isFull = weekday.letters > 3
        let date: CivilDate?
        if cursor.skip(",") {
            date = readDayFirst(&cursor, now: isFull ? now : nil)
        } else {
            date = isFull ? nil : readAsctime(&cursor)
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
    package static func text(_ date: Date) -> String? { written?.text(date) }

    private static let written = try? DatePattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'")

    /// ` 06 Nov 1994 08:49:37 GMT`, or ` 06-Nov-94 08:49:37 GMT`.
    ///
    /// - Parameter now: The date that a two-digit year is relative to; nil for a year of four digits.
    private static func readDayFirst(_ cursor: inout ASCIICursor<some ByteString>, now: Date?) -> CivilDate? {
        let separator: Unicode.Scalar = now == nil ? " " : "-"
        guard cursor.skip(" "), let day = cursor.digits(2), cursor.skip(separator), let month = readMonth(&cursor),
            cursor.skip(separator), var year = cursor.digits(now == nil ? 4 : 2), cursor.skip(" "),
            let time = readTime(&cursor), cursor.skip(" "), cursor.skip(ignoringCase: "GMT".utf8)
        else { return nil }
        if let now {
            guard let today = CivilDate(now, fractionDigits: 0) else { return nil }
            let horizon = today.year + 50
            year = horizon - (horizon - year + 100) % 100
            // In the 50th year ahead, the day and the time of day decide.
            let isAhead =
                year == horizon
                && (month, day, time.hour, time.minute, time.second)
                    > (today.month, today.day, today.hour, today.minute, today.second)
            if isAhead { year -= 100 }
        }
        return CivilDate(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// ` Nov  6 08:49:37 1994`
    private static func readAsctime(_ cursor: inout ASCIICursor<some ByteString>) -> CivilDate? {
        guard cursor.skip(" "), let month = readMonth(&cursor), cursor.skip(" "),
            let day = cursor.skip(" ") ? cursor.digits(1) : cursor.digits(2), cursor.skip(" "),
            let time = readTime(&cursor), cursor.skip(" "), let year = cursor.digits(4)
        else { return nil }
        return CivilDate(year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private static func readMonth(_ cursor: inout ASCIICursor<some ByteString>) -> Int? {
        EnglishDateNames.read(EnglishDateNames.months, from: &cursor).flatMap { $0.letters == 3 ? $0.number : nil }
    }

    private static func readTime(
        _ cursor: inout ASCIICursor<some ByteString>
    ) -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = cursor.digits(2), cursor.skip(":"), let minute = cursor.digits(2), cursor.skip(":"),
            let second = cursor.digits(2)
        else { return nil }
        return (hour, minute, second)
    }
}

import ModelMirrorFoundation

extension DatePattern {
    /// The instant in a text.
    ///
    /// - Returns: `nil` if the text does not match the pattern exactly (including any text before or after it), contains a day
    ///   or time that does not exist, or contradicts itself.
    func parse(_ bytes: some ByteString) -> Date? {
        var cursor = ASCIICursor(bytes)
        var values = DateFieldValues()
        guard fields.allSatisfy({ values.read($0, from: &cursor) }), cursor.isAtEnd else { return nil }
        return values.civilDate()?.date
    }
}

/// The values read so far for the fields of a date.
///
/// The first field to set a value decides; a later field with a different value is a contradiction.
struct DateFieldValues {
    private var year, month, day, dayOfYear, weekday: Int?
    private var hour, halfDayHour, dayPeriod, minute, second, nanosecond, offsetSeconds: Int?

    /// Reads a field.
    ///
    /// - Returns: `false` if the text does not match it, or it is out of a range that the calendar does not check, or a contradiction.
    mutating func read(_ field: DatePatternField, from cursor: inout ASCIICursor<some ByteString>) -> Bool {
        func number(of names: [[UInt8]]) -> Int? { EnglishDateNames.read(names, from: &cursor)?.number }
        switch field {
        case .literal(let byte): return cursor.skip(byte)
        case .number(let number, let digits, _):
            guard let (value, count) = cursor.digits(digits) else { return false }
            return set(value, digits: count, for: number)
        case .monthName: return Self.set(&month, number(of: EnglishDateNames.months))
        case .weekdayName: return Self.set(&weekday, number(of: EnglishDateNames.weekdays))
        case .dayPeriod: return Self.set(&dayPeriod, number(of: EnglishDateNames.dayPeriods).map { $0 - 1 })
        case .offset(_, let mayFollowSpace):
            if mayFollowSpace { _ = cursor.skip(" ") }
            return Self.set(&offsetSeconds, UTCOffset.readNamed(&cursor))
        }
    }

    private mutating func set(_ value: Int, digits: Int, for number: DatePatternField.Number) -> Bool {
        switch number {
        // Two digits are 1950...2049, as in DateFormatter also in a field for a full year.
        case .year: Self.set(&year, digits == 2 ? (value + 50) % 100 + 1950 : value)
        case .month: Self.set(&month, value)
        case .day: Self.set(&day, value)
        case .dayOfYear: Self.set(&dayOfYear, value)
        case .hour: Self.set(&hour, value)
        case .hourFrom1: 1...24 ~= value && Self.set(&hour, value % 24)
        case .halfDayHour: 1...12 ~= value && Self.set(&halfDayHour, value % 12)
        case .halfDayHourFrom0: 0...11 ~= value && Self.set(&halfDayHour, value)
        case .minute: Self.set(&minute, value)
        case .second: Self.set(&second, value)
        case .fraction: Self.set(&nanosecond, value * CivilDate.nanosecondsPerStep(fractionDigits: digits))
        }
    }

    /// The date of all fields; values that no field has set default to 2000-01-01 00:00:00 UTC.
    ///
    /// - Returns: `nil` if there is no such date, or if fields contradict each other.
    mutating func civilDate() -> CivilDate? {
        let year = year ?? 2000
        if let dayOfYear {
            guard dayOfYear >= 1, dayOfYear <= (CivilDate.isLeap(year) ? 366 : 365) else { return nil }
            let civil = CivilDate.civil(fromDays: CivilDate.days(year: year, month: 1, day: 1) + dayOfYear - 1)
            guard Self.set(&month, civil.month), Self.set(&day, civil.day) else { return nil }
        }
        if let halfDayHour, !Self.set(&hour, halfDayHour + 12 * (dayPeriod ?? 0)) { return nil }
        if let dayPeriod {
            let sameHour = hour ?? 12 * dayPeriod
            guard sameHour / 12 == dayPeriod else { return nil }
            hour = sameHour
        }
        let date = CivilDate(
            year: year, month: month ?? 1, day: day ?? 1, hour: hour ?? 0, minute: minute ?? 0,
            second: second ?? 0, nanosecond: nanosecond ?? 0, offsetSeconds: offsetSeconds ?? 0)
        // A weekday can contradict a day only if the day was set, not defaulted.
        let isDayStated = self.year != nil && month != nil && day != nil
        if isDayStated, let weekday, date?.weekday != weekday { return nil }
        return date
    }

    /// Sets a value; false if there is none, or a contradiction.
    private static func set(_ field: inout Int?, _ value: Int?) -> Bool {
        if field == nil { field = value }
        return value != nil && field == value
    }
}

extension DatePattern {
    /// The date in this pattern, in UTC.
    ///
    /// With `S` the fraction is rounded to as many digits as letters, so that a date read from that many digits is written as
    /// it was; without `S` it is truncated.
    ///
    /// - Returns: `nil` if the date is outside the years 0...9999 or not finite.
    func text(_ date: Date) -> String? {
        guard let civil = CivilDate(date, fractionDigits: fractionDigits) else { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(32)
        for field in fields { Self.write(field, of: civil, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(_ field: DatePatternField, of civil: CivilDate, to text: inout [UInt8]) {
        switch field {
        case .literal(let byte): text.append(byte)
        case .number(let number, _, let width):
            DecimalDigits.append(value(of: number, width: width, in: civil), width: width, to: &text)
        case .monthName(let isAbbreviated):
            text += EnglishDateNames.months[civil.month - 1].prefix(isAbbreviated ? 3 : .max)
        case .weekdayName(let isAbbreviated):
            text += EnglishDateNames.weekdays[civil.weekday - 1].prefix(isAbbreviated ? 3 : .max)
        case .dayPeriod: text += EnglishDateNames.dayPeriods[civil.hour / 12]
        case .offset(let utc, _): text += utc.description.utf8
        }
    }

    private static func value(of number: DatePatternField.Number, width: Int, in civil: CivilDate) -> Int {
        switch number {
        case .year: width == 2 ? civil.year % 100 : civil.year
        case .month: civil.month
        case .day: civil.day
        case .dayOfYear: civil.dayOfYear
        case .hour: civil.hour
        case .hourFrom1: civil.hour == 0 ? 24 : civil.hour
        case .halfDayHour: civil.hour % 12 == 0 ? 12 : civil.hour % 12
        case .halfDayHourFrom0: civil.hour % 12
        case .minute: civil.minute
        case .second: civil.second
        case .fraction: civil.nanosecond / CivilDate.nanosecondsPerStep(fractionDigits: width)
        }
    }
}

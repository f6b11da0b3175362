import Foundation
import Testing

@testable import ModelMirror

@Suite struct CivilDateTests {
    @Test(
        arguments: [
            // The days around which the rules of the calendar change, from `date -u -d … +%s`.
            ((1970, 1, 1), 0), ((2016, 1, 23), 1_453_507_200), ((2000, 2, 29), 951_782_400),
            ((1900, 2, 28), -2_203_977_600), ((1900, 3, 1), -2_203_891_200), ((1969, 12, 31), -86_400),
            ((2001, 1, 1), 978_307_200), ((0, 1, 1), -62_167_219_200), ((9999, 12, 31), 253_402_214_400),
        ] as [((Int, Int, Int), Int64)])
    func `CivilDate converts days to seconds since 1970 and back`(day: (Int, Int, Int), seconds: Int64) throws {
        let civil = try #require(CivilDate(year: day.0, month: day.1, day: day.2))
        #expect(civil.secondsSince1970 == seconds)
        #expect(civil.date == Date(timeIntervalSince1970: Double(seconds)))
        #expect(CivilDate(civil.date, fractionDigits: 0) == civil)
    }

    @Test func `CivilDate rejects fields out of range`() {
        // Fields that are left out are those of the year's first moment in UTC.
        func date(_ given: [Int]) -> CivilDate? {
            let fields = given + [0, 1, 1, 0, 0, 0, 0, 0].dropFirst(given.count)
            return CivilDate(
                year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4],
                second: fields[5], nanosecond: fields[6], offsetSeconds: fields[7])
        }
        for fields in [[0], [9999, 12, 31, 23, 59, 59, 999_999_999], [2016, 1, 1, 0, 0, 0, 0, 86_399]] {
            #expect(date(fields) != nil, "\(fields)")
        }
        for fields in [
            [-1], [10_000], [2016, 0], [2016, 13], [2016, 1, 0], [2016, 1, 1, 24], [2016, 1, 1, -1],
            [2016, 1, 1, 0, 60], [2016, 1, 1, 0, 0, 61], [2016, 1, 1, 0, 0, 0, 1_000_000_000],
            [2016, 1, 1, 0, 0, 0, 0, 86_400], [2016, 1, 1, 0, 0, 0, 0, -86_400],
        ] {
            #expect(date(fields) == nil, "\(fields)")
        }
    }

    @Test(arguments: [
        (1, 31, 31), (2, 28, 29), (3, 31, 31), (4, 30, 30), (5, 31, 31), (6, 30, 30),
        (7, 31, 31), (8, 31, 31), (9, 30, 30), (10, 31, 31), (11, 30, 30), (12, 31, 31),
    ])
    func `Every month has its number of days in common and leap years`(month: Int, inCommonYear: Int, inLeapYear: Int) {
        #expect(CivilDate(year: 2015, month: month, day: inCommonYear) != nil)
        #expect(CivilDate(year: 2015, month: month, day: inCommonYear + 1) == nil)
        #expect(CivilDate(year: 2016, month: month, day: inLeapYear) != nil)
        #expect(CivilDate(year: 2016, month: month, day: inLeapYear + 1) == nil)
    }

    @Test(arguments: [(2000, true), (1900, false), (2100, false), (2004, true), (2001, false), (0, true)])
    func `Leap years follow the Gregorian calendar`(year: Int, isLeap: Bool) {
        #expect((CivilDate(year: year, month: 2, day: 29) != nil) == isLeap)
        #expect(CivilDate(year: year, month: 12, day: 31)?.dayOfYear == (isLeap ? 366 : 365))
    }

    @Test func `A leap second is accepted only after 23:59:59 UTC, whatever the offset`() {
        let next = Date(timeIntervalSince1970: 1_483_228_800)
        #expect(CivilDate(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60)?.date == next)
        #expect(
            CivilDate(year: 2017, month: 1, day: 1, hour: 0, minute: 59, second: 60, offsetSeconds: 3600)?.date == next)
        #expect(CivilDate(year: 2016, month: 12, day: 31, hour: 22, minute: 59, second: 60) == nil)
        #expect(
            CivilDate(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60, offsetSeconds: 3600) == nil)
    }

    @Test func `The limits of the year apply to the written year, not to the year in UTC`() {
        #expect(CivilDate(year: 0, month: 1, day: 1, offsetSeconds: 1)?.secondsSince1970 == -62_167_219_201)
        #expect(
            CivilDate(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59, offsetSeconds: -1)?
                .secondsSince1970 == 253_402_300_800)
        #expect(CivilDate(year: -1, month: 12, day: 31, offsetSeconds: -86_399) == nil)
        #expect(CivilDate(year: 10_000, month: 1, day: 1, offsetSeconds: 86_399) == nil)
    }

    @Test(
        arguments: [
            -62_167_219_200.5, 253_402_300_800,
            .infinity, .nan, 1e300,
        ] as [Double])
    func `A date outside the years 0 to 9999 has no CivilDate`(seconds: Double) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(CivilDate(date, fractionDigits: 0) == nil)
        #expect(CivilDate(date, fractionDigits: 9) == nil)
    }

    @Test func `Weekdays count from 1 for Sunday to 7 for Saturday`() {
        // 2016-01-23 was a Saturday, as was 0000-01-01.
        for (year, month, day, weekday) in [
            (2016, 1, 23, 7), (2016, 1, 24, 1), (1970, 1, 1, 5), (0, 1, 1, 7), (0, 1, 2, 1),
        ] {
            #expect(CivilDate(year: year, month: month, day: day)?.weekday == weekday)
        }
        // The weekday is that of the written day, not of the day in UTC.
        #expect(CivilDate(year: 2016, month: 1, day: 24, hour: 0, offsetSeconds: 3600)?.weekday == 1)
    }

    @Test(arguments: [
        (0.123, 3, 123_000_000, 0), (0.1235, 3, 124_000_000, 0), (0.999_96, 4, 0, 1), (0.999_96, 5, 999_960_000, 0),
        (0.9, 0, 0, 0), (-0.25, 2, 750_000_000, -1), (-0.001, 2, 0, 0), (0.5, -1, 0, 0), (0.5, 12, 500_000_000, 0),
    ])
    func `A fraction is rounded with carry to the requested digits, or cut if there are none`(
        seconds: Double, digits: Int, nanosecond: Int, wholeSeconds: Int64
    ) throws {
        let civil = try #require(CivilDate(Date(timeIntervalSinceReferenceDate: seconds), fractionDigits: digits))
        #expect(civil.nanosecond == nanosecond)
        #expect(civil.secondsSince1970 == 978_307_200 + wholeSeconds)
    }

    @Test(
        arguments: [
            (0, 0), (0.5, 1), (0.25, 2), (0.125, 3), (475_266_600.123, 3), (475_266_600.000_1, 4), (-0.75, 2),
            (475_266_600.123_456, 6), (1e-12, 9), (Double(475_266_600).nextUp, 8),
        ] as [(Double, Int)])
    func `The number of fraction digits is the fewest that read back as the same date`(seconds: Double, digits: Int) {
        #expect(CivilDate.fractionDigits(of: Date(timeIntervalSinceReferenceDate: seconds)) == digits)
    }

    @Test func `Day numbers are consecutive over all months of the years 0 to 9999`() throws {
        // The days from year 0 to 1970, counted by the rule of the calendar alone.
        var days = -(1970 * 365 + (0..<1970).count { $0 % 4 == 0 && $0 % 100 != 0 || $0 % 400 == 0 })
        for year in 0...9999 {
            let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            for (month, length) in lengths.enumerated() {
                let isFirst = CivilDate.civil(fromDays: days) == (year, month + 1, 1)
                let isLast = CivilDate.civil(fromDays: days + length - 1) == (year, month + 1, length)
                let isReverse = CivilDate.days(year: year, month: month + 1, day: length) == days + length - 1
                // One expectation for 120,000 months: recording each would take most of the time.
                if !isFirst || !isLast || !isReverse { Issue.record("\(year)-\(month + 1) is converted wrongly") }
                days += length
            }
        }
        #expect(days == 2_932_897)
    }

    @Test func `CivilDate agrees with Foundation's calendar on 5000 random dates`() throws {
        var generator = SeededGenerator(seed: 1)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // Foundation's Gregorian calendar is the Julian one before 1582.
        let range: ClosedRange<Int64> = -12_212_553_600...253_402_300_799
        for _ in 0..<5000 {
            let seconds = Int64.random(in: range, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let civil = try #require(CivilDate(date, fractionDigits: 0))
            let expected = calendar.dateComponents(
                [.year, .month, .day, .hour, .minute, .second, .weekday, .dayOfYear], from: date)
            let fields: [Int?] = [
                civil.year, civil.month, civil.day, civil.hour, civil.minute, civil.second, civil.weekday,
                civil.dayOfYear,
            ]
            #expect(
                fields == [
                    expected.year, expected.month, expected.day, expected.hour, expected.minute, expected.second,
                    expected.weekday, expected.dayOfYear,
                ])
            #expect(civil.date == date)
            #expect(civil.secondsSince1970 == seconds)
        }
    }
}
